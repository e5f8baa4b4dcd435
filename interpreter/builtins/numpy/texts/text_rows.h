// Loops over packed texts: elements of one width that lie one after the other, filled up with
// zeros, of characters of four bytes or of one. Knows no values of the language.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace strider::lang::text_rows {

// So many elements of `width` bytes each. Characters of four bytes need not be aligned.
struct Rows {
  const std::byte* bytes = nullptr;
  std::size_t width = 0;
  std::size_t count = 0;
  bool wide = false;  // of characters of four bytes

  const std::byte* row(std::size_t i) const { return bytes + i * width; }
  std::size_t letters() const { return wide ? width / 4 : width; }
};

// The elements at places, one after the other; false where there is no such place.
bool gather(const Rows& from, const std::int64_t* places, std::size_t count, std::byte* to);
// Puts elements, or the only one, at places; false, before anything changes, where there is no
// such place. What is too wide is cut.
bool scatter(const Rows& from, const std::int64_t* places, std::size_t count, std::byte* to,
             std::size_t to_width, std::size_t to_count);
// Copies elements into others of another width, which are cut or filled up.
void change_width(const Rows& from, std::byte* to, std::size_t width);
// The elements of one where it holds, else of the other; one element repeats. All of one width.
void choose(const bool* holds, std::size_t count, const Rows& first, const Rows& second,
            std::byte* to);
// Fills memory with copies of one element.
void repeat(const std::byte* row, std::size_t width, std::size_t count, std::byte* to);

// Which elements are alike; one of the operands may have only one, which repeats.
void equal(const Rows& first, const Rows& second, bool* results);
// Negative, zero or positive for each pair, as characters are ordered.
int order(const std::byte* a, std::size_t a_width, const std::byte* b, std::size_t b_width,
          bool wide);

// Joins pairs into elements that have the width of both; one of the operands may have only one,
// which repeats.
void add(const Rows& first, const Rows& second, std::byte* to);

// The number of characters without zeros at the end.
std::size_t length(const std::byte* row, std::size_t width, bool wide);
void lengths(const Rows& rows, std::int64_t* results);
// Writes a text of UTF-8, or bytes, into an element, which is cut or filled up.
void write(std::string_view text, bool wide, std::byte* row, std::size_t width);
// Characters of four bytes as such of one; false where one is beyond ASCII.
bool narrow(const std::byte* row, std::size_t letters, char* place);
// Appends a text of characters of four bytes as UTF-8; false where one is no character.
bool append(const std::byte* row, std::size_t letters, std::string& text);

// The elements as texts of UTF-8, or as bytes, without zeros at the end. Texts of ASCII lie side by
// side; bytes are those of the rows, which have to stay.
class Views {
 public:
  // Ends early, and is not complete, where something is no character.
  explicit Views(const Rows& rows);
  Views(const Views&) = delete;
  bool complete() const { return complete_; }
  bool is_ascii() const { return blocks_.empty(); }  // of texts
  const std::vector<std::string_view>& all() const { return views_; }

 private:
  void read_wide(const Rows& rows);
  // Keeps a text beyond ASCII; false where a character is none.
  bool keep(const std::byte* row, std::size_t width);
  bool complete_ = true;
  std::vector<std::string_view> views_;
  std::unique_ptr<char[]> letters_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t left_ = 0;  // of the last block
  char* free_ = nullptr;
};

// Elements of characters of four bytes as such of one, and the other way; false where one is beyond
// ASCII. All get `width` bytes.
bool narrow(const Rows& from, std::byte* to, std::size_t width);
bool widen(const Rows& from, std::byte* to, std::size_t width);

}  // namespace strider::lang::text_rows
