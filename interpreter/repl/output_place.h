// OutputPlace: where the cursor is after what was printed, counted in rows. Knows no terminal.
#pragma once

#include <string>
#include <string_view>

namespace strider {

class OutputPlace {
 public:
  // Counts from the cursor's row.
  void begin() {
    row_ = 0;
    known_ = true;
  }
  void advance(std::string_view text, int width);

  int row() const { return row_; }
  int column() const { return column_; }
  // What stands on the cursor's line before it.
  const std::string& line() const { return line_; }
  // False once the text has moved the cursor by sequences of its own.
  bool known() const { return known_; }

 private:
  std::size_t advance_sequence(std::string_view text, std::size_t at);
  void advance_control(char control, int width);

  int row_ = 0, column_ = 0;
  bool known_ = true;
  std::string line_;
};

}  // namespace strider
