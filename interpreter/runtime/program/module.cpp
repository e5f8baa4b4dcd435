// Modules and the lazy reading of native tables.
#include "interpreter/runtime/program/module.h"

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/program/partial_module.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

std::string_view function_name(const NativeRow& row) {
  std::string_view signature = row.signature;
  return signature.substr(0, signature.find('('));
}

// The namespace with every name of the native tables made.
Value whole_namespace(Module& module) {
  std::vector<std::string_view> known;
  module.list_names(known);
  std::vector<Name> listed;  // finding a name may change what `known` points into
  for (std::string_view each : known) listed.push_back(intern(each));
  for (Name each : listed) module.find(each);
  return module.dict_ref();
}

Value module_attribute(const Value& self, Name name) {
  auto* module = self.as<Module>();
  if (Value* found = module->dict().find(name)) return *found;
  if (name == names().dict) return whole_namespace(*module);
  bool special = !module->native() && text_of(name).starts_with("__");  // not for a __getattr__
  Value found = special ? generic_get_attribute(self, name) : Value();
  if (found.is_empty()) found = find_module_fact(module->dict(), name);
  if (found.is_empty() && name == names().annotations && !module->native()) {
    found = make_dict();
    module->dict().set(name, found);
  }
  if (found.is_empty()) found = module->find(name);
  if (found.is_empty() && !special) found = generic_get_attribute(self, name);
  return found;
}

void module_set_attribute(const Value& self, Name name, const Value& value) {
  Dict& dict = self.as<Module>()->dict();
  if (type_of(self)->has(Type::kUserDefined) || name == names().class_) {
    const Value* descriptor = type_of(self)->lookup(name);
    if (descriptor && type_of(*descriptor)->slots.set)
      return type_of(*descriptor)->slots.set(Value(*descriptor), self, value);
  }
  if (!value.is_empty()) return dict.set(name, value);
  if (!dict.erase(Value(name))) raise(errors::AttributeError, "{}", text_of(name));
}

Value module_repr(const Value& self) {
  auto* module = self.as<Module>();
  Value* file = module->dict().find(names().file);
  if (file) return make_str(fmt::format("<module '{}' from {}>", module->name(), repr_text(*file)));
  bool made_by_program = !module->native() && module->name() != "__main__";
  if (!made_by_program) return make_str(fmt::format("<module '{}' (built-in)>", module->name()));
  Value* spec = module->dict().find(names().spec);
  Value origin = spec ? find_attribute(*spec, intern("origin")) : Value();
  if (!origin.has_layout(Layout::kStr))
    return make_str(fmt::format("<module '{}'>", module->name()));
  return make_str(fmt::format("<module '{}' ({})>", module->name(), text_of(origin)));
}

// An empty module, as programs make them: its name comes with __init__.
Value module_construct(Type* cls, const Arguments&) { return make<Module>("", nullptr, cls); }

void module_initialize(const Value& self, const Arguments& arguments) {
  static const Signature& signature = *new Signature("module(name, doc=None)");
  Value p[2];
  signature.bind(arguments, p);
  self.as<Module>()->describe(to_text(p[0], "module() argument 'name'"), p[1]);
}

}  // namespace

Module::Module(std::string_view name, const NativeModule* native, Type* type)
    : Container(Layout::kModule, type),
      name_(name),
      dict_(make_dict()),
      native_(native),
      class_(type) {
  dict_->set(names().name, Value(make_str(name)));
  dict_->set(names().doc, native ? Value(make_str(native->doc)) : Value::none());
}

void Module::describe(std::string_view name, const Value& doc) {
  name_ = name;
  dict_->set(names().name, Value(make_str(name)));
  dict_->set(names().doc, doc);
  for (std::string_view each : {"__package__", "__loader__", "__spec__"})
    if (!dict_->find(intern(each))) dict_->set(intern(each), Value::none());
}

Type& Module::type_object() {
  static Type& type = *[] {
    auto* made = new Type("module", &Type::object_type());
    made->instance_layout = Layout::kModule;
    made->slots.get_attribute = module_attribute;
    made->slots.set_attribute = module_set_attribute;
    made->slots.repr = module_repr;
    made->slots.construct = module_construct;
    made->slots.initialize = module_initialize;
    made->set(Type::kSubclassable);
    return made;
  }();
  return type;
}

std::string Module::without(Name name) const {
  if (!is_partially_initialized(name_))
    return fmt::format("module '{}' has no attribute '{}'", name_, text_of(name));
  return fmt::format(
      "partially initialized module '{}' has no attribute '{}' (most likely due to a circular "
      "import)",
      name_, text_of(name));
}

Value Module::find(Name name) {
  if (Value* found = dict_->find(name)) return *found;
  Value made = native_ ? make_native(name) : Value();
  if (!made.is_empty()) {
    dict_->set(name, made);
    return made;
  }
  if (name == names().annotations) {  // there are none yet
    dict_->set(name, Value(make_dict()));
    return *dict_->find(name);
  }
  Value* hook = dict_->find(names().getattr);
  return hook ? call(Value(*hook), Value(name)) : Value();
}

Value Module::make_native(Name name) {
  for (const NativeRow& row : native_->functions) {
    if (function_name(row) != text_of(name)) continue;
    Ref<NativeFunction> function = make<NativeFunction>(row, nullptr);
    function->module = native_->name;
    return function;
  }
  for (const ConstantRow& row : native_->constants)
    if (text_of(name) == row.name) return row.make();
  return native_->find ? native_->find(name) : Value();
}

void Module::list_names(std::vector<std::string_view>& names) const {
  for (const Dict::Entry& entry : dict_->entries())
    if (!entry.key.is_empty() && is_str(entry.key)) names.push_back(text_of(entry.key));
  if (!native_) return;
  for (const NativeRow& row : native_->functions) names.push_back(function_name(row));
  for (const ConstantRow& row : native_->constants) names.push_back(row.name);
  if (native_->list) native_->list(names);
}

void Module::traverse(Visitor& visitor) {
  visitor.visit(dict_);
  visitor.visit(class_);
}
void Module::clear_references() { dict_->clear(); }

}  // namespace strider::lang
