// Interrupts: how a running entry is stopped from outside. One thread receives the signals that the
// others block, so that no call of theirs is cut short, and watches whether the front that started
// the kernel is still there. Knows no messages.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

#include "interpreter/session/session.h"

namespace strider::jupyter {

class Interrupts {
 public:
  // Before any thread is started: blocks the signals, which threads inherit.
  static void block_signals();

  // On the thread that runs entries. `leave` is called, on the watching thread, when the kernel is
  // to end: SIGTERM, or the front is gone.
  Interrupts(Session& session, std::function<void()> leave);
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;

  // Once `leave` may be called.
  void start();

  // Around an entry: interrupts at other times have nothing to stop.
  void begin();
  void end();
  // From any thread.
  void request();
  // Ends the running entry for good.
  void stop();
  // The session is about to go.
  void detach();
  // Whether an interrupt waits for the program to notice it; on the thread that runs entries.
  bool is_pending() const;

 private:
  void watch();
  void wake_watcher();
  void stop_running();
  bool is_orphaned() const;

  mutable std::mutex mutex_;
  Session* session_;
  std::function<void()> leave_;
  pthread_t runner_;
  pid_t front_ = 0;  // whose end ends the kernel; 0: nobody's
  bool is_child_ = false;
  int arrivals_ = -1;  // can be read once a signal has arrived
  std::atomic<bool> running_ = false, ending_ = false;
  std::atomic<bool> leaving_ = false;
  std::atomic<pthread_t> watcher_ = 0;
  std::thread thread_;
};

}  // namespace strider::jupyter
