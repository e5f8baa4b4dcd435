// One row per distribution: which parameters are integers, what they must satisfy, how one number
// is drawn. Shared by the modern and the legacy tables.
#pragma once

#include <strider/nd/array.h>

#include "kernels/random/parameters.h"

namespace strider::nd::random {

template <class Source>
struct Rule {
  unsigned whole = 0;  // bit k: parameter k is an integer
  Constraint constraints[kMaxParameters] = {};
  double (*real)(Source&, const Cell*) = nullptr;
  std::int64_t (*integer)(Source&, const Cell*) = nullptr;
  void (*check)(const Parameters&) = nullptr;  // what concerns several parameters
};

// A rule whose numbers are floats, or whole: what its parameters must satisfy, how one is drawn.
template <class Source>
Rule<Source> real_rule(Constraint a, Constraint b, Constraint c,
                       double (*draw)(Source&, const Cell*),
                       void (*check)(const Parameters&) = nullptr) {
  return {0, {a, b, c}, draw, nullptr, check};
}
template <class Source>
Rule<Source> integer_rule(unsigned whole, Constraint a, Constraint b, Constraint c,
                          std::int64_t (*draw)(Source&, const Cell*),
                          void (*check)(const Parameters&) = nullptr) {
  return {whole, {a, b, c}, nullptr, draw, check};
}

// Draws all elements of a result by a rule.
template <class Source>
Array draw_by_rule(Source& source, const Rule<Source>& rule, Parameters& parameters,
                   const Size& size) {
  Dims shape = parameters.broadcast(size);
  Array result = Array::empty(shape, rule.real ? DType::kFloat64 : DType::kInt64);
  if (rule.real)
    parameters.each(result.mutable_as<double>(), result.size(),
                    [&](const Cell* cells) { return rule.real(source, cells); });
  else
    parameters.each(result.mutable_as<std::int64_t>(), result.size(),
                    [&](const Cell* cells) { return rule.integer(source, cells); });
  return result;
}

// "left > mode", "mode > right", "left == right".
void check_triangular(const Parameters& parameters);
// "ngood + nbad < nsample".
void check_hypergeometric(const Parameters& parameters);
// Calls test(cells) for each combination of the parameters' elements.
bool every_combination(const Parameters& parameters, int count, bool (*test)(const double*));

}  // namespace strider::nd::random
