// Follows NumPy's search among inputs: plain arrays have priority 0, and give way to equals.
#include "interpreter/builtins/numpy/ufunc/result_class.h"

#include <limits>

#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/numpy/ufunc/ufunc_object.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

Name wrap_name() {
  static const Name name = intern("__array_wrap__");
  return name;
}

double priority_of(const Value& value) {
  Value priority = find_attribute(value, names().array_priority);
  return priority.is_empty() ? 0.0 : to_double(priority);
}

// The manner before NumPy 2 had two parameters, or the array alone.
Value call_wrap(const Value& model, const Value& array, const Value& context, bool scalar) {
  Value hook = get_attribute(model, wrap_name());
  std::int64_t count;
  try {
    return call(hook, array, context, Value::boolean(scalar));
  } catch (const Raised& raised) {
    if (!raised.exception->type()->is_subclass_of(&errors::TypeError())) throw;
    const Value* function = type_of(model)->lookup(wrap_name());
    Value code = get_attribute(*function, intern("__code__"));
    count = to_int64(get_attribute(code, intern("co_argcount")));
    if (count != 2 && count != 3) throw;
  }
  warn(errors::DeprecationWarning(),
       "__array_wrap__ must accept context and return_scalar arguments (positionally) in the "
       "future. (Deprecated NumPy 2.0)");
  return count == 2 ? call(hook, array) : call(hook, array, context);
}

// In the class of the model, which need not be an array's.
Value wrap_in_class(nd::Array result, const Value& model) {
  if (!is_subclass_array(model)) return wrap_result(std::move(result));
  return wrap_as(type_of(model), std::move(result), model);
}

}  // namespace

bool wraps_itself(const Value& value) {
  if (!value.is_object() || !type_of(value)->has(Type::kUserDefined)) return false;
  const Value* hook = type_of(value)->lookup(wrap_name());
  return hook && hook->has_layout(Layout::kFunction);
}

Value class_model(std::span<const Value> inputs) {
  double best = -std::numeric_limits<double>::infinity();
  Value model;
  bool seen = false;
  for (const Value& input : inputs) {
    if (is_array(input) && !is_subclass_array(input)) {
      if (best < 0) {
        best = 0;
        model = Value();
      }
      seen = true;
    } else if (is_subclass_array(input) || wraps_itself(input)) {
      double priority = priority_of(input);
      bool before_plain = priority == 0 && model.is_empty();
      if (!seen || priority > best || before_plain) {
        model = input;
        best = priority;
      }
      seen = true;
    }
  }
  return model;
}

Value wrap_by_model(nd::Array result, const Value& model, nd::Op op, std::span<const Value> inputs,
                    int index) {
  if (!wraps_itself(model)) return wrap_in_class(std::move(result), model);
  return wrap_by_model(std::move(result), model, make_ufunc(op), inputs, index);
}

Value wrap_by_model(nd::Array result, const Value& model, const Value& ufunc,
                    std::span<const Value> inputs, int index) {
  if (!wraps_itself(model)) return wrap_in_class(std::move(result), model);
  bool scalar = result.rank() == 0;
  Value context =
      make_tuple({ufunc, make_tuple(Values(inputs.begin(), inputs.end())), Value::integer(index)});
  return call_wrap(model, wrap(std::move(result)), context, scalar);
}

Value wrap_reduced(nd::Array result, const Value& array) {
  if (!is_subclass_array(array))
    return result.rank() == 0 ? wrap_result(std::move(result)) : wrap_owner(std::move(result));
  if (!wraps_itself(array)) return wrap_in_class(std::move(result), array);
  bool scalar = result.rank() == 0;
  return call_wrap(array, wrap(std::move(result)), Value::none(), scalar);
}

Value reduced_result(nd::Array result, const Value& out, const Value& array) {
  if (!is_given(out)) return wrap_reduced(std::move(result), array);
  warn_of_lost_parts(this_array(array).dtype(), result.dtype());
  return out_result(std::move(result), out);
}

}  // namespace strider::lang
