// The standard finders in sys.meta_path stand for the importer, which is written in C++; as long as
// a program adds none to them, nothing here is asked. importlib.machinery has the rest.
#include "interpreter/builtins/import/finders.h"

#include <filesystem>

#include "interpreter/builtins/import/module_source.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/program/module.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMachinery = "importlib.machinery";

// A list of the sys module, if anything has asked for it.
Value list_of_sys(std::string_view name) {
  Value* sys = Interpreter::current().modules->find(Value(make_str("sys")));
  if (!sys || !sys->has_layout(Layout::kModule)) return {};
  Value* found = sys->as<Module>()->dict().find(intern(name));
  return found ? *found : Value();
}

bool is_standard(const Value& finder) {
  Value module = find_attribute(finder, names().module);
  return is_str(module) && text_of(module) == kMachinery;
}

bool finds_in_folders(const Value& finder) {
  Value name = find_attribute(finder, names().name);
  return is_standard(finder) && is_str(name) && text_of(name) == "PathFinder";
}

// What a finder tells of a module; None: it does not know it. Older finders give a loader.
Value asked_for_spec(const Value& finder, const Value& name, const Value& path) {
  Value find = find_attribute(finder, intern("find_spec"));
  if (!find.is_empty()) return call(find, name, path, Value::none());
  find = find_attribute(finder, intern("find_module"));
  Value loader = find.is_empty() ? Value::none() : call(find, name, path);
  if (loader.is_none()) return loader;
  return call(get_attribute(import_module("importlib.util"), intern("spec_from_loader")), name,
              loader);
}

// Whether a place that is no folder is a file, or looks like a folder of one.
bool lies_in_file(fs::path place) {
  std::error_code ignored;
  while (!place.empty() && !fs::exists(place, ignored) && place != place.parent_path())
    place = place.parent_path();
  return fs::is_regular_file(place, ignored);
}

}  // namespace

Value find_by_finders(std::string_view dotted_name, const Value& places, Turn turn) {
  Value finders = list_of_sys("meta_path");
  if (finders.is_empty() || !is_list(finders)) return {};
  if (library_is_running() && find_in_library(dotted_name).exists) return {};
  Turn now = Turn::kBefore;
  const Values all = finders.as<List>()->items;
  for (const Value& finder : all) {
    if (finds_in_folders(finder)) now = Turn::kAfter;
    if (now != turn || is_standard(finder)) continue;
    bool is_outermost = dotted_name.find('.') == dotted_name.npos;
    Value spec = asked_for_spec(finder, make_str(dotted_name),
                                is_outermost || places.is_empty() ? Value::none() : places);
    if (!spec.is_none()) return spec;
  }
  return {};
}

Value find_by_hooks(const Value& place, std::string_view dotted_name) {
  if (!lies_in_file(text_of(place)) && list_of_sys("path_hooks").is_empty()) return {};
  // While importlib itself is looked for, it cannot be asked.
  thread_local bool importing = false;
  if (importing) return {};
  importing = true;
  Value machinery;
  try {
    machinery = import_module(kMachinery);
  } catch (...) {
    importing = false;
    throw;
  }
  importing = false;
  Value spec =
      call(get_attribute(machinery, intern("_find_in_place")), place, make_str(dotted_name));
  return spec.is_none() ? Value() : spec;
}

Value load_from_spec(const Value& spec) {
  return call(get_attribute(import_module(kMachinery), intern("_load")), spec);
}

}  // namespace strider::lang
