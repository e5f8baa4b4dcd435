// Half: IEEE 754 binary16 storage. Computes in float, as NumPy does.
#pragma once

#include <bit>
#include <cstdint>

namespace strider::nd {

// Rounds a float to the nearest binary16 (ties to even) and returns its bits.
constexpr std::uint16_t half_from_float(float value) {
  std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  std::uint32_t sign = (bits >> 16) & 0x8000u;
  std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) {  // NaN keeps its payload's top bits
    std::uint32_t payload = (magnitude >> 13) & 0x3ffu;
    return static_cast<std::uint16_t>(sign | 0x7c00u | (payload ? payload : 1u));
  }
  if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {  // subnormal or zero: let float addition do the rounding
    float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u));
  }
  std::uint32_t odd = (magnitude >> 13) & 1u;
  magnitude += 0xc8000fffu + odd;
  return static_cast<std::uint16_t>(sign | (magnitude >> 13));
}

// Widens binary16 bits to the float of the same value.
constexpr float float_from_half(std::uint16_t half) {
  std::uint32_t sign = (half & 0x8000u) << 16;
  std::uint32_t exponent = (half >> 10) & 0x1fu;
  std::uint32_t mantissa = half & 0x3ffu;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
  if (exponent != 0)
    return std::bit_cast<float>(sign | ((exponent + 112u) << 23) | (mantissa << 13));
  float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
}

struct Half {
  std::uint16_t bits = 0;

  constexpr Half() = default;
  constexpr explicit Half(float value) : bits(half_from_float(value)) {}
  constexpr explicit operator float() const { return float_from_half(bits); }
};

}  // namespace strider::nd
