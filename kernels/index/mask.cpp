// Masks: branch-free loops, skipping eight zeros at a time where masks are sparse.
#include "kernels/index/mask.h"

#include <strider/nd/threads.h>

#include <cstring>

#include "kernels/index/walk.h"

namespace strider::nd {
namespace {

// Elements that are worth a thread.
constexpr std::int64_t kGrain = 1 << 15;

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

namespace {

// `there` where the flag is one, `here` where it is zero, without a branch.
template <class T>
T chosen(std::uint8_t flag, T there, T here) {
  if constexpr (sizeof(T) == sizeof(Word128)) {
    return {chosen(flag, there.low, here.low), chosen(flag, there.high, here.high)};
  } else {
    T all = static_cast<T>(-static_cast<T>(flag));
    return static_cast<T>(here ^ ((there ^ here) & all));
  }
}

}  // namespace

void expand_masked(std::byte* to, const std::uint8_t* mask, std::int64_t size, int item,
                   const std::byte* from, bool repeat_one) {
  dispatch_size(item, [&](auto word) {
    using T = decltype(word);
    auto source = reinterpret_cast<const T*>(from);
    auto target = reinterpret_cast<T*>(to);
    if (repeat_one) {
      T value = *source;
      parallel_for(size, worth_a_thread(kGrain), [=](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) target[i] = chosen(mask[i], value, target[i]);
      });
    } else {
      visit_until(mask, count_true(mask, size), [=](std::int64_t i, std::int64_t seen) {
        target[i] = chosen(mask[i], source[seen], target[i]);
        return seen + mask[i];
      });
    }
  });
}

void select_masked(const std::uint8_t* mask, const std::byte* x, std::int64_t x_step,
                   const std::byte* y, std::int64_t y_step, std::int64_t size, int item,
                   std::byte* to) {
  dispatch_size(item, [&](auto word) {
    using T = decltype(word);
    auto xs = reinterpret_cast<const T*>(x), ys = reinterpret_cast<const T*>(y);
    auto target = reinterpret_cast<T*>(to);
    auto loop = [=](auto at_x, auto at_y) {
      for (std::int64_t i = 0; i < size; ++i) target[i] = chosen(mask[i], at_x(i), at_y(i));
    };
    auto x_each = [=](std::int64_t i) { return xs[i]; };
    auto y_each = [=](std::int64_t i) { return ys[i]; };
    auto x_same = [value = *xs](std::int64_t) { return value; };
    auto y_same = [value = *ys](std::int64_t) { return value; };
    if (x_step && y_step) return loop(x_each, y_each);
    if (y_step) return loop(x_same, y_each);
    if (x_step) return loop(x_each, y_same);
    loop(x_same, y_same);
  });
}

}  // namespace strider::nd
