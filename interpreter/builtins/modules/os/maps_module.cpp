// The module _mmap: memory that the system maps, and its constants. mmap is written on it.
#include <sys/mman.h>
#include <unistd.h>

#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/type/type.h"
#include "interpreter/types/bytes/mapped_memory.h"

namespace strider::lang {
namespace {

template <int kNumber>
Value number() {
  return Value::integer(kNumber);
}

const ConstantRow kConstants[] = {
    {"Memory", [] { return Value(&MappedMemory::type_object()); }},
    {"PAGESIZE", [] { return Value::integer(sysconf(_SC_PAGESIZE)); }},
    {"MAP_SHARED", number<MAP_SHARED>},
    {"MAP_PRIVATE", number<MAP_PRIVATE>},
    {"MAP_ANONYMOUS", number<MAP_ANONYMOUS>},
    {"MAP_NORESERVE", number<MAP_NORESERVE>},
    {"MAP_POPULATE", number<MAP_POPULATE>},
    {"PROT_READ", number<PROT_READ>},
    {"PROT_WRITE", number<PROT_WRITE>},
    {"PROT_EXEC", number<PROT_EXEC>},
};

}  // namespace

const NativeModule kMapsModule = {"_mmap", "Memory that the system maps.", {}, kConstants};

}  // namespace strider::lang
