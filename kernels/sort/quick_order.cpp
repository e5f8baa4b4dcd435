// The orders of one line that NumPy's argsort and argpartition give: equal elements stand where its
// quicksort and its selection leave them, which depends on the processor as it does there. Elements
// of 4 and 8 bytes go through the vector loops, where there are such; others are compared.
#include <strider/nd/sort.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "kernels/core/element.h"
#include "kernels/sort/comparing.h"
#include "kernels/sort/key_lines.h"
#include "kernels/sort/keys.h"
#include "kernels/sort/line_sort.h"
#include "kernels/sort/pair_line.h"
#include "kernels/sort/wide_keys.h"

namespace strider::nd {
namespace {

// Lines up to this length are not looked at for equal elements beforehand: it would take longer.
constexpr std::int64_t kOrderedAtOnce = 1024;
// Of longer lines so many elements are looked at first.
constexpr std::int64_t kSamples = 256;
// Up to this length it does not pay to look first whether elements are equal that are compared.
constexpr std::int64_t kComparedAtOnce = 256;
constexpr std::int64_t kMostPaired = std::int64_t{1} << 31;

template <class T>
inline constexpr bool kIsPaired = !kIsComplex<T> && (sizeof(T) == 4 || sizeof(T) == 8);

template <class T>
bool has_pairs(std::int64_t count) {
  return kIsPaired<T> && key_sorts().pairs.sort && count < kMostPaired;
}

template <class T>
bool holds_nan(const T* values, std::int64_t count) {
  if constexpr (std::is_floating_point_v<T>) {
    std::int64_t found = 0;
    for (std::int64_t i = 0; i < count; ++i) found += values[i] != values[i];
    return found != 0;
  }
  return false;
}

// Whether two of some elements are equal, so that in all of them others will be, too.
bool seem_tied(const std::int64_t* keys, std::int64_t count) {
  std::int64_t samples[kSamples];
  for (std::int64_t i = 0; i < kSamples; ++i) samples[i] = keys[i * (count / kSamples)];
  std::sort(samples, samples + kSamples);
  return std::adjacent_find(samples, samples + kSamples) != samples + kSamples;
}

// The keys of a line, and its places in their order.
template <class T>
class PairedLine {
 public:
  PairedLine(const T* values, std::int64_t count, std::int64_t* order)
      : count_(count), order_(order), keys_(new std::int64_t[static_cast<std::size_t>(count)]) {
    make_keys(values, count, keys_.get());
    holds_nan_ = holds_nan(values, count);
  }

  bool seems_tied() const { return seem_tied(keys_.get(), count_); }

  void sort() {
    start();
    if (holds_nan_) return std::sort(order_, order_ + count_, earlier());
    sort_pair_line(keys_.get(), order_, count_);
  }

  void select(std::int64_t k) {
    start();
    if (holds_nan_) return std::nth_element(order_, order_ + k, order_ + count_, earlier());
    select_pair_line(keys_.get(), order_, count_, k);
  }

 private:
  void start() { std::iota(order_, order_ + count_, std::int64_t{0}); }
  auto earlier() const {
    return [keys = keys_.get()](std::int64_t a, std::int64_t b) { return keys[a] < keys[b]; };
  }

  std::int64_t count_;
  std::int64_t* order_;
  std::unique_ptr<std::int64_t[]> keys_;
  bool holds_nan_;
};

// Whether some of the elements are equal, whose stable order is known.
template <class T>
bool any_tied(const T* values, std::int64_t count, const std::int64_t* order) {
  for (std::int64_t i = 1; i < count; ++i)
    if (!comes_before(values[order[i - 1]], values[order[i]])) return true;
  return false;
}

template <class T>
struct Earlier {
  bool operator()(const T& a, const T& b) const {
    if constexpr (std::is_floating_point_v<T>)
      return a < b || (b != b && a == a);
    else
      return comes_before(a, b);
  }
};

// Whether each element is less than the next one, so that there is only one order.
template <class T>
bool rises(const T* values, std::int64_t count) {
  if constexpr (kIsComplex<T>) return false;
  for (std::int64_t i = 1; i < count; ++i)
    if (!comes_before(values[i - 1], values[i])) return false;
  return true;
}

template <class T>
void argsort_compared(const T* values, std::int64_t count, std::int64_t* order) {
  auto bytes = reinterpret_cast<const std::byte*>(values);
  bool at_once = count <= kComparedAtOnce || (sizeof(T) == 1 && count <= kMostCompared);
  if (!at_once && (argsort_line(dtype_of<T>, bytes, count, order) || count > kMostCompared ||
                   !any_tied(values, count, order)))
    return;
  std::iota(order, order + count, std::int64_t{0});
  auto less = [values](std::int64_t a, std::int64_t b) {
    return Earlier<T>()(values[a], values[b]);
  };
  PlaceSort<decltype(less)>(order, less).sort(count);
}

template <class T>
void argsort_quickly(const T* values, std::int64_t count, std::int64_t* order) {
  if (rises(values, count)) return std::iota(order, order + count, std::int64_t{0});
  if constexpr (kIsPaired<T>) {
    if (has_pairs<T>(count)) {
      PairedLine<T> line(values, count, order);
      bool at_once = count <= kOrderedAtOnce || line.seems_tied();
      auto bytes = reinterpret_cast<const std::byte*>(values);
      if (!at_once && argsort_line(dtype_of<T>, bytes, count, order)) return;
      return line.sort();
    }
  }
  argsort_compared(values, count, order);
}

template <class T>
struct Values {
  T* values;
  const T& at(std::int64_t i) const { return values[i]; }
  void exchange(std::int64_t i, std::int64_t j) const { std::swap(values[i], values[j]); }
  Values from(std::int64_t offset) const { return {values + offset}; }
};

template <class T>
struct Places {
  const T* values;
  std::int64_t* order;
  const T& at(std::int64_t i) const { return values[order[i]]; }
  void exchange(std::int64_t i, std::int64_t j) const { std::swap(order[i], order[j]); }
  Places from(std::int64_t offset) const { return {values, order + offset}; }
};

template <class T, class Access>
void select_each(Access access, std::int64_t count, std::span<const std::int64_t> kth) {
  std::vector<std::int64_t> ordered(kth.begin(), kth.end());
  std::sort(ordered.begin(), ordered.end());
  constexpr bool kLastIsSought = std::is_floating_point_v<T> || kIsComplex<T>;
  Selection<Access, Earlier<T>> selection(access, {}, kLastIsSought);
  for (std::int64_t k : ordered) selection.select(count, k);
}

}  // namespace

void quick_argsort_line(DType dtype, const std::byte* values, std::int64_t count,
                        std::int64_t* order) {
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    argsort_quickly(reinterpret_cast<const T*>(values), count, order);
  });
}

void compared_argsort_line(DType dtype, const std::byte* values, std::int64_t count,
                           std::int64_t* order) {
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    argsort_compared(reinterpret_cast<const T*>(values), count, order);
  });
}

void argpartition_line(DType dtype, const std::byte* values, std::int64_t count,
                       std::span<const std::int64_t> kth, std::int64_t* order) {
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    auto typed = reinterpret_cast<const T*>(values);
    if constexpr (kIsPaired<T>)
      if (kth.size() == 1 && has_pairs<T>(count))
        return PairedLine<T>(typed, count, order).select(kth[0]);
    std::iota(order, order + count, std::int64_t{0});
    select_each<T>(Places<T>{typed, order}, count, kth);
  });
}

void partition_line(DType dtype, std::byte* values, std::int64_t count,
                    std::span<const std::int64_t> kth) {
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    select_each<T>(Values<T>{reinterpret_cast<T*>(values)}, count, kth);
  });
}

}  // namespace strider::nd
