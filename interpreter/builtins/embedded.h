// Embedded files: the standard library written in npx, part of the program.
#pragma once

#include <span>
#include <string_view>

namespace strider::lang {

struct EmbeddedFile {
  std::string_view path;  // "collections/abc.npx"
  std::string_view text;
};

// The file at a path below stdlib/, or null.
const EmbeddedFile* find_embedded(std::string_view path);

// Whether files lie in a folder below stdlib/.
bool has_embedded_folder(std::string_view path);

// A public name of numpy that is written in npx: np.pad lives in "numpy/_shaping/padding.npx".
// Folders that begin with "_" are no part of the package.
struct EmbeddedName {
  std::string_view package;  // "numpy", "numpy.linalg"
  std::string_view name;
  std::string_view path;
};
// The file that defines a public name of a package; empty if none does.
std::string_view find_embedded_name(std::string_view package, std::string_view name);
std::span<const EmbeddedName> embedded_names();
std::span<const EmbeddedFile> embedded_files();

}  // namespace strider::lang
