// Keys that bring text: earlier entries, searches, completion, explanations.
#include <algorithm>

#include "interpreter/repl/line_editor.h"

namespace strider {
namespace {

constexpr std::size_t kEntriesRecalled = 10000;
constexpr std::size_t kIndentWidth = 4;
constexpr std::size_t kMostExplained = 12;  // lines

std::vector<std::string> lines_of(const std::string& text, std::size_t most) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size() && lines.size() < most;) {
    std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

void LineEditor::begin_recall(std::string draft) {
  std::vector<std::string> entries;
  for (HistoryEntry& entry : session_->history().tail(kEntriesRecalled))
    entries.push_back(std::move(entry.input));
  recall_.begin(std::move(entries), std::move(draft));
}

void LineEditor::show_recalled(std::string text) {
  recalled_ = text;
  buffer_.replace(std::move(text), recalled_.size());
}

void LineEditor::go_up() {
  bool walking = recall_.active() && buffer_.text() == recalled_;
  if (buffer_.move_up() || !session_) return;
  if (!walking) begin_recall(buffer_.text());
  if (std::optional<std::string> entry = recall_.older()) show_recalled(std::move(*entry));
}

void LineEditor::go_down() {
  bool walking = recall_.active() && buffer_.text() == recalled_;
  if (buffer_.move_down() || !walking) return;
  if (std::optional<std::string> entry = recall_.newer()) show_recalled(std::move(*entry));
}

void LineEditor::begin_search() {
  if (!session_) return;
  search_ = Search{{}, buffer_.text(), false};
  begin_recall({});
}

void LineEditor::look_for(std::optional<std::string> found) {
  search_->failed = !found && !search_->part.empty();
  if (!found) return;
  std::size_t at = found->find(search_->part);
  recalled_ = *found;
  buffer_.replace(std::move(*found), at);
}

bool LineEditor::search(const Key& key, Step& step) {
  std::string& part = search_->part;
  if (key.is_control('r')) {
    if (!part.empty()) look_for(recall_.search_older(part, true));
  } else if (key.is_control('s')) {
    look_for(recall_.search_newer(part));
  } else if (key.is_control('g') || key.kind == Key::Kind::kEscape) {
    buffer_.replace(search_->before, search_->before.size());
    search_.reset();
  } else if (key.kind == Key::Kind::kBackspace) {
    while (!part.empty() && (static_cast<unsigned char>(part.back()) & 0xc0) == 0x80)
      part.pop_back();
    if (!part.empty()) part.pop_back();
    begin_recall({});
    if (!part.empty()) look_for(recall_.search_older(part, false));
  } else if ((key.kind == Key::Kind::kCharacter && !key.control && !key.meta) ||
             key.kind == Key::Kind::kPaste) {
    part += key.text;
    look_for(recall_.search_older(part, false));
  } else {
    search_.reset();
    buffer_.move_end();
    step = Step::kGoOn;
    return false;
  }
  return true;
}

// The next stop of the indent, or what all choices share, or a list of them.
void LineEditor::complete() {
  std::string_view line = buffer_.line_before_cursor();
  int rows = terminal_.height() / 2;
  if (choosing_) {
    below_ = choices_.turn(terminal_.width(), rows);
    return;
  }
  below_.clear();
  if (line.find_first_not_of(' ') == line.npos) {
    buffer_.insert(std::string(kIndentWidth - line.size() % kIndentWidth, ' '));
    return;
  }
  choices_.set(session_->complete(buffer_.text(), buffer_.cursor()));
  const Completions& found = choices_.found();
  if (found.items.empty()) return;
  std::string common = choices_.common_beginning();
  std::string_view typed = buffer_.before_cursor().substr(found.start);
  if (common.size() > typed.size() || (common == typed && found.items.size() == 1)) {
    bool told = common == typed;
    if (!told) buffer_.replace_before_cursor(found.start, common);
    if (!told || found.items.front().detail.empty()) return;
  }
  choosing_ = true;
  below_ = choices_.turn(terminal_.width(), rows);
}

// What is known about the name or call at the cursor.
void LineEditor::explain() {
  if (!session_) return;
  Inspection known = session_->inspect(buffer_.text(), buffer_.cursor(), 0);
  const std::string* text = known.found ? known.text.find("text/plain") : nullptr;
  if (text) below_ = lines_of(*text, kMostExplained);
}

}  // namespace strider
