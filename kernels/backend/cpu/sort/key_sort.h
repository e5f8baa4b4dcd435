// Sorting of keys, signed integers of 4 or 8 bytes, by vectors; compiled for several instruction
// sets like the table of kernels.
#pragma once

#include <cstddef>
#include <cstdint>

namespace strider::nd {

// sort, part and select are null where the instruction set has no fast way.
struct KeySort {
  // Turn values into keys and back, in place. Of a NaN the sign is lost.
  void (*from_floats)(std::byte* values, std::int64_t count) = nullptr;
  void (*to_floats)(std::byte* keys, std::int64_t count) = nullptr;
  void (*turn_unsigned)(std::byte* values, std::int64_t count) = nullptr;
  void (*sort)(std::byte* keys, std::int64_t count) = nullptr;
  // Moves keys up to `pivot` before those above it and returns how many; count >= kLeastPart.
  std::int64_t (*part)(std::byte* keys, std::int64_t count, std::int64_t pivot) = nullptr;
  // Puts the key of rank k where sorting would, smaller ones before it and larger ones behind.
  void (*select)(std::byte* keys, std::int64_t count, std::int64_t k) = nullptr;
};
constexpr std::int64_t kLeastPart = 128;

// What a line of keys is like.
struct KeySpread {
  std::int64_t least, most;
  std::int64_t varying;  // the bits in which some differ
  bool rises;            // they are in order
  bool falls;            // each is less than the one before
};

// Keys of 8 bytes on their way into numbers that hold their places, too.
struct KeyPacking {
  // Gives zeros one key, and all NaN.
  void (*tie_floats)(std::int64_t* keys, std::int64_t count) = nullptr;
  KeySpread (*survey)(const std::int64_t* keys, std::int64_t count) = nullptr;
  // A key becomes ((key - least) >> dropped) << place_bits | place.
  void (*pack)(std::int64_t* keys, std::int64_t count, std::int64_t least, int dropped,
               int place_bits) = nullptr;
  // Whether sorted keys that were packed agree above their places.
  bool (*any_tied)(const std::int64_t* packed, std::int64_t count, int place_bits) = nullptr;
  // What is left are the places.
  void (*unpack)(std::int64_t* packed, std::int64_t count, int place_bits) = nullptr;
};

// Keys of 8 bytes with the places of their elements beside them, moved as NumPy's argsort moves
// places on a processor with these instructions (x86-simd-sort). Null where there are none.
struct PairSort {
  int lanes = 0;  // of a vector
  // Sorts up to kMostPairs by a network.
  void (*sort)(std::int64_t* keys, std::int64_t* places, std::int64_t count) = nullptr;
  // Moves keys below `pivot` before the others; returns how many there are.
  std::int64_t (*part)(std::int64_t* keys, std::int64_t* places, std::int64_t count,
                       std::int64_t pivot) = nullptr;
};
constexpr std::int64_t kMostPairs = 256;

struct KeySortTable {
  KeySort four_bytes, eight_bytes;
  KeyPacking packing;
  PairSort pairs;
};

// The loops for this processor.
const KeySortTable& key_sorts();

}  // namespace strider::nd
