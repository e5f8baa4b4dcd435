// Looks for modules place by place. As in CPython a folder without a file of its own is a package
// only where no place has the module, and then its parts may lie in several places.
#include "interpreter/builtins/import/module_source.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "interpreter/builtins/embedded.h"
#include "interpreter/builtins/import/finders.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

ModuleSource find_in_folder(const fs::path& folder, const std::string& name) {
  std::error_code ignored;
  fs::path base = folder / name;
  for (const char* ending : {".npx", ".py"}) {
    fs::path package = base / (std::string("__init__") + ending);
    if (fs::is_regular_file(package, ignored))
      return {package.string(), read_file(package), {Value(make_str(base.string()))}, {}, true};
    fs::path file = base.string() + ending;
    if (fs::is_regular_file(file, ignored)) return {file.string(), read_file(file), {}, {}, true};
  }
  if (fs::is_directory(base, ignored)) return {"", "", {Value(make_str(base.string()))}, {}, true};
  return {};
}

// In a place that is no folder, such as a zip file or a folder of one.
ModuleSource find_elsewhere(const Value& place, std::string_view dotted_name) {
  ModuleSource found;
  found.spec = find_by_hooks(place, dotted_name);
  found.exists = !found.spec.is_empty();
  return found;
}

ModuleSource find_in_places(std::string_view dotted_name, const Value& places) {
  ModuleSource bare;
  if (places.is_empty() || Interpreter::current().isolated) return bare;
  std::string last(dotted_name.substr(dotted_name.rfind('.') + 1));
  std::error_code ignored;
  const fs::path here = fs::current_path(ignored);
  Iteration items(places);
  for (Value place; items.next(place);) {
    if (!is_str(place) || text_of(place).starts_with("<stdlib>")) continue;
    fs::path folder(text_of(place));
    if (folder.is_relative()) folder = text_of(place).empty() ? here : here / folder;
    ModuleSource found = find_in_folder(folder, last);
    if (!found.exists && !fs::is_directory(folder, ignored))
      found = find_elsewhere(place, dotted_name);
    if (!found.exists) continue;
    if (!found.is_bare_folder()) return found;
    bare.exists = true;
    bare.folders.push_back(found.folders.front());
  }
  return bare;
}

// Whether a program's own file goes before the library's module of this name, as in CPython. The
// interfaces of predecessors stay: programs carry copies of the originals, which need a GPU. So do
// those of packages whose originals, found on PYTHONPATH, would need CPython.
bool program_goes_first(std::string_view dotted_name, bool for_library) {
  for (std::string_view name :
       {"cudarray", "cudamat", "gnumpy", "grumpy", "cupy", "cupyx", "matplotlib", "mpl_toolkits",
        "PIL", "pylab", "IPython", "typing_extensions"})
    if (dotted_name.substr(0, dotted_name.find('.')) == name) return false;
  return dotted_name.find('.') != dotted_name.npos || !for_library;
}

}  // namespace

ModuleSource find_in_library(std::string_view dotted_name) {
  std::string path(dotted_name);
  std::replace(path.begin(), path.end(), '.', '/');
  Value folder = make_str(fmt::format("<stdlib>/{}", path));
  if (const EmbeddedFile* file = find_embedded(path + ".npx"))
    return {fmt::format("<stdlib>/{}", file->path), std::string(file->text), {}, {}, true};
  if (const EmbeddedFile* file = find_embedded(path + "/__init__.npx"))
    return {fmt::format("<stdlib>/{}", file->path), std::string(file->text), {folder}, {}, true};
  if (has_embedded_folder(path)) return {"", "", {folder}, {}, true};
  return {};
}

ModuleSource find_source(std::string_view dotted_name, const Value& places, bool for_library) {
  ModuleSource embedded = find_in_library(dotted_name);
  if (embedded.exists && !program_goes_first(dotted_name, for_library)) return embedded;
  ModuleSource found = find_in_places(dotted_name, places);
  return embedded.exists && (!found.exists || found.is_bare_folder()) ? embedded : found;
}

bool library_is_running() {
  Dict* globals = current_globals();
  Value* file = globals ? globals->find(names().file) : nullptr;
  return file && is_str(*file) && text_of(*file).starts_with("<stdlib>");
}

}  // namespace strider::lang
