// Screen: draws an entry below its prompt, with its colours, and perhaps lines below it, where the
// cursor stands; draws it again when it changes. Knows nothing of what entries mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/repl/terminal.h"
#include "interpreter/session/highlight.h"

namespace strider {

// What is to be seen.
struct View {
  std::string_view prompt;       // before the first line
  std::string_view next_prompt;  // before the others
  std::string_view text;
  std::size_t cursor = 0;          // byte of the text
  std::vector<InkSpan> inks;       // none: without colours
  std::vector<std::string> below;  // lines that are cut at the window's width
  std::string_view below_colour;   // the sequence that begins them
};

class Screen {
 public:
  explicit Screen(const Terminal& terminal) : terminal_(terminal) {}

  // The next view begins where the cursor stands.
  void begin() { cursor_row_ = 0; }
  // The next view begins on a line of its own, wherever programs have left the cursor.
  void begin_line();
  void draw(const View& view);
  // Draws the whole text, without lines below, and goes to the line behind it.
  void finish(View view);
  // Takes everything off the window; the next view begins at its top.
  void clear();
  // The window was resized: the terminal has broken the lines anew.
  void resize(const View& view);

 private:
  const Terminal& terminal_;
  int cursor_row_ = 0;  // rows from the first drawn one to the cursor
};

}  // namespace strider
