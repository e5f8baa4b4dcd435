// CodeFacts: what programs read of compiled code (types.CodeType), as an object with attributes.
#pragma once

#include <memory>
#include <string_view>

#include "interpreter/types/objects/namespace.h"

namespace strider::lang {

struct CodeText {
  std::string_view text;  // of a function and a class: the definition
  Values inner;           // the code objects within, in their order
  bool is_expression = false;
  std::int64_t begin = 0;  // where in its file the text begins, and on which line
  int line = 1;
};

// Facts of the same code are equal, however often they are asked for.
class CodeFacts : public SimpleNamespace {
 public:
  explicit CodeFacts(std::shared_ptr<const void> code_body = {});
  static Type& type_object();
  // The same code, whose attributes may then be changed.
  virtual Ref<CodeFacts> copy() const { return make<CodeFacts>(body); }
  // What was compiled.
  virtual CodeText text() const;
  const std::shared_ptr<const void> body;  // a function's Code; null: only facts are known
};

// What scripts read of a function's code. Implemented by the evaluator, which knows the class.
Ref<CodeFacts> describe_code(const std::shared_ptr<const void>& code);
CodeText text_of_code(const std::shared_ptr<const void>& code);

}  // namespace strider::lang
