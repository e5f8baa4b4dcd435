// Elementwise operations on arrays: broadcasting, type resolution, out=, where=, dtype=. Errors
// carry NumPy's messages.
#pragma once

#include <strider/nd/array.h>
#include <strider/nd/ops.h>

#include <cstdint>
#include <optional>
#include <span>

namespace strider::nd {

// An argument of an operation: an array, a NumPy scalar, or a Python number, which is weak: it
// takes the element type of its partners (NEP 50). Refers to the array; it must outlive the
// operand.
class Operand {
 public:
  enum class Kind : std::uint8_t {
    kArray,
    kScalar,       // a NumPy scalar, or Python's True and False
    kWeakInteger,  // fits int64, or uint64 when `unsigned_only`
    kTooBig,       // a Python integer beyond uint64 or below int64
    kWeakFloat,
    kWeakComplex,
  };

  Operand(const Array& array) : kind_(Kind::kArray), array_(&array) {}
  Operand(const Scalar& scalar) : scalar_(scalar) {}
  static Operand weak_int(std::int64_t value) { return Operand(Kind::kWeakInteger, value); }
  static Operand weak_uint(std::uint64_t value) { return Operand(Kind::kWeakInteger, value); }
  static Operand weak_float(double value) { return Operand(Kind::kWeakFloat, value); }
  static Operand weak_complex(std::complex<double> value) {
    return Operand(Kind::kWeakComplex, value);
  }
  // An integer that no element type holds; `text` (its digits) must outlive the operand.
  static Operand too_big(bool negative, std::string_view text) {
    Operand operand(Kind::kTooBig, negative);
    operand.digits_ = text;
    return operand;
  }

  Kind kind() const { return kind_; }
  bool is_weak() const { return kind_ >= Kind::kWeakInteger; }
  const Array& array() const { return *array_; }
  const Scalar& scalar() const { return scalar_; }
  std::string_view digits() const { return digits_; }  // kTooBig
  // The element type; a weak one's default: int64 (uint64 above it), float64, complex128.
  DType dtype() const { return array_ ? array_->dtype() : scalar_.dtype(); }

 private:
  Operand(Kind kind, const Scalar& scalar) : kind_(kind), scalar_(scalar) {}
  Kind kind_ = Kind::kScalar;
  const Array* array_ = nullptr;
  Scalar scalar_;
  std::string_view digits_;
};

// The element type that the operands share (numpy.result_type): weak ones yield to the others.
DType result_type(std::span<const Operand> operands);
// The weak or strong operand's value in `dtype`. kOverflow "Python integer 300 out of bounds for
// uint8".
Scalar convert_operand(const Operand& operand, DType dtype);
// The operand as an array of its own (or default) element type.
Array to_array(const Operand& operand);

// numpy's keyword arguments of every ufunc. Element types in `signature`: inputs then outputs, none
// where not given.
struct UfuncOptions {
  const Array* where = nullptr;  // kType unless bool
  std::optional<DType> dtype;
  const Array* out[2] = {nullptr, nullptr};
  Casting casting = Casting::kSameKind;
  Order order = Order::kKeep;
  std::span<const std::optional<DType>> signature;
};

struct ArrayPair {
  Array first, second;
};

// Applies an operation. The result is `options.out[0]` when given; 0-d results stay 0-d arrays (the
// language makes them scalars). Throws kType (no loop), kUfuncCast, kValue (shapes), kOverflow.
Array apply(Op op, std::span<const Operand> operands, const UfuncOptions& options = {});
Array apply(Op op, const Operand& a, const UfuncOptions& options = {});
Array apply(Op op, const Operand& a, const Operand& b, const UfuncOptions& options = {});
// The same for divmod, modf and frexp.
ArrayPair apply2(Op op, std::span<const Operand> operands, const UfuncOptions& options = {});

// The scalar fast path: both of one element type or any mix of types. False when the operation has
// no loop for them (the caller goes through apply for the error). Conditions go to the handler.
bool apply_scalar(Op op, const Scalar& a, const Scalar& b, Scalar& out);
bool apply_scalar(Op op, const Scalar& a, Scalar& out);
// What `apply` gives for operands that are numbers, without arrays; false where the caller goes
// through `apply`. Conditions are the function's, not those of a NumPy scalar's operator.
bool apply_numbers(Op op, std::span<const Operand> operands, Scalar& out);

// numpy.where with weak operands: elements of `x` where the condition is true, else of `y`.
Array select(const Array& condition, const Operand& x, const Operand& y);

// The element types that an operation works in for these operand types (numpy's resolve_dtypes):
// inputs, then outputs.
std::vector<DType> resolve_dtypes(Op op, std::span<const Operand> operands,
                                  const UfuncOptions& options = {});

// ufunc.outer: the operation on every pair of elements.
Array outer(Op op, const Operand& a, const Operand& b, const UfuncOptions& options = {});
// ufunc.at: the operation in place at flat C-order positions (of broadcast `positions`), one after
// the other, so that repeated positions count each time. `b` is null for unary operations and
// broadcasts to the positions' shape.
void at(Op op, const Array& array, const Array& positions, const Operand* b = nullptr);

}  // namespace strider::nd
