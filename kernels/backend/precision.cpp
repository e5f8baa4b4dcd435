// One choice for the whole process.
#include <strider/nd/precision.h>
#include <strider/nd/settings.h>

#include <atomic>

namespace strider::nd {
namespace {

std::atomic<bool>& choice() {
  static std::atomic<bool> allowed = word_setting("STRIDER_TF32", {"0", "1"}) == "1";
  return allowed;
}

}  // namespace

bool is_tf32_allowed() { return choice().load(std::memory_order_relaxed); }

void allow_tf32(bool allowed) { choice().store(allowed, std::memory_order_relaxed); }

}  // namespace strider::nd
