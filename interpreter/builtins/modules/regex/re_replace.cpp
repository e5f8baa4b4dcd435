// Replacement templates of sub, subn and expand.
#include <fmt/format.h>

#include "interpreter/builtins/modules/regex/re_pattern.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/text/unicode.h"

namespace strider::lang {
namespace {

bool is_digit_character(char c) { return c >= '0' && c <= '9'; }
bool is_octal(char c) { return c >= '0' && c <= '7'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Reads a template: pieces of text, each followed by a group or nothing.
class TemplateReader {
 public:
  TemplateReader(const Pattern& pattern, std::string_view text, bool bytes)
      : pattern_(pattern), text_(text), bytes_(bytes) {}

  // Reads up to the next group; its number, or npos at the end. `literal` gets the text before.
  std::size_t read(std::string& literal) {
    while (place_ < text_.size()) {
      if (text_[place_] != '\\') {
        std::size_t end = std::min(text_.find('\\', place_), text_.size());
        literal += text_.substr(place_, end - place_);
        place_ = end;
        continue;
      }
      std::size_t group = read_escape(literal);
      if (group != std::string::npos) return group;
    }
    return std::string::npos;
  }

 private:
  [[noreturn]] void fail(const std::string& message, std::size_t place) const {
    raise_regex_error(message, text_, place, bytes_);
  }
  char peek(std::size_t ahead = 0) const {
    return place_ + ahead < text_.size() ? text_[place_ + ahead] : '\0';
  }

  std::size_t read_escape(std::string& literal) {
    std::size_t begin = place_++;
    if (place_ >= text_.size()) fail("bad escape (end of pattern)", begin);
    char c = text_[place_++];
    if (c == 'g') return read_named(begin);
    if (is_digit_character(c)) return read_number(c, begin, literal);
    constexpr std::string_view kCodes = "abfnrtv\\", kMeanings = "\a\b\f\n\r\t\v\\";
    std::size_t known = kCodes.find(c);
    if (known != kCodes.npos) {
      literal += kMeanings[known];
    } else if (is_letter(c)) {
      fail(fmt::format("bad escape \\{}", c), begin);
    } else {
      literal += '\\';
      literal += c;
    }
    return std::string::npos;
  }

  std::size_t read_number(char first, std::size_t begin, std::string& literal) {
    int code = first - '0';
    bool octal = first == '0' || (is_octal(first) && is_octal(peek()) && is_octal(peek(1)));
    if (octal) {
      for (int i = 0; i < 2 && is_octal(peek()); ++i) code = code * 8 + (text_[place_++] - '0');
      if (code > 0377)
        fail(fmt::format("octal escape value \\{} outside of range 0-0o377",
                         text_.substr(begin + 1, place_ - begin - 1)),
             begin);
      if (bytes_)
        literal += static_cast<char>(code);
      else
        append_code_point(literal, static_cast<char32_t>(code));
      return std::string::npos;
    }
    if (is_digit_character(peek())) code = code * 10 + (text_[place_++] - '0');
    return checked(static_cast<std::size_t>(code), begin + 1);
  }

  std::size_t checked(std::size_t group, std::size_t place) const {
    if (group > pattern_.group_count())
      fail(fmt::format("invalid group reference {}", group), place);
    return group;
  }

  std::size_t read_named(std::size_t) {
    if (peek() != '<') fail("missing <", place_);
    std::size_t begin = ++place_, end = text_.find('>', place_);
    if (begin >= text_.size()) fail("missing group name", begin);
    if (end == text_.npos) fail("missing >, unterminated name", begin);
    std::string name(text_.substr(begin, end - begin));
    place_ = end + 1;
    if (name.empty()) fail("missing group name", begin);
    std::size_t offset = 0;
    bool valid = is_identifier_start(decode_code_point(name, offset));
    while (valid && offset < name.size())
      valid = is_identifier_part(decode_code_point(name, offset));
    if (!valid) return checked(group_by_number(name, text_, begin, bytes_, true), begin);
    std::size_t group = pattern_.group_number(Value(make_str(name)));
    if (group == std::string::npos) raise(errors::IndexError, "unknown group name {}", quote(name));
    return group;
  }

  const Pattern& pattern_;
  std::string_view text_;
  bool bytes_;
  std::size_t place_ = 0;
};

}  // namespace

Replacement::Replacement(const Pattern& pattern, const Value& replacement) {
  if (is_callable(replacement) && !is_str(replacement)) {
    function_ = replacement;
    return;
  }
  bool text = is_str(replacement);
  bool mixed = text == pattern.is_bytes();
  if (!text && (mixed || !is_bytes_like(replacement)))
    raise(errors::TypeError, "expected str instance, {} found", type_name(replacement));
  read(pattern, text ? text_of(replacement) : to_bytes(replacement), !text);
  // A text can stand for bytes as long as it only names groups.
  bool says_something = std::ranges::any_of(pieces_, [](const auto& p) { return !p.text.empty(); });
  if (mixed && says_something)
    raise(errors::TypeError, "sequence item 0: expected a bytes-like object, str found");
}

void Replacement::read(const Pattern& pattern, std::string_view text, bool bytes) {
  TemplateReader reader(pattern, text, bytes);
  for (;;) {
    std::string literal;
    std::size_t group = reader.read(literal);
    pieces_.push_back({std::move(literal), group});
    if (group == std::string::npos) return;
  }
}

void Replacement::append(std::string& text, const Ref<Pattern>& pattern, const Subject& subject,
                         const Spans& spans, SearchWindow window) const {
  if (!function_.is_empty()) {
    Value result =
        call(function_, Value(make<Match>(pattern, subject, spans, window.start, window.stop)));
    // A function that returns nothing leaves the match out.
    if (result.is_none()) return;
    if (subject.is_text && !is_str(result))
      raise(errors::TypeError, "sequence item 0: expected str instance, {} found",
            type_name(result));
    if (!subject.is_text && !is_bytes_like(result))
      raise(errors::TypeError, "sequence item 0: expected a bytes-like object, {} found",
            type_name(result));
    text += subject.is_text ? text_of(result) : to_bytes(result);
    return;
  }
  for (const Piece& piece : pieces_) {
    text += piece.text;
    if (piece.group == std::string::npos) continue;
    std::size_t start = spans[2 * piece.group];
    if (start != std::string::npos)
      text += subject.text.substr(start, spans[2 * piece.group + 1] - start);
  }
}

}  // namespace strider::lang
