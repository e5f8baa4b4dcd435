// The module array: rows of numbers of one machine type. The type itself is built in.
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/type/type.h"
#include "interpreter/types/bytes/number_array.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

const ConstantRow kConstants[] = {
    {"array", [] { return Value(&NumberArray::type_object()); }},
    {"ArrayType", [] { return Value(&NumberArray::type_object()); }},
    {"typecodes", [] { return Value(make_str(kArrayCodes)); }},
};

}  // namespace

const NativeModule kArrayModule = {"array", "Rows of numbers of one machine type.", {}, kConstants};

}  // namespace strider::lang
