// What rows of ops.def share wherever they are compiled: the types that their elements are computed
// and stored in, and one element of a row.
#pragma once

#include <strider/nd/ops.h>

#include "kernels/instructions/basic.h"

namespace strider::nd::STRIDER_TARGET {

// The type an element is computed in: halves in float.
template <class T>
struct ComputeType {
  using Type = T;
};
template <>
struct ComputeType<Half> {
  using Type = float;
};
template <class T>
using Compute = typename ComputeType<T>::Type;

// Whether the row works on halves as they are stored.
constexpr bool keeps_halves(Op op) { return op == Op::kNextafter || op == Op::kSpacing; }

// Whether the row is an extreme of halves, which is the first of equal ones.
template <Op kOp, class T>
inline constexpr bool prefers_first = std::is_same_v<T, Half> &&
                                      (kOp == Op::kMaximum || kOp == Op::kMinimum);

template <Op kOp, class T>
using Working = std::conditional_t<keeps_halves(kOp), T, Compute<T>>;

// The second argument's type; only ldexp's differs.
template <Op kOp, class T>
using Second = std::conditional_t<kOp == Op::kLdexp, std::int64_t, T>;

template <class To, class From>
inline To load_as(From value) {
  if constexpr (std::is_same_v<From, Half> && !std::is_same_v<To, Half>) {
    return static_cast<float>(value);
  } else {
    return value;
  }
}

template <class T>
inline constexpr bool is_inexact_real = std::is_floating_point_v<T> || std::is_same_v<T, Half>;

// The type a result is stored in: halves come back from float.
template <class T, class Result>
using Stored =
    std::conditional_t<std::is_same_v<T, Half> && std::is_same_v<Result, float>, Half, Result>;

template <Op kOp, class T>
inline T first_extreme(T x, T y) {
  return kOp == Op::kMaximum ? first_maximum(x, y) : first_minimum(x, y);
}

// The first result of one element; R is the row of kOp.
template <class R, Op kOp, class T>
inline auto compute_row(T x, Second<kOp, T> y, T z) {
  using X = Working<kOp, T>;
  using Y = std::conditional_t<kOp == Op::kLdexp, std::int64_t, X>;
  if constexpr (prefers_first<kOp, T>) {
    return static_cast<T>(first_extreme<kOp>(load_as<X>(x), load_as<X>(y)));
  } else {
    auto result = R::first(load_as<X>(x), load_as<Y>(y), load_as<X>(z));
    return static_cast<Stored<T, decltype(result)>>(result);
  }
}

// -1, 0, 1 as x is below, equal to or above y, exactly.
inline int order(std::int64_t x, std::uint64_t y) {
  auto positive = static_cast<std::uint64_t>(x);
  return x < 0 ? -1 : (positive > y) - (positive < y);
}
inline int order(std::uint64_t x, std::int64_t y) { return -order(y, x); }

}  // namespace strider::nd::STRIDER_TARGET
