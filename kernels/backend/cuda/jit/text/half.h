// Half with the device's own conversions; the bits, those of NaN too, are half.h's.
#pragma once

namespace strider::nd {

inline std::uint16_t half_from_float(float value) {
  const std::uint16_t bits = device::narrow(value);
  if (value == value) return bits;
  std::uint32_t wide = std::bit_cast<std::uint32_t>(value), payload = (wide >> 13) & 0x3ffu;
  return static_cast<std::uint16_t>((wide >> 16 & 0x8000u) | 0x7c00u | (payload ? payload : 1u));
}

inline float float_from_half(std::uint16_t half) {
  const float value = device::widen(half);
  if (value == value) return value;
  return std::bit_cast<float>((half & 0x8000u) << 16 | 0x7f800000u | (half & 0x3ffu) << 13);
}

struct Half {
  std::uint16_t bits = 0;

  Half() = default;
  explicit Half(float value) : bits(half_from_float(value)) {}
  explicit operator float() const { return float_from_half(bits); }
};

}  // namespace strider::nd
