// Places of extremes in single lines that lie in one piece, for reduction.cpp.
#pragma once

#include <algorithm>
#include <bit>
#include <complex>
#include <cstring>
#include <type_traits>

#include "kernels/backend/cpu/halves.h"
#include "kernels/backend/cpu/unordered_fold.h"
#include "kernels/instructions/basic.h"

namespace strider::nd::STRIDER_TARGET {
namespace {

template <class T>
inline bool beats(T x, T best, bool largest) {
  return largest ? less(best, x) : less(x, best);
}

template <class T>
using Bits = std::conditional_t<
    sizeof(T) == 8, std::uint64_t,
    std::conditional_t<sizeof(T) == 4, std::uint32_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;

// Searches up to here have no use for vectors.
constexpr std::int64_t kFewToFind = 31;

template <class T, bool kLargest>
inline std::int64_t find_among_few(const T* data, std::int64_t count) {
  T best = data[0];
  std::int64_t place = 0;
  for (std::int64_t i = 1; i < count; ++i) {
    bool better = (!is_nan(best)) & (is_nan(data[i]) | beats(data[i], best, kLargest));
    best = better ? data[i] : best;
    place = better ? i : place;
  }
  return place;
}

// Where the first block begins that holds `wanted`, or else the last, shorter one.
constexpr std::int64_t kSearchBlock = 64;
template <class T>
inline std::int64_t skip_others(const T* data, std::int64_t begin, std::int64_t count, T wanted) {
  for (; begin + kSearchBlock <= count; begin += kSearchBlock) {
    int found = 0;
    for (std::int64_t k = 0; k < kSearchBlock; ++k) found |= data[begin + k] == wanted;
    if (found) break;
  }
  return begin;
}

// The first place of `wanted` among no more elements than a block has; nothing branches.
template <class T>
inline std::int64_t place_in_block(const T* data, std::int64_t count, T wanted) {
  using Place = std::make_signed_t<Bits<T>>;
  constexpr Place kNowhere = kSearchBlock;
  Place first = kNowhere, end = static_cast<Place>(count);
  for (Place k = 0; k < end; ++k) {
    Place place = data[k] == wanted ? k : kNowhere;
    first = place < first ? place : first;
  }
  return first;
}

// The first place of `wanted`, which is among the elements from `begin` on.
template <class T>
inline std::int64_t find_place(const T* data, std::int64_t begin, std::int64_t count, T wanted) {
  if (is_nan(wanted)) {
    while (!is_nan(data[begin])) ++begin;
    return begin;
  }
  begin = skip_others(data, begin, count, wanted);
  if (begin + kSearchBlock > count) begin = std::max<std::int64_t>(0, count - kSearchBlock);
  return begin + place_in_block(data + begin, std::min(kSearchBlock, count - begin), wanted);
}

// What halves and complex numbers are compared as.
inline float value_of(Half x) { return static_cast<float>(x); }
template <class T>
inline std::complex<T> value_of(std::complex<T> x) {
  return x;
}

// Whether one of a block's elements is NaN, or beats the best one so far, or, of complex numbers,
// may do so: its real part is as extreme.
template <bool kLargest, class T>
inline bool may_beat(const std::complex<T>* data, std::complex<T> best) {
  auto* parts = reinterpret_cast<const T*>(data);
  constexpr std::int64_t kLanes = kBytes / sizeof(T);
  Vector<T> most = load(parts);
  auto found = most != most;
  for (std::int64_t k = kLanes; k < 2 * kSearchBlock; k += kLanes) {
    Vector<T> values = load(parts + k);
    most = (kLargest ? values > most : values < most) ? values : most;
    found |= values != values;
  }
  T lanes[kLanes];
  std::make_signed_t<Bits<T>> odd[kLanes], any = 0;
  std::memcpy(lanes, &most, sizeof lanes);
  std::memcpy(odd, &found, sizeof odd);
  for (std::int64_t k = 0; k < kLanes; ++k) any |= odd[k];
  for (std::int64_t k = 0; k < kLanes; k += 2)  // real parts and others take turns
    any |= kLargest ? lanes[k] >= best.real() : lanes[k] <= best.real();
  return any != 0;
}
template <bool kLargest>
inline bool may_beat(const Half* data, float best) {
  using Keys = Vector<std::int16_t>;
  constexpr std::int64_t kLanes = kBytes / sizeof(Half);
  const auto* bits = reinterpret_cast<const std::int16_t*>(data);
  const std::int16_t own = std::bit_cast<std::int16_t>(Half(best));
  const auto limit = static_cast<std::int16_t>(own < 0 ? own ^ 0x7fff : own);
  Keys found{};
  for (std::int64_t k = 0; k < kSearchBlock; k += kLanes) {
    Keys values = load(bits + k), keys = values ^ (values >> 15 & 0x7fff);
    found |= (values & 0x7fff) > 0x7c00;
    found |= kLargest ? keys > limit : keys < limit;
  }
  std::int16_t lanes[kLanes], any = 0;
  std::memcpy(lanes, &found, sizeof lanes);
  for (std::int16_t lane : lanes) any |= lane;
  return any != 0;
}

// Lines of middling length are searched once, by lanes that remember where their best element was.
constexpr std::int64_t kFindOnce = 1024;

template <class T>
struct BestLanes {
  using Place = std::make_signed_t<Bits<T>>;
  static constexpr std::int64_t kLanes = kBytes / sizeof(T);

  explicit BestLanes(const T* data) : best(load(data)), odd(best != best) {}
  template <bool kLargest>
  void look(const T* data, std::int64_t start) {
    Vector<T> values = load(data + start);
    Vector<Place> better = kLargest ? values > best : values < best;
    best = better ? values : best;
    block = better ? Vector<Place>{} + static_cast<Place>(start) : block;
    odd |= values != values;
  }

  Vector<T> best;
  Vector<Place> block{}, odd;
};

// The place of the best of all lanes, the first one of equals; -1 where there was a NaN.
template <bool kLargest, class T>
inline std::int64_t place_among_lanes(const BestLanes<T>& even, const BestLanes<T>& odd) {
  constexpr std::int64_t kLanes = BestLanes<T>::kLanes;
  using Place = typename BestLanes<T>::Place;
  auto strange = even.odd | odd.odd;
  auto better = kLargest ? odd.best > even.best : odd.best < even.best;
  better |= (odd.best == even.best) & (odd.block < even.block);
  Vector<T> winners = better ? odd.best : even.best;
  Vector<Place> blocks = better ? odd.block : even.block;
  T best[kLanes];
  Place place[kLanes], any = 0;
  std::memcpy(best, &winners, sizeof best);
  std::memcpy(place, &blocks, sizeof place);
  for (std::int64_t k = 0; k < kLanes; ++k) {
    place[k] += static_cast<Place>(k);
    any |= strange[k];
  }
  for (std::int64_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::int64_t k = 0; k < half; ++k) {
      T value = best[k + half];
      bool wins =
          beats(value, best[k], kLargest) | ((value == best[k]) & (place[k + half] < place[k]));
      best[k] = wins ? value : best[k];
      place[k] = wins ? place[k + half] : place[k];
    }
  }
  return any ? -1 : place[0];
}

// The place of the extreme; -1 where there is a NaN.
template <class T, bool kLargest>
inline std::int64_t find_by_lanes(const T* data, std::int64_t count) {
  using Lanes = BestLanes<T>;
  constexpr std::int64_t kLanes = Lanes::kLanes;
  Lanes even(data), odd(data + kLanes);
  odd.block += static_cast<typename Lanes::Place>(kLanes);
  std::int64_t begin = 2 * kLanes;
  for (; begin + 2 * kLanes <= count; begin += 2 * kLanes) {
    even.template look<kLargest>(data, begin);
    odd.template look<kLargest>(data, begin + kLanes);
  }
  for (; begin < count; begin += kLanes)
    even.template look<kLargest>(data, std::min(begin, count - kLanes));
  return place_among_lanes<kLargest>(even, odd);
}

}  // namespace
}  // namespace strider::nd::STRIDER_TARGET
