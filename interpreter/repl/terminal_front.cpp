// Output is buffered: by lines in a terminal. Standard error is written at once, behind it.
#include "interpreter/repl/terminal_front.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "interpreter/repl/characters.h"

namespace strider {
namespace {

constexpr std::size_t kBufferSize = 1 << 16;

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // nobody reads it any more
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string plain_text(const MimeBundle& value) {
  const std::string* text = value.find("text/plain");
  return text ? *text : std::string();
}

}  // namespace

TerminalFront::TerminalFront(Input& input, const Terminal& terminal)
    : input_(input), terminal_(terminal), on_terminal_(isatty(STDOUT_FILENO) == 1) {}

TerminalFront::~TerminalFront() { flush(); }

void TerminalFront::begin_entry() {
  place_ = OutputPlace();
  last_id_.clear();
  clears_ = false;
}

void TerminalFront::finish_line() {
  if (on_terminal_ && place_.column() > 0) put("\n");
  flush();
}

void TerminalFront::put(std::string_view text) {
  buffer_ += text;
  if (on_terminal_) place_.advance(text, terminal_.width());
  bool due = on_terminal_ ? text.find('\n') != text.npos : buffer_.size() >= kBufferSize;
  if (due || buffer_.size() >= kBufferSize) flush();
}

void TerminalFront::write(Stream stream, std::string_view text) {
  if (text.empty()) return;
  if (std::exchange(clears_, false)) clear(false);
  last_id_.clear();
  if (stream == Stream::kOutput) return put(text);
  flush();
  write_all(STDERR_FILENO, text);
  if (on_terminal_) place_.advance(text, terminal_.width());
}

void TerminalFront::flush() {
  write_all(STDOUT_FILENO, buffer_);
  buffer_.clear();
}

// The prompt goes on where the program's line stands.
std::optional<std::string> TerminalFront::ask(const std::string& prompt, bool hidden) {
  bool fits = width_of(place_.line()) + width_of(prompt) < terminal_.width();
  if (on_terminal_ && !fits) finish_line();
  bool edited = on_terminal_ && terminal_.can_edit();
  std::string shown = edited ? place_.line() + prompt : prompt;
  flush();
  std::string line;
  Input::Result result = input_.read_line(shown, hidden, line);
  place_.advance("\n", terminal_.width());
  last_id_.clear();
  if (result == Input::Result::kInterrupted && session_) session_->interrupt();
  if (result != Input::Result::kText) return std::nullopt;
  return line;
}

void TerminalFront::print(const MimeBundle& value) {
  if (std::exchange(clears_, false)) clear(false);
  if (place_.column() > 0 && on_terminal_) put("\n");
  put(plain_text(value) + "\n");
}

void TerminalFront::show(const MimeBundle& value, int) {
  last_id_.clear();
  if (std::exchange(clears_, false)) clear(false);
  put(plain_text(value) + "\n");
}

void TerminalFront::display(const MimeBundle& value, const std::string& id) {
  if (std::exchange(clears_, false)) clear(false);
  if (place_.column() > 0 && on_terminal_) put("\n");
  int row = place_.row();
  print(value);
  last_id_ = id;
  last_row_ = row;
}

void TerminalFront::update(const MimeBundle& value, const std::string& id) {
  if (!id.empty() && id == last_id_) erase_from(last_row_);
  display(value, id);
}

bool TerminalFront::erase_from(int row) {
  int rows = place_.row() - row;
  if (!on_terminal_ || !terminal_.can_edit() || !place_.known() || rows >= terminal_.height())
    return false;
  flush();
  std::string up = rows > 0 ? "\x1b[" + std::to_string(rows) + "A" : std::string();
  write_all(STDOUT_FILENO, up + "\r\x1b[J");
  place_ = OutputPlace();
  place_.advance(std::string(static_cast<std::size_t>(row), '\n'), terminal_.width());
  return true;
}

void TerminalFront::clear(bool wait) {
  clears_ = wait;
  if (wait) return;
  erase_from(0);
  last_id_.clear();
}

void TerminalFront::page(const MimeBundle& text) {
  std::string plain = plain_text(text);
  if (!plain.ends_with('\n')) plain += '\n';
  OutputPlace measure;
  measure.advance(plain, terminal_.width());
  bool is_long = on_terminal_ && terminal_.can_edit() && measure.row() >= terminal_.height() - 1;
  if (!is_long || !page_in_program(plain)) write(Stream::kOutput, plain);
}

// $PAGER, less or more. Ctrl-C is theirs meanwhile.
bool TerminalFront::page_in_program(const std::string& text) {
  flush();
  std::FILE* pager = popen("${PAGER:-$(command -v less || command -v more || echo cat)}", "w");
  if (!pager) return false;
  std::fwrite(text.data(), 1, text.size(), pager);
  pclose(pager);
  if (session_) session_->forget_interrupt();
  return true;
}

}  // namespace strider
