// The type of functions: binding to instances, attributes, repr.
#include "interpreter/evaluator/frames/function.h"
#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/objects/code_facts.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Function& function_of(const Value& self) { return *self.as<Function>(); }

Value function_get(const Value& self, const Value& instance, const Value&) {
  return instance.is_empty() ? self : Value(make<BoundMethod>(self, instance));
}

Value function_repr(const Value& self) {
  return make_str(fmt::format("<function {} at {}>", function_of(self).qualified_name,
                              fmt::ptr(static_cast<void*>(self.object()))));
}

Value get_defaults(const Value& self) {
  const Values& defaults = function_of(self).defaults;
  return defaults.empty() ? Value::none() : Value(make_tuple(Values(defaults)));
}

void set_defaults(const Value& self, const Value& value) {
  function_of(self).defaults.clear();
  if (value.is_empty() || value.is_none()) return;
  if (!is_tuple(value)) raise(errors::TypeError, "__defaults__ must be set to a tuple object");
  Iteration items(value);
  Value item;
  while (items.next(item)) function_of(self).defaults.push_back(item);
}

Value get_keyword_defaults(const Value& self) {
  Ref<Dict> dict = function_of(self).keyword_default_dict();
  return dict ? Value(dict) : Value::none();
}

void set_keyword_defaults(const Value& self, const Value& value) {
  bool none = value.is_empty() || value.is_none();
  if (!none && !is_dict(value))
    raise(errors::TypeError, "__kwdefaults__ must be set to a dict object");
  function_of(self).set_keyword_default_dict(none ? Ref<Dict>() : Ref<Dict>(value.as<Dict>()));
}

Value get_closure(const Value& self) {
  Values cells;
  for (const Ref<Cell>& cell : function_of(self).closure) cells.emplace_back(cell);
  return cells.empty() ? Value::none() : Value(make_tuple(std::move(cells)));
}

Value name_tuple(const std::vector<Name>& list) {
  Values values(list.begin(), list.end());
  return make_tuple(std::move(values));
}

// CO_GENERATOR with CO_ITERABLE_COROUTINE, CO_COROUTINE or CO_ASYNC_GENERATOR.
std::int64_t flag_of(const Code& code) {
  if (code.pauses == Pauses::kCoroutine) return 128;
  if (code.pauses == Pauses::kAsyncGenerator) return 512;
  return 32 | (code.awaitable ? 256 : 0);
}

}  // namespace

int first_line(const Code& code) {
  if (!code.source || code.definition.end == 0) return 1;
  return code.source->line_of(code.begin);
}

Ref<CodeFacts> describe_code(const std::shared_ptr<const void>& body) {
  const Code& code = *static_cast<const Code*>(body.get());
  const ParameterLayout& p = code.parameters;
  Ref<CodeFacts> result = make<CodeFacts>(body);
  Attributes& fields = *result->attributes();
  fields.set(intern("co_name"), Value(code.name));
  fields.set(intern("co_qualname"),
             code.qualified_name.empty() ? Value(code.name) : Value(make_str(code.qualified_name)));
  fields.set(intern("co_argcount"), Value::integer(p.positional));
  fields.set(intern("co_posonlyargcount"), Value::integer(p.positional_only));
  fields.set(intern("co_kwonlyargcount"), Value::integer(p.keyword_only));
  std::vector<Name> variables(code.local_names.begin(),
                              code.local_names.begin() + code.visible_locals);
  fields.set(intern("co_varnames"), name_tuple(variables));
  auto own = code.cell_names.begin() + code.own_cells;
  fields.set(intern("co_cellvars"), name_tuple({code.cell_names.begin(), own}));
  fields.set(intern("co_freevars"), name_tuple({own, code.cell_names.end()}));
  fields.set(intern("co_nlocals"), Value::integer(code.visible_locals));
  fields.set(intern("co_filename"), make_str(code.source ? code.source->file_name() : ""));
  fields.set(intern("co_firstlineno"), Value::integer(first_line(code)));
  std::int64_t flags = (code.is_function ? 3 : 0) | (p.var_args_slot >= 0 ? 4 : 0) |
                       (p.var_keywords_slot >= 0 ? 8 : 0) | (code.is_nested ? 16 : 0) |
                       (code.is_generator ? flag_of(code) : 0);
  fields.set(intern("co_flags"), Value::integer(flags));
  return result;
}

CodeText text_of_code(const std::shared_ptr<const void>& body) {
  const Code& code = *static_cast<const Code*>(body.get());
  CodeText result;
  if (code.source) {
    syntax::Span span = code.definition;
    if (span.end == 0) span.end = static_cast<std::uint32_t>(code.source->text().size());
    result.text = code.source->text().substr(span.begin, span.end - span.begin);
    result.begin = span.begin;
    result.line = code.source->line_of(span.begin);
  }
  for (const std::shared_ptr<const Code>& each : code.inner)
    result.inner.emplace_back(describe_code(each));
  return result;
}

namespace {

Value get_code(const Value& self) { return describe_code(function_of(self).code); }

Value get_annotations(const Value& self) {
  Function& function = function_of(self);
  if (function.annotations.is_empty()) function.annotations = make_dict();
  return function.annotations;
}

// How many variables of enclosing functions the code reads.
std::size_t free_count(const Code& code) {
  return code.cell_names.size() - static_cast<std::size_t>(code.own_cells);
}

// The code behind what a function's __code__ is; null for other values.
std::shared_ptr<const Code> code_behind(const Value& value) {
  if (type_of(value) != &CodeFacts::type_object()) return nullptr;
  return std::static_pointer_cast<const Code>(value.as<CodeFacts>()->body);
}

void set_code(const Value& self, const Value& value) {
  std::shared_ptr<const Code> code = value.is_empty() ? nullptr : code_behind(value);
  if (!code) raise(errors::TypeError, "__code__ must be set to a code object");
  Function& function = function_of(self);
  if (free_count(*code) != function.closure.size())
    raise(errors::ValueError, "{}() requires a code object with {} free vars, not {}",
          function.name, function.closure.size(), free_count(*code));
  function.set_code(std::move(code));
}

std::vector<Ref<Cell>> to_closure(const Value& value, const Code& code) {
  const std::size_t wanted = free_count(code);
  if (!is_tuple(value) && !(value.is_none() && wanted == 0))
    raise(errors::TypeError, "arg 5 (closure) must be {}tuple", value.is_none() ? "" : "None or ");
  std::vector<Ref<Cell>> cells;
  if (value.is_none()) return cells;
  for (const Value& item : value.as<Tuple>()->items()) {
    if (type_of(item) != &Cell::type_object())
      raise(errors::TypeError, "arg 5 (closure) expected cell, found {}", type_name(item));
    cells.emplace_back(item.as<Cell>());
  }
  if (cells.size() != wanted)
    raise(errors::ValueError, "{} requires closure of length {}, not {}", text_of(code.name),
          wanted, cells.size());
  return cells;
}

// types.FunctionType: another function with the code of one.
Value function_construct(Type*, const Arguments& arguments) {
  static const Signature signature(
      "function(code, globals, name=None, argdefs=None, closure=None)");
  Value p[5];
  signature.bind(arguments, p);
  std::shared_ptr<const Code> code = code_behind(p[0]);
  if (!code)
    raise(errors::TypeError, "function() argument 'code' must be code, not {}", type_name(p[0]));
  if (!is_dict(p[1]))
    raise(errors::TypeError, "function() argument 'globals' must be dict, not {}", type_name(p[1]));
  if (!p[3].is_none() && !is_tuple(p[3]))
    raise(errors::TypeError, "arg 4 (defaults) must be None or tuple");
  Ref<Function> made = make<Function>(code, p[1].as<Dict>());
  made->closure = to_closure(p[4], *code);
  if (!p[2].is_none()) made->name = to_text(p[2], "arg 3 (name)");
  set_defaults(Value(made), p[3]);
  set_keyword_defaults(Value(made), Value::none());
  return made;
}

// What `__builtins__` of its module says, else the module builtins.
Value get_builtins(const Value& self) {
  static const Name builtins = intern("__builtins__");
  const Value* own = function_of(self).globals->find(builtins);
  if (own && is_dict(*own)) return *own;
  return Value(Interpreter::current().builtins);
}

const PropertyRow kFunctionAttributes[] = {
    {"__name__", [](const Value& self) { return Value(make_str(function_of(self).name)); },
     [](const Value& self, const Value& value) {
       function_of(self).name = to_text(value, "__name__");
     },
     "The name."},
    {"__qualname__",
     [](const Value& self) { return Value(make_str(function_of(self).qualified_name)); },
     [](const Value& self, const Value& value) {
       function_of(self).qualified_name = to_text(value, "__qualname__");
     },
     "The name with its enclosing scopes."},
    {"__doc__", [](const Value& self) { return function_of(self).doc; },
     [](const Value& self, const Value& value) {
       function_of(self).doc = value.is_empty() ? Value::none() : value;
     },
     "The documentation."},
    {"__module__", [](const Value& self) { return function_of(self).module; },
     [](const Value& self, const Value& value) {
       function_of(self).module = value.is_empty() ? Value::none() : value;
     },
     "The module that defines it."},
    {"__defaults__", get_defaults, set_defaults, "Defaults of the last positional parameters."},
    {"__kwdefaults__", get_keyword_defaults, set_keyword_defaults,
     "Defaults of keyword-only parameters."},
    {"__annotations__", get_annotations,
     [](const Value& self, const Value& value) {
       if (value.is_empty() || value.is_none())
         function_of(self).annotations = make_dict();
       else if (is_dict(value))
         function_of(self).annotations = value;
       else
         raise(errors::TypeError, "__annotations__ must be set to a dict object");
     },
     "Annotations of parameters and result."},
    {"__globals__", [](const Value& self) { return Value(function_of(self).globals); }, nullptr,
     "The namespace of its module."},
    {"__builtins__", get_builtins, nullptr, "The namespace of built-in names."},
    {"__closure__", get_closure, nullptr, "The captured cells."},
    {"__code__", get_code, set_code, "Facts about the compiled body."},
};

}  // namespace

Type& Function::type_object() {
  static Type& type = *[] {
    auto* made = new Type("function", &Type::object_type());
    made->instance_layout = Layout::kFunction;
    made->slots.call = [](const Value& self, const Arguments& arguments) {
      return function_of(self).call(arguments);
    };
    made->slots.construct = function_construct;
    made->slots.get = function_get;
    made->slots.repr = function_repr;
    made->add(kFunctionAttributes);
    return made;
  }();
  return type;
}

}  // namespace strider::lang
