// Str: text. UTF-8 inside (a lone surrogate is its three-byte form); lengths and indices count code
// points.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/runtime/call.h"
#include "interpreter/runtime/value.h"

namespace strider::lang {

class Str : public Object {
 public:
  explicit Str(std::string text, Type* type = nullptr);
  Str(std::string text, std::int64_t size);  // size: code points, where they are known
  static Type& type_object();

  std::string_view text() const { return text_; }
  const char* c_str() const { return text_.c_str(); }
  std::int64_t size() const { return size_; }  // code points
  bool is_ascii() const { return static_cast<std::size_t>(size_) == text_.size(); }
  std::int64_t hash() const;  // cached
  bool is_interned() const { return flags_ & kInterned; }
  // Of class str itself, not of a subclass (which may define its own __eq__ and __hash__).
  bool is_exact() const { return flags_ & kExact; }
  // Byte offset of the code point at `index` (0..size()).
  std::size_t offset(std::int64_t index) const;
  // Appends in place; only while nobody else holds the object (s += t in a loop).
  void append(std::string_view tail);

 private:
  friend Name intern(std::string_view);
  friend Name intern(Str*);
  static constexpr std::uint8_t kExact = 1, kInterned = 2;
  std::string text_;
  std::int64_t size_;
  // Byte offsets of every 64th code point of long texts beyond ASCII; made at first use.
  mutable std::unique_ptr<std::vector<std::uint32_t>> landmarks_;
  mutable std::int64_t hash_ = -1;
};

// A new Str, shared for the empty text and single ASCII characters.
Ref<Str> make_str(std::string_view text);
Ref<Str> make_str(std::string&& text);
// The same where the number of code points is known.
Ref<Str> make_str(std::string&& text, std::int64_t size);
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
