// Methods and attributes of ufuncs: reduce, accumulate, reduceat, outer, at, types.
#include <strider/nd/reduce.h>

#include <algorithm>
#include <cmath>

#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/numpy_module.h"
#include "interpreter/builtins/numpy/other_elements.h"
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

nd::Op op_of(const Value& self) { return self.as<UfuncObject>()->op; }

void require_binary(nd::Op op, const char* method) {
  const nd::OpFacts& facts = nd::facts(op);
  if (facts.inputs != 2)
    raise(errors::ValueError, "{} only supported for binary functions", method);
  if (facts.outputs != 1)
    raise(errors::ValueError, "{} only supported for functions returning a single value", method);
}

// Whether a value is np._NoValue, which stands for no value.
bool is_no_value(const Value& value) {
  return value.is_object() && identical(value, find_in_namespace("numpy", "_NoValue"));
}

// What the class of an argument that overrides ufuncs answers to method(array, …); Empty if none
// does. `names` tell the parameters behind the array, of which those that were given are passed on.
Value overridden(const Parameters& p, const char* method,
                 std::initializer_list<const char*> names) {
  refuse_opted_out(p[1]);
  ArgumentList list;
  list.values = {p[1]};
  std::size_t index = 2;
  bool asked = has_override(p[1]);
  for (const char* name : names) {
    const Value& value = p[index++];
    std::string_view text = name;
    if (value.is_empty() || (text == "initial" && is_no_value(value))) continue;
    asked = asked || (value.is_object() && (text == "out" || text == "where"));
    if (text == "indices")
      list.values.push_back(value);
    else
      list.keywords.push_back({intern(text), value});
  }
  return asked ? call_override(p[0], method, list) : Value();
}

Value given_or(const Value& value, const Value& fallback) {
  return value.is_empty() ? fallback : value;
}

Value reduce(const Parameters& p) {
  Value answer = overridden(p, "reduce", {"axis", "dtype", "out", "keepdims", "initial", "where"});
  if (!answer.is_empty()) return answer;
  nd::Op op = op_of(p[0]);
  require_binary(op, "reduce");
  nd::Array array = this_array(p[1]);
  nd::ReduceOptions options;
  options.axes = to_axes(given_or(p[2], Value::integer(0)));
  options.dtype = to_dtype_for(p[1], p[3]);
  options.out = to_out(given_or(p[4], Value::none()));
  options.keepdims = p.has(5) && truth(p[5]);
  nd::Scalar initial;
  if (p[6].is_none()) options.without_initial = true;
  if (p.has(6) && !p[6].is_none()) {
    nd::DType type = nd::reduction_type(op, array, options.dtype, options.out);
    initial = to_scalar(p[6], type);
    options.initial = &initial;
  }
  nd::Array mask;
  options.where = to_where(given_or(p[7], Value::boolean(true)), mask);
  return reduced_result(nd::reduce(op, array, options), p[4], p[1]);
}

// The axis that a method works along: the first one, or the only one of a tuple or of None.
std::int64_t to_single_axis(const Value& value, int rank, const char* method) {
  if (value.is_empty()) return 0;
  if (value.is_none() && rank == 0) raise(errors::TypeError, "cannot {} on a scalar", method);
  if (value.is_none() && rank == 1) return 0;
  if (!value.is_none() && !is_tuple(value)) return to_int64(value);
  if (value.is_none() || value.as<Tuple>()->size() != 1)
    raise(errors::ValueError, "{} does not allow multiple axes", method);
  return to_int64((*value.as<Tuple>())[0]);
}

Value accumulate(const Parameters& p) {
  Value answer = overridden(p, "accumulate", {"axis", "dtype", "out"});
  if (!answer.is_empty()) return answer;
  require_binary(op_of(p[0]), "accumulate");
  nd::Array array = this_array(p[1]);
  nd::Array result =
      nd::accumulate(op_of(p[0]), array, to_single_axis(p[2], array.rank(), "accumulate"),
                     to_dtype_for(p[1], p[3]), to_out(given_or(p[4], Value::none())));
  return reduced_result(result, p[4], p[1]);
}

// Where the slices of reduceat begin: an array of one axis.
nd::Array to_starts(const Value& value) {
  nd::Array starts = to_positions(value);
  if (starts.rank() != 1)
    raise(errors::ValueError, "object {} for desired array",
          starts.rank() == 0 ? "of too small depth" : "too deep");
  if (is_array(value) && !nd::can_cast(starts.dtype(), nd::DType::kInt64, nd::Casting::kSafe))
    raise(errors::TypeError,
          "Cannot cast array data from dtype('{}') to dtype('int64') according to the rule 'safe'",
          nd::name(starts.dtype()));
  return starts.astype(nd::DType::kInt64);
}

Value reduce_at(const Parameters& p) {
  Value answer = overridden(p, "reduceat", {"indices", "axis", "dtype", "out"});
  if (!answer.is_empty()) return answer;
  require_binary(op_of(p[0]), "reduceat");
  nd::Array array = this_array(p[1]);
  std::int64_t axis = to_single_axis(p[3], array.rank(), "reduceat");
  nd::Array result = nd::reduceat(op_of(p[0]), array, to_starts(p[2]), axis,
                                  to_dtype_for(p[1], p[4]), to_out(given_or(p[5], Value::none())));
  return reduced_result(result, p[5], p[1]);
}

// Of a function with two results: the function of operands whose axes do not meet.
Value outer_pair(const Value& self, ArgumentList& list) {
  nd::Array left = to_array(list.values[0]), right = to_array(list.values[1]);
  nd::Dims shape = left.shape();
  for (int i = 0; i < right.rank(); ++i) shape.push_back(1);
  list.values = {wrap(left.reshape(shape)), wrap(right)};
  return call(self, list);
}

// outer(*args, **kwargs)
Value outer(const Parameters& p) {
  nd::Op op = op_of(p[0]);
  if (nd::facts(op).inputs != 2)
    raise(errors::ValueError, "outer product only supported for binary functions");
  const Tuple& operands = *p[1].as<Tuple>();
  if (operands.size() != 2) raise(errors::TypeError, "exactly two arguments expected");
  ArgumentList list;
  list.values = {operands[0], operands[1]};
  for (const Dict::Entry& entry : p[2].as<Dict>()->entries())
    list.keywords.push_back({intern(entry.key.as<Str>()), entry.value});
  Arguments arguments = list;
  if (Value answer = call_override(p[0], "outer", arguments); !answer.is_empty()) return answer;
  if (nd::facts(op).outputs != 1) return outer_pair(p[0], list);
  UfuncKeywords keywords(op, arguments);
  // Arrays both, as for NumPy: a Python number has the element type of its own array.
  nd::Array left = to_array(list.values[0]), right = to_array(list.values[1]);
  if (left.rank() + right.rank() > nd::kMaxRank)
    raise(errors::ValueError,
          "maximum supported dimension for an ndarray is {}, but `{}.outer()` result would have "
          "{}.",
          nd::kMaxRank, nd::facts(op).name, left.rank() + right.rank());
  nd::Array result = nd::outer(op, left, right, keywords.options());
  if (!keywords.out_value(0).is_empty()) return out_result(result, keywords.out_value(0));
  return wrap_by_model(result, class_model(list.values), op, list.values);
}

// Whether these are positions along an array's only axis as they are, counted from its start.
bool are_positions(const nd::Array& array, const Value& key) {
  if (array.rank() != 1 || !is_array(key)) return false;
  const nd::Array& places = array_of(key);
  if (places.dtype() != nd::DType::kInt64 || !places.is_c_contiguous()) return false;
  if (places.may_overlap(array)) return false;
  const std::int64_t *first = places.as<std::int64_t>(), size = array.size();
  return std::all_of(first, first + places.size(),
                     [size](std::int64_t place) { return place >= 0 && place < size; });
}

// The C-order positions that a subscript of an array picks.
nd::Array picked_positions(const nd::Array& array, const Value& key) {
  if (are_positions(array, key)) return array_of(key);
  const nd::Dims& shape = array.shape();
  nd::Array all = nd::Array::arange(nd::Scalar(std::int64_t{0}), nd::Scalar(std::int64_t{1}),
                                    nd::element_count(shape), nd::DType::kInt64);
  return nd::get(all.reshape(shape), IndexItemList(key));
}

Value at(const Parameters& p) {
  ArgumentList given;
  given.values = {p[1], p[2]};
  if (p.has(3)) given.values.push_back(p[3]);
  if (Value answer = call_override(p[0], "at", given); !answer.is_empty()) return answer;
  nd::Op op = op_of(p[0]);
  if (!is_array(p[1])) raise(errors::TypeError, "first operand must be array");
  const nd::Array& array = array_of(p[1]);
  nd::Array positions = picked_positions(array, p[2]);
  if (nd::facts(op).outputs != 1)
    raise(errors::ValueError, "Only single output ufuncs supported at this time");
  if (nd::facts(op).inputs == 1) {
    if (p.has(3)) raise(errors::ValueError, "second operand provided when ufunc is unary");
    nd::at(op, array, positions);
    return Value::none();
  }
  if (p[3].is_empty()) raise(errors::ValueError, "second operand needed for ufunc");
  OperandKeeper keeper;
  nd::Operand operand = to_operand(p[3], keeper);
  if (nd::facts(op).result != '?') warn_of_lost_parts(operand.dtype(), array.dtype());
  nd::Array apart;  // what is read is not what has been written
  if (operand.kind() == nd::Operand::Kind::kArray && operand.array().may_overlap(array)) {
    apart = operand.array().copy();
    operand = nd::Operand(apart);
  }
  nd::at(op, array, positions, &operand);
  return Value::none();
}

Value resolve_dtypes(const Parameters& p) {
  nd::Op op = op_of(p[0]);
  std::vector<nd::Operand> operands;
  Ref<Tuple> types = to_tuple(p[1]);
  if (types->size() != static_cast<std::size_t>(nd::facts(op).inputs + nd::facts(op).outputs))
    raise(errors::TypeError, "resolve_dtypes: The dtypes must be a tuple of `ufunc.nargs` length.");
  for (const Value& each : types->items()) {
    if (static_cast<int>(operands.size()) == nd::facts(op).inputs) break;
    if (each.has_layout(Layout::kType) && text_of(get_attribute(each, names().name)) == "int")
      operands.push_back(nd::Operand::weak_int(0));
    else if (each.has_layout(Layout::kType) &&
             text_of(get_attribute(each, names().name)) == "float")
      operands.push_back(nd::Operand::weak_float(0));
    else
      operands.push_back(nd::Operand(nd::Scalar(0.0).as(to_dtype(each))));
  }
  nd::UfuncOptions options;
  options.casting = to_casting(p[3]);
  Values items;
  for (nd::DType dtype : nd::resolve_dtypes(op, operands, options))
    items.push_back(make_dtype(dtype));
  return make_tuple(std::move(items));
}

const NativeRow kMethods[] = {
    {"reduce(self, array, /, axis=<none>, dtype=<none>, out=<none>, keepdims=<none>, "
     "initial=<none>, where=<none>)",
     reduce, "Combines the elements along axes."},
    {"accumulate(self, array, /, axis=<none>, dtype=<none>, out=<none>)", accumulate,
     "All intermediate results along an axis."},
    {"reduceat(self, array, /, indices, axis=<none>, dtype=<none>, out=<none>)", reduce_at,
     "Combines the elements of slices along an axis."},
    {"outer(self, *args, **kwargs)", outer, "The function of every pair of elements."},
    {"at(self, a, indices, b=<none>, /)", at, "Applies the function in place where indices point."},
    {"resolve_dtypes(self, dtypes, *, signature=None, casting=None, reduction=False)",
     resolve_dtypes, "The element types the function works in."},
};

Value get_types(const Value& self) {
  Values items;
  for (const std::string& each : nd::loop_types(op_of(self))) items.emplace_back(make_str(each));
  const nd::OpFacts& facts = nd::facts(op_of(self));
  return call_in_npx("_ufunc_types", {make_str(facts.name), make_list(std::move(items)),
                                      Value::integer(facts.inputs)});
}

Value get_identity(const Value& self) {
  const nd::OpFacts& facts = nd::facts(op_of(self));
  bool logical = facts.name.starts_with("logical");
  switch (facts.identity) {
    case nd::Identity::kZero:
      return logical ? Value::boolean(false) : Value::integer(0);
    case nd::Identity::kOne:
      return logical ? Value::boolean(true) : Value::integer(1);
    case nd::Identity::kAllOnes:
      return Value::integer(-1);
    case nd::Identity::kMinusInfinity:
      return Value::real(-INFINITY);
    default:
      return Value::none();
  }
}

Value get_name(const Value& self) { return make_str(nd::facts(op_of(self)).name); }

const PropertyRow kProperties[] = {
    {"nin", [](const Value& self) { return Value::integer(nd::facts(op_of(self)).inputs); },
     nullptr, "The number of inputs."},
    {"nout", [](const Value& self) { return Value::integer(nd::facts(op_of(self)).outputs); },
     nullptr, "The number of outputs."},
    {"nargs",
     [](const Value& self) {
       const nd::OpFacts& facts = nd::facts(op_of(self));
       return Value::integer(facts.inputs + facts.outputs);
     },
     nullptr, "The number of inputs and outputs."},
    {"ntypes", [](const Value& self) { return Value::integer(length(get_types(self))); }, nullptr,
     "The number of loops."},
    {"types", get_types, nullptr, "The element types with a loop."},
    {"identity", get_identity, nullptr, "What a reduction over nothing gives, or None."},
    {"signature", [](const Value&) { return Value::none(); }, nullptr,
     "None: the function works on single elements."},
    {"__name__", get_name, nullptr, "The function's name."},
    {"__module__", [](const Value&) { return Value(make_str("numpy")); }, nullptr, "numpy."},
    {"__qualname__", get_name, nullptr, "The function's name."},
    {"__doc__",
     [](const Value& self) -> Value {
       const nd::OpFacts& facts = nd::facts(op_of(self));
       return make_str(fmt::format("{}\n\nExample: {}", facts.doc, facts.example));
     },
     nullptr, "What the function does."},
};

}  // namespace

std::span<const NativeRow> ufunc_methods() { return kMethods; }
std::span<const PropertyRow> ufunc_properties() { return kProperties; }

}  // namespace strider::lang
