// TerminalFront: the prompt as programs see it: texts are printed, what is displayed with an id is
// replaced where it stands while nothing was printed below it, long documentation goes to a pager.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/repl/input.h"
#include "interpreter/repl/output_place.h"
#include "interpreter/repl/terminal.h"
#include "interpreter/session/session.h"

namespace strider {

class TerminalFront : public Front {
 public:
  TerminalFront(Input& input, const Terminal& terminal);
  ~TerminalFront() override;
  TerminalFront(const TerminalFront&) = delete;
  // Whom an interrupt while a program asks for a line is told.
  void set_session(Session& session) { session_ = &session; }

  // What is shown from here on belongs to the next entry.
  void begin_entry();
  // Goes to the beginning of a line.
  void finish_line();

  bool owns_streams() const override { return true; }
  void write(Stream stream, std::string_view text) override;
  void flush() override;
  std::optional<std::string> ask(const std::string& prompt, bool hidden) override;
  void show(const MimeBundle& value, int number) override;
  void display(const MimeBundle& value, const std::string& id) override;
  void update(const MimeBundle& value, const std::string& id) override;
  void clear(bool wait) override;
  void page(const MimeBundle& text) override;
  bool shows(std::string_view type) const override { return type == "text/plain"; }

 private:
  void put(std::string_view text);
  void print(const MimeBundle& value);
  // Takes away the rows below the one given; false where that cannot be done.
  bool erase_from(int row);
  bool page_in_program(const std::string& text);

  Input& input_;
  const Terminal& terminal_;
  Session* session_ = nullptr;
  bool on_terminal_;
  std::string buffer_;
  OutputPlace place_;
  std::string last_id_;  // of what was displayed last, if nothing was printed since
  int last_row_ = 0;     // where it begins
  bool clears_ = false;  // what was shown goes when the next thing comes
};

}  // namespace strider
