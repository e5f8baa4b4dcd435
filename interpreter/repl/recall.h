// Recall: walks through earlier entries and searches them. Knows no keys.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strider {

class Recall {
 public:
  // Walks from the newest of these; `draft` is what was being typed: only entries that begin with
  // it are met, and it comes back below the newest.
  void begin(std::vector<std::string> entries, std::string draft);
  bool active() const { return active_; }
  void end() { active_ = false; }

  // The next entry in a direction; nothing where there is none.
  std::optional<std::string> older();
  std::optional<std::string> newer();
  // The entry at the place or beyond it that holds the text; `next`: not the present one.
  std::optional<std::string> search_older(std::string_view part, bool next);
  std::optional<std::string> search_newer(std::string_view part);

 private:
  bool fits(std::size_t at) const;

  std::vector<std::string> entries_;
  std::string draft_;
  std::size_t at_ = 0;  // entries_.size(): the draft
  bool active_ = false;
};

}  // namespace strider
