// Ufunc objects: calls with NumPy's keyword arguments. Methods stand in ufunc_methods.cpp.
#include "interpreter/builtins/numpy/ufunc/ufunc_object.h"

#include <strider/nd/ufunc.h>

#include <algorithm>

#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/dates/time_operators.h"
#include "interpreter/builtins/numpy/elements/element_answers.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/builtins/numpy/ufunc/operators.h"
#include "interpreter/builtins/numpy/ufunc/result_class.h"
#include "interpreter/builtins/numpy/ufunc/ufunc_call.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::size_t kMaxOperands = 3;

void check_count(const nd::OpFacts& facts, std::size_t given) {
  auto least = static_cast<std::size_t>(facts.inputs);
  std::size_t most = least + static_cast<std::size_t>(facts.outputs);
  if (given >= least && given <= most) return;
  raise(errors::TypeError, "{}() takes from {} to {} positional arguments but {} {} given",
        facts.name, least, most, given, given == 1 ? "was" : "were");
}

// The result or the pair of results, the objects of out= where given.
Value results_of(nd::Op op, std::span<const nd::Operand> operands, const nd::UfuncOptions& options,
                 const UfuncKeywords& keywords, std::span<const Value> inputs) {
  Value model = keywords.keeps_class() ? class_model(inputs) : Value();
  auto finish = [&](nd::Array result, int index) {
    const Value& out = keywords.out_value(index);
    if (!out.is_empty()) return out_result(std::move(result), out);
    return wrap_by_model(std::move(result), model, op, inputs, index);
  };
  if (nd::facts(op).outputs == 1) return finish(nd::apply(op, operands, options), 0);
  nd::ArrayPair pair = nd::apply2(op, operands, options);
  return make_tuple({finish(pair.first, 0), finish(pair.second, 1)});
}

Value call_natively(nd::Op op, const Arguments& arguments) {
  const nd::OpFacts& facts = nd::facts(op);
  OperandKeeper keepers[kMaxOperands];
  auto inputs = static_cast<std::size_t>(facts.inputs);
  nd::Operand operands[kMaxOperands] = {nd::Scalar(), nd::Scalar(), nd::Scalar()};
  for (std::size_t i = 0; i < inputs; ++i)
    operands[i] = to_operand(arguments.values[i], keepers[i]);
  std::span<const nd::Operand> given(operands, inputs);
  if (arguments.keyword_count == 0 && arguments.count == inputs) {
    if (nd::Scalar number; nd::apply_numbers(op, given, number)) return make_scalar(number);
    std::span<const Value> values(arguments.values, inputs);
    bool plain = std::ranges::none_of(values, may_decide_class);
    if (facts.outputs == 1 && plain) return wrap_result(nd::apply(op, given));
    Value model = class_model(values);
    if (facts.outputs == 1) return wrap_by_model(nd::apply(op, given), model, op, values);
    nd::ArrayPair pair = nd::apply2(op, given);
    return make_tuple({wrap_by_model(pair.first, model, op, values, 0),
                       wrap_by_model(pair.second, model, op, values, 1)});
  }
  UfuncKeywords keywords(op, arguments);
  return results_of(op, given, keywords.options(), keywords, {arguments.values, inputs});
}

// Whether a call is of Python's own integers beyond 64 bits, which are objects to functions of one
// operand and to comparisons.
bool is_of_objects(nd::Op op, const Arguments& arguments) {
  bool large = false;
  for (const Value& value : arguments.positional()) {
    bool big = value.has_layout(Layout::kBigInt);
    if (!big && !value.is_int()) return false;
    large = large || big;
  }
  bool compares = op >= nd::Op::kEqual && op <= nd::Op::kGreaterEqual;
  return large && (nd::facts(op).inputs == 1 || compares);
}

// What a ufunc gives at once for operands of which one counts time or is of texts; Empty: nothing.
Value combine_elements(nd::Op op, const Arguments& arguments) {
  if (arguments.keyword_count > 0 || arguments.count > 2) return {};
  const Value* values = arguments.values;
  if (arguments.count == 1) return counts_time(values[0]) ? change_times(op, values[0]) : Value();
  if (nd::facts(op).inputs != 2) return {};
  if (is_boxed(values[0]) || is_boxed(values[1])) return combine_texts(op, values[0], values[1]);
  if (!counts_time(values[0]) && !counts_time(values[1])) return {};
  return combine_times(op, values[0], values[1]);
}

Value call_ufunc(const Value& self, const Arguments& arguments) {
  nd::Op op = self.as<UfuncObject>()->op;
  check_count(nd::facts(op), arguments.count);
  if (Value answer = combine_elements(op, arguments); !answer.is_empty()) return answer;
  if (Value answer = call_override(self, "__call__", arguments); !answer.is_empty()) return answer;
  try {
    if (!is_of_objects(op, arguments)) return call_natively(op, arguments);
  } catch (const UnsupportedElements&) {
  }
  return call_ufunc_in_npx(self, arguments);
}

}  // namespace

Value make_ufunc(nd::Op op) {
  static auto& objects = *new Values(nd::kOpCount);
  Value& place = objects[static_cast<std::size_t>(op)];
  if (place.is_empty()) place = make<UfuncObject>(op);
  return place;
}

bool has_override(const Value& value) {
  if (!value.is_object() || !type_of(value)->has(Type::kUserDefined)) return false;
  const Value* hook = type_of(value)->lookup(names().array_ufunc);
  return hook && !hook->is_none() && hook->has_layout(Layout::kFunction);
}

namespace {

// Adds a value that overrides ufuncs: one of each class, subclasses before the classes they extend.
void add_candidate(Values& candidates, const Value& value) {
  if (!has_override(value)) return;
  auto place = candidates.end();
  for (auto each = candidates.begin(); each != candidates.end(); ++each) {
    if (type_of(*each) == type_of(value)) return;
    if (place == candidates.end() && type_of(value)->is_subclass_of(type_of(*each))) place = each;
  }
  candidates.insert(place, value);
}

Values override_candidates(const Arguments& arguments) {
  Values candidates;
  for (const Value& value : arguments.positional()) add_candidate(candidates, value);
  for (const KeywordArgument& keyword : arguments.named()) {
    if (text_of(keyword.name) == "where") add_candidate(candidates, keyword.value);
    if (text_of(keyword.name) != "out") continue;
    if (is_tuple(keyword.value))
      for (const Value& each : keyword.value.as<Tuple>()->items()) add_candidate(candidates, each);
    else
      add_candidate(candidates, keyword.value);
  }
  return candidates;
}

// How many of a call's positional arguments are operands; what follows them are places for results.
std::size_t operand_count(const Value& ufunc, std::string_view method, std::size_t given) {
  if (method != "__call__" || !ufunc.has_layout(Layout::kUfunc)) return given;
  auto inputs = static_cast<std::size_t>(nd::facts(ufunc.as<UfuncObject>()->op).inputs);
  return std::min(given, inputs);
}

// What is given as out=, as a tuple, of which each result has an item.
Value out_tuple(const Value& ufunc, const Value& out) {
  int count = ufunc.has_layout(Layout::kUfunc) ? nd::facts(ufunc.as<UfuncObject>()->op).outputs : 0;
  if (!is_tuple(out)) {
    if (count > 1) raise(errors::TypeError, "'out' must be a tuple of arrays");
    return make_tuple({out});
  }
  if (count > 0 && out.as<Tuple>()->size() != static_cast<std::size_t>(count))
    raise(errors::ValueError, "The 'out' tuple must have exactly one entry per ufunc output");
  return out;
}

// What __array_ufunc__ is given: the ufunc, the method, operands, and `out` always as a tuple.
ArgumentList override_arguments(const Value& ufunc, const char* method,
                                const Arguments& arguments) {
  std::size_t operands = operand_count(ufunc, method, arguments.count);
  const Value* end = arguments.values + arguments.count;
  auto is_none = [](const Value& value) { return value.is_none(); };
  ArgumentList list;
  list.values = {ufunc, Value(make_str(method))};
  list.values.insert(list.values.end(), arguments.values, arguments.values + operands);
  if (!std::all_of(arguments.values + operands, end, is_none))
    list.keywords.push_back({intern("out"), make_tuple(Values(arguments.values + operands, end))});
  for (KeywordArgument keyword : arguments.named()) {
    if (text_of(keyword.name) == "out") {
      if (keyword.value.is_none()) continue;
      keyword.value = out_tuple(ufunc, keyword.value);
      if (std::ranges::all_of(keyword.value.as<Tuple>()->items(), is_none)) continue;
    }
    if (text_of(keyword.name) == "sig") keyword.name = intern("signature");
    list.keywords.push_back(keyword);
  }
  return list;
}

}  // namespace

void refuse_opted_out(const Value& value) {
  if (!value.is_object() || !type_of(value)->has(Type::kUserDefined)) return;
  const Value* hook = type_of(value)->lookup(names().array_ufunc);
  if (hook && hook->is_none())
    raise(errors::TypeError, "operand '{}' does not support ufuncs (__array_ufunc__=None)",
          text_of(get_attribute(Value(type_of(value)), names().name)));
}

namespace {

// What stands at out=, one by one.
Values listed_outs(const Arguments& arguments) {
  for (const KeywordArgument& keyword : arguments.named()) {
    if (text_of(keyword.name) != "out") continue;
    if (!is_tuple(keyword.value)) return {keyword.value};
    std::span<const Value> items = keyword.value.as<Tuple>()->items();
    return Values(items.begin(), items.end());
  }
  return {};
}

// TypeError for keywords that no ufunc of one element at a time takes.
void check_keywords(const Value& ufunc, const Arguments& arguments) {
  bool long_name = false, short_name = false;
  for (const KeywordArgument& keyword : arguments.named()) {
    constexpr std::string_view kKnown[] = {"out",   "where", "casting",   "order",
                                           "dtype", "subok", "signature", "sig"};
    std::string_view name = text_of(keyword.name);
    if (std::ranges::find(kKnown, name) == std::end(kKnown))
      raise(errors::TypeError, "{}() got an unexpected keyword argument '{}'",
            nd::facts(ufunc.as<UfuncObject>()->op).name, name);
    long_name = long_name || name == "signature";
    short_name = short_name || name == "sig";
  }
  if (long_name && short_name)
    raise(errors::TypeError, "cannot specify both 'sig' and 'signature'");
}

}  // namespace

Value call_override(const Value& ufunc, const char* method, const Arguments& arguments) {
  for (const Value& value : arguments.positional()) refuse_opted_out(value);
  for (const Value& value : listed_outs(arguments)) refuse_opted_out(value);
  Values candidates = override_candidates(arguments);
  if (candidates.empty()) return Value();
  if (method == std::string_view("__call__") && ufunc.has_layout(Layout::kUfunc))
    check_keywords(ufunc, arguments);
  ArgumentList passed = override_arguments(ufunc, method, arguments);
  for (const Value& candidate : candidates) {
    Value result = call(find_special(candidate, names().array_ufunc), passed);
    if (!identical(result, not_implemented())) return result;
  }
  std::string shown, types;
  Values operands(passed.values.begin() + 2, passed.values.end());
  for (const Value& each : operands) shown += ", " + repr_text(each);
  for (const KeywordArgument& keyword : passed.keywords)
    shown += fmt::format(", {}={}", text_of(keyword.name), repr_text(keyword.value));
  for (const Value& each : listed_outs(passed)) operands.push_back(each);
  for (const Value& each : operands)
    types += fmt::format("{}'{}'", types.empty() ? "" : ", ",
                         text_of(get_attribute(Value(type_of(each)), names().name)));
  raise(errors::TypeError,
        "operand type(s) all returned NotImplemented from __array_ufunc__({}, '{}'{}): {}",
        repr_text(ufunc), method, shown, types);
}

Type& UfuncObject::type_object() {
  static bool ready = false;
  static Type& type = new_type("numpy.ufunc", Type::object_type());
  if (ready) return type;
  ready = true;
  type.module = "numpy";
  type.qualified_name = "ufunc";
  type.instance_layout = Layout::kUfunc;
  type.doc = "A function applied element by element.";
  type.slots.call = call_ufunc;
  type.slots.repr = [](const Value& self) -> Value {
    return make_str(fmt::format("<ufunc '{}'>", nd::facts(self.as<UfuncObject>()->op).name));
  };
  type.add(ufunc_methods());
  type.add(ufunc_properties());
  guard_ufunc_methods(type);
  return type;
}

}  // namespace strider::lang
