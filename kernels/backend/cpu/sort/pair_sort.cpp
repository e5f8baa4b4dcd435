// Quicksort and selection of keys with their places, which leave equal keys where those of
// x86-simd-sort leave them: the same pivots, and parts that are written in the same order.
#include <bit>
#include <vector>

#include "kernels/backend/cpu/sort/key_sort.h"
#include "kernels/backend/cpu/sort/pair_network.h"

namespace strider::nd::STRIDER_TARGET {

#ifdef STRIDER_SORT_LANES

namespace {

class Pairs {
 public:
  using L = Lanes<std::int64_t>;
  using Vector = L::Vector;
  static constexpr std::int64_t kLanes = L::kCount, kUnrolled = 4 * kLanes;

  Pairs(std::int64_t* keys, std::int64_t* places) : keys_(keys), places_(places) {}

  static int most_levels(std::int64_t count) {
    return 2 * (std::bit_width(static_cast<std::uint64_t>(count)) - 1);
  }

  void sort(std::int64_t begin, std::int64_t end, int levels) {
    while (end - begin > PairNetwork::kMost) {
      if (levels-- == 0) return compare_all(begin, end);
      const std::int64_t pivot = choose_pivot(begin, end), middle = part(begin, end, pivot);
      if (middle > begin) sort(begin, middle, levels);
      if (!exceeded(pivot, middle, end)) return;
      begin = middle;
    }
    if (levels == 0) return compare_all(begin, end);
    PairNetwork::sort(keys_ + begin, places_ + begin, end - begin);
  }

  void select(std::int64_t end, std::int64_t k) {
    std::int64_t begin = 0;
    int levels = most_levels(end);
    for (; end - begin > PairNetwork::kMost; --levels) {
      if (levels == 0) break;
      const std::int64_t pivot = choose_pivot(begin, end), middle = part(begin, end, pivot);
      if (k < middle)
        end = middle;
      else if (exceeded(pivot, middle, end))
        begin = middle;
      else
        return;
    }
    if (levels == 0) return compare_all(begin, end);
    PairNetwork::sort(keys_ + begin, places_ + begin, end - begin);
  }

 private:
  struct Block {
    Vector keys, places;
  };

  // What is left to the library's sort, which also leaves equal keys somewhere.
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

  // A median of as many keys as there are lanes.
  std::int64_t choose_pivot(std::int64_t begin, std::int64_t end) const {
    const std::int64_t step = (end - 1 - begin) / kLanes;
    std::int64_t samples[kLanes];
    for (std::int64_t i = 0; i < kLanes; ++i) samples[i] = keys_[begin + step * (i + 1)];
    std::sort(samples, samples + kLanes);
    return samples[kLanes / 2];
  }

  bool exceeded(std::int64_t pivot, std::int64_t begin, std::int64_t end) const {
    return std::any_of(keys_ + begin, keys_ + end, [pivot](auto key) { return key > pivot; });
  }

  Block load(std::int64_t at) const { return {L::load(keys_ + at), L::load(places_ + at)}; }

  // Writes what is below the pivot at `low` and the rest before `high`, which both move; there is
  // room for a vector on either side.
  void write(const Block& block, Vector pivot, std::int64_t& low, std::int64_t& high) {
    constexpr unsigned kEvery = (1u << kLanes) - 1;
    const unsigned above = ~L::above(pivot, block.keys) & kEvery;
    const Vector keys = L::parted_in_pairs(block.keys, above),
                 places = L::parted_in_pairs(block.places, above);
    L::store(keys_ + low, keys);
    L::store(places_ + low, places);
    L::store(keys_ + high - kLanes, keys);
    L::store(places_ + high - kLanes, places);
    const int count = std::popcount(above);
    low += kLanes - count;
    high -= count;
  }

  // Takes pairs one by one until what is left is a multiple of `step`.
  void part_odd(std::int64_t& begin, std::int64_t& end, std::int64_t pivot, std::int64_t step) {
    for (std::int64_t i = (end - begin) % step; i > 0; --i) {
      if (keys_[begin] < pivot) {
        ++begin;
      } else {
        --end;
        std::swap(keys_[begin], keys_[end]);
        std::swap(places_[begin], places_[end]);
      }
    }
  }

  // Moves keys below the pivot before the others; returns where those begin.
  std::int64_t part(std::int64_t begin, std::int64_t end, std::int64_t pivot) {
    return end - begin > 8 * kUnrolled ? part_blocks<4>(begin, end, pivot)
                                       : part_blocks<1>(begin, end, pivot);
  }

  template <int kVectors>
  std::int64_t part_blocks(std::int64_t begin, std::int64_t end, std::int64_t pivot_key) {
    constexpr std::int64_t kStep = kVectors * kLanes;
    part_odd(begin, end, pivot_key, kStep);
    if (begin == end) return begin;
    const Vector pivot = L::all(pivot_key);
    std::int64_t low = begin, high = end;
    if (end - begin == kLanes) {
      write(load(begin), pivot, low, high);
      return low;
    }
    // What lies at both ends is written last: room for the rest.
    Block first[kVectors], last[kVectors];
    for (int i = 0; i < kVectors; ++i) {
      first[i] = load(begin + i * kLanes);
      last[i] = load(end - (kVectors - i) * kLanes);
    }
    for (begin += kStep, end -= kStep; begin != end;) {
      const bool from_right = high - end < begin - low;
      if (from_right) end -= kStep;
      Block blocks[kVectors];
      for (int i = 0; i < kVectors; ++i) blocks[i] = load((from_right ? end : begin) + i * kLanes);
      if (!from_right) begin += kStep;
      for (const Block& block : blocks) write(block, pivot, low, high);
    }
    for (const Block& block : first) write(block, pivot, low, high);
    for (const Block& block : last) write(block, pivot, low, high);
    return low;
  }

  std::int64_t *keys_, *places_;
};

void sort_pairs(std::int64_t* keys, std::int64_t* places, std::int64_t count) {
  Pairs(keys, places).sort(0, count, Pairs::most_levels(count));
}

void select_pairs(std::int64_t* keys, std::int64_t* places, std::int64_t count, std::int64_t k) {
  Pairs(keys, places).select(count, k);
}

}  // namespace

void fill_pair_sort(PairSort& loops) { loops = {sort_pairs, select_pairs}; }

#else

void fill_pair_sort(PairSort&) {}

#endif

}  // namespace strider::nd::STRIDER_TARGET
