// Entries stand in the order in which they were made; equal neighbours count once.
#include "interpreter/repl/recall.h"

#include <algorithm>
#include <utility>

namespace strider {

void Recall::begin(std::vector<std::string> entries, std::string draft) {
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  entries_ = std::move(entries);
  draft_ = std::move(draft);
  at_ = entries_.size();
  active_ = true;
}

bool Recall::fits(std::size_t at) const {
  return entries_[at].starts_with(draft_) && entries_[at] != draft_;
}

std::optional<std::string> Recall::older() {
  for (std::size_t at = at_; at-- > 0;) {
    bool repeated = at_ < entries_.size() && entries_[at] == entries_[at_];
    if (!fits(at) || repeated) continue;
    at_ = at;
    return entries_[at];
  }
  return {};
}

std::optional<std::string> Recall::newer() {
  if (at_ == entries_.size()) return {};
  for (std::size_t at = at_ + 1; at < entries_.size(); ++at) {
    if (!fits(at) || entries_[at] == entries_[at_]) continue;
    at_ = at;
    return entries_[at];
  }
  at_ = entries_.size();
  return draft_;
}

std::optional<std::string> Recall::search_older(std::string_view part, bool next) {
  std::size_t end = next || at_ == entries_.size() ? at_ : at_ + 1;
  for (std::size_t at = end; at-- > 0;) {
    bool repeated = next && at_ < entries_.size() && entries_[at] == entries_[at_];
    if (repeated || entries_[at].find(part) == std::string::npos) continue;
    at_ = at;
    return entries_[at];
  }
  return {};
}

std::optional<std::string> Recall::search_newer(std::string_view part) {
  for (std::size_t at = at_ + 1; at < entries_.size(); ++at) {
    if (entries_[at] == entries_[at_] || entries_[at].find(part) == std::string::npos) continue;
    at_ = at;
    return entries_[at];
  }
  return {};
}

}  // namespace strider
