// JSON text as values.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "interpreter/builtins/modules/json/json.h"
#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

bool is_digit_character(char c) { return c >= '0' && c <= '9'; }

int hex_value(char c) {
  if (is_digit_character(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Value json_decode_error() {
  return get_attribute(import_module("_jsonerror"), intern("JSONDecodeError"));
}

void raise_json_error(std::string_view message, const Value& document, std::size_t offset) {
  std::int64_t position = count_code_points(text_of(document).substr(0, offset));
  Value exception =
      call(json_decode_error(), Value(make_str(message)), document, Value::integer(position));
  raise_exception(Ref<Exception>(exception.as<Exception>()));
}

void JsonReader::fail(const char* message, std::size_t place) const {
  raise_json_error(message, Value(document_), std::min(place, text_.size()));
}

void JsonReader::fail_value(std::size_t place) const { fail("Expecting value", place); }

void JsonReader::skip_space(std::size_t& place) const {
  while (place < text_.size() && (text_[place] == ' ' || text_[place] == '\n' ||
                                  text_[place] == '\t' || text_[place] == '\r'))
    ++place;
}

Value JsonReader::read_document() {
  std::size_t place = 0;
  skip_space(place);
  Value value = read_value(place);
  skip_space(place);
  if (place != text_.size()) fail("Extra data", place);
  return value;
}

Value JsonReader::read_constant(std::size_t& place, std::string_view word, const Value& value) {
  if (!text_.substr(place).starts_with(word)) fail_value(place);
  place += word.size();
  bool special = value.is_float();
  if (special && !hooks_.constant.is_none()) return call(hooks_.constant, Value(make_str(word)));
  return value;
}

Value JsonReader::read_value(std::size_t& place) {
  switch (at(place)) {
    case '"':
      return read_string(place);
    case '{':
      return read_object(place);
    case '[':
      return read_array(place);
    case 'n':
      return read_constant(place, "null", Value::none());
    case 't':
      return read_constant(place, "true", Value::boolean(true));
    case 'f':
      return read_constant(place, "false", Value::boolean(false));
    case 'N':
      return read_constant(place, "NaN", Value::real(std::nan("")));
    case 'I':
      return read_constant(place, "Infinity", Value::real(HUGE_VAL));
    case '-':
      if (at(place + 1) == 'I') return read_constant(place, "-Infinity", Value::real(-HUGE_VAL));
      return read_number(place);
    default:
      return read_number(place);
  }
}

Value JsonReader::read_number(std::size_t& place) {
  std::size_t end = place + (at(place) == '-');
  if (!is_digit_character(at(end))) fail_value(place);
  if (at(end) == '0')
    ++end;
  else
    while (is_digit_character(at(end))) ++end;
  std::size_t whole = end;
  if (at(end) == '.' && is_digit_character(at(end + 1)))
    for (++end; is_digit_character(at(end));) ++end;
  if (at(end) == 'e' || at(end) == 'E') {
    std::size_t digits = end + 1 + (at(end + 1) == '+' || at(end + 1) == '-');
    if (is_digit_character(at(digits)))
      for (end = digits; is_digit_character(at(end));) ++end;
  }
  std::string_view text = text_.substr(place, end - place);
  place = end;
  const Value& hook = end == whole ? hooks_.integer : hooks_.real;
  if (!hook.is_none()) return call(hook, Value(make_str(text)));
  if (end != whole) return Value::real(parse_float(text));
  std::int64_t number = 0;
  auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && rest == text.data() + text.size()) return Value::integer(number);
  return parse_int(text, 10);
}

char32_t JsonReader::read_unicode_escape(std::size_t place) const {
  char32_t code = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    int digit = hex_value(at(place + i));
    if (digit < 0) fail("Invalid \\uXXXX escape", place - 1);
    code = code * 16 + static_cast<char32_t>(digit);
  }
  return code;
}

// The rest of a string from its first backslash on; `begin` is behind the quote.
std::string JsonReader::read_escaped(std::size_t begin, std::size_t& place) {
  std::string result(text_.substr(begin, place - begin));
  while (at(place) != '"' || place >= text_.size()) {
    if (place >= text_.size()) fail("Unterminated string starting at", begin - 1);
    char c = text_[place];
    if (static_cast<unsigned char>(c) < 0x20 && hooks_.strict)
      fail("Invalid control character at", place);
    if (c != '\\') {
      result += c;
      ++place;
      continue;
    }
    if (place + 1 >= text_.size()) fail("Unterminated string starting at", begin - 1);
    constexpr std::string_view kCodes = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    char code = text_[place + 1];
    if (code != 'u') {
      std::size_t index = kCodes.find(code);
      if (index == kCodes.npos) fail("Invalid \\escape", place);
      result += kMeanings[index];
      place += 2;
      continue;
    }
    char32_t point = read_unicode_escape(place + 2);
    place += 6;
    if (point >= 0xd800 && point < 0xdc00 && at(place) == '\\' && at(place + 1) == 'u') {
      char32_t low = read_unicode_escape(place + 2);
      if (low >= 0xdc00 && low < 0xe000) {
        point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
        place += 6;
      }
    }
    append_code_point(result, point);
  }
  ++place;
  return result;
}

Value JsonReader::read_string(std::size_t& place) {
  std::size_t begin = ++place;
  for (; place < text_.size(); ++place) {
    char c = text_[place];
    if (c == '"') return make_str(text_.substr(begin, place++ - begin));
    if (c == '\\' || static_cast<unsigned char>(c) < 0x20) break;
  }
  return make_str(read_escaped(begin, place));
}

Value JsonReader::read_array(std::size_t& place) {
  check_stack("maximum recursion depth exceeded while decoding a JSON array from a unicode string");
  Ref<List> list = make_list();
  skip_space(++place);
  if (at(place) == ']') {
    ++place;
    return list;
  }
  for (;;) {
    list->items.push_back(read_value(place));
    skip_space(place);
    if (at(place) == ']') break;
    if (at(place) != ',') fail("Expecting ',' delimiter", place);
    skip_space(++place);
  }
  ++place;
  return list;
}

Value JsonReader::shared_key(const Value& key) {
  if (!keys_) keys_ = make_dict();
  Value& known = keys_->slot(key);
  if (known.is_empty()) known = key;
  return known;
}

Value JsonReader::read_object(std::size_t& place) {
  check_stack(
      "maximum recursion depth exceeded while decoding a JSON object from a unicode string");
  bool as_pairs = !hooks_.pairs.is_none();
  Ref<Dict> dict = make_dict();
  Ref<List> pairs = as_pairs ? make_list() : nullptr;
  skip_space(++place);
  if (at(place) != '}') {
    for (;;) {
      if (at(place) != '"') fail("Expecting property name enclosed in double quotes", place);
      Value key = shared_key(read_string(place));
      skip_space(place);
      if (at(place) != ':') fail("Expecting ':' delimiter", place);
      skip_space(++place);
      Value value = read_value(place);
      if (as_pairs)
        pairs->items.emplace_back(make_tuple({key, value}));
      else
        dict->set(key, value);
      skip_space(place);
      if (at(place) == '}') break;
      if (at(place) != ',') fail("Expecting ',' delimiter", place);
      skip_space(++place);
    }
  }
  ++place;
  if (as_pairs) return call(hooks_.pairs, Value(pairs));
  return hooks_.object.is_none() ? Value(dict) : call(hooks_.object, Value(dict));
}

}  // namespace strider::lang
