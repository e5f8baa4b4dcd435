// Struct sequences: tuples whose fields have names too (time.struct_time, os.stat_result).
#pragma once

#include <span>
#include <vector>

#include "interpreter/runtime/type/type.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {

class StructSequenceType {
 public:
  // The first `visible` fields are the tuple's items; the others can only be read by name.
  StructSequenceType(const char* name, const char* module, std::span<const char* const> fields,
                     std::size_t visible);
  Type& type() const { return *type_; }
  // An instance with a value for every field.
  Value make(Values values) const;

 private:
  Type* type_;
};

}  // namespace strider::lang
