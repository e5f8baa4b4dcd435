// One choice for the whole process.
#include <strider/nd/precision.h>

#include <atomic>
#include <cstdlib>
#include <string_view>

namespace strider::nd {
namespace {

std::atomic<bool>& choice() {
  static std::atomic<bool> allowed = [] {
    const char* text = std::getenv("STRIDER_TF32");
    return text && std::string_view(text) == "1";
  }();
  return allowed;
}

}  // namespace

bool is_tf32_allowed() { return choice().load(std::memory_order_relaxed); }

void allow_tf32(bool allowed) { choice().store(allowed, std::memory_order_relaxed); }

}  // namespace strider::nd
