// Binary search in the generated tables of embedded files and names.
#include "interpreter/builtins/embedded.h"

#include <algorithm>
#include <string>

namespace strider::lang {

// The first file whose path is no less than this one; null behind the last.
static const EmbeddedFile* first_from(std::string_view path) {
  auto files = embedded_files();
  auto found = std::lower_bound(
      files.begin(), files.end(), path,
      [](const EmbeddedFile& file, std::string_view wanted) { return file.path < wanted; });
  return found != files.end() ? &*found : nullptr;
}

const EmbeddedFile* find_embedded(std::string_view path) {
  const EmbeddedFile* found = first_from(path);
  return found && found->path == path ? found : nullptr;
}

bool has_embedded_folder(std::string_view path) {
  std::string beginning(path);
  beginning += '/';
  const EmbeddedFile* found = first_from(beginning);
  return found && found->path.starts_with(beginning);
}

std::string_view find_embedded_name(std::string_view package, std::string_view name) {
  for (const EmbeddedName& each : embedded_names())
    if (each.name == name && each.package == package) return each.path;
  return {};
}

}  // namespace strider::lang
