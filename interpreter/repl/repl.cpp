// The prompt: reads entries of one or more lines and runs them; Ctrl-C drops the entry or stops
// the statement.
#include "interpreter/repl/repl.h"

#include <langinfo.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "interpreter/repl/line_editor.h"
#include "interpreter/session/session.h"

namespace strider {
namespace {

std::string history_file() {
  const char* home = std::getenv("HOME");
  return home ? std::string(home) + "/.strider_history" : std::string();
}

// The terminal's characters are UTF-8, also where no locale is set.
void choose_locale() {
  std::setlocale(LC_CTYPE, "");
  if (std::strcmp(nl_langinfo(CODESET), "UTF-8") != 0) std::setlocale(LC_CTYPE, "C.UTF-8");
}

enum class Entry { kWhole, kEnd, kInterrupted };

// Reads lines until they make a whole entry (a broken one is whole: running it tells why).
Entry read_entry(Session& session, LineEditor& editor, std::string& entry) {
  entry.clear();
  std::string line;
  int indent = 0;
  for (;;) {
    switch (editor.read(line, !entry.empty(), indent)) {
      case LineEditor::Result::kEnd:
        return Entry::kEnd;
      case LineEditor::Result::kInterrupted:
        return Entry::kInterrupted;
      case LineEditor::Result::kLine:
        break;
    }
    entry += entry.empty() ? line : "\n" + line;
    if (entry.find_first_not_of(" \t\n") == entry.npos) {
      entry.clear();
      continue;
    }
    if (session.is_complete(entry, &indent) != Session::Completeness::kIncomplete)
      return Entry::kWhole;
  }
}

}  // namespace

int run_repl(Session& session, const char* banner) {
  choose_locale();
  std::printf("%s: NumPy's dialect, without Python. help(x) explains, Ctrl-D leaves.\n", banner);
  LineEditor editor(session, history_file());
  std::string entry;
  for (;;) {
    Entry kind = read_entry(session, editor, entry);
    if (kind == Entry::kEnd) return 0;
    if (kind == Entry::kInterrupted) {
      session.forget_interrupt();
      std::fputs("KeyboardInterrupt\n", stderr);
      continue;
    }
    editor.remember(entry.substr(0, entry.find_last_not_of(" \t\n") + 1));
    Outcome outcome = session.execute(entry);
    std::fwrite(outcome.traceback.data(), 1, outcome.traceback.size(), stderr);
    if (outcome.status == Outcome::Status::kExit) return outcome.exit_code;
  }
}

}  // namespace strider
