// libedit behind a small class; its history is appended to a file entry by entry, so that a lost
// terminal or a second session loses nothing.
#include "interpreter/repl/line_editor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "interpreter/session/session.h"

namespace strider {
namespace {

constexpr int kHistorySize = 10000;
constexpr int kIndentWidth = 4;
constexpr std::size_t kMostNamesShown = 200;
constexpr std::wstring_view kPasteEnd = L"\x1b[201~";

LineEditor& owner(EditLine* editor) {
  void* data = nullptr;
  el_get(editor, EL_CLIENTDATA, &data);
  return *static_cast<LineEditor*>(data);
}

// The part of `names` that all have in common.
std::string common_prefix(const std::vector<std::string>& names) {
  std::string prefix = names.front();
  for (const std::string& name : names)
    while (name.compare(0, prefix.size(), prefix) != 0) prefix.pop_back();
  return prefix;
}

std::size_t terminal_width() {
  winsize size = {};
  bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

bool input_waits() {
  pollfd input = {STDIN_FILENO, POLLIN, 0};
  return poll(&input, 1, 0) > 0;
}

bool terminal_marks_pastes() {
  const char* name = std::getenv("TERM");
  return name && *name && std::strcmp(name, "dumb") != 0 && isatty(STDOUT_FILENO);
}

}  // namespace

LineEditor::LineEditor(Session& session, std::string history_file)
    : session_(session),
      history_file_(std::move(history_file)),
      marks_pastes_(terminal_marks_pastes()),
      editor_(el_init("strider", stdin, stdout, stderr)),
      history_(history_init()) {
  load_history();
  el_set(editor_, EL_CLIENTDATA, this);
  el_set(editor_, EL_PROMPT, prompt);
  el_set(editor_, EL_EDITOR, "emacs");
  el_set(editor_, EL_HIST, history, history_);
  el_set(editor_, EL_SIGNAL, 1);
  // The narrow el_set would copy these texts and never free them.
  el_wset(editor_, EL_ADDFN, L"complete", L"complete the name", complete);
  el_wset(editor_, EL_ADDFN, L"paste", L"take what the terminal pastes", paste);
  el_set(editor_, EL_BIND, "\t", "complete", nullptr);
  el_set(editor_, EL_BIND, "\x1b[200~", "paste", nullptr);
  el_set(editor_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  el_source(editor_, nullptr);
}

LineEditor::~LineEditor() {
  history_end(history_);
  el_end(editor_);
}

void LineEditor::load_history() {
  HistEvent event;
  history(history_, &event, H_SETSIZE, kHistorySize);
  history(history_, &event, H_SETUNIQUE, 1);
  if (history_file_.empty()) return;
  // What no longer counts is dropped from the file once it is more than what does.
  int read = history(history_, &event, H_LOAD, history_file_.c_str());
  if (read > 2 * kHistorySize) history(history_, &event, H_SAVE, history_file_.c_str());
}

void LineEditor::remember(const std::string& entry) {
  HistEvent event;
  history(history_, &event, H_ENTER, entry.c_str());
  if (history_file_.empty()) return;
  int descriptor = open(history_file_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  std::FILE* file = descriptor < 0 ? nullptr : fdopen(descriptor, "w");
  if (!file) return;
  std::fseek(file, 0, SEEK_END);
  history(history_, &event, H_NSAVE_FP, std::size_t{1}, file);
  std::fclose(file);
}

char* LineEditor::prompt(EditLine* editor) {
  static char first[] = ">>> ", next[] = "... ";
  return owner(editor).continued_ ? next : first;
}

LineEditor::Result LineEditor::read(std::string& line, bool continued, int indent) {
  continued_ = continued;
  if (indent > 0 && !input_waits())
    el_push(editor_, std::string(static_cast<std::size_t>(indent), ' ').c_str());
  if (marks_pastes_) std::fputs("\x1b[?2004h", stdout);
  std::fflush(stdout);
  el_set(editor_, EL_PREP_TERM, 1);  // before the prompt, so that the terminal echoes nothing
  errno = 0;
  int length = 0;
  const char* text = el_gets(editor_, &length);
  Result result = text && length > 0 ? Result::kLine
                  : errno == EINTR   ? Result::kInterrupted
                                     : Result::kEnd;
  if (marks_pastes_) std::fputs("\x1b[?2004l", stdout);
  if (result != Result::kLine) std::fputc('\n', stdout);
  std::fflush(stdout);
  if (result != Result::kLine) return result;
  line.assign(text, static_cast<std::size_t>(length));
  if (line.ends_with('\n')) line.pop_back();
  return result;
}

// All names in columns, below the line.
void LineEditor::show_names(const std::vector<std::string>& names) const {
  std::size_t shown = std::min(names.size(), kMostNamesShown), longest = 0;
  for (std::size_t i = 0; i < shown; ++i) longest = std::max(longest, names[i].size());
  std::size_t columns = std::max<std::size_t>(1, terminal_width() / (longest + 2));
  std::size_t rows = (shown + columns - 1) / columns;
  for (std::size_t row = 0; row < rows; ++row) {
    std::fputc('\n', stdout);
    for (std::size_t i = row; i < shown; i += rows)
      std::fprintf(stdout, "%-*s", static_cast<int>(longest + 2), names[i].c_str());
  }
  if (shown < names.size()) std::fprintf(stdout, "\n(%zu more)", names.size() - shown);
  std::fputc('\n', stdout);
}

unsigned char LineEditor::complete(EditLine* editor, int) {
  LineEditor& self = owner(editor);
  const LineInfo* line = el_line(editor);
  std::string text(line->buffer, line->cursor);
  if (text.find_first_not_of(' ', text.rfind('\n') + 1) == text.npos)
    return el_insertstr(editor, std::string(kIndentWidth, ' ').c_str()) == 0 ? CC_REFRESH
                                                                             : CC_ERROR;
  Completions found = self.session_.complete(text, text.size());
  if (found.items.empty()) return CC_ERROR;
  std::vector<std::string> names;
  for (Completions::Item& item : found.items) names.push_back(std::move(item.text));
  std::string prefix = common_prefix(names);
  std::size_t typed = text.size() - found.start;
  if (prefix.size() > typed)
    return el_insertstr(editor, prefix.c_str() + typed) == 0 ? CC_REFRESH : CC_ERROR;
  if (names.size() == 1) return CC_NORM;
  self.show_names(names);
  return CC_REDISPLAY;
}

// Everything up to the mark of the end goes into the line as it is, newlines too.
unsigned char LineEditor::paste(EditLine* editor, int) {
  std::wstring text;
  wchar_t character;
  while (!text.ends_with(kPasteEnd)) {
    if (el_wgetc(editor, &character) != 1) return CC_EOF;
    text += character == L'\r' ? L'\n' : character;
  }
  text.resize(text.size() - kPasteEnd.size());
  return el_winsertstr(editor, text.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
}

}  // namespace strider
