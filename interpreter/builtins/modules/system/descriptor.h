// What stands for an open file of the system.
#pragma once

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// An int, or what fileno() of an object tells. TypeError for others, ValueError below 0.
int to_descriptor(const Value& value);

}  // namespace strider::lang
