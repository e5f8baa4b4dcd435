// History: what was entered, session by session, kept in one file that several sessions may write
// to at once. Knows nothing of what entries mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strider {

struct HistoryEntry {
  int session = 0;     // counted from 1 in the file
  int line = 0;        // In[line] of that session
  std::string input;
  std::string output;  // what Out[line] showed as plain text, of this session only; may be empty
};

class History {
 public:
  // Reads what is there; a file that cannot be read or written is as good as none.
  explicit History(std::string file);

  // Adds an entry, and to the file at once.
  void add(int line, std::string input);
  void set_output(int line, std::string output);

  int session() const { return session_; }
  // The latest `count` entries, oldest first.
  std::vector<HistoryEntry> tail(std::size_t count) const;
  // Lines [start, stop) of a session; 0 is this one, -1 the one before.
  std::vector<HistoryEntry> range(int session, int start, int stop) const;
  // The latest entries that fit a pattern with *, ? and [], oldest first; `unique`: the last of
  // equals.
  std::vector<HistoryEntry> search(std::string_view pattern, std::size_t count, bool unique) const;

 private:
  std::string file_;
  int session_ = 1;
  std::vector<HistoryEntry> entries_;
  std::size_t own_begin_ = 0;  // where the entries of this session start
};

}  // namespace strider
