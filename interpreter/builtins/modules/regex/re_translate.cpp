// Python's regular expressions, read item by item, checked, and written for PCRE2.
#include "interpreter/builtins/modules/regex/re_translate.h"

#include <algorithm>

#include "interpreter/builtins/modules/regex/re_reader.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
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
