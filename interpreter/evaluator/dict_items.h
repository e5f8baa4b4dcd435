// Items of plain dicts, read without asking their class. Knows nothing of nodes.
#pragma once

#include "interpreter/runtime/error/error.h"
#include "interpreter/types/mappings/dict.h"

namespace strider::lang {

inline bool is_plain_dict(const Value& object) {
  return is_dict(object) && object.object()->type() == &Dict::type_object();
}

// The value of a key; Empty where there is none: KeyError was raised (see Node::attempt).
inline Value attempt_item(Dict& dict, const Value& key) {
  if (const Value* found = dict.find(key)) return *found;
  return fail_value(errors::KeyError(), key);
}

}  // namespace strider::lang
