// Arguments of constructors, one by one.
#include "interpreter/builtins/modules/dates/fields.h"

#include <climits>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

std::string with_brackets(const FieldNames& fields) {
  std::string_view name = fields.function;
  return name == "function" ? "function" : std::string(name) + "()";
}

[[noreturn]] void refuse_count(const FieldNames& fields, std::size_t most, const char* kind,
                               std::size_t given) {
  raise(errors::TypeError, "{} takes at most {} {}argument{} ({} given)", with_brackets(fields),
        most, kind, most == 1 ? "" : "s", given);
}

void bind_name(const FieldNames& fields, const KeywordArgument& keyword, Value* places) {
  for (std::size_t i = 0; i < fields.names.size(); ++i)
    if (fields.names[i] == keyword.name && places[i].is_empty()) places[i] = keyword.value;
}

// Numbers in front of the one that is not there are looked at first.
[[noreturn]] void refuse_absence(const FieldNames& fields, std::size_t absent,
                                 const Value* places) {
  for (std::size_t i = 0; i < absent; ++i) field_of(places[i]);
  raise(errors::TypeError, "{} missing required argument '{}' (pos {})", with_brackets(fields),
        text_of(fields.names[absent]), absent + 1);
}

void check_name(const FieldNames& fields, const KeywordArgument& keyword, std::size_t positional) {
  auto found = std::find(fields.names.begin(), fields.names.end(), keyword.name);
  auto place = static_cast<std::size_t>(found - fields.names.begin());
  if (place < positional)
    raise(errors::TypeError, "argument for {} given by name ('{}') and position ({})",
          with_brackets(fields), text_of(keyword.name), place + 1);
  if (found == fields.names.end())
    raise(
        errors::TypeError, "'{}' is an invalid keyword argument for {}", text_of(keyword.name),
        fields.function == std::string_view("function") ? "this function" : with_brackets(fields));
}

// The bytes of a text of Latin-1. ValueError for others.
std::string latin_bytes(std::string_view text, const char* kind) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size();) {
    char32_t point = decode_code_point(text, at);
    if (point > 0xff)
      raise(errors::ValueError,
            "Failed to encode latin1 string when unpickling a {} object. "
            "pickle.load(data, encoding='latin1') is assumed.",
            kind);
    bytes += static_cast<char>(point);
  }
  return bytes;
}

int byte_at(const char* state, std::size_t index) {
  return static_cast<unsigned char>(state[index]);
}

}  // namespace

void bind_fields(const FieldNames& fields, const Arguments& arguments, Value* places) {
  std::size_t given = arguments.count + arguments.keyword_count, most = fields.names.size();
  if (given > most) refuse_count(fields, most, arguments.count ? "" : "keyword ", given);
  if (arguments.count > fields.positional)
    refuse_count(fields, fields.positional, "positional ", arguments.count);
  for (std::size_t i = 0; i < arguments.count; ++i) places[i] = arguments.values[i];
  for (const KeywordArgument& keyword : arguments.named()) bind_name(fields, keyword, places);
  for (std::size_t i = 0; i < fields.required; ++i)
    if (places[i].is_empty()) refuse_absence(fields, i, places);
  for (const KeywordArgument& keyword : arguments.named())
    check_name(fields, keyword, arguments.count);
}

int field_of(const Value& value) {
  std::int64_t number;
  if (value.is_int()) {
    number = value.as_int();
  } else {
    Value integer;
    if (is_integer(value))
      integer = exact_int(value);
    else if (auto* slot = type_of(value)->slots.to_index)
      integer = exact_int(slot(value));
    else
      raise(errors::TypeError, "'{}' object cannot be interpreted as an integer", type_name(value));
    if (!integer.is_int())
      raise(errors::OverflowError, "Python int too large to convert to C long");
    number = integer.as_int();
  }
  if (number > INT_MAX) raise(errors::OverflowError, "signed integer is greater than maximum");
  if (number < INT_MIN) raise(errors::OverflowError, "signed integer is less than minimum");
  return static_cast<int>(number);
}

void check_day(const CalendarDay& day) {
  if (day.year < kFirstYear || day.year > kLastYear)
    raise(errors::ValueError, "year {} is out of range", day.year);
  if (day.month < 1 || day.month > 12) raise(errors::ValueError, "month must be in 1..12");
  if (day.day < 1 || day.day > days_in_month(day.year, day.month))
    raise(errors::ValueError, "day is out of range for month");
}

void check_clock(const Clock& clock, int fold) {
  auto check = [](int value, int most, const char* name) {
    if (value < 0 || value > most) raise(errors::ValueError, "{} must be in 0..{}", name, most);
  };
  check(clock.hour, 23, "hour");
  check(clock.minute, 59, "minute");
  check(clock.second, 59, "second");
  check(clock.microsecond, 999999, "microsecond");
  if (fold != 0 && fold != 1) raise(errors::ValueError, "fold must be either 0 or 1");
}

bool read_state(const Value& value, std::size_t length, const char* kind, std::string& state) {
  // The byte that tells a state from other values, and what it may be.
  bool of_clock = length == 6;
  std::size_t place = of_clock ? 0 : 2;
  int least = of_clock ? 0 : 1, most = of_clock ? 23 : 12;
  if (is_bytes(value)) {
    std::string_view bytes = value.as<Bytes>()->bytes();
    if (bytes.size() != length) return false;
    state = bytes;
  } else if (is_str(value)) {
    const Str& text = *value.as<Str>();
    if (static_cast<std::size_t>(text.size()) != length) return false;
    std::size_t at = text.offset(static_cast<std::int64_t>(place));
    auto told = static_cast<int>(decode_code_point(text.text(), at));
    if ((told & 127) < least || (told & 127) > most || told > 255) return false;
    state = latin_bytes(text.text(), kind);
  } else {
    return false;
  }
  int told = byte_at(state.data(), place) & 127;
  return told >= least && told <= most;
}

CalendarDay day_of_state(const char* state) {
  return {byte_at(state, 0) << 8 | byte_at(state, 1), byte_at(state, 2) & 127, byte_at(state, 3)};
}

Clock clock_of_state(const char* state) {
  return {byte_at(state, 0), byte_at(state, 1), byte_at(state, 2),
          byte_at(state, 3) << 16 | byte_at(state, 4) << 8 | byte_at(state, 5)};
}

std::string state_of(const CalendarDay& day) {
  return {static_cast<char>(day.year >> 8), static_cast<char>(day.year),
          static_cast<char>(day.month), static_cast<char>(day.day)};
}

std::string state_of(const Clock& clock) {
  return {static_cast<char>(clock.hour),
          static_cast<char>(clock.minute),
          static_cast<char>(clock.second),
          static_cast<char>(clock.microsecond >> 16),
          static_cast<char>(clock.microsecond >> 8),
          static_cast<char>(clock.microsecond)};
}

}  // namespace strider::lang
