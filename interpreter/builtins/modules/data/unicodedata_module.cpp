// The module unicodedata: categories, values and normal forms of characters. Names: those that
// string literals know.
#include <utf8proc.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "interpreter/builtins/modules/data/character_widths.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/syntax/character_names.h"
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

const utf8proc_property_t& properties(const Value& value, const char* function) {
  return *utf8proc_get_property(static_cast<utf8proc_int32_t>(character_of(value, function)));
}

Value bidirectional(const Parameters& p) {
  static constexpr const char* kNames[] = {"",    "L",  "LRE", "LRO", "R",   "AL",  "RLE", "RLO",
                                           "PDF", "EN", "ES",  "ET",  "AN",  "CS",  "NSM", "BN",
                                           "B",   "S",  "WS",  "ON",  "LRI", "RLI", "FSI", "PDI"};
  return make_str(kNames[properties(p[0], "bidirectional").bidi_class]);
}

Value mirrored(const Parameters& p) {
  return Value::integer(properties(p[0], "mirrored").bidi_mirrored);
}

Value width(const Parameters& p) {
  return make_str(east_asian_width(character_of(p[0], "east_asian_width")));
}

Value name(const Parameters& p) {
  std::string found = syntax::name_of_character(character_of(p[0], "name"));
  if (!found.empty()) return make_str(std::move(found));
  if (p.has(1)) return p[1];
  raise(errors::ValueError, "no such name");
}

// A normal form: what utf8proc is to do, and from which character on it may change anything. Lower
// ones stand for themselves and never join those before them.
struct NormalForm {
  int options;
  char32_t first_changed;
};

NormalForm form_of(const Value& value) {
  std::string_view name = to_text(value, "normalize() argument 1");
  if (name == "NFC") return {UTF8PROC_STABLE | UTF8PROC_COMPOSE, 0x300};
  if (name == "NFKC") return {UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT, 0xA0};
  if (name == "NFD") return {UTF8PROC_STABLE | UTF8PROC_DECOMPOSE, 0xC0};
  if (name == "NFKD") return {UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT, 0xA0};
  raise(errors::ValueError, "invalid normalization form");
}

// Appends the normal form of a piece of text that utf8proc may see.
void append_seen(const NormalForm& form, std::string_view piece, std::string& made) {
  auto options = static_cast<utf8proc_option_t>(form.options);
  std::vector<utf8proc_int32_t> codes(4 * piece.size() + 16);
  auto decompose = [&] {
    return utf8proc_decompose(reinterpret_cast<const utf8proc_uint8_t*>(piece.data()),
                              static_cast<utf8proc_ssize_t>(piece.size()), codes.data(),
                              static_cast<utf8proc_ssize_t>(codes.size()), options);
  };
  utf8proc_ssize_t size = decompose();
  if (size > static_cast<utf8proc_ssize_t>(codes.size())) {
    codes.resize(static_cast<std::size_t>(size));
    size = decompose();
  }
  if (size >= 0) size = utf8proc_normalize_utf32(codes.data(), size, options);
  if (size < 0) raise(errors::ValueError, "cannot normalize: {}", utf8proc_errmsg(size));
  for (utf8proc_ssize_t i = 0; i < size; ++i)
    append_code_point(made, static_cast<char32_t>(codes[static_cast<std::size_t>(i)]));
}

// Whether a character stands for itself and joins no other, though utf8proc has it otherwise: lone
// surrogates, and the vowel that stands where the last sounds of syllables would begin.
bool stands_alone(char32_t code) {
  constexpr char32_t kBeforeLastSounds = 0x11A7;
  return (code >= 0xD800 && code <= 0xDFFF) || code == kBeforeLastSounds;
}

// Appends the normal form of a piece of text.
void append_normal(const NormalForm& form, std::string_view piece, std::string& made) {
  std::size_t begin = 0, place = 0;
  while (place < piece.size()) {
    std::size_t next = place;
    if (stands_alone(decode_code_point(piece, next))) {
      append_seen(form, piece.substr(begin, place - begin), made);
      made += piece.substr(place, next - place);
      begin = next;
    }
    place = next;
  }
  append_seen(form, piece.substr(begin), made);
}

// Only pieces that begin before a character that may change, and end before one that never does,
// are given to utf8proc.
std::string normal_form(const NormalForm& form, std::string_view text) {
  std::string made;
  made.reserve(text.size());
  std::size_t copied = 0, place = 0, before = 0;
  while (place < text.size()) {
    std::size_t next = place;
    char32_t code = decode_code_point(text, next);
    if (code < form.first_changed) {
      before = std::exchange(place, next);
      continue;
    }
    std::size_t end = next;
    while (end < text.size()) {
      std::size_t following = end;
      if (decode_code_point(text, following) < form.first_changed) break;
      end = following;
    }
    made += text.substr(copied, before - copied);
    append_normal(form, text.substr(before, end - before), made);
    copied = before = place = end;
  }
  return made += text.substr(copied);
}

Value digit(const Parameters& p) {
  char32_t code = character_of(p[0], "digit");
  int value = decimal_value(code);
  std::string_view listed = syntax::number_of_character(code);
  if (value < 0 && !listed.empty() && listed[0] != '|') value = listed[0] - '0';
  if (value >= 0) return Value::integer(value);
  if (p.has(1)) return p[1];
  raise(errors::ValueError, "not a digit");
}

Value numeric(const Parameters& p) {
  char32_t code = character_of(p[0], "numeric");
  std::string listed(syntax::number_of_character(code));
  if (!listed.empty()) {
    std::string number = listed.substr(listed.find('|') + 1);
    std::size_t slash = number.find('/');
    double top = std::stod(number);
    return Value::real(slash == number.npos ? top : top / std::stod(number.substr(slash + 1)));
  }
  if (std::int64_t value = ideograph_value(code); value >= 0)
    return Value::real(static_cast<double>(value));
  if (p.has(1)) return p[1];
  raise(errors::ValueError, "not a numeric character");
}

Value normalize(const Parameters& p) {
  NormalForm form = form_of(p[0]);
  std::string_view text = to_text(p[1], "normalize() argument 2");
  bool plain = std::ranges::all_of(text, [](char c) { return static_cast<signed char>(c) >= 0; });
  if (plain && p[1].as<Str>()->is_exact()) return p[1];
  return make_str(normal_form(form, text));
}

Value is_normalized(const Parameters& p) {
  std::string_view text = to_text(p[1], "is_normalized() argument 2");
  return Value::boolean(normal_form(form_of(p[0]), text) == text);
}

Value decomposition(const Parameters& p) {
  return make_str(syntax::decomposition_of_character(character_of(p[0], "decomposition")));
}

Value lookup(const Parameters& p) {
  std::optional<char32_t> code = syntax::find_character(to_text(p[0], "lookup() argument"));
  if (!code)
    raise_value(errors::KeyError(),
                Value(make_str(fmt::format("undefined character name {}", repr_text(p[0])))));
  std::string text;
  append_code_point(text, *code);
  return make_str(std::move(text));
}

const NativeRow kFunctions[] = {
    {"bidirectional(chr, /)", bidirectional, "The class of a character by its direction."},
    {"digit(chr, default=<none>, /)", digit, "The value of a digit."},
    {"east_asian_width(chr, /)", width, "How wide a character stands in East Asian text."},
    {"mirrored(chr, /)", mirrored, "1 for characters that are mirrored from right to left."},
    {"name(chr, default=<none>, /)", name, "The name of a character."},
    {"numeric(chr, default=<none>, /)", numeric, "The value of a numeric character."},
    {"category(chr, /)", category, "The general category of a character."},
    {"combining(chr, /)", combining, "The combining class of a character."},
    {"decomposition(chr, /)", decomposition, "What a character stands for, as hexadecimal codes."},
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
