// Loops over rows, for one instruction set.
#include "kernels/backend/cpu/network_rows.h"

#include <bit>
#include <cstdint>
#include <type_traits>

namespace strider::nd::STRIDER_TARGET {
namespace {

// a where it holds, else b, without a branch: at the ends of rows, which are short, nothing can be
// foretold of elements.
template <class T>
inline T choose(bool holds, T a, T b) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  Bits mask = Bits(0) - static_cast<Bits>(holds);
  return std::bit_cast<T>((std::bit_cast<Bits>(a) & mask) | (std::bit_cast<Bits>(b) & ~mask));
}

template <class T>
inline T larger_of(T a, T b) {
  return choose((b > a) | (b != b), b, a);
}

template <class T>
void larger(T* __restrict into, const T* __restrict row, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) into[i] = larger_of(into[i], row[i]);
}

template <class T>
void add(T* __restrict into, const T* __restrict row, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) into[i] += row[i];
}

template <class T>
void multiply(T* __restrict into, const T* __restrict row, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) into[i] *= row[i];
}

// to[i] = combine of `size` numbers from row[i * step] on; steps of 1 and 2 are known to the
// compiler.
template <class T, class Combine>
inline void combine_places(const T* __restrict row, std::int64_t step, std::int64_t size,
                           T* __restrict to, std::int64_t count, Combine combine) {
  auto along = [&](auto fixed) {
    std::int64_t stride = fixed ? fixed : step;
    for (std::int64_t i = 0; i < count; ++i) to[i] = row[i * stride];
    for (std::int64_t k = 1; k < size; ++k)
      for (std::int64_t i = 0; i < count; ++i) to[i] = combine(to[i], row[i * stride + k]);
  };
  if (step == 1)
    along(std::integral_constant<std::int64_t, 1>());
  else if (step == 2)
    along(std::integral_constant<std::int64_t, 2>());
  else
    along(std::integral_constant<std::int64_t, 0>());
}

template <class T>
void largest(const T* row, std::int64_t step, std::int64_t size, T* to, std::int64_t count) {
  combine_places(row, step, size, to, count, larger_of<T>);
}

template <class T>
void sum(const T* row, std::int64_t step, std::int64_t size, T* to, std::int64_t count) {
  combine_places(row, step, size, to, count, [](T a, T b) { return a + b; });
}

template <class T>
void give(const T* __restrict row, T* __restrict into, std::int64_t step, const T* __restrict y,
          T* __restrict rest, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    T value = row[i * step];
    bool is = (value == y[i]) | (value != value);
    into[i * step] += is ? rest[i] : T(0);
    rest[i] = is ? T(0) : rest[i];
  }
}

template <class T>
void spread(T* __restrict into, std::int64_t step, const T* __restrict row, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) into[i * step] += row[i];
}

template <class T>
void add_squares(T* __restrict into, const T* __restrict row, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) into[i] += row[i] * row[i];
}

template <class T>
void scale(T* row, T factor, T k, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) row[i] = k + factor * row[i];
}

template <class T>
void share(const T* __restrict a, const T* __restrict b, const T* __restrict c, T* __restrict to,
           std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = a[i] * b[i] / c[i];
}

template <class T>
void differ(T* __restrict into, const T* __restrict by, T factor, const T* __restrict c,
            const T* __restrict d, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) into[i] = into[i] * by[i] - factor * c[i] * d[i];
}

template <class T>
void join_gates(T* __restrict gates, const T* __restrict more, const T* __restrict bias,
                std::int64_t hidden) {
  for (int gate = 0; gate < 4; ++gate) {
    T factor = gate == 2 ? T(1) : T(0.5);
    std::int64_t end = (gate + 1) * hidden;
    for (std::int64_t i = gate * hidden; i < end; ++i)
      gates[i] = factor * (gates[i] + more[i] + bias[i]);
  }
}

template <class T>
void open_gates(const GateRow<T>& row) {
  T* __restrict i = row.gates;
  T* __restrict f = i + row.hidden;
  T* __restrict g = f + row.hidden;
  T* __restrict o = g + row.hidden;
  T* __restrict c = row.c;
  const T* __restrict before = row.before;
  constexpr T half(0.5);
  for (std::int64_t k = 0; k < row.hidden; ++k) {
    i[k] = half + half * i[k];
    f[k] = half + half * f[k];
    o[k] = half + half * o[k];
    c[k] = f[k] * before[k] + i[k] * g[k];
  }
}

template <class T>
void put_out(const GateRow<T>& row, T* __restrict h) {
  const T* __restrict o = row.gates + 3 * row.hidden;
  const T* __restrict squashed = row.squashed;
  for (std::int64_t k = 0; k < row.hidden; ++k) h[k] = o[k] * squashed[k];
}

template <class T>
void close_gates(const GateRow<T>& row, const T* __restrict dh, T* __restrict dc) {
  T* __restrict i = row.gates;
  T* __restrict f = i + row.hidden;
  T* __restrict g = f + row.hidden;
  T* __restrict o = g + row.hidden;
  const T* __restrict before = row.before;
  const T* __restrict squashed = row.squashed;
  constexpr T one(1);
  for (std::int64_t k = 0; k < row.hidden; ++k) {
    T by_c = dc[k] + dh[k] * o[k] * (one - squashed[k] * squashed[k]);
    T by_i = by_c * g[k] * i[k] * (one - i[k]);
    T by_g = by_c * i[k] * (one - g[k] * g[k]);
    o[k] = dh[k] * squashed[k] * o[k] * (one - o[k]);
    dc[k] = by_c * f[k];
    f[k] = by_c * before[k] * f[k] * (one - f[k]);
    i[k] = by_i;
    g[k] = by_g;
  }
}

template <class T>
void fill(NetworkRows<T>& rows) {
  rows = {larger<T>, largest<T>,    add<T>,         sum<T>,     multiply<T>,
          give<T>,   spread<T>,     add_squares<T>, scale<T>,   share<T>,
          differ<T>, join_gates<T>, open_gates<T>,  put_out<T>, close_gates<T>};
}

}  // namespace

void fill_network_rows(NetworkRows<float>& rows) { fill(rows); }
void fill_network_rows(NetworkRows<double>& rows) { fill(rows); }

}  // namespace strider::nd::STRIDER_TARGET
