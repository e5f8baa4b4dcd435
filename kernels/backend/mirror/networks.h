// The mirror's networks: the host's own routines behind the contract of a device's, refusing some
// of what those refuse.
#pragma once

#include "kernels/backend/networks.h"

namespace strider::nd {

Networks& mirror_networks();

}  // namespace strider::nd
