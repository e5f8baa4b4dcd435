// The encoding of a program: a comment in its first or second line names it (PEP 263).
#include "interpreter/builtins/program_text.h"

#include <algorithm>

#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/codec.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::string_view kMark = "\xef\xbb\xbf";  // of UTF-8, at the beginning

bool is_blank(char each) { return each == ' ' || each == '\t' || each == '\f'; }

bool is_part_of_name(char each) {
  return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
         (each >= '0' && each <= '9') || each == '-' || each == '_' || each == '.';
}

// The name behind "coding:" or "coding=" in a comment; empty if there is none.
std::string_view named_in(std::string_view comment) {
  constexpr std::string_view kWord = "coding";
  for (std::size_t at = comment.find(kWord); at != comment.npos; at = comment.find(kWord, at + 1)) {
    std::string_view rest = comment.substr(at + kWord.size());
    if (rest.empty() || (rest[0] != ':' && rest[0] != '=')) continue;
    rest.remove_prefix(1);
    while (!rest.empty() && is_blank(rest[0])) rest.remove_prefix(1);
    auto end = std::ranges::find_if_not(rest, is_part_of_name);
    if (end != rest.begin()) return rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  }
  return {};
}

// The encoding that the first two lines name. The second one counts if nothing stands before it.
std::string_view named_encoding(std::string_view text) {
  for (int line = 0; line < 2; ++line) {
    std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    std::string_view shown = text.substr(0, end);
    while (!shown.empty() && is_blank(shown[0])) shown.remove_prefix(1);
    if (!shown.empty() && shown[0] != '#') return {};
    std::string_view found = named_in(shown);
    if (!found.empty()) return found;
    bool two = text.substr(end).starts_with("\r\n");
    text.remove_prefix(std::min(end + (two ? 2 : 1), text.size()));
  }
  return {};
}

// An encoding's name as Python's tokenizer shows it.
std::string plain_encoding(std::string_view name) {
  std::string lower;
  for (char each : name.substr(0, 12))
    lower += each == '_' ? '-' : (each >= 'A' && each <= 'Z') ? static_cast<char>(each + 32) : each;
  auto is = [&](std::string_view known) {
    return lower == known || lower.starts_with(std::string(known) + "-");
  };
  if (is("utf-8")) return "utf-8";
  if (is("latin-1") || is("iso-8859-1") || is("iso-latin-1")) return "iso-8859-1";
  return std::string(name);
}

[[noreturn]] void raise_at_file(std::string_view message, const std::string& file_name) {
  Value place = make_tuple(
      {Value(make_str(file_name)), Value::integer(0), Value::integer(-1), Value::none()});
  Value error = call(Value(&errors::SyntaxError()), Value(make_str(message)), place);
  throw Raised{Ref<Exception>(error.as<Exception>())};
}

// The bytes in an encoding as UTF-8; what decoding says becomes a SyntaxError.
std::string decode_program(std::string_view bytes, const std::string& encoding,
                           const std::string& file_name) {
  std::string message;
  try {
    return decode_bytes(bytes, encoding);
  } catch (const Raised& raised) {
    const Type& type = *raised.exception->type();
    if (type.is_subclass_of(&errors::LookupError()))
      message = "unknown encoding: " + encoding;
    else if (type.is_subclass_of(&errors::UnicodeDecodeError()))
      message = str_text(Value(raised.exception));
    else
      throw;
  }
  raise_at_file(message, file_name);
}

// What is no file has no line to name: the error is that of decoding.
void check_utf8(std::string_view text, const std::string& file_name) {
  try {
    decode_bytes(text, "utf-8");
  } catch (const Raised& raised) {
    if (!raised.exception->type()->is_subclass_of(&errors::UnicodeDecodeError())) throw;
    raise_at_file("(unicode error) " + str_text(Value(raised.exception)), file_name);
  }
}

}  // namespace

std::string program_of_bytes(std::string bytes, const std::string& file_name) {
  std::string_view text = bytes;
  bool marked = text.starts_with(kMark);
  if (marked) text.remove_prefix(kMark.size());
  std::string_view named = named_encoding(text);
  std::string encoding = named.empty() ? "utf-8" : plain_encoding(named);
  if (encoding == "utf-8") return bytes;
  if (marked) raise_at_file("encoding problem: " + encoding + " with BOM", file_name);
  return decode_program(text, encoding, file_name);
}

std::string program_of(const Value& value, const std::string& file_name, const char* function,
                       const char* other) {
  bool is_text = is_str(value);
  if (!is_text && !is_bytes_like(value))
    raise(errors::TypeError, "{}() arg 1 must be a string, bytes or {} object", function, other);
  std::string text(is_text ? text_of(value) : to_bytes(value));
  if (text.find('\0') != text.npos)
    raise(errors::SyntaxError, "source code string cannot contain null bytes");
  if (is_text) return text;
  text = program_of_bytes(std::move(text), file_name);
  check_utf8(text, file_name);
  return text;
}

}  // namespace strider::lang
