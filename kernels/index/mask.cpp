// Masks: branch-free loops, skipping eight zeros at a time where masks are sparse.
#include "kernels/index/mask.h"

#include <cstring>

#include "kernels/index/walk.h"

namespace strider::nd {
namespace {

std::uint64_t load_word(const std::uint8_t* mask) {
  std::uint64_t word;
  std::memcpy(&word, mask, sizeof word);
  return word;
}

// Calls visit(i) for positions up to and including the last of `count` ones; zeros may be among
// them. visit returns the number of ones seen so far.
template <class Visit>
void visit_until(const std::uint8_t* mask, std::int64_t count, Visit&& visit) {
  std::int64_t seen = 0, i = 0;
  while (seen + 8 <= count) {
    if (load_word(mask + i) != 0)
      for (int lane = 0; lane < 8; ++lane) seen = visit(i + lane, seen);
    i += 8;
  }
  for (; seen < count; ++i) seen = visit(i, seen);
}

}  // namespace

std::int64_t count_true(const std::uint8_t* mask, std::int64_t size) {
  std::int64_t total = 0, i = 0;
  for (; i + 8 * 16 <= size; i += 8 * 16) {
    std::uint64_t sums = 0;  // eight byte counters, at most 16 each
    for (int k = 0; k < 16; ++k) sums += load_word(mask + i + 8 * k);
    total += static_cast<std::int64_t>((sums * 0x0101010101010101u) >> 56);
  }
  for (; i < size; ++i) total += mask[i];
  return total;
}

void true_positions(const std::uint8_t* mask, std::int64_t count, std::int64_t* positions) {
  visit_until(mask, count, [=](std::int64_t i, std::int64_t seen) {
    positions[seen] = i;
    return seen + mask[i];
  });
}

void compress_masked(const std::byte* from, const std::uint8_t* mask, std::int64_t count, int item,
                     std::byte* to) {
  dispatch_size(item, [&](auto word) {
    using T = decltype(word);
    auto source = reinterpret_cast<const T*>(from);
    auto target = reinterpret_cast<T*>(to);
    visit_until(mask, count, [=](std::int64_t i, std::int64_t seen) {
      target[seen] = source[i];
      return seen + mask[i];
    });
  });
}

void expand_masked(std::byte* to, const std::uint8_t* mask, std::int64_t size, int item,
                   const std::byte* from, bool repeat_one) {
  dispatch_size(item, [&](auto word) {
    using T = decltype(word);
    auto source = reinterpret_cast<const T*>(from);
    auto target = reinterpret_cast<T*>(to);
    if (repeat_one) {
      T value = *source;
      for (std::int64_t i = 0; i < size; ++i) target[i] = mask[i] ? value : target[i];
    } else {
      for (std::int64_t i = 0; i < size; ++i)
        if (mask[i]) target[i] = *source++;
    }
  });
}

}  // namespace strider::nd
