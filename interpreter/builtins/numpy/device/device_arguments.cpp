// A Device names itself by the attribute _name.
#include "interpreter/builtins/numpy/device/device_arguments.h"

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

nd::DeviceChoice to_device(const Value& value) {
  if (is_str(value)) return nd::parse_device(std::string(text_of(value)));
  Value name = find_attribute(value, intern("_name"));
  if (name.is_empty() || !is_str(name)) {
    raise(errors::TypeError, "a device is 'cpu', 'cuda', 'cuda:N' or a numpy.cuda.Device, not '{}'",
          type_name(value));
  }
  return nd::parse_device(std::string(text_of(name)));
}

Value on_device(const Value& array, const Value& device) {
  if (!device.is_none()) nd::move_to(array_of(array), to_device(device));
  return array;
}

}  // namespace strider::lang
