// The interrupt flag: set by a signal handler, polled by long loops. Knows nothing of signals.
#pragma once

#include <atomic>

namespace strider::nd {

// The flag itself; lock-free, so a signal handler may store to it.
std::atomic<bool>& interrupt_flag();

// Makes the arrays look at a flag of the caller's (null: at their own again).
void share_interrupt_flag(std::atomic<bool>* flag);

// True when somebody asked the running work to stop.
inline bool interrupt_requested() { return interrupt_flag().load(std::memory_order_relaxed); }

// Asks the running work to stop (`on`) or forgets the request.
inline void request_interrupt(bool on = true) {
  interrupt_flag().store(on, std::memory_order_relaxed);
}

// Throws Error(kInterrupted) and clears the flag when it is set. In the body of a parallel_for the
// flag stays, so that the other threads see it, until that ends.
void check_interrupt();

}  // namespace strider::nd
