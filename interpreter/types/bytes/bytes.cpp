// Bytes and ByteArray as data, and what bytes-like means.
#include "interpreter/types/bytes/bytes.h"

#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/bytes_methods.h"
#include "interpreter/types/bytes/mapped_memory.h"
#include "interpreter/types/bytes/memory_view.h"
#include "interpreter/types/bytes/number_array.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"

namespace strider::lang {

Bytes::Bytes(std::string bytes, Type* type)
    : Object(Layout::kBytes, type ? type : &type_object()), bytes_(std::move(bytes)) {}

ByteArray::ByteArray(std::string bytes, Type* type)
    : Object(Layout::kByteArray, type ? type : &type_object()), bytes(std::move(bytes)) {}

void ByteArray::require_resizable() const { require_no_exports(exports); }

bool is_bytes_like(const Value& value) {
  return is_bytes(value) || value.has_layout(Layout::kByteArray) || is_memory_view(value) ||
         is_number_array(value) || is_mapped_memory(value);
}

std::string_view to_bytes(const Value& value) {
  if (is_bytes(value)) return value.as<Bytes>()->bytes();
  if (value.has_layout(Layout::kByteArray)) return value.as<ByteArray>()->bytes;
  if (is_memory_view(value)) return memory_view_bytes(value);
  if (const BufferOffer* offer = find_buffer(value)) return buffer_bytes(value, *offer);
  raise(errors::TypeError, "a bytes-like object is required, not '{}'", type_name(value));
}

Value memory_source(const Value& value, bool formatted) {
  if (!value.is_object() || find_buffer(value)) return value;
  Value method = find_special(value, intern("__buffer__"));
  return method.is_empty() ? value : call(method, Value::boolean(formatted));
}

Value make_bytes_like(const Value& model, std::string bytes) {
  if (model.has_layout(Layout::kByteArray)) return make<ByteArray>(std::move(bytes));
  return make<Bytes>(std::move(bytes));
}

std::string quote_bytes(std::string_view bytes) {
  bool single = bytes.find('\'') != std::string_view::npos;
  char mark = single && bytes.find('"') == std::string_view::npos ? '"' : '\'';
  std::string text = "b";
  text += mark;
  for (unsigned char byte : bytes) {
    if (byte == '\n')
      text += "\\n";
    else if (byte == '\r')
      text += "\\r";
    else if (byte == '\t')
      text += "\\t";
    else if (byte == '\\' || byte == mark)
      (text += '\\') += static_cast<char>(byte);
    else if (byte < 32 || byte > 126)
      text += fmt::format("\\x{:02x}", byte);
    else
      text += static_cast<char>(byte);
  }
  return text + mark;
}

char to_byte(const Value& value, const char* range_error) {
  if (value.is_int() && value.as_int() >= 0 && value.as_int() <= 255)
    return static_cast<char>(value.as_int());
  std::int64_t byte;
  if (is_integer(value) && !exact_int(value).is_int()) raise(errors::ValueError, "{}", range_error);
  if (!try_index(value, byte))
    raise(errors::TypeError, "'{}' object cannot be interpreted as an integer", type_name(value));
  if (byte < 0 || byte > 255) raise(errors::ValueError, "{}", range_error);
  return static_cast<char>(byte);
}

std::string bytes_from_source(const Value& source, const char* name) {
  if (is_memory_view(source)) return copy_memory_view(source);
  if (is_bytes_like(source)) return std::string(to_bytes(source));
  if (source.has_layout(Layout::kArray))
    return std::string(to_bytes(call_method(source, intern("tobytes"))));
  if (Value shown = memory_source(source, true); !identical(shown, source))
    return bytes_from_source(is_tuple(shown) ? (*shown.as<Tuple>())[0] : shown, name);
  const Slots& slots = type_of(source)->slots;
  std::int64_t count;
  if (is_integer(source) || (slots.to_index && try_index(source, count))) {
    count = to_int64(source);
    if (count < 0) raise(errors::ValueError, "negative count");
    if (count > (std::int64_t{1} << 46)) raise_message(errors::MemoryError(), "");
    return std::string(static_cast<std::size_t>(count), '\0');
  }
  if (!slots.iterate && !slots.get_item)
    raise(errors::TypeError, "cannot convert '{}' object to {}", type_name(source), name);
  std::string bytes;
  Iteration iteration(source);
  Value item;
  bool fixed = name[0] == 'b' && std::string_view(name) == "bytes";
  while (iteration.next(item))
    bytes +=
        to_byte(item, fixed ? "bytes must be in range(0, 256)" : "byte must be in range(0, 256)");
  return bytes;
}

}  // namespace strider::lang
