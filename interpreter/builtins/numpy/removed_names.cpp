// Names of NumPy before 2.0, and what programs should use in their place.
#include "interpreter/builtins/numpy/removed_names.h"

#include <fmt/format.h>

#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

struct RemovedName {
  const char* name;
  const char* advice;
};
constexpr RemovedName kRemoved[] = {
    {"float_", "Use `np.float64` instead."},
    {"complex_", "Use `np.complex128` instead."},
    {"Inf", "Use `np.inf` instead."},
    {"Infinity", "Use `np.inf` instead."},
    {"NaN", "Use `np.nan` instead."},
    {"infty", "Use `np.inf` instead."},
    {"PINF", "Use `np.inf` instead."},
    {"NINF", "Use `-np.inf` instead."},
    {"PZERO", "Use `0.0` instead."},
    {"NZERO", "Use `-0.0` instead."},
    {"alltrue", "Use `np.all` instead."},
    {"sometrue", "Use `np.any` instead."},
    {"round_", "Use `np.round` instead."},
    {"asfarray", "Use `np.asarray` with a proper dtype instead."},
    {"cast", "Use `np.asarray(arr, dtype=dtype)` instead."},
    {"source", "Use `inspect.getsource` instead."},
    {"find_common_type",
     "Use `numpy.promote_types` or `numpy.result_type` instead. To achieve semantics for the "
     "`scalar_types` argument, use `numpy.result_type` and pass the Python values `0`, `0.0`, or "
     "`0j`."},
    {"mat", "Use `np.asmatrix` instead."},
    {"unicode_", "Use `np.str_` instead."},
    {"string_", "Use `np.bytes_` instead."},
    {"longfloat", "Use `np.longdouble` instead."},
    {"singlecomplex", "Use `np.complex64` instead."},
    {"cfloat", "Use `np.complex128` instead."},
    {"clongfloat", "Use `np.clongdouble` instead."},
    {"longcomplex", "Use `np.clongdouble` instead."},
    {"who", "Use an IDE variable explorer or `locals()` instead."},
    {"lookfor", "Search NumPy's documentation directly."},
    {"deprecate",
     "Emit `DeprecationWarning` with `warnings.warn` directly, or use `typing.deprecated`."},
    {"deprecate_with_doc",
     "Emit `DeprecationWarning` with `warnings.warn` directly, or use `typing.deprecated`."},
    {"byte_bounds", "Now it's available under `np.lib.array_utils.byte_bounds`"},
    {"compare_chararrays", "It's still available as `np.char.compare_chararrays`."},
    {"format_parser", "It's still available as `np.rec.format_parser`."},
    {"safe_eval", "Use `ast.literal_eval` instead."},
    {"recfromcsv", "Use `np.genfromtxt` with comma delimiter instead."},
    {"recfromtxt", "Use `np.genfromtxt` instead."},
    {"issubsctype", "Use `np.issubdtype` instead."},
    {"issubclass_", "Use `issubclass` builtin instead."},
    {"issctype", "Use `issubclass(rep, np.generic)` instead."},
    {"obj2sctype", "Use `np.dtype(obj).type` instead."},
    {"sctype2char", "Use `np.dtype(obj).char` instead."},
    {"sctypes", "Access dtypes explicitly instead."},
    {"maximum_sctype",
     "Use a specific dtype instead. You should avoid relying on any implicit mechanism and "
     "select the largest dtype of a kind explicitly in the code."},
    {"set_string_function",
     "Use `np.set_printoptions` instead with a formatter for custom printing of NumPy objects."},
    {"nbytes", "Use `np.dtype(<dtype>).itemsize` instead."},
    {"geterrobj", "Use the np.errstate context manager instead."},
    {"seterrobj", "Use the np.errstate context manager instead."},
    {"add_docstring", "It's still available as `np.lib.add_docstring`."},
    {"add_newdoc", "It's still available as `np.lib.add_newdoc`."},
    {"tracemalloc_domain", "It's now available from `np.lib`."},
    {"DataSource", "It's still available as `np.lib.npyio.DataSource`."},
    {"fastCopyAndTranspose", "Use `arr.T.copy()` instead."},
};

// Names that were those of Python's own types.
constexpr RemovedName kBuiltins[] = {
    {"int",
     "When replacing `np.int`, you may wish to use e.g. `np.int64` or `np.int32` to specify the "
     "precision. If you wish to review your current use, check the release note link for "
     "additional information."},
    {"float", "If you specifically wanted the numpy scalar type, use `np.float64` here."},
    {"complex", "If you specifically wanted the numpy scalar type, use `np.complex128` here."},
    {"object", ""},
    {"str", "If you specifically wanted the numpy scalar type, use `np.str_` here."},
};

// The error says itself what to write, so it names nothing that a traceback could compare with.
[[noreturn]] void refuse(const std::string& message) {
  Value text = make_str(message);
  auto exception =
      make<Exception>(&errors::AttributeError(), make_tuple(std::span<const Value>(&text, 1)));
  exception->attributes()->set(intern("name"), Value::none());
  raise_exception(exception);
}

}  // namespace

void explain_removed(std::string_view name) {
  if (name == "str" || name == "bytes" || name == "object")
    warn(errors::FutureWarning(),
         fmt::format("In the future `np.{}` will be defined as the corresponding NumPy scalar.",
                     name));
  for (const RemovedName& removed : kRemoved)
    if (name == removed.name)
      refuse(fmt::format("`np.{}` was removed in the NumPy 2.0 release. {}", name, removed.advice));
  for (const RemovedName& builtin : kBuiltins)
    if (name == builtin.name)
      refuse(fmt::format(
          "module 'numpy' has no attribute '{0}'.\n`np.{0}` was a deprecated alias for the "
          "builtin `{0}`. To avoid this error in existing code, use `{0}` by itself. Doing this "
          "will not modify any behavior and is safe. {1}\nThe aliases was originally deprecated "
          "in NumPy 1.20; for more details and guidance see the original release note at:\n"
          "    https://numpy.org/devdocs/release/1.20.0-notes.html#deprecations",
          name, builtin.advice));
}

}  // namespace strider::lang
