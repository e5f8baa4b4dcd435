// Kernels of the power rows: powers of integers, floats and complex numbers.
#define STRIDER_GROUP kPower

#include "kernels/backend/cpu/derived.h"

namespace strider::nd::STRIDER_TARGET {

void fill_power(KernelTable& table) { STRIDER_GROUP::fill_group(table); }

}  // namespace strider::nd::STRIDER_TARGET
