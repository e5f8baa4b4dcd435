// The parameters of a draw: converted, checked with NumPy's messages and broadcast against the
// requested shape. Knows nothing of how the numbers are made.
#pragma once

#include <strider/nd/interrupt.h>
#include <strider/nd/random.h>

#include <string>
#include <string_view>

namespace strider::nd::random {

enum class Constraint : std::uint8_t {
  kNone,
  kNonNegative,
  kPositive,
  kPositiveNotNan,
  kProbability,        // 0 <= p <= 1
  kProbabilityAbove0,  // 0 < p <= 1
  kProbabilityBelow1,  // 0 <= p < 1
  kAboveOne,
  kAtLeastOne,
  kPoisson,
};

// The largest rate a Poisson draw can serve.
double poisson_limit();

// Throws kValue when an element of `values` (float64 or int64) breaks the rule.
void check_constraint(const Array& values, std::string_view name, Constraint constraint);

// One parameter's value for one draw.
struct Cell {
  double real = 0;
  std::int64_t whole = 0;
};

inline constexpr int kMaxParameters = 3;

// Up to three parameters of one call, and the shape of its result.
class Parameters {
 public:
  // `whole` marks parameters that are integers (converted to int64), one bit each.
  Parameters(Distribution distribution, std::span<const Array> values, unsigned whole);

  void check(const Constraint (&constraints)[kMaxParameters]) const;
  const Array& operator[](int i) const { return values_[i]; }
  std::string_view name(int i) const { return names_[i]; }
  bool all_scalar() const { return all_scalar_; }
  // Decides the shape of the result; kValue when `size` does not fit the parameters.
  Dims broadcast(const Size& size);

  // Calls draw(cells) for every element of the result, in C order.
  template <class T, class Draw>
  void each(T* out, std::int64_t count, Draw&& draw) const {
    Cell cells[kMaxParameters];
    load(cells, 0);
    for (std::int64_t i = 0; i < count; ++i) {
      if (!all_scalar_) load(cells, i);
      if ((i & 0xffff) == 0xffff) check_interrupt();
      out[i] = draw(cells);
    }
  }

 private:
  void load(Cell* cells, std::int64_t i) const {
    for (int k = 0; k < count_; ++k) {
      std::int64_t at = step_[k] * i;
      if (whole_ >> k & 1u)
        cells[k].whole = static_cast<const std::int64_t*>(data_[k])[at];
      else
        cells[k].real = static_cast<const double*>(data_[k])[at];
    }
  }

  int count_;
  bool last_first_;  // NumPy names the binomial's p before its n
  unsigned whole_;
  bool all_scalar_ = true;
  Array values_[kMaxParameters];
  std::string_view names_[kMaxParameters];
  const void* data_[kMaxParameters] = {};
  std::int64_t step_[kMaxParameters] = {};
};

// numpy.broadcast's shape; kValue "shape mismatch: objects cannot be broadcast to a single shape.
// …".
Dims broadcast_arguments(std::span<const Dims> shapes);
// Throws kValue "operands could not be broadcast together with shapes …" for shapes that do not
// fit.
void require_same_shapes(const Array& a, const Array& b);
// "(2, 3)", as Python prints a shape.
std::string shape_tuple(const Dims& shape);
// An array of `size` (0-d when there is none).
Array empty_result(const Size& size, DType dtype);

}  // namespace strider::nd::random
