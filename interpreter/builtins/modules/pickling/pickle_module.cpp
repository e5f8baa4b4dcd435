// The module _pickled: plain values as the opcodes of a pickle, and back.
#include "interpreter/builtins/modules/pickling/pickle.h"
#include "interpreter/builtins/registry.h"

namespace strider::lang {
namespace {

const NativeRow kFunctions[] = {
    {"write(pickler, frames, memo, object, /)", pickle::write,
     "Write the opcodes of an object; what is not plain by the pickler's save_rest()."},
    {"read(data, at, stack, marks, memo, /)", pickle::read,
     "Follow opcodes as far as they are plain; the place reached, and the stack."},
};

}  // namespace

const NativeModule kPickledModule = {"_pickled", "Plain values as pickles.", kFunctions, {}};

}  // namespace strider::lang
