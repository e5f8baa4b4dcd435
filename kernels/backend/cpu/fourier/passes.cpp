// Passes of butterflies over blocks, for one instruction set.
#include "kernels/backend/cpu/fourier/fourier.h"
#include "kernels/backend/cpu/fourier/vectors.h"

namespace strider::nd::STRIDER_TARGET {
namespace {

template <class T>
using Wide = Cplx<Vector<T>>;

template <class T>
inline Wide<T> load_wide(const T* from) {
  return {load<Vector<T>>(from), load<Vector<T>>(from + kLanes<T>)};
}

template <class T>
inline void store_wide(T* to, const Wide<T>& value) {
  store(to, value.re);
  store(to + kLanes<T>, value.im);
}

// What the legs of a butterfly are multiplied by: one twiddle in all columns, or one for each
// column, of which the first may be an exact one.
enum class Twist : std::uint8_t { kNone, kRow, kColumns, kFirstColumns };

// Where the twiddles of a butterfly's first leg lie, and how far those of the next one do.
template <class T>
struct Twiddles {
  const T *re, *im;
  std::int64_t leg;
};

// Leg j, multiplied.
template <Twist kTwist, class T>
[[gnu::always_inline]] inline Wide<T> twisted(const Wide<T>& value, const Twiddles<T>& by, int j) {
  const T *re = by.re + by.leg * (j - 1), *im = by.im + by.leg * (j - 1);
  if constexpr (kTwist == Twist::kNone) {
    return value;
  } else if constexpr (kTwist == Twist::kRow) {
    return times_root<true>(value, {Vector<T>{} + *re, Vector<T>{} + *im});
  } else {
    Wide<T> product = times_root<true>(value, {load<Vector<T>>(re), load<Vector<T>>(im)});
    if constexpr (kTwist == Twist::kFirstColumns) {
      product.re[0] = value.re[0];
      product.im[0] = value.im[0];
    }
    return product;
  }
}

// Numbers between the legs of a butterfly.
struct Strides {
  std::int64_t from, to;
};

template <int kRadix, bool kInTime, Twist kTwist, class T>
[[gnu::always_inline]] inline void run_butterfly(const FourierPass<T>& pass, Strides strides,
                                                 Twiddles<T> by, const T* from, T* to) {
  Wide<T> x[kRadix];
#pragma GCC unroll 16
  for (int j = 0; j < kRadix; ++j) {
    x[j] = load_wide(from + strides.from * j);
    if (kInTime && j > 0) x[j] = twisted<kTwist>(x[j], by, j);
  }
  butterfly<kRadix, true>(x, pass.cosines, pass.sines);
#pragma GCC unroll 16
  for (int j = 0; j < kRadix; ++j) {
    if (!kInTime && j > 0) x[j] = twisted<kTwist>(x[j], by, j);
    store_wide(to + strides.to * j, x[j]);
  }
}

// Legs u, u + 1, ... and the opposite ones of a butterfly of any odd radix, of sums and differences
// of legs.
template <int kCount, class T>
[[gnu::always_inline]] inline void combine_any(const FourierPass<T>& pass, const T* legs, int u,
                                               Wide<T>* low, Wide<T>* high) {
  Wide<T> along[kCount], across[kCount];
  int at[kCount];
  for (int c = 0; c < kCount; ++c) {
    along[c] = load_wide(legs);
    across[c] = Wide<T>{};
    at[c] = u + c;
  }
  for (int j = 1; 2 * j < pass.radix; ++j) {
    Wide<T> sum = load_wide(legs + 2 * kLanes<T> * j);
    Wide<T> difference = load_wide(legs + 2 * kLanes<T> * (pass.radix - j));
    for (int c = 0; c < kCount; ++c) {
      along[c] = along[c] + pass.cosines[at[c]] * sum;
      across[c] = across[c] + pass.sines[at[c]] * difference;
      at[c] += u + c;
      if (at[c] >= pass.radix) at[c] -= pass.radix;
    }
  }
  for (int c = 0; c < kCount; ++c) {
    across[c] = turned<true>(across[c]);
    low[c] = along[c] + across[c];
    high[c] = along[c] - across[c];
  }
}

// The sums and differences of opposite legs of such a butterfly; returns the sum of all.
template <bool kInTime, Twist kTwist, class T>
inline Wide<T> pair_any(const FourierPass<T>& pass, Strides strides, Twiddles<T> by,
                        const T* from) {
  auto leg = [&](int j) {
    Wide<T> value = load_wide(from + strides.from * j);
    return kInTime ? twisted<kTwist>(value, by, j) : value;
  };
  Wide<T> total = load_wide(from);
  store_wide(pass.work, total);
  for (int j = 1; 2 * j < pass.radix; ++j) {
    Wide<T> low = leg(j), high = leg(pass.radix - j), sum = low + high;
    store_wide(pass.work + 2 * kLanes<T> * j, sum);
    store_wide(pass.work + 2 * kLanes<T> * (pass.radix - j), low - high);
    total = total + sum;
  }
  return total;
}

template <bool kInTime, Twist kTwist, class T>
inline void run_any(const FourierPass<T>& pass, Strides strides, Twiddles<T> by, const T* from,
                    T* to) {
  auto put = [&](int j, const Wide<T>& value) {
    bool twists = !kInTime && j > 0;
    store_wide(to + strides.to * j, twists ? twisted<kTwist>(value, by, j) : value);
  };
  put(0, pair_any<kInTime, kTwist>(pass, strides, by, from));
  int u = 1, half = (pass.radix - 1) / 2;
  auto combine = [&]<int kCount>(std::integral_constant<int, kCount>) {
    Wide<T> low[kCount], high[kCount];
    combine_any<kCount>(pass, pass.work, u, low, high);
    for (int c = 0; c < kCount; ++c, ++u) {
      put(u, low[c]);
      put(pass.radix - u, high[c]);
    }
  };
  while (u + 1 <= half) combine(std::integral_constant<int, 2>{});
  if (u == half) combine(std::integral_constant<int, 1>{});
}

// The butterflies of the vectors [begin, end) of a row. `next`: from the twiddles of a vector to
// those of the next.
template <int kRadix, bool kInTime, Twist kTwist, class T>
inline void run_row(const FourierPass<T>& pass, Strides strides, Twiddles<T> by, std::int64_t next,
                    std::int64_t begin, std::int64_t end, const T* from, T* to) {
  for (std::int64_t v = begin; v < end; ++v) {
    const T* source = from + v * 2 * kLanes<T>;
    T* target = to + v * 2 * kLanes<T>;
    Twiddles<T> here{by.re + v * next, by.im + v * next, by.leg};
    if constexpr (kRadix > 0)
      run_butterfly<kRadix, kInTime, kTwist>(pass, strides, here, source, target);
    else
      run_any<kInTime, kTwist>(pass, strides, here, source, target);
  }
}

// The rows of a group whose columns have twiddles of their own.
template <int kRadix, class T>
inline void run_columns(const FourierPass<T>& pass, Strides strides, const T* from, T* to) {
  constexpr std::int64_t kWide = 2 * kLanes<T>;
  std::int64_t row = pass.vectors * kWide, legs = (pass.radix - 1) * kWide;
  std::int64_t next = pass.inner * legs;
  for (std::int64_t i = 0; i < pass.inner; ++i, from += row, to += row) {
    const T* columns = pass.columns + i * legs;
    Twiddles<T> by{columns, columns + kLanes<T>, kWide};
    std::int64_t first = i == 0 && pass.at_start ? 1 : 0;
    run_row<kRadix, false, Twist::kFirstColumns>(pass, strides, by, next, 0, first, from, to);
    run_row<kRadix, false, Twist::kColumns>(pass, strides, by, next, first, pass.vectors, from, to);
  }
}

template <int kRadix, bool kInTime, class T>
inline void run_rows(const FourierPass<T>& pass, Strides strides, const T* from, T* to) {
  std::int64_t row = pass.vectors * 2 * kLanes<T>;
  for (std::int64_t i = 0; i < pass.inner; ++i, from += row, to += row) {
    Twiddles<T> by{pass.re + i, pass.im + i, pass.inner};
    if (i == 0)
      run_row<kRadix, kInTime, Twist::kNone>(pass, strides, by, 0, 0, pass.vectors, from, to);
    else
      run_row<kRadix, kInTime, Twist::kRow>(pass, strides, by, 0, 0, pass.vectors, from, to);
  }
}

template <int kRadix, bool kInTime, bool kByColumn, class T>
void run_groups(const FourierPass<T>& pass) {
  std::int64_t group = pass.inner * pass.vectors * 2 * kLanes<T>, far = group * pass.outer;
  Strides strides{kInTime ? far : group, kInTime ? group : far};
  for (std::int64_t k = 0; k < pass.outer; ++k) {
    const T* from = pass.from + k * group * (kInTime ? 1 : pass.radix);
    T* to = pass.to + k * group * (kInTime ? pass.radix : 1);
    if constexpr (kByColumn)
      run_columns<kRadix>(pass, strides, from, to);
    else
      run_rows<kRadix, kInTime>(pass, strides, from, to);
  }
}

template <int kRadix, class T>
void run_radix(const FourierPass<T>& pass) {
  if (pass.columns)
    run_groups<kRadix, false, true>(pass);
  else if (pass.in_time)
    run_groups<kRadix, true, false>(pass);
  else
    run_groups<kRadix, false, false>(pass);
}

template <class T>
void run_pass(const FourierPass<T>& pass) {
  switch (pass.radix) {
    case 2:
      return run_radix<2>(pass);
    case 3:
      return run_radix<3>(pass);
    case 4:
      return run_radix<4>(pass);
    case 5:
      return run_radix<5>(pass);
    case 7:
      return run_radix<7>(pass);
    case 8:
      return run_radix<8>(pass);
    case 11:
      return run_radix<11>(pass);
    default:
      run_radix<0>(pass);
  }
}

template <class T>
void fill(FourierKernels<T>& kernels) {
  kernels.lanes = kLanes<T>;
  kernels.pass = run_pass<T>;
}

}  // namespace

void fill_fourier_passes(FourierKernels<float>& kernels) { fill(kernels); }
void fill_fourier_passes(FourierKernels<double>& kernels) { fill(kernels); }

}  // namespace strider::nd::STRIDER_TARGET
