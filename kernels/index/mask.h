// Masks: bytes that are 0 or 1, counted and turned into positions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace strider::nd {

// The number of ones in `mask`.
std::int64_t count_true(const std::uint8_t* mask, std::int64_t size);
// Writes the positions of the ones to `positions`, which has room for exactly `count` of them.
void true_positions(const std::uint8_t* mask, std::int64_t count, std::int64_t* positions);
// Copies the `count` elements of `item` bytes whose mask is one.
void compress_masked(const std::byte* from, const std::uint8_t* mask, std::int64_t count, int item,
                     std::byte* to);
// Writes elements in turn where the mask is one, of `size` places; step 0 writes one value.
void expand_masked(std::byte* to, const std::uint8_t* mask, std::int64_t size, int item,
                   const std::byte* from, bool repeat_one);

// to[i] = mask[i] ? x[i] : y[i]; a step of zero repeats the first element.
void select_masked(const std::uint8_t* mask, const std::byte* x, std::int64_t x_step,
                   const std::byte* y, std::int64_t y_step, std::int64_t size, int item,
                   std::byte* to);

}  // namespace strider::nd
