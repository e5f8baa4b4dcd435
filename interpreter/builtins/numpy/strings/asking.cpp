// What texts are made of, and how long they are.
#include <strider/nd/array.h>

#include <algorithm>

#include "interpreter/builtins/numpy/strings/letters.h"
#include "interpreter/builtins/numpy/strings/shortcuts.h"
#include "interpreter/builtins/numpy/texts/text_operands.h"

namespace strider::lang {
namespace {

using nd::DType;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_lower(static_cast<char>(c | 0x20)); }
bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || (c >= 9 && c <= 13); }
// In texts the separators of ASCII are white space, too.
bool is_space(char c) { return is_blank(c) || (c >= 28 && c <= 31); }

// Questions about the characters of ASCII, or bytes, of a text.
template <bool (*kHolds)(char)>
struct All {
  template <class Letters>
  static bool holds(Letters text) {
    return !text.empty() && std::all_of(text.begin(), text.end(),
                                        [](auto c) { return kHolds(static_cast<char>(c)); });
  }
};

// Letters of one case, and none of the other.
template <bool (*kHolds)(char)>
struct AllLetters {
  template <class Letters>
  static bool holds(Letters text) {
    bool found = false;
    for (auto each : text) {
      auto c = static_cast<char>(each);
      if (!is_letter(c)) continue;
      if (!kHolds(c)) return false;
      found = true;
    }
    return found;
  }
};

// Capitals where words begin, and nowhere else.
struct Titled {
  template <class Letters>
  static bool holds(Letters text) {
    bool within = false, found = false;
    for (auto each : text) {
      auto c = static_cast<char>(each);
      if (is_letter(c) && is_upper(c) == within) return false;
      within = is_letter(c);
      found = found || within;
    }
    return found;
  }
};

struct Nothing {};  // what cannot be asked

// What a question says of each packed text; Empty where one is beyond ASCII.
template <class Question>
Value ask_packed(const PackedTexts& texts) {
  nd::Array made = nd::Array::empty(texts.shape, DType::kBool);
  bool* results = made.mutable_as<bool>();
  bool done = with_letters(texts.rows, [&](auto letters) {
    if (!are_plain_letters(letters.all())) return false;
    for (std::size_t i = 0; i < letters.count(); ++i) results[i] = Question::holds(letters[i]);
    return true;
  });
  return done ? wrap_result(std::move(made)) : Value();
}

template <class Question>
Value ask_each(const Texts& texts) {
  nd::Array made = nd::Array::empty(texts.shape, DType::kBool);
  bool* results = made.mutable_as<bool>();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::string_view text;
    if (!texts.view(i, text) || !texts.is_ascii(i)) return {};
    *results++ = Question::holds(text);
  }
  return wrap_result(std::move(made));
}

// OfBytes where it is another question for bytes.
template <class OfTexts, class OfBytes = OfTexts>
Value ask(const Arguments& arguments) {
  if (!takes_plainly(arguments, 1, 1)) return {};
  if (packed_pool_of(arguments.values[0])) {
    PackedTexts packed;
    if (!packed.read_packed(arguments.values[0])) return {};
    if (packed.rows.wide) return ask_packed<OfTexts>(packed);
    if constexpr (!std::is_same_v<OfBytes, Nothing>) return ask_packed<OfBytes>(packed);
    return {};
  }
  Texts texts;
  if (!read_all_texts(arguments.values[0], texts)) return {};
  if (texts.are_texts()) return ask_each<OfTexts>(texts);
  if constexpr (!std::is_same_v<OfBytes, Nothing>) return ask_each<OfBytes>(texts);
  return {};
}

// str_len(a)
Value measure(const Arguments& arguments) {
  if (!takes_plainly(arguments, 1, 1)) return {};
  if (packed_pool_of(arguments.values[0])) {
    PackedTexts packed;
    if (!packed.read_packed(arguments.values[0])) return {};
    nd::Array made = nd::Array::empty(packed.shape, DType::kInt64);
    text_rows::lengths(packed.rows, made.mutable_as<std::int64_t>());
    return wrap_result(std::move(made));
  }
  Texts texts;
  if (!takes_plainly(arguments, 1, 1) || !read_all_texts(arguments.values[0], texts)) return {};
  nd::Array made = nd::Array::empty(texts.shape, DType::kInt64);
  auto* results = made.mutable_as<std::int64_t>();
  for (std::size_t i = 0; i < texts.size(); ++i) *results++ = texts.length(i);
  return wrap_result(std::move(made));
}

constexpr Shortcut kShortcuts[] = {
    {"isdigit", ask<All<is_digit>>},
    {"isdecimal", ask<All<is_digit>, Nothing>},
    {"isnumeric", ask<All<is_digit>, Nothing>},
    {"isalpha", ask<All<is_letter>>},
    {"isalnum", ask<All<is_letter_or_digit>>},
    {"isspace", ask<All<is_space>, All<is_blank>>},
    {"islower", ask<AllLetters<is_lower>>},
    {"isupper", ask<AllLetters<is_upper>>},
    {"istitle", ask<Titled>},
    {"str_len", measure},
};

}  // namespace

Shortcuts shortcuts_that_ask() { return kShortcuts; }

}  // namespace strider::lang
