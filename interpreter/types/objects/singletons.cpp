// The types of None, Ellipsis and NotImplemented, which have one instance each.
#include "interpreter/types/objects/singletons.h"

#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::int64_t kNoneHash = 0xFCA86420;

class Singleton final : public Object {
 public:
  explicit Singleton(Type& type) : Object(Layout::kOther, &type) { retain(); }
};

}  // namespace

Value not_implemented() {
  static auto& object = *new Singleton(not_implemented_type());
  return Value(&object);
}

Value ellipsis() {
  static auto& object = *new Singleton(ellipsis_type());
  return Value(&object);
}

Type& none_type() {
  static bool ready = false;
  static Type& type = new_type("NoneType", Type::object_type());
  if (ready) return type;
  ready = true;
  type.slots.repr = [](const Value&) -> Value { return make_str("None"); };
  type.slots.hash = [](const Value&) { return kNoneHash; };
  type.slots.truth = [](const Value&) { return false; };
  type.slots.construct = [](Type*, const Arguments& arguments) {
    check_arity(arguments, "NoneType", 0, 0);
    return Value::none();
  };
  return type;
}

Type& ellipsis_type() {
  static bool ready = false;
  static Type& type = new_type("ellipsis", Type::object_type());
  if (ready) return type;
  ready = true;
  type.doc = "The type of Ellipsis.";
  type.slots.repr = [](const Value&) -> Value { return make_str("Ellipsis"); };
  type.slots.construct = [](Type*, const Arguments& arguments) {
    check_arity(arguments, "ellipsis", 0, 0);
    return ellipsis();
  };
  return type;
}

Type& not_implemented_type() {
  static bool ready = false;
  static Type& type = new_type("NotImplementedType", Type::object_type());
  if (ready) return type;
  ready = true;
  type.doc = "The type of NotImplemented.";
  type.slots.repr = [](const Value&) -> Value { return make_str("NotImplemented"); };
  type.slots.construct = [](Type*, const Arguments& arguments) {
    check_arity(arguments, "NotImplementedType", 0, 0);
    return not_implemented();
  };
  return type;
}

}  // namespace strider::lang
