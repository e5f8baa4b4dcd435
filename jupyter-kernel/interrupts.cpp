// The thread that receives signals: it asks the session to stop and frees it from calls that wait.
#include "jupyter-kernel/interrupts.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace strider::jupyter {
namespace {

constexpr int kNudge = SIGUSR1;  // frees the running thread from a call that waits
constexpr int kWake = SIGUSR2;   // has the watching thread look again
constexpr int kNudgeInterval = 10, kWatchInterval = 500;  // milliseconds
constexpr time_t kGrace = 3;     // seconds to end in by itself

sigset_t received_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, kWake);
  return set;
}

void do_nothing(int) {}

// The next of the signals that have arrived; 0 or less: none has.
int take_signal(const sigset_t& set) {
  timespec at_once = {};
  return sigtimedwait(&set, nullptr, &at_once);
}

}  // namespace

void Interrupts::block_signals() {
  sigset_t set = received_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  struct sigaction action = {};
  action.sa_handler = do_nothing;  // without SA_RESTART
  sigaction(kNudge, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

Interrupts::Interrupts(Session& session, std::function<void()> leave)
    : session_(&session), leave_(std::move(leave)), runner_(pthread_self()) {
  if (const char* text = std::getenv("JPY_PARENT_PID")) front_ = std::atoi(text);
  is_child_ = getppid() == front_;
  sigset_t set = received_signals();
  arrivals_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void Interrupts::start() {
  thread_ = std::thread([this] { watch(); });
}

void Interrupts::wake_watcher() {
  if (pthread_t watcher = watcher_) pthread_kill(watcher, kWake);
}

Interrupts::~Interrupts() {
  if (thread_.joinable()) {
    ending_ = true;
    wake_watcher();
    thread_.join();
  }
  close(arrivals_);
}

void Interrupts::begin() {
  std::lock_guard guard(mutex_);
  sigset_t interrupts;
  sigemptyset(&interrupts);
  sigaddset(&interrupts, SIGINT);
  while (take_signal(interrupts) > 0) {}  // sent before the entry, not seen by the watcher yet
  if (session_) session_->forget_interrupt();
  running_ = true;
}

void Interrupts::end() {
  std::lock_guard guard(mutex_);
  running_ = false;
}

void Interrupts::request() {
  {
    std::lock_guard guard(mutex_);
    if (!session_ || !running_) return;
    session_->interrupt();
  }
  wake_watcher();  // it nudges from now on
}

void Interrupts::stop() {
  stop_running();
  wake_watcher();
}

void Interrupts::stop_running() {
  std::lock_guard guard(mutex_);
  if (session_ && running_) session_->stop();
}

void Interrupts::detach() {
  std::lock_guard guard(mutex_);
  session_ = nullptr;
}

bool Interrupts::is_pending() const {
  return leaving_ || (running_ && session_ && session_->is_interrupted());
}

void Interrupts::watch() {
  watcher_ = pthread_self();
  sigset_t set = received_signals();
  time_t last_moment = 0;
  while (!ending_) {
    bool nudging = false;
    {
      std::lock_guard guard(mutex_);
      nudging = running_ && session_ && session_->is_interrupted();
      if (nudging) pthread_kill(runner_, kNudge);
    }
    pollfd arrival = {arrivals_, POLLIN, 0};
    poll(&arrival, 1, nudging ? kNudgeInterval : kWatchInterval);
    if (ending_) return;
    int signal = 0;
    {
      // Taken where entries cannot begin: an interrupt never reaches an entry that came after it.
      std::lock_guard guard(mutex_);
      signal = take_signal(set);
      if (signal == SIGINT && running_ && session_) session_->interrupt();
    }
    if (!leaving_ && (signal == SIGTERM || is_orphaned())) {
      leaving_ = true;
      last_moment = time(nullptr) + kGrace;
      stop_running();
      leave_();
    }
    if (leaving_ && time(nullptr) > last_moment) _exit(1);
  }
}

bool Interrupts::is_orphaned() const {
  if (front_ <= 1) return false;
  return is_child_ ? getppid() != front_ : kill(front_, 0) != 0 && errno == ESRCH;
}

}  // namespace strider::jupyter
