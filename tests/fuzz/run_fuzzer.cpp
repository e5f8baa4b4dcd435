// libFuzzer target for the whole way from text to effects: lexer, parser, resolver, evaluator.
// The session is isolated; time, memory and recursion are limited.
#include <signal.h>
#include <time.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "interpreter/session/session.h"
#include "tests/sanitizers/memory.h"

namespace {

constexpr std::size_t kLongestProgram = 4096;
constexpr std::size_t kMemory = 512 << 20;
constexpr long kMilliseconds = 300;  // of processor time
constexpr const char* kPrelude = "import sys; sys.setrecursionlimit(150); del sys";

strider::Session* running = nullptr;
timer_t timer;

void stop(int) {
  if (running) running->stop();
}

// libFuzzer keeps SIGALRM for itself.
void make_timer() {
  struct sigaction action = {};
  action.sa_handler = stop;
  action.sa_flags = SA_RESTART;
  sigaction(SIGRTMIN, &action, nullptr);
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGRTMIN;
  if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0) std::abort();
}

// Stops what runs every so many milliseconds; 0: no more.
void stop_every(long milliseconds) {
  itimerspec times = {};
  times.it_value.tv_nsec = times.it_interval.tv_nsec = milliseconds * 1000000;
  timer_settime(timer, 0, &times, nullptr);
}

// Programs of odd length have even their smallest arrays fused.
strider::SessionOptions limited_options(std::size_t size) {
  strider::SessionOptions options;
  options.isolated = true;
  options.array_memory = kMemory;
  if (size % 2 == 1) options.fusion_threshold = 1;
  return options;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  make_timer();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > kLongestProgram) return 0;
  {
    strider::Session session(limited_options(size));
    session.run("prelude", kPrelude);
    strider::sanitizers::limit_memory(kMemory);
    running = &session;
    stop_every(kMilliseconds);
    session.run("fuzz", std::string(reinterpret_cast<const char*>(data), size));
  }
  stop_every(0);
  running = nullptr;
  strider::sanitizers::limit_memory(0);
  return 0;
}
