// The mirror's libraries: the host's own routines behind the contract of a device's, refusing the
// layouts that those refuse.
#pragma once

#include "kernels/backend/library.h"

namespace strider::nd {

Library& mirror_library();

}  // namespace strider::nd
