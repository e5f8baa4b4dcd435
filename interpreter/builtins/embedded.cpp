// Binary search in the generated tables of embedded files and names.
#include "interpreter/builtins/embedded.h"

#include <algorithm>

namespace strider::lang {

const EmbeddedFile* find_embedded(std::string_view path) {
  auto files = embedded_files();
  auto found = std::lower_bound(
      files.begin(), files.end(), path,
      [](const EmbeddedFile& file, std::string_view wanted) { return file.path < wanted; });
  return found != files.end() && found->path == path ? &*found : nullptr;
}

std::string_view find_embedded_name(std::string_view package, std::string_view name) {
  for (const EmbeddedName& each : embedded_names())
    if (each.name == name && each.package == package) return each.path;
  return {};
}

}  // namespace strider::lang
