// The methods of bytearray that change it.
#include <algorithm>

#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/bytes/bytes_methods.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

constexpr const char* kRangeError = "byte must be in range(0, 256)";

std::string& self_of(const Parameters& parameters) { return parameters[0].as<ByteArray>()->bytes; }

// The bytes for a change of their number.
std::string& resizable(const Parameters& parameters) {
  parameters[0].as<ByteArray>()->require_resizable();
  return self_of(parameters);
}

Value append(const Parameters& parameters) {
  char byte = to_byte(parameters[1], kRangeError);
  resizable(parameters) += byte;
  return Value::none();
}

Value extend(const Parameters& parameters) {
  const Value& source = parameters[1];
  if (!is_bytes_like(source) && !type_of(source)->slots.iterate)
    raise(errors::TypeError, "can't extend bytearray with {}", type_name(source));
  std::string fresh = bytes_from_source(source, "bytearray");
  if (!fresh.empty()) resizable(parameters) += fresh;
  return Value::none();
}

Value insert(const Parameters& parameters) {
  std::string& bytes = self_of(parameters);
  auto size = static_cast<std::int64_t>(bytes.size());
  std::int64_t index = to_int64(parameters[1]);
  if (index < 0) index += size;
  char byte = to_byte(parameters[2], kRangeError);
  resizable(parameters);
  bytes.insert(bytes.begin() + std::clamp<std::int64_t>(index, 0, size), byte);
  return Value::none();
}

Value pop(const Parameters& parameters) {
  std::string& bytes = self_of(parameters);
  auto size = static_cast<std::int64_t>(bytes.size());
  std::int64_t index = to_int64(parameters[1]);
  if (size == 0) raise(errors::IndexError, "pop from empty bytearray");
  if (index < 0) index += size;
  if (index < 0 || index >= size) raise(errors::IndexError, "pop index out of range");
  auto byte = static_cast<unsigned char>(bytes[static_cast<std::size_t>(index)]);
  resizable(parameters).erase(static_cast<std::size_t>(index), 1);
  return Value::integer(byte);
}

Value remove(const Parameters& parameters) {
  std::string& bytes = self_of(parameters);
  std::size_t at = bytes.find(to_byte(parameters[1], kRangeError));
  if (at == std::string::npos) raise(errors::ValueError, "value not found in bytearray");
  resizable(parameters).erase(at, 1);
  return Value::none();
}

Value clear(const Parameters& parameters) {
  if (!self_of(parameters).empty()) resizable(parameters).clear();
  return Value::none();
}

Value copy(const Parameters& parameters) { return make<ByteArray>(self_of(parameters)); }

Value reverse(const Parameters& parameters) {
  std::reverse(self_of(parameters).begin(), self_of(parameters).end());
  return Value::none();
}

constexpr NativeRow kMethods[] = {
    {"append(self, item, /)", append, "Append one byte."},
    {"extend(self, iterable, /)", extend, "Append all bytes of an iterable."},
    {"insert(self, index, item, /)", insert, "Insert one byte before index."},
    {"pop(self, index=-1, /)", pop, "Remove and return one byte (default the last)."},
    {"remove(self, value, /)", remove, "Remove the first occurrence of a byte."},
    {"clear(self, /)", clear, "Remove all bytes."},
    {"copy(self, /)", copy, "Return a copy."},
    {"reverse(self, /)", reverse, "Reverse in place."},
};

}  // namespace

void add_bytearray_methods(Type& type) { type.add(kMethods); }

}  // namespace strider::lang
