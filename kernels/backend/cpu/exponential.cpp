// Kernels of the exponential rows: exponentials, logarithms, roots.
#define STRIDER_GROUP kExponential

#include "kernels/backend/cpu/derived.h"

namespace strider::nd::STRIDER_TARGET {

void fill_exponential(KernelTable& table) { STRIDER_GROUP::fill_group(table); }

}  // namespace strider::nd::STRIDER_TARGET
