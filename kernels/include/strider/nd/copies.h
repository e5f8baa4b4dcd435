// What programs that copy their process (fork) have to know of devices.
#pragma once

namespace strider::nd {

// Whether this process computes on the host alone so far: no device is open, nor chosen by name.
// Only then can a copy of it compute. Waits for a thread that opens a device.
bool is_host_alone();

}  // namespace strider::nd
