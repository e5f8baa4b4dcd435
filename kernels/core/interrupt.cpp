// Which interrupt flag is looked at.
#include <strider/nd/error.h>
#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

namespace strider::nd {

namespace {

std::atomic<bool> own_flag{false};
std::atomic<bool>* flag_in_use = &own_flag;

}  // namespace

std::atomic<bool>& interrupt_flag() { return *flag_in_use; }

void share_interrupt_flag(std::atomic<bool>* flag) { flag_in_use = flag ? flag : &own_flag; }

void check_interrupt() {
  if (!interrupt_requested()) return;
  if (!inside_parallel_for()) request_interrupt(false);
  throw Error(ErrorKind::kInterrupted, "interrupted");
}

}  // namespace strider::nd
