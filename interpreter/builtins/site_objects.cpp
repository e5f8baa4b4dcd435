// Callables with a text of their own.
#include "interpreter/builtins/site_objects.h"

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

class SiteObject final : public Object {
 public:
  SiteObject(Type* type, std::string_view its_name)
      : Object(Layout::kOther, type), name(its_name) {}
  const std::string_view name;
};

// The only argument, or Empty where there is none.
Value optional_argument(const Value& self, const Arguments& arguments) {
  if (arguments.count + arguments.keyword_count > 1)
    raise(errors::TypeError, "{}() takes at most 1 argument ({} given)",
          self.as<SiteObject>()->name, arguments.count + arguments.keyword_count);
  if (arguments.count) return arguments.values[0];
  return arguments.keyword_count ? arguments.keywords[0].value : Value();
}

Value leave(const Value& self, const Arguments& arguments) {
  Value code = optional_argument(self, arguments);
  raise_value(errors::SystemExit(), code.is_empty() ? Value::none() : code);
}

Value explain(const Value& self, const Arguments& arguments) {
  Value object = optional_argument(self, arguments);
  Value help = import_module("_fronts.help");
  if (object.is_empty()) return call(get_attribute(help, intern("ask")));
  return call(get_attribute(help, intern("explain")), object);
}

Value leave_text(const Value& self) {
  return Value(
      make_str(fmt::format("Use {}() or Ctrl-D (i.e. EOF) to exit", self.as<SiteObject>()->name)));
}

Value explain_text(const Value&) {
  return Value(
      make_str("Type help() for interactive help, or help(object) for help about object."));
}

Type& make_site_type(const char* name, Value (*call)(const Value&, const Arguments&),
                     Value (*text)(const Value&), const char* doc) {
  Type& type = *new Type(name, &Type::object_type());
  type.instance_layout = Layout::kOther;
  type.module = "_sitebuiltins";
  type.slots.call = call;
  type.slots.repr = text;
  type.set_own(names().doc, Value(make_str(doc)));
  return type;
}

}  // namespace

Value site_object(std::string_view name) {
  static Type& leaver =
      make_site_type("Quitter", leave, leave_text, "Leaves the program: exit(status=None).");
  static Type& helper = make_site_type("_Helper", explain, explain_text,
                                       "Explains: help(), help(object), help('topic').");
  if (name == "help") return make<SiteObject>(&helper, "help");
  if (name == "exit") return make<SiteObject>(&leaver, "exit");
  return name == "quit" ? Value(make<SiteObject>(&leaver, "quit")) : Value();
}

}  // namespace strider::lang
