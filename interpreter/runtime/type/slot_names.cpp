// Private names of slots become those that attributes of a class have.
#include "interpreter/runtime/type/slot_names.h"

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// `__x` in a class C is `_C__x`.
Value as_attribute(const Value& name, std::string_view class_name) {
  std::string_view text = text_of(name);
  class_name.remove_prefix(std::min(class_name.find_first_not_of('_'), class_name.size()));
  if (!text.starts_with("__") || text.ends_with("__") || class_name.empty()) return name;
  return make_str(fmt::format("_{}{}", class_name, text));
}

}  // namespace

Values slot_names(const Value& slots, std::string_view class_name) {
  if (is_str(slots)) return {as_attribute(slots, class_name)};
  Values found;
  Iteration items(slots);
  Value name;
  while (items.next(name)) {
    if (!is_str(name))
      raise(errors::TypeError, "__slots__ items must be strings, not '{}'", type_name(name));
    found.push_back(as_attribute(name, class_name));
  }
  return found;
}

}  // namespace strider::lang
