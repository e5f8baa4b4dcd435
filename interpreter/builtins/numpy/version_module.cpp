// The module numpy.version: which NumPy's dialect this is.
#include "interpreter/builtins/numpy/libraries/library_modules.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value make_version() { return make_str("2.4.6"); }

const ConstantRow kConstants[] = {
    {"version", make_version},
    {"full_version", make_version},
    {"short_version", make_version},
    {"release", [] { return Value::boolean(true); }},
};

}  // namespace

const NativeModule kNumpyVersionModule = {
    "numpy.version", "The version of NumPy whose dialect this is.", {}, kConstants};

}  // namespace strider::lang
