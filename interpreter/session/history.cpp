// One line of the file for each entry: session, line and text, separated by tabs, newlines of the
// text escaped. Entries are appended whole under a lock, so sessions side by side lose nothing.
#include "interpreter/session/history.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unordered_set>

namespace strider {
namespace {

constexpr std::size_t kEntriesKept = 10000;

// A file that is locked while in scope; -1 if it cannot be opened.
class LockedFile {
 public:
  explicit LockedFile(const std::string& name)
      : descriptor_(open(name.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600)) {
    if (descriptor_ >= 0) flock(descriptor_, LOCK_EX);
  }
  ~LockedFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  LockedFile(const LockedFile&) = delete;
  bool is_open() const { return descriptor_ >= 0; }
  void append(std::string_view text) const {
    while (!text.empty()) {
      ssize_t written = write(descriptor_, text.data(), text.size());
      if (written <= 0) return;  // a full disk: the entry stays in this session
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

 private:
  int descriptor_;
};

std::string line_of(const HistoryEntry& entry) {
  std::string text = std::to_string(entry.session) + '\t' + std::to_string(entry.line) + '\t';
  for (char c : entry.input) {
    if (c == '\\')
      text += "\\\\";
    else if (c == '\n')
      text += "\\n";
    else
      text += c;
  }
  return text + '\n';
}

bool take_number(std::string_view& line, int& number) {
  auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (error != std::errc() || end == line.data() + line.size() || *end != '\t') return false;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()) + 1);
  return true;
}

bool parse_line(std::string_view line, HistoryEntry& entry) {
  if (!take_number(line, entry.session) || !take_number(line, entry.line)) return false;
  entry.input.clear();
  for (std::size_t i = 0; i < line.size(); ++i) {
    bool escaped = line[i] == '\\' && i + 1 < line.size();
    if (escaped) ++i;
    entry.input += escaped && line[i] == 'n' ? '\n' : line[i];
  }
  return true;
}

std::vector<HistoryEntry> read_entries(const std::string& file) {
  std::vector<HistoryEntry> entries;
  std::ifstream stream(file, std::ios::binary);
  std::string line;
  HistoryEntry entry;
  while (std::getline(stream, line))
    if (parse_line(line, entry)) entries.push_back(entry);
  return entries;
}

int last_session(const std::vector<HistoryEntry>& entries) {
  int last = 0;
  for (const HistoryEntry& entry : entries) last = std::max(last, entry.session);
  return last;
}

// Replaces the file by its latest entries; who reads it meanwhile sees the old or the new one.
void rewrite(const std::string& file, const std::vector<HistoryEntry>& entries) {
  std::string text;
  for (const HistoryEntry& entry : entries) text += line_of(entry);
  std::string other = file + "." + std::to_string(getpid());
  {
    LockedFile made(other);
    if (!made.is_open()) return;
    made.append(text);
  }
  std::error_code ignored;
  std::filesystem::rename(other, file, ignored);
}

}  // namespace

History::History(std::string file) : file_(std::move(file)) {
  if (file_.empty()) return;
  std::error_code ignored;
  std::filesystem::path folder = std::filesystem::path(file_).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
  LockedFile lock(file_);
  entries_ = read_entries(file_);
  if (entries_.size() > 2 * kEntriesKept) {
    entries_.erase(entries_.begin(),
                   entries_.end() - static_cast<std::ptrdiff_t>(kEntriesKept));
    rewrite(file_, entries_);
  }
  session_ = last_session(entries_) + 1;
  own_begin_ = entries_.size();
}

void History::add(int line, std::string input) {
  bool first = entries_.size() == own_begin_;
  if (file_.empty()) {
    entries_.push_back({session_, line, std::move(input), {}});
    return;
  }
  LockedFile file(file_);
  if (first) session_ = std::max(session_, last_session(read_entries(file_)) + 1);
  entries_.push_back({session_, line, std::move(input), {}});
  if (file.is_open()) file.append(line_of(entries_.back()));
}

void History::set_output(int line, std::string output) {
  for (std::size_t i = entries_.size(); i > own_begin_; --i)
    if (entries_[i - 1].line == line) {
      entries_[i - 1].output = std::move(output);
      return;
    }
}

std::vector<HistoryEntry> History::tail(std::size_t count) const {
  count = std::min(count, entries_.size());
  return {entries_.end() - static_cast<std::ptrdiff_t>(count), entries_.end()};
}

std::vector<HistoryEntry> History::range(int session, int start, int stop) const {
  int wanted = session > 0 ? session : session_ + session;
  std::vector<HistoryEntry> found;
  for (const HistoryEntry& entry : entries_)
    if (entry.session == wanted && entry.line >= start && entry.line < stop)
      found.push_back(entry);
  return found;
}

std::vector<HistoryEntry> History::search(std::string_view pattern, std::size_t count,
                                          bool unique) const {
  std::string glob(pattern);
  std::vector<HistoryEntry> found;
  std::unordered_set<std::string_view> seen;
  for (auto entry = entries_.rbegin(); entry != entries_.rend() && found.size() < count; ++entry) {
    if (fnmatch(glob.c_str(), entry->input.c_str(), 0) != 0) continue;
    if (unique && !seen.insert(entry->input).second) continue;
    found.push_back(*entry);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace strider
