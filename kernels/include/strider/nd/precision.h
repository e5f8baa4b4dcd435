// How exactly devices multiply. Knows none of them.
#pragma once

namespace strider::nd {

// Whether a device may round float32 to TF32 (10 bits after the point) before it multiplies, for
// matrices, convolutions and LSTMs. Not unless the program or STRIDER_TF32=1 says so.
bool is_tf32_allowed();
void allow_tf32(bool allowed);

}  // namespace strider::nd
