// Entries of the history as rows of messages.
#include "jupyter-kernel/history.h"

#include <algorithm>

namespace strider::jupyter {
namespace {

nl::json reply(const std::vector<HistoryEntry>& entries, bool output) {
  nl::json rows = nl::json::array();
  for (const HistoryEntry& entry : entries) {
    nl::json shown = entry.output.empty() ? nl::json() : nl::json(entry.output);
    nl::json text = output ? nl::json::array({entry.input, shown}) : nl::json(entry.input);
    rows.push_back(nl::json::array({entry.session, entry.line, std::move(text)}));
  }
  return {{"status", "ok"}, {"history", std::move(rows)}};
}

std::size_t count_of(int n) { return static_cast<std::size_t>(std::max(n, 0)); }

}  // namespace

nl::json HistoryManager::get_tail_impl(int n, bool, bool output) const {
  return reply(session_.history().tail(count_of(n)), output);
}

nl::json HistoryManager::get_range_impl(int session, int start, int stop, bool,
                                        bool output) const {
  return reply(session_.history().range(session, start, stop), output);
}

nl::json HistoryManager::search_impl(const std::string& pattern, bool, bool output, int n,
                                     bool unique) const {
  return reply(session_.history().search(pattern, count_of(n), unique), output);
}

}  // namespace strider::jupyter
