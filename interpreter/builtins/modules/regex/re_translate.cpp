// Python's regular expressions, read item by item, checked, and written for PCRE2.
#include "interpreter/builtins/modules/regex/re_translate.h"

#include <algorithm>

#include "interpreter/builtins/modules/regex/re_reader.h"
#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

Type& regex_error() {
  static Type& type = *[] {
    Ref<Dict> space = make_dict();
    space->set(names().module, Value(make_str("re")));
    Ref<Type> made =
        make_class("error", {Ref<Type>(&errors::Exception())}, space, &Type::type_object());
    return made.detach();
  }();
  return type;
}

void raise_regex_error(std::string_view message, std::string_view pattern, std::size_t offset,
                       bool bytes) {
  std::string_view before = pattern.substr(0, offset);
  std::int64_t position =
      bytes ? static_cast<std::int64_t>(before.size()) : count_code_points(before);
  std::int64_t line = std::count(before.begin(), before.end(), '\n') + 1;
  std::size_t newline = before.rfind('\n');
  std::int64_t column =
      newline == before.npos ? position + 1 : static_cast<std::int64_t>(before.size() - newline);
  bool placed = offset != std::string_view::npos;
  std::string text(message);
  if (placed) text += fmt::format(" at position {}", position);
  if (placed && pattern.find('\n') != pattern.npos)
    text += fmt::format(" (line {}, column {})", line, column);
  Value argument = make_str(std::move(text));
  Ref<Exception> exception =
      make<Exception>(&regex_error(), make_tuple(std::span<const Value>(&argument, 1)));
  Attributes& attributes = *exception->attributes();
  attributes.set(intern("msg"), make_str(message));
  if (bytes)
    attributes.set(intern("pattern"), make<Bytes>(std::string(pattern)));
  else
    attributes.set(intern("pattern"), make_str(pattern));
  attributes.set(intern("pos"), placed ? Value::integer(position) : Value::none());
  attributes.set(intern("lineno"), placed ? Value::integer(line) : Value::none());
  attributes.set(intern("colno"), placed ? Value::integer(column) : Value::none());
  raise_exception(exception);
}

void check_flags(std::uint32_t flags, bool bytes) {
  if (!bytes && (flags & kLocale))
    raise(errors::ValueError, "cannot use LOCALE flag with a str pattern");
  if (!bytes && (flags & kAscii) && (flags & kUnicode))
    raise(errors::ValueError, "ASCII and UNICODE flags are incompatible");
  if (bytes && (flags & kUnicode))
    raise(errors::ValueError, "cannot use UNICODE flag with a bytes pattern");
  if (bytes && (flags & kLocale) && (flags & kAscii))
    raise(errors::ValueError, "ASCII and LOCALE flags are incompatible");
}

std::size_t group_by_number(const std::string& name, std::string_view text, std::size_t place,
                            bool bytes, bool warns) {
  constexpr std::int64_t kMostGroups = 1 << 30;
  Value number = attempt_int(name, 10);
  if (number.is_empty()) take_raised(Interpreter::current());
  if (number.is_empty() || integer_is_negative(number))
    raise_regex_error(fmt::format("bad character in group name {}", quote(name)), text, place,
                      bytes);
  if (!number.is_int() || number.as_int() >= kMostGroups)
    raise_regex_error("invalid group reference " + integer_text(number), text, place, bytes);
  if (warns && name.find_first_not_of("0123456789") != name.npos)
    warn(errors::DeprecationWarning(),
         fmt::format("bad character in group name {} at position {}", quote(name),
                     bytes ? static_cast<std::int64_t>(place)
                           : count_code_points(text.substr(0, place))));
  return static_cast<std::size_t>(number.as_int());
}

TranslatedRegex translate_regex(std::string_view pattern, std::uint32_t flags, bool bytes) {
  RegexReader reader(pattern, flags, bytes);
  TranslatedRegex translated = reader.translate();
  bool mixed = reader.is_mixed();
  if (mixed) translated = RegexReader(pattern, flags, bytes, true).translate();
  if (reader.needs_folding())
    translated.folded = RegexReader(pattern, flags, bytes, mixed, true).translate().pattern;
  return translated;
}

}  // namespace strider::lang
