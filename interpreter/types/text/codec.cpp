// Encoding and decoding. Text inside the interpreter is UTF-8 where lone surrogates have their
// three-byte form.
#include "interpreter/types/text/codec.h"

#include <array>
#include <cstring>

#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/syntax/character_names.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/encoding_names.h"
#include "interpreter/types/text/escape_codec.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

bool is_known_handler(std::string_view errors) {
  for (std::string_view known :
       {"strict", "ignore", "replace", "backslashreplace", "surrogateescape", "surrogatepass",
        "xmlcharrefreplace", "namereplace"})
    if (errors == known) return true;
  return false;
}

// For handlers that did not deal with the problem: "strict" lets the caller raise.
void check_handler(std::string_view errors) {
  if (!is_known_handler(errors))
    raise(errors::LookupError, "unknown error handler name '{}'", errors);
}

// What a handler of the program's own makes of text or bytes that a codec refuses.
Value ask_handler(const char* function, const Value& object, std::string_view encoding,
                  std::string_view errors) {
  return call_method(import_module("_codecerrors"), intern(function), object,
                     Value(make_str(encoding)), Value(make_str(errors)));
}

// Where the run of ASCII that begins at `at` ends.
std::size_t ascii_end(std::string_view bytes, std::size_t at) {
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    if (word & 0x8080808080808080u) break;
  }
  while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) < 0x80) ++at;
  return at;
}

bool is_surrogate(char32_t code) { return code >= 0xD800 && code <= 0xDFFF; }

// Raises a Unicode error with CPython's five arguments.
[[noreturn]] void raise_unicode_error(Type& type, const char* encoding, const Value& object,
                                      std::int64_t start, std::int64_t end, const char* reason) {
  raise_exception(
      make<Exception>(&type, make_tuple({Value(make_str(encoding)), object, Value::integer(start),
                                         Value::integer(end), Value(make_str(reason))})));
}

// --- Encoding ---

class Encoder {
 public:
  Encoder(std::string_view text, const EncodingName& name, std::string_view errors)
      : text_(text), name_(name), errors_(errors) {}

  std::string run() {
    // Texts are UTF-8 but for lone surrogates, whose three bytes begin like this one.
    constexpr char kBeginsSurrogate = '\xED';
    if (name_.encoding == Encoding::kUtf8 && text_.find(kBeginsSurrogate) == text_.npos)
      return std::string(text_);
    if (name_.encoding == Encoding::kUtf8Signature) result_ = "\xEF\xBB\xBF";
    if (name_.encoding == Encoding::kUtf16) put16(0xFEFF);
    if (name_.encoding == Encoding::kUtf32) put32(0xFEFF);
    bool keeps_ascii = name_.encoding <= Encoding::kLatin1;
    for (std::size_t offset = 0; offset < text_.size(); ++index_) {
      if (keeps_ascii) {
        std::size_t end = ascii_end(text_, offset);
        result_ += text_.substr(offset, end - offset);
        index_ += static_cast<std::int64_t>(end - offset);
        offset = end;
        if (offset == text_.size()) break;
      }
      char32_t code = decode_code_point(text_, offset);
      if (is_encodable(code))
        put(code);
      else
        handle(code);
    }
    return std::move(result_);
  }

 private:
  bool is_encodable(char32_t code) const {
    if (name_.encoding == Encoding::kAscii) return code < 0x80;
    if (name_.encoding == Encoding::kLatin1) return code < 0x100;
    if (name_.page) return name_.page->bytes.count(code) > 0;
    if (name_.east_asian) return code < 0x80 || !east_asian_bytes(code).empty();
    return !is_surrogate(code);
  }

  std::string east_asian_bytes(char32_t code) const {
    std::string text;
    append_code_point(text, code);
    return is_surrogate(code) ? std::string() : encode_one(*name_.east_asian, text);
  }

  void put(char32_t code) {
    switch (name_.encoding) {
      case Encoding::kPage: {
        auto byte = name_.page->bytes.find(code);
        result_ += byte == name_.page->bytes.end() ? '?' : byte->second;
        return;
      }
      case Encoding::kEastAsian:
        result_ += code < 0x80 ? std::string(1, static_cast<char>(code)) : east_asian_bytes(code);
        return;
      case Encoding::kUtf8:
      case Encoding::kUtf8Signature:
        return append_code_point(result_, code);
      case Encoding::kAscii:
      case Encoding::kLatin1:
        result_ += static_cast<char>(code);
        return;
      case Encoding::kUtf16:
      case Encoding::kUtf16Little:
      case Encoding::kUtf16Big:
        if (code < 0x10000) return put16(code);
        put16(0xD800 + ((code - 0x10000) >> 10));
        return put16(0xDC00 + ((code - 0x10000) & 0x3FF));
      default:
        return put32(code);
    }
  }

  bool big_endian() const {
    return name_.encoding == Encoding::kUtf16Big || name_.encoding == Encoding::kUtf32Big;
  }
  void put_bytes(char32_t unit, int count) {
    if (big_endian()) unit = __builtin_bswap32(unit) >> (32 - 8 * count);
    result_.append(reinterpret_cast<const char*>(&unit), static_cast<std::size_t>(count));
  }
  void put16(char32_t unit) { put_bytes(unit, 2); }
  void put32(char32_t unit) { put_bytes(unit, 4); }

  void put_ascii(std::string_view text) {
    for (char character : text) put(static_cast<unsigned char>(character));
  }

  void handle(char32_t code) {
    if (errors_ == "ignore") return;
    if (errors_ == "replace") return put('?');
    std::string name = errors_ == "namereplace" ? syntax::name_of_character(code) : "";
    if (!name.empty()) return put_ascii(fmt::format("\\N{{{}}}", name));
    if (errors_ == "backslashreplace" || errors_ == "namereplace")
      return put_ascii(fmt::format(fmt::runtime(code < 0x100     ? "\\x{:02x}"
                                                : code < 0x10000 ? "\\u{:04x}"
                                                                 : "\\U{:08x}"),
                                   static_cast<std::uint32_t>(code)));
    if (errors_ == "xmlcharrefreplace")
      return put_ascii(fmt::format("&#{};", static_cast<std::uint32_t>(code)));
    if (errors_ == "surrogateescape" && code >= 0xDC80 && code <= 0xDCFF &&
        !name_.has_wide_units()) {
      result_ += static_cast<char>(code - 0xDC00);
      return;
    }
    if (errors_ == "surrogatepass" && is_surrogate(code) && name_.encoding != Encoding::kAscii &&
        name_.encoding != Encoding::kLatin1)
      return put(code);
    check_handler(errors_);
    refuse();
  }

  // The error spans all characters in a row that cannot be encoded; of wide units, one.
  [[noreturn]] void refuse() const {
    std::int64_t end = index_, position = 0;
    for (std::size_t offset = 0; offset < text_.size(); ++position) {
      char32_t code = decode_code_point(text_, offset);
      if (position < index_) continue;
      if (is_encodable(code)) break;
      end = position + 1;
      if (name_.east_asian || name_.has_wide_units()) break;
    }
    const char* reason = name_.page                            ? "character maps to <undefined>"
                         : name_.east_asian                    ? "illegal multibyte sequence"
                         : name_.encoding == Encoding::kAscii  ? "ordinal not in range(128)"
                         : name_.encoding == Encoding::kLatin1 ? "ordinal not in range(256)"
                                                               : "surrogates not allowed";
    raise_unicode_error(errors::UnicodeEncodeError(), name_.shown, Value(make_str(text_)), index_,
                        end, reason);
  }

  std::string_view text_;
  const EncodingName& name_;
  std::string_view errors_;
  std::int64_t index_ = 0;
  std::string result_;
};

// --- Decoding ---

class Decoder {
 public:
  Decoder(std::string_view bytes, const EncodingName& name, std::string_view errors)
      : bytes_(bytes), name_(name), shown_(name.shown), errors_(errors) {}

  std::string run() {
    switch (name_.encoding) {
      case Encoding::kUtf8Signature:
        if (bytes_.starts_with("\xEF\xBB\xBF")) at_ = 3;
        [[fallthrough]];
      case Encoding::kUtf8:
        decode_utf8();
        break;
      case Encoding::kAscii:
        decode_ascii();
        break;
      case Encoding::kLatin1:
        for (; keep_ascii(); ++at_) append_code_point(result_, byte(at_));
        break;
      case Encoding::kPage:
        decode_page();
        break;
      case Encoding::kEastAsian:
        decode_east_asian();
        break;
      case Encoding::kUtf16:
      case Encoding::kUtf16Little:
      case Encoding::kUtf16Big:
        decode_utf16();
        break;
      default:
        decode_utf32();
        break;
    }
    return std::move(result_);
  }

 private:
  unsigned byte(std::size_t index) const { return static_cast<unsigned char>(bytes_[index]); }

  // Takes a run of ASCII as it is; false at the end.
  bool keep_ascii() {
    std::size_t end = ascii_end(bytes_, at_);
    result_ += bytes_.substr(at_, end - at_);
    at_ = end;
    return at_ < bytes_.size();
  }

  void decode_ascii() {
    while (keep_ascii()) handle(1, "ordinal not in range(128)");
  }

  void decode_page() {
    while (at_ < bytes_.size()) {
      char32_t code = name_.page->characters[byte(at_)];
      if (code == kUndefined) {
        handle(1, "character maps to <undefined>");
        continue;
      }
      append_code_point(result_, code);
      ++at_;
    }
  }

  void decode_east_asian() {
    std::string text;
    while (keep_ascii()) {
      int size = decode_one(*name_.east_asian, bytes_.substr(at_), text);
      if (size <= 0) {
        handle(1, size < 0 ? "incomplete multibyte sequence" : "illegal multibyte sequence");
        continue;
      }
      result_ += text;
      at_ += static_cast<std::size_t>(size);
    }
  }

  // How many of the bytes after a lead byte may stand there.
  bool continues(std::size_t lead, std::size_t place) const {
    if (lead + place >= bytes_.size()) return false;
    unsigned first = byte(lead), next = byte(lead + place);
    if (place == 1) {
      if (first == 0xE0) return next >= 0xA0 && next <= 0xBF;
      if (first == 0xED) return next >= 0x80 && next <= 0x9F;
      if (first == 0xF0) return next >= 0x90 && next <= 0xBF;
      if (first == 0xF4) return next >= 0x80 && next <= 0x8F;
    }
    return next >= 0x80 && next <= 0xBF;
  }

  void decode_utf8() {
    while (keep_ascii()) {
      unsigned first = byte(at_);
      std::size_t length = first < 0xC2   ? 0
                           : first < 0xE0 ? 2
                           : first < 0xF0 ? 3
                           : first < 0xF5 ? 4
                                          : 0;
      if (length == 0) {
        handle(1, "invalid start byte");
        continue;
      }
      std::size_t good = 1;
      while (good < length && continues(at_, good)) ++good;
      if (good == length) {
        result_ += bytes_.substr(at_, length);
        at_ += length;
      } else if (at_ + good >= bytes_.size()) {
        handle(good, "unexpected end of data");
      } else if (!pass_surrogate()) {
        handle(good, "invalid continuation byte");
      }
    }
  }

  bool pass_surrogate() {
    bool encoded = errors_ == "surrogatepass" && at_ + 2 < bytes_.size() && byte(at_) == 0xED &&
                   byte(at_ + 1) >= 0xA0 && byte(at_ + 1) <= 0xBF && (byte(at_ + 2) & 0xC0) == 0x80;
    if (!encoded) return false;
    result_ += bytes_.substr(at_, 3);
    at_ += 3;
    return true;
  }

  char32_t unit(std::size_t index, int count, bool big) const {
    char32_t result = 0;
    for (int i = 0; i < count; ++i)
      result |= static_cast<char32_t>(byte(index + static_cast<std::size_t>(i)))
                << 8 * (big ? count - 1 - i : i);
    return result;
  }

  // Reads a byte order mark; the codecs with a fixed order have none.
  bool detect_big(int count) {
    if (name_.encoding == Encoding::kUtf16Big || name_.encoding == Encoding::kUtf32Big) return true;
    bool marked = name_.encoding == Encoding::kUtf16 || name_.encoding == Encoding::kUtf32;
    if (!marked) return false;
    bool big = bytes_.size() >= static_cast<std::size_t>(count) && unit(0, count, true) == 0xFEFF;
    shown_ = count == 2 ? (big ? "utf-16-be" : "utf-16-le") : (big ? "utf-32-be" : "utf-32-le");
    if (bytes_.size() < static_cast<std::size_t>(count)) return false;
    if (big || unit(0, count, false) == 0xFEFF) at_ = static_cast<std::size_t>(count);
    return big;
  }

  // Takes a lone surrogate as it is, where that is asked for.
  bool pass_unit(char32_t code, std::size_t size) {
    if (errors_ != "surrogatepass") return false;
    append_code_point(result_, code);
    at_ += size;
    return true;
  }

  void decode_utf16() {
    bool big = detect_big(2);
    while (at_ < bytes_.size()) {
      if (at_ + 2 > bytes_.size()) {
        handle(bytes_.size() - at_, "truncated data");
        continue;
      }
      char32_t code = unit(at_, 2, big);
      if (!is_surrogate(code)) {
        append_code_point(result_, code);
        at_ += 2;
        continue;
      }
      if (code >= 0xDC00) {
        if (!pass_unit(code, 2)) handle(2, "illegal encoding");
        continue;
      }
      if (at_ + 4 > bytes_.size()) {
        if (!pass_unit(code, 2)) handle(bytes_.size() - at_, "unexpected end of data");
        continue;
      }
      char32_t low = unit(at_ + 2, 2, big);
      if (low < 0xDC00 || low > 0xDFFF) {
        if (!pass_unit(code, 2)) handle(2, "illegal UTF-16 surrogate");
        continue;
      }
      append_code_point(result_, 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00));
      at_ += 4;
    }
  }

  void decode_utf32() {
    bool big = detect_big(4);
    while (at_ < bytes_.size()) {
      if (at_ + 4 > bytes_.size()) {
        handle(bytes_.size() - at_, "truncated data");
        continue;
      }
      char32_t code = unit(at_, 4, big);
      if (code > 0x10FFFF) {
        handle(4, "code point not in range(0x110000)");
      } else if (is_surrogate(code)) {
        if (!pass_unit(code, 4)) handle(4, "code point in surrogate code point range");
      } else {
        append_code_point(result_, code);
        at_ += 4;
      }
    }
  }

  // Deals with `count` bytes that cannot be decoded and moves past them.
  void handle(std::size_t count, const char* reason) {
    std::size_t end = at_ + count;
    if (errors_ == "replace") {
      append_code_point(result_, 0xFFFD);
    } else if (errors_ == "backslashreplace") {
      for (std::size_t i = at_; i < end; ++i) result_ += fmt::format("\\x{:02x}", byte(i));
    } else if (errors_ == "surrogateescape" && byte(at_) >= 0x80) {
      end = std::min(end, at_ + 4);
      for (std::size_t i = at_; i < end; ++i) {
        if (byte(i) < 0x80) end = i;  // which is to be read once more
        if (i < end) append_code_point(result_, 0xDC00 + byte(i));
      }
    } else if (errors_ != "ignore") {
      check_handler(errors_);
      Value object = make<Bytes>(std::string(bytes_));
      raise_unicode_error(errors::UnicodeDecodeError(), shown_, object,
                          static_cast<std::int64_t>(at_), static_cast<std::int64_t>(end), reason);
    }
    at_ = end;
  }

  std::string_view bytes_;
  const EncodingName& name_;
  const char* shown_;
  std::string_view errors_;
  std::size_t at_ = 0;
  std::string result_;
};

std::string_view name_argument(const Value& value, std::string_view otherwise, const char* what) {
  if (value.is_empty()) return otherwise;
  return to_text(value, what);
}

}  // namespace

// What the library, or a function that a program has registered, makes of an encoding that is none
// of the language's own.
static Value ask_codecs(const char* function, const Value& object, std::string_view encoding,
                        std::string_view errors) {
  Value asked = get_attribute(import_module("codecs"), intern(function));
  return call(asked, object, make_str(encoding), make_str(errors));
}

std::string encode_text(std::string_view text, std::string_view encoding, std::string_view errors) {
  const EncodingName* found = find_encoding(encoding);
  if (!found)
    return std::string(to_bytes(ask_codecs("encode_unknown", make_str(text), encoding, errors)));
  const EncodingName& name = *found;
  if (name.encoding == Encoding::kEscape || name.encoding == Encoding::kRawEscape)
    return encode_escapes(text, name.encoding == Encoding::kRawEscape);
  if (is_known_handler(errors)) return Encoder(text, name, errors).run();
  try {
    return Encoder(text, name, "strict").run();
  } catch (const Raised& raised) {
    if (raised.exception->type() != &errors::UnicodeEncodeError()) throw;
  }
  return std::string(to_bytes(ask_handler("encode", Value(make_str(text)), encoding, errors)));
}

std::string decode_bytes(std::string_view bytes, std::string_view encoding,
                         std::string_view errors) {
  const EncodingName* found = find_encoding(encoding);
  if (!found) {
    Value data = make<Bytes>(std::string(bytes));
    return std::string(text_of(ask_codecs("decode_unknown", data, encoding, errors)));
  }
  const EncodingName& name = *found;
  bool escapes = name.encoding == Encoding::kEscape || name.encoding == Encoding::kRawEscape;
  if (escapes && errors == "strict")
    return decode_escapes(bytes, name.encoding == Encoding::kRawEscape);
  if (!escapes && is_known_handler(errors)) return Decoder(bytes, name, errors).run();
  try {
    if (escapes) return decode_escapes(bytes, name.encoding == Encoding::kRawEscape);
    return Decoder(bytes, name, "strict").run();
  } catch (const Raised& raised) {
    if (raised.exception->type() != &errors::UnicodeDecodeError()) throw;
  }
  Value object = make<Bytes>(std::string(bytes));
  return std::string(text_of(ask_handler("decode", object, encoding, errors)));
}

std::string encode_text(std::string_view text, const Value& encoding, const Value& errors) {
  return encode_text(text, name_argument(encoding, "utf-8", "encode() argument 'encoding'"),
                     name_argument(errors, "strict", "encode() argument 'errors'"));
}

std::string decode_bytes(std::string_view bytes, const Value& encoding, const Value& errors) {
  return decode_bytes(bytes, name_argument(encoding, "utf-8", "decode() argument 'encoding'"),
                      name_argument(errors, "strict", "decode() argument 'errors'"));
}

}  // namespace strider::lang
