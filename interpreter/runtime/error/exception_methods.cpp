// Methods of exceptions: state, notes.
#include "interpreter/runtime/error/exception_methods.h"

#include <utility>
#include <vector>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

// Sets attributes, as pickles have them; what they run meanwhile may change the dict.
Value set_state(const Parameters& p) {
  if (p[1].is_none()) return Value::none();
  if (!is_dict(p[1])) raise(errors::TypeError, "state is not a dictionary");
  std::vector<std::pair<Value, Value>> items;
  for (const Dict::Entry& entry : p[1].as<Dict>()->entries())
    if (!entry.key.is_empty()) items.emplace_back(entry.key, entry.value);
  for (const auto& [key, value] : items) {
    if (!is_str(key))
      raise(errors::TypeError, "attribute name must be string, not '{}'", type_name(key));
    set_attribute(p[0], intern(key.as<Str>()), value);
  }
  return Value::none();
}

Value add_note(const Parameters& p) {
  if (!is_str(p[1])) raise(errors::TypeError, "note must be a str, not '{}'", type_name(p[1]));
  Attributes& attributes = *p[0].as<Exception>()->attributes();
  if (!attributes.find(names().notes)) attributes.set(names().notes, make_list());
  const Value& notes = *attributes.find(names().notes);
  if (!notes.has_layout(Layout::kList))
    raise(errors::TypeError, "Cannot add note: __notes__ is not a list");
  notes.as<List>()->items.push_back(p[1]);
  return Value::none();
}

}  // namespace strider::lang
