// Conversion, checks and broadcasting of parameters.
#include "kernels/random/parameters.h"

#include <strider/nd/error.h>

#include <cmath>

namespace strider::nd::random {
namespace {

[[noreturn]] void reject(const std::string& message) { throw Error(ErrorKind::kValue, message); }

// True when every element satisfies the test.
template <class Test>
bool all_of(const Array& values, Test test) {
  if (values.dtype() == DType::kInt64) {
    const std::int64_t* p = values.as<std::int64_t>();
    for (std::int64_t i = 0; i < values.size(); ++i)
      if (!test(static_cast<double>(p[i]))) return false;
    return true;
  }
  const double* p = values.as<double>();
  for (std::int64_t i = 0; i < values.size(); ++i)
    if (!test(p[i])) return false;
  return true;
}

// "p < 0, p > 1 or p is NaN"; `pattern` has a # for each name.
std::string named(std::string_view pattern, std::string_view name, bool scalar, bool ends_nan) {
  std::string text;
  for (char c : pattern) {
    if (c == '#')
      text += name;
    else
      text += c;
  }
  if (!ends_nan) return text;
  return text + " or " + std::string(name) + (scalar ? " is NaN" : " contains NaNs");
}

struct ConstraintFacts {
  const char* pattern;
  bool mentions_nan;
  bool always_plural;  // "contains NaNs" even for one number
  bool (*holds)(double);
};

ConstraintFacts facts_of(Constraint constraint) {
  switch (constraint) {
    case Constraint::kNonNegative:
      return {"# < 0", false, false, [](double x) { return std::isnan(x) || !std::signbit(x); }};
    case Constraint::kPositive:
    case Constraint::kPositiveNotNan:
      return {"# <= 0", false, false, [](double x) { return !(x <= 0); }};
    case Constraint::kProbability:
      return {"# < 0, # > 1", true, false, [](double x) { return x >= 0 && x <= 1; }};
    case Constraint::kProbabilityAbove0:
      return {"# <= 0, # > 1", true, true, [](double x) { return x > 0 && x <= 1; }};
    case Constraint::kProbabilityBelow1:
      return {"# < 0, # >= 1", true, false, [](double x) { return x >= 0 && x < 1; }};
    case Constraint::kAboveOne:
      return {"# <= 1", true, false, [](double x) { return x > 1; }};
    case Constraint::kAtLeastOne:
      return {"# < 1", true, false, [](double x) { return x >= 1; }};
    case Constraint::kPoisson:
      return {"# < 0", true, false, [](double x) { return x >= 0; }};
    case Constraint::kNone:
      break;
  }
  return {"", false, false, [](double) { return true; }};
}

// The name of the i-th parameter in a signature such as "loc=0.0, scale=1.0".
std::string_view parameter_name(std::string_view signature, int index) {
  for (int i = 0; i < index; ++i) signature.remove_prefix(signature.find(", ") + 2);
  return signature.substr(0, signature.find_first_of("=,"));
}

}  // namespace

double poisson_limit() {
  constexpr double kMax = 9223372036854775807.0;
  return kMax - std::sqrt(kMax) * 10;
}

void check_constraint(const Array& values, std::string_view name, Constraint constraint) {
  if (constraint == Constraint::kNone) return;
  if (constraint == Constraint::kPositiveNotNan &&
      !all_of(values, [](double x) { return !std::isnan(x); }))
    reject(std::string(name) + " must not be NaN");
  if (constraint == Constraint::kPoisson &&
      !all_of(values, [limit = poisson_limit()](double x) { return !(x > limit); }))
    reject(std::string(name) + " value too large");
  ConstraintFacts rule = facts_of(constraint);
  if (all_of(values, rule.holds)) return;
  bool scalar = values.rank() == 0 && !rule.always_plural;
  reject(named(rule.pattern, name, scalar, rule.mentions_nan));
}

Parameters::Parameters(Distribution distribution, std::span<const Array> values, unsigned whole)
    : count_(facts(distribution).parameter_count),
      last_first_(distribution == Distribution::kBinomial),
      whole_(whole) {
  if (static_cast<int>(values.size()) != count_)
    throw Error(ErrorKind::kType, std::string(facts(distribution).name) + "() takes " +
                                      std::to_string(count_) + " parameters");
  for (int k = 0; k < count_; ++k) {
    DType wanted = whole >> k & 1u ? DType::kInt64 : DType::kFloat64;
    const Array& value = values[static_cast<std::size_t>(k)];
    bool scalar = value.rank() == 0;
    if (!scalar && !can_cast(value.dtype(), wanted, Casting::kSafe) && wanted == DType::kInt64)
      throw Error(ErrorKind::kType, "Cannot cast array data from dtype('" +
                                        std::string(nd::name(value.dtype())) +
                                        "') to dtype('int64') according to the rule 'safe'");
    values_[k] = value.contiguous(wanted);
    names_[k] = parameter_name(facts(distribution).parameters, k);
    all_scalar_ = all_scalar_ && scalar;
  }
}

void Parameters::check(const Constraint (&constraints)[kMaxParameters]) const {
  for (int k = 0; k < count_; ++k) check_constraint(values_[k], names_[k], constraints[k]);
}

Dims Parameters::broadcast(const Size& size) {
  Dims shape = size ? *size : Dims{};
  if (!all_scalar_) {
    Dims shapes[kMaxParameters + 1];
    std::size_t count = 0;
    if (size) shapes[count++] = *size;
    for (int k = 0; k < count_; ++k)
      shapes[count++] = values_[last_first_ ? count_ - 1 - k : k].shape();
    shape = broadcast_arguments({shapes, count});
    if (size && !(shape == *size))
      reject("Output size " + shape_tuple(*size) +
             " is not compatible with broadcast dimensions of inputs " + shape_tuple(shape) + ".");
  }
  for (int k = 0; k < count_; ++k) {
    bool spread = values_[k].size() != 1;
    if (spread) values_[k] = values_[k].broadcast_to(shape).contiguous();
    step_[k] = spread ? 1 : 0;
    data_[k] = values_[k].data();
  }
  return shape;
}

Dims broadcast_arguments(std::span<const Dims> shapes) {
  int rank = 0;
  for (const Dims& shape : shapes) rank = std::max(rank, shape.size());
  Dims result(rank, 1);
  for (int axis = 0; axis < rank; ++axis) {
    std::size_t decided_by = 0;
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      int own = axis - (rank - shapes[k].size());
      if (own < 0 || shapes[k][own] == 1 || shapes[k][own] == result[axis]) continue;
      if (result[axis] != 1)
        reject(
            "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is "
            "between arg " +
            std::to_string(decided_by) + " with shape " + shape_tuple(shapes[decided_by]) +
            " and arg " + std::to_string(k) + " with shape " + shape_tuple(shapes[k]) + ".");
      result[axis] = shapes[k][own];
      decided_by = k;
    }
  }
  return result;
}

void require_same_shapes(const Array& a, const Array& b) {
  const Dims shapes[2] = {a.shape(), b.shape()};
  broadcast_shapes(shapes);
}

std::string shape_tuple(const Dims& shape) {
  std::string text = "(";
  for (int axis = 0; axis < shape.size(); ++axis)
    text += (axis ? ", " : "") + std::to_string(shape[axis]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

Array empty_result(const Size& size, DType dtype) {
  return Array::empty(size ? *size : Dims{}, dtype);
}

}  // namespace strider::nd::random
