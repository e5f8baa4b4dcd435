// How many arguments the methods take that stand for slots of built-in types. Knows no types.
#pragma once

#include <optional>
#include <string_view>

#include "interpreter/runtime/call/call.h"

namespace strider::lang {

// Whether a word is one of several, all of which stand between spaces.
bool is_one_of(std::string_view words, std::string_view word);

// Numbers of arguments besides self; `unpacked` where CPython takes them out of a tuple, which it
// says in other words.
struct SlotCounts {
  std::size_t least, most;
  bool unpacked;
};

// Of a method by its name ("__add__"); nothing for names that are no slot's and for slots that take
// any arguments.
std::optional<SlotCounts> slot_counts(std::string_view name);
// TypeError "expected 1 argument, got 0", or "wrapper __add__() takes no keyword arguments".
void check_slot_arguments(std::string_view name, const SlotCounts& counts,
                          const Arguments& arguments);

}  // namespace strider::lang
