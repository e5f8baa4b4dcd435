// Bytes and ByteArray: sequences of small integers; the first fixed, the second changeable.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

class Bytes : public Object {
 public:
  explicit Bytes(std::string bytes, Type* type = nullptr);
  static Type& type_object();
  std::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class ByteArray : public Object {
 public:
  explicit ByteArray(std::string bytes, Type* type = nullptr);
  static Type& type_object();
  // Raises BufferError while others rely on the memory.
  void require_resizable() const;
  std::string bytes;
  int exports = 0;  // how many views and arrays rely on the memory
};

inline bool is_bytes(const Value& value) { return value.has_layout(Layout::kBytes); }
// True for bytes, bytearray, memoryview, array.array and instances of their subclasses.
bool is_bytes_like(const Value& value);
// The bytes of any value that shows its memory (these, numpy's arrays); TypeError otherwise.
std::string_view to_bytes(const Value& value);
// What shows the memory of a value: itself, or, for arrays whose elements lie in no one block, what
// their __buffer__ makes of them. `formatted`: the format of elements matters, not only bytes;
// then it may be a tuple of memory, format, bytes of an element, and shape.
Value memory_source(const Value& value, bool formatted = false);

}  // namespace strider::lang
