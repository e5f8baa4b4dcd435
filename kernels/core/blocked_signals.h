// While it lives, this thread and the threads that it starts take no signals from outside: those
// belong to the thread that runs the program.
#pragma once

#include <signal.h>

namespace strider::nd {

class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t outside;
    sigfillset(&outside);
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
      sigdelset(&outside, fault);
    pthread_sigmask(SIG_BLOCK, &outside, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace strider::nd
