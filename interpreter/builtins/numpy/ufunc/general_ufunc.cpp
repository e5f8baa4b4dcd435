// The objects around the native functions of product_functions.cpp: attributes of ufuncs, and
// axes=, which says where the vectors and matrices lie.
#include "interpreter/builtins/numpy/ufunc/general_ufunc.h"

#include <strider/nd/error.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/libraries/library_functions.h"
#include "interpreter/builtins/numpy/ufunc/ufunc_call.h"
#include "interpreter/builtins/numpy/ufunc/ufunc_object.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr int kInputs = 2;

struct GeneralFacts {
  std::string_view name;
  std::string_view signature;
  std::array<int, kInputs + 1> core;  // axes of the vector or matrix: of each input, of the result
};

constexpr GeneralFacts kFacts[] = {
    {"matmul", "(n?,k),(k,m?)->(n?,m?)", {2, 2, 2}},
    {"vecdot", "(n),(n)->()", {1, 1, 0}},
    {"matvec", "(m,n),(n)->(m)", {2, 1, 1}},
    {"vecmat", "(n),(n,m)->(m)", {1, 2, 1}},
};

class GeneralUfunc final : public Object {
 public:
  GeneralUfunc(const GeneralFacts& facts, const NativeRow& row)
      : Object(Layout::kOther, &type_object()),
        facts(facts),
        function(make<NativeFunction>(row, nullptr)) {}
  static Type& type_object();
  const GeneralFacts& facts;
  const Ref<NativeFunction> function;
};

const GeneralUfunc& ufunc_of(const Value& self) { return *self.as<GeneralUfunc>(); }

// The array with its axes `given` moved to the end, or (back) its last axes moved to `given`.
nd::Array with_core_last(const nd::Array& array, const std::vector<int>& given, bool back) {
  int rank = array.rank();
  std::vector<int> order, places;
  for (int axis : given) places.push_back(nd::normalize_axis(axis, rank));
  for (int axis = 0; axis < rank; ++axis)
    if (std::find(places.begin(), places.end(), axis) == places.end()) order.push_back(axis);
  order.insert(order.end(), places.begin(), places.end());
  if (!back) return array.transpose(order);
  std::vector<int> inverse(static_cast<std::size_t>(rank));
  for (int axis = 0; axis < rank; ++axis)
    inverse[static_cast<std::size_t>(order[static_cast<std::size_t>(axis)])] = axis;
  return array.transpose(inverse);
}

// axes=[(…), (…), (…)]: the axes of each input and of the result.
std::vector<std::vector<int>> to_core_axes(const Value& value, const GeneralFacts& facts) {
  if (!is_list(value)) raise(errors::TypeError, "axes should be a list.");
  const Values& items = value.as<List>()->items;
  bool without_result = items.size() == kInputs && facts.core[kInputs] == 0;
  if (items.size() != kInputs + 1 && !without_result)
    raise(errors::ValueError,
          "axes should be a list with an entry for all {} inputs and outputs; entries for outputs "
          "can only be omitted if none of them has core axes.",
          kInputs + 1);
  std::vector<std::vector<int>> axes(kInputs + 1);
  for (std::size_t i = 0; i < items.size(); ++i) axes[i] = to_axis_list(items[i]);
  return axes;
}

// Calls the function on moved arrays and moves its result back.
Value call_with_axes(const GeneralUfunc& ufunc, ArgumentList& list, const Value& axes_value) {
  std::vector<std::vector<int>> axes = to_core_axes(axes_value, ufunc.facts);
  std::array<int, kInputs + 1> core = ufunc.facts.core;
  for (std::size_t i = 0; i < kInputs && i < list.values.size(); ++i) {
    nd::Array array = this_array(list.values[i]);
    if (ufunc.facts.name == "matmul" && array.rank() == 1) --core[i], --core[kInputs];
    if (static_cast<int>(axes[i].size()) != core[i])
      raise(errors::ValueError, "{}: operand {} has {} core dimensions, but {} axes are given",
            ufunc.facts.name, i, core[i], axes[i].size());
    list.values[i] = wrap_view(with_core_last(array, axes[i], false), list.values[i]);
  }
  Value out = list.values.size() > kInputs ? list.values[kInputs] : Value();
  for (KeywordArgument& keyword : list.keywords)
    if (text_of(keyword.name) == "out") out = keyword.value;
  if (is_tuple(out) && out.as<Tuple>()->size() == 1) out = (*out.as<Tuple>())[0];
  if (is_array(out)) {
    Value moved = wrap(with_core_last(array_of(out), axes[kInputs], false));
    if (list.values.size() > kInputs) list.values[kInputs] = moved;
    for (KeywordArgument& keyword : list.keywords)
      if (text_of(keyword.name) == "out") keyword.value = moved;
    ufunc.function->invoke(list);
    return out;
  }
  Value result = ufunc.function->invoke(list);
  if (!is_array(result)) return result;
  return wrap_view(with_core_last(array_of(result), axes[kInputs], true), result);
}

[[noreturn]] void refuse_axis(const GeneralFacts& facts) {
  raise(errors::TypeError,
        "{}: axis can only be used with a single shared core dimension, not with the {} "
        "distinct ones implied by signature {}.",
        facts.name, facts.name == "matmul" ? 3 : 2, facts.signature);
}

[[noreturn]] void refuse_keepdims(const GeneralFacts& facts) {
  bool input = facts.core[0] != facts.core[1];  // which operand breaks the rule
  raise(errors::TypeError,
        "{} does not support keepdims: its signature {} requires {} to have {} core dimensions, "
        "but keepdims can only be used when all inputs have the same number of core dimensions "
        "and all outputs have no core dimensions.",
        facts.name, facts.signature, input ? "input 1" : "output 0", facts.core[input ? 1 : 2]);
}

// The keyword arguments of one call: what stays in `list` is passed on.
struct GeneralKeywords {
  GeneralKeywords(const GeneralFacts& facts, const Arguments& arguments, ArgumentList& list) {
    list.values.assign(arguments.values, arguments.values + arguments.count);
    for (const KeywordArgument& keyword : arguments.named())
      if (!take(facts, text_of(keyword.name), keyword.value)) list.keywords.push_back(keyword);
  }

  // Whether the keyword is one of these.
  bool take(const GeneralFacts& facts, std::string_view name, const Value& value) {
    if (name == "axis" && facts.name != "vecdot") refuse_axis(facts);
    if (name == "subok" || name == "keepdims") {
      if (!value.is_bool()) raise(errors::TypeError, "'{}' must be a boolean", name);
      if (name == "keepdims" && facts.name != "vecdot") refuse_keepdims(facts);
      if (name == "keepdims") keepdims = value.as_bool();
    } else if (name == "axes") {
      axes = value;
    } else if (name == "dtype") {
      dtype = to_optional_dtype(value);
    } else if (name == "signature" || name == "sig") {
      take_signature(value);
    } else if (name == "casting") {
      casting = value;
    } else if (name == "order") {
      order = to_order(value, nd::Order::kKeep);
    } else if (name != "out" && name != "axis") {
      raise(errors::TypeError, "{}() got an unexpected keyword argument '{}'", facts.name, name);
    } else {
      return false;
    }
    return true;
  }

  // All loops have one type, which the result's tells.
  void take_signature(const Value& value) {
    if (is_str(value) && text_of(value).size() == kInputs + 3)
      dtype = to_optional_dtype(make_str(text_of(value).substr(kInputs + 2)));
    else if (is_tuple(value) && value.as<Tuple>()->size() == kInputs + 1)
      dtype = to_optional_dtype((*value.as<Tuple>())[kInputs]);
    else if (!value.is_none())
      raise(errors::TypeError, "the signature object to ufunc must be a string or a tuple.");
  }

  Value axes, casting;
  std::optional<nd::DType> dtype;
  nd::Order order = nd::Order::kKeep;
  bool keepdims = false;
};

// The operands in the type that dtype= names.
void convert_inputs(const GeneralFacts& facts, ArgumentList& list,
                    const GeneralKeywords& keywords) {
  for (std::size_t i = 0; i < kInputs && i < list.values.size(); ++i) {
    nd::Array array = this_array(list.values[i]);
    if (!nd::can_cast(array.dtype(), *keywords.dtype, to_casting(keywords.casting)))
      throw nd::Error(
          nd::ErrorKind::kUfuncCast,
          fmt::format("Cannot cast ufunc '{}' input {} from {} to {} with casting rule '{}'",
                      facts.name, i, repr_text(make_dtype(array.dtype())),
                      repr_text(make_dtype(*keywords.dtype)),
                      keywords.casting.is_empty() ? "same_kind" : text_of(keywords.casting)));
    list.values[i] =
        wrap_view(array.astype(*keywords.dtype, nd::Order::kKeep, false), list.values[i]);
  }
}

// The result of vecdot with an axis of length one in place of the one it summed along.
Value with_summed_axis(const Value& result, const ArgumentList& list, const Value& axes) {
  Value axis = Value::integer(-1);
  for (const KeywordArgument& keyword : list.keywords)
    if (text_of(keyword.name) == "axis") axis = keyword.value;
  if (is_list(axes) && !axes.as<List>()->items.empty()) axis = axes.as<List>()->items[0];
  nd::Array array = this_array(result);
  nd::Dims shape = array.shape();
  shape.insert(nd::normalize_axis(to_axis_list(axis)[0], array.rank() + 1), 1);
  return wrap_view(array.reshape(shape), result);
}

void check_count(const GeneralFacts& facts, std::size_t given) {
  if (given == 2 || given == 3) return;
  raise(errors::TypeError, "{}() takes from 2 to 3 positional arguments but {} {} given",
        facts.name, given, given == 1 ? "was" : "were");
}

Value call_general(const Value& self, const Arguments& arguments) {
  const GeneralUfunc& ufunc = ufunc_of(self);
  check_count(ufunc.facts, arguments.count);
  if (Value answer = call_override(self, "__call__", arguments); !answer.is_empty()) return answer;
  if (arguments.keyword_count == 0) return ufunc.function->invoke(arguments);
  ArgumentList list;
  GeneralKeywords keywords(ufunc.facts, arguments, list);
  if (keywords.dtype) convert_inputs(ufunc.facts, list, keywords);
  if (ufunc.facts.name == "matmul" && !keywords.casting.is_empty())
    list.keywords.push_back({intern("casting"), keywords.casting});
  Value result = keywords.axes.is_empty() ? ufunc.function->invoke(list)
                                          : call_with_axes(ufunc, list, keywords.axes);
  if (keywords.keepdims) result = with_summed_axis(result, list, keywords.axes);
  bool laid_out = keywords.order == nd::Order::kF && is_array(result);
  return laid_out
             ? wrap_view(array_of(result).astype(array_of(result).dtype(), nd::Order::kF, false),
                         result)
             : result;
}

Value refuse_reduction(const Parameters&) {
  raise(errors::RuntimeError, "Reduction not defined on ufunc with signature");
}

Value refuse_at(const Parameters& p) {
  const GeneralFacts& facts = ufunc_of(p[0]).facts;
  raise(errors::TypeError,
        "{0}.at does not support ufunc with non-trivial signature: {0} has signature {1}.",
        facts.name, facts.signature);
}

Value refuse_outer(const Parameters&) {
  raise(errors::TypeError, "method outer is not allowed in ufunc with non-trivial signature");
}

const NativeRow kMethods[] = {
    {"reduce(self, *args, **kwargs)", refuse_reduction, "RuntimeError: it has a signature."},
    {"accumulate(self, *args, **kwargs)", refuse_reduction, "RuntimeError: it has a signature."},
    {"reduceat(self, *args, **kwargs)", refuse_reduction, "RuntimeError: it has a signature."},
    {"at(self, *args, **kwargs)", refuse_at, "TypeError: it has a signature."},
    {"outer(self, *args, **kwargs)", refuse_outer, "TypeError: it has a signature."},
};

Value loop_types(const Value&) {
  Values items;
  for (char code : std::string_view("?bBhHiIlLqQefdgFDGO"))
    items.emplace_back(make_str(fmt::format("{0}{0}->{0}", code)));
  return make_list(std::move(items));
}

Value name_of(const Value& self) { return make_str(ufunc_of(self).facts.name); }

const PropertyRow kProperties[] = {
    {"nin", [](const Value&) { return Value::integer(kInputs); }, nullptr, "The inputs: two."},
    {"nout", [](const Value&) { return Value::integer(1); }, nullptr, "The outputs: one."},
    {"nargs", [](const Value&) { return Value::integer(kInputs + 1); }, nullptr,
     "The number of inputs and outputs."},
    {"types", loop_types, nullptr, "The element types with a loop."},
    {"ntypes", [](const Value& self) { return Value::integer(length(loop_types(self))); }, nullptr,
     "The number of loops."},
    {"identity", [](const Value&) { return Value::none(); }, nullptr, "None."},
    {"signature", [](const Value& self) { return Value(make_str(ufunc_of(self).facts.signature)); },
     nullptr, "The axes that the function works on."},
    {"__name__", name_of, nullptr, "The function's name."},
    {"__qualname__", name_of, nullptr, "The function's name."},
    {"__doc__",
     [](const Value& self) { return Value(make_str(ufunc_of(self).function->row().doc)); }, nullptr,
     "What the function does."},
};

Type& GeneralUfunc::type_object() {
  static Type& type = *[] {
    Type& made = new_type("numpy.ufunc", UfuncObject::type_object());
    made.module = "numpy";
    made.qualified_name = "ufunc";
    made.doc = "A function applied to vectors or matrices.";
    made.slots.call = call_general;
    made.slots.repr = [](const Value& self) -> Value {
      return make_str(fmt::format("<ufunc '{}'>", ufunc_of(self).facts.name));
    };
    made.add(kMethods);
    made.add(kProperties);
    return &made;
  }();
  return type;
}

Value make_general_ufunc(const GeneralFacts& facts) {
  for (const NativeRow& row : product_functions()) {
    std::string_view signature = row.signature;
    if (signature.substr(0, signature.find('(')) == facts.name)
      return make<GeneralUfunc>(facts, row);
  }
  return Value();
}

}  // namespace

Value find_general_ufunc(std::string_view name) {
  static auto& made = *new std::array<Value, std::size(kFacts)>;
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (kFacts[i].name != name) continue;
    if (made[i].is_empty()) made[i] = make_general_ufunc(kFacts[i]);
    return made[i];
  }
  return Value();
}

}  // namespace strider::lang
