// VectorCode: machine code on whole vectors, for AVX2 and AVX-512 alike. Knows element sizes, masks
// and literals; knows nothing of steps or of where values live.
#pragma once

#include <xbyak/xbyak.h>

#include <cstdint>
#include <deque>

#include "kernels/backend/cpu/kernels.h"

namespace strider::nd {

using Vec = Xbyak::Xmm;

// The bytes of a whole vector.
constexpr int vector_bytes(Target target) { return target == Target::kAvx512 ? 64 : 32; }

// Truth for every lane: a mask register, or (AVX2) a vector of elements of this size, all ones
// where true.
struct Mask {
  int index = 0;
  int size = 0;
};

// Comparisons of floats that never signal, as immediates.
enum class Ordering : std::uint8_t {
  kEqual = 0x00,
  kUnordered = 0x03,
  kNotEqual = 0x04,
  kLess = 0x11,
  kLessEqual = 0x12,
  kNotLessEqual = 0x16,
  kGreater = 0x1e
};
// Comparisons of integers, as immediates.
enum class Relation : std::uint8_t { kEqual = 0, kLess = 1, kLessEqual = 2, kNotEqual = 4 };

// More was asked for than the registers, or the buffer, hold.
struct OutOfRoom {};

class VectorCode : public Xbyak::CodeGenerator {
 public:
  // `lanes` elements are computed together; the widest have 64 (AVX2: 32) bytes.
  VectorCode(bool wide, int lanes, std::uint8_t* buffer, std::size_t size)
      : Xbyak::CodeGenerator(size, buffer), wide_(wide), lanes_(lanes) {}

  bool wide() const { return wide_; }
  int lanes() const { return lanes_; }
  // Registers [0, value_registers()) hold values; the others are temporary.
  int value_registers() const { return wide_ ? 26 : 10; }

  // The register as a vector of `lanes` elements of `size` bytes.
  Vec vec(int index, int size) const;
  // Temporary registers and masks live until the scope ends.
  class Scope {
   public:
    explicit Scope(VectorCode& code) : code_(code), used_(code.temps_), masks_(code.masks_) {}
    ~Scope() {
      code_.temps_ = used_;
      code_.masks_ = masks_;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    VectorCode& code_;
    int used_, masks_;
  };
  Vec temp(int size);

  // Elements at an address to a register and back; `address` covers lanes() * size bytes.
  void load(int index, int size, const Xbyak::RegExp& address);
  void store(int index, int size, const Xbyak::RegExp& address);
  // A store past the caches; the address is a multiple of the register's size.
  void stream(int index, const Xbyak::RegExp& address);
  void broadcast(int index, int size, const Xbyak::RegExp& address);
  void copy(const Vec& to, const Vec& from);
  // A vector of this pattern in every element.
  Xbyak::Address literal(std::uint64_t pattern, int size);
  Xbyak::Address literal(double value, int size);
  // A vector of elements of 16 bytes.
  Xbyak::Address pair_literal(std::uint64_t low, std::uint64_t high);
  // Writes the literals behind the code.
  void place_literals();

  void bits_and(const Vec& to, const Vec& a, const Xbyak::Operand& b);
  void bits_or(const Vec& to, const Vec& a, const Xbyak::Operand& b);
  void bits_xor(const Vec& to, const Vec& a, const Xbyak::Operand& b);
  void bits_not(const Vec& to, const Vec& a);
  void zero(const Vec& to);

  Mask compare(const Vec& a, const Xbyak::Operand& b, Ordering ordering, int size);
  Mask compare(const Vec& a, const Vec& b, Relation relation, int size, bool is_signed);
  Mask either(Mask a, Mask b);
  Mask both(Mask a, Mask b);
  Mask opposite(Mask mask);
  // One byte a lane, 0 or 1; a lane is true when its byte is not 0.
  void to_bools(const Vec& to, Mask mask);
  Mask from_bools(const Vec& bools, int size);
  // to = mask ? a : b
  void blend(const Vec& to, Mask mask, const Vec& a, const Vec& b, int size);

  // Adds to the flags of suspicious lanes those that are infinite or NaN or, if `tiny`, below the
  // smallest normal number.
  void note_suspicious(const Vec& value, int size, bool tiny, const Xbyak::Reg32& flags);

 private:
  struct Literal {
    std::uint64_t pattern;
    std::uint64_t high;  // the second half of 16 bytes
    int size;
    Xbyak::Label label;
  };

  Xbyak::Address find_literal(std::uint64_t pattern, std::uint64_t high, int size);
  Mask new_mask(int size);
  Vec mask_vector(Mask mask) const { return vec(mask.index, mask.size); }
  void compare_greater(const Vec& to, const Vec& a, const Vec& b, int size, bool is_signed);

  const bool wide_;
  const int lanes_;
  int temps_ = 0;
  int masks_ = 0;
  std::deque<Literal> literals_;
};

}  // namespace strider::nd
