// _devices: which devices there are, which one is used, and their memory. numpy.cuda is written on
// it.
#include <strider/nd/device.h>
#include <strider/nd/precision.h>

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/device/device_arguments.h"
#include "interpreter/builtins/numpy/functions/functions.h"
#include "interpreter/builtins/numpy/libraries/library_modules.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value name_of(const nd::DeviceChoice& choice) { return Value(make_str(nd::to_text(choice))); }

Value use(const Parameters& p) {
  nd::DeviceChoice before = nd::used_device();
  nd::use_device(to_device(p[0]));
  return name_of(before);
}

Value used(const Parameters&) { return name_of(nd::used_device()); }

Value count(const Parameters&) { return Value::integer(nd::count_cuda_devices()); }

Value synchronize(const Parameters&) {
  nd::synchronize_devices();
  return Value::none();
}

Value move(const Parameters& p) { return on_device(p[0], p[1]); }

Value place(const Parameters& p) { return Value(make_str(nd::device_of(array_of(p[0])))); }

Value memory(const Parameters& p) {
  nd::DeviceMemory memory = nd::device_memory(to_device(p[0]));
  Ref<Dict> result = make_dict();
  auto set = [&](const char* key, std::size_t bytes) {
    result->set(Value(intern(key)), Value::integer(static_cast<std::int64_t>(bytes)));
  };
  set("total", memory.total);
  set("free", memory.free);
  set("used", memory.used);
  set("cached", memory.cached);
  set("peak", memory.peak);
  set("limit", memory.limit);
  return Value(result);
}

Value largest(const Parameters& p) {
  Values found;
  std::int64_t count = to_int64(p[1]);
  if (count < 0) raise(errors::ValueError, "a number of arrays is not negative");
  for (const nd::DeviceArray& each :
       nd::largest_arrays(to_device(p[0]), static_cast<std::size_t>(count))) {
    Value bytes = Value::integer(static_cast<std::int64_t>(each.bytes));
    found.push_back(make_tuple({bytes, Value(make_str(nd::to_text(each.place)))}));
  }
  return make_tuple(std::move(found));
}

Value limit_memory(const Parameters& p) {
  std::int64_t bytes = to_int64(p[1]);
  if (bytes < 0) raise(errors::ValueError, "a limit of memory is not negative");
  nd::limit_device_memory(to_device(p[0]), static_cast<std::size_t>(bytes));
  return Value::none();
}

Value release_memory(const Parameters& p) {
  nd::release_device_memory(to_device(p[0]));
  return Value::none();
}

Value description(const Parameters& p) {
  return Value(make_str(nd::device_description(to_device(p[0]))));
}

Value allow_tf32(const Parameters& p) {
  bool before = nd::is_tf32_allowed();
  nd::allow_tf32(truth(p[0]));
  return Value::boolean(before);
}

const NativeRow kFunctions[] = {
    {"use(device, /)", use, "Where operations are computed from now on; the former setting."},
    {"used()", used, "Where operations are computed."},
    {"count()", count, "The number of CUDA devices."},
    {"synchronize()", synchronize, "Waits for the device in use."},
    {"move(array, device, /)", move, "Brings an array's elements to a device."},
    {"place(array, /)", place, "Where an array's elements lie: 'cpu', 'cuda:0'."},
    {"memory(device, /)", memory, "Bytes: total, free, used, cached, peak, limit."},
    {"largest(device, count, /)", largest, "The largest arrays there: bytes and lines."},
    {"limit_memory(device, bytes, /)", limit_memory, "Limits what arrays may take; 0: no limit."},
    {"release_memory(device, /)", release_memory, "Gives cached memory back."},
    {"allow_tf32(allowed, /)", allow_tf32, "Whether float32 is rounded to TF32; before this."},
    {"description(device, /)", description, "The device's model."},
};

}  // namespace

const NativeModule kDevicesModule = {"_devices", "Devices that compute arrays.", kFunctions, {}};

}  // namespace strider::lang
