// What stands for an open file of the system.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// An int, or what fileno() of an object tells. TypeError for others, ValueError below 0.
int to_descriptor(const Value& value);
// What a call that moves bytes through a descriptor (`events` as poll takes them) returns: others
// have their turns until it need not wait; it is made again where a signal came between. OSError.
std::int64_t moved_bytes(int descriptor, short events, const std::function<std::int64_t()>& move);

// Writes bytes; what the call returns. Where others read them in turns, they go in pieces that are
// taken at once.
std::int64_t written_bytes(int descriptor, std::string_view bytes);

}  // namespace strider::lang
