// The importer: sys.modules, native modules, files on sys.path, then the embedded standard library.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "interpreter/builtins/embedded.h"
#include "interpreter/builtins/execution.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/evaluator/threads.h"
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

namespace fs = std::filesystem;

// Where the text of a module was found.
struct Found {
  std::string file_name;
  std::string text;
  std::string package_path;  // the folder of a package; empty for plain modules
  bool exists = false;
};

std::string read_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

Found find_in_stdlib(std::string_view dotted_name) {
  std::string path(dotted_name);
  std::replace(path.begin(), path.end(), '.', '/');
  if (const EmbeddedFile* file = find_embedded(path + ".npx"))
    return {fmt::format("<stdlib>/{}", file->path), std::string(file->text), "", true};
  if (const EmbeddedFile* file = find_embedded(path + "/__init__.npx"))
    return {fmt::format("<stdlib>/{}", file->path), std::string(file->text),
            fmt::format("<stdlib>/{}", path), true};
  if (has_embedded_folder(path)) {
    std::string folder = fmt::format("<stdlib>/{}", path);
    return {folder, "", folder, true};
  }
  return {};
}

Found find_in_folder(const std::string& folder, const std::string& name) {
  std::error_code ignored;
  fs::path base = fs::path(folder.empty() ? "." : folder) / name;
  for (const char* ending : {".npx", ".py"}) {
    fs::path package = base / (std::string("__init__") + ending);
    if (fs::is_regular_file(package, ignored))
      return {package.string(), read_file(package), base.string(), true};
    fs::path file = base.string() + ending;
    if (fs::is_regular_file(file, ignored)) return {file.string(), read_file(file), "", true};
  }
  if (fs::is_directory(base, ignored)) return {base.string(), "", base.string(), true};
  return {};
}

// The first of these folders that has the module.
Found find_in_folders(std::string_view dotted_name, const Value& folders) {
  Found found;
  if (folders.is_empty() || Interpreter::current().isolated) return found;
  std::string last(dotted_name.substr(dotted_name.rfind('.') + 1));
  Iteration items(folders);
  Value folder;
  while (!found.exists && items.next(folder))
    if (is_str(folder)) found = find_in_folder(std::string(text_of(folder)), last);
  return found;
}

// Whether the library's own code is running.
bool library_imports() {
  Dict* globals = current_globals();
  Value* file = globals ? globals->find(names().file) : nullptr;
  return file && is_str(*file) && text_of(*file).starts_with("<stdlib>");
}

// Whether a program's own file goes before the library's module of this name, as in CPython. The
// interfaces of predecessors stay: programs carry copies of the originals, which need a GPU. So do
// those of packages whose originals, found on PYTHONPATH, would need CPython.
bool program_goes_first(std::string_view dotted_name) {
  for (std::string_view name :
       {"cudarray", "cudamat", "gnumpy", "grumpy", "cupy", "cupyx", "matplotlib", "mpl_toolkits",
        "pylab", "IPython", "typing_extensions"})
    if (dotted_name.substr(0, dotted_name.find('.')) == name) return false;
  return dotted_name.find('.') != dotted_name.npos || !library_imports();
}

Found find_source(std::string_view dotted_name, const Value& folders) {
  Found embedded = find_in_stdlib(dotted_name);
  if (embedded.exists && !program_goes_first(dotted_name)) return embedded;
  Found found = find_in_folders(dotted_name, folders);
  bool bare_folder = found.exists && found.file_name == found.package_path;
  return embedded.exists && (!found.exists || bare_folder) ? embedded : found;
}

// The modules whose bodies run, and the threads (as Threads::current() tells them) that wait for
// one of another thread.
struct Imports {
  struct Body {
    std::string_view module;
    Value thread;
  };
  std::vector<Body> bodies;
  std::vector<Value> waiting;
};

Imports& imports() {
  thread_local Imports instance;
  return instance;
}

Value this_thread() {
  const auto& threads = Interpreter::current().threads;
  return threads ? threads->current() : Value();
}

// Notes that a module's body runs, while in scope.
class RunningBody {
 public:
  explicit RunningBody(std::string_view module) : module_(module), thread_(this_thread()) {
    imports().bodies.push_back({module_, thread_});
  }
  ~RunningBody() {
    // Threads end their bodies in any order.
    std::erase_if(imports().bodies, [this](const Imports::Body& each) {
      return each.module == module_ && identical(each.thread, thread_);
    });
  }
  RunningBody(const RunningBody&) = delete;

 private:
  std::string_view module_;
  Value thread_;
};

// Waits while another thread runs the body of a module, unless that thread waits for one, too.
void wait_for_body(Interpreter& interpreter, std::string_view module) {
  if (imports().bodies.empty() || !has_other_threads(interpreter)) return;
  Value me = this_thread();
  auto runs_elsewhere = [&] {
    auto waits = [](const Value& thread) {
      return std::ranges::any_of(imports().waiting,
                                 [&](const Value& each) { return identical(each, thread); });
    };
    return std::ranges::any_of(imports().bodies, [&](const Imports::Body& each) {
      return each.module == module && !identical(each.thread, me) && !waits(each.thread);
    });
  };
  if (!runs_elsewhere()) return;
  imports().waiting.push_back(me);
  while (runs_elsewhere()) wait_a_little(interpreter);
  std::erase_if(imports().waiting, [&](const Value& each) { return identical(each, me); });
}

// Runs the text as the module's body; a module that fails is forgotten again.
void execute(Module& module, const Found& found) {
  Interpreter& interpreter = Interpreter::current();
  Dict& dict = module.dict();
  dict.set(names().file, Value(make_str(found.file_name)));
  std::string_view name = module.name();
  bool package = !found.package_path.empty();
  if (package) {
    Value path = make_str(found.package_path);
    dict.set(names().path, Value(make_list({path})));
  }
  std::string_view parent =
      package ? name : name.substr(0, name.rfind('.') == name.npos ? 0 : name.rfind('.'));
  dict.set(names().package, Value(make_str(parent)));
  Value key = make_str(name);
  interpreter.modules->set(key, Value(&module));
  auto source = std::make_shared<const syntax::Source>(found.file_name, found.text);
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
  Interpreter::current().modules->set(Value(make_str(name)), Value(module));
  return module;
}

// `plain_parent`: the module in front of the last dot, if it is no package.
[[noreturn]] void raise_not_found(std::string_view dotted_name,
                                  std::string_view plain_parent = {}) {
  std::vector<std::string_view> known;
  list_importable_modules(known);
  std::string text = fmt::format("No module named '{}'", dotted_name);
  if (!plain_parent.empty()) text += fmt::format("; '{}' is not a package", plain_parent);
  Value message = make_str(std::move(text));
  Ref<Exception> exception = make<Exception>(&errors::ModuleNotFoundError(),
                                             make_tuple(std::span<const Value>(&message, 1)));
  exception->attributes()->set(intern("name"), make_str(dotted_name));
  exception->hint = suggestion_text(dotted_name, known);
  raise_exception(exception);
}

// Loads one module whose parent is loaded; `folders` is where to look besides the built-in places.
Value load(std::string_view dotted_name, const Value& folders) {
  if (const NativeModule* native = find_native_module(dotted_name))
    return load_native(dotted_name, *native);
  Found found = find_source(dotted_name, folders);
  if (!found.exists) raise_not_found(dotted_name);
  Ref<Module> module = make<Module>(dotted_name);
  execute(*module, found);
  Value* replaced = Interpreter::current().modules->find(Value(make_str(dotted_name)));
  return replaced ? *replaced : Value(module);
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
  if (dot == dotted_name.npos) return load(dotted_name, Value(interpreter.search_path));
  Value parent = import_module(dotted_name.substr(0, dot));
  if (Value* loaded = interpreter.modules->find(Value(make_str(dotted_name)))) return *loaded;
  Name child = intern(dotted_name.substr(dot + 1));
  Value folders = find_attribute(parent, names().path);
  if (folders.is_empty() && !find_native_module(dotted_name) &&
      !find_in_stdlib(dotted_name).exists) {
    Value attribute = find_attribute(parent, child);
    if (attribute.has_layout(Layout::kModule)) {
      interpreter.modules->set(Value(make_str(dotted_name)), attribute);
      return attribute;
    }
    raise_not_found(dotted_name, dotted_name.substr(0, dot));
  }
  Value module = load(dotted_name, folders);
  // A file such as numpy/poly1d.npx must not hide the function of that name.
  if (find_embedded_name(dotted_name.substr(0, dot), text_of(child)).empty())
    set_attribute(parent, child, module);
  return module;
}

Value find_module_fact(Dict& globals, Name name) {
  if (name != names().spec && name != names().loader) return {};
  Value* known_as = globals.find(names().name);
  Value* loaded = known_as ? Interpreter::current().modules->find(*known_as) : nullptr;
  if (!loaded || !loaded->has_layout(Layout::kModule) || &loaded->as<Module>()->dict() != &globals)
    return {};
  Value module = *loaded;
  Value spec = call(get_attribute(import_module("importlib.util"), intern("_spec_of")), module);
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

}  // namespace strider::lang
