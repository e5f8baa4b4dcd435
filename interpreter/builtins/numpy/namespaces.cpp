// Submodules of numpy that hold only names written in npx, types and errors.
#include "interpreter/builtins/numpy/namespaces.h"

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/numpy/file/npz_type.h"
#include "interpreter/builtins/numpy/numpy_module.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr const char* kPackages[] = {"numpy.lib",
                                     "numpy.char",
                                     "numpy.strings",
                                     "numpy.rec",
                                     "numpy.lib.recfunctions",
                                     "numpy.lib.array_utils",
                                     "numpy.lib.format",
                                     "numpy.matlib",
                                     "numpy.ctypeslib",
                                     "numpy.lib.mixins",
                                     "numpy.testing",
                                     "numpy.testing.overrides",
                                     "numpy.typing",
                                     "numpy.emath",
                                     "numpy.cuda",
                                     "numpy.ma",
                                     "numpy.ma.testutils",
                                     "numpy.ma.mrecords",
                                     "numpy.polynomial",
                                     "numpy.polynomial.polynomial",
                                     "numpy.polynomial.chebyshev",
                                     "numpy.polynomial.legendre",
                                     "numpy.polynomial.laguerre",
                                     "numpy.polynomial.hermite",
                                     "numpy.polynomial.hermite_e",
                                     "numpy.polynomial.polyutils"};
constexpr int kPackageCount = std::size(kPackages);

template <int kIndex>
Value find_name(Name name) {
  return find_in_namespace(kPackages[kIndex], text_of(name));
}

template <int kIndex>
void list_names(std::vector<std::string_view>& names) {
  list_namespace(kPackages[kIndex], names);
}

template <int... kIndices>
std::vector<NativeModule> make_packages(std::integer_sequence<int, kIndices...>) {
  return {NativeModule{kPackages[kIndices],
                       "A namespace of numpy.",
                       {},
                       {},
                       find_name<kIndices>,
                       list_names<kIndices>}...};
}

// Older or private names of modules, by which programs reach names of others.
struct Alias {
  const char* name;
  const char* target;
};
constexpr Alias kModuleAliases[] = {{"numpy.ma.core", "numpy.ma"},
                                    {"numpy.ma.extras", "numpy.ma"},
                                    {"numpy.random.mtrand", "numpy.random"},
                                    {"numpy.random.bit_generator", "numpy.random"},
                                    {"numpy.random._generator", "numpy.random"},
                                    {"numpy.matrixlib", "numpy"},
                                    {"numpy.matrixlib.defmatrix", "numpy"},
                                    {"numpy.lib.scimath", "numpy.emath"},
                                    {"numpy.core", "numpy"},
                                    {"numpy.core.numeric", "numpy"},
                                    {"numpy.core.fromnumeric", "numpy"},
                                    {"numpy.core.umath", "numpy"},
                                    {"numpy.core.multiarray", "numpy"},
                                    {"numpy.core.records", "numpy.rec"},
                                    {"numpy.core.defchararray", "numpy.char"},
                                    {"numpy.core.function_base", "numpy"},
                                    {"numpy.core.shape_base", "numpy"},
                                    {"numpy.core.arrayprint", "numpy"},
                                    {"numpy.core.einsumfunc", "numpy"},
                                    {"numpy.core.getlimits", "numpy"},
                                    {"numpy.core.numerictypes", "numpy"},
                                    {"numpy._core", "numpy"},
                                    {"numpy._core.records", "numpy.rec"},
                                    {"numpy._core.defchararray", "numpy.char"},
                                    {"numpy._core.numeric", "numpy"},
                                    {"numpy._core.umath", "numpy"},
                                    {"numpy._core.arrayprint", "numpy"},
                                    {"numpy._core.function_base", "numpy"},
                                    {"numpy._core.getlimits", "numpy"},
                                    {"numpy._core.numerictypes", "numpy"},
                                    {"numpy._core.shape_base", "numpy"},
                                    {"numpy._core.multiarray", "numpy"},
                                    {"numpy._core.fromnumeric", "numpy"}};
constexpr int kAliasCount = std::size(kModuleAliases);

bool is_core(std::string_view module) {
  return module.starts_with("numpy._core") || module.starts_with("numpy.core");
}

// A module below the alias, a name that NumPy has in its core alone, or a public name of the
// target.
template <int kIndex>
Value find_aliased(Name name) {
  const Alias& alias = kModuleAliases[kIndex];
  std::string_view text = text_of(name);
  std::string below = fmt::format("{}.{}", alias.name, text);
  if (find_numpy_namespace(below)) return import_module(below);
  if (text.starts_with('_') && text != "_rand") return Value();
  if (is_core(alias.name))
    if (Value found = find_in_namespace("numpy.core", text); !found.is_empty()) return found;
  return find_attribute(import_module(alias.target), name);
}

template <int kIndex>
void list_aliased(std::vector<std::string_view>& names) {
  const Alias& alias = kModuleAliases[kIndex];
  if (is_core(alias.name)) list_namespace("numpy.core", names);
  const NativeModule* target = find_native_module(alias.target);
  if (target && target->list) target->list(names);
}

template <int... kIndices>
std::vector<NativeModule> make_aliases(std::integer_sequence<int, kIndices...>) {
  return {NativeModule{kModuleAliases[kIndices].name,
                       "Another name of a module of numpy.",
                       {},
                       {},
                       find_aliased<kIndices>,
                       list_aliased<kIndices>}...};
}

const ConstantRow kExceptions[] = {
    {"AxisError", [] { return Value(&axis_error()); }},
    {"ComplexWarning", [] { return Value(&complex_warning()); }},
    {"RankWarning", [] { return Value(&rank_warning()); }},
    {"VisibleDeprecationWarning", [] { return Value(&visible_deprecation_warning()); }},
    {"TooHardError", [] { return Value(&too_hard_error()); }},
    {"DTypePromotionError", [] { return Value(&dtype_promotion_error()); }},
};

const NativeModule kExceptionsModule = {
    "numpy.exceptions", "The errors and warnings of numpy.", {}, kExceptions, nullptr, nullptr};

// Errors that programs name by NumPy's inside.
const ConstantRow kUfuncErrors[] = {
    {"UFuncTypeError", [] { return Value(&ufunc_type_error("")); }},
    {"_UFuncNoLoopError", [] { return Value(&ufunc_type_error("did not contain a loop")); }},
    {"_UFuncInputCastingError",
     [] { return Value(&ufunc_type_error("Cannot cast ufunc ' input")); }},
    {"_UFuncOutputCastingError", [] { return Value(&ufunc_type_error("Cannot cast ufunc")); }},
    {"_ArrayMemoryError", [] { return Value(&array_memory_error()); }},
};

const NativeModule kInnerErrorsModule = {"numpy._core._exceptions",
                                         "Errors of ufuncs and of memory.",
                                         {},
                                         kUfuncErrors,
                                         nullptr,
                                         nullptr};

// The classes that are written in the language, and their modules.
constexpr std::pair<const char*, const char*> kBoxedClasses[] = {
    {"StrDType", "numpy._boxed.dtypes"},
    {"BytesDType", "numpy._boxed.dtypes"},
    {"ObjectDType", "numpy._boxed.dtypes"},
    {"VoidDType", "numpy._records.dtypes"},
    {"DateTime64DType", "numpy._dates.dtypes"},
    {"TimeDelta64DType", "numpy._dates.dtypes"},
    {"StringDType", "numpy._variable_strings.dtypes"}};

// The names of C's types for some classes.
constexpr std::pair<std::string_view, nd::DType> kNamesInC[] = {
    {"ByteDType", nd::DType::kInt8},          {"UByteDType", nd::DType::kUInt8},
    {"ShortDType", nd::DType::kInt16},        {"UShortDType", nd::DType::kUInt16},
    {"IntDType", nd::DType::kInt32},          {"UIntDType", nd::DType::kUInt32},
    {"LongDType", nd::DType::kInt64},         {"ULongDType", nd::DType::kUInt64},
    {"LongLongDType", nd::DType::kInt64},     {"ULongLongDType", nd::DType::kUInt64},
    {"LongDoubleDType", nd::DType::kFloat64}, {"CLongDoubleDType", nd::DType::kComplex128}};

void list_dtype_classes(std::vector<std::string_view>& names) {
  for (int i = 0; i < nd::kDTypeCount; ++i)
    names.push_back(DTypeObject::type_object(static_cast<nd::DType>(i)).qualified_name);
  for (const auto& [text, dtype] : kNamesInC) names.push_back(text);
  for (const auto& [text, module] : kBoxedClasses) names.push_back(text);
}

Value all_dtype_classes() {
  std::vector<std::string_view> names;
  list_dtype_classes(names);
  Values items;
  for (std::string_view name : names) items.emplace_back(make_str(name));
  return make_list(std::move(items));
}

// "Float64DType": the class of a dtype.
Value find_dtype_class(Name name) {
  if (text_of(name) == "__all__") return all_dtype_classes();
  for (const auto& [text, dtype] : kNamesInC)
    if (text == text_of(name)) return Value(&DTypeObject::type_object(dtype));
  for (int i = 0; i < nd::kDTypeCount; ++i) {
    Type& type = DTypeObject::type_object(static_cast<nd::DType>(i));
    if (type.qualified_name == text_of(name)) return Value(&type);
  }
  for (const auto& [text, module] : kBoxedClasses)
    if (text == text_of(name)) return get_attribute(import_module(module), name);
  return Value();
}

const NativeModule kDTypesModule = {
    "numpy.dtypes", "The classes of element types.", {}, {}, find_dtype_class, list_dtype_classes};

const ConstantRow kFileTypes[] = {{"NpzFile", [] { return Value(&npz_type()); }}};

constexpr char kFiles[] = "numpy.lib.npyio";

Value find_in_files(Name name) { return find_in_namespace(kFiles, text_of(name)); }

void list_files(std::vector<std::string_view>& names) { list_namespace(kFiles, names); }

const NativeModule kFilesModule = {kFiles,
                                   "Archives of arrays, and files by their names or addresses.",
                                   {},
                                   kFileTypes,
                                   find_in_files,
                                   list_files};

}  // namespace

const NativeModule* find_numpy_namespace(std::string_view name) {
  static const auto& packages = *new std::vector<NativeModule>(
      make_packages(std::make_integer_sequence<int, kPackageCount>()));
  static const auto& aliases =
      *new std::vector<NativeModule>(make_aliases(std::make_integer_sequence<int, kAliasCount>()));
  for (const NativeModule& package : packages)
    if (name == package.name) return &package;
  for (const NativeModule& alias : aliases)
    if (name == alias.name) return &alias;
  if (name == kDTypesModule.name) return &kDTypesModule;
  if (name == kFilesModule.name) return &kFilesModule;
  if (name == kInnerErrorsModule.name || name == "numpy.core._exceptions")
    return &kInnerErrorsModule;
  return name == kExceptionsModule.name ? &kExceptionsModule : nullptr;
}

}  // namespace strider::lang
