// The same steps as on the host, on all values at once; those in no bin get a bin of their own
// behind the others.
#include "kernels/sort/bins.h"

#include <strider/nd/eval.h>
#include <strider/nd/sort.h>
#include <strider/nd/ufunc.h>

#include <utility>

namespace strider::nd {
namespace {

// While it lives, recorded operations tell no floating-point conditions.
class Unwatched {
 public:
  Unwatched() : before_(std::exchange(recording().watched, std::uint8_t{0})) {}
  ~Unwatched() { recording().watched = before_; }
  Unwatched(const Unwatched&) = delete;

 private:
  std::uint8_t before_;
};

Operand weak(std::int64_t value) { return Operand::weak_int(value); }
Operand weak(double value) { return Operand::weak_float(value); }

struct Bins {
  std::int64_t count;
  double low, high;

  // The edges before numbered bins, as numpy.linspace spaces them.
  Array edges_before(const Array& numbers) const {
    double step = (high - low) / static_cast<double>(count);
    Array scaled = apply(Op::kMultiply, numbers.astype(DType::kFloat64), weak(step));
    Array last = apply(Op::kEqual, numbers, weak(count));
    return select(last, weak(high), apply(Op::kAdd, scaled, weak(low)));
  }

  Array numbers_of(const Array& values) const {
    Array inside = apply(Op::kLogicalAnd, apply(Op::kGreaterEqual, values, weak(low)),
                         apply(Op::kLessEqual, values, weak(high)));
    Array safe = select(inside, values, weak(low));
    Array share = apply(Op::kDivide, apply(Op::kSubtract, safe, weak(low)), weak(high - low));
    Array scaled = apply(Op::kMultiply, share, weak(static_cast<double>(count)));
    Array number = apply(Op::kMinimum, scaled.astype(DType::kInt64), weak(count - 1));
    Array next = apply(Op::kAdd, number, weak(std::int64_t{1}));
    Array below = apply(Op::kLess, safe, edges_before(number));
    Array above = apply(Op::kLogicalAnd, apply(Op::kNotEqual, number, weak(count - 1)),
                        apply(Op::kGreaterEqual, safe, edges_before(next)));
    Array before = apply(Op::kSubtract, number, weak(std::int64_t{1}));
    Array fitted = select(below, before, select(above, next, number));
    return select(inside, fitted, weak(count)).contiguous(DType::kInt64);
  }
};

}  // namespace

Array histogram_there(const Array& values, std::int64_t bins, double low, double high,
                      const Array* weights) {
  Unwatched unwatched;
  Array numbers =
      Bins{bins, low, high}.numbers_of(values.reshape({values.size()})).reshape({values.size()});
  auto total = [&](const Array* added) {
    Array all = bincount(numbers, added, bins + 1);
    return all.view({bins}, all.strides(), 0).copy();
  };
  if (!weights) return total(nullptr);
  bool complex = is_complex(weights->dtype());
  Array flat =
      weights->contiguous(complex ? DType::kComplex128 : DType::kFloat64).reshape({values.size()});
  if (!complex) return total(&flat);
  Array sums = Array::empty({bins}, DType::kComplex128), real = flat.real(), imag = flat.imag();
  sums.real().assign(total(&real));
  sums.imag().assign(total(&imag));
  return sums;
}

}  // namespace strider::nd
