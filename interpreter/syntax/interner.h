// One address for each distinct name of a tree.
#pragma once

#include <string_view>
#include <unordered_set>

#include "interpreter/syntax/tree/arena.h"

namespace strider::syntax {

// A name of the tree. Equal names of one tree share one address; it lives as long as the tree.
using Identifier = std::string_view;

class Interner {
 public:
  // The name equal to `text`, which must live as long as the tree.
  Identifier intern(std::string_view text) { return *names_.insert(text).first; }
  // The same for text that goes away: a new name is copied into the arena.
  Identifier intern_copy(std::string_view text, Arena& arena) {
    auto found = names_.find(text);
    return found != names_.end() ? *found : intern(arena.copy_text(text));
  }

 private:
  std::unordered_set<std::string_view> names_;
};

}  // namespace strider::syntax
