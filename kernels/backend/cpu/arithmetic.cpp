// Kernels of the arithmetic rows: sums, products, rounding, extremes.
#define STRIDER_GROUP kArithmetic

#include "kernels/backend/cpu/instructions.h"
#include "kernels/backend/cpu/loops.h"

namespace strider::nd::STRIDER_TARGET {

void fill_arithmetic(KernelTable& table) { fill_group(table); }

}  // namespace strider::nd::STRIDER_TARGET
