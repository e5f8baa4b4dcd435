// repr and ascii of text.
#include <fmt/format.h>

#include "interpreter/types/text/str.h"
#include "interpreter/types/text/unicode.h"

namespace strider::lang {
namespace {

void append_escape(std::string& result, char32_t code) {
  const char* pattern = code < 0x100 ? "\\x{:02x}" : code < 0x10000 ? "\\u{:04x}" : "\\U{:08x}";
  result += fmt::format(fmt::runtime(pattern), static_cast<std::uint32_t>(code));
}

// The letter after the backslash, or 0.
char short_escape(char32_t code, char mark) {
  switch (code) {
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    case '\\':
      return '\\';
    default:
      return code == static_cast<unsigned char>(mark) ? mark : '\0';
  }
}

// Where the characters end, from `start` on, that stand for themselves and are ASCII.
std::size_t plain_end(std::string_view text, std::size_t start, char mark) {
  auto plain = [mark](char byte) {
    return byte >= ' ' && byte <= '~' && byte != '\\' && byte != mark;
  };
  while (start < text.size() && plain(text[start])) ++start;
  return start;
}

std::string quoted(std::string_view text, bool ascii_only) {
  bool single = text.find('\'') != std::string_view::npos;
  char mark = single && text.find('"') == std::string_view::npos ? '"' : '\'';
  std::string result(1, mark);
  result.reserve(text.size() + 2);
  std::size_t kept = 0;  // from here on all stand for themselves
  for (std::size_t offset = 0; offset < text.size();) {
    offset = plain_end(text, offset, mark);
    if (offset == text.size()) break;
    std::size_t start = offset;
    char32_t code = decode_code_point(text, offset);
    if (code >= 0x80 && !ascii_only && is_printable(code)) continue;
    result += text.substr(kept, start - kept);
    kept = offset;
    if (char letter = short_escape(code, mark)) {
      result += '\\';
      result += letter;
    } else {
      append_escape(result, code);
    }
  }
  result += text.substr(kept);
  result += mark;
  return result;
}

}  // namespace

std::string quote(std::string_view text) { return quoted(text, false); }
std::string quote_ascii(std::string_view text) { return quoted(text, true); }

}  // namespace strider::lang
