// Choices: the names that may stand at the cursor, as lines below the entry, page by page.
#pragma once

#include <string>
#include <vector>

#include "interpreter/session/session.h"

namespace strider {

class Choices {
 public:
  void set(Completions found) {
    found_ = std::move(found);
    page_ = 0;
  }
  const Completions& found() const { return found_; }
  // The beginning that all names share.
  std::string common_beginning() const;
  // The lines of the present page in a window of this width with so many rows to spare; turns to
  // the next page.
  std::vector<std::string> turn(int width, int rows);

 private:
  std::vector<std::string> with_details(int width, std::size_t rows);
  std::vector<std::string> in_columns(int width, std::size_t rows);

  Completions found_;
  std::size_t page_ = 0;
};

}  // namespace strider
