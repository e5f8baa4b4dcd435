// Where the text of a module lies: in a folder, in the embedded standard library, or where only a
// finder of sys.path_hooks can read it.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {

struct ModuleSource {
  std::string file_name;  // empty: a folder without a file of its own
  std::string text;
  Values folders;  // where the modules of a package lie; empty for plain modules
  Value spec;      // what a finder of sys.path_hooks tells of it
  bool exists = false;

  bool is_bare_folder() const { return exists && file_name.empty() && spec.is_empty(); }
};

ModuleSource find_in_library(std::string_view dotted_name);
// In these folders and places, and in the library, whose own code finds its modules first.
ModuleSource find_source(std::string_view dotted_name, const Value& places, bool for_library);
// Whether the library's own code is running.
bool library_is_running();

}  // namespace strider::lang
