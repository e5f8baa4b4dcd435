// Who answers a call: the arguments, and the items of arguments that are lists, whose classes
// define __array_function__ in the language; subclasses before the classes they extend.
#include "interpreter/builtins/numpy/functions/array_function.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/elements/element_answers.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/evaluator/frames/function.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/objects/singletons.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::string_view kPlain[] = {"arange",
                                       "array",
                                       "asanyarray",
                                       "asarray",
                                       "ascontiguousarray",
                                       "asarray_chkfinite",
                                       "asfortranarray",
                                       "broadcast_shapes",
                                       "empty",
                                       "errstate",
                                       "eye",
                                       "finfo",
                                       "frombuffer",
                                       "fromfile",
                                       "fromfunction",
                                       "fromiter",
                                       "fromstring",
                                       "full",
                                       "genfromtxt",
                                       "geterr",
                                       "get_printoptions",
                                       "identity",
                                       "indices",
                                       "isdtype",
                                       "isscalar",
                                       "issubdtype",
                                       "iterable",
                                       "loadtxt",
                                       "ones",
                                       "promote_types",
                                       "require",
                                       "set_printoptions",
                                       "seterr",
                                       "tri",
                                       "typename",
                                       "zeros",
                                       "explain"};

Name protocol() {
  static const Name name = intern("__array_function__");
  return name;
}

bool defines_protocol(const Value& value) {
  if (!value.is_object() || !type_of(value)->has(Type::kUserDefined)) return false;
  const Value* hook = type_of(value)->lookup(protocol());
  return hook && hook->has_layout(Layout::kFunction);
}

// The arguments that take part.
class Candidates {
 public:
  explicit Candidates(const Arguments& arguments) {
    for (const Value& value : arguments.positional()) add_with_items(value);
    for (const KeywordArgument& keyword : arguments.named()) add_with_items(keyword.value);
  }
  bool overridden() const { return overridden_; }
  const Values& values() const { return values_; }
  // Whether no class of a program is among them.
  bool are_numpys_own() const {
    return std::ranges::all_of(values_, [](const Value& value) {
      return is_array(value) ? !is_subclass_array(value) : concerns_elements({&value, 1});
    });
  }
  Value types() const {
    Values types;
    for (const Value& value : values_) types.emplace_back(type_of(value));
    return make_tuple(std::move(types));
  }

 private:
  void add_with_items(const Value& value) {
    if (!value.is_object()) return;
    if (is_list(value)) return add_items(value.as<List>()->items);
    if (is_tuple(value)) return add_items(value.as<Tuple>()->items());
    add(value);
  }
  // Lists of numbers are not searched.
  void add_items(std::span<const Value> items) {
    if (items.empty() || !items[0].is_object()) return;
    for (const Value& item : items) add(item);
  }
  void add(const Value& value) {
    bool defines = defines_protocol(value);
    if (!defines && !is_array(value)) return;
    overridden_ = overridden_ || defines;
    auto place = values_.end();
    for (auto each = values_.begin(); each != values_.end(); ++each) {
      if (type_of(*each) == type_of(value)) return;
      if (place == values_.end() && type_of(value)->is_subclass_of(type_of(*each))) place = each;
    }
    values_.insert(place, value);
  }
  Values values_;
  bool overridden_ = false;  // not only by arrays, which do nothing special
};

constinit thread_local int implementations_running = 0;

std::string full_name(const Value& function) {
  std::string module = str_text(get_attribute(function, names().module));
  std::string_view shown = "numpy";  // whatever file of it the function stands in
  for (std::string_view part : {"numpy.linalg", "numpy.fft"})
    if (module.starts_with(part)) shown = part;
  return std::string(shown) + "." + str_text(get_attribute(function, names().name));
}

[[noreturn]] void refuse_types(const Value& function, const Value& types) {
  std::string listed;
  for (const Value& type : types.as<Tuple>()->items())
    listed += (listed.empty() ? "" : ", ") + repr_text(type);
  raise(errors::TypeError,
        "no implementation found for '{}' on types that implement __array_function__: [{}]",
        full_name(function), listed);
}

// The functions that ask nobody but the object in like=.
std::unordered_set<const Object*>& makers() {
  static auto& functions = *new std::unordered_set<const Object*>;
  return functions;
}

// What the class of the object in like= answers; Empty where the function itself does.
Value answer_by_model(const Value& function, const Arguments& arguments) {
  static const Name like = intern("like");
  auto given = std::ranges::find(arguments.named(), like, &KeywordArgument::name);
  if (given == arguments.named().end()) return Value();
  const Value& model = given->value;
  if (model.is_none() || is_boxed_array(model)) return Value();
  if (!defines_protocol(model)) {
    if (is_array(model)) return Value();
    raise(errors::TypeError,
          "The `like` argument must be an array-like that implements the `__array_function__` "
          "protocol.");
  }
  Ref<Dict> named = make_dict();
  for (const KeywordArgument& keyword : arguments.named())
    if (keyword.name != like) named->set(keyword.name, keyword.value);
  Value types = make_tuple({Value(type_of(model))});
  Value answer = call_method(model, protocol(), function, types, make_tuple(arguments.positional()),
                             Value(named));
  if (identical(answer, not_implemented())) refuse_types(function, types);
  return answer;
}

// What a method of the first argument answers, whose class is the program's own; Empty: nothing.
Value answer_by_method(const Value& function, const Arguments& arguments) {
  if (arguments.count == 0 || !arguments.values[0].is_object()) return Value();
  const Type* type = type_of(arguments.values[0]);
  if (!type->has(Type::kUserDefined) || type->module.starts_with("numpy")) return Value();
  Ref<Dict> named = make_dict();
  for (const KeywordArgument& keyword : arguments.named()) named->set(keyword.name, keyword.value);
  Value name = get_attribute(function, names().name);
  Value answer =
      call_in_npx("_answer_by_method", {name, make_tuple(arguments.positional()), Value(named)});
  return identical(answer, not_implemented()) ? Value() : answer;
}

std::string_view function_name(const Value& function) {
  if (function.has_layout(Layout::kNativeFunction)) return function.as<NativeFunction>()->name();
  return function.has_layout(Layout::kFunction) ? std::string_view(function.as<Function>()->name)
                                                : "";
}

// Whether a value has nothing to say to a call: a number, a dtype, a class that is no program's
// own, an array of numpy's own class.
bool is_silent(const Value& value) {
  if (!value.is_object()) return true;
  if (value.has_layout(Layout::kType)) return !value.as<Type>()->has(Type::kUserDefined);
  return value.has_layout(Layout::kDType) || (is_array(value) && !is_subclass_array(value));
}

// The same of an argument that is given by name; texts choose among ways.
bool is_silent_choice(const Value& value) {
  return is_silent(value) || (value.has_layout(Layout::kStr) && value.as<Str>()->is_exact());
}

bool are_silent(const Arguments& arguments) {
  return std::ranges::all_of(arguments.positional(), is_silent) &&
         std::ranges::all_of(arguments.named(), [](const KeywordArgument& keyword) {
           return is_silent_choice(keyword.value);
         });
}

// --- Arguments by name ---

// The names of the parameters that arguments may be given for by place or by name, if the first one
// is of these.
std::vector<Name> leading_parameters(const Value& function) {
  std::vector<Name> names;
  if (function.has_layout(Layout::kNativeFunction)) {
    for (const Parameter& each : function.as<NativeFunction>()->signature().parameters()) {
      if (each.kind != Parameter::Kind::kPositional) break;
      names.push_back(each.name);
    }
  } else if (function.has_layout(Layout::kFunction)) {
    const ParameterLayout& layout = function.as<Function>()->code->parameters;
    if (layout.positional_only == 0)
      names.assign(layout.names.begin(), layout.names.begin() + layout.positional);
  }
  return names;
}

// Whether a value answers calls itself.
bool is_other_array(const Value& value) {
  return value.is_object() && (type_of(value)->stands_for || defines_protocol(value));
}

bool has_other_arrays(const Arguments& arguments) {
  return std::ranges::any_of(arguments.positional(), is_other_array) ||
         std::ranges::any_of(arguments.named(), [](const KeywordArgument& keyword) {
           return is_other_array(keyword.value);
         });
}

// Whether a class of the program is to be asked, which is told arguments as they were given.
bool asks_program(const Arguments& arguments) {
  const Candidates candidates(arguments);
  return std::ranges::any_of(candidates.values(), [](const Value& each) {
    if (!defines_protocol(each)) return false;
    const Type* owner = type_of(each)->owner_of(protocol());
    return !owner->module.starts_with("numpy");
  });
}

// The answer to the same call with arguments that are given by name where their places are, as far
// as those are next: who answers for numpy's own classes looks for them there. Empty where none is.
Value answer_by_place(const Value& function, const Arguments& arguments) {
  static const Name out = intern("out");
  std::vector<Name> names = leading_parameters(function);
  ArgumentList list;
  list.append_all(arguments);
  for (std::size_t i = arguments.count; i < names.size() && names[i] != out; ++i) {
    auto given = std::ranges::find(list.keywords, names[i], &KeywordArgument::name);
    if (given == list.keywords.end()) break;
    list.values.push_back(given->value);
    list.keywords.erase(given);
  }
  bool moved = list.values.size() > arguments.count;
  return moved && !asks_program(arguments) ? call(function, list) : Value();
}

Value answer_call(const Value& function, const Arguments& arguments) {
  if (implementations_running > 0) return Value();
  bool silent = are_silent(arguments);
  if (silent && arguments.keyword_count == 0) return Value();
  if (arguments.keyword_count > 0 && has_other_arrays(arguments))
    if (Value answer = answer_by_place(function, arguments); !answer.is_empty()) return answer;
  if (makers().contains(function.as<Object>()))
    return arguments.keyword_count > 0 ? answer_by_model(function, arguments) : Value();
  if (silent) return Value();
  if (concerns_elements(arguments))
    if (Value answer = answer_for_elements(function, function_name(function), arguments);
        !answer.is_empty())
      return answer;
  Candidates candidates(arguments);
  if (!candidates.overridden()) {
    if (Value answer = answer_by_method(function, arguments); !answer.is_empty()) return answer;
    return answer_for_texts(function, arguments);
  }
  bool composed = function.has_layout(Layout::kFunction) && candidates.are_numpys_own() &&
                  is_left_to_function(function_name(function));
  if (composed) return Value();
  Value types = candidates.types(), positional = make_tuple(arguments.positional());
  Ref<Dict> named = make_dict();
  for (const KeywordArgument& keyword : arguments.named()) named->set(keyword.name, keyword.value);
  for (const Value& each : candidates.values()) {
    if (!defines_protocol(each)) continue;
    Value result = call_method(each, protocol(), function, types, positional, Value(named));
    if (!identical(result, not_implemented())) return result;
  }
  refuse_types(function, types);
}

// Whether a function that asks no arguments makes arrays, and so takes like=.
bool takes_model(std::string_view name) {
  constexpr std::string_view kOthers[] = {"asarray_chkfinite",
                                          "broadcast_shapes",
                                          "errstate",
                                          "explain",
                                          "finfo",
                                          "geterr",
                                          "get_printoptions",
                                          "indices",
                                          "isdtype",
                                          "isscalar",
                                          "issubdtype",
                                          "iterable",
                                          "seterr",
                                          "typename",
                                          "promote_types",
                                          "set_printoptions"};
  return std::ranges::find(kOthers, name) == std::end(kOthers);
}

}  // namespace

// ndarray.__array_function__(self, func, types, args, kwargs)
Value run_implementation(const Parameters& p) {
  if (!is_tuple(p[3])) raise(errors::TypeError, "args must be a tuple.");
  if (!is_dict(p[4])) raise(errors::TypeError, "kwargs must be a dict.");
  Iteration types(p[2]);
  Value type;
  while (types.next(type))
    if (!type.has_layout(Layout::kType) ||
        !type.as<Type>()->is_subclass_of(&ArrayObject::type_object()))
      return not_implemented();
  struct Running {
    Running() { ++implementations_running; }
    ~Running() { --implementations_running; }
  } running;
  ArgumentList list;
  Iteration given(p[3]);
  Value value;
  while (given.next(value)) list.values.push_back(value);
  for (const Dict::Entry& entry : p[4].as<Dict>()->entries())
    if (!entry.key.is_empty()) list.keywords.push_back({intern(entry.key.as<Str>()), entry.value});
  return call(p[1], list);
}

void make_overridable(const Value& function, std::string_view name) {
  if (std::ranges::find(kPlain, name) != std::end(kPlain)) {
    if (!takes_model(name)) return;
    makers().insert(function.as<Object>());
  }
  set_call_override(answer_call);
  if (function.has_layout(Layout::kNativeFunction))
    function.as<NativeFunction>()->overridable = true;
  else if (function.has_layout(Layout::kFunction))
    function.as<Function>()->make_overridable();
}

}  // namespace strider::lang
