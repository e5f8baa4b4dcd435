// The methods of bytes and bytearray that treat them as ASCII text, hexadecimal or encoded text.
#include <algorithm>

#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/bytes/bytes_methods.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/codec.h"
#include "interpreter/types/text/encoding_names.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

std::string_view self_of(const Parameters& parameters) { return to_bytes(parameters[0]); }

bool is_upper(char byte) { return byte >= 'A' && byte <= 'Z'; }
bool is_lower(char byte) { return byte >= 'a' && byte <= 'z'; }
bool is_alpha(char byte) { return is_upper(byte) || is_lower(byte); }
bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }
bool is_alphanumeric(char byte) { return is_alpha(byte) || is_digit(byte); }
bool is_space(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }
bool is_ascii(char byte) { return static_cast<unsigned char>(byte) < 0x80; }
char to_upper(char byte) { return is_lower(byte) ? static_cast<char>(byte - 32) : byte; }
char to_lower(char byte) { return is_upper(byte) ? static_cast<char>(byte + 32) : byte; }
char swap_case(char byte) { return is_upper(byte) ? to_lower(byte) : to_upper(byte); }

template <char (*convert)(char)>
Value converted(const Parameters& parameters) {
  std::string bytes(self_of(parameters));
  std::transform(bytes.begin(), bytes.end(), bytes.begin(), convert);
  return make_bytes_like(parameters[0], std::move(bytes));
}

Value capitalize(const Parameters& parameters) {
  std::string bytes(self_of(parameters));
  std::transform(bytes.begin(), bytes.end(), bytes.begin(), to_lower);
  if (!bytes.empty()) bytes[0] = to_upper(bytes[0]);
  return make_bytes_like(parameters[0], std::move(bytes));
}

Value title(const Parameters& parameters) {
  std::string bytes(self_of(parameters));
  bool in_word = false;
  for (char& byte : bytes) {
    byte = in_word ? to_lower(byte) : to_upper(byte);
    in_word = is_alpha(byte);
  }
  return make_bytes_like(parameters[0], std::move(bytes));
}

template <bool (*test)(char)>
Value all_are(const Parameters& parameters) {
  std::string_view bytes = self_of(parameters);
  return Value::boolean(!bytes.empty() && std::all_of(bytes.begin(), bytes.end(), test));
}

Value all_ascii(const Parameters& parameters) {
  std::string_view bytes = self_of(parameters);
  return Value::boolean(std::all_of(bytes.begin(), bytes.end(), is_ascii));
}

template <bool (*wanted)(char), bool (*refused)(char)>
Value has_case(const Parameters& parameters) {
  std::string_view bytes = self_of(parameters);
  return Value::boolean(std::any_of(bytes.begin(), bytes.end(), wanted) &&
                        std::none_of(bytes.begin(), bytes.end(), refused));
}

Value is_title(const Parameters& parameters) {
  bool any = false, in_word = false, good = true;
  for (char byte : self_of(parameters)) {
    if (is_upper(byte)) good = good && !in_word;
    if (is_lower(byte)) good = good && in_word;
    in_word = is_alpha(byte);
    any |= in_word;
  }
  return Value::boolean(any && good);
}

// --- Padding ---

Value padded(const Parameters& parameters, std::int64_t left, std::int64_t right,
             const char* name) {
  bool given = parameters.has(2);
  if (given && (!is_bytes_like(parameters[2]) || to_bytes(parameters[2]).size() != 1))
    raise(errors::TypeError, "{}() argument 2 must be a byte string of length 1, not {}", name,
          type_name(parameters[2]));
  char fill = given ? to_bytes(parameters[2])[0] : ' ';
  std::string bytes(static_cast<std::size_t>(std::max<std::int64_t>(left, 0)), fill);
  bytes += self_of(parameters);
  bytes.append(static_cast<std::size_t>(std::max<std::int64_t>(right, 0)), fill);
  return make_bytes_like(parameters[0], std::move(bytes));
}

std::int64_t missing(const Parameters& parameters) {
  return to_int64(parameters[1]) - static_cast<std::int64_t>(self_of(parameters).size());
}

Value ljust(const Parameters& parameters) {
  return padded(parameters, 0, missing(parameters), "ljust");
}
Value rjust(const Parameters& parameters) {
  return padded(parameters, missing(parameters), 0, "rjust");
}
Value center(const Parameters& parameters) {
  std::int64_t total = std::max<std::int64_t>(missing(parameters), 0);
  std::int64_t left = total / 2 + (total & to_int64(parameters[1]) & 1);
  return padded(parameters, left, total - left, "center");
}

Value zfill(const Parameters& parameters) {
  std::string bytes(self_of(parameters));
  std::int64_t count = missing(parameters);
  bool is_signed = bytes.starts_with('+') || bytes.starts_with('-');
  if (count > 0) bytes.insert(is_signed ? 1 : 0, std::string(static_cast<std::size_t>(count), '0'));
  return make_bytes_like(parameters[0], std::move(bytes));
}

Value expand_tabs(const Parameters& parameters) {
  std::int64_t size = to_int64(parameters[1]), column = 0;
  std::string bytes;
  for (char byte : self_of(parameters)) {
    std::int64_t count = byte != '\t' ? 1 : size > 0 ? size - column % size : 0;
    bytes.append(static_cast<std::size_t>(count), byte == '\t' ? ' ' : byte);
    column = byte == '\n' || byte == '\r' ? 0 : column + count;
  }
  return make_bytes_like(parameters[0], std::move(bytes));
}

// --- Tables ---

Value translate(const Parameters& parameters) {
  const Value& table = parameters[1];
  if (!table.is_none() && to_bytes(table).size() != 256)
    raise(errors::ValueError, "translation table must be 256 characters long");
  std::string_view dropped = parameters.has(2) ? to_bytes(parameters[2]) : "";
  std::string bytes;
  for (char byte : self_of(parameters)) {
    if (dropped.find(byte) != std::string_view::npos) continue;
    bytes += table.is_none() ? byte : to_bytes(table)[static_cast<unsigned char>(byte)];
  }
  return make_bytes_like(parameters[0], std::move(bytes));
}

Value make_translation(const Parameters& parameters) {
  std::string_view from = to_bytes(parameters[0]), to = to_bytes(parameters[1]);
  if (from.size() != to.size())
    raise(errors::ValueError, "maketrans arguments must have same length");
  std::string table(256, '\0');
  for (int i = 0; i < 256; ++i) table[static_cast<std::size_t>(i)] = static_cast<char>(i);
  for (std::size_t i = 0; i < from.size(); ++i) table[static_cast<unsigned char>(from[i])] = to[i];
  return make<Bytes>(std::move(table));
}

// --- Hexadecimal ---

std::string hex_digits(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text(2 * bytes.size(), '\0');
  char* place = text.data();
  for (unsigned char byte : bytes) {
    *place++ = kDigits[byte >> 4];
    *place++ = kDigits[byte & 15];
  }
  return text;
}

std::string hex_separator(const Value& value) {
  std::string mark(is_str(value) ? text_of(value) : to_bytes(value));
  std::int64_t size =
      is_str(value) ? count_code_points(mark) : static_cast<std::int64_t>(mark.size());
  if (size != 1) raise(errors::ValueError, "sep must be length 1.");
  if (static_cast<unsigned char>(mark[0]) >= 0x80) raise(errors::ValueError, "sep must be ASCII.");
  return mark;
}

Value hex(const Parameters& parameters) {
  if (!parameters.has(1)) return make_str(hex_digits(self_of(parameters)));
  std::string mark = hex_separator(parameters[1]), text;
  std::int64_t group = to_int64(parameters[2]);  // whose __index__ may change the bytes
  std::string_view bytes = self_of(parameters);
  if (group == 0) return make_str(hex_digits(bytes));
  auto size = static_cast<std::size_t>(group);
  if (group < 0) size = -size;
  std::size_t first = group > 0 ? bytes.size() % size : 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i > 0 && (i + size - first) % size == 0) text += mark;
    text += hex_digits(bytes.substr(i, 1));
  }
  return make_str(std::move(text));
}

int hex_value(char character) {
  if (is_digit(character)) return character - '0';
  char lower = to_lower(character);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

Value from_hex(const Parameters& parameters) {
  std::string_view text = to_text(parameters[1], "fromhex() argument");
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    while (i < text.size() && is_space(text[i])) ++i;
    if (i == text.size()) break;
    int high = hex_value(text[i]), low = i + 1 < text.size() ? hex_value(text[i + 1]) : -1;
    if (high < 0 || low < 0)
      raise(errors::ValueError, "non-hexadecimal number found in fromhex() arg at position {}",
            high < 0 ? i : i + 1);
    bytes += static_cast<char>(high * 16 + low);
  }
  const Value& cls = parameters[0];
  bool array = cls.as<Type>()->is_subclass_of(&ByteArray::type_object());
  Value made = array ? Value(make<ByteArray>(bytes)) : Value(make<Bytes>(bytes));
  bool exact = cls.object() == &Bytes::type_object() || cls.object() == &ByteArray::type_object();
  return exact ? made : call(cls, made);
}

// Whether bytes are ASCII in an encoding that has it as it is.
bool is_plain_ascii(std::string_view bytes, const Value& encoding) {
  if (!is_str(encoding) || !is_ascii_text(bytes)) return false;
  if (text_of(encoding) == "utf-8") return true;
  const EncodingName* name = find_encoding(text_of(encoding));
  return name && name->encoding <= Encoding::kLatin1;
}

Value decode(const Parameters& parameters) {
  std::string_view bytes = self_of(parameters);
  if (is_plain_ascii(bytes, parameters[1]) && is_str(parameters[2]))
    return make_str(bytes, static_cast<std::int64_t>(bytes.size()));
  return make_str(decode_bytes(self_of(parameters), parameters[1], parameters[2]));
}

constexpr NativeRow kMethods[] = {
    {"upper(self, /)", converted<to_upper>, "Return a copy in upper case (ASCII)."},
    {"lower(self, /)", converted<to_lower>, "Return a copy in lower case (ASCII)."},
    {"swapcase(self, /)", converted<swap_case>, "Return a copy with cases exchanged (ASCII)."},
    {"capitalize(self, /)", capitalize, "Return a copy with only the first byte in upper case."},
    {"title(self, /)", title, "Return a copy with each word starting in upper case."},
    {"isalpha(self, /)", all_are<is_alpha>, "Whether all bytes are ASCII letters."},
    {"isdigit(self, /)", all_are<is_digit>, "Whether all bytes are ASCII digits."},
    {"isalnum(self, /)", all_are<is_alphanumeric>, "Whether all bytes are letters or digits."},
    {"isspace(self, /)", all_are<is_space>, "Whether all bytes are white space."},
    {"isupper(self, /)", has_case<is_upper, is_lower>, "Whether all letters are upper case."},
    {"islower(self, /)", has_case<is_lower, is_upper>, "Whether all letters are lower case."},
    {"istitle(self, /)", is_title, "Whether each word starts in upper case and goes on in lower."},
    {"isascii(self, /)", all_ascii, "Whether all bytes are below 128."},
    {"ljust(self, width, fillchar=<none>, /)", ljust, "Pad at the end to a width."},
    {"rjust(self, width, fillchar=<none>, /)", rjust, "Pad at the start to a width."},
    {"center(self, width, fillchar=<none>, /)", center, "Pad at both ends to a width."},
    {"zfill(self, width, /)", zfill, "Pad with zeros after the sign to a width."},
    {"expandtabs(self, /, tabsize=8)", expand_tabs, "Replace tabs by blanks up to the next stop."},
    {"translate(self, table, /, delete=<none>)", translate,
     "Replace each byte by the table's, without those to delete."},
    {"staticmethod maketrans(frm, to, /)", make_translation, "Make a table for translate()."},
    {"hex(self, sep=<none>, bytes_per_sep=1)", hex, "The bytes as hexadecimal digits."},
    {"classmethod fromhex(cls, string, /)", from_hex, "The bytes that hexadecimal digits give."},
    {"decode(self, /, encoding='utf-8', errors='strict')", decode,
     "The text that the bytes encode."},
};

}  // namespace

void add_bytes_text_methods(Type& type) { type.add(kMethods); }

}  // namespace strider::lang
