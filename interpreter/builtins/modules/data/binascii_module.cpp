// The module binascii: bytes as hexadecimal and base 64 text.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

Type& binascii_error() {
  static Type& type = *[] {
    Ref<Dict> space = make_dict();
    space->set(names().module, Value(make_str("binascii")));
    Ref<Type> made =
        make_class("Error", {Ref<Type>(&errors::ValueError())}, space, &Type::type_object());
    return made.detach();
  }();
  return type;
}

std::string_view data_of(const Value& value) {
  if (!is_str(value)) return to_bytes(value);
  if (!value.as<Str>()->is_ascii())
    raise(errors::ValueError, "string argument should contain only ASCII characters");
  return text_of(value);
}

Value to_hex(const Parameters& p) {
  static const Name method = intern("hex");
  Value bytes = is_bytes(p[0]) ? p[0] : Value(make<Bytes>(std::string(to_bytes(p[0]))));
  Value text = p.has(1) ? call_method(bytes, method, p[1], p[2]) : call_method(bytes, method);
  return make<Bytes>(std::string(text_of(text)));
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Value from_hex(const Parameters& p) {
  std::string_view text = data_of(p[0]);
  if (text.size() % 2) raise_message(binascii_error(), "Odd-length string");
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    int high = hex_value(text[i]), low = hex_value(text[i + 1]);
    if (high < 0 || low < 0) raise_message(binascii_error(), "Non-hexadecimal digit found");
    bytes += static_cast<char>(high * 16 + low);
  }
  return make<Bytes>(std::move(bytes));
}

// Writes the four characters of three bytes.
void write_group(const char* bytes, char* to) {
  auto byte = [&](int i) { return std::uint32_t{static_cast<unsigned char>(bytes[i])}; };
  std::uint32_t group = byte(0) << 16 | byte(1) << 8 | byte(2);
  for (int i = 0; i < 4; ++i) to[i] = kAlphabet[group >> (18 - 6 * i) & 63];
}

Value to_base64(const Parameters& p) {
  std::string_view bytes = to_bytes(p[0]);
  bool ends_line = truth(p[1]);
  std::string text((bytes.size() + 2) / 3 * 4 + (ends_line ? 1 : 0), '\n');
  char* to = text.data();
  for (; bytes.size() >= 3; bytes.remove_prefix(3), to += 4) write_group(bytes.data(), to);
  if (!bytes.empty()) {
    char last[3] = {};
    bytes.copy(last, bytes.size());
    write_group(last, to);
    std::fill(to + bytes.size() + 1, to + 4, '=');
  }
  return make<Bytes>(std::move(text));
}

// The number that each character stands for; negative for those that stand for none.
constexpr auto kNumbers = [] {
  std::array<std::int8_t, 256> numbers{};
  numbers.fill(-1);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i)
    numbers[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
  return numbers;
}();

int number_of(char c) { return kNumbers[static_cast<unsigned char>(c)]; }

// Appends the bytes of the groups that the text begins with, as long as nothing but digits comes.
// How many characters they take.
std::size_t read_groups(std::string_view text, std::string& bytes) {
  std::size_t at = 0, count = 0;
  bytes.resize(text.size() / 4 * 3);
  for (; at + 4 <= text.size(); at += 4, count += 3) {
    int group = number_of(text[at]) << 18 | number_of(text[at + 1]) << 12 |
                number_of(text[at + 2]) << 6 | number_of(text[at + 3]);
    if (group < 0) break;
    bytes[count] = static_cast<char>(group >> 16);
    bytes[count + 1] = static_cast<char>(group >> 8);
    bytes[count + 2] = static_cast<char>(group);
  }
  bytes.resize(count);
  return at;
}

Value from_base64(const Parameters& p) {
  std::string bytes;
  std::uint32_t group = 0;
  int bits = 0;
  std::size_t padding = 0, digits = 0;
  bool strict = truth(p[1]), padded = false;
  auto refuse = [strict](bool wrong, const char* what) {
    if (strict && wrong) raise_message(binascii_error(), what);
  };
  std::string_view text = data_of(p[0]);
  refuse(text.starts_with('='), "Leading padding not allowed");
  std::size_t at = read_groups(text, bytes);
  digits = at;
  for (; at < text.size(); ++at) {
    char c = text[at];
    if (c == '=') {
      ++padding;
      padded = true;
      if (digits % 4 >= 2 && digits % 4 + padding >= 4) {
        refuse(at + 1 < text.size(), "Excess data after padding");
        break;
      }
      continue;
    }
    int value = number_of(c);
    refuse(value < 0, "Only base64 data is allowed");
    if (value < 0) continue;  // anything else is skipped
    refuse(padded, "Discontinuous padding not allowed");
    padding = 0;
    ++digits;
    group = group << 6 | static_cast<std::uint32_t>(value);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>(group >> bits & 255);
    }
  }
  if (digits % 4 == 1)
    raise_message(binascii_error(),
                  fmt::format("Invalid base64-encoded string: number of data characters ({}) "
                              "cannot be 1 more than a multiple of 4",
                              digits));
  if (digits % 4 && digits % 4 + padding < 4) raise_message(binascii_error(), "Incorrect padding");
  return make<Bytes>(std::move(bytes));
}

Value checksum(const Parameters& p) {
  std::string_view bytes = to_bytes(p[0]);
  return Value::integer(static_cast<std::int64_t>(
      crc32_z(static_cast<std::uint32_t>(to_int64(p[1])),
              reinterpret_cast<const Bytef*>(bytes.data()), bytes.size())));
}

Value crc_hqx(const Parameters& p) {
  auto crc = static_cast<std::uint32_t>(to_int64(p[1])) & 0xFFFF;
  for (unsigned char byte : to_bytes(p[0])) {
    crc ^= static_cast<std::uint32_t>(byte) << 8;
    for (int bit = 0; bit < 8; ++bit) crc = (crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0);
    crc &= 0xFFFF;
  }
  return Value::integer(crc);
}

const NativeRow kFunctions[] = {
    {"hexlify(data, sep=<none>, bytes_per_sep=1)", to_hex, "Bytes as hexadecimal digits."},
    {"b2a_hex(data, sep=<none>, bytes_per_sep=1)", to_hex, "Bytes as hexadecimal digits."},
    {"unhexlify(hexstr, /)", from_hex, "Hexadecimal digits as bytes."},
    {"a2b_hex(hexstr, /)", from_hex, "Hexadecimal digits as bytes."},
    {"b2a_base64(data, /, *, newline=True)", to_base64, "Bytes in base 64."},
    {"a2b_base64(data, /, *, strict_mode=False)", from_base64, "Base 64 as bytes."},
    {"crc_hqx(data, crc, /)", crc_hqx, "The CRC-CCITT checksum, most significant bit first."},
    {"crc32(data, crc=0, /)", checksum, "The CRC-32 checksum."},
};

const ConstantRow kConstants[] = {{"Error", [] { return Value(&binascii_error()); }}};

constexpr std::string_view kMailNames[] = {"a2b_qp", "a2b_uu", "b2a_qp", "b2a_uu", "Incomplete"};

// What mail needs is written in npx.
Value find_mail_code(Name name) {
  bool known = std::ranges::find(kMailNames, text_of(name)) != std::end(kMailNames);
  return known ? get_attribute(import_module("_mailcodes"), name) : Value();
}

void list_mail_codes(std::vector<std::string_view>& names) {
  names.insert(names.end(), std::begin(kMailNames), std::end(kMailNames));
}

}  // namespace

const NativeModule kBinasciiModule = {"binascii", "Bytes as text.", kFunctions, kConstants,
                                      find_mail_code, list_mail_codes};

}  // namespace strider::lang
