// Rules that make numbers of random units (words or halves of words), one try at a time: a try
// begins at a unit, takes one or more, and gives a number, several, or none. What a try does
// follows from the units alone, so that tries can be looked at from any place of a stream.
// Comparisons with elementary functions are left to a judge: a device's functions differ from the
// host's in the last bits. Numbers that are such a function's value are deferred: the host makes
// them. Knows nothing of where numbers go.
#pragma once

#include <cmath>
#include <type_traits>

#include "kernels/backend/draws/streams.h"

namespace strider::nd::drawing {

inline constexpr double kNormalEdge = 3.6541528853610087963519472518;
inline constexpr double kNormalInverseEdge = 0.27366123732975827203338247596;
inline constexpr double kExponentialEdge = 7.6971174701310497140446280481;

STRIDER_ANYWHERE inline double unit_real(std::uint64_t word) {
  return static_cast<double>(word >> 11) * 0x1p-53;
}
STRIDER_ANYWHERE inline float unit_real(std::uint32_t half) {
  return static_cast<float>(half >> 8) * 0x1p-24f;
}

// The question that a comparison of a try answers, for judges: at which unit it arose.
STRIDER_ANYWHERE constexpr std::uint64_t question(std::int64_t unit, bool in_tail) {
  return static_cast<std::uint64_t>(unit) << 1 | (in_tail ? 1u : 0u);
}

// Decides by the host's own functions.
struct HostJudge {
  bool answer = false;

  STRIDER_ANYWHERE bool below(std::uint64_t, double height, double power) {
    return answer = height < std::exp(power);
  }
  STRIDER_ANYWHERE bool below(std::uint64_t, float height, float power) {
    return answer = height < expf(power);
  }
  STRIDER_ANYWHERE bool fits_tail(std::uint64_t, double u, double v) {
    double x = -kNormalInverseEdge * std::log1p(-u), y = -std::log1p(-v);
    return answer = y + y > x * x;
  }
  STRIDER_ANYWHERE bool fits_tail(std::uint64_t, float u, float v) {
    float x = -static_cast<float>(kNormalInverseEdge) * log1pf(-u), y = -log1pf(-v);
    return answer = y + y > x * x;
  }
};

// What all rules have. Those that are steady take one unit and give kMost numbers, always.
template <class UnitType, class ValueType, int kNumbers = 1>
struct Rule {
  using Unit = UnitType;
  using Value = ValueType;
  static constexpr int kMost = kNumbers;
  static constexpr bool kAsks = false;    // judges, and defers
  static constexpr bool kLonger = false;  // a try may take more than one unit
  bool steady = false;
  double expected = kNumbers;  // numbers from a unit, about
};

template <class Real, class UnitType>
struct Uniform : Rule<UnitType, Real> {
  template <class Cursor, class Judge, class Sink>
  STRIDER_ANYWHERE unsigned operator()(Cursor& cursor, std::int64_t, Judge&, Sink& sink) const {
    sink.put(unit_real(cursor.next()));
    return 1;
  }
};

template <class Real, class UnitType>
struct Normal : Rule<UnitType, Real> {
  static constexpr bool kAsks = true, kLonger = true;
  static constexpr UnitType kSteps =
      sizeof(UnitType) == 8 ? static_cast<UnitType>(0x000fffffffffffffu) : 0x007fffffu;
  const Ziggurat<Real, UnitType>* table = nullptr;

  template <class Cursor, class Judge, class Sink>
  STRIDER_ANYWHERE unsigned operator()(Cursor& cursor, std::int64_t unit, Judge& judge,
                                       Sink& sink) const {
    UnitType random = cursor.next();
    int layer = static_cast<int>(random & 0xff);
    bool negative = random >> 8 & 1;
    UnitType steps = random >> 9 & kSteps;
    Real x = static_cast<Real>(steps) * table->width[layer];
    if (negative) x = -x;
    if (steps < table->accept[layer]) {
      sink.put(x);
      return 1;
    }
    if (layer == 0) return 1 + tail(cursor, unit + 1, judge, sink, steps >> 8 & 1);
    Real height = (table->height[layer - 1] - table->height[layer]) * unit_real(cursor.next()) +
                  table->height[layer];
    if (judge.below(question(unit, false), static_cast<double>(height), -0.5 * x * x)) sink.put(x);
    return 2;
  }

  template <class Cursor, class Judge, class Sink>
  STRIDER_ANYWHERE unsigned tail(Cursor& cursor, std::int64_t unit, Judge& judge, Sink& sink,
                                 bool negative) const {
    for (unsigned taken = 0;; taken += 2) {
      UnitType u = cursor.next(), v = cursor.next();
      if (!judge.fits_tail(question(unit + taken, true), unit_real(u), unit_real(v))) continue;
      sink.defer((std::uint64_t{u} & ~std::uint64_t{1}) | (negative ? 1u : 0u));
      return taken + 2;
    }
  }

  // A deferred number; the lowest bit of a unit is of no account there. On the host.
  static Real made_of(std::uint64_t bits) {
    Real x = -static_cast<Real>(kNormalInverseEdge) * std::log1p(-unit_real(UnitType(bits)));
    Real size = static_cast<Real>(kNormalEdge) + x;
    return bits & 1 ? -size : size;
  }
};

template <class Real, class UnitType>
struct Exponential : Rule<UnitType, Real> {
  static constexpr bool kAsks = true, kLonger = true;
  const Ziggurat<Real, UnitType>* table = nullptr;

  template <class Cursor, class Judge, class Sink>
  STRIDER_ANYWHERE unsigned operator()(Cursor& cursor, std::int64_t unit, Judge& judge,
                                       Sink& sink) const {
    UnitType random = cursor.next() >> (sizeof(UnitType) == 8 ? 3 : 1);
    int layer = static_cast<int>(random & 0xff);
    random >>= 8;
    Real x = static_cast<Real>(random) * table->width[layer];
    if (random < table->accept[layer]) {
      sink.put(x);
      return 1;
    }
    UnitType second = cursor.next();
    if (layer == 0) {
      sink.defer(second);
      return 2;
    }
    Real height = (table->height[layer - 1] - table->height[layer]) * unit_real(second) +
                  table->height[layer];
    if (judge.below(question(unit, false), height, -x)) sink.put(x);
    return 2;
  }

  static Real made_of(std::uint64_t bits) {
    return static_cast<Real>(kExponentialEdge) - std::log1p(-unit_real(UnitType(bits)));
  }
};

// Integers in [low, low + range].
struct Bounds {
  enum class Way : std::uint8_t { kAll, kMasked, kMultiplied };
  Way way = Way::kAll;
  std::uint64_t low = 0, range = 0, mask = 0, threshold = 0;
  double expected = 1;  // the share of pieces that fit
  bool steady = true;   // all do

  // For pieces of so many random bits.
  static Bounds of(const RandomDraw& draw, int bits) {
    Bounds result;
    result.low = draw.low;
    result.range = draw.range;
    std::uint64_t all = ~std::uint64_t{0} >> (64 - bits);
    if (draw.range == all) return result;
    double pieces = std::ldexp(1.0, bits), numbers = static_cast<double>(draw.range) + 1;
    result.way = draw.masked ? Way::kMasked : Way::kMultiplied;
    if (draw.masked) {
      result.mask = ~std::uint64_t{0} >> __builtin_clzll(draw.range);
      result.steady = result.mask == draw.range;
      result.expected = numbers / (static_cast<double>(result.mask) + 1);
    } else {
      result.threshold = (all - draw.range) % (draw.range + 1);
      result.steady = result.threshold == 0;
      result.expected = 1 - static_cast<double>(result.threshold) / pieces;
    }
    return result;
  }

  // Gives a number where the piece fits.
  template <class Value, class Sink>
  STRIDER_ANYWHERE void take(std::uint64_t piece, int bits, Sink& sink) const {
    std::uint64_t number = piece, all = ~std::uint64_t{0} >> (64 - bits);
    bool fits = true;
    if (way == Way::kMasked) {
      number = piece & mask;
      fits = number <= range;
    } else if (way == Way::kMultiplied) {
      Uint128 product = static_cast<Uint128>(piece) * (range + 1);
      number = static_cast<std::uint64_t>(product >> bits);
      fits = (static_cast<std::uint64_t>(product) & all) >= threshold;
    }
    if (fits) sink.put(static_cast<Value>(low + number));
  }
};

// Integers cut from units, kPieces from each.
template <class ValueType, class UnitType, int kPieces>
struct Bounded : Rule<UnitType, ValueType, kPieces> {
  Bounds bounds;

  explicit Bounded(const RandomDraw& draw) : bounds(Bounds::of(draw, kBits)) {
    this->steady = bounds.steady;
    this->expected = kPieces * bounds.expected;
  }

  template <class Cursor, class Judge, class Sink>
  STRIDER_ANYWHERE unsigned operator()(Cursor& cursor, std::int64_t, Judge&, Sink& sink) const {
    UnitType unit = cursor.next();
    for (int i = 0; i < kPieces; ++i)
      bounds.template take<ValueType>(unit >> i * kBits & kAll, kBits, sink);
    return 1;
  }

 private:
  static constexpr int kUnitBits = 8 * sizeof(UnitType), kBits = kUnitBits / kPieces;
  static constexpr UnitType kAll = static_cast<UnitType>(~UnitType{0}) >> (kUnitBits - kBits);
};

// Calls use(rule), with the tables at this address.
template <class Use>
void with_rule(const RandomDraw& draw, const void* table, Use&& use) {
  using U64 = std::uint64_t;
  using U32 = std::uint32_t;
  bool wide = draw.dtype == DType::kFloat64;
  auto by_table = [&]<class R>(R rule, double expected) {
    rule.table = static_cast<decltype(rule.table)>(table);
    rule.expected = expected;
    use(rule);
  };
  auto always = [&]<class R>(R rule) {
    rule.steady = true;
    use(rule);
  };
  switch (draw.kind) {
    case Drawn::kUniform:
      return wide ? always(Uniform<double, U64>()) : always(Uniform<float, U32>());
    case Drawn::kNormal:
      return wide ? by_table(Normal<double, U64>(), 0.9783)
                  : by_table(Normal<float, U32>(), 0.9783);
    case Drawn::kExponential:
      return wide ? by_table(Exponential<double, U64>(), 0.9673)
                  : by_table(Exponential<float, U32>(), 0.9673);
    case Drawn::kInteger:
      break;
  }
  if (draw.dtype == DType::kBool) return use(Bounded<bool, U32, 32>(draw));
  switch (item_size(draw.dtype)) {
    case 1:
      return use(Bounded<std::uint8_t, U32, 4>(draw));
    case 2:
      return use(Bounded<std::uint16_t, U32, 2>(draw));
    case 4:
      return use(Bounded<U32, U32, 1>(draw));
    default:
      return takes_halves(draw) ? use(Bounded<U64, U32, 1>(draw)) : use(Bounded<U64, U64, 1>(draw));
  }
}

// The cursor for units of a type over a stream of words.
template <class Words, class Unit>
using CursorFor = std::conditional_t<sizeof(Unit) == 8, Words, Halves<Words>>;

}  // namespace strider::nd::drawing
