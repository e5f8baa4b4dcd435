// Collects the texts, or bytes, that a function gives, for an array of them: as objects where they
// are few, else side by side until they are packed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/builtins/numpy/texts/text_operands.h"

namespace strider::lang {

class TextMaker {
 public:
  // kind: the class of the dtype. `loose`: they stay objects, however many they are.
  TextMaker(const Type* kind, std::size_t count, bool loose = false);

  // An element of an operand of the same kind as it is.
  void keep(const Texts& texts, std::size_t i) {
    if (packs_ || texts.packed)
      copy(texts, i);
    else
      items_.push_back(texts[i]);
  }
  // `length`: in characters; counted where it is left out.
  void add(std::string_view text, std::int64_t length);
  void add(std::string_view text);
  // A text of so many bytes and characters, which `write` puts in place.
  template <class Write>
  void write(std::size_t size, std::int64_t length, Write write);

  // The array, with room for the longest, or of a dtype. Empty where a text ends with zeros.
  Value array(const nd::Dims& shape);
  Value array(const nd::Dims& shape, const Value& dtype);
  // The length of the longest so far.
  std::int64_t longest() const { return packs_ ? longest_ : longest_of(items_); }

 private:
  void copy(const Texts& texts, std::size_t i);
  char* begin(std::size_t size, std::int64_t length);
  Values objects() const;  // those that lie side by side
  bool texts_, loose_, packs_, plain_ = true;
  std::int64_t longest_ = 0;
  Values items_;
  std::string letters_;
  std::vector<std::size_t> ends_;
};

template <class Write>
void TextMaker::write(std::size_t size, std::int64_t length, Write write) {
  char* place;
  if (packs_) {
    place = begin(size, length);
    write(place);
  } else if (texts_) {
    StrMaker maker(size, length);
    place = maker.place();
    write(place);
    items_.push_back(Value(maker.take()));
  } else {
    std::string made(size, '\0');
    place = made.data();
    write(place);
    if (size && place[size - 1] == '\0') plain_ = false;
    items_.push_back(make<Bytes>(std::move(made)));
    return;
  }
  if (size && place[size - 1] == '\0') plain_ = false;
}

}  // namespace strider::lang
