// One address for each distinct name of a tree.
#pragma once

#include <string_view>
#include <unordered_set>

#include "interpreter/syntax/arena.h"
#include "interpreter/syntax/scope.h"

namespace strider::syntax {

class Interner {
 public:
  explicit Interner(Arena& arena) : arena_(arena) {}

  // The name equal to `text`; `text` must live as long as the tree.
  Identifier intern(std::string_view text) { return *names_.insert(text).first; }
  // The same for text that goes away.
  Identifier intern_copy(std::string_view text) {
    auto found = names_.find(text);
    return found != names_.end() ? *found : intern(arena_.copy_text(text));
  }

 private:
  Arena& arena_;
  std::unordered_set<std::string_view> names_;
};

}  // namespace strider::syntax
