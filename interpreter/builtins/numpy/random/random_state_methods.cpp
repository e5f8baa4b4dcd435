// Methods of numpy.random.RandomState that are no row of the table of distributions.
#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/numpy_module.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/builtins/numpy/random/random_arguments.h"
#include "interpreter/builtins/numpy/random/random_objects.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

namespace random = nd::random;
using random::LegacyState;

LegacyState& state_of(const Parameters& p) { return p[0].as<RandomStateObject>()->state; }

using Sampler = nd::Array (*)(LegacyState&, const random::Size&);

// f(size)
template <Sampler kSampler>
Value sample(const Parameters& p) {
  return drawn(kSampler(state_of(p), to_size(p[1])), p[1]);
}

// f(*shape): rand and randn
template <Sampler kSampler>
Value sample_shape(const Parameters& p) {
  bool single = p[1].as<Tuple>()->size() == 0;
  Value size = single ? Value::none() : p[1];
  return drawn(kSampler(state_of(p), to_size(size)), size);
}

// standard_gamma(shape, size)
Value standard_gamma(const Parameters& p) {
  return drawn(random::legacy_standard_gamma(state_of(p), to_array(p[1]), to_size(p[2])), p[2]);
}

// randint(low, high, size, dtype)
Value random_integers(const Parameters& p) {
  nd::DType dtype = to_integer_type(p[4], "randint");
  IntegerBounds bounds = to_bounds(p[1], p[2], dtype, false);
  nd::Array result =
      random::randint(state_of(p), bounds.low, bounds.high, to_size(p[3]), dtype, bounds.endpoint);
  if (is_given(p[3]) || result.rank() > 0) return wrap(std::move(result));
  bool python_type = !is_given(p[4]) || identical(p[4], Value(&int_type())) ||
                     identical(p[4], Value(&bool_type()));
  return python_type ? to_python(result.item()) : wrap_result(std::move(result));
}

Value random_bytes(const Parameters& p) {
  return make<Bytes>(random::bytes(*state_of(p).bits, to_int64(p[1])));
}

// choice(a, size, replace, p)
Value choice(const Parameters& p) {
  Population population(p[1], Value::integer(0), "a must be 1-dimensional or an integer");
  if (population.is_deep()) raise_message(errors::ValueError(), "a must be 1-dimensional");
  population.refuse_empty(p[2], "'a' cannot be empty unless no samples are taken");
  nd::Array weights;
  if (is_given(p[4])) weights = to_parameter(p[4]);
  nd::Array positions = random::legacy_choice(state_of(p), population.size(), to_size(p[2]),
                                              truth(p[3]), weights ? &weights : nullptr);
  return population.pick(positions, !is_given(p[2]));
}

Value shuffle(const Parameters& p) {
  if (is_array(p[1]) && !is_subclass_array(p[1])) {
    random::legacy_shuffle(state_of(p), array_of(p[1]));
    return Value::none();
  }
  if (is_boxed_array(p[1]) || is_array(p[1])) {
    reorder_boxed(p[1], random::legacy_permutation(state_of(p), length(p[1])));
    return Value::none();
  }
  if (is_tuple(p[1]) || is_str(p[1]))
    raise(errors::TypeError, "'{}' object does not support item assignment", type_name(p[1]));
  Value items = p[1];
  warn_of_views(items);
  random::legacy_shuffle_places(state_of(p), length(items), swap_items, &items);
  return Value::none();
}

Value permutation(const Parameters& p) {
  std::int64_t count;
  if (!is_array(p[1]) && try_count(p[1], count))
    return wrap(random::legacy_permutation(state_of(p), count));
  if (Value boxed = boxed_population(p[1]); !boxed.is_empty()) {
    if (to_shape(get_attribute(boxed, intern("shape"))).size() == 0)
      raise(errors::IndexError, "x must be an integer or at least 1-dimensional");
    return get_item(boxed, wrap(random::legacy_permutation(state_of(p), length(boxed))));
  }
  return wrap(random::legacy_permutation(state_of(p), to_array(p[1])));
}

// multinomial(n, pvals, size)
Value multinomial(const Parameters& p) {
  nd::Array chances = to_parameter(p[2]);
  if (chances.rank() > 1 && is_array(p[2]))
    raise(errors::ValueError, "object too deep for desired array");
  if (chances.rank() > 1)
    raise(errors::ValueError,
          "setting an array element with a sequence. The requested array would exceed the maximum "
          "number of dimension of 1.");
  bool fraction = is_float(p[1]);
  std::int64_t count = fraction ? static_cast<std::int64_t>(to_double(p[1])) : to_int64(p[1]);
  return wrap(random::legacy_multinomial(state_of(p), count, chances, to_size(p[3])));
}

// dirichlet(alpha, size)
Value dirichlet(const Parameters& p) {
  return wrap(
      random::legacy_dirichlet(state_of(p), to_array(p[1], nd::DType::kFloat64), to_size(p[2])));
}

// multivariate_normal(mean, cov, size, check_valid, tol): composed in npx.
Value multivariate_normal(const Parameters& p) {
  Value draw = find_in_namespace("numpy.random", "_legacy_multivariate_normal");
  Value arguments[] = {p[0], p[1], p[2], p[3], p[4], p[5]};
  return call(draw, Arguments(arguments, 6));
}

// random_integers(low, high, size): kept for old programs, written in npx.
Value closed_integers(const Parameters& p) {
  Value draw = find_in_namespace("numpy.random", "_draw_random_integers");
  return call(draw, p[0], p[1], p[2], p[3]);
}

const NativeRow kMethods[] = {
    {"rand(self, *args)", sample_shape<random::random_sample>,
     "Uniform numbers of the half-open interval [0, 1) in a shape."},
    {"randn(self, *args)", sample_shape<random::legacy_standard_normal>,
     "Normal numbers of mean 0 and deviation 1 in a shape."},
    {"random(self, size=None)", sample<random::random_sample>,
     "Uniform numbers of the half-open interval [0, 1)."},
    {"random_sample(self, size=None)", sample<random::random_sample>,
     "Uniform numbers of the half-open interval [0, 1)."},
    {"standard_normal(self, size=None)", sample<random::legacy_standard_normal>,
     "Normal numbers of mean 0 and deviation 1."},
    {"standard_exponential(self, size=None)", sample<random::legacy_standard_exponential>,
     "Exponential numbers of scale 1."},
    {"standard_gamma(self, shape, size=None)", standard_gamma, "Gamma numbers of scale 1."},
    {"tomaxint(self, size=None)", sample<random::tomaxint>,
     "Integers from 0 up to the largest of the platform."},
    {"randint(self, low, high=None, size=None, dtype=None)", random_integers,
     "Integers from low up to, not including, high."},
    {"random_integers(self, low, high=None, size=None)", closed_integers,
     "Integers from low to high, both included (from 1 to low without high)."},
    {"bytes(self, length)", random_bytes, "Random bytes."},
    {"choice(self, a, size=None, replace=True, p=None)", choice,
     "Random elements of an array or of arange(a)."},
    {"shuffle(self, x)", shuffle, "Reorders an array or list in place."},
    {"permutation(self, x)", permutation, "A reordered copy, or a reordered range."},
    {"multinomial(self, n, pvals, size=None)", multinomial, "Counts of n throws in categories."},
    {"dirichlet(self, alpha, size=None)", dirichlet, "Shares that sum to one."},
    {"multivariate_normal(self, mean, cov, size=None, check_valid='warn', tol=1e-8)",
     multivariate_normal, "Normal vectors of a mean and a covariance."},
};

}  // namespace

std::span<const NativeRow> random_state_methods() { return kMethods; }

}  // namespace strider::lang
