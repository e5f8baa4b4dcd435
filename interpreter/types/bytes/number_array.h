// array.array: numbers of one machine type in a row that grows and shrinks.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

class Type;

class NumberArray : public Object {
 public:
  NumberArray(char code, Type* type);
  static Type& type_object();

  std::int64_t size() const { return static_cast<std::int64_t>(bytes.size()) / item_size; }
  char* place(std::int64_t index) { return bytes.data() + index * item_size; }
  Value item(std::int64_t index);
  void set(std::int64_t index, const Value& value);
  void append(const Value& value);
  // Items of an iterable, a list, or an array of the same kind behind the own ones.
  void extend(const Value& source);
  void append_bytes(std::string_view fresh);
  // Raises BufferError while others rely on the memory.
  void require_resizable() const;

  char code;  // the letter of the machine type
  int item_size;
  int exports = 0;
  std::string bytes;
};

inline constexpr std::string_view kArrayCodes = "bBuhHiIlLqQfd";

bool is_number_array(const Value& value);
void add_number_array_methods(Type& type);

}  // namespace strider::lang
