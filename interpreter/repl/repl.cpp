// The prompt: reads entries of one or more lines and runs them; Ctrl-C drops the entry or stops
// the statement.
#include "interpreter/repl/repl.h"

#include <langinfo.h>
#include <unistd.h>

#include <clocale>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

#include "interpreter/repl/line_editor.h"
#include "interpreter/repl/terminal_front.h"
#include "interpreter/session/environment.h"
#include "interpreter/session/highlight.h"

namespace strider {
namespace {

// The terminal's characters are UTF-8, also where no locale is set.
void choose_locale() {
  std::setlocale(LC_CTYPE, "");
  if (std::strcmp(nl_langinfo(CODESET), "UTF-8") != 0) std::setlocale(LC_CTYPE, "C.UTF-8");
}

std::unique_ptr<Input> make_input(Terminal& terminal) {
  if (terminal.can_edit())
    return std::make_unique<LineEditor>(terminal, wants_colour(STDOUT_FILENO));
  return std::make_unique<PlainInput>();
}

SessionOptions with_front(SessionOptions options, Front& front) {
  options.front = &front;
  options.history_file = history_file();
  return options;
}

}  // namespace

struct Repl::Parts {
  Terminal terminal;
  std::unique_ptr<Input> input = make_input(terminal);
  TerminalFront front{*input, terminal};
  bool colours = wants_colour(STDERR_FILENO);
  Session session;

  explicit Parts(SessionOptions options) : session(with_front(std::move(options), front)) {
    front.set_session(session);
  }

  void tell(const std::string& traceback) {
    if (traceback.empty()) return;
    front.finish_line();
    front.write(Front::Stream::kError, colours ? colour_traceback(traceback) : traceback);
  }

  // The status with which the program leaves, if it does.
  std::optional<int> settle(const Outcome& outcome) {
    tell(outcome.traceback);
    if (outcome.status == Outcome::Status::kExit) return outcome.exit_code;
    return std::nullopt;
  }

  // The user's start-up file: its names stay, but not its place.
  std::optional<int> start_up() {
    std::string file = startup_file();
    if (file.empty()) return std::nullopt;
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    std::optional<int> status = settle(session.run(file, text.str()));
    EntryOptions unseen;
    unseen.silent = true;
    session.execute("globals().pop('__file__', None)", unseen);
    return status;
  }

  // `exit` and `quit` alone leave, too, unless they are the program's own.
  bool leaves(const std::string& entry) {
    std::string word = entry.substr(0, entry.find_last_not_of(" \t\n;") + 1);
    if (word != "exit" && word != "quit") return false;
    Evaluation own = session.evaluate(word + " is __import__('builtins')." + word);
    const std::string* text = own.value.find("text/plain");
    return text && *text == "True";
  }
};

Repl::Repl(SessionOptions options) {
  choose_locale();
  parts_ = std::make_unique<Parts>(std::move(options));
}

Repl::~Repl() = default;

Session& Repl::session() { return parts_->session; }

void Repl::run_program(std::string file_name, std::string text) {
  parts_->settle(parts_->session.run(std::move(file_name), std::move(text)));
}

int Repl::run(const std::string& banner, bool starts_up) {
  Parts& parts = *parts_;
  parts.front.write(Front::Stream::kOutput, banner);
  if (starts_up)
    if (std::optional<int> status = parts.start_up()) return *status;
  std::string entry;
  for (;;) {
    parts.front.finish_line();
    Input::Result result = parts.input->read_entry(parts.session, entry);
    if (result == Input::Result::kEnd) return 0;
    parts.front.begin_entry();
    if (result == Input::Result::kInterrupted) {
      parts.session.forget_interrupt();
      parts.front.write(Front::Stream::kError, "KeyboardInterrupt\n");
      continue;
    }
    if (entry.find_first_not_of(" \t\n") == entry.npos) continue;
    if (parts.leaves(entry)) return 0;
    if (std::optional<int> status = parts.settle(parts.session.execute(entry))) return *status;
  }
}

}  // namespace strider
