// Prompts are printed, lines are read: nothing is edited here.
#include <unistd.h>

#include <cstdio>

#include "interpreter/repl/input.h"
#include "interpreter/repl/terminal.h"
#include "interpreter/session/session.h"

namespace strider {

Input::Result PlainInput::read_line(const std::string& prompt, bool hidden, std::string& line) {
  std::fwrite(prompt.data(), 1, prompt.size(), stdout);
  std::fflush(stdout);
  bool interrupted = false;
  if (read_plain_line(line, hidden, interrupted)) return Result::kText;
  if (isatty(STDIN_FILENO) == 1) std::fputc('\n', stdout);
  std::fflush(stdout);
  return interrupted ? Result::kInterrupted : Result::kEnd;
}

Input::Result PlainInput::read_entry(Session& session, std::string& entry) {
  entry.clear();
  std::string line;
  for (;;) {
    Result result = read_line(entry.empty() ? ">>> " : "... ", false, line);
    if (result == Result::kEnd && !entry.empty()) return Result::kText;
    if (result != Result::kText) return result;
    entry += entry.empty() ? line : "\n" + line;
    bool blank = entry.find_first_not_of(" \t\n") == entry.npos;
    if (blank || session.is_complete(entry) != Session::Completeness::kIncomplete)
      return Result::kText;
  }
}

}  // namespace strider
