// Escapes in the manner of string literals.
#include "interpreter/types/text/escape_codec.h"

#include <fmt/format.h>

#include "interpreter/runtime/error/error.h"
#include "interpreter/syntax/character_names.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

void append_code(std::string& result, char32_t code, bool narrow) {
  auto number = static_cast<std::uint32_t>(code);
  if (narrow && code < 0x100)
    result += fmt::format("\\x{:02x}", number);
  else
    result += code < 0x10000 ? fmt::format("\\u{:04x}", number) : fmt::format("\\U{:08x}", number);
}

int hex_value(char character) {
  if (character >= '0' && character <= '9') return character - '0';
  char lower = static_cast<char>(character | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

class EscapeDecoder {
 public:
  EscapeDecoder(std::string_view bytes, bool raw) : bytes_(bytes), raw_(raw) {}

  std::string run() {
    while (at_ < bytes_.size()) {
      if (bytes_[at_] == '\\' && at_ + 1 < bytes_.size()) {
        escape(bytes_[at_ + 1]);
      } else if (bytes_[at_] == '\\' && !raw_) {
        refuse(at_ + 1, "\\ at end of string");
      } else {
        append_code_point(result_, static_cast<unsigned char>(bytes_[at_++]));
      }
    }
    return std::move(result_);
  }

 private:
  void escape(char letter) {
    if (letter == 'u') return hexadecimal(4, "truncated \\uXXXX escape");
    if (letter == 'U') return hexadecimal(8, "truncated \\UXXXXXXXX escape");
    if (raw_) {
      result_ += bytes_.substr(at_, 1);
      ++at_;
      if (letter == '\\') {
        result_ += '\\';
        ++at_;
      }
      return;
    }
    if (letter == 'x') return hexadecimal(2, "truncated \\xXX escape");
    if (letter >= '0' && letter <= '7') return octal();
    if (letter == 'N') return named();
    constexpr std::string_view kLetters = "\\'\"abfnrtv\n", kMeanings = "\\'\"\a\b\f\n\r\t\v";
    std::size_t index = kLetters.find(letter);
    if (index == std::string_view::npos) {
      result_ += '\\';
      ++at_;
      return;
    }
    if (index < kMeanings.size()) result_ += kMeanings[index];
    at_ += 2;
  }

  void hexadecimal(std::size_t digits, const char* reason) {
    char32_t code = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      std::size_t place = at_ + 2 + i;
      int digit = place < bytes_.size() ? hex_value(bytes_[place]) : -1;
      if (digit < 0) refuse(place, reason);
      code = code * 16 + static_cast<char32_t>(digit);
    }
    if (code > 0x10FFFF)
      refuse(at_ + 2 + digits,
             raw_ ? "\\Uxxxxxxxx out of range" : "illegal Unicode character");
    append_code_point(result_, code);
    at_ += 2 + digits;
  }

  void named() {
    std::size_t open = at_ + 2, close = bytes_.find('}', open);
    bool shaped = open < bytes_.size() && bytes_[open] == '{' && close != bytes_.npos;
    if (!shaped || close == open + 1)
      refuse(shaped ? close : open, "malformed \\N character escape");
    std::optional<char32_t> code =
        syntax::find_character(bytes_.substr(open + 1, close - open - 1));
    if (!code) refuse(close + 1, "unknown Unicode character name");
    append_code_point(result_, *code);
    at_ = close + 1;
  }

  void octal() {
    char32_t code = 0;
    ++at_;
    for (int i = 0; i < 3 && at_ < bytes_.size(); ++i, ++at_) {
      if (bytes_[at_] < '0' || bytes_[at_] > '7') break;
      code = code * 8 + static_cast<char32_t>(bytes_[at_] - '0');
    }
    append_code_point(result_, code);
  }

  [[noreturn]] void refuse(std::size_t end, const char* reason) const {
    end = std::min(end, bytes_.size());
    raise_exception(make<Exception>(
        &errors::UnicodeDecodeError(),
        make_tuple({Value(make_str(raw_ ? "rawunicodeescape" : "unicodeescape")),
                    Value(make<Bytes>(std::string(bytes_))),
                    Value::integer(static_cast<std::int64_t>(at_)),
                    Value::integer(static_cast<std::int64_t>(end)), Value(make_str(reason))})));
  }

  std::string_view bytes_;
  bool raw_;
  std::size_t at_ = 0;
  std::string result_;
};

}  // namespace

std::string encode_escapes(std::string_view text, bool raw) {
  std::string result;
  for (std::size_t offset = 0; offset < text.size();) {
    char32_t code = decode_code_point(text, offset);
    std::size_t index = std::u32string_view(U"\\\n\r\t").find(code);
    if (raw ? code < 0x100 : code >= 32 && code < 127 && code != '\\')
      result += static_cast<char>(code);
    else if (!raw && index != std::u32string_view::npos)
      (result += '\\') += "\\nrt"[index];
    else
      append_code(result, code, !raw);
  }
  return result;
}

std::string decode_escapes(std::string_view bytes, bool raw) {
  return EscapeDecoder(bytes, raw).run();
}

}  // namespace strider::lang
