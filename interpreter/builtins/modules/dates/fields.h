// Arguments of the constructors of dates and times, with the messages that these have, and what
// pickles hold of them.
#pragma once

#include <span>

#include "interpreter/builtins/modules/dates/calendar.h"
#include "interpreter/runtime/call/call.h"

namespace strider::lang {

// The parameters of a constructor: the first `positional` may have no name in a call, the first
// `required` have to be there, and are numbers where there are several.
struct FieldNames {
  const char* function;  // as messages name it
  std::span<const Name> names;
  std::size_t positional, required;
};

// Puts each argument in its place; absent ones stay Empty. TypeError.
void bind_fields(const FieldNames& fields, const Arguments& arguments, Value* places);
// An integer of 32 bits. TypeError, OverflowError.
int field_of(const Value& value);
inline int field_of(const Value& value, int otherwise) {
  return value.is_empty() ? otherwise : field_of(value);
}
// Refuse what does not exist: ValueError.
void check_day(const CalendarDay& day);
void check_clock(const Clock& clock, int fold);

// The bytes that a pickle gives in place of parts: `length` of them, which may come as a text
// (from Python 2); false where the value is nothing like it.
bool read_state(const Value& value, std::size_t length, const char* kind, std::string& state);
CalendarDay day_of_state(const char* state);
Clock clock_of_state(const char* state);
std::string state_of(const CalendarDay& day);
std::string state_of(const Clock& clock);

}  // namespace strider::lang
