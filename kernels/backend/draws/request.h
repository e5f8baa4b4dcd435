// What random numbers a device is asked for: where a stream of random words is, and by which rule
// numbers are made of its words. Knows no generator objects and no arrays.
#pragma once

#include <strider/nd/dtype.h>

#include <cstdint>

namespace strider::nd {

enum class StreamKind : std::uint8_t { kPcg64, kPcg64Dxsm, kPhilox };

// A stream of 64-bit words. Draws of 32 bits take halves, lower ones first; one may be left over.
struct RandomStream {
  StreamKind kind = StreamKind::kPcg64;
  // PCG: state and increment, low words first. Philox: counter (4), key (2), the words made last
  // (4), and how many of these are used up.
  std::uint64_t words[11] = {};
  bool has_half = false;
  std::uint32_t half = 0;
};

// Layers of equal area under a density. Layer i covers |x| < width[i] * (number of random steps);
// below accept[i] steps no test is needed; height[i] is the density at the layer's edge.
template <class Real, class Steps>
struct Ziggurat {
  Steps accept[256];
  Real width[256];
  Real height[256];
};

enum class Drawn : std::uint8_t { kUniform, kNormal, kExponential, kInteger };

struct RandomDraw {
  Drawn kind = Drawn::kUniform;
  DType dtype = DType::kFloat64;  // float64 or float32; for integers bool or any integer type
  // Normal, exponential: a Ziggurat of the type, in host memory.
  const void* table = nullptr;
  // Integers: in [low, low + range], range > 0, by masked rejection or by Lemire's multiplication.
  std::uint64_t low = 0, range = 0;
  bool masked = false;
};

// Whether a draw takes halves of words, and not whole ones.
inline bool takes_halves(const RandomDraw& draw) {
  if (draw.kind != Drawn::kInteger) return draw.dtype == DType::kFloat32;
  return draw.dtype == DType::kBool || item_size(draw.dtype) < 8 || draw.range <= 0xffffffffu;
}

}  // namespace strider::nd
