// The methods of str about letter case and kinds of characters.
#include <cstdint>
#include <cstring>
#include <utility>

#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"
#include "interpreter/types/text/str_methods.h"
#include "interpreter/types/text/unicode.h"

namespace strider::lang {
namespace {

std::string_view self_of(const Parameters& parameters) { return text_of(parameters[0]); }

template <class Visit>
void for_each_code(std::string_view text, Visit visit) {
  for (std::size_t offset = 0; offset < text.size();) visit(decode_code_point(text, offset));
}

// Whether a test holds for every character; those after the first that fails are not looked at.
template <class Test>
bool holds_for_all(std::string_view text, Test test) {
  for (std::size_t offset = 0; offset < text.size();)
    if (!test(decode_code_point(text, offset))) return false;
  return true;
}

// Eight characters of ASCII, those among the letters from `first` on in the other case. Adding
// carries no byte into the next one, and leaves its top bit to say that it is not below a bound.
std::uint64_t with_case_changed(std::uint64_t word, char first) {
  constexpr std::uint64_t kEach = 0x0101010101010101u;
  auto not_below = [=](int bound) { return word + kEach * static_cast<unsigned>(0x80 - bound); };
  std::uint64_t letters = not_below(first) & ~not_below(first + 26) & kEach * 0x80;
  return word ^ letters >> 2;
}

// A copy of text that is all ASCII with the letters from `first` on in the other case.
Value shifted(std::string_view text, char first) {
  std::string result(text);
  std::size_t i = 0;
  for (; i + 8 <= result.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, result.data() + i, sizeof word);
    word = with_case_changed(word, first);
    std::memcpy(result.data() + i, &word, sizeof word);
  }
  for (; i < result.size(); ++i)
    result[i] = static_cast<char>(with_case_changed(static_cast<unsigned char>(result[i]), first));
  return make_str(std::move(result), static_cast<std::int64_t>(text.size()));
}

Value upper(const Parameters& parameters) {
  if (parameters[0].as<Str>()->is_ascii()) return shifted(self_of(parameters), 'a');
  std::string result;
  for_each_code(self_of(parameters), [&](char32_t code) { append_upper(result, code); });
  return make_str(std::move(result));
}

Value casefold(const Parameters& parameters) {
  if (parameters[0].as<Str>()->is_ascii()) return shifted(self_of(parameters), 'A');
  std::string result;
  for_each_code(self_of(parameters), [&](char32_t code) { append_folded(result, code); });
  return make_str(std::move(result));
}

bool is_cased_near(std::string_view text, std::size_t offset, bool forward) {
  auto ignorable = [](char32_t code) {
    return is_mark_or_modifier(code) || code == '\'' || code == '.' || code == ':' || code == '^' ||
           code == '`' || code == 0xA8 || code == 0xAD || code == 0xB7 || code == 0x2019;
  };
  while (forward ? offset < text.size() : offset > 0) {
    if (!forward) {
      do --offset;
      while (offset > 0 && (static_cast<unsigned char>(text[offset]) & 0xC0) == 0x80);
    }
    std::size_t next = offset;
    char32_t code = decode_code_point(text, next);
    if (forward) offset = next;
    if (!ignorable(code)) return is_cased(code);
  }
  return false;
}

// A capital sigma at the end of a word has its own small letter.
void append_lower_at(std::string& result, std::string_view text, std::size_t start, std::size_t end,
                     char32_t code) {
  constexpr char32_t kSigma = 0x3A3, kFinalSigma = 0x3C2;
  if (code == kSigma && is_cased_near(text, start, false) && !is_cased_near(text, end, true))
    append_code_point(result, kFinalSigma);
  else
    append_lower(result, code);
}

Value lower(const Parameters& parameters) {
  std::string_view text = self_of(parameters);
  if (parameters[0].as<Str>()->is_ascii()) return shifted(text, 'A');
  std::string result;
  for (std::size_t offset = 0; offset < text.size();) {
    std::size_t start = offset;
    char32_t code = decode_code_point(text, offset);
    append_lower_at(result, text, start, offset, code);
  }
  return make_str(std::move(result));
}

Value swap_case(const Parameters& parameters) {
  std::string_view text = self_of(parameters);
  std::string result;
  for (std::size_t offset = 0; offset < text.size();) {
    std::size_t start = offset;
    char32_t code = decode_code_point(text, offset);
    if (is_upper(code))
      append_lower_at(result, text, start, offset, code);
    else if (is_lower(code))
      append_upper(result, code);
    else
      result += text.substr(start, offset - start);
  }
  return make_str(std::move(result));
}

Value capitalize(const Parameters& parameters) {
  std::string_view text = self_of(parameters);
  std::string result;
  for (std::size_t offset = 0; offset < text.size();) {
    std::size_t start = offset;
    char32_t code = decode_code_point(text, offset);
    if (start == 0)
      append_title(result, code);
    else
      append_lower_at(result, text, start, offset, code);
  }
  return make_str(std::move(result));
}

Value title(const Parameters& parameters) {
  std::string_view text = self_of(parameters);
  std::string result;
  bool in_word = false;
  for (std::size_t offset = 0; offset < text.size();) {
    std::size_t start = offset;
    char32_t code = decode_code_point(text, offset);
    if (in_word)
      append_lower_at(result, text, start, offset, code);
    else
      append_title(result, code);
    in_word = is_cased(code);
  }
  return make_str(std::move(result));
}

template <bool (*test)(char32_t)>
Value all_are(const Parameters& parameters) {
  std::string_view text = self_of(parameters);
  return Value::boolean(!text.empty() && holds_for_all(text, test));
}

bool is_alphanumeric(char32_t code) {
  return is_alpha(code) || is_decimal(code) || is_digit(code) || is_numeric(code);
}

// Cased characters must all be of one case, and there must be one.
template <bool (*wanted)(char32_t), bool (*refused)(char32_t)>
Value has_case(const Parameters& parameters) {
  bool any = false;
  bool good = holds_for_all(self_of(parameters), [&](char32_t code) {
    any |= wanted(code);
    return !refused(code) && !is_title(code);
  });
  return Value::boolean(any && good);
}

Value is_title_text(const Parameters& parameters) {
  bool any = false, in_word = false, good = true;
  for_each_code(self_of(parameters), [&](char32_t code) {
    bool starts = is_upper(code) || is_title(code);
    if (starts) good = good && !in_word;
    if (is_lower(code)) good = good && in_word;
    in_word = is_cased(code);
    any |= in_word;
  });
  return Value::boolean(any && good);
}

Value is_identifier(const Parameters& parameters) {
  std::string_view text = self_of(parameters);
  bool first = true;
  return Value::boolean(!text.empty() && holds_for_all(text, [&](char32_t code) {
    return std::exchange(first, false) ? is_identifier_start(code) : is_identifier_part(code);
  }));
}

Value is_printable_text(const Parameters& parameters) {
  return Value::boolean(holds_for_all(self_of(parameters), is_printable));
}

Value is_ascii(const Parameters& parameters) {
  return Value::boolean(parameters[0].as<Str>()->is_ascii());
}

constexpr NativeRow kMethods[] = {
    {"upper(self, /)", upper, "Return a copy in upper case."},
    {"lower(self, /)", lower, "Return a copy in lower case."},
    {"casefold(self, /)", casefold, "Return a copy fit for caseless comparison."},
    {"swapcase(self, /)", swap_case, "Return a copy with upper and lower case exchanged."},
    {"capitalize(self, /)", capitalize,
     "Return a copy with only the first character in upper case."},
    {"title(self, /)", title, "Return a copy with each word starting in upper case."},
    {"isalpha(self, /)", all_are<is_alpha>, "Whether all characters are letters."},
    {"isdecimal(self, /)", all_are<is_decimal>, "Whether all characters are decimal digits."},
    {"isdigit(self, /)", all_are<is_digit>, "Whether all characters are digits."},
    {"isnumeric(self, /)", all_are<is_numeric>, "Whether all characters are numeric."},
    {"isalnum(self, /)", all_are<is_alphanumeric>,
     "Whether all characters are letters or numeric."},
    {"isspace(self, /)", all_are<is_space>, "Whether all characters are white space."},
    {"isupper(self, /)", has_case<is_upper, is_lower>,
     "Whether all cased characters are upper case."},
    {"islower(self, /)", has_case<is_lower, is_upper>,
     "Whether all cased characters are lower case."},
    {"istitle(self, /)", is_title_text,
     "Whether each word starts in upper case and goes on in lower."},
    {"isidentifier(self, /)", is_identifier, "Whether the text is a valid name."},
    {"isprintable(self, /)", is_printable_text, "Whether repr shows all characters as they are."},
    {"isascii(self, /)", is_ascii, "Whether all characters are ASCII."},
};

}  // namespace

void add_str_case_methods(Type& type) { type.add(kMethods); }

}  // namespace strider::lang
