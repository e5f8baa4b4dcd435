// The loop over keys, and the keys that edit.
#include "interpreter/repl/line_editor.h"

#include <utility>

#include "interpreter/repl/pasted.h"

namespace strider {

Input::Result LineEditor::read_entry(Session& session, std::string& entry) {
  session_ = &session;
  hidden_ = false;
  Result result = edit(">>> ");
  session_ = nullptr;
  entry = buffer_.text();
  return result;
}

// Lines of the prompt but the last are printed.
Input::Result LineEditor::read_line(const std::string& prompt, bool hidden, std::string& line) {
  hidden_ = hidden;
  std::size_t last = prompt.rfind('\n') + 1;
  terminal_.write(prompt.substr(0, last));
  Result result = edit(prompt.substr(last));
  line = buffer_.text();
  return result;
}

Input::Result LineEditor::edit(std::string prompt) {
  Terminal::KeyMode mode(terminal_);
  prompt_ = std::move(prompt);
  buffer_.reset();
  recall_.end();
  search_.reset();
  below_.clear();
  session_ ? screen_.begin_line() : screen_.begin();
  Step step = Step::kGoOn;
  while (step == Step::kGoOn) {
    if (!terminal_.input_waits()) draw();
    step = take(terminal_.read_key());
  }
  below_.clear();
  search_.reset();
  screen_.finish(view());
  return step == Step::kDone  ? Result::kText
         : step == Step::kEnd ? Result::kEnd
                              : Result::kInterrupted;
}

View LineEditor::view() const {
  View view;
  view.prompt = prompt_;
  view.next_prompt = session_ ? std::string_view("... ") : std::string_view();
  if (!hidden_) view.text = buffer_.text();
  view.cursor = hidden_ ? 0 : buffer_.cursor();
  if (session_ && colours_) view.inks = ink_spans(buffer_.text());
  view.below = below_;
  if (search_) view.below = {(search_->failed ? "not found: " : "search: ") + search_->part + "_"};
  return view;
}

LineEditor::Step LineEditor::take(const Key& key) {
  Step step = Step::kGoOn;
  if (key.kind == Key::Kind::kResize) {
    screen_.resize(view());
    return step;
  }
  if (search_ && search(key, step)) return step;
  bool chose = std::exchange(choosing_, false);
  if (key.kind == Key::Kind::kTab && session_) {
    choosing_ = chose;
    complete();
    return step;
  }
  below_.clear();
  switch (key.kind) {
    case Key::Kind::kCharacter:
      return take_character(key);
    case Key::Kind::kEnter:
      return take_enter(key);
    case Key::Kind::kTab:
      buffer_.insert("\t");
      return step;
    case Key::Kind::kBackTab:
      explain();
      return step;
    case Key::Kind::kPaste:
      paste(key.text);
      return step;
    case Key::Kind::kInterrupt:
      return take_interrupt();
    case Key::Kind::kEndOfInput:
      return Step::kEnd;
    default:
      move(key);
      return step;
  }
}

void LineEditor::move(const Key& key) {
  bool words = key.meta || key.control;
  switch (key.kind) {
    case Key::Kind::kLeft:
      return words ? buffer_.move_word_left() : buffer_.move_left();
    case Key::Kind::kRight:
      return words ? buffer_.move_word_right() : buffer_.move_right();
    case Key::Kind::kHome:
      return words ? buffer_.move_begin() : buffer_.move_line_begin();
    case Key::Kind::kEnd:
      return words ? buffer_.move_end() : buffer_.move_line_end();
    case Key::Kind::kUp:
      return go_up();
    case Key::Kind::kDown:
      return go_down();
    case Key::Kind::kBackspace:
      return words ? buffer_.kill_word_left() : buffer_.erase_left();
    case Key::Kind::kDelete:
      return words ? buffer_.kill_word_right() : buffer_.erase_right();
    default:
      return;
  }
}

LineEditor::Step LineEditor::take_character(const Key& key) {
  if (key.control) return take_control(key.text.front());
  if (key.meta)
    take_meta(key);
  else
    buffer_.type(key.text);
  return Step::kGoOn;
}

void LineEditor::take_meta(const Key& key) {
  if (key.is_meta('b')) buffer_.move_word_left();
  if (key.is_meta('f')) buffer_.move_word_right();
  if (key.is_meta('d')) buffer_.kill_word_right();
  if (key.is_meta('<')) buffer_.move_begin();
  if (key.is_meta('>')) buffer_.move_end();
}

LineEditor::Step LineEditor::take_control(char letter) {
  switch (letter) {
    case 'a':
      buffer_.move_line_begin();
      break;
    case 'b':
      buffer_.move_left();
      break;
    case 'c':
      return take_interrupt();
    case 'd':
      return take_end();
    case 'e':
      buffer_.move_line_end();
      break;
    case 'f':
      buffer_.move_right();
      break;
    case 'k':
      buffer_.kill_to_line_end();
      break;
    case 'l':
      screen_.clear();
      break;
    case 'n':
      go_down();
      break;
    case 'p':
      go_up();
      break;
    case 'r':
      begin_search();
      break;
    case 't':
      buffer_.transpose();
      break;
    case 'u':
      buffer_.kill_to_line_begin();
      break;
    case 'w':
      buffer_.kill_word_left();
      break;
    case 'y':
      buffer_.yank();
      break;
    case 'z':
      terminal_.suspend();
      screen_.begin();
      break;
    case '_':
      buffer_.undo();
      break;
    default:
      break;
  }
  return Step::kGoOn;
}

LineEditor::Step LineEditor::take_end() {
  if (buffer_.text().empty()) return Step::kEnd;
  buffer_.erase_right();
  return Step::kGoOn;
}

LineEditor::Step LineEditor::take_interrupt() { return Step::kInterrupted; }

// Whether Enter runs the entry. One that was recalled needs no blank line behind it.
bool LineEditor::is_whole() const {
  const std::string& text = buffer_.text();
  if (text.find_first_not_of(" \t\n") == text.npos) return true;
  if (session_->is_complete(text) != Session::Completeness::kIncomplete) return true;
  return text == recalled_ &&
         session_->is_complete(text + "\n") != Session::Completeness::kIncomplete;
}

LineEditor::Step LineEditor::take_enter(const Key& key) {
  if (!session_) return Step::kDone;
  bool on_last_line = buffer_.text().find('\n', buffer_.cursor()) == std::string::npos;
  if (!key.meta && on_last_line && is_whole()) return Step::kDone;
  add_line();
  return Step::kGoOn;
}

// A new line with the indent that the text before it asks for; a paste brings its own.
void LineEditor::add_line() {
  std::string_view before = buffer_.before_cursor(), line = buffer_.line_before_cursor();
  int indent = 0;
  bool asks = session_->is_complete(before, &indent) == Session::Completeness::kIncomplete;
  std::size_t blanks = line.find_first_not_of(' ');
  if (!asks) indent = static_cast<int>(blanks == line.npos ? line.size() : blanks);
  std::string text = "\n";
  if (!terminal_.input_waits()) text.append(static_cast<std::size_t>(indent), ' ');
  buffer_.insert(text);
}

void LineEditor::paste(std::string text) {
  if (session_) {
    buffer_.insert(program_of_paste(text));
    return;
  }
  buffer_.insert(text.substr(0, text.find('\n')));
}

}  // namespace strider
