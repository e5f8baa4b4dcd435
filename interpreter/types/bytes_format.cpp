// The % operator of bytes: each %s or %b takes bytes, the others format as text does, in ASCII.
#include "interpreter/types/bytes.h"
#include "interpreter/types/bytes_methods.h"
#include "interpreter/types/codec.h"
#include "interpreter/types/integer.h"
#include "interpreter/types/sequence.h"
#include "interpreter/types/str.h"
#include "interpreter/types/support.h"

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
  if (type == 'c' && is_bytes_like(argument)) return make_str(as_latin(to_bytes(argument)));
  if (type != 's' && type != 'b') return argument;
  if (is_bytes_like(argument)) return make_str(as_latin(to_bytes(argument)));
  Value method = find_special(argument, names().bytes);
  if (method.is_empty())
    raise(errors::TypeError,
          "%b requires a bytes-like object, or an object that implements __bytes__, not '{}'",
          type_name(argument));
  return make_str(as_latin(to_bytes(call(method))));
}

// The conversion letters of a format in order, '*' for widths taken from arguments; %b becomes %s
// and %r becomes %a.
std::string conversion_letters(std::string& format) {
  std::string letters;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    for (++i; i < format.size(); ++i) {
      char character = format[i];
      if (character == '*') letters += '*';
      if (character == '(') {
        i = std::min(format.find(')', i), format.size() - 1);
        continue;
      }
      if (std::string_view("-+ #0123456789.*hlL").find(character) != std::string_view::npos)
        continue;
      if (character == 'b') format[i] = 's';
      if (character == 'r') format[i] = 'a';
      if (character != '%') letters += character;
      break;
    }
  }
  return letters;
}

}  // namespace

std::string format_bytes_percent(std::string_view bytes, const Value& arguments) {
  std::string format = as_latin(bytes);
  std::string letters = conversion_letters(format);
  std::vector<Value> items;
  if (is_tuple(arguments)) {
    items = arguments.as<Tuple>()->vector();
  } else if (!is_bytes_like(arguments) && type_of(arguments)->slots.get_item) {
    raise(errors::NotImplementedError, "bytes % mapping is not supported");
  } else {
    items.push_back(arguments);
  }
  for (std::size_t i = 0; i < items.size() && i < letters.size(); ++i)
    items[i] = as_text_argument(items[i], letters[i]);
  std::string text = format_percent(format, Value(make_tuple(std::move(items))));
  return encode_text(text, "latin-1");
}

}  // namespace strider::lang
