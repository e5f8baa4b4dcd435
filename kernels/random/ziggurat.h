// The ziggurats of the normal and exponential distributions: tables of 256 layers of equal area,
// and the draws that use them. Knows nothing of shapes or parameters.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/backend/draws/rules.h"

namespace strider::nd::random {

using drawing::kExponentialEdge;
using drawing::kNormalEdge;
using drawing::kNormalInverseEdge;

// Built when first asked for (Doornik 2005, after Marsaglia and Tsang 2000).
const Ziggurat<double, std::uint64_t>& normal_ziggurat();
const Ziggurat<float, std::uint32_t>& normal_ziggurat_float();
const Ziggurat<double, std::uint64_t>& exponential_ziggurat();
const Ziggurat<float, std::uint32_t>& exponential_ziggurat_float();

template <class Bits>
[[gnu::noinline]] double normal_tail(Bits& bits, bool negative) {
  for (;;) {
    double x = -kNormalInverseEdge * std::log1p(-bits.next_double());
    double y = -std::log1p(-bits.next_double());
    if (y + y > x * x) return negative ? -(kNormalEdge + x) : kNormalEdge + x;
  }
}

// A standard normal double from 64 random bits, more only in one case of a hundred.
template <class Bits>
inline double draw_normal(Bits& bits, const Ziggurat<double, std::uint64_t>& table) {
  for (;;) {
    std::uint64_t random = bits.next_uint64();
    int layer = static_cast<int>(random & 0xff);
    random >>= 8;
    std::uint64_t steps = (random >> 1) & 0x000fffffffffffffull;
    double x = static_cast<double>(steps) * table.width[layer];
    if (random & 1) x = -x;
    if (steps < table.accept[layer]) [[likely]]
      return x;
    if (layer == 0) return normal_tail(bits, (steps >> 8) & 1);
    double height =
        (table.height[layer - 1] - table.height[layer]) * bits.next_double() + table.height[layer];
    if (height < std::exp(-0.5 * x * x)) return x;
  }
}

template <class Bits>
inline float draw_normal(Bits& bits, const Ziggurat<float, std::uint32_t>& table) {
  constexpr float kEdge = static_cast<float>(kNormalEdge);
  constexpr float kInverse = static_cast<float>(kNormalInverseEdge);
  for (;;) {
    std::uint32_t random = bits.next_uint32();
    int layer = static_cast<int>(random & 0xff);
    bool negative = (random >> 8) & 1;
    std::uint32_t steps = (random >> 9) & 0x007fffffu;
    float x = static_cast<float>(steps) * table.width[layer];
    if (negative) x = -x;
    if (steps < table.accept[layer]) [[likely]]
      return x;
    if (layer == 0) {
      for (;;) {
        float tail = -kInverse * log1pf(-bits.next_float());
        float y = -log1pf(-bits.next_float());
        if (y + y > tail * tail) return ((steps >> 8) & 1) ? -(kEdge + tail) : kEdge + tail;
      }
    }
    float height =
        (table.height[layer - 1] - table.height[layer]) * bits.next_float() + table.height[layer];
    if (height < std::exp(-0.5 * x * x)) return x;
  }
}

// A standard exponential double.
template <class Bits>
inline double draw_exponential(Bits& bits, const Ziggurat<double, std::uint64_t>& table) {
  for (;;) {
    std::uint64_t random = bits.next_uint64() >> 3;
    int layer = static_cast<int>(random & 0xff);
    random >>= 8;
    double x = static_cast<double>(random) * table.width[layer];
    if (random < table.accept[layer]) [[likely]]
      return x;
    if (layer == 0) return kExponentialEdge - std::log1p(-bits.next_double());
    double height =
        (table.height[layer - 1] - table.height[layer]) * bits.next_double() + table.height[layer];
    if (height < std::exp(-x)) return x;
  }
}

template <class Bits>
inline float draw_exponential(Bits& bits, const Ziggurat<float, std::uint32_t>& table) {
  for (;;) {
    std::uint32_t random = bits.next_uint32() >> 1;
    int layer = static_cast<int>(random & 0xff);
    random >>= 8;
    float x = static_cast<float>(random) * table.width[layer];
    if (random < table.accept[layer]) [[likely]]
      return x;
    if (layer == 0) return static_cast<float>(kExponentialEdge) - log1pf(-bits.next_float());
    float height =
        (table.height[layer - 1] - table.height[layer]) * bits.next_float() + table.height[layer];
    if (height < expf(-x)) return x;
  }
}

}  // namespace strider::nd::random
