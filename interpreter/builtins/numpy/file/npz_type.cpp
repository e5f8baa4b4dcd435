// numpy.lib.npyio.NpzFile as a type of the language: a mapping from names to arrays.
#include "interpreter/builtins/numpy/file/npz_type.h"

#include <fmt/format.h>
#include <strider/nd/error.h>

#include <optional>

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

class NpzObject : public Object {
 public:
  NpzObject(nd::NpzFile file, std::string label, bool allows_pickle)
      : Object(Layout::kOther, &type_object()),
        file(std::move(file)),
        label(std::move(label)),
        allows_pickle(allows_pickle) {}
  static Type& type_object();
  std::optional<nd::NpzFile> file;  // none once closed
  const std::string label;
  const bool allows_pickle;
};

const nd::NpzFile& file_of(const Value& self) {
  auto* object = self.as<NpzObject>();
  if (!object->file) raise(errors::ValueError, "the archive {} is closed", object->label);
  return *object->file;
}

// The member meant by a key, with or without ".npy"; empty if there is none.
std::string member_name(const nd::NpzFile& file, const Value& key) {
  if (!is_str(key)) return {};
  std::string name(text_of(key));
  if (file.contains(name)) return name;
  if (name.ends_with(".npy") && file.contains(name.substr(0, name.size() - 4)))
    return name.substr(0, name.size() - 4);
  return {};
}

Value read_member(const Value& self, const std::string& name) {
  const nd::NpzFile& file = file_of(self);
  if (file.is_array(name))
    return read_npy_content(file.read_bytes(name), self.as<NpzObject>()->allows_pickle);
  return make<Bytes>(file.read_bytes(name));
}

Value get_member(const Value& self, const Value& key) {
  const nd::NpzFile& file = file_of(self);
  std::string name = member_name(file, key);
  if (name.empty())
    raise_value(errors::KeyError(),
                make_str(fmt::format("{} is not a file in the archive", str_text(key))));
  return read_member(self, name);
}

bool has_member(const Value& self, const Value& key) {
  return !member_name(file_of(self), key).empty();
}

Value name_list(const Value& self) {
  Values names;
  for (const std::string& name : file_of(self).files()) names.push_back(make_str(name));
  return make_list(std::move(names));
}

std::int64_t count_members(const Value& self) {
  return static_cast<std::int64_t>(file_of(self).files().size());
}

Value repr_npz(const Value& self) {
  constexpr std::size_t kShown = 5;
  auto* object = self.as<NpzObject>();
  std::string text = fmt::format("NpzFile {} with keys: ", quote(object->label));
  const std::vector<std::string>& names = file_of(self).files();
  for (std::size_t i = 0; i < names.size() && i < kShown; ++i)
    text += (i > 0 ? ", " : "") + names[i];
  return make_str(names.size() > kShown ? text + "..." : text);
}

// What mappings have as views: arrays are read when they are asked for.
Value view_of_class(const Value& archive, std::string_view name) {
  return call(get_attribute(import_module("collections.abc"), intern(name)), archive);
}

Value keys(const Parameters& p) { return view_of_class(p[0], "KeysView"); }
Value values(const Parameters& p) { return view_of_class(p[0], "ValuesView"); }
Value items(const Parameters& p) { return view_of_class(p[0], "ItemsView"); }

Value get_or(const Parameters& p) { return has_member(p[0], p[1]) ? get_member(p[0], p[1]) : p[2]; }

Value close(const Parameters& p) {
  p[0].as<NpzObject>()->file.reset();
  return Value::none();
}

const NativeRow kMethods[] = {
    {"keys(self)", keys, "The names of the arrays."},
    {"values(self)", values, "The arrays."},
    {"items(self)", items, "Pairs of name and array."},
    {"get(self, key, default=None, /)", get_or, "The array of a name, or the default."},
    {"close(self)", close, "Closes the file."},
    {"__enter__(self)", [](const Parameters& p) { return p[0]; }, "The archive itself."},
    {"__exit__(self, exc_type, exc_value, traceback)", close, "Closes the file."},
};

const PropertyRow kProperties[] = {
    {"files", name_list, nullptr, "The names of the arrays."},
    {"f", [](const Value& self) { return call_in_npx("_archive_attributes", {self}); }, nullptr,
     "The arrays as attributes."},
};

Type& NpzObject::type_object() {
  static Type& type = *[] {
    Type& made = new_type("numpy.lib.npyio.NpzFile", Type::object_type());
    made.module = "numpy.lib.npyio";
    made.qualified_name = "NpzFile";
    made.instance_layout = Layout::kOther;
    made.slots.repr = repr_npz;
    made.slots.length = count_members;
    made.slots.get_item = get_member;
    made.slots.contains = has_member;
    made.slots.iterate = [](const Value& self) { return iterate(name_list(self)); };
    made.add(kMethods);
    made.add(kProperties);
    return &made;
  }();
  return type;
}

}  // namespace

Type& npz_type() { return NpzObject::type_object(); }

Value make_npz(nd::NpzFile file, std::string label, bool allows_pickle) {
  return make<NpzObject>(std::move(file), std::move(label), allows_pickle);
}

Value read_npy_content(std::string content, bool allows_pickle) {
  nd::Bytes bytes = std::as_bytes(std::span(content));
  try {
    return wrap(nd::read_npy(bytes));
  } catch (const nd::Error& error) {
    bool boxed = error.kind() == nd::ErrorKind::kNotImplemented ||
                 std::string_view(error.what()).starts_with("Object arrays");
    if (!boxed) throw;
  }
  return call_in_npx("_boxed_load",
                     {Value(make<Bytes>(std::move(content))), Value::boolean(allows_pickle)});
}

}  // namespace strider::lang
