// clip, round and divmod in terms of ufuncs.
#include "interpreter/builtins/numpy/ufunc/elementwise_functions.h"

#include <strider/nd/ufunc.h>

#include <cmath>

#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/ufunc/result_class.h"
#include "interpreter/builtins/numpy/ufunc/ufunc_call.h"
#include "interpreter/builtins/numpy/ufunc/ufunc_object.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using nd::Op;

nd::Array clip_array(const Parameters& p, const Value& low, const Value& high) {
  OperandKeeper keep_array, keep_low, keep_high;
  Value first = is_array(p[0]) ? p[0] : wrap(this_array(p[0]));  // the operand refers to it
  nd::Operand array = to_operand(first, keep_array);
  Op op = low.is_none() && high.is_none() ? Op::kPositive
          : low.is_none()                 ? Op::kMinimum
          : high.is_none()                ? Op::kMaximum
                                          : Op::kClip;
  ArgumentList list;
  for (const Dict::Entry& entry : p[4].as<Dict>()->entries()) {
    if (entry.key.is_empty()) continue;
    std::string_view name = text_of(entry.key);
    if (name != "min" && name != "max") list.keywords.push_back({intern(name), entry.value});
  }
  UfuncKeywords keywords(op, list);
  nd::UfuncOptions options = keywords.options();
  options.out[0] = to_out(p[3]);
  if (low.is_none() && high.is_none()) return nd::apply(Op::kPositive, array, options);
  if (low.is_none()) return nd::apply(Op::kMinimum, array, to_operand(high, keep_high), options);
  if (high.is_none()) return nd::apply(Op::kMaximum, array, to_operand(low, keep_low), options);
  nd::Operand operands[] = {array, to_operand(low, keep_low), to_operand(high, keep_high)};
  return nd::apply(Op::kClip, operands, options);
}

Value keyword(const Parameters& p, const char* name) {
  Value* given = p[4].as<Dict>()->find(intern(name));
  return given ? *given : Value::none();
}

nd::Array round_decimals(const nd::Array& array, std::int64_t decimals, const nd::Array* out);

// Real and imaginary parts rounded apart, so that zeros keep their signs.
nd::Array round_parts(const nd::Array& array, std::int64_t decimals, const nd::Array* out) {
  nd::Array result = array.copy(nd::Order::kKeep), real = result.real(), imaginary = result.imag();
  round_decimals(real, decimals, &real);
  round_decimals(imaginary, decimals, &imaginary);
  if (out) out->assign(result);
  return out ? *out : result;
}

// x * 10**decimals rounded to whole numbers and divided again, as numpy.round defines it.
nd::Array round_decimals(const nd::Array& array, std::int64_t decimals, const nd::Array* out) {
  nd::UfuncOptions options;
  if (nd::is_complex(array.dtype()) && decimals != 0) return round_parts(array, decimals, out);
  if (nd::is_integer(array.dtype()) || array.dtype() == nd::DType::kBool) {
    if (decimals >= 0) {
      options.out[0] = out;
      if (array.dtype() == nd::DType::kBool) return nd::apply(Op::kRint, array, options);
      return nd::apply(Op::kPositive, array, options);
    }
    auto unit = static_cast<std::int64_t>(std::pow(10.0, static_cast<double>(-decimals)));
    nd::Array scaled = nd::apply(Op::kDivide, array, nd::Operand::weak_int(unit));
    nd::Array whole = nd::apply(Op::kRint, scaled);
    nd::Array back = nd::apply(Op::kMultiply, whole, nd::Operand::weak_int(unit));
    nd::Array result = back.astype(array.dtype());
    if (out) out->assign(result);
    return out ? *out : result;
  }
  if (nd::is_complex(array.dtype())) {
    nd::Array result = out ? *out : array.copy(nd::Order::kKeep);
    result.real().assign(round_decimals(array.real(), decimals, nullptr));
    result.imag().assign(round_decimals(array.imag(), decimals, nullptr));
    return result;
  }
  if (decimals == 0) {
    options.out[0] = out;
    return nd::apply(Op::kRint, array, options);
  }
  double unit = std::pow(10.0, static_cast<double>(std::abs(decimals)));
  Op first = decimals > 0 ? Op::kMultiply : Op::kDivide;
  Op second = decimals > 0 ? Op::kDivide : Op::kMultiply;
  nd::Array scaled = nd::apply(first, array, nd::Operand::weak_float(unit));
  nd::Array whole = nd::apply(Op::kRint, scaled);
  options.out[0] = out;
  options.order =
      array.is_f_contiguous() && !array.is_c_contiguous() ? nd::Order::kF : nd::Order::kC;
  return nd::apply(second, whole, nd::Operand::weak_float(unit), options);
}

}  // namespace

// np.clip takes a_min and a_max, or min and max; the method has Nones for bounds not given.
Value clip_function(const Parameters& p) {
  Value low = p[1], high = p[2];
  if (low.is_empty() != high.is_empty())
    raise(errors::TypeError, "clip() missing 1 required positional argument: '{}'",
          low.is_empty() ? "a_min" : "a_max");
  bool both = !low.is_empty();
  for (const char* name : {"min", "max"})
    if (both && p[4].as<Dict>()->find(intern(name)))
      raise(errors::ValueError,
            "Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is "
            "forbidden.");
  if (!both) low = keyword(p, "min"), high = keyword(p, "max");
  if (has_override(p[0]) && !low.is_none() && !high.is_none())
    return call(make_ufunc(Op::kClip), p[0], low, high);
  if (is_given(p[3])) return out_result(clip_array(p, low, high), p[3]);
  if (!is_subclass_array(p[0]) || low.is_none() || high.is_none())
    return wrap_reduced(clip_array(p, low, high), p[0]);
  Value inputs[] = {p[0], low, high};
  return wrap_by_model(clip_array(p, low, high), class_model(inputs), Op::kClip, inputs);
}

Value round_function(const Parameters& p) {
  if (has_override(p[0]) && to_int64(p[1]) == 0) return call(make_ufunc(Op::kRint), p[0]);
  nd::Array array = this_array(p[0]);
  const nd::Array* out = to_out(p[2]);
  if (out && out->shape() != array.shape()) raise(errors::ValueError, "invalid output shape");
  nd::Array result = round_decimals(array, to_int64(p[1]), out);
  if (is_given(p[2])) return out_result(std::move(result), p[2]);
  if (!is_subclass_array(p[0])) return wrap_result(std::move(result));
  std::int64_t decimals = to_int64(p[1]);
  bool floating = nd::is_floating(result.dtype());
  bool scaled = floating ? decimals != 0 : nd::is_integer(result.dtype()) && decimals < 0;
  if (scaled) return wrap_result(std::move(result));  // as NumPy has it
  if (!floating) return wrap_reduced(std::move(result), p[0]);
  return wrap_by_model(std::move(result), p[0], Op::kRint, {&p[0], 1});
}

Value apply_divmod(const Value& left, const Value& right) {
  OperandKeeper keep_left, keep_right;
  nd::Operand operands[] = {to_operand(left, keep_left), to_operand(right, keep_right)};
  nd::ArrayPair pair = nd::apply2(Op::kDivmod, operands);
  Value values[] = {left, right};
  Value model = class_model(values);
  return make_tuple({wrap_by_model(pair.first, model, Op::kDivmod, values, 0),
                     wrap_by_model(pair.second, model, Op::kDivmod, values, 1)});
}

}  // namespace strider::lang
