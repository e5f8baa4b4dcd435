// Quicksort with the pivots of x86-simd-sort: the median of as many keys as a vector has lanes.
// What does not get shorter is left to the library's sort, and a long line that is in order stays
// as it is, as there.
#include "kernels/sort/pair_line.h"

#include <strider/nd/interrupt.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "kernels/backend/cpu/sort/key_sort.h"

namespace strider::nd {
namespace {

// Longer parts ask first whether they are to go on.
constexpr std::int64_t kLongPart = 1 << 18;
constexpr int kMostLanes = 32;  // of any processor

class PairLine {
 public:
  PairLine(std::int64_t* keys, std::int64_t* places)
      : keys_(keys), places_(places), loops_(key_sorts().pairs) {}

  static int most_levels(std::int64_t count) {
    return 2 * (std::bit_width(static_cast<std::uint64_t>(count)) - 1);
  }

  void sort(std::int64_t begin, std::int64_t end, int levels) {
    for (; end - begin > kMostPairs; --levels) {
      if (levels == 0) break;
      const std::int64_t pivot = choose_pivot(begin, end), middle = part(begin, end, pivot);
      if (middle > begin) sort(begin, middle, levels - 1);
      if (!exceeded(pivot, middle, end)) return;
      begin = middle;
    }
    finish(begin, end, levels);
  }

  void select(std::int64_t end, std::int64_t k) {
    std::int64_t begin = 0;
    int levels = most_levels(end);
    for (; end - begin > kMostPairs; --levels) {
      if (levels == 0) break;
      const std::int64_t pivot = choose_pivot(begin, end), middle = part(begin, end, pivot);
      if (k < middle)
        end = middle;
      else if (exceeded(pivot, middle, end))
        begin = middle;
      else
        return;
    }
    finish(begin, end, levels);
  }

 private:
  std::int64_t part(std::int64_t begin, std::int64_t end, std::int64_t pivot) {
    if (end - begin > kLongPart) check_interrupt();
    return begin + loops_.part(keys_ + begin, places_ + begin, end - begin, pivot);
  }

  std::int64_t choose_pivot(std::int64_t begin, std::int64_t end) const {
    const std::int64_t step = (end - 1 - begin) / loops_.lanes;
    std::int64_t samples[kMostLanes];
    for (int i = 0; i < loops_.lanes; ++i) samples[i] = keys_[begin + step * (i + 1)];
    std::sort(samples, samples + loops_.lanes);
    return samples[loops_.lanes / 2];
  }

  bool exceeded(std::int64_t pivot, std::int64_t begin, std::int64_t end) const {
    return std::any_of(keys_ + begin, keys_ + end, [pivot](auto key) { return key > pivot; });
  }

  void finish(std::int64_t begin, std::int64_t end, int levels) {
    if (levels == 0) return compare_all(begin, end);
    loops_.sort(keys_ + begin, places_ + begin, end - begin);
  }

  void compare_all(std::int64_t begin, std::int64_t end) {
    struct Pair {
      std::int64_t key, place;
    };
    std::vector<Pair> pairs;
    for (std::int64_t i = begin; i < end; ++i) pairs.push_back({keys_[i], places_[i]});
    std::sort(pairs.begin(), pairs.end(),
              [](const Pair& a, const Pair& b) { return a.key < b.key; });
    for (const Pair& pair : pairs) {
      keys_[begin] = pair.key;
      places_[begin++] = pair.place;
    }
  }

  std::int64_t *keys_, *places_;
  const PairSort& loops_;
};

}  // namespace

void sort_pair_line(std::int64_t* keys, std::int64_t* places, std::int64_t count) {
  if (count > kMostPairs && std::is_sorted(keys, keys + count)) return;
  PairLine(keys, places).sort(0, count, PairLine::most_levels(count));
}

void select_pair_line(std::int64_t* keys, std::int64_t* places, std::int64_t count,
                      std::int64_t k) {
  PairLine(keys, places).select(count, k);
}

}  // namespace strider::nd
