// Hands calls over to npx; knows nothing of what is done there.
#include "interpreter/builtins/numpy/other_elements.h"

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/elements/element_answers.h"
#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/numpy/numpy_module.h"
#include "interpreter/evaluator/frames/function.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/objects/singletons.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// Whether a list begins, at whatever depth, with a text.
bool begins_with_text(const Value& value, int depth = 0) {
  if (depth > 8) return false;
  std::span<const Value> items;
  if (is_list(value))
    items = value.as<List>()->items;
  else if (is_tuple(value))
    items = value.as<Tuple>()->items();
  if (items.empty() || !items[0].is_object()) return false;
  return is_str(items[0]) || is_bytes(items[0]) || begins_with_text(items[0], depth + 1);
}

// The answer of a function in npx that is told a name, positional and named arguments.
Value ask(std::string_view in_npx, const Value& function, const Arguments& arguments) {
  Ref<Dict> named = make_dict();
  for (const KeywordArgument& keyword : arguments.named()) named->set(keyword.name, keyword.value);
  Value name = get_attribute(function, names().name);
  return call_in_npx(in_npx, {name, make_tuple(arguments.positional()), Value(named)});
}

Value answer_in_npx(const Value& function, const Arguments& arguments) {
  return ask("_answer_boxed", function, arguments);
}

// True for arrays of boxed elements and for moments and lengths of time.
bool stands_for_another(const Value& value) {
  return value.is_object() && type_of(value)->stands_for;
}

// Whether an argument shows at once that the elements are none of a native array's.
bool shows_boxed_elements(const NativeFunction& function, const Arguments& arguments) {
  static const Name order = intern("order");
  std::span<const Parameter> parameters = function.signature().parameters();
  auto names_them = [](const Value& value) {
    return names_boxed_dtype(value) || is_boxed_dtype(value);
  };
  for (std::size_t i = 0; i < arguments.count; ++i) {
    const Value& value = arguments.values[i];
    if (begins_with_text(value)) return true;                            // dtypes of records, too
    if (i < parameters.size() && parameters[i].name == order) continue;  // "c" names a dtype, too
    if (i == 0 ? stands_for_another(value) : names_them(value)) return true;
  }
  for (const KeywordArgument& keyword : arguments.named())
    if (keyword.name == names().dtype && names_them(keyword.value)) return true;
  return false;
}

// What native code gives at once; Empty: nothing.
Value answer_at_once(const NativeFunction& function, const Arguments& arguments) {
  Value self(const_cast<NativeFunction*>(&function));
  if (concerns_elements(arguments)) return answer_for_elements(self, function.name(), arguments);
  return function.owner() ? Value() : make_elements(function, arguments);
}

Value run_guarded(const NativeFunction& function, const Arguments& arguments) {
  bool plain = arguments.count == 1 && arguments.keyword_count == 0 &&
               is_array(arguments.values[0]) && !is_subclass_array(arguments.values[0]);
  if (!plain)
    if (Value answer = answer_at_once(function, arguments); !answer.is_empty()) return answer;
  if (!plain && shows_boxed_elements(function, arguments)) {
    Value answer = answer_in_npx(Value(const_cast<NativeFunction*>(&function)), arguments);
    if (!identical(answer, not_implemented())) return answer;
  }
  Ref<Exception> refusal;
  try {
    return function.run(arguments);
  } catch (const UnsupportedElements& refused) {
    refusal = refused.exception;
  }
  Value answer = answer_in_npx(Value(const_cast<NativeFunction*>(&function)), arguments);
  if (identical(answer, not_implemented())) throw Raised{refusal};
  return answer;
}

// A method of a ufunc: where elements are others, numpy's function in npx is told which.
Value run_ufunc_method(const NativeFunction& function, const Arguments& arguments) {
  try {
    return function.run(arguments);
  } catch (const UnsupportedElements&) {
  }
  Ref<Dict> named = make_dict();
  for (const KeywordArgument& keyword : arguments.named()) named->set(keyword.name, keyword.value);
  Value name = get_attribute(arguments.values[0], names().name);
  Value operands = make_tuple(arguments.positional().subspan(1));
  return call_in_npx("_boxed_ufunc", {name, operands, Value(named), make_str(function.name())});
}

void set_guard(Type& type, const char* name,
               Value (*guard)(const NativeFunction&, const Arguments&)) {
  Value method = *type.lookup(intern(name));
  method.as<NativeFunction>()->guard = guard;
}

Value stand_for(const Parameters& p) {
  p[0].as<Type>()->stands_for = p[1].as<Type>();
  p[0].as<Type>()->hidden = truth(p[2]);
  return p[0];
}

Value add_base(const Parameters& p) {
  p[0].as<Type>()->add_base(*p[1].as<Type>());
  return p[0];
}

// seen_as(array, cls, model)
Value seen_as(const Parameters& p) { return wrap_as(p[1].as<Type>(), array_of(p[0]), p[2]); }

// call_plainly(function, args, kwargs)
Value call_plainly(const Parameters& p) {
  ArgumentList list;
  Iteration given(p[1]);
  for (Value value; given.next(value);) list.values.push_back(value);
  for (const Dict::Entry& entry : p[2].as<Dict>()->entries())
    if (!entry.key.is_empty()) list.keywords.push_back({intern(entry.key.as<Str>()), entry.value});
  if (p[0].has_layout(Layout::kFunction)) return p[0].as<Function>()->call_plainly(list);
  return p[0].has_layout(Layout::kNativeFunction) ? p[0].as<NativeFunction>()->run(list)
                                                  : call(p[0], list);
}

// ufunc_error(message)
Value ufunc_error(const Parameters& p) {
  return make<Exception>(&ufunc_type_error(text_of(p[0])), make_tuple({p[0]}));
}

const NativeRow kFunctions[] = {
    {"leave_to_functions(names, /)", leave_to_functions,
     "Has functions of numpy of these names called at once, whose arrays may be of any elements."},
    {"ufunc_error(message, /)", ufunc_error, "The exception for operands that no ufunc takes."},
    {"call_plainly(function, args, kwargs, /)", call_plainly,
     "Calls a function of numpy without asking the classes of its arguments."},
    {"seen_as(array, cls, model, /)", seen_as,
     "A native array in a class, whose __array_finalize__ is told the model."},
    {"stand_for(cls, other, hidden, /)", stand_for,
     "Makes isinstance take a class for another one, and type() tell that one if hidden."},
    {"add_base(cls, base, /)", add_base, "Gives a class one more base behind those it has."},
};

}  // namespace

void refuse_elements(std::string_view kind) {
  Value message = make_str(fmt::format("arrays of dtype '{}' are not supported here", kind));
  Ref<Exception> refusal =
      make<Exception>(&errors::TypeError(), make_tuple(std::span<const Value>(&message, 1)));
  link_context(*refusal);
  throw UnsupportedElements{{{refusal}}};
}

bool is_boxed_array(const Value& value) {
  if (!value.is_object() || !type_of(value)->has(Type::kUserDefined)) return false;
  for (const Type* each : type_of(value)->mro())
    if (each->stands_for == &ArrayObject::type_object()) return true;
  return false;
}
Value in_this_order(const Value& value) {
  if (!is_boxed_array(value)) return value;
  Value method = find_special(value, names().array);
  if (method.is_empty()) return value;
  Value values = call(method);
  return is_array(values) ? values : value;
}

bool is_boxed_dtype(const Value& value) {
  if (!value.is_object()) return false;
  for (const Type* each : type_of(value)->mro())
    if (each->stands_for == &DTypeObject::type_object()) return true;
  return false;
}

Value call_in_npx(std::string_view name, const Values& arguments) {
  Value function = get_attribute(import_module("numpy"), intern(name));  // numpy keeps it
  return call(function, Arguments(arguments.data(), arguments.size()));
}

Value call_ufunc_in_npx(const Value& ufunc, const Arguments& arguments) {
  return ask("_boxed_ufunc", ufunc, arguments);
}

void guard_elements(NativeFunction& function) { function.guard = run_guarded; }

void guard_methods(Type& type, std::initializer_list<const char*> methods) {
  for (const char* name : methods) set_guard(type, name, run_guarded);
}

void guard_ufunc_methods(Type& type) {
  for (const char* name : {"reduce", "accumulate", "reduceat", "outer", "at"})
    set_guard(type, name, run_ufunc_method);
}

Value answer_for_texts(const Value& function, const Arguments& arguments) {
  bool found = false;
  for (const Value& value : arguments.positional()) found = found || begins_with_text(value);
  static const Name optimize = intern("optimize");  // an order of work, which is no array
  for (const KeywordArgument& keyword : arguments.named())
    found = found || (keyword.name != optimize && begins_with_text(keyword.value));
  if (!found) return Value();
  Value answer = answer_in_npx(function, arguments);
  return identical(answer, not_implemented()) ? Value() : answer;
}

const NativeModule kElementsModule = {
    "_elements", "Classes of npx that take the place of numpy's own.", kFunctions, {}};

}  // namespace strider::lang
