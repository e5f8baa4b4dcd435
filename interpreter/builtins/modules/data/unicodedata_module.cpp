// The module unicodedata: categories and normal forms of characters. Names: those that string
// literals know.
#include <utf8proc.h>

#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error.h"
#include "interpreter/runtime/protocol.h"
#include "interpreter/syntax/utf8.h"
#include "interpreter/types/text/str.h"
#include "interpreter/types/text/unicode.h"

namespace strider::lang {
namespace {

char32_t character_of(const Value& value, const char* function) {
  if (!is_str(value) || value.as<Str>()->size() != 1)
    raise(errors::TypeError, "{}() argument must be a unicode character, not {}", function,
          type_name(value));
  std::size_t offset = 0;
  return decode_code_point(text_of(value), offset);
}

Value category(const Parameters& p) {
  char32_t code = character_of(p[0], "category");
  return make_str(utf8proc_category_string(static_cast<utf8proc_int32_t>(code)));
}

Value combining(const Parameters& p) {
  char32_t code = character_of(p[0], "combining");
  return Value::integer(
      utf8proc_get_property(static_cast<utf8proc_int32_t>(code))->combining_class);
}

Value decimal(const Parameters& p) {
  int value = decimal_value(character_of(p[0], "decimal"));
  if (value >= 0) return Value::integer(value);
  if (p.has(1)) return p[1];
  raise(errors::ValueError, "not a decimal");
}

std::string normal_form(const Value& form, const Value& text) {
  std::string_view name = to_text(form, "normalize() argument 1");
  int options = UTF8PROC_STABLE;
  if (name == "NFC" || name == "NFKC")
    options |= UTF8PROC_COMPOSE;
  else if (name == "NFD" || name == "NFKD")
    options |= UTF8PROC_DECOMPOSE;
  else
    raise(errors::ValueError, "invalid normalization form");
  if (name.size() == 4) options |= UTF8PROC_COMPAT;
  std::string_view source = to_text(text, "normalize() argument 2");
  utf8proc_uint8_t* made = nullptr;
  utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(source.data()),
                                       static_cast<utf8proc_ssize_t>(source.size()), &made,
                                       static_cast<utf8proc_option_t>(options));
  if (size < 0) raise(errors::ValueError, "cannot normalize: {}", utf8proc_errmsg(size));
  std::string result(reinterpret_cast<char*>(made), static_cast<std::size_t>(size));
  std::free(made);
  return result;
}

Value normalize(const Parameters& p) { return make_str(normal_form(p[0], p[1])); }

Value is_normalized(const Parameters& p) {
  return Value::boolean(normal_form(p[0], p[1]) == text_of(p[1]));
}

Value lookup(const Parameters& p) {
  char32_t code = syntax::find_character(to_text(p[0], "lookup() argument"));
  if (code == 0)
    raise_value(errors::KeyError(),
                Value(make_str(fmt::format("undefined character name {}", repr_text(p[0])))));
  std::string text;
  append_code_point(text, code);
  return make_str(std::move(text));
}

const NativeRow kFunctions[] = {
    {"category(chr, /)", category, "The general category of a character."},
    {"combining(chr, /)", combining, "The combining class of a character."},
    {"decimal(chr, default=<none>, /)", decimal, "The value of a decimal digit."},
    {"normalize(form, unistr, /)", normalize, "A text in a normal form."},
    {"is_normalized(form, unistr, /)", is_normalized, "Whether a text is in a normal form."},
    {"lookup(name, /)", lookup, "The character of a name."},
};

const ConstantRow kConstants[] = {
    {"unidata_version", [] { return Value(make_str(utf8proc_unicode_version())); }},
};

}  // namespace

const NativeModule kUnicodedataModule = {"unicodedata", "Properties of characters.", kFunctions,
                                         kConstants};

}  // namespace strider::lang
