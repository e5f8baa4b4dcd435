// The importer: sys.modules, native modules, what programs' finders find, files on sys.path, then
// the embedded standard library.
#include <algorithm>
#include <filesystem>
#include <vector>

#include "interpreter/builtins/embedded.h"
#include "interpreter/builtins/execution.h"
#include "interpreter/builtins/import/finders.h"
#include "interpreter/builtins/import/module_source.h"
#include "interpreter/builtins/import/running_bodies.h"
#include "interpreter/builtins/program_text.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/error/suggestion.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// The name of the package that a module is part of; empty at the top.
std::string_view parent_of(std::string_view name) {
  std::size_t dot = name.rfind('.');
  return dot == name.npos ? std::string_view() : name.substr(0, dot);
}

bool library_module(const ModuleSource& found) { return found.file_name.starts_with("<stdlib>"); }

// Runs the text as the module's body; a module that fails is forgotten again.
void execute(Module& module, const ModuleSource& found) {
  Interpreter& interpreter = Interpreter::current();
  Dict& dict = module.dict();
  dict.set(names().file,
           found.file_name.empty() ? Value::none() : Value(make_str(found.file_name)));
  std::string_view name = module.name();
  bool package = !found.folders.empty();
  if (package) dict.set(names().path, make_list(found.folders));
  dict.set(names().package, Value(make_str(package ? name : parent_of(name))));
  if (!library_module(found)) dict.set(names().builtins, Value(interpreter.builtins));
  Value key = make_str(name);
  interpreter.modules->set(key, Value(&module));
  auto source = std::make_shared<const syntax::Source>(
      found.file_name,
      library_module(found) ? found.text : program_of_bytes(found.text, found.file_name));
  RunningBody body(name);
  try {
    std::shared_ptr<const Code> code = compile_source(source, LoweringMode::kModule);
    dict.set(names().doc, code->doc);
    run_code(code, dict);
  } catch (...) {
    interpreter.modules->erase(key);
    throw;
  }
}

Value load_native(std::string_view name, const NativeModule& native) {
  Ref<Module> module = make<Module>(name, &native);
  module->dict().set(names().package, make_str(parent_of(name)));
  Interpreter::current().modules->set(Value(make_str(name)), Value(module));
  return module;
}

// Packages that programs ask for and that are no part of this one.
constexpr std::string_view kKnownPackages[] = {
    "Cython",  "IPython",    "altair",  "astropy",     "bokeh",        "bs4",         "cffi",
    "click",   "cv2",        "dask",    "django",      "fastapi",      "flask",       "h5py",
    "httpx",   "jax",        "jinja2",  "jupyter",     "keras",        "lxml",        "mpmath",
    "netCDF4", "networkx",   "nltk",    "numexpr",     "openpyxl",     "pandas",      "plotly",
    "polars",  "psutil",     "pyarrow", "pydantic",    "pytest",       "requests",    "scipy",
    "seaborn", "skimage",    "sklearn", "spacy",       "sqlalchemy",   "statsmodels", "sympy",
    "tables",  "tensorflow", "torch",   "torchvision", "transformers", "wx",          "xarray",
    "xgboost", "yaml",       "zmq"};

// What a traceback says behind the message.
std::string hint_for(std::string_view name) {
  if (std::ranges::count(kKnownPackages, name.substr(0, name.find('.'))))
    return ". It is no part of Strider; docs/packages.md says which packages can be used";
  std::vector<std::string_view> known;
  list_importable_modules(known);
  return suggestion_text(name, known);
}

// `plain_parent`: the module in front of the last dot, if it is no package.
[[noreturn]] void raise_not_found(std::string_view dotted_name,
                                  std::string_view plain_parent = {}) {
  std::string text = fmt::format("No module named '{}'", dotted_name);
  if (!plain_parent.empty()) text += fmt::format("; '{}' is not a package", plain_parent);
  Value message = make_str(std::move(text));
  Ref<Exception> exception = make<Exception>(&errors::ModuleNotFoundError(),
                                             make_tuple(std::span<const Value>(&message, 1)));
  exception->attributes()->set(intern("name"), make_str(dotted_name));
  exception->hint = hint_for(dotted_name);
  raise_exception(exception);
}

// The module that sys.modules has now; the one that was made, if it has none.
Value loaded_as(std::string_view dotted_name, const Value& made) {
  Value* replaced = Interpreter::current().modules->find(Value(make_str(dotted_name)));
  return replaced ? *replaced : made;
}

Value load_found(std::string_view dotted_name, const Value& spec) {
  RunningBody body(dotted_name);
  return load_from_spec(spec);
}

// Loads one module whose parent is loaded; `places` is where to look besides the built-in ones.
Value load(std::string_view dotted_name, const Value& places) {
  Value spec = find_by_finders(dotted_name, places, Turn::kBefore);
  if (!spec.is_empty()) return load_found(dotted_name, spec);
  if (const NativeModule* native = find_native_module(dotted_name))
    return load_native(dotted_name, *native);
  ModuleSource found = find_source(dotted_name, places, library_is_running());
  if (!found.exists) found.spec = find_by_finders(dotted_name, places, Turn::kAfter);
  if (!found.spec.is_empty()) return load_found(dotted_name, found.spec);
  if (!found.exists) raise_not_found(dotted_name);
  Ref<Module> module = make<Module>(dotted_name);
  execute(*module, found);
  return loaded_as(dotted_name, module);
}

// sys.path, be it a list that the program has put in its place.
Value search_places() {
  Interpreter& interpreter = Interpreter::current();
  Value* sys = interpreter.modules->find(Value(make_str("sys")));
  if (!sys || !sys->has_layout(Layout::kModule)) return Value(interpreter.search_path);
  Value* path = sys->as<Module>()->dict().find(intern("path"));
  return path && is_list(*path) ? *path : Value(interpreter.search_path);
}

}  // namespace

void list_importable_modules(std::vector<std::string_view>& names) {
  constexpr std::string_view kPackage = "/__init__.npx", kEnding = ".npx";
  list_native_modules(names);
  for (const EmbeddedFile& file : embedded_files()) {
    std::string_view path = file.path;
    path.remove_suffix(path.ends_with(kPackage) ? kPackage.size() : kEnding.size());
    if (path.find('/') == path.npos && !path.starts_with('_')) names.push_back(path);
  }
}

Value import_module(std::string_view dotted_name) {
  Interpreter& interpreter = Interpreter::current();
  if (Value* loaded = interpreter.modules->find(Value(make_str(dotted_name)))) {
    if (loaded->is_none()) raise_not_found(dotted_name);
    Value module = *loaded;
    wait_for_body(interpreter, dotted_name);
    return module;
  }
  std::size_t dot = dotted_name.rfind('.');
  if (dot == dotted_name.npos) return load(dotted_name, search_places());
  Value parent = import_module(dotted_name.substr(0, dot));
  if (Value* loaded = interpreter.modules->find(Value(make_str(dotted_name)))) return *loaded;
  Name child = intern(dotted_name.substr(dot + 1));
  Value places = find_attribute(parent, names().path);
  if (places.is_empty() && !find_native_module(dotted_name) &&
      !find_in_library(dotted_name).exists) {
    Value attribute = find_attribute(parent, child);
    if (attribute.has_layout(Layout::kModule)) {
      interpreter.modules->set(Value(make_str(dotted_name)), attribute);
      return attribute;
    }
    raise_not_found(dotted_name, dotted_name.substr(0, dot));
  }
  Value module = load(dotted_name, places);
  // A file such as numpy/poly1d.npx must not hide the function of that name.
  if (find_embedded_name(dotted_name.substr(0, dot), text_of(child)).empty())
    set_attribute(parent, child, module);
  return module;
}

// Where CPython keeps the code of a file that it imported; None for the program itself.
static Value cached_path(Dict& globals, const Value& known_as) {
  Value* file = globals.find(names().file);
  if (!file || !is_str(*file) || text_of(*file).starts_with('<')) return {};
  if (text_of(known_as) == "__main__") return Value::none();
  std::filesystem::path path(text_of(*file));
  std::string code = path.stem().string() + ".cpython-311.pyc";
  return make_str((path.parent_path() / "__pycache__" / code).string());
}

Value find_module_fact(Dict& globals, Name name) {
  static const Name cached = intern("__cached__");
  if (name != names().spec && name != names().loader && name != cached) return {};
  Value* known_as = globals.find(names().name);
  Value* loaded = known_as ? Interpreter::current().modules->find(*known_as) : nullptr;
  if (!loaded || !loaded->has_layout(Layout::kModule) || &loaded->as<Module>()->dict() != &globals)
    return {};
  if (name == cached) {
    Value path = cached_path(globals, *known_as);
    if (!path.is_empty()) globals.set(name, path);
    return path;
  }
  Value module = *loaded;
  Value spec =
      call(get_attribute(import_module("importlib.machinery"), intern("_spec_of")), module);
  globals.set(names().spec, spec);
  globals.set(names().loader, get_attribute(spec, intern("loader")));
  return *globals.find(name);
}

std::string resolve_relative(std::string_view name, int level, Dict& globals) {
  Value* package = globals.find(names().package);
  std::string base = package && is_str(*package) ? std::string(text_of(*package)) : std::string();
  if (base.empty())
    raise(errors::ImportError, "attempted relative import with no known parent package");
  for (int i = 1; i < level; ++i) {
    std::size_t dot = base.rfind('.');
    if (dot == base.npos)
      raise(errors::ImportError, "attempted relative import beyond top-level package");
    base.resize(dot);
  }
  return name.empty() ? base : base + "." + std::string(name);
}

namespace {

// Where the importer finds a module: "built-in", the path of a file, the folders of a package
// without one, or a specification. None: nowhere.
Value importer_find(const Parameters& p) {
  std::string_view name = to_text(p[0], "module name");
  if (find_native_module(name)) return make_str("built-in");
  ModuleSource found = find_source(name, p[1].is_none() ? Value() : p[1], false);
  if (!found.exists) return Value::none();
  if (!found.spec.is_empty()) return found.spec;
  return found.file_name.empty() ? Value(make_list(found.folders)) : make_str(found.file_name);
}

// The text of a file of the library, or None.
Value importer_read(const Parameters& p) {
  std::string_view path = to_text(p[0], "path");
  constexpr std::string_view kFolder = "<stdlib>/";
  const auto& entries = Interpreter::current().entries;
  if (auto entry = entries.find(std::string(path)); entry != entries.end())
    return make_str(entry->second->text());
  if (!path.starts_with(kFolder)) return Value::none();
  const EmbeddedFile* file = find_embedded(path.substr(kFolder.size()));
  return file ? Value(make_str(file->text)) : Value::none();
}

const NativeRow kFunctions[] = {
    {"find(name, places)", importer_find, "Where a module lies."},
    {"read_text(path)", importer_read, "The text of a file of the library, or of an entry."},
};

}  // namespace

const NativeModule kImporterModule = {
    "_importer", "What importlib asks the importer.", kFunctions, {}};

}  // namespace strider::lang
