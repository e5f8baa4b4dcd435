// Binary searches in the embedded tables.
#include "stdlib/embedding/embedded_files.h"

#include <algorithm>

namespace strider::stdlib {

const SourceFile* find_source_file(std::string_view path) {
  auto files = source_files();
  auto found = std::ranges::lower_bound(files, path, {}, &SourceFile::path);
  return found != files.end() && found->path == path ? &*found : nullptr;
}

const SourceFile* find_numpy_name(std::string_view name) {
  auto names = numpy_names();
  auto found = std::ranges::lower_bound(names, name, {}, &NumpyName::name);
  return found != names.end() && found->name == name ? &source_files()[found->file] : nullptr;
}

bool is_numpy_namespace(std::string_view name) {
  return std::ranges::any_of(numpy_names(), [name](const NumpyName& row) {
    return row.name.size() > name.size() && row.name.starts_with(name) &&
           row.name[name.size()] == '.';
  });
}

}  // namespace strider::stdlib
