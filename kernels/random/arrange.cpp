// Shuffles, permutations and choices, for Generator and RandomState.
#include <strider/nd/error.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "kernels/random/discrete.h"
#include "kernels/random/parameters.h"

namespace strider::nd::random {
namespace {

using Bounded = std::uint64_t (*)(BitGenerator&, std::uint64_t);

// Fisher and Yates from the end down to `first`.
template <class Swap>
void shuffle_down(BitGenerator& bits, std::int64_t count, std::int64_t first, Bounded draw,
                  Swap swap) {
  for (std::int64_t i = count - 1; i >= first; --i) {
    auto j = static_cast<std::int64_t>(draw(bits, static_cast<std::uint64_t>(i)));
    if (i != j) swap(i, j);
  }
}

template <class T>
void swap_items(std::byte* a, std::byte* b) {
  T x, y;
  std::memcpy(&x, a, sizeof x);
  std::memcpy(&y, b, sizeof y);
  std::memcpy(a, &y, sizeof y);
  std::memcpy(b, &x, sizeof x);
}

void shuffle_line(BitGenerator& bits, std::byte* data, std::int64_t count, std::int64_t stride,
                  int size, Bounded draw) {
  auto run = [&](auto swap) {
    shuffle_down(bits, count, 1, draw, [&](std::int64_t i, std::int64_t j) {
      swap(data + i * stride, data + j * stride);
    });
  };
  if (size == 8) return run(swap_items<std::uint64_t>);
  if (size == 4) return run(swap_items<std::uint32_t>);
  if (size == 2) return run(swap_items<std::uint16_t>);
  if (size == 1) return run(swap_items<std::uint8_t>);
  run(swap_items<std::complex<double>>);
}

// The array with one axis left out.
Array slice_at(const Array& array, int axis, std::int64_t index) {
  Dims shape = array.shape(), strides = array.strides();
  std::int64_t offset = strides[axis] * index;
  shape.erase(axis);
  strides.erase(axis);
  return array.view(shape, strides, offset);
}

// Row i becomes row order[i] of the original; both lie in C order.
void arrange_rows(const Array& array, const Array& original,
                  const std::vector<std::int64_t>& order) {
  std::size_t bytes = static_cast<std::size_t>(array.strides()[0]);
  std::byte* target = array.mutable_data();
  for (std::size_t i = 0; i < order.size(); ++i)
    std::memcpy(target + i * bytes, original.data() + static_cast<std::size_t>(order[i]) * bytes,
                bytes);
}

void shuffle_axis(BitGenerator& bits, const Array& array, int axis, Bounded draw) {
  std::int64_t count = array.shape()[axis];
  if (array.rank() == 1) {
    shuffle_line(bits, array.mutable_data(), count, array.strides()[0], item_size(array.dtype()),
                 draw);
    return;
  }
  // Rows move once, after the order is known.
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
  shuffle_down(bits, count, 1, draw, [&](std::int64_t i, std::int64_t j) {
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]);
  });
  if (array.size() == 0) return;
  array.mutable_data();
  Array original = array.copy(Order::kKeep);
  if (axis == 0 && array.is_c_contiguous()) return arrange_rows(array, original, order);
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] != static_cast<std::int64_t>(i))
      slice_at(array, axis, static_cast<std::int64_t>(i))
          .assign(slice_at(original, axis, order[i]));
}

void require_axes(const Array& array) {
  if (array.rank() == 0) throw Error(ErrorKind::kType, "len() of unsized object");
}

Array arange64(std::int64_t count) {
  return Array::arange(std::int64_t{0}, std::int64_t{1}, std::max<std::int64_t>(count, 0),
                       DType::kInt64);
}

// --- choice ------------------------------------------------------------------------------------

struct ChoiceTexts {
  const char *not_one_dimensional, *size_differs, *has_nan, *negative, *sum, *empty, *too_large;
};
constexpr ChoiceTexts kModernTexts = {
    "p must be 1-dimensional",
    "a and p must have same size",
    "Probabilities contain NaN",
    "Probabilities are not non-negative",
    "Probabilities do not sum to 1. See Notes section of docstring for more information.",
    "a must be a positive integer unless no samples are taken",
    "Cannot take a larger sample than population when replace is False"};
constexpr ChoiceTexts kLegacyTexts = {
    "'p' must be 1-dimensional",
    "'a' and 'p' must have same size",
    "probabilities contain NaN",
    "probabilities are not non-negative",
    "probabilities do not sum to 1",
    "a must be greater than 0 unless no samples are taken",
    "Cannot take a larger sample than population when 'replace=False'"};

[[noreturn]] void reject(const char* message) { throw Error(ErrorKind::kValue, message); }

// Kahan's compensated sum.
double compensated_sum(const double* values, std::int64_t count) {
  double sum = count > 0 ? values[0] : 0.0, carry = 0.0;
  for (std::int64_t i = 1; i < count; ++i) {
    double y = values[i] - carry;
    double t = sum + y;
    carry = (t - sum) - y;
    sum = t;
  }
  return sum;
}

double sum_tolerance(DType dtype) {
  if (dtype == DType::kFloat32) return std::sqrt(0x1p-23);
  if (dtype == DType::kFloat16) return std::sqrt(0x1p-10);
  return std::sqrt(0x1p-52);
}

std::vector<double> checked_probabilities(const Array& p, std::int64_t population,
                                          const ChoiceTexts& texts) {
  if (p.rank() != 1) reject(texts.not_one_dimensional);
  if (p.size() != population) reject(texts.size_differs);
  Array values = p.contiguous(DType::kFloat64);
  const double* data = values.as<double>();
  double sum = compensated_sum(data, population);
  if (std::isnan(sum)) reject(texts.has_nan);
  if (std::any_of(data, data + population, [](double x) { return x < 0; })) reject(texts.negative);
  if (std::fabs(sum - 1.0) > sum_tolerance(p.dtype())) reject(texts.sum);
  return {data, data + population};
}

std::vector<double> cumulative(const std::vector<double>& p) {
  std::vector<double> cdf(p.size());
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) cdf[i] = sum = i ? sum + p[i] : p[i];
  for (double& value : cdf) value /= sum;
  return cdf;
}

std::int64_t position_in(const std::vector<double>& cdf, double u) {
  return std::upper_bound(cdf.begin(), cdf.end(), u) - cdf.begin();
}

Array choose_with_replacement(BitGenerator& bits, const std::vector<double>& p, const Size& size) {
  std::vector<double> cdf = cumulative(p);
  Array uniform = random(bits, size);
  Array result = Array::empty(uniform.shape(), DType::kInt64);
  std::int64_t* out = result.mutable_as<std::int64_t>();
  for (std::int64_t i = 0; i < result.size(); ++i)
    out[i] = position_in(cdf, uniform.as<double>()[i]);
  return result;
}

// Draws until enough different positions are found, striking out those that are.
void choose_distinct(BitGenerator& bits, std::vector<double> p, std::int64_t* out,
                     std::int64_t count) {
  auto possible = std::count_if(p.begin(), p.end(), [](double x) { return x > 0; });
  if (possible < count) reject("Fewer non-zero entries in p than size");
  std::int64_t found = 0;
  while (found < count) {
    Array uniform = random(bits, Dims{count - found});
    for (std::int64_t i = 0; i < found; ++i) p[static_cast<std::size_t>(out[i])] = 0;
    std::vector<double> cdf = cumulative(p);
    std::vector<bool> seen(p.size() + 1);
    for (std::int64_t i = 0; i < uniform.size(); ++i) {
      std::int64_t at = position_in(cdf, uniform.as<double>()[i]);
      if (seen[static_cast<std::size_t>(at)]) continue;
      seen[static_cast<std::size_t>(at)] = true;
      out[found++] = at;
    }
  }
}

// Floyd's sampling with an open-addressed set of what is taken.
void choose_by_floyd(BitGenerator& bits, std::int64_t population, std::int64_t* out,
                     std::int64_t count) {
  std::uint64_t wanted = static_cast<std::uint64_t>(1.2 * static_cast<double>(count));
  std::uint64_t mask = wanted == 0 ? 0 : ~std::uint64_t{0} >> __builtin_clzll(wanted);
  constexpr std::uint64_t kFree = ~std::uint64_t{0};
  std::vector<std::uint64_t> taken(mask + 1, kFree);
  for (std::int64_t j = population - count; j < population; ++j) {
    std::uint64_t value = bounded(bits, static_cast<std::uint64_t>(j));
    std::uint64_t at = value & mask;
    while (taken[at] != kFree && taken[at] != value) at = (at + 1) & mask;
    if (taken[at] != kFree) {
      value = static_cast<std::uint64_t>(j);
      at = value & mask;
      while (taken[at] != kFree) at = (at + 1) & mask;
    }
    taken[at] = value;
    *out++ = static_cast<std::int64_t>(value);
  }
}

void shuffle_numbers(BitGenerator& bits, std::int64_t* data, std::int64_t count,
                     std::int64_t first) {
  shuffle_down(bits, count, first, bounded,
               [&](std::int64_t i, std::int64_t j) { std::swap(data[i], data[j]); });
}

void choose_uniformly(BitGenerator& bits, std::int64_t population, std::int64_t* out,
                      std::int64_t count, bool shuffle) {
  std::int64_t cutoff = shuffle ? 50 : 20;
  if (population > 10000 && count > population / cutoff) {
    Array all = arange64(population);
    std::int64_t* data = all.mutable_as<std::int64_t>();
    shuffle_numbers(bits, data, population, std::max<std::int64_t>(population - count, 1));
    std::copy(data + population - count, data + population, out);
    return;
  }
  std::int64_t* begin = out;
  choose_by_floyd(bits, population, out, count);
  if (shuffle) shuffle_numbers(bits, begin, count, 1);
}

std::int64_t wanted_count(const Size& size) { return size ? element_count(*size) : 1; }

}  // namespace

void shuffle(BitGenerator& bits, const Array& array, int axis) {
  require_axes(array);
  int along = normalize_axis(axis, array.rank());
  if (array.size() > 0) shuffle_axis(bits, array, along, interval);
}

void legacy_shuffle(LegacyState& state, const Array& array) {
  require_axes(array);
  if (array.size() > 0) shuffle_axis(*state.bits, array, 0, interval);
}

void shuffle_places(BitGenerator& bits, std::int64_t count, SwapPlaces swap, void* context) {
  shuffle_down(bits, count, 1, interval,
               [&](std::int64_t i, std::int64_t j) { swap(context, i, j); });
}

void legacy_shuffle_places(LegacyState& state, std::int64_t count, SwapPlaces swap, void* context) {
  shuffle_down(*state.bits, count, 1, interval,
               [&](std::int64_t i, std::int64_t j) { swap(context, i, j); });
}

Array permutation(BitGenerator& bits, std::int64_t count) {
  Array result = arange64(count);
  shuffle_axis(bits, result, 0, interval);
  return result;
}

Array permutation(BitGenerator& bits, const Array& array, int axis) {
  int along = normalize_axis(axis, array.rank());
  Array result = array.copy();
  shuffle_axis(bits, result, along, interval);
  return result;
}

Array legacy_permutation(LegacyState& state, std::int64_t count) {
  Array result = arange64(count);
  legacy_shuffle(state, result);
  return result;
}

Array legacy_permutation(LegacyState& state, const Array& array) {
  if (array.rank() == 0)
    throw Error(ErrorKind::kIndex, "x must be an integer or at least 1-dimensional");
  Array result = array.copy();
  shuffle_axis(*state.bits, result, 0, interval);
  return result;
}

void permute(BitGenerator& bits, const Array& array, std::optional<int> axis) {
  int size = item_size(array.dtype());
  if (!axis) {
    // The elements of a dense array as they lie in memory, those of others in C order.
    Array lying = array.is_c_contiguous() || !array.is_f_contiguous() ? array : array.transpose();
    Array flat = lying.copy().ravel();
    shuffle_line(bits, flat.mutable_data(), flat.size(), size, size, interval);
    lying.assign(flat.reshape(lying.shape()));
    return;
  }
  int along = normalize_axis(*axis, array.rank());
  std::int64_t count = array.shape()[along], stride = array.strides()[along];
  if (array.size() == 0) return;
  Array lines = slice_at(array, along, 0);
  std::byte* data = array.mutable_data();
  Dims index(lines.rank());
  for (std::int64_t line = 0; line < lines.size(); ++line) {
    std::int64_t offset = 0;
    for (int k = 0; k < lines.rank(); ++k) offset += index[k] * lines.strides()[k];
    shuffle_line(bits, data + offset, count, stride, size, interval);
    for (int k = lines.rank() - 1; k >= 0 && ++index[k] == lines.shape()[k]; --k) index[k] = 0;
  }
}

Array choice(BitGenerator& bits, std::int64_t population, const Size& size, bool replace,
             const Array* p, bool shuffle) {
  std::int64_t count = wanted_count(size);
  if (population <= 0 && count != 0) reject(kModernTexts.empty);
  std::vector<double> probabilities;
  if (p) probabilities = checked_probabilities(*p, population, kModernTexts);
  if (replace) {
    if (p) return choose_with_replacement(bits, probabilities, size);
    if (count == 0) return empty_result(size, DType::kInt64);
    return integers(bits, Array::scalar(std::int64_t{0}), Array::scalar(population), size);
  }
  if (count > population) reject(kModernTexts.too_large);
  Array result = empty_result(size, DType::kInt64);
  std::int64_t* out = result.mutable_as<std::int64_t>();
  if (p)
    choose_distinct(bits, probabilities, out, count);
  else
    choose_uniformly(bits, population, out, count, shuffle);
  return result;
}

Array legacy_choice(LegacyState& state, std::int64_t population, const Size& size, bool replace,
                    const Array* p) {
  BitGenerator& bits = *state.bits;
  std::int64_t count = wanted_count(size);
  if (population <= 0 && count != 0) reject(kLegacyTexts.empty);
  std::vector<double> probabilities;
  if (p) probabilities = checked_probabilities(*p, population, kLegacyTexts);
  if (replace) {
    if (p) return choose_with_replacement(bits, probabilities, size);
    if (count == 0) return empty_result(size, DType::kInt64);
    return randint(state, Array::scalar(std::int64_t{0}), Array::scalar(population), size);
  }
  if (count > population) reject(kLegacyTexts.too_large);
  Array result = empty_result(size, DType::kInt64);
  std::int64_t* out = result.mutable_as<std::int64_t>();
  if (p) {
    choose_distinct(bits, probabilities, out, count);
  } else {
    Array order = legacy_permutation(state, population);
    std::copy_n(order.as<std::int64_t>(), count, out);
  }
  return result;
}

}  // namespace strider::nd::random
