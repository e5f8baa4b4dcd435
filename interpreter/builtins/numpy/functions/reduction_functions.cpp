// Reductions and scans as functions of numpy and methods of arrays: one piece of code serves both.
#include <strider/nd/eval.h>
#include <strider/nd/reduce.h>

#include <cmath>

#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/numpy/functions/functions.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/builtins/numpy/ufunc/result_class.h"
#include "interpreter/builtins/numpy/ufunc/ufunc_call.h"
#include "interpreter/builtins/numpy/ufunc/ufunc_object.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

// Keyword values of a reduction, kept alive while it runs.
struct ReduceArguments {
  nd::ReduceOptions options;
  nd::Array where;
  nd::Scalar initial;

  void set_axes(const Value& axis) { options.axes = to_axes(axis); }
  // Means count along axes, which must be there; sums put up with axis 0 of a scalar.
  void check_axes(const Value& array) const {
    for (std::int64_t axis : options.axes.list) nd::normalize_axis(axis, this_array(array).rank());
  }
  void set_keepdims(const Value& value) { options.keepdims = !value.is_empty() && truth(value); }
  void set_where(const Value& value) { options.where = to_where(value, where); }
  // As an element of what is folded: after dtype and out.
  void set_initial(nd::Op op, const nd::Array& array, const Value& value) {
    if (value.is_empty()) return;
    if (value.is_none()) {
      options.without_initial = true;
      return;
    }
    initial = to_scalar(value, nd::reduction_type(op, array, options.dtype, options.out));
    options.initial = &initial;
  }
};

// What an array that overrides ufuncs answers when it is reduced; Empty for other arrays.
Value ask_override(nd::Op op, const Value& self, const Value& axis, const Value& dtype,
                   const Value& out, const Value& keepdims, const Value& initial,
                   const Value& where) {
  refuse_opted_out(self);
  if (!has_override(self) && !where.is_object()) return Value();
  ArgumentList list;
  list.values = {self};
  list.keywords = {{intern("axis"), axis}, {intern("dtype"), dtype}};
  bool keeps = !keepdims.is_empty() && truth(keepdims);
  if (is_array(self) || keeps) list.keywords.push_back({intern("keepdims"), Value::boolean(keeps)});
  if (!initial.is_empty()) list.keywords.push_back({intern("initial"), initial});
  if (!where.is_empty() && (is_array(self) || !where.is_bool()))
    list.keywords.push_back({intern("where"), where});
  if (!out.is_empty() && !out.is_none())
    list.keywords.push_back({intern("out"), is_tuple(out) ? out : Value(make_tuple({out}))});
  return call_override(make_ufunc(op), "reduce", list);
}

// reduced_result() of a function whose results are real.
Value real_result(nd::Array result, const Value& out, const Value& array) {
  if (is_given(out)) return out_result(std::move(result), out);
  return wrap_reduced(std::move(result), array);
}

using Reduction = nd::Array (*)(const nd::Array&, const nd::ReduceOptions&);

// f(a, axis, dtype, out, keepdims, initial, where)
template <Reduction kReduction>
Value reduce_with_dtype(const Parameters& p) {
  const nd::Op op =
      kReduction == static_cast<Reduction>(nd::sum) ? nd::Op::kAdd : nd::Op::kMultiply;
  Value answer = ask_override(op, p[0], p[1], p[2], p[3], p[4], p[5], p[6]);
  if (!answer.is_empty()) return answer;
  nd::Array array = this_array(p[0]);
  ReduceArguments arguments;
  arguments.set_axes(p[1]);
  arguments.options.dtype = to_dtype_for(p[0], p[2]);
  arguments.options.out = to_out(p[3]);
  arguments.set_keepdims(p[4]);
  arguments.set_initial(op, array, p[5]);
  arguments.set_where(p[6]);
  return reduced_result(kReduction(array, arguments.options), p[3], p[0]);
}

// f(a, axis, out, keepdims, initial, where)
template <Reduction kReduction>
Value reduce_extreme(const Parameters& p) {
  const nd::Op op =
      kReduction == static_cast<Reduction>(nd::max) ? nd::Op::kMaximum : nd::Op::kMinimum;
  Value answer = ask_override(op, p[0], p[1], Value::none(), p[2], p[3], p[4], p[5]);
  if (!answer.is_empty()) return answer;
  nd::Array array = this_array(p[0]);
  ReduceArguments arguments;
  arguments.set_axes(p[1]);
  arguments.options.out = to_out(p[2]);
  arguments.set_keepdims(p[3]);
  arguments.set_initial(op, array, p[4]);
  arguments.set_where(p[5]);
  if (arguments.options.where && !arguments.options.initial)
    raise(errors::ValueError,
          "reduction operation '{}' does not have an identity, so to use a where mask one has to "
          "specify 'initial'",
          kReduction == static_cast<Reduction>(nd::max) ? "maximum" : "minimum");
  return reduced_result(kReduction(array, arguments.options), p[2], p[0]);
}

// f(a, axis, out, keepdims, *, where)
template <Reduction kReduction>
Value reduce_truth(const Parameters& p) {
  const nd::Op op =
      kReduction == static_cast<Reduction>(nd::any) ? nd::Op::kLogicalOr : nd::Op::kLogicalAnd;
  bool everywhere = p[4].is_empty() || (p[4].is_bool() && p[4].as_bool());
  Value answer = ask_override(op, p[0], p[1], make_dtype(nd::DType::kBool), p[2], p[3], Value(),
                              everywhere ? Value() : p[4]);
  if (!answer.is_empty()) return answer;
  ReduceArguments arguments;
  arguments.set_axes(p[1]);
  arguments.options.out = to_out(p[2]);
  arguments.set_keepdims(p[3]);
  arguments.set_where(p[4]);
  return real_result(kReduction(this_array(p[0]), arguments.options), p[2], p[0]);
}

// What a function of npx, made of ufuncs, gives for an array that overrides them or has a say in
// their results; Empty for others.
Value ask_in_npx(const char* function, const Parameters& p, std::initializer_list<Value> rest) {
  if (!is_subclass_array(p[0]) || !(has_override(p[0]) || wraps_itself(p[0]))) return Value();
  Values arguments = {p[0]};
  for (const Value& each : rest) arguments.push_back(each);
  return call_in_npx(function, arguments);
}

Value peak_to_peak(const Parameters& p) {
  Value answer = ask_in_npx("_overridden_ptp", p, {p[1], p[2], p[3]});
  if (!answer.is_empty()) return answer;
  ReduceArguments arguments;
  arguments.set_axes(p[1]);
  arguments.options.out = to_out(p[2]);
  arguments.set_keepdims(p[3]);
  return reduced_result(nd::ptp(this_array(p[0]), arguments.options), p[2], p[0]);
}

// How many elements a reduction takes together; where a mask says so, as many as can be.
double elements_along(const nd::Array& array, const nd::ReduceOptions& options) {
  if (options.where) return INFINITY;
  if (options.axes.all) return static_cast<double>(array.size());
  double count = 1;
  for (std::int64_t axis : options.axes.list)
    count *= static_cast<double>(array.shape()[nd::normalize_axis(axis, array.rank())]);
  return count;
}

// mean(a, axis, dtype, out, keepdims, *, where)
Value mean(const Parameters& p) {
  Value answer = ask_in_npx("_overridden_mean", p, {p[1], p[2], p[3], p[4], p[5]});
  if (!answer.is_empty()) return answer;
  ReduceArguments arguments;
  arguments.set_axes(p[1]);
  arguments.check_axes(p[0]);
  arguments.options.dtype = to_dtype_for(p[0], p[2]);
  arguments.options.out = to_out(p[3]);
  arguments.set_keepdims(p[4]);
  arguments.set_where(p[5]);
  bool empty = false;
  nd::Array array = this_array(p[0]);
  bool known_empty = elements_along(array, arguments.options) == 0;
  if (known_empty) warn(errors::RuntimeWarning(), "Mean of empty slice");
  nd::Array result = nd::mean(array, arguments.options, &empty);
  if (empty && !known_empty) warn(errors::RuntimeWarning(), "Mean of empty slice");
  return reduced_result(std::move(result), p[3], p[0]);
}

void warn_of_freedom() { warn(errors::RuntimeWarning(), "Degrees of freedom <= 0 for slice"); }

using Spread = nd::Array (*)(const nd::Array&, const nd::ReduceOptions&, double, bool*,
                             const nd::Array*);

// f(a, axis, dtype, out, ddof, keepdims, *, where, mean, correction)
template <Spread kSpread>
Value spread(const Parameters& p) {
  const bool root = kSpread == static_cast<Spread>(nd::std_deviation);
  Value answer = ask_in_npx(root ? "_overridden_std" : "_overridden_var", p,
                            {p[1], p[2], p[3], p.has(8) ? p[8] : p[4], p[5], p[6]});
  if (!answer.is_empty()) return answer;
  ReduceArguments arguments;
  arguments.set_axes(p[1]);
  arguments.check_axes(p[0]);
  arguments.options.dtype = to_dtype_for(p[0], p[2]);
  arguments.options.out = to_out(p[3]);
  double ddof = to_double(p[4]);
  arguments.set_keepdims(p[5]);
  arguments.set_where(p[6]);
  nd::Array known_mean;
  if (p.has(7)) known_mean = to_array(p[7]);
  if (p.has(8)) {
    if (ddof != 0)
      raise(errors::ValueError, "ddof and correction can't be provided simultaneously.");
    ddof = to_double(p[8]);
  }
  nd::Array array = this_array(p[0]);
  bool known_few = elements_along(array, arguments.options) - ddof <= 0, few = false;
  if (known_few) warn_of_freedom();
  nd::Array result =
      kSpread(array, arguments.options, ddof, &few, known_mean ? &known_mean : nullptr);
  if (few && !known_few) warn_of_freedom();
  return real_result(std::move(result), p[3], p[0]);
}

using Search = nd::Array (*)(const nd::Array&, std::optional<std::int64_t>, bool, const nd::Array*);

// f(a, axis, out, *, keepdims)
template <Search kSearch>
Value search_extreme(const Parameters& p) {
  bool keepdims = !p[3].is_empty() && truth(p[3]);
  return out_result(kSearch(this_array(p[0]), to_axis(p[1]), keepdims, to_out(p[2])), p[2], p[0]);
}

using Scan = nd::Array (*)(const nd::Array&, std::optional<std::int64_t>, std::optional<nd::DType>,
                           const nd::Array*);

// What an array that overrides ufuncs answers when sums or products run along it; Empty for others.
Value ask_override(nd::Op op, const Parameters& p) {
  if (!is_subclass_array(p[0]) || !has_override(p[0])) return Value();
  ArgumentList list;
  list.values = {p[1].is_none() ? call_method(p[0], intern("ravel")) : p[0]};
  list.keywords = {{intern("axis"), p[1].is_none() ? Value::integer(0) : p[1]}};
  if (!p[2].is_none()) list.keywords.push_back({intern("dtype"), p[2]});
  if (is_given(p[3])) list.keywords.push_back({intern("out"), make_tuple({p[3]})});
  return call_override(make_ufunc(op), "accumulate", list);
}

// f(a, axis, dtype, out)
template <Scan kScan>
Value scan(const Parameters& p) {
  const nd::Op op = kScan == static_cast<Scan>(nd::cumsum) ? nd::Op::kAdd : nd::Op::kMultiply;
  Value answer = ask_override(op, p);
  if (!answer.is_empty()) return answer;
  nd::Array result = kScan(this_array(p[0]), to_axis(p[1]), to_dtype_for(p[0], p[2]), to_out(p[3]));
  return reduced_result(std::move(result), p[3], p[0]);
}

Value count_nonzero(const Parameters& p) {
  nd::Array array = this_array(p[0]);
  bool keepdims = truth(p[2]);
  bool everything = p[1].is_none() && !keepdims;
  if (everything && !nd::is_away(array)) return make_scalar(nd::Scalar(nd::count_nonzero(array)));
  return wrap_reduced(nd::count_nonzero(array, to_axes(p[1]), keepdims), p[0]);
}

#define SCAN_PARAMETERS "axis=None, dtype=None, out=None)"
#define SUM_PARAMETERS \
  "axis=None, dtype=None, out=None, keepdims=False, initial=<none>, where=True)"
#define EXTREME_PARAMETERS "axis=None, out=None, keepdims=False, initial=<none>, where=True)"
#define TRUTH_PARAMETERS "axis=None, out=None, keepdims=False, *, where=True)"
#define MEAN_PARAMETERS "axis=None, dtype=None, out=None, keepdims=False, *, where=True)"
#define SPREAD_PARAMETERS                                                                 \
  "axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=<none>, " \
  "correction=<none>)"

#define SHARED_ROWS(SELF)                                                                        \
  {"sum(" SELF SUM_PARAMETERS, reduce_with_dtype<nd::sum>, "Sum of the elements along axes."},   \
      {"prod(" SELF SUM_PARAMETERS, reduce_with_dtype<nd::prod>,                                 \
       "Product of the elements along axes."},                                                   \
      {"max(" SELF EXTREME_PARAMETERS, reduce_extreme<nd::max>, "Largest element along axes."},  \
      {"min(" SELF EXTREME_PARAMETERS, reduce_extreme<nd::min>, "Smallest element along axes."}, \
      {"any(" SELF TRUTH_PARAMETERS, reduce_truth<nd::any>, "Whether any element is true."},     \
      {"all(" SELF TRUTH_PARAMETERS, reduce_truth<nd::all>, "Whether all elements are true."},   \
      {"mean(" SELF MEAN_PARAMETERS, mean, "Mean of the elements along axes."},                  \
      {"var(" SELF SPREAD_PARAMETERS, spread<nd::var>, "Variance of the elements along axes."},  \
      {"std(" SELF SPREAD_PARAMETERS, spread<nd::std_deviation>,                                 \
       "Standard deviation of the elements along axes."},                                        \
      {"argmax(" SELF "axis=None, out=None, *, keepdims=<none>)", search_extreme<nd::argmax>,    \
       "Position of the first largest element."},                                                \
      {"argmin(" SELF "axis=None, out=None, *, keepdims=<none>)", search_extreme<nd::argmin>,    \
       "Position of the first smallest element."},                                               \
      {"cumsum(" SELF SCAN_PARAMETERS, scan<nd::cumsum>, "Running sums along an axis."},         \
      {"cumprod(" SELF SCAN_PARAMETERS, scan<nd::cumprod>, "Running products along an axis."},

const NativeRow kMethods[] = {SHARED_ROWS("self, /, ")};

const NativeRow kFunctions[] = {
    SHARED_ROWS("a, "){"amax(a, " EXTREME_PARAMETERS, reduce_extreme<nd::max>,
                       "Largest element along axes."},
    {"amin(a, " EXTREME_PARAMETERS, reduce_extreme<nd::min>, "Smallest element along axes."},
    {"ptp(a, axis=None, out=None, keepdims=False)", peak_to_peak,
     "Largest minus smallest element along axes."},
    {"count_nonzero(a, axis=None, *, keepdims=False)", count_nonzero,
     "Number of elements that are not zero."},
};

}  // namespace

std::span<const NativeRow> array_reduction_methods() { return kMethods; }
std::span<const NativeRow> reduction_functions() { return kFunctions; }

}  // namespace strider::lang
