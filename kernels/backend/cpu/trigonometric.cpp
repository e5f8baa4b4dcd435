// Kernels of the trigonometric rows: angles and hyperbolas.
#define STRIDER_GROUP kTrigonometric

#include "kernels/backend/cpu/derived.h"

namespace strider::nd::STRIDER_TARGET {

void fill_trigonometric(KernelTable& table) { STRIDER_GROUP::fill_group(table); }

}  // namespace strider::nd::STRIDER_TARGET
