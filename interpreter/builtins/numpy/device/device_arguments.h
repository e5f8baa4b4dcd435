// Devices as programs name them: texts and np.cuda.Device objects.
#pragma once

#include <strider/nd/device.h>

#include "interpreter/runtime/call/call.h"

namespace strider::lang {

// "cpu", "cuda", "cuda:1" or a Device. Raises ValueError for other names, TypeError for others.
nd::DeviceChoice to_device(const Value& value);
// The array itself, its elements computed and brought to a device; nothing happens for None.
Value on_device(const Value& array, const Value& device);

// A function that makes an array, with its parameter `device`.
template <Value (*kMake)(const Parameters&), int kDevice>
Value placed(const Parameters& p) {
  return on_device(kMake(p), p[kDevice]);
}

}  // namespace strider::lang
