// Packed texts as views of their characters, which functions read without making texts of them.
#pragma once

#include <string_view>

#include "interpreter/builtins/numpy/texts/packed_elements.h"

namespace strider::lang {

// Char: char32_t of texts, char of bytes. The only element repeats.
template <class Char>
class Letters {
 public:
  using View = std::basic_string_view<Char>;

  explicit Letters(const text_rows::Rows& rows)
      : first_(reinterpret_cast<const Char*>(rows.bytes)),
        width_(rows.letters()),
        step_(rows.count == 1 ? 0 : width_),
        count_(rows.count) {}
  std::size_t count() const { return count_; }
  std::size_t width() const { return width_; }
  // All characters of all elements, with the zeros behind them.
  View all() const { return {first_, count_ * width_}; }
  // An element without zeros at its end.
  View operator[](std::size_t i) const {
    const Char* row = first_ + i * step_;
    std::size_t size = width_;
    while (size > 0 && row[size - 1] == Char()) --size;
    return {row, size};
  }

 private:
  const Char* first_;
  std::size_t width_, step_, count_;
};

// Calls work with the characters of texts or of bytes.
template <class Work>
auto with_letters(const text_rows::Rows& rows, Work work) {
  return rows.wide ? work(Letters<char32_t>(rows)) : work(Letters<char>(rows));
}

// Whether a character is one of ASCII, or a byte.
inline bool is_plain_letter(char32_t letter) { return letter < 0x80; }
inline bool is_plain_letter(char) { return true; }
template <class Char>
bool are_plain_letters(std::basic_string_view<Char> letters) {
  if constexpr (sizeof(Char) == 1) return true;
  char32_t seen = 0;
  for (Char letter : letters) seen |= static_cast<char32_t>(letter);
  return seen < 0x80;
}

}  // namespace strider::lang
