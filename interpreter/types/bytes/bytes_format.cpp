// The % operator of bytes: each %s or %b takes bytes, the others format as text does, in ASCII.
#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/bytes/bytes_methods.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/codec.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// Bytes as text of the same length, byte for code point, so that the formatter of text serves.
std::string as_latin(std::string_view bytes) { return decode_bytes(bytes, "latin-1"); }

Value as_text_argument(const Value& argument, char type) {
  if (type == 'c' && is_integer(argument)) {
    std::int64_t byte = to_int64(argument);
    if (byte < 0 || byte > 255) raise(errors::OverflowError, "%c arg not in range(256)");
    return argument;
  }
  if (type == 'c') {
    if (!is_bytes_like(argument) || to_bytes(argument).size() != 1)
      raise(errors::TypeError, "%c requires an integer in range(256) or a single byte");
    return make_str(as_latin(to_bytes(argument)));
  }
  if (type != 's' && type != 'b') return argument;
  if (is_bytes_like(argument) || find_buffer(argument))
    return make_str(as_latin(to_bytes(argument)));
  Value method = find_special(argument, names().bytes);
  if (method.is_empty())
    raise(errors::TypeError,
          "%b requires a bytes-like object, or an object that implements __bytes__, not '{}'",
          type_name(argument));
  return make_str(as_latin(to_bytes(call(method))));
}

// The conversions of a format as the formatter of text takes them: %b as %s, %r as %a, and keys of
// a mapping replaced by the items they stand for.
struct Conversions {
  std::string format, letters;  // '*' in letters: a width taken from the arguments
  Values keyed;
};

std::size_t take_key(const std::string& format, std::size_t open, const Value& mapping,
                     Conversions& result) {
  std::size_t close = open;
  for (int depth = 0; close < format.size(); ++close) {
    if (format[close] == '(') ++depth;
    if (format[close] == ')' && --depth == 0) break;
  }
  if (close == format.size()) raise(errors::ValueError, "incomplete format key");
  if (mapping.is_empty()) raise(errors::TypeError, "format requires a mapping");
  std::string key = format.substr(open + 1, close - open - 1);
  result.keyed.push_back(get_item(mapping, Value(make<Bytes>(encode_text(key, "latin-1")))));
  return close;
}

Conversions read_conversions(const std::string& format, const Value& mapping) {
  Conversions result;
  for (std::size_t i = 0; i < format.size(); ++i) {
    result.format += format[i];
    if (format[i] != '%') continue;
    for (++i; i < format.size(); ++i) {
      char letter = format[i];
      if (letter == '(') {
        i = take_key(format, i, mapping, result);
        continue;
      }
      bool flag = std::string_view("-+ #0123456789.*hlL").find(letter) != std::string_view::npos;
      result.format += letter == 'b' ? 's' : letter == 'r' ? 'a' : letter;
      if (letter == '*' || (!flag && letter != '%')) result.letters += letter;
      if (!flag) break;
    }
  }
  return result;
}

}  // namespace

std::string format_bytes_percent(std::string_view bytes, const Value& arguments) {
  bool single =
      is_bytes_like(arguments) || is_str(arguments) || !type_of(arguments)->slots.get_item;
  Value mapping = single || is_tuple(arguments) ? Value() : arguments;
  Conversions conversions = read_conversions(as_latin(bytes), mapping);
  Values items = std::move(conversions.keyed);
  if (is_tuple(arguments)) {
    std::span<const Value> given = arguments.as<Tuple>()->items();
    items.assign(given.begin(), given.end());
  }
  bool unkeyed = items.empty() && (mapping.is_empty() || !conversions.letters.empty());
  if (unkeyed && !is_tuple(arguments)) items.push_back(arguments);
  for (std::size_t i = 0; i < items.size() && i < conversions.letters.size(); ++i)
    items[i] = as_text_argument(items[i], conversions.letters[i]);
  return encode_text(format_percent(conversions.format, Value(make_tuple(std::move(items)))),
                     "latin-1");
}

}  // namespace strider::lang
