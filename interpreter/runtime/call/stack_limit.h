// The end of the native stack, for the one place that asks at every call.
#pragma once

#include <cstddef>

namespace strider::lang {

// Lowest address of the stack that now runs; null when unknown. Set through set_stack_end().
extern constinit thread_local const char* native_stack_end;

// Whether fewer than `needed` bytes are left.
inline bool stack_is_low(std::size_t needed) {
  return static_cast<const char*>(__builtin_frame_address(0)) < native_stack_end + needed;
}

}  // namespace strider::lang
