// Methods of numpy.random.Generator that are no row of the table of distributions.
#include <strider/nd/linalg.h>

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
using random::BitGenerator;

BitGenerator& bits_of(const Parameters& p) { return p[0].as<GeneratorObject>()->bits(); }

nd::DType float_type_of(const Value& dtype) {
  return is_given(dtype) ? to_dtype(dtype) : nd::DType::kFloat64;
}

// Draws through `sample(size)`, into out= where it is given, in the order of its memory if nothing
// lies beside it.
template <class Sample>
Value draw_into(const Value& size, nd::DType dtype, const Value& out, Sample sample,
                bool alone = true) {
  const nd::Array* place = to_out(out);
  if (!place) return drawn(sample(to_size(size)), size);
  random::check_output(*place, to_size(size), dtype);
  bool columns = alone && place->is_f_contiguous() && !place->is_c_contiguous();
  nd::Array target = columns ? place->transpose() : *place;
  target.assign(sample(random::Size(target.shape())));
  return out;
}

// random(size, dtype, out)
Value uniform_unit(const Parameters& p) {
  BitGenerator& bits = bits_of(p);
  if (p[1].is_none() && p[2].is_none() && p[3].is_none()) return Value::real(bits.next_double());
  nd::DType dtype = float_type_of(p[2]);
  return draw_into(p[1], dtype, p[3],
                   [&](const random::Size& size) { return random::random(bits, size, dtype); });
}

// standard_normal(size, dtype, out)
Value standard_normal(const Parameters& p) {
  BitGenerator& bits = bits_of(p);
  nd::DType dtype = float_type_of(p[2]);
  return draw_into(p[1], dtype, p[3], [&](const random::Size& size) {
    return random::standard_normal(bits, size, dtype);
  });
}

// standard_exponential(size, dtype, method, out)
Value standard_exponential(const Parameters& p) {
  BitGenerator& bits = bits_of(p);
  nd::DType dtype = float_type_of(p[2]);
  bool inverse = !is_str(p[3]) || text_of(p[3]) != "zig";  // as NumPy takes every other name
  return draw_into(p[1], dtype, p[4], [&](const random::Size& size) {
    return random::standard_exponential(bits, size, dtype, inverse);
  });
}

// standard_gamma(shape, size, dtype, out)
Value standard_gamma(const Parameters& p) {
  BitGenerator& bits = bits_of(p);
  nd::DType dtype = float_type_of(p[3]);
  nd::Array shape = to_array(p[1]);
  auto sample = [&](const random::Size& size) {
    return random::standard_gamma(bits, shape, size, dtype);
  };
  return draw_into(p[2], dtype, p[4], sample, shape.rank() == 0);
}

// integers(low, high, size, dtype, endpoint)
Value integers(const Parameters& p) {
  nd::DType dtype = to_integer_type(p[4], "integers");
  IntegerBounds bounds = to_bounds(p[1], p[2], dtype, truth(p[5]));
  nd::Array result =
      random::integers(bits_of(p), bounds.low, bounds.high, to_size(p[3]), dtype, bounds.endpoint);
  if (is_given(p[3]) || result.rank() > 0) return wrap(std::move(result));
  bool python_type = identical(p[4], Value(&int_type())) || identical(p[4], Value(&bool_type()));
  return python_type ? to_python(result.item()) : wrap_result(std::move(result));
}

Value random_bytes(const Parameters& p) {
  return make<Bytes>(random::bytes(bits_of(p), to_int64(p[1])));
}

// choice(a, size, replace, p, axis, shuffle)
Value choice(const Parameters& p) {
  Population population(p[1], p[5]);
  population.refuse_empty(p[2], "a cannot be empty unless no samples are taken");
  nd::Array weights;
  if (is_given(p[4])) weights = to_parameter(p[4]);
  nd::Array positions = random::choice(bits_of(p), population.size(), to_size(p[2]), truth(p[3]),
                                       weights ? &weights : nullptr, truth(p[6]));
  return population.pick(positions, !is_given(p[2]));
}

// shuffle(x, axis)
Value shuffle(const Parameters& p) {
  if (is_array(p[1])) {
    if (array_of(p[1]).rank() == 0)
      raise(errors::TypeError, "Cannot shuffle 0-d or non-array object");
    if (!is_subclass_array(p[1])) {
      random::shuffle(bits_of(p), array_of(p[1]), to_axis_number(p[2]));
      return Value::none();
    }
  }
  if (is_array(p[1]) || is_boxed_array(p[1])) {  // their classes move the items
    Value lines = with_axis_first(p[1], to_axis_number(p[2]));
    reorder_boxed(lines, random::permutation(bits_of(p), length(lines)));
    return Value::none();
  }
  if (to_int64(p[2]) != 0)
    raise(errors::NotImplementedError, "Axis argument is only supported on ndarray objects");
  if (is_tuple(p[1]) || is_str(p[1]))
    raise(errors::TypeError, "'{}' object does not support item assignment", type_name(p[1]));
  Value items = p[1];
  warn_of_views(items);
  random::shuffle_places(bits_of(p), length(items), swap_items, &items);
  return Value::none();
}

// permutation(x, axis)
Value permutation(const Parameters& p) {
  std::int64_t count;
  bool is_number = !is_array(p[1]) && try_count(p[1], count);
  if (is_number) return wrap(random::permutation(bits_of(p), count));
  if (Value boxed = boxed_population(p[1]); !boxed.is_empty()) {
    int axis = to_axis_number(p[2]);
    nd::normalize_axis(axis, to_shape(get_attribute(boxed, intern("shape"))).size());
    count = length(with_axis_first(boxed, axis));
    return take_boxed(boxed, wrap(random::permutation(bits_of(p), count)), axis);
  }
  return wrap(random::permutation(bits_of(p), to_array(p[1]), to_axis_number(p[2])));
}

// One element has no others to change places with.
void refuse_single(const nd::Dims& shape, const Value& axis) {
  if (shape.size() == 0 && axis.is_none())
    raise(errors::TypeError, "len() of unsized object");
}

// The elements of a boxed array at places that are permuted in their stead.
Value permuted_boxed(BitGenerator& bits, const Value& array, const Value& axis, const Value& out) {
  nd::Dims shape = to_shape(get_attribute(array, intern("shape")));
  refuse_single(shape, axis);
  if (is_given(out) && !(to_shape(get_attribute(out, intern("shape"))) == shape))
    raise(errors::ValueError, "out must have the same shape as x");
  nd::Array places =
      nd::Array::arange(nd::Scalar(0), nd::Scalar(1), nd::element_count(shape), nd::DType::kInt64)
          .reshape(shape);
  random::permute(bits, places, to_optional_axis(axis));
  Value made = get_item(call_method(array, intern("ravel")), wrap(places));
  if (!is_given(out)) return made;
  set_item(out, ellipsis(), made);
  return out;
}

// permuted(x, *, axis, out)
Value permuted(const Parameters& p) {
  if (Value boxed = boxed_population(p[1]); !boxed.is_empty())
    return permuted_boxed(bits_of(p), boxed, p[2], p[3]);
  nd::Array source = to_array(p[1]);
  refuse_single(source.shape(), p[2]);
  if (is_given(p[3]) && !is_array(p[3])) raise(errors::TypeError, "out must be a numpy array");
  const nd::Array* out = to_out(p[3]);
  if (out && !nd::can_cast(source.dtype(), out->dtype(), nd::Casting::kSafe))
    raise(errors::TypeError,
          "Cannot cast array data from dtype('{}') to dtype('{}') according to the rule 'safe'",
          nd::name(source.dtype()), nd::name(out->dtype()));
  nd::Array target = out ? *out : source.copy(nd::Order::kKeep);
  if (out && !out->same_storage(source)) {
    if (!(out->shape() == source.shape()))
      raise(errors::ValueError, "out must have the same shape as x");
    out->assign(source);
  }
  random::permute(bits_of(p), target, to_optional_axis(p[2]));
  return out ? p[3] : wrap(target);
}

// multinomial(n, pvals, size)
Value multinomial(const Parameters& p) {
  return wrap(
      random::multinomial(bits_of(p), to_array(p[1]), to_parameter(p[2]), to_size(p[3])));
}

// dirichlet(alpha, size)
Value dirichlet(const Parameters& p) {
  return wrap(random::dirichlet(bits_of(p), to_array(p[1], nd::DType::kFloat64), to_size(p[2])));
}

// multivariate_hypergeometric(colors, nsample, size, method)
Value multivariate_hypergeometric(const Parameters& p) {
  std::string_view method = to_text(p[4], "method");
  if (method != "marginals" && method != "count")
    raise(errors::ValueError, "method must be \"count\" or \"marginals\".");
  return wrap(random::multivariate_hypergeometric(
      bits_of(p), to_array(p[1]), to_int64(p[2]), to_size(p[3]),
      method == "count" ? random::HypergeometricMethod::kCount
                        : random::HypergeometricMethod::kMarginals));
}

// multivariate_normal(mean, cov, size, check_valid, tol, *, method): composed in npx.
Value multivariate_normal(const Parameters& p) {
  Value draw = find_in_namespace("numpy.random", "_multivariate_normal");
  Value arguments[] = {p[0], p[1], p[2], p[3], p[4], p[5], p[6]};
  return call(draw, Arguments(arguments, 7));
}

const NativeRow kMethods[] = {
    {"random(self, size=None, dtype=None, out=None)", uniform_unit,
     "Uniform numbers of the half-open interval [0, 1)."},
    {"standard_normal(self, size=None, dtype=None, out=None)", standard_normal,
     "Normal numbers of mean 0 and deviation 1."},
    {"standard_exponential(self, size=None, dtype=None, method='zig', out=None)",
     standard_exponential, "Exponential numbers of scale 1."},
    {"standard_gamma(self, shape, size=None, dtype=None, out=None)", standard_gamma,
     "Gamma numbers of scale 1."},
    {"integers(self, low, high=None, size=None, dtype=None, endpoint=False)", integers,
     "Integers from low up to high, high itself only with endpoint."},
    {"bytes(self, length)", random_bytes, "Random bytes."},
    {"choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True)", choice,
     "Random elements of an array or of arange(a)."},
    {"shuffle(self, x, axis=0)", shuffle, "Reorders an array or list in place along an axis."},
    {"permutation(self, x, axis=0)", permutation, "A reordered copy, or a reordered range."},
    {"permuted(self, x, *, axis=None, out=None)", permuted,
     "A copy in which every slice along an axis is reordered on its own."},
    {"multinomial(self, n, pvals, size=None)", multinomial, "Counts of n throws in categories."},
    {"dirichlet(self, alpha, size=None)", dirichlet, "Shares that sum to one."},
    {"multivariate_hypergeometric(self, colors, nsample, size=None, method='marginals')",
     multivariate_hypergeometric, "Counts by colour of a sample without replacement."},
    {"multivariate_normal(self, mean, cov, size=None, check_valid='warn', tol=1e-8, *, "
     "method='svd')",
     multivariate_normal, "Normal vectors of a mean and a covariance."},
};

}  // namespace

std::span<const NativeRow> generator_methods() { return kMethods; }

}  // namespace strider::lang
