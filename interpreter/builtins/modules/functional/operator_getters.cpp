// itemgetter, attrgetter and methodcaller: callables that pick parts of their argument.
#include "interpreter/builtins/modules/functional/operator_getters.h"

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// A callable that holds values: the keys of an itemgetter, the arguments of a methodcaller.
class Getter final : public Container {
 public:
  explicit Getter(Type* type) : Container(Layout::kOther, type) {}
  void traverse(Visitor& visitor) override {
    for (const Value& each : values) visitor.visit(each);
    for (const KeywordArgument& each : keywords) visitor.visit(each.value);
  }
  void clear_references() override {
    values.clear();
    keywords.clear();
  }
  Values values;
  std::vector<KeywordArgument> keywords;
  std::vector<std::vector<Name>> paths;  // of an attrgetter
  Name method = nullptr;                 // of a methodcaller
};

Getter& getter_of(const Value& self) { return *self.as<Getter>(); }

const Value& single_argument(const Value& self, const Arguments& arguments) {
  if (arguments.keyword_count)
    raise(errors::TypeError, "{}() takes no keyword arguments", plain_name(*type_of(self)));
  if (arguments.count != 1)
    raise(errors::TypeError, "{} expected 1 argument, got {}", plain_name(*type_of(self)),
          arguments.count);
  return arguments.values[0];
}

std::string repr_list(const Getter& getter) {
  std::string text;
  for (const Value& value : getter.values) {
    if (!text.empty()) text += ", ";
    text += repr_text(value);
  }
  for (const KeywordArgument& keyword : getter.keywords)
    text += fmt::format(", {}={}", text_of(keyword.name), repr_text(keyword.value));
  return text;
}

Value getter_repr(const Value& self) {
  return make_str(fmt::format("operator.{}({})", plain_name(*type_of(self)),
                              repr_list(getter_of(self))));
}

Ref<Getter> make_getter(Type* cls, const Arguments& arguments) {
  if (arguments.count == 0)
    raise(errors::TypeError, "{} expected at least 1 argument, got 0", plain_name(*cls));
  Ref<Getter> getter = make<Getter>(cls);
  getter->values.assign(arguments.values, arguments.values + arguments.count);
  return getter;
}

Value construct_item_getter(Type* cls, const Arguments& arguments) {
  return make_getter(cls, arguments);
}

Value call_item_getter(const Value& self, const Arguments& arguments) {
  const Value& object = single_argument(self, arguments);
  const Values& keys = getter_of(self).values;
  if (keys.size() == 1) return get_item(object, keys[0]);
  Values items;
  for (const Value& key : keys) items.push_back(get_item(object, key));
  return make_tuple(std::move(items));
}

Value construct_attribute_getter(Type* cls, const Arguments& arguments) {
  Ref<Getter> getter = make_getter(cls, arguments);
  for (const Value& name : getter->values) {
    if (!is_str(name)) raise(errors::TypeError, "attribute name must be a string");
    std::string_view text = text_of(name);
    std::vector<Name> path;
    for (std::size_t dot; (dot = text.find('.')) != text.npos; text.remove_prefix(dot + 1))
      path.push_back(intern(text.substr(0, dot)));
    path.push_back(intern(text));
    getter->paths.push_back(std::move(path));
  }
  return getter;
}

Value follow(Value object, const std::vector<Name>& path) {
  for (Name name : path) object = get_attribute(object, name);
  return object;
}

Value call_attribute_getter(const Value& self, const Arguments& arguments) {
  const Value& object = single_argument(self, arguments);
  const auto& paths = getter_of(self).paths;
  if (paths.size() == 1) return follow(object, paths[0]);
  Values items;
  for (const std::vector<Name>& path : paths) items.push_back(follow(object, path));
  return make_tuple(std::move(items));
}

Value construct_method_caller(Type* cls, const Arguments& arguments) {
  if (arguments.count == 0)
    raise(errors::TypeError, "methodcaller needs at least one argument, the method name");
  if (!is_str(arguments.values[0])) raise(errors::TypeError, "method name must be a string");
  Ref<Getter> getter = make_getter(cls, arguments);
  getter->method = intern(arguments.values[0].as<Str>());
  getter->keywords.assign(arguments.keywords, arguments.keywords + arguments.keyword_count);
  return getter;
}

Value call_method_caller(const Value& self, const Arguments& arguments) {
  const Value& object = single_argument(self, arguments);
  const Getter& getter = getter_of(self);
  Arguments passed(getter.values.data() + 1, getter.values.size() - 1);
  passed.keywords = getter.keywords.data();
  passed.keyword_count = getter.keywords.size();
  return call_method(object, getter.method, passed);
}

// What rebuilds a getter: its class and what it was given.
Value getter_reduced(const Parameters& p) {
  const Getter& getter = getter_of(p[0]);
  std::span<const Value> values = getter.values;
  if (getter.keywords.empty())
    return make_tuple({Value(getter.type()), Value(make_tuple(values))});
  // The class is called with the names that a partial function keeps.
  const Value given[] = {Value(getter.type()), values[0]};
  Arguments kept(given, 2);
  kept.keywords = getter.keywords.data();
  kept.keyword_count = getter.keywords.size();
  Value partial = call(get_attribute(import_module("functools"), intern("partial")), kept);
  return make_tuple({partial, Value(make_tuple(values.subspan(1)))});
}

constexpr NativeRow kGetterMethods[] = {
    {"__reduce__(self, /)", getter_reduced, "What rebuilds it."},
};

Type& make_getter_type(const char* name, Value (*construct)(Type*, const Arguments&),
                       Value (*call_slot)(const Value&, const Arguments&)) {
  Type& type = make_module_type(name, "operator");
  type.slots.construct = construct;
  type.slots.initialize = [](const Value&, const Arguments&) {};
  type.slots.call = call_slot;
  type.slots.repr = getter_repr;
  type.add(kGetterMethods);
  return type;
}

}  // namespace

Type& item_getter_type() {
  static Type& type = make_getter_type("itemgetter", construct_item_getter, call_item_getter);
  return type;
}

Type& attribute_getter_type() {
  static Type& type =
      make_getter_type("attrgetter", construct_attribute_getter, call_attribute_getter);
  return type;
}

Type& method_caller_type() {
  static Type& type = make_getter_type("methodcaller", construct_method_caller, call_method_caller);
  return type;
}

void append_keywords(ArgumentList& arguments, const Value& keywords) {
  for (const Dict::Entry& entry : keywords.as<Dict>()->entries())
    if (!entry.key.is_empty())
      arguments.keywords.push_back({intern(entry.key.as<Str>()), entry.value});
}

bool is_dict_like(const Value& value) { return is_dict(value); }

Value import_builtins() { return import_module("builtins"); }

}  // namespace strider::lang
