// Logarithms of sums of two exponentials of doubles, of e and of 2, as vector routines: the larger
// exponent, and what 1 and the exponential of minus the gap are beyond 1. Only operations that
// IEEE 754 rounds, so that vectors of all lengths give the same bits. Knows no loops.
#if defined(__AVX2__)
#include "kernels/backend/cpu/routines/exponentials_of_doubles.h"
#include "kernels/backend/cpu/routines/logarithms_of_doubles.h"
#include "kernels/backend/cpu/routines/names.h"

namespace {

using namespace strider::nd::STRIDER_TARGET::lanes;

// kMost is a gap whose exponential is a normal number, kNone one whose exponential is 0.
struct OfE {
  static constexpr double kMost = 708, kNone = 746, kUnit = 1, kEqual = 0x1.62e42fefa39efp-1;
  static Doubles plain(Doubles x) { return power_of_e(x); }
  static Doubles usual(Doubles x) { return STRIDER_USUAL(exp)(x); }
};
struct Of2 {
  static constexpr double kMost = 1022, kNone = 1076, kUnit = 0x1.71547652b82fep+0, kEqual = 1;
  static Doubles plain(Doubles x) { return power_of_2(x); }
  static Doubles usual(Doubles x) { return STRIDER_USUAL(exp2)(x); }
};

// Where some exponentials are no normal numbers, and not 0.
template <class Base>
__attribute__((noinline)) Doubles any_exponential(Doubles gap, Doubles result) {
  return choose(compare<_CMP_LE_OQ>(gap, all(Base::kMost)), result, Base::usual(all(0.0) - gap));
}

template <class Base>
inline Doubles logarithm_of_sum_of_powers(Doubles x, Doubles y) {
  Doubles gap = magnitude(x - y);
  auto plain = compare<_CMP_LE_OQ>(gap, all(Base::kMost)),
       none = compare<_CMP_GT_OQ>(gap, all(Base::kNone));
  Doubles part = Base::plain(all(0.0) - least(gap, all(Base::kNone)));
  part = choose(plain, part, all(0.0));
  if (!everywhere(either(plain, none))) part = any_exponential<Base>(gap, part);
  Doubles one = all(1.0), sum = one + part;
  Doubles more = logarithm_of_sum(sum, part - (sum - one));
  if constexpr (Base::kUnit != 1) more = more * all(Base::kUnit);
  more = choose(compare<_CMP_EQ_OQ>(x, y), all(Base::kEqual), more);
  return choose(compare<_CMP_UNORD_Q>(x, y), x + y, greatest(x, y) + more);
}

}  // namespace

extern "C" Doubles STRIDER_NAME(logaddexp)(Doubles x, Doubles y) {
  return logarithm_of_sum_of_powers<OfE>(x, y);
}

extern "C" Doubles STRIDER_NAME(logaddexp2)(Doubles x, Doubles y) {
  return logarithm_of_sum_of_powers<Of2>(x, y);
}

#undef STRIDER_NAME
#undef STRIDER_USUAL
#endif
