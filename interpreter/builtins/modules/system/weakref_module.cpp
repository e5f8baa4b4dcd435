// _weakref: weak references; dictionaries and sets of them are stdlib/weakref.npx.
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/memory/weak_reference.h"
#include "interpreter/runtime/type/type.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

const NativeRow kFunctions[] = {
    {"getweakrefcount(object, /)",
     [](const Parameters& p) {
       return Value::integer(static_cast<std::int64_t>(weak_references_to(p[0]).size()));
     },
     "How many weak references the object has."},
    {"getweakrefs(object, /)",
     [](const Parameters& p) { return Value(make_list(weak_references_to(p[0]))); },
     "The weak references to the object, as a list."},
};

const ConstantRow kConstants[] = {
    {"ref", [] { return Value(&WeakReference::type_object()); }},
};

}  // namespace

const NativeModule kWeakrefModule = {"_weakref", "Weak references.", kFunctions, kConstants};

}  // namespace strider::lang
