// math's functions of several numbers: exactly rounded sums, norms and products.
#include <array>
#include <span>

#include "interpreter/builtins/modules/numbers/math_support.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

// A sum kept exact as non-overlapping doubles of growing size (Shewchuk 1997).
class ExactSum {
 public:
  void add(double number) {
    if (!std::isfinite(number)) {
      special_ += number;
      if (std::isinf(number)) infinities_ += number;
      saw_special_ = true;
      return;
    }
    std::size_t kept = 0;
    for (double part : parts_) {
      if (std::fabs(number) < std::fabs(part)) std::swap(number, part);
      double high = number + part;
      double low = part - (high - number);
      if (low != 0.0) parts_[kept++] = low;
      number = high;
    }
    if (!std::isfinite(number)) raise(errors::OverflowError, "intermediate overflow in fsum");
    parts_.resize(kept);
    parts_.push_back(number);
  }

  double result() const {
    if (saw_special_) {
      if (std::isnan(infinities_)) raise(errors::ValueError, "-inf + inf in fsum");
      return special_;
    }
    return rounded();
  }

 private:
  // The parts from the largest down; a rest of exactly half a unit rounds by the part below it.
  double rounded() const {
    std::size_t left = parts_.size();
    if (left == 0) return 0.0;
    double high = parts_[--left], low = 0.0;
    while (left > 0) {
      double before = high, part = parts_[--left];
      high = before + part;
      low = part - (high - before);
      if (low != 0.0) break;
    }
    if (left > 0 &&
        ((low < 0.0 && parts_[left - 1] < 0.0) || (low > 0.0 && parts_[left - 1] > 0.0))) {
      double doubled = low * 2.0, moved = high + doubled;
      if (doubled == moved - high) high = moved;
    }
    return high;
  }

  std::vector<double> parts_;
  double special_ = 0.0, infinities_ = 0.0;
  bool saw_special_ = false;
};

Value math_fsum(const Parameters& p) {
  ExactSum sum;
  Iteration items(p[0]);
  Value item;
  while (items.next(item)) sum.add(item.is_float() ? item.as_float() : to_double(item));
  return Value::real(sum.result());
}

// Whether squares of numbers this large neither overflow nor lose the digits below them.
bool has_plain_squares(double largest) { return largest > 1e-120 && largest < 1e120; }

// What a square loses when it is rounded, exactly (T. J. Dekker).
double lost_of_square(double number, double square) {
  constexpr double kSplitter = 134217729.0;  // 2^27 + 1
  double scaled = kSplitter * number, high = scaled - (scaled - number), low = number - high;
  return ((high * high - square) + 2 * high * low) + low * low;
}

// The norm of numbers with plain squares: each square is a sum of two doubles, and so is their sum;
// the root is corrected once.
double plain_norm(std::span<const double> numbers) {
  double high = 0.0, low = 0.0;
  for (double number : numbers) {
    double square = number * number, sum = high + square;
    double added = sum - high;
    low += (high - (sum - added)) + (square - added) + lost_of_square(number, square);
    high = sum;
  }
  double root = std::sqrt(high);
  return root + (std::fma(-root, root, high) + low) / (2 * root);
}

// The Euclidean norm: scaled by a power of two, summed in 113 bits, the root corrected once.
double vector_norm(std::span<const double> numbers) {
  double largest = 0.0;
  bool has_nan = false;
  for (double number : numbers) {
    double size = std::fabs(number);
    has_nan |= size != size;
    largest = size > largest ? size : largest;
  }
  if (std::isinf(largest)) return largest;
  if (has_nan) return std::nan("");
  if (largest == 0.0 || numbers.size() == 1) return largest;
  if (has_plain_squares(largest)) return plain_norm(numbers);
  int exponent;
  std::frexp(largest, &exponent);
  __float128 sum = 0;
  for (double number : numbers) {
    __float128 scaled = std::ldexp(number, -exponent);
    sum += scaled * scaled;
  }
  double root = std::sqrt(static_cast<double>(sum));
  __float128 rest = sum - static_cast<__float128>(root) * root;
  root = static_cast<double>(root + rest / (2 * static_cast<__float128>(root)));
  return std::ldexp(root, exponent);
}

// Room for coordinates, on the stack where they are few.
class Coordinates {
 public:
  explicit Coordinates(std::size_t count) {
    if (count > few_.size()) many_.resize(count);
  }
  double* data() { return many_.empty() ? few_.data() : many_.data(); }
  double& operator[](std::size_t i) { return data()[i]; }

 private:
  std::array<double, 4> few_;
  std::vector<double> many_;
};

double to_number(const Value& value) {
  return value.is_float() ? value.as_float() : to_double(value);
}

Value math_hypot(const Parameters& p) {
  const Tuple& given = *p[0].as<Tuple>();
  Coordinates numbers(given.size());
  for (std::size_t i = 0; i < given.size(); ++i) numbers[i] = to_number(given[i]);
  return Value::real(vector_norm({numbers.data(), given.size()}));
}

Value math_dist(const Parameters& p) {
  Ref<Tuple> a = to_tuple(p[0]), b = to_tuple(p[1]);
  if (a->size() != b->size())
    raise(errors::ValueError, "both points must have the same number of dimensions");
  Coordinates numbers(a->size());
  for (std::size_t i = 0; i < a->size(); ++i) numbers[i] = to_number((*a)[i]) - to_number((*b)[i]);
  return Value::real(vector_norm({numbers.data(), a->size()}));
}

Value math_prod(const Parameters& p) {
  Value product = p[1], item;
  Iteration items(p[0]);
  while (items.next(item)) product = binary(BinaryOperator::kMult, product, item);
  return product;
}

}  // namespace

const NativeRow kSumMathFunctions[] = {
    {"fsum(seq, /)", math_fsum, "The exactly rounded sum of floats."},
    {"hypot(*coordinates)", math_hypot, "The Euclidean length of a vector."},
    {"dist(p, q, /)", math_dist, "The Euclidean distance of two points."},
    {"prod(iterable, /, *, start=1)", math_prod, "The product of all items."},
};
const std::size_t kSumMathFunctionCount = std::size(kSumMathFunctions);

}  // namespace strider::lang
