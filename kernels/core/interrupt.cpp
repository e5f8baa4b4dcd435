// The interrupt flag's one instance.
#include <strider/nd/error.h>
#include <strider/nd/interrupt.h>

namespace strider::nd {

std::atomic<bool>& interrupt_flag() {
  static std::atomic<bool> flag{false};
  return flag;
}

void check_interrupt() {
  if (!interrupt_requested()) return;
  request_interrupt(false);
  throw Error(ErrorKind::kInterrupted, "interrupted");
}

}  // namespace strider::nd
