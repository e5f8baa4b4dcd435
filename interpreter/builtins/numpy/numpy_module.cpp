// The module numpy: names are looked for among the native functions, ufuncs, types and constants,
// then among the submodules and the functions written in npx.
#include "interpreter/builtins/numpy/numpy_module.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "interpreter/builtins/embedded.h"
#include "interpreter/builtins/numpy/argument_manners.h"
#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/numpy/functions/array_function.h"
#include "interpreter/builtins/numpy/functions/functions.h"
#include "interpreter/builtins/numpy/functions/shortcuts.h"
#include "interpreter/builtins/numpy/libraries/library_functions.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/builtins/numpy/print_options.h"
#include "interpreter/builtins/numpy/print_options_type.h"
#include "interpreter/builtins/numpy/removed_names.h"
#include "interpreter/builtins/numpy/scalar/type_info.h"
#include "interpreter/builtins/numpy/ufunc/error_state.h"
#include "interpreter/builtins/numpy/ufunc/general_ufunc.h"
#include "interpreter/builtins/numpy/ufunc/ufunc_object.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using nd::DType;
using Table = std::span<const NativeRow> (*)();

constexpr Table kTables[] = {creation_functions, sequence_functions, reduction_functions,
                             shape_functions,    type_functions,     error_state_functions,
                             print_functions,    index_functions,    sort_functions,
                             join_functions,     memory_functions,   product_functions,
                             signal_functions,   file_functions,     mapping_functions};

std::string_view name_of(const NativeRow& row) {
  std::string_view signature = row.signature;
  return signature.substr(0, signature.find('('));
}

struct ScalarAlias {
  const char* name;
  DType dtype;
};
constexpr ScalarAlias kAliases[] = {
    {"bool_", DType::kBool},         {"int_", DType::kInt64},
    {"intp", DType::kInt64},         {"intc", DType::kInt32},
    {"byte", DType::kInt8},          {"short", DType::kInt16},
    {"long", DType::kInt64},         {"longlong", DType::kInt64},
    {"uint", DType::kUInt64},        {"uintp", DType::kUInt64},
    {"uintc", DType::kUInt32},       {"ubyte", DType::kUInt8},
    {"ushort", DType::kUInt16},      {"ulong", DType::kUInt64},
    {"ulonglong", DType::kUInt64},   {"half", DType::kFloat16},
    {"single", DType::kFloat32},     {"double", DType::kFloat64},
    {"csingle", DType::kComplex64},  {"cdouble", DType::kComplex128},
    {"longdouble", DType::kFloat64}, {"clongdouble", DType::kComplex128}};

Value find_scalar_type(std::string_view name) {
  for (int i = 0; i < nd::kDTypeCount; ++i)
    if (nd::name(static_cast<DType>(i)) == name)
      return Value(&NumpyScalar::type_object(static_cast<DType>(i)));
  for (const ScalarAlias& alias : kAliases)
    if (name == alias.name) return Value(&NumpyScalar::type_object(alias.dtype));
  if (Value found = find_in_namespace("numpy", name); !found.is_empty()) return found;
  if (Type* abstract = find_abstract_scalar_type(name)) return Value(abstract);
  return Value();
}

struct TypeRow {
  const char* name;
  Type& (*type)();
};
const TypeRow kTypes[] = {
    {"ndarray", ArrayObject::type_object}, {"dtype", DTypeObject::type_object},
    {"ufunc", UfuncObject::type_object},   {"flatiter", flat_iterator_type},
    {"errstate", error_state_type},        {"finfo", float_info_type},
    {"iinfo", integer_info_type},          {"printoptions", print_options_type},
};

Value type_codes() {
  Ref<Dict> codes = make_dict();
  auto set = [&codes](const char* key, const char* text) {
    codes->set(intern(key), Value(make_str(text)));
  };
  set("Character", "c");
  set("Integer", "bhilqnp");
  set("UnsignedInteger", "BHILQNP");
  set("Float", "efdg");
  set("Complex", "FDG");
  set("AllInteger", "bBhHiIlLqQnNpP");
  set("AllFloat", "efdgFDG");
  set("Datetime", "Mm");
  set("All", "?bhilqnpBHILQNPefdgFDGSUVOMm");
  return codes;
}

Value scalar_type_list() {
  Values types{Value(&int_type()),  Value(&float_type()),         Value(&Complex::type_object()),
               Value(&bool_type()), Value(&Bytes::type_object()), Value(&Str::type_object())};
  for (int i = 0; i < nd::kDTypeCount; ++i)
    types.emplace_back(&NumpyScalar::type_object(static_cast<DType>(i)));
  return make_tuple(std::move(types));
}

Value find_numpy(Name name);
void list_numpy(std::vector<std::string_view>& names);

// All names that are not private, and the version.
Value public_names() {
  std::vector<std::string_view> listed;
  list_numpy(listed);
  std::set<std::string_view> names;
  for (std::string_view name : listed)
    if (!name.starts_with('_')) names.insert(name);
  names.insert("__version__");
  Ref<List> result = make_list();
  for (std::string_view name : names) result->items.emplace_back(intern(name));
  return Value(result);
}

Value scalar_type_dict() {
  Ref<Dict> types = make_dict();
  for (int i = 0; i < nd::kDTypeCount; ++i) {
    DType dtype = static_cast<DType>(i);
    types->set(intern(nd::name(dtype)), Value(&NumpyScalar::type_object(dtype)));
  }
  for (const ScalarAlias& alias : kAliases)
    types->set(intern(alias.name), Value(&NumpyScalar::type_object(alias.dtype)));
  constexpr std::pair<const char*, DType> kBuiltins[] = {
      {"int", DType::kInt64}, {"float", DType::kFloat64}, {"complex", DType::kComplex128}};
  for (const auto& [name, dtype] : kBuiltins)
    types->set(intern(name), Value(&NumpyScalar::type_object(dtype)));
  for (std::string_view name : {"bytes_", "str_", "void", "object_", "datetime64", "timedelta64"})
    types->set(intern(name), find_numpy(intern(name)));
  for (std::string_view name : {"bytes", "str", "object"})
    types->set(intern(name), find_numpy(intern(fmt::format("{}_", name))));
  return types;
}

constexpr const char* kPackages[] = {"char",       "ctypeslib", "dtypes", "emath",   "exceptions",
                                     "fft",        "lib",       "linalg", "ma",      "polynomial",
                                     "random",     "rec",       "strings", "testing", "typing"};

const ConstantRow kConstants[] = {
    {"pi", [] { return Value::real(std::numbers::pi); }},
    {"e", [] { return Value::real(std::numbers::e); }},
    {"euler_gamma", [] { return Value::real(std::numbers::egamma); }},
    {"inf", [] { return Value::real(INFINITY); }},
    {"nan", [] { return Value::real(std::nan("")); }},
    {"newaxis", [] { return Value::none(); }},
    {"True_", [] { return make_scalar(nd::Scalar(true)); }},
    {"False_", [] { return make_scalar(nd::Scalar(false)); }},
    {"little_endian", [] { return Value::boolean(true); }},
    {"typecodes", type_codes},
    {"ScalarType", scalar_type_list},
    {"sctypeDict", scalar_type_dict},
    {"__all__", public_names},
    {"__array_api_version__", []() -> Value { return make_str("2024.12"); }},
    {"__version__", []() -> Value { return make_str("2.4.6"); }},
};

struct AbsentName {
  std::string_view names;
  const char* reason;
};
constexpr AbsentName kAbsent[] = {
    {" float128 complex256 ", "the widest types here are float64 and complex128"},
    {" f2py ", "no library written in C or Fortran can be called"},
    {" get_include ", "there are no headers: no code in C can be compiled against Strider"},
    {" test ", "NumPy's own tests are not here"},
};

// Explains names of NumPy that Strider does without.
void explain_absent(std::string_view name) {
  for (const AbsentName& absent : kAbsent)
    if (absent.names.find(fmt::format(" {} ", name)) != std::string_view::npos)
      raise(errors::AttributeError, "`np.{}` is not supported: {}", name, absent.reason);
}

Value find_function(std::string_view name) {
  for (Table table : kTables)
    for (const NativeRow& row : table()) {
      if (name_of(row) != name) continue;
      Ref<NativeFunction> function = make<NativeFunction>(row, nullptr);
      function->module = "numpy";
      make_overridable(Value(function), name);
      guard_elements(*function);
      return function;
    }
  return Value();
}

Value find_constant(std::string_view name) {
  for (const TypeRow& row : kTypes)
    if (name == row.name) return Value(&row.type());
  for (const ConstantRow& row : kConstants)
    if (name == row.name) return row.make();
  return find_scalar_type(name);
}

// A name that NumPy still has, with a warning.
Value find_deprecated(std::string_view name) {
  if (name != "chararray") return Value();
  warn(errors::DeprecationWarning(),
       "`np.chararray` is deprecated and will be removed from the main namespace in the future. "
       "Use an array with a string or bytes dtype instead.");
  return find_in_namespace("numpy.char", name);
}

Value find_numpy(Name name) {
  install_numpy_errors();
  install_argument_manners();
  std::string_view text = text_of(name);
  if (Value found = find_general_ufunc(text); !found.is_empty()) return found;
  if (Value found = find_function(text); !found.is_empty()) return found;
  if (text != "clip" && text != "divmod_")
    if (std::optional<nd::Op> op = nd::find_op(text)) return make_ufunc(*op);
  if (Value found = find_constant(text); !found.is_empty()) return found;
  if (Value found = find_in_namespace("numpy", text); !found.is_empty()) return found;
  if (Value found = find_deprecated(text); !found.is_empty()) return found;
  explain_absent(text);
  if (find_embedded_name("numpy", text).empty()) explain_removed(text);
  return Value();
}

void list_numpy(std::vector<std::string_view>& names) {
  for (Table table : kTables)
    for (const NativeRow& row : table()) names.push_back(name_of(row));
  for (int i = 0; i < nd::kOpCount; ++i) names.push_back(nd::facts(static_cast<nd::Op>(i)).name);
  for (const nd::OpAlias& alias : nd::op_aliases()) names.push_back(alias.name);
  for (const TypeRow& row : kTypes) names.push_back(row.name);
  for (const ConstantRow& row : kConstants) names.push_back(row.name);
  for (int i = 0; i < nd::kDTypeCount; ++i) names.push_back(nd::name(static_cast<DType>(i)));
  for (const ScalarAlias& alias : kAliases) names.push_back(alias.name);
  list_abstract_scalar_types(names);
  for (const char* package : kPackages) names.push_back(package);
  list_namespace("numpy", names);
}

}  // namespace

// Makes a function of a file in npx ask the classes of its arguments first, unless it is one of
// those that answer such calls.
static void offer_to_classes(const Value& file, std::string_view name) {
  if (name.find("boxed") == name.npos) make_overridable(get_attribute(file, intern(name)), name);
}

// Has native code asked first where there is some for a function of a package.
static void shorten(const Value& file, std::string_view name, std::string_view package) {
  Function::Shortcut code = nullptr;
  if (package == "numpy.linalg") code = find_shortcut(linalg_shortcuts(), name);
  if (package == "numpy")
    for (auto shortcuts : {shape_shortcuts, value_shortcuts})
      if (!code) code = find_shortcut(shortcuts(), name);
  if (!code) return;
  Value found = get_attribute(file, intern(name));
  if (found.has_layout(Layout::kFunction)) found.as<Function>()->take_shortcut(code);
}

// Functions are of the package that shows them, not of the file that they stand in. Of several
// packages it is numpy itself, and of char and strings the latter.
static void name_package(const Value& file, std::string_view module_of_file, std::string_view name,
                         std::string_view package) {
  Value found = get_attribute(file, intern(name));
  if (!found.has_layout(Layout::kFunction)) return;
  static const Name module = intern("__module__");
  std::string_view own = text_of(get_attribute(found, module));
  bool first = own == module_of_file, better = package == "numpy" || package == "numpy.strings";
  if (first || (better && own.starts_with("numpy.") && own != "numpy"))
    set_attribute(found, module, make_str(package));
}

Value find_in_namespace(std::string_view package, std::string_view name) {
  std::string child = fmt::format("{}.{}", package, name);
  std::string_view path = find_embedded_name(package, name);
  if (path.empty()) return find_native_module(child) ? import_module(child) : Value();
  std::string module(path.substr(0, path.size() - 4));
  for (char& each : module)
    if (each == '/') each = '.';
  Value file = import_module(module);
  for (const EmbeddedName& each : embedded_names())
    if (each.path == path && each.package == package)
      name_package(file, module, each.name, package);
  constexpr std::string_view kAsk[] = {"numpy", "numpy.linalg", "numpy.fft", "numpy.emath",
                                       "numpy.lib.stride_tricks"};
  if (std::find(std::begin(kAsk), std::end(kAsk), package) != std::end(kAsk))
    for (const EmbeddedName& each : embedded_names())
      if (each.path == path) {
        offer_to_classes(file, each.name);
        shorten(file, each.name, package);
      }
  return get_attribute(file, intern(name));
}

void list_namespace(std::string_view package, std::vector<std::string_view>& names) {
  for (const EmbeddedName& each : embedded_names())
    if (each.package == package && !each.name.starts_with('_')) names.push_back(each.name);
}

const NativeModule kNumpyModule = {
    "numpy",   "Arrays of numbers, and what mathematics does with them.", {}, {}, find_numpy,
    list_numpy};

}  // namespace strider::lang
