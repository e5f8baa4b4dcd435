// The type of functions: binding to instances, attributes, repr.
#include "interpreter/evaluator/function.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/objects/namespace.h"
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
  Function& function = function_of(self);
  const ParameterLayout& p = function.code->parameters;
  Ref<Dict> result = make_dict();
  for (std::size_t i = 0; i < function.keyword_defaults.size(); ++i)
    if (!function.keyword_defaults[i].is_empty())
      result->set(p.names[static_cast<std::size_t>(p.positional) + i],
                  function.keyword_defaults[i]);
  return result->size() == 0 ? Value::none() : Value(result);
}

void set_keyword_defaults(const Value& self, const Value& value) {
  bool none = value.is_empty() || value.is_none();
  if (!none && !is_dict(value))
    raise(errors::TypeError, "__kwdefaults__ must be set to a dict object");
  Function& function = function_of(self);
  const ParameterLayout& p = function.code->parameters;
  function.keyword_defaults.clear();
  for (int i = p.positional; i < p.positional + p.keyword_only; ++i) {
    Value* found = none ? nullptr : value.as<Dict>()->find(p.names[static_cast<std::size_t>(i)]);
    function.keyword_defaults.push_back(found ? *found : Value());
  }
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

// Whether a line holds a decorator that stands as far right as a definition.
bool is_decorator(std::string_view line, std::string_view definition) {
  std::size_t indent = definition.find_first_not_of(" \t");
  return indent != std::string_view::npos && line.find_first_not_of(" \t") == indent &&
         line[indent] == '@';
}

}  // namespace

int first_line(const Code& code) {
  if (!code.source || code.definition.end == 0) return 1;
  int line = code.source->line_of(code.definition.begin);
  std::string definition(code.source->line_text(line));
  while (line > 1 && is_decorator(code.source->line_text(line - 1), definition)) --line;
  return line;
}

namespace {

// What scripts read of a code object.
Value get_code(const Value& self) {
  const Code& code = *function_of(self).code;
  const ParameterLayout& p = code.parameters;
  Ref<SimpleNamespace> result = make<SimpleNamespace>();
  Attributes& fields = *result->attributes();
  fields.set(intern("co_name"), Value(code.name));
  fields.set(intern("co_qualname"), make_str(code.qualified_name));
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
  fields.set(intern("co_filename"), make_str(code.source->file_name()));
  fields.set(intern("co_firstlineno"), Value::integer(first_line(code)));
  std::int64_t flags = (p.var_args_slot >= 0 ? 4 : 0) | (p.var_keywords_slot >= 0 ? 8 : 0) |
                       (code.is_generator ? 32 : 0);
  fields.set(intern("co_flags"), Value::integer(flags));
  return result;
}

Value get_annotations(const Value& self) {
  Function& function = function_of(self);
  if (function.annotations.is_empty()) function.annotations = make_dict();
  return function.annotations;
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
     [](const Value& self, const Value& value) { function_of(self).doc = value; },
     "The documentation."},
    {"__module__", [](const Value& self) { return function_of(self).module; },
     [](const Value& self, const Value& value) { function_of(self).module = value; },
     "The module that defines it."},
    {"__defaults__", get_defaults, set_defaults, "Defaults of the last positional parameters."},
    {"__kwdefaults__", get_keyword_defaults, set_keyword_defaults,
     "Defaults of keyword-only parameters."},
    {"__annotations__", get_annotations,
     [](const Value& self, const Value& value) { function_of(self).annotations = value; },
     "Annotations of parameters and result."},
    {"__globals__", [](const Value& self) { return Value(function_of(self).globals); }, nullptr,
     "The namespace of its module."},
    {"__closure__", get_closure, nullptr, "The captured cells."},
    {"__code__", get_code, nullptr, "Facts about the compiled body."},
};

}  // namespace

Type& Function::type_object() {
  static Type& type = *[] {
    auto* made = new Type("function", &Type::object_type());
    made->instance_layout = Layout::kFunction;
    made->slots.call = [](const Value& self, const Arguments& arguments) {
      return function_of(self).call(arguments);
    };
    made->slots.get = function_get;
    made->slots.repr = function_repr;
    made->add(kFunctionAttributes);
    return made;
  }();
  return type;
}

}  // namespace strider::lang
