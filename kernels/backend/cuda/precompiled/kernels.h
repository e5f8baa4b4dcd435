// Ready-made kernels that arrange elements: what the host's side of the plug-in may ask of them.
// All addresses are the device's. Everything is queued.
#pragma once

#include "kernels/backend/arranger.h"
#include "kernels/backend/cuda/precompiled/queue.h"

namespace strider::nd::cuda {

// Axes that are walked together; the last is the fastest. Strides in bytes.
struct WalkedAxes {
  static constexpr int kMost = 8;
  int rank = 0;
  std::int64_t extent[kMost] = {}, stride[kMost] = {};
  std::int64_t count = 1;  // of positions
};

// Places in words of 1, 2, 4 or 8 bytes; the inner axes lead to words.
struct WordPlaces {
  WalkedAxes outer, inner;
  const std::int64_t* offsets = nullptr;
  std::int64_t offset_count = 0;
  int word = 1;
  std::int64_t item_words = 1;
  std::int64_t total() const { return outer.count * offset_count * inner.count; }
};

void gather_words(const Queue& queue, const std::byte* base, const WordPlaces& places,
                  std::byte* packed);
// Writes for those offsets whose `kept` is 1; null: for all.
void scatter_words(const Queue& queue, std::byte* base, const WordPlaces& places,
                   const std::byte* packed, bool repeat_one, const std::uint8_t* kept);
// kept[i] = 1 where no later offset equals the i-th, else 0.
void keep_last(const Queue& queue, const Places& places, std::uint8_t* kept);

// Copies the elements whose mask is 1. `item` is 1, 2, 4, 8 or 16.
void choose_items(const Queue& queue, const std::uint8_t* mask, std::int64_t size,
                  const std::byte* values, int item, std::byte* chosen);
void list_positions(const Queue& queue, const std::uint8_t* mask, std::int64_t size,
                    std::int64_t* positions);

// How the bits of an element become an unsigned key.
enum class KeyKind : std::uint8_t { kUnsigned, kSigned, kFloating };

// Elements of `item` bytes, 1 to 8.
void sort_lines(const Queue& queue, KeyKind kind, int item, std::byte* values, Lines lines);
void order_lines(const Queue& queue, KeyKind kind, int item, const std::byte* values, Lines lines,
                 std::int64_t* order);
// Sorts 64-bit keys, of which only the lowest `bits` differ, and their values with them. Stable.
void sort_pairs(const Queue& queue, std::uint64_t* keys, std::int64_t* values, std::int64_t count,
                int bits);

void search_keys(const Queue& queue, KeyKind kind, int item, const std::byte* sorted,
                 std::int64_t size, const std::byte* values, std::int64_t count, bool right,
                 std::int64_t* places);
// The same for complex numbers of `item` bytes, 8 or 16.
void search_complex(const Queue& queue, int item, const std::byte* sorted, std::int64_t size,
                    const std::byte* values, std::int64_t count, bool right, std::int64_t* places);

void count_values(const Queue& queue, const std::int64_t* values, std::int64_t count,
                  std::int64_t* counts, std::int64_t bins);
void add_runs(const Queue& queue, const double* values, const std::int64_t* starts,
              std::int64_t runs, double* sums);

}  // namespace strider::nd::cuda
