// Compiled code as a value of the language, and how values become the words that it takes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "compiler/compiler.h"
#include "interpreter/runtime/type/type.h"

namespace strider::lang {

class CodeObject final : public Object {
 public:
  explicit CodeObject(std::unique_ptr<compiler::Code> code)
      : Object(Layout::kOther, &type_object()), code(std::move(code)) {}
  static Type& type_object();
  std::unique_ptr<compiler::Code> code;
};

// Appends what a value looks like, for the choice among compiled forms: i int, d float, b bool, c
// complex, n None, tuples in parentheses, other numbers and arrays by their element type. False for
// all else.
bool describe_kind(std::string& key, const Value& value);

// What code makes of values. Letters tell their kinds: those of describe_kind(), r for arrays, w
// for arrays that are written to; `results` tell that of what comes out. Where the status is not 0,
// what failed(status, and three numbers) makes of that.
Value run_code(const compiler::Code& code, std::span<const Value> values, std::string_view letters,
               std::string_view results, const Value& failed);

// The class of functions that choose among compiled forms by what they are given.
Type& compiled_forms_type();

}  // namespace strider::lang
