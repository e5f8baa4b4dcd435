// LineEditor: what keys do while an entry, or a line for a program, is typed in a terminal. Knows
// of the language only what a Session tells.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpreter/repl/choices.h"
#include "interpreter/repl/edit_buffer.h"
#include "interpreter/repl/input.h"
#include "interpreter/repl/recall.h"
#include "interpreter/repl/screen.h"
#include "interpreter/repl/terminal.h"

namespace strider {

class LineEditor : public Input {
 public:
  LineEditor(Terminal& terminal, bool colours)
      : terminal_(terminal), screen_(terminal), colours_(colours) {}

  Result read_entry(Session& session, std::string& entry) override;
  Result read_line(const std::string& prompt, bool hidden, std::string& line) override;

 private:
  enum class Step { kGoOn, kDone, kEnd, kInterrupted };
  struct Search {
    std::string part;
    std::string before;  // the entry when the search began
    bool failed = false;
  };

  Result edit(std::string prompt);
  View view() const;
  void draw() { screen_.draw(view()); }

  Step take(const Key& key);
  Step take_character(const Key& key);
  Step take_control(char letter);
  void take_meta(const Key& key);
  void move(const Key& key);
  Step take_enter(const Key& key);
  Step take_end();
  Step take_interrupt();
  bool is_whole() const;
  void add_line();
  void paste(std::string text);

  void go_up();
  void go_down();
  void show_recalled(std::string text);
  void begin_recall(std::string draft);
  void begin_search();
  // False where the key ends the search and does what it does otherwise.
  bool search(const Key& key, Step& step);
  void look_for(std::optional<std::string> found);

  void complete();
  void explain();

  Terminal& terminal_;
  Screen screen_;
  bool colours_;
  Session* session_ = nullptr;  // while an entry is read
  bool hidden_ = false;
  std::string prompt_;
  EditBuffer buffer_;
  Recall recall_;
  std::string recalled_;  // the entry that was recalled last
  std::optional<Search> search_;
  Choices choices_;
  bool choosing_ = false;  // the latest key was Tab
  std::vector<std::string> below_;
};

}  // namespace strider
