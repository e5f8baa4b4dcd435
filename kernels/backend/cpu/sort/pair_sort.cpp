// Parts of keys with their places, written in the order in which x86-simd-sort writes them.
#include <bit>
#include <utility>

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

  // Moves keys below the pivot before the others; returns where those begin.
  std::int64_t part(std::int64_t end, std::int64_t pivot) {
    return end > 8 * kUnrolled ? part_blocks<4>(0, end, pivot) : part_blocks<1>(0, end, pivot);
  }

 private:
  struct Block {
    Vector keys, places;
  };

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

std::int64_t part_pairs(std::int64_t* keys, std::int64_t* places, std::int64_t count,
                        std::int64_t pivot) {
  return Pairs(keys, places).part(count, pivot);
}

}  // namespace

void fill_pair_sort(PairSort& loops) { loops = {Pairs::kLanes, PairNetwork::sort, part_pairs}; }

#else

void fill_pair_sort(PairSort&) {}

#endif

}  // namespace strider::nd::STRIDER_TARGET
