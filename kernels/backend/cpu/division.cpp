// Kernels of the division rows: division with remainder, numbers taken apart.
#define STRIDER_GROUP kDivision

#include "kernels/instructions/division.h"

#include "kernels/backend/cpu/loops.h"

namespace strider::nd::STRIDER_TARGET {

void fill_division(KernelTable& table) { STRIDER_GROUP::fill_group(table); }

}  // namespace strider::nd::STRIDER_TARGET
