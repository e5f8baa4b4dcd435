// The prompt: multi-line entries, history in a file, completion; Ctrl-C drops the entry or stops
// the statement.
#include "interpreter/repl/repl.h"

#include <histedit.h>
#include <signal.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "interpreter/session/session.h"

namespace strider {
namespace {

constexpr int kHistorySize = 10000;

std::string history_file() {
  const char* home = std::getenv("HOME");
  return home ? std::string(home) + "/.strider_history" : std::string();
}

// What libedit's callbacks need.
struct Prompt {
  Session& session;
  bool continued = false;
  volatile bool interrupted = false;
};

char* prompt_text(EditLine* editor) {
  Prompt* prompt = nullptr;
  el_get(editor, EL_CLIENTDATA, &prompt);
  static char first[] = ">>> ", next[] = "... ";
  return prompt->continued ? next : first;
}

// The part of `names` that all have in common.
std::string common_prefix(const std::vector<std::string>& names) {
  std::string prefix = names.front();
  for (const std::string& name : names)
    while (name.compare(0, prefix.size(), prefix) != 0) prefix.pop_back();
  return prefix;
}

unsigned char complete_word(EditLine* editor, int) {
  Prompt* prompt = nullptr;
  el_get(editor, EL_CLIENTDATA, &prompt);
  const LineInfo* line = el_line(editor);
  std::string text(line->buffer, line->cursor);
  std::size_t start = text.size();
  while (start > 0 &&
         (std::isalnum(static_cast<unsigned char>(text[start - 1])) || text[start - 1] == '_'))
    --start;
  if (start == text.size() && (start == 0 || text[start - 1] != '.'))
    return el_insertstr(editor, "    ") == 0 ? CC_REFRESH : CC_ERROR;
  std::vector<std::string> names = prompt->session.complete(text);
  if (names.empty()) return CC_ERROR;
  std::string prefix = common_prefix(names);
  std::string typed = text.substr(start);
  if (prefix.size() > typed.size())
    return el_insertstr(editor, prefix.c_str() + typed.size()) == 0 ? CC_REFRESH : CC_ERROR;
  std::putchar('\n');
  for (const std::string& name : names) std::printf("%s  ", name.c_str());
  std::putchar('\n');
  return CC_REDISPLAY;
}

// libedit with its history, closed and saved at the end.
class Editor {
 public:
  explicit Editor(Prompt& prompt)
      : editor_(el_init("strider", stdin, stdout, stderr)), history_(history_init()) {
    history(history_, &event_, H_SETSIZE, kHistorySize);
    history(history_, &event_, H_SETUNIQUE, 1);
    if (!history_file().empty()) history(history_, &event_, H_LOAD, history_file().c_str());
    el_set(editor_, EL_CLIENTDATA, &prompt);
    el_set(editor_, EL_PROMPT, prompt_text);
    el_set(editor_, EL_EDITOR, "emacs");
    el_set(editor_, EL_HIST, history, history_);
    el_set(editor_, EL_SIGNAL, 0);
    el_set(editor_, EL_ADDFN, "complete", "complete the name", complete_word);
    el_set(editor_, EL_BIND, "\t", "complete", nullptr);
    el_set(editor_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    el_source(editor_, nullptr);
  }
  ~Editor() {
    if (!history_file().empty()) history(history_, &event_, H_SAVE, history_file().c_str());
    history_end(history_);
    el_end(editor_);
  }
  Editor(const Editor&) = delete;

  // The next line without its newline; false at the end of input.
  bool read(std::string& line) {
    int length = 0;
    const char* text = el_gets(editor_, &length);
    if (!text || length <= 0) return false;
    line.assign(text, static_cast<std::size_t>(length));
    if (line.ends_with('\n')) line.pop_back();
    return true;
  }
  void remember(const std::string& entry) {
    if (!entry.empty()) history(history_, &event_, H_ENTER, entry.c_str());
  }
  void indent(int columns) {
    std::string blanks(static_cast<std::size_t>(columns), ' ');
    el_push(editor_, blanks.c_str());
  }

 private:
  EditLine* editor_;
  History* history_;
  HistEvent event_;
};

}  // namespace

int run_repl(Session& session, const char* banner) {
  std::printf("%s: NumPy's dialect, without Python. help(x) explains, Ctrl-D leaves.\n", banner);
  Prompt prompt{session};
  Editor editor(prompt);
  std::string entry, line;
  for (;;) {
    prompt.continued = !entry.empty();
    errno = 0;
    if (!editor.read(line)) {
      if (errno == EINTR) {  // Ctrl-C at the prompt drops the entry
        std::printf("\nKeyboardInterrupt\n");
        session.execute("pass");
        entry.clear();
        continue;
      }
      std::putchar('\n');
      return 0;
    }
    entry += entry.empty() ? line : "\n" + line;
    if (entry.find_first_not_of(" \t\n") == entry.npos) {
      entry.clear();
      continue;
    }
    int indent = 0;
    if (session.is_complete(entry, &indent) == Session::Completeness::kIncomplete) {
      if (indent > 0) editor.indent(indent);
      continue;
    }
    editor.remember(entry);
    Outcome outcome = session.execute(entry);
    entry.clear();
    std::fwrite(outcome.traceback.data(), 1, outcome.traceback.size(), stderr);
    if (outcome.status == Outcome::Status::kExit) return outcome.exit_code;
  }
}

}  // namespace strider
