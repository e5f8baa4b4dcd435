// Renders rows of ops.def as loops over contiguous elements. A loop file defines
// STRIDER_GROUP and includes this; its rows land in the table of its target. What differs from file
// to file stands in a namespace of its own, so that the linker never takes one for another.
#pragma once

#include <strider/nd/floating_errors.h>

#include <algorithm>

#include "kernels/backend/cpu/halves.h"
#include "kernels/backend/cpu/kernels.h"
#include "kernels/backend/cpu/whole_reciprocal.h"
#include "kernels/instructions/rows.h"

namespace strider::nd::STRIDER_TARGET {

template <class T>
T floor_quotient(T x, T y);
template <class T>
T floor_quotient_by(T x, double sign, double reciprocal);

}  // namespace strider::nd::STRIDER_TARGET

namespace strider::nd::STRIDER_TARGET::STRIDER_GROUP {

// One row as a function object; specialised below from the table.
template <Op kOp>
struct Row;

#define OP(id, name, inputs, group, types, result, identity, conditions, expression, doc, example) \
  template <>                                                                                      \
  struct Row<Op::id> {                                                                             \
    static constexpr std::string_view kTypes = types;                                              \
    static constexpr int kInputs = inputs;                                                         \
    static constexpr int kOutputs = 1;                                                             \
    static constexpr OpGroup kGroup = OpGroup::group;                                              \
    static constexpr Conditions kConditions = Conditions::conditions;                              \
    template <class X, class Y, class Z>                                                           \
    static inline auto first([[maybe_unused]] X x, [[maybe_unused]] Y y, [[maybe_unused]] Z z) {   \
      if constexpr (kGroup == OpGroup::STRIDER_GROUP) return expression;                           \
    }                                                                                              \
  };
#define OP2(id, name, inputs, group, types, result, conditions, one, other, doc, example)         \
  template <>                                                                                     \
  struct Row<Op::id> {                                                                            \
    static constexpr std::string_view kTypes = types;                                             \
    static constexpr int kInputs = inputs;                                                        \
    static constexpr int kOutputs = 2;                                                            \
    static constexpr OpGroup kGroup = OpGroup::group;                                             \
    static constexpr Conditions kConditions = Conditions::conditions;                             \
    template <class X, class Y, class Z>                                                          \
    static inline auto first([[maybe_unused]] X x, [[maybe_unused]] Y y, [[maybe_unused]] Z z) {  \
      if constexpr (kGroup == OpGroup::STRIDER_GROUP) return one;                                 \
    }                                                                                             \
    template <class X, class Y, class Z>                                                          \
    static inline auto second([[maybe_unused]] X x, [[maybe_unused]] Y y, [[maybe_unused]] Z z) { \
      if constexpr (kGroup == OpGroup::STRIDER_GROUP) return other;                               \
    }                                                                                             \
  };
#include "kernels/table/ops.def"

// What elements are read and written as: bools as bytes, because compilers negate those in vectors.
template <class T>
using Memory = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

// The plain loop; the compiler vectorises it.
template <Op kOp, class T>
void map(const std::byte* const* inputs, std::byte* const* outputs, std::int64_t count) {
  using R = Row<kOp>;
  using X = Working<kOp, T>;
  using Y = Second<kOp, T>;
  auto* x = reinterpret_cast<const Memory<T>*>(inputs[0]);
  auto* y = reinterpret_cast<const Memory<Y>*>(R::kInputs > 1 ? inputs[1] : inputs[0]);
  auto* z = reinterpret_cast<const Memory<T>*>(R::kInputs > 2 ? inputs[2] : inputs[0]);
  using YX = std::conditional_t<kOp == Op::kLdexp, Y, X>;
  auto first = [&](std::int64_t i) {
    return R::first(load_as<X>(x[i]), load_as<YX>(y[i]), load_as<X>(z[i]));
  };
  using Result = Stored<T, decltype(first(0))>;
  using Out = std::conditional_t<std::is_same_v<T, bool>, Memory<Result>, Result>;
  auto* out = reinterpret_cast<Out*>(outputs[0]);
  if constexpr (R::kOutputs == 1) {
#pragma GCC ivdep
    for (std::int64_t i = 0; i < count; ++i) {
      out[i] = static_cast<Out>(static_cast<Result>(first(i)));
    }
  } else {
    auto second = [&](std::int64_t i) {
      return R::second(load_as<X>(x[i]), load_as<YX>(y[i]), load_as<X>(z[i]));
    };
    using Out2 = Stored<T, decltype(second(0))>;
    auto* out2 = reinterpret_cast<Out2*>(outputs[1]);
    for (std::int64_t i = 0; i < count; ++i) {
      Out one = static_cast<Out>(first(i));
      Out2 other = static_cast<Out2>(second(i));
      out[i] = one;
      out2[i] = other;
    }
  }
}

struct DivisionCheck {
  bool by_zero = false;
  bool too_far = false;  // the smallest integer divided by -1
  bool small = false;    // every operand is exact as a double, with three bits to spare
  bool one_divisor = false;
};

// What is found is as wide as the elements, so that vectors are all of one length.
template <class T>
inline DivisionCheck check_division(const T* x, const T* y, std::int64_t count) {
  using Bits = std::make_unsigned_t<T>;
  Bits by_zero = 0, too_far = 0, large = 0, others = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    by_zero |= static_cast<Bits>(y[i] == T(0));
    others |= static_cast<Bits>(y[i] ^ y[0]);
    if constexpr (std::is_signed_v<T>) {
      constexpr T kLeast = std::numeric_limits<T>::min();
      too_far |= static_cast<Bits>(y[i] == T(-1)) & static_cast<Bits>(x[i] == kLeast);
    }
    if constexpr (sizeof(T) == 8) {
      constexpr Bits kLimit = Bits{1} << 50;
      constexpr Bits kShift = std::is_signed_v<T> ? kLimit : 0;
      large |= static_cast<Bits>(static_cast<Bits>(x[i]) + kShift > kLimit + kShift);
      large |= static_cast<Bits>(static_cast<Bits>(y[i]) + kShift > kLimit + kShift);
    }
  }
  return {by_zero != 0, too_far != 0, large == 0 && too_far == 0, others == 0};
}

// Writes quotient_of(element), or what is left of the element.
template <Op kOp, class T, class Quotient>
inline void divide_each(const T* x, T y, T* out, std::int64_t count, Quotient quotient_of) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < count; ++i) {
    T quotient = quotient_of(x[i]);
    out[i] = kOp == Op::kFloorDivide ? quotient : subtract(x[i], multiply(quotient, y));
  }
}

template <Op kOp, class T>
inline void divide_small_by(const T* x, T y, T* out, std::int64_t count) {
  if constexpr (sizeof(T) == 1) {
    if (y > 1) {
      ByteReciprocal<T> one(y);
      return divide_each<kOp>(x, y, out, count, [=](T e) { return one.floor_quotient(e); });
    }
  } else if constexpr (sizeof(T) <= 4) {
    if (y > 0) {
      WholeReciprocal<T> one(y);
      return divide_each<kOp>(x, y, out, count, [=](T e) { return one.floor_quotient(e); });
    }
  }
  double sign = y < 0 ? -1 : 1, reciprocal = 1 / (static_cast<double>(y) * sign);
  divide_each<kOp>(x, y, out, count, [=](T e) { return floor_quotient_by(e, sign, reciprocal); });
}

template <Op kOp, class T>
inline void divide_small(const T* x, const T* y, T* out, std::int64_t count) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < count; ++i) {
    T quotient = floor_quotient(x[i], y[i]);
    if constexpr (kOp == Op::kFloorDivide)
      out[i] = quotient;
    else
      out[i] = subtract(x[i], multiply(quotient, y[i]));
  }
}

// Integer division reports what the processor cannot: division by zero and overflow.
template <Op kOp, class T>
void map_division(const std::byte* const* inputs, std::byte* const* outputs, std::int64_t count) {
  auto* x = reinterpret_cast<const T*>(inputs[0]);
  auto* y = reinterpret_cast<const T*>(inputs[1]);
  constexpr std::int64_t kChunk = 512;
  constexpr bool kFloored = kOp == Op::kFloorDivide || kOp == Op::kRemainder;
  FloatingErrors errors;
  for (std::int64_t begin = 0; begin < count; begin += kChunk) {
    std::int64_t part = std::min(kChunk, count - begin);
    DivisionCheck check = check_division(x + begin, y + begin, part);
    if (check.by_zero) errors.flags |= FloatingErrors::kDivide;
    constexpr bool kQuotient = kOp == Op::kFloorDivide || kOp == Op::kDivmod;
    if (check.too_far && kQuotient) errors.flags |= FloatingErrors::kOverflow;
    const std::byte* from[2] = {inputs[0] + begin * sizeof(T), inputs[1] + begin * sizeof(T)};
    std::byte* to[2] = {outputs[0] + begin * sizeof(T),
                        Row<kOp>::kOutputs > 1 ? outputs[1] + begin * sizeof(T) : nullptr};
    auto* results = reinterpret_cast<T*>(to[0]);
    if (kFloored && check.small && !check.by_zero && check.one_divisor) {
      divide_small_by<kOp, T>(x + begin, y[begin], results, part);
    } else if (kFloored && check.small && !check.by_zero) {
      divide_small<kOp, T>(x + begin, y + begin, results, part);
    } else {
      map<kOp, T>(from, to, part);
    }
  }
  if (errors) raise_floating_errors(errors);
}

// Halves are computed as floats, a buffer at a time.
template <Op kOp>
void map_halves(const std::byte* const* inputs, std::byte* const* outputs, std::int64_t count);

// Defined for the groups of elementary functions only.
template <Op kOp, class T>
void map_derived(const std::byte* const* inputs, std::byte* const* outputs, std::int64_t count);

template <Op kOp, class T>
constexpr Kernel pick_kernel() {
  using R = Row<kOp>;
  constexpr bool kPlainHalves = keeps_halves(kOp) || kOp == Op::kLdexp || kOp == Op::kFrexp;
  if constexpr (R::kGroup != OpGroup::STRIDER_GROUP)
    return nullptr;
  else if constexpr (R::kConditions == Conditions::kInteger && std::is_integral_v<T>)
    return map_division<kOp, T>;
  else if constexpr (std::is_same_v<T, Half> && !kPlainHalves)
    return map_halves<kOp>;
  else if constexpr (R::kConditions == Conditions::kDerived && is_inexact_real<T>)
    return map_derived<kOp, T>;
  else
    return map<kOp, T>;
}

template <Op kOp>
void map_halves(const std::byte* const* inputs, std::byte* const* outputs, std::int64_t count) {
  using R = Row<kOp>;
  constexpr std::int64_t kChunk = 512;
  constexpr bool kFloatResult = std::is_same_v<decltype(R::first(0.0f, 0.0f, 0.0f)), float>;
  float wide[3][kChunk], results[2][kChunk];
  for (std::int64_t i = 0; i < count; i += kChunk) {
    std::int64_t part = std::min(kChunk, count - i);
    const std::byte* from[3] = {};
    std::byte* to[2] = {};
    for (int k = 0; k < R::kInputs; ++k) {
      widen_halves(reinterpret_cast<const Half*>(inputs[k]) + i, wide[k], part);
      from[k] = reinterpret_cast<const std::byte*>(wide[k]);
    }
    for (int k = 0; k < R::kOutputs; ++k) {
      to[k] = kFloatResult ? reinterpret_cast<std::byte*>(results[k]) : outputs[k] + i;
    }
    if constexpr (prefers_first<kOp, Half>) {
      for (std::int64_t k = 0; k < part; ++k)
        results[0][k] = first_extreme<kOp>(wide[0][k], wide[1][k]);
    } else {
      pick_kernel<kOp, float>()(from, to, part);
    }
    for (int k = 0; k < R::kOutputs && kFloatResult; ++k) {
      narrow_floats(results[k], reinterpret_cast<Half*>(outputs[k]) + i, part);
    }
  }
}

template <Op kOp>
void fill_row(KernelTable& table) {
#define DTYPE(id, type, name, kind, code, category)                    \
  if constexpr (Row<kOp>::kTypes.find(code) != std::string_view::npos) \
    table.loops[static_cast<int>(kOp)][static_cast<int>(DType::id)] = pick_kernel<kOp, type>();
#include "kernels/table/dtypes.def"
}

// Writes the kernels of this file's group into the table.
inline void fill_group(KernelTable& table) {
#define OP(id, name, inputs, group, types, result, identity, conditions, expression, doc, example) \
  if constexpr (OpGroup::group == OpGroup::STRIDER_GROUP) fill_row<Op::id>(table);
#include "kernels/table/ops.def"
}

}  // namespace strider::nd::STRIDER_TARGET::STRIDER_GROUP
