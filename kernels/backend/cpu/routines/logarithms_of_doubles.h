// Logarithms of doubles, to bases e, 2 and 10 and of numbers beyond 1, at most 0.6 units in the
// last place off, for loops and for routines. Only operations that IEEE 754 rounds, so that vectors
// of all lengths give the same bits.
#pragma once

#include <type_traits>

#include "kernels/backend/cpu/routines/octaves_of_doubles.h"

namespace strider::nd::STRIDER_TARGET::lanes {

// What differs from base to base: the logarithms of 2 and, negated, of kInverseOfDouble in two
// parts, the first a multiple of 2^-42; that of e in two parts; and kTerms, its product with the
// coefficients of (log(1 + r) - r) / r^2, at most 2^-57 / r off.
struct Natural {
  static constexpr double kTwoHigh = kLn2OfDoubleHigh, kTwoLow = kLn2OfDoubleLow;
  static constexpr const double* kHigh = kLogOfDoubleHigh;
  static constexpr const double* kLow = kLogOfDoubleLow;
  static constexpr double kTerms[] = {
      -0x1.0000000000002p-1, 0x1.5555555554fb5p-2,  -0x1.ffffffffee7edp-3,
      0x1.999999a7b859ap-3,  -0x1.555555fd02351p-3, 0x1.2491f0c5ff762p-3,
      -0x1.fffb742da31dep-4, 0x1.c8d141119c40bp-4,  -0x1.9f46a23219b72p-4,
  };
};

struct ToBase2 {
  static constexpr double kUnitHigh = 0x1.71547652b82fep+0, kUnitLow = 0x1.777d0ffda0d24p-56;
  static constexpr double kTwoHigh = 1, kTwoLow = 0;
  alignas(64) static constexpr double kHigh[16] = {
      -0x1.d6753e032fp-2,
      -0x1.91bba891f1p-2,
      -0x1.49a784bcd2p-2,
      -0x1.49a784bcd2p-2,
      -0x1.fbc16b9026p-3,
      -0x1.5c01a39fbep-3,
      -0x1.5c01a39fbep-3,
      -0x1.663f6fac9p-4,
      0x0p+0,
      0x0p+0,
      0x1.7d60496cfcp-4,
      0x1.8a8980abfcp-3,
      0x1.f5fd8a9064p-3,
      0x1.6cb0f6865dp-2,
      0x1.a8ff971811p-2,
      0x1.e7df5fe539p-2,
  };
  alignas(64) static constexpr double kLow[16] = {
      0x1.7c407050799bfp-44,
      -0x1.c22d2cad415aep-44,
      0x1.1d406db502403p-44,
      0x1.1d406db502403p-44,
      -0x1.0144751b3314fp-44,
      0x1.2f0c0bfe9dbecp-44,
      0x1.2f0c0bfe9dbecp-44,
      -0x1.3167ccc538261p-44,
      0x0p+0,
      0x0p+0,
      -0x1.2ce6312ebb81dp-46,
      -0x1.66cccab240e9p-46,
      -0x1.cb6f70109b0f1p-47,
      -0x1.c57f2495fb7fap-44,
      -0x1.6879fa00b120ap-44,
      -0x1.532c412ba94dbp-44,
  };
  static constexpr double kTerms[] = {
      -0x1.71547652b8301p-1, 0x1.ec709dc39fbdfp-2,  -0x1.71547652ab8f6p-2,
      0x1.2776c519293dap-2,  -0x1.ec709eb587c09p-3, 0x1.a616e32a346b1p-3,
      -0x1.71512ecd9ec63p-3, 0x1.49862b4be5d8bp-3,  -0x1.2b8ee97416d67p-3,
  };
};

struct ToBase10 {
  static constexpr double kUnitHigh = 0x1.bcb7b1526e50ep-2, kUnitLow = 0x1.95355baaafad3p-57;
  static constexpr double kTwoHigh = 0x1.34413509f8p-2, kTwoLow = -0x1.80433b83b532ap-44;
  alignas(64) static constexpr double kHigh[16] = {
      -0x1.1b3e71ec94p-3,
      -0x1.e3bc1ab0ep-4,
      -0x1.8cf1838864p-4,
      -0x1.8cf1838864p-4,
      -0x1.31b3055c48p-4,
      -0x1.a30a9d60ap-5,
      -0x1.a30a9d60ap-5,
      -0x1.af5f92b01p-6,
      0x0p+0,
      0x0p+0,
      0x1.cb38fccd9p-6,
      0x1.db11ed7668p-5,
      0x1.2e3a740b78p-4,
      0x1.b721cd1714p-4,
      0x1.ffbfc2bbc8p-4,
      0x1.25ba8215bp-3,
  };
  alignas(64) static constexpr double kLow[16] = {
      -0x1.ef57776664942p-44,
      -0x1.9fe3d562a53fp-44,
      -0x1.019365163f2fcp-45,
      -0x1.019365163f2fcp-45,
      0x1.dcffc97be8c9cp-45,
      0x1.0163d7e67d282p-45,
      0x1.0163d7e67d282p-45,
      0x1.9f05921f59258p-46,
      0x0p+0,
      0x0p+0,
      -0x1.00925a535ae72p-44,
      0x1.5fa196e1e0ddap-44,
      0x1.d288560689912p-53,
      0x1.7e295f660b9dap-44,
      -0x1.ff229f20ed3d2p-46,
      -0x1.007bf2d8bf07ap-44,
  };
  static constexpr double kTerms[] = {
      -0x1.bcb7b1526e512p-3, 0x1.287a7636f3e7cp-3,  -0x1.bcb7b1525f1c9p-4,
      0x1.63c6278168c8fp-4,  -0x1.287a76c898485p-4, 0x1.fc3f0c91a0e5bp-5,
      -0x1.bcb3be707503p-5,  0x1.8cc95b6dea3a9p-5,  -0x1.68b43e3932111p-5,
  };
};

// The logarithm of a positive normal number.
template <class Base>
inline Doubles plain_logarithm(Doubles x) {
  const OctavesOfDoubles octaves(x);
  Doubles r = octaves.r, first = r;
  Doubles whole = fma(octaves.count, all(Base::kTwoHigh), find(Base::kHigh, octaves.index));
  Doubles low = fma(octaves.count, all(Base::kTwoLow), find(Base::kLow, octaves.index));
  if constexpr (!std::is_same_v<Base, Natural>) {
    first = r * all(Base::kUnitHigh);
    low = low + fma(r, all(Base::kUnitLow), fma(r, all(Base::kUnitHigh), -first));
  }
  Doubles high = whole + first;
  low = fma(r * r, polynomial<9>(Base::kTerms, r), low);
  return high + (((whole - high) + first) + low);
}

// The natural logarithm of a sum of 1 and something, of which rounding left out `lost`: that joins
// what is left of the octave. Where the sum is in the octave of 1, both together are the something.
inline Doubles logarithm_of_sum(Doubles sum, Doubles lost) {
  const OctavesOfDoubles octaves(sum);
  Doubles inverse = real(bits(find(kInverseOfDouble, octaves.index)) - octaves.octave);
  lost = lost * inverse;
  Doubles r = octaves.r + lost;
  lost = (octaves.r - r) + lost;
  Doubles whole = fma(octaves.count, all(kLn2OfDoubleHigh), find(kLogOfDoubleHigh, octaves.index));
  Doubles low = fma(octaves.count, all(kLn2OfDoubleLow), find(kLogOfDoubleLow, octaves.index));
  Doubles high = whole + r;
  low = fma(r * r, polynomial<9>(Natural::kTerms, r), low + lost);
  return high + (((whole - high) + r) + low);
}

// SLEEF's results where numbers are zero, negative, infinite, NaN or too small.
template <class Base>
Doubles any_logarithm(Doubles x, Doubles result);

template <class Base>
inline Doubles logarithm(Doubles x) {
  Doubles result = plain_logarithm<Base>(x);
  return everywhere(positive_normal(x)) ? result : any_logarithm<Base>(x, result);
}

inline DoublesTruth plain_beyond_1(Doubles x) {
  return both(compare<_CMP_GT_OQ>(x, all(-1.0)), compare<_CMP_LT_OQ>(x, all(0x1p1000)));
}
Doubles any_logarithm_beyond_1(Doubles x, Doubles result);

// Of 1 + x. The sign is that of x, also of its zeros.
inline Doubles logarithm_beyond_1(Doubles x) {
  Doubles one = all(1.0);
  auto beyond = compare<_CMP_GT_OQ>(x, one);
  Doubles sum = x + one;
  Doubles lost = choose(beyond, one, x) - (sum - choose(beyond, x, one));
  Doubles result = real(bits(logarithm_of_sum(sum, lost)) | sign(x));
  return everywhere(plain_beyond_1(x)) ? result : any_logarithm_beyond_1(x, result);
}

}  // namespace strider::nd::STRIDER_TARGET::lanes
