// The module _pickled: plain values as the opcodes of a pickle, and back.
#include "interpreter/builtins/modules/pickling/pickle.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/type/plain_instance.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

const NativeRow kFunctions[] = {
    {"write(pickler, frames, memo, object, /)", pickle::write,
     "Write the opcodes of an object; what is not plain by the pickler's save_rest()."},
    {"write_whole(object, describe, named, protocol, /)", pickle::write_whole,
     "The pickle of an object that is plain, or whose parts describe() tells; None of others."},
    {"read(data, at, stack, marks, memo, unfinished, globals, /)", pickle::read,
     "Follow opcodes as far as they are plain; the place reached, and the stack."},
    {"read_whole(data, unfinished, globals, /)", pickle::read_whole,
     "The object of bytes that are plain to their end, in a tuple; None of others."},
    {"module_name(name, /)",
     [](const Parameters& p) { return pickle::module_name_of(to_text(p[0], "name")); },
     "The text that stands for the name of a module in pickles."},
    {"copy_instance(object, /)",
     [](const Parameters& p) {
       Value made = copy_instance(p[0]);
       return made.is_empty() ? Value::none() : made;
     },
     "An instance with the same attributes; None where its class has a say in it."},
    {"attributes_of(object, /)", [](const Parameters& p) { return Value(copy_attributes(p[0])); },
     "The attributes of an object that is plain, as a dict of its own."},
    {"is_plain(object, /)",
     [](const Parameters& p) { return Value::boolean(is_plain_instance(p[0])); },
     "Whether an object is no more than its class and its attributes."},
};

const ConstantRow kTypes[] = {
    {"PickleBuffer", [] { return Value(&pickle::buffer_type()); }},
};

}  // namespace

const NativeModule kPickledModule = {"_pickled", "Plain values as pickles.", kFunctions, kTypes};

}  // namespace strider::lang
