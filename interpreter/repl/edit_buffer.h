// EditBuffer: a text of one or more lines with a cursor, and what editing keys do to it. Knows no
// keys and no screen.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace strider {

class EditBuffer {
 public:
  const std::string& text() const { return state_.text; }
  std::size_t cursor() const { return state_.cursor; }
  bool at_end() const { return cursor() == text().size(); }
  std::string_view before_cursor() const { return std::string_view(text()).substr(0, cursor()); }
  // The text of the cursor's line up to the cursor.
  std::string_view line_before_cursor() const;

  // A new text with the cursor at its end; what came before can no longer be brought back.
  void reset(std::string text = {});
  // Replaces the text as an edit.
  void replace(std::string text, std::size_t cursor);
  void insert(std::string_view piece);
  // One typed character: neighbours are taken back together.
  void type(std::string_view character);
  // Replaces what stands from `begin` to the cursor.
  void replace_before_cursor(std::size_t begin, std::string_view piece);

  void move_left();
  void move_right();
  void move_word_left();
  void move_word_right();
  void move_line_begin();
  void move_line_end();
  void move_begin() { state_.cursor = 0; }
  void move_end() { state_.cursor = text().size(); }
  // False where there is no line above or below.
  bool move_up();
  bool move_down();

  // Deletes the character before the cursor; of an indent so many blanks that a stop is reached.
  void erase_left();
  void erase_right();
  // What these take away, yank() puts in.
  void kill_to_line_end();
  void kill_to_line_begin();
  void kill_word_left();
  void kill_word_right();
  void yank() { insert(killed_); }
  void transpose();
  void undo();

 private:
  struct State {
    std::string text;
    std::size_t cursor = 0;
  };
  std::size_t line_begin(std::size_t at) const;
  std::size_t line_end(std::size_t at) const;
  std::size_t word_left() const;
  std::size_t word_right() const;
  void keep();
  void erase(std::size_t begin, std::size_t end);
  void kill(std::size_t begin, std::size_t end);
  void go_to_column(std::size_t line, std::size_t column);

  State state_;
  std::vector<State> earlier_;
  bool typing_ = false;  // the latest edit was a typed character
  std::string killed_;
};

}  // namespace strider
