// How many bytes an object takes, as CPython 3.11 on 64 bits counts them (Objects/*.c): what
// programs print that compare lists with generators. What ours take is another number.
#pragma once

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// What object.__sizeof__ tells.
std::int64_t object_size(const Value& value);
// The head that CPython's collector keeps before an object, which sys.getsizeof adds.
std::int64_t collector_head(const Value& value);

}  // namespace strider::lang
