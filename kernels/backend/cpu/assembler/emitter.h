// Emitter: the machine code of single steps, with the bits of the kernels. Sizes are those of
// elements; every operand is a register.
#pragma once

#include "kernels/backend/cpu/assembler/vector_code.h"
#include "kernels/backend/loop.h"

namespace strider::nd {

inline bool is_signed_integer(DType dtype) { return category(dtype) == Category::kSigned; }

class Emitter {
 public:
  explicit Emitter(VectorCode& code) : code_(code) {}

  // The code of a step on registers; false when it has none. Registers of arguments keep their
  // values; the result's is none of them.
  bool emit(const Step& step, int result, const int* arguments);

 private:
  struct Operands {
    Vec to, a, b, c;  // absent ones repeat a
  };

  bool emit_select(const Step& step, int result, const int* arguments);
  bool emit_halves(const Step& step, int result, const int* arguments);
  // The result has the arguments' type.
  bool emit_real(Op op, int size, const Operands& at);
  bool emit_integer(Op op, DType dtype, const Operands& at);
  bool emit_bool(Op op, const Operands& at);
  bool emit_complex(Op op, int part_size, const Operands& at);
  void complex_length(int size, const Vec& to, const Vec& a);
  void keep_first_parts(int size, const Vec& to, const Vec& pairs);
  // The result is bool.
  bool compare_reals(Op op, int size, const Operands& at);
  bool compare_integers(Op op, DType dtype, const Operands& at);

  void real_extreme(Op op, int size, const Vec& to, const Vec& a, const Vec& b, bool ties_first);
  void real_sign(int size, const Vec& to, const Vec& a);
  void real_step(int size, const Operands& at);
  bool integer_extreme(bool largest, int size, bool is_signed, const Vec& to, const Vec& a,
                       const Vec& b);
  void integer_product(int size, const Vec& to, const Vec& a, const Vec& b);
  void add_integers(int size, const Vec& to, const Vec& a, const Vec& b);
  void subtract_integers(int size, const Vec& to, const Vec& a, const Vec& b);
  void integer_magnitude(int size, const Vec& to, const Vec& a);
  void integer_sign(int size, bool is_signed, const Vec& to, const Vec& a);
  bool shift(bool left, int size, bool is_signed, const Vec& to, const Vec& a, const Vec& b);

  // Conversions between registers, directly or by way of another type.
  bool convert(DType from, DType to, int result, int argument);
  bool convert_by(DType from, DType between, DType to, int result, int argument);
  bool widen_integer(DType from, int to_size, int result, int argument);
  bool narrow_integer(int from_size, int to_size, int result, int argument);
  bool integer_to_real(DType from, DType to, int result, int argument);
  void integer64_to_double(bool is_signed, const Vec& to, const Vec& source);
  bool real_to_integer(DType from, DType to, int result, int argument);
  bool convert_complex(DType from, DType to, int result, int argument);
  void real_to_unsigned64(DType from, int result, int argument);
  void to_bool(DType from, int result, int argument);
  void double_to_half(int result, int argument);

  VectorCode& code_;
};

}  // namespace strider::nd
