// Transforms of many lines side by side, as columns of blocks.
#pragma once

#include <cstdint>

namespace strider::nd {

// Lines, of which `given` points each are there: packed one after another, or, where there are
// several columns, as columns of packed planes.
template <class S>
struct Lines {
  const S* from;
  S* to;
  std::int64_t count, given, columns;
};

// Even real lines from kShortestPairs on are pairs; of the others, those shorter than kShortReal
// have plans of their own, and longer ones are complex.
inline constexpr std::int64_t kShortestPairs = 32, kShortReal = 64;

// The transforms of lines.h: of complex lines, of real ones taken whole, and of real ones in pairs.
template <class T, class S>
void stack_c2c(const Lines<S>& lines, std::int64_t length, bool forward, T factor);
template <class T, class S>
void stack_r2c_whole(const Lines<S>& lines, std::int64_t length, T factor);
template <class T, class S>
void stack_r2c_pairs(const Lines<S>& lines, std::int64_t length, T factor);
template <class T, class S>
void stack_c2r_whole(const Lines<S>& lines, std::int64_t length, bool conjugated, T factor);
template <class T, class S>
void stack_c2r_pairs(const Lines<S>& lines, std::int64_t length, bool conjugated, T factor);

}  // namespace strider::nd
