// The end of the native stack, and the set of objects whose repr is under way.
#include "interpreter/runtime/call/recursion.h"

#include <algorithm>
#include <vector>

#include "interpreter/runtime/call/stack_limit.h"
#include "interpreter/runtime/error/error.h"

namespace strider::lang {

constinit thread_local const char* native_stack_end = nullptr;

namespace {

thread_local std::vector<const void*> open_reprs;

}  // namespace

const char* set_stack_end(const char* lowest) { return std::exchange(native_stack_end, lowest); }

std::size_t stack_left() {
  const char* here = static_cast<const char*>(__builtin_frame_address(0));
  return native_stack_end && here > native_stack_end
             ? static_cast<std::size_t>(here - native_stack_end)
             : 0;
}

void check_stack(const char* what) {
  if (native_stack_end && static_cast<const char*>(__builtin_frame_address(0)) <
                              native_stack_end + kStackReserve) [[unlikely]]
    raise_message(errors::RecursionError(), what);
}

ReprGuard::ReprGuard(const void* object)
    : inside_(std::find(open_reprs.begin(), open_reprs.end(), object) != open_reprs.end()) {
  if (!inside_) open_reprs.push_back(object);
}

ReprGuard::~ReprGuard() {
  if (!inside_) open_reprs.pop_back();
}

}  // namespace strider::lang
