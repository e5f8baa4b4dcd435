// The npx modules inside the binary, and which of them holds which function of NumPy's. Knows
// nothing of the language: it hands out text.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace strider::stdlib {

struct SourceFile {
  std::string_view path;  // below stdlib/, e.g. "functools.npx", "collections/abc.npx"
  std::string_view text;
};

// A name of NumPy's that a file of numpy/ lists in its __all__. The folder is the namespace:
// "norm" in numpy/linalg/norms.npx is "linalg.norm".
struct NumpyName {
  std::string_view name;
  std::uint16_t file;  // index into source_files()
};

// All files, in the order of their paths.
std::span<const SourceFile> source_files();
// All names, in their order; those that start with "_" are for the files' own use.
std::span<const NumpyName> numpy_names();

// The file with this path, or null.
const SourceFile* find_source_file(std::string_view path);
// The file that defines a name such as "pad" or "linalg.norm", or null.
const SourceFile* find_numpy_name(std::string_view name);
// Whether names start with this and a dot: "linalg", "lib", "lib.stride_tricks".
bool is_numpy_namespace(std::string_view name);

}  // namespace strider::stdlib
