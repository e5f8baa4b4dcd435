// Arguments: the struct that a kernel is given, as text and as bytes, from one list of fields, so
// that both agree. Knows nothing of loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace strider::nd::cuda {

class Arguments {
 public:
  explicit Arguments(bool with_text) : with_text_(with_text) {}

  // A field "prefix" + numbers, aligned to its size but to no more than eight bytes.
  void add(std::string_view type, std::string_view prefix, int first, int second, const void* value,
           std::size_t size, std::size_t alignment);
  template <class T>
  void add(std::string_view type, std::string_view prefix, T value, int first = -1,
           int second = -1) {
    add(type, prefix, first, second, &value, sizeof value, alignof(T));
  }
  // A number of points or an extent; `wide` tells how many bytes the loop counts with.
  void add_index(std::string_view prefix, std::int64_t value, bool wide, int first = -1,
                 int second = -1);

  // The struct's definition.
  std::string text() const { return "struct Arguments {\n" + fields_ + "};\n"; }
  std::vector<std::byte> take_bytes();

 private:
  bool with_text_;
  std::string fields_;
  std::vector<std::byte> bytes_;
};

}  // namespace strider::nd::cuda
