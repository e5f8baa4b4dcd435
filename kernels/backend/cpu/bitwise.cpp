// Kernels of the bitwise rows: bits and divisors.
#define STRIDER_GROUP kBitwise

#include "kernels/backend/cpu/loops.h"

namespace strider::nd::STRIDER_TARGET {

void fill_bitwise(KernelTable& table) { STRIDER_GROUP::fill_group(table); }

}  // namespace strider::nd::STRIDER_TARGET
