// Builds the ziggurat tables so that every width equals NumPy's to the last bit.
#include "kernels/random/ziggurat.h"

#include <cstdio>
#include <cstdlib>

namespace strider::nd::random {
namespace {

constexpr long double kNormalArea = 0.004928673233974655347361775402336028069L;
constexpr long double kExponentialArea = 0.003949659822581557219977571956814861092L;
constexpr long double kNormalEdgeLong = 3.654152885361008771645429720399515763L;
constexpr long double kExponentialEdgeLong = 7.697117470131049714044628048015215499L;

// Edges and densities of all layers, in long double.
struct Layers {
  long double edge[256];
  long double density[256];
  long double area;
};

template <class Density, class Inverse>
Layers build_layers(long double edge, long double area, Density density, Inverse inverse) {
  Layers layers;
  layers.area = area;
  layers.edge[255] = edge;
  layers.density[255] = density(edge);
  for (int i = 254; i > 0; --i) {
    // log(area / edge + density) relative to the edge above keeps the error small.
    layers.edge[i] =
        inverse(layers.edge[i + 1], log1pl(area / layers.edge[i + 1] / layers.density[i + 1]));
    layers.density[i] = density(layers.edge[i]);
  }
  // The bottom layer is as wide as a rectangle of its area would be.
  layers.edge[0] = area / layers.density[255];
  layers.density[0] = 1.0L;
  return layers;
}

Layers normal_layers() {
  return build_layers(
      kNormalEdgeLong, kNormalArea, [](long double x) { return expl(-0.5L * x * x); },
      [](long double x, long double l) { return sqrtl(x * x - 2.0L * l); });
}

Layers exponential_layers() {
  return build_layers(
      kExponentialEdgeLong, kExponentialArea, [](long double x) { return expl(-x); },
      [](long double x, long double l) { return x - l; });
}

long double accepted_share(const Layers& layers, int i) {
  if (i == 0) return layers.edge[255] / layers.edge[0];
  return i == 1 ? 0.0L : layers.edge[i - 1] / layers.edge[i];
}

// NumPy writes its single-precision exponential tables with nine decimal digits.
float from_nine_digits(long double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.8Le", value);
  return std::strtof(text, nullptr);
}

float rounded_once(long double value) { return static_cast<float>(value); }

Ziggurat<float, std::uint32_t> single_precision(const Layers& layers, float (*round)(long double)) {
  Ziggurat<float, std::uint32_t> table;
  for (int i = 0; i < 256; ++i) {
    table.accept[i] = static_cast<std::uint32_t>(std::llrint(accepted_share(layers, i) * 0x1p23L));
    table.width[i] = round(layers.edge[i] * 0x1p-23L);
    table.height[i] = round(layers.density[i]);
  }
  return table;
}

double log_rounded(double x) { return static_cast<double>(logl(x)); }
double exp_rounded(double x) { return static_cast<double>(expl(x)); }

// NumPy's normal table carries the rounding of a recurrence in double precision, begun with a
// slightly smaller area, and one density (layer 38) that was rounded the other way.
Ziggurat<double, std::uint64_t> double_normal() {
  constexpr double kArea = 0.0049286732339746519;
  Ziggurat<double, std::uint64_t> table;
  double edge = kNormalEdge;
  table.width[255] = edge * 0x1p-52;
  table.height[255] = exp_rounded(-0.5 * edge * edge);
  table.accept[0] = static_cast<std::uint64_t>(edge * table.height[255] / kArea * 0x1p52);
  table.width[0] = kArea / table.height[255] * 0x1p-52;
  table.height[0] = 1.0;
  for (int i = 254; i > 0; --i) {
    double inner = std::sqrt(-2.0 * log_rounded(kArea / edge + table.height[i + 1]));
    table.accept[i + 1] = static_cast<std::uint64_t>(inner / edge * 0x1p52);
    table.width[i] = inner * 0x1p-52;
    table.height[i] = exp_rounded(-0.5 * inner * inner);
    if (i == 38) table.height[i] = std::nextafter(table.height[i], 1.0);
    edge = inner;
  }
  table.accept[1] = 0;
  return table;
}

Ziggurat<double, std::uint64_t> double_exponential() {
  Layers layers = exponential_layers();
  Ziggurat<double, std::uint64_t> table;
  for (int i = 0; i < 256; ++i) {
    table.accept[i] = static_cast<std::uint64_t>(accepted_share(layers, i) * 0x1p53L);
    table.width[i] = static_cast<double>(layers.edge[i] * 0x1p-53L);
    table.height[i] = static_cast<double>(layers.density[i]);
  }
  return table;
}

}  // namespace

const Ziggurat<double, std::uint64_t>& normal_ziggurat() {
  static const Ziggurat<double, std::uint64_t> table = double_normal();
  return table;
}

const Ziggurat<float, std::uint32_t>& normal_ziggurat_float() {
  static const Ziggurat<float, std::uint32_t> table =
      single_precision(normal_layers(), rounded_once);
  return table;
}

const Ziggurat<double, std::uint64_t>& exponential_ziggurat() {
  static const Ziggurat<double, std::uint64_t> table = double_exponential();
  return table;
}

const Ziggurat<float, std::uint32_t>& exponential_ziggurat_float() {
  static const Ziggurat<float, std::uint32_t> table =
      single_precision(exponential_layers(), from_nine_digits);
  return table;
}

}  // namespace strider::nd::random
