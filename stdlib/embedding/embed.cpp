// Build tool: writes the .npx files of a folder as a C++ file of string literals, with an index of
// the names that the files of numpy/ export. Understands no more of npx than `__all__ = [...]`.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct File {
  std::string path;
  std::string text;
};

struct Name {
  std::string name;
  std::size_t file;
};

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<File> collect(const fs::path& root) {
  std::vector<File> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".npx") continue;
    files.push_back({fs::relative(entry.path(), root).generic_string(), read(entry.path())});
  }
  std::ranges::sort(files, {}, &File::path);
  return files;
}

// The quoted words of `__all__ = [...]`.
std::vector<std::string> exports(const std::string& text) {
  std::vector<std::string> names;
  auto at = text.find("\n__all__ = [");
  if (at == std::string::npos) return names;
  auto end = text.find(']', at);
  while ((at = text.find('"', at)) < end) {
    auto close = text.find('"', at + 1);
    names.push_back(text.substr(at + 1, close - at - 1));
    at = close + 1;
  }
  return names;
}

// "numpy/linalg/norms.npx" -> "linalg."
std::string namespace_of(const std::string& path) {
  auto inner = path.substr(path.find('/') + 1);
  auto slash = inner.rfind('/');
  if (slash == std::string::npos) return "";
  inner = inner.substr(0, slash + 1);
  std::ranges::replace(inner, '/', '.');
  return inner;
}

std::vector<Name> index_numpy(const std::vector<File>& files) {
  std::vector<Name> names;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!files[i].path.starts_with("numpy/")) continue;
    for (const auto& name : exports(files[i].text)) {
      names.push_back({namespace_of(files[i].path) + name, i});
    }
  }
  std::ranges::sort(names, {}, &Name::name);
  return names;
}

// As adjacent raw literals, since compilers limit the length of one.
void write_text(std::ostream& out, const std::string& text) {
  constexpr std::size_t kPiece = 8000;
  for (std::size_t at = 0; at < text.size(); at += kPiece) {
    out << "R\"~npx~(" << text.substr(at, kPiece) << ")~npx~\"\n";
  }
  if (text.empty()) out << "\"\"";
}

void write(std::ostream& out, const std::vector<File>& files, const std::vector<Name>& names) {
  out << "#include \"stdlib/embedding/embedded_files.h\"\n\nnamespace strider::stdlib {\n\n"
         "namespace {\n\nconstexpr SourceFile kFiles[] = {\n";
  for (const auto& file : files) {
    out << "{\"" << file.path << "\", {";
    write_text(out, file.text);
    out << ", " << file.text.size() << "}},\n";
  }
  out << "};\n\nconstexpr NumpyName kNames[] = {\n";
  for (const auto& name : names) out << "{\"" << name.name << "\", " << name.file << "},\n";
  out << "};\n\n}  // namespace\n\n"
         "std::span<const SourceFile> source_files() { return kFiles; }\n"
         "std::span<const NumpyName> numpy_names() { return kNames; }\n\n"
         "}  // namespace strider::stdlib\n";
}

bool names_are_unique(const std::vector<Name>& names) {
  auto same = std::ranges::adjacent_find(names, {}, &Name::name);
  if (same == names.end()) return true;
  std::cerr << "embed_stdlib: two files of numpy/ export " << same->name << "\n";
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: embed_stdlib FOLDER OUTPUT\n";
    return 2;
  }
  auto files = collect(argv[1]);
  auto names = index_numpy(files);
  if (!names_are_unique(names)) return 1;
  std::ofstream out(argv[2], std::ios::binary);
  write(out, files, names);
  return out.good() ? 0 : 1;
}
