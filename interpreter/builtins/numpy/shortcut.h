// Native code that answers calls of a function in npx where its arguments are plain ones.
#pragma once

#include <span>
#include <string_view>

#include "interpreter/evaluator/frames/function.h"

namespace strider::lang {

struct Shortcut {
  std::string_view name;
  Function::Shortcut code;
};
using Shortcuts = std::span<const Shortcut>;

// The code for a name; null where there is none.
inline Function::Shortcut find_shortcut(Shortcuts shortcuts, std::string_view name) {
  for (const Shortcut& each : shortcuts)
    if (each.name == name) return each.code;
  return nullptr;
}

// The argument, or Empty where so many are not given.
inline Value argument(const Arguments& arguments, std::size_t i) {
  return i < arguments.count ? arguments.values[i] : Value();
}

}  // namespace strider::lang
