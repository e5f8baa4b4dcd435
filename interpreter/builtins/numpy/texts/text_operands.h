// Operands of functions of texts: the elements of an array of texts or bytes, of a list of them, or
// one text; numbers beside them. Knows no function.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "interpreter/builtins/numpy/shortcut.h"
#include "interpreter/builtins/numpy/texts/packed_elements.h"

namespace strider::lang {

// Texts, or bytes: one for all elements of other operands, or one for each.
struct Texts {
  Texts() = default;
  Texts(const Texts&) = delete;
  std::size_t size() const { return packed ? packed->all().size() : items.size(); }
  // Whether it goes with operands of any shape.
  bool repeats() const { return size() == 1 && shape.size() == 0; }
  bool are_texts() const { return kind == boxed().text_dtype; }

  // Of an element, the only one where it repeats. view() is false where it is not kept as usual.
  bool view(std::size_t i, std::string_view& text) const {
    if (!packed) return boxed_parts::view_text(items[place(i)], text);
    text = packed->all()[place(i)];
    return true;
  }
  // In characters.
  std::int64_t length(std::size_t i) const {
    if (packed) return packed_length(place(i));
    const Value& item = items[place(i)];
    return is_str(item) ? item.as<Str>()->size()
                        : static_cast<std::int64_t>(item.as<Bytes>()->bytes().size());
  }
  // Whether each byte is a character.
  bool is_ascii(std::size_t i) const {
    if (packed) return is_packed_ascii(place(i));
    const Value& item = items[place(i)];
    return !is_str(item) || item.as<Str>()->is_ascii();
  }
  const Value& operator[](std::size_t i) const { return items[place(i)]; }  // once unpacked
  // The elements as objects, which they are from now on.
  std::span<const Value> unpack();

  Value dtype;           // of an array; Empty of others
  Type* kind = nullptr;  // the class of dtypes: of texts or of bytes
  bool loose = false;    // whether elements stay objects, and those made of them, too
  bool any_length = false;  // of an array of texts of any length
  Values kept;
  Value one;
  std::span<const Value> items;       // where they are objects
  std::unique_ptr<TextViews> packed;  // where they are packed
  nd::Dims shape;

 private:
  std::size_t place(std::size_t i) const { return size() == 1 ? 0 : i; }
  std::int64_t packed_length(std::size_t place) const;
  bool is_packed_ascii(std::size_t place) const;
};

// False for all but arrays of numpy's own class, lists of plain texts, and single texts; texts and
// bytes are plain that do not end with zeros.
bool read_texts(const Value& value, Texts& made);
// The same, and true of arrays of texts of any length, of which none can be missing.
bool read_all_texts(const Value& value, Texts& made);
bool is_strings(const Value& array);
bool is_strings_dtype(const Value& dtype);
// Whether such an array keeps an item as it is.
bool fits_strings(const Value& item);
// tell_strings(cls, unset): the class of their dtypes, and what stands there where none is missing.
Value tell_strings(const Parameters& p);
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
// The length of the longest of texts, or bytes, none of which ends with a zero; -1 otherwise.
std::int64_t longest_of(std::span<const Value> items);
// Whether there are only positional arguments, and no more than that many.
inline bool takes_plainly(const Arguments& arguments, std::size_t least, std::size_t most) {
  return arguments.keyword_count == 0 && arguments.count >= least && arguments.count <= most &&
         boxed().array && knows_boxed_classes();
}

}  // namespace strider::lang
