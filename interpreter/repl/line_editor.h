// LineEditor: one prompt line at a time, with history, completion and pasting, on libedit. Knows
// nothing of the language beyond what a Session tells.
#pragma once

#include <histedit.h>

#include <string>
#include <vector>

namespace strider {

class Session;

class LineEditor {
 public:
  // `history_file` may be empty: then nothing is kept.
  LineEditor(Session& session, std::string history_file);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;

  enum class Result { kLine, kEnd, kInterrupted };
  // Reads a line, or several pasted ones, without the last newline. A line that continues an entry
  // starts with `indent` blanks, unless more input waits already (a paste brings its own).
  Result read(std::string& line, bool continued, int indent);
  // Adds an entry to the history, and to its file at once.
  void remember(const std::string& entry);

 private:
  static char* prompt(EditLine* editor);
  static unsigned char complete(EditLine* editor, int);
  static unsigned char paste(EditLine* editor, int);
  void load_history();
  void show_names(const std::vector<std::string>& names) const;

  Session& session_;
  std::string history_file_;
  bool continued_ = false;
  bool marks_pastes_ = false;  // the terminal was asked to bracket what is pasted
  EditLine* editor_;
  History* history_;
};

}  // namespace strider
