// Descriptors, as PyObject_AsFileDescriptor of CPython takes them.
#include "interpreter/builtins/modules/system/descriptor.h"

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"

namespace strider::lang {

int to_descriptor(const Value& value) {
  Value number = value;
  if (!value.is_int()) number = find_attribute(value, intern("fileno"));
  if (number.is_empty())
    raise(errors::TypeError, "argument must be an int, or have a fileno() method.");
  if (!value.is_int()) number = call(number);
  std::int64_t descriptor = to_int64(number);
  if (descriptor < 0)
    raise(errors::ValueError, "file descriptor cannot be a negative integer ({})", descriptor);
  return static_cast<int>(descriptor);
}

}  // namespace strider::lang
