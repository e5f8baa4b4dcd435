// What texts are made of, and how long they are.
#include <strider/nd/array.h>

#include <algorithm>

#include "interpreter/builtins/numpy/elements/text_operands.h"
#include "interpreter/builtins/numpy/strings/shortcuts.h"

namespace strider::lang {
namespace {

using boxed_parts::view_text;
using nd::DType;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_lower(c | 0x20); }
bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || (c >= 9 && c <= 13); }
// In texts the separators of ASCII are white space, too.
bool is_space(char c) { return is_blank(c) || (c >= 28 && c <= 31); }

template <bool (*kHolds)(char)>
bool all(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), kHolds);
}

// Letters of one case, and none of the other.
template <bool (*kHolds)(char)>
bool all_letters(std::string_view text) {
  bool found = false;
  for (char c : text) {
    if (!is_letter(c)) continue;
    if (!kHolds(c)) return false;
    found = true;
  }
  return found;
}

// Capitals where words begin, and nowhere else.
bool is_titled(std::string_view text) {
  bool within = false, found = false;
  for (char c : text) {
    if (is_letter(c) && is_upper(c) == within) return false;
    within = is_letter(c);
    found = found || within;
  }
  return found;
}

using Question = bool (*)(std::string_view);

// What a question says of each text; `kOfBytes` where it is another one for bytes, null where bytes
// cannot be asked.
template <Question kOfTexts, Question kOfBytes>
Value ask(const Arguments& arguments) {
  Texts texts;
  if (!takes_plainly(arguments, 1, 1) || !read_texts(arguments.values[0], texts)) return {};
  Question holds = texts.kind == boxed().text_dtype ? kOfTexts : kOfBytes;
  if (!holds) return {};
  nd::Array made = nd::Array::empty(texts.shape, DType::kBool);
  bool* results = made.mutable_as<bool>();
  for (const Value& item : texts.items) {
    std::string_view text;
    if (!view_text(item, text) || !is_ascii_item(item)) return {};
    *results++ = holds(text);
  }
  return wrap_result(std::move(made));
}

template <Question kHolds>
constexpr auto kAsk = ask<kHolds, kHolds>;

// str_len(a)
Value measure(const Arguments& arguments) {
  Texts texts;
  if (!takes_plainly(arguments, 1, 1) || !read_texts(arguments.values[0], texts)) return {};
  nd::Array made = nd::Array::empty(texts.shape, DType::kInt64);
  auto* results = made.mutable_as<std::int64_t>();
  for (const Value& item : texts.items) *results++ = length_of_text(item);
  return wrap_result(std::move(made));
}

constexpr Shortcut kShortcuts[] = {
    {"isdigit", kAsk<all<is_digit>>},
    {"isdecimal", ask<all<is_digit>, nullptr>},
    {"isnumeric", ask<all<is_digit>, nullptr>},
    {"isalpha", kAsk<all<is_letter>>},
    {"isalnum", kAsk<all<is_letter_or_digit>>},
    {"isspace", ask<all<is_space>, all<is_blank>>},
    {"islower", kAsk<all_letters<is_lower>>},
    {"isupper", kAsk<all_letters<is_upper>>},
    {"istitle", kAsk<is_titled>},
    {"str_len", measure},
};

}  // namespace

Shortcuts shortcuts_that_ask() { return kShortcuts; }

}  // namespace strider::lang
