// Str: text. UTF-8 inside (a lone surrogate is its three-byte form); lengths and indices count code
// points.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// Short texts, which most are, stand behind the object in the same block of memory; a long one is a
// LongStr. Made by the functions below.
class Str : public Object {
 public:
  static constexpr std::size_t kShort = 256;  // bytes
  static Type& type_object();
  static void operator delete(Str* text, std::destroying_delete_t);

  std::string_view text() const;
  std::int64_t size() const;  // code points
  bool is_ascii() const { return static_cast<std::size_t>(size()) == text().size(); }
  std::int64_t hash() const;  // cached
  bool is_interned() const { return flags_ & kInterned; }
  // Of class str itself, not of a subclass (which may define its own __eq__ and __hash__).
  bool is_exact() const { return flags_ & kExact; }
  bool is_long() const { return flags_ & kLong; }
  // Byte offset of the code point at `index` (0..size()).
  std::size_t offset(std::int64_t index) const;

 protected:
  enum : std::uint8_t { kExact = 1, kInterned = 2, kLong = 4 };
  explicit Str(Type* type) : Object(Layout::kStr, type) {}
  mutable std::int64_t hash_ = -1;

 private:
  friend Name intern(Str*);
  friend class StrMaker;
  Str(std::size_t bytes, std::int64_t size);
  // Of a short text.
  std::uint32_t bytes_ = 0;
  std::uint32_t size_ = 0;
};

// Text of any length in memory of its own, and the text of instances of subclasses.
class LongStr : public Str {
 public:
  explicit LongStr(std::string text, Type* type = nullptr);
  LongStr(std::string text, std::int64_t size);  // size: code points, where they are known
  static void operator delete(void* text, std::size_t size) { pool::release(text, size); }
  const std::string& string() const { return string_; }
  std::int64_t size() const { return size_; }
  std::size_t offset(std::int64_t index) const;
  // Appends in place; only while nobody else holds the object (s += t in a loop).
  void append(std::string_view tail);

 private:
  std::string string_;
  std::int64_t size_;
  // Byte offsets of every 64th code point beyond ASCII; made at first use.
  mutable std::unique_ptr<std::vector<std::uint32_t>> landmarks_;
};

inline std::string_view Str::text() const {
  if (is_long()) return static_cast<const LongStr*>(this)->string();
  return {reinterpret_cast<const char*>(this + 1), bytes_};
}

inline std::int64_t Str::size() const {
  return is_long() ? static_cast<const LongStr*>(this)->size() : size_;
}

// A Str in the making: `bytes` bytes at `place`, which are written before anybody else sees it.
class StrMaker {
 public:
  StrMaker(std::size_t bytes, std::int64_t size);  // size: code points
  char* place() const { return place_; }
  Ref<Str> take() { return std::move(text_); }

 private:
  Ref<Str> text_;
  char* place_;
};

// A new Str, shared for the empty text and single ASCII characters.
Ref<Str> make_str(std::string_view text);
Ref<Str> make_str(std::string&& text);
// The same where the number of code points is known.
Ref<Str> make_str(std::string&& text, std::int64_t size);
Ref<Str> make_str(std::string_view text, std::int64_t size);
// The shared text of one ASCII character.
const Ref<Str>& ascii_character(char character);
// The decimal digits of a number.
Ref<Str> make_decimal(std::int64_t number);
inline Ref<Str> make_str(const char* text) { return make_str(std::string_view(text)); }
inline bool is_str(const Value& value) { return value.has_layout(Layout::kStr); }
inline std::string_view text_of(const Value& value) { return value.as<Str>()->text(); }

// The hash of str and bytes with this content.
std::int64_t hash_bytes(std::string_view bytes);
// The part from code point `start` up to `stop`, both within 0..size().
std::string_view slice_text(const Str& text, std::int64_t start, std::int64_t stop);

// Number of code points of UTF-8 text.
std::int64_t count_code_points(std::string_view text);
bool is_ascii_text(std::string_view text);
char32_t decode_beyond_ascii(std::string_view text, std::size_t& offset);
void append_beyond_ascii(std::string& text, char32_t code_point);
// Reads the code point at `offset` and moves past it.
inline char32_t decode_code_point(std::string_view text, std::size_t& offset) {
  auto first = static_cast<unsigned char>(text[offset]);
  if (first >= 0x80) return decode_beyond_ascii(text, offset);
  ++offset;
  return first;
}
inline void append_code_point(std::string& text, char32_t code_point) {
  if (code_point >= 0x80) return append_beyond_ascii(text, code_point);
  text += static_cast<char>(code_point);
}
// repr() of text: quotes chosen as CPython chooses them, escapes, non-printables.
std::string quote(std::string_view text);
// ascii(): as quote, with everything beyond ASCII escaped.
std::string quote_ascii(std::string_view text);

// The format mini-language: format(value, spec) of the built-in types; errors as CPython's.
// `type` is named in messages.
std::string format_str(std::string_view text, std::string_view spec, std::string_view type = "str");
std::string format_int(const Value& integer, std::string_view spec, std::string_view type = "int");
std::string format_float(double value, std::string_view spec, std::string_view type = "float");
std::string format_complex(double real, double imag, std::string_view spec);
// repr of a float: shortest digits that read back ("1e+16", "0.1", "inf").
std::string float_repr(double value);
// text % arguments.
std::string format_percent(std::string_view format, const Value& arguments);
// text.format(*args, **kwargs).
std::string format_braces(std::string_view format, const Arguments& arguments);
// text.format_map(mapping).
std::string format_mapping(std::string_view format, const Value& mapping);

}  // namespace strider::lang
