// CodeFacts: what programs read of compiled code (types.CodeType), as an object with attributes.
#pragma once

#include <memory>

#include "interpreter/types/objects/namespace.h"

namespace strider::lang {

// Facts of the same code are equal, however often they are asked for.
class CodeFacts final : public SimpleNamespace {
 public:
  explicit CodeFacts(std::shared_ptr<const void> code_body = {});
  static Type& type_object();
  const std::shared_ptr<const void> body;  // a function's Code; null: only facts are known
};

}  // namespace strider::lang
