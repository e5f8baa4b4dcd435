// Arguments: the struct that a kernel is given, as text and as bytes, from one list of fields, so
// that both agree; and which bytes of it are another run's. Knows nothing of loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace strider::nd::cuda {

// A field whose value is another in every run: the address of an operand, of memory in between or
// of words for conditions, or the value that a scalar has.
struct ChangingField {
  enum class Kind : std::uint8_t { kInput, kScalar, kOutput, kConditions, kScratch };

  Kind kind = Kind::kInput;
  std::uint8_t size = 0;    // in bytes
  std::uint8_t loop = 0;    // of a pass
  std::uint16_t index = 0;  // of the input or output, or of the request for memory in between
  std::uint32_t at = 0;     // the first byte
};

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

  // Tells that the field which was added last changes.
  void changes(ChangingField::Kind kind, std::size_t index = 0);

  // The struct's definition.
  std::string text() const { return "struct Arguments {\n" + fields_ + "};\n"; }
  std::vector<std::byte> take_bytes();
  std::vector<ChangingField> take_changing() { return std::move(changing_); }

 private:
  bool with_text_;
  std::size_t last_ = 0;  // where the last field begins
  std::vector<ChangingField> changing_;
  std::string fields_;
  std::vector<std::byte> bytes_;
};

}  // namespace strider::nd::cuda
