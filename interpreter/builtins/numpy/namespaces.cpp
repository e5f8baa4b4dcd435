// Submodules of numpy that hold only names written in npx, types and errors.
#include "interpreter/builtins/numpy/namespaces.h"

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/numpy/numpy_module.h"

namespace strider::lang {
namespace {

constexpr const char* kPackages[] = {"numpy.lib",
                                     "numpy.lib.array_utils",
                                     "numpy.lib.mixins",
                                     "numpy.testing",
                                     "numpy.typing",
                                     "numpy.emath",
                                     "numpy.cuda",
                                     "numpy.ma",
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

}  // namespace

const NativeModule* find_numpy_namespace(std::string_view name) {
  static const auto& packages = *new std::vector<NativeModule>(
      make_packages(std::make_integer_sequence<int, kPackageCount>()));
  for (const NativeModule& package : packages)
    if (name == package.name) return &package;
  return name == kExceptionsModule.name ? &kExceptionsModule : nullptr;
}

}  // namespace strider::lang
