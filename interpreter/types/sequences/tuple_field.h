// TupleField: the descriptor that reads one item of a named tuple as an attribute.
#pragma once

#include "interpreter/runtime/memory/collector.h"
#include "interpreter/runtime/type/type.h"

namespace strider::lang {

class TupleField final : public Object {
 public:
  TupleField(std::size_t index, const Value& doc);
  static Type& type_object();
  // The item of an instance; TypeError if it is no tuple, IndexError if it has too few items.
  Value of(const Value& instance) const;

  const std::size_t index;
  Value doc;
};

}  // namespace strider::lang
