// Operands of functions of texts: the elements of an array of texts or bytes, of a list of them, or
// one text; numbers beside them. Knows no function.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "interpreter/builtins/numpy/elements/boxed_parts.h"
#include "interpreter/builtins/numpy/shortcut.h"

namespace strider::lang {

// Texts, or bytes: one for all elements of other operands, or one for each.
struct Texts {
  Texts() = default;
  Texts(const Texts&) = delete;
  const Value& operator[](std::size_t i) const { return items[items.size() == 1 ? 0 : i]; }
  // Whether it goes with operands of any shape.
  bool repeats() const { return items.size() == 1 && shape.size() == 0; }

  Value dtype;           // of an array; Empty of others
  Type* kind = nullptr;  // the class of dtypes: of texts or of bytes
  Values kept;
  Value one;
  std::span<const Value> items;
  nd::Dims shape;
};

// False for all but arrays of numpy's own class, lists of plain texts, and single texts; texts and
// bytes are plain that do not end with zeros.
bool read_texts(const Value& value, Texts& made);
// How many characters elements have room for.
std::int64_t letters_of(const Texts& texts);
// The dtype of an array, or the one with room for the longest text.
Value dtype_of_texts(const Texts& texts);

// Whole numbers, one for all elements or one for each.
struct Integers {
  std::int64_t operator[](std::size_t i) const { return numbers ? numbers[i] : one; }
  bool repeats() const { return !numbers; }

  std::int64_t one = 0;
  nd::Array array;
  const std::int64_t* numbers = nullptr;
  nd::Dims shape;
};
// False for all but integers and native arrays of them.
bool read_integers(const Value& value, Integers& made);

// Whether operands have the shape of the first one, or repeat.
template <class Operand>
bool goes_with(const Texts& first, const Operand& other) {
  return other.repeats() || other.shape == first.shape;
}

// The number of code points, or of bytes.
inline std::int64_t length_of_text(const Value& item) {
  return is_str(item) ? item.as<Str>()->size()
                      : static_cast<std::int64_t>(item.as<Bytes>()->bytes().size());
}
// Whether each byte is a character.
inline bool is_ascii_item(const Value& item) { return !is_str(item) || item.as<Str>()->is_ascii(); }
// The length of the longest of texts, or bytes, none of which ends with a zero; -1 otherwise.
std::int64_t longest_of(std::span<const Value> items);
// An array of these texts, or bytes, with room for the longest.
Value array_of_texts(Values&& items, const Texts& model);
// Whether there are only positional arguments, and no more than that many.
inline bool takes_plainly(const Arguments& arguments, std::size_t least, std::size_t most) {
  return arguments.keyword_count == 0 && arguments.count >= least && arguments.count <= most &&
         boxed().array && knows_boxed_classes();
}

}  // namespace strider::lang
