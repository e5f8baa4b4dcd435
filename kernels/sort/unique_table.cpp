// Distinct values by the hash table of the standard library, for types that NumPy hashes.
#include "kernels/sort/unique_table.h"

#include <strider/nd/hash_order.h>
#include <strider/nd/index.h>

#include "kernels/index/arranging.h"
#include "kernels/sort/keys.h"

namespace strider::nd {
namespace {

template <class T>
bool is_nan(std::complex<T> value) {
  return value.real() != value.real() || value.imag() != value.imag();
}

// Zeros of both signs are one value.
template <class T>
std::size_t hash_of(T value, bool equal_nan) {
  if constexpr (kIsComplex<T>) {
    if (equal_nan && is_nan(value)) return 0;
    value += T{};
  }
  ByteHash hash;
  hash.add(&value, sizeof(T));
  return hash.value();
}

template <class T>
bool are_same(T a, T b, bool equal_nan) {
  if constexpr (kIsComplex<T>)
    if (equal_nan && is_nan(a) && is_nan(b)) return true;
  return a == b;
}

template <class T>
Array values_of_table(const Array& line, bool equal_nan) {
  const T* from = line.as<T>();
  std::vector<std::int64_t> places = hash_order(
      line.size(), [=](std::int64_t i) { return hash_of(from[i], equal_nan); },
      [=](std::int64_t i, std::int64_t k) { return are_same(from[i], from[k], equal_nan); });
  Array values = Array::empty({static_cast<std::int64_t>(places.size())}, line.dtype());
  T* to = values.mutable_as<T>();
  for (std::int64_t place : places) *to++ = from[place];
  return values;
}

}  // namespace

bool is_kept_in_table(DType dtype) {
  bool kept = false;
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    kept = kIsComplex<T> || (std::is_integral_v<T> && !std::is_same_v<T, bool>);
  });
  return kept;
}

Array unique_by_table(const Array& line, bool equal_nan) {
  Array values;
  Array read = line.contiguous();
  dispatch(line.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (kIsComplex<T> || std::is_integral_v<T>)
      values = values_of_table<T>(read, equal_nan);
  });
  return values;
}

}  // namespace strider::nd
