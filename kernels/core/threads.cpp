// The pool: workers that spin briefly for the next loop and then sleep. They are not pinned: on a
// shared machine a pinned worker waits behind whoever has its core. Where that happens all the
// same, callers work alone for a while.
#include <immintrin.h>
#include <sched.h>
#include <strider/nd/error.h>
#include <strider/nd/floating_errors.h>
#include <strider/nd/interrupt.h>
#include <strider/nd/settings.h>
#include <strider/nd/threads.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "kernels/core/blocked_signals.h"

namespace strider::nd {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kSpinTime = std::chrono::microseconds(500);
// A caller that waits longer for its workers, and longer than it worked itself, shares the machine
// with others: a worker lost its core in the middle of a piece.
constexpr auto kPatience = std::chrono::microseconds(1000);
// So many loops then run on the caller alone; twice as many each time it happens again.
constexpr int kFirstRest = 8;
constexpr int kLongestRest = 1024;
constexpr int kMaxThreads = 256;
// Pieces per thread: enough that a slow core does not hold up the others.
constexpr int kPiecesPerThread = 4;
// Elements of any size fill whole cache lines.
constexpr std::int64_t kLine = 64;

int count_usable_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

int wanted_threads() {
  std::int64_t count = number_setting("STRIDER_NUM_THREADS", 1).value_or(count_usable_cores());
  return static_cast<int>(std::min<std::int64_t>(count, kMaxThreads));
}

std::int64_t most_thread_work() {
  return number_setting("STRIDER_THREAD_WORK", 1)
      .value_or(std::numeric_limits<std::int64_t>::max());
}

// Whether loops may stop using threads for a while; not where tests want them.
bool may_rest() { return !std::getenv("STRIDER_THREAD_WORK"); }

struct Loop {
  std::int64_t count = 0;
  std::int64_t piece = 0;
  RangeBody body = nullptr;
  void* context = nullptr;
  std::atomic<std::int64_t> next{0};
  std::atomic<unsigned> conditions{0};
  std::mutex failure_lock;
  std::exception_ptr failure;

  bool has_pieces() const { return next.load(std::memory_order_relaxed) < count; }

  // Works until no piece is left.
  void work() {
    for (;;) {
      std::int64_t begin = next.fetch_add(piece, std::memory_order_relaxed);
      if (begin >= count) return;
      try {
        body(context, begin, std::min(begin + piece, count));
      } catch (...) {
        std::lock_guard<std::mutex> guard(failure_lock);
        if (!failure) failure = std::current_exception();
        next.store(count, std::memory_order_relaxed);
      }
    }
  }
};

// All threads have seen an interrupt that ended the loop: it is over.
[[noreturn]] void rethrow(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kInterrupted) request_interrupt(false);
    throw;
  }
}

// True on workers, and on a caller while its loop runs: nested loops run in place.
bool& inside_loop() {
  thread_local bool inside = false;
  return inside;
}

class Pool {
 public:
  explicit Pool(int threads) {
    BlockedSignals blocked;
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { serve(); });
  }
  ~Pool() {
    {
      std::lock_guard<std::mutex> guard(lock_);
      stopping_.store(true);
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  void run(Loop& loop) {
    std::lock_guard<std::mutex> one_at_a_time(run_lock_);
    loop_.store(&loop);
    {
      std::lock_guard<std::mutex> guard(lock_);
      generation_.fetch_add(1);
    }
    wake_some();
    Clock::time_point begun = Clock::now();
    loop.work();
    loop_.store(nullptr);  // workers that come late find nothing; nobody waits for them
    Clock::time_point done = Clock::now();
    wait_for_workers(done + kSpinTime);
    note_wait(Clock::now() - done, done - begun);
  }

  // Whether the next loop is to run on its caller alone.
  bool rests() {
    if (resting_.load(std::memory_order_relaxed) == 0) return false;
    resting_.fetch_sub(1, std::memory_order_relaxed);
    return true;
  }

 private:
  // Who comes to work wakes two others while there is work left: a short loop does not pay for
  // waking everybody, and a long one has all of them after a few steps.
  void wake_some() {
    int asleep = sleepers_.load();
    if (asleep > 0) wake_.notify_one();
    if (asleep > 1) wake_.notify_one();
  }

  void wait_for_workers(Clock::time_point limit) {
    while (working_.load() > 0) {
      _mm_pause();
      if (Clock::now() > limit) std::this_thread::yield();
    }
  }

  void note_wait(Clock::duration waited, Clock::duration worked) {
    if (waited > kPatience && waited > worked && may_rest_) {
      rest_ = std::clamp(2 * rest_, kFirstRest, kLongestRest);
      resting_.store(rest_, std::memory_order_relaxed);
    } else {
      rest_ /= 2;
    }
  }

  void serve() {
    inside_loop() = true;
    unsigned seen = 0;
    while (wait_for_work(seen)) {
      working_.fetch_add(1);
      if (Loop* loop = loop_.load()) {
        if (loop->has_pieces()) wake_some();
        clear_floating_errors();
        loop->work();
        loop->conditions.fetch_or(take_floating_errors().flags, std::memory_order_relaxed);
      }
      working_.fetch_sub(1);
    }
  }

  // Returns at the next generation; false when the pool ends.
  bool wait_for_work(unsigned& seen) {
    auto limit = Clock::now() + kSpinTime;
    while (generation_.load(std::memory_order_acquire) == seen) {
      if (stopping_.load(std::memory_order_relaxed)) return false;
      for (int i = 0; i < 32; ++i) _mm_pause();
      if (Clock::now() > limit) sleep_until_work(seen);
    }
    seen = generation_.load(std::memory_order_acquire);
    return true;
  }

  void sleep_until_work(unsigned seen) {
    std::unique_lock<std::mutex> guard(lock_);
    sleepers_.fetch_add(1);
    wake_.wait(guard, [&] { return stopping_.load() || generation_.load() != seen; });
    sleepers_.fetch_sub(1);
  }

  std::vector<std::thread> workers_;
  std::mutex run_lock_;
  std::mutex lock_;
  std::condition_variable wake_;
  std::atomic<Loop*> loop_{nullptr};
  std::atomic<unsigned> generation_{0};
  std::atomic<int> working_{0};
  std::atomic<int> sleepers_{0};
  std::atomic<bool> stopping_{false};
  std::atomic<int> resting_{0};  // loops that are still to run on their callers alone
  int rest_ = 0;                 // how many there were the last time
  bool may_rest_ = may_rest();
};

// The pool of this process; a forked child has no workers and makes its own.
Pool& pool() {
  static std::mutex lock;
  static std::unique_ptr<Pool> instance;
  static pid_t owner = 0;
  std::lock_guard<std::mutex> guard(lock);
  if (owner != getpid()) {
    if (owner != 0) static_cast<void>(instance.release());
    owner = getpid();
    instance = std::make_unique<Pool>(thread_count());
  }
  return *instance;
}

}  // namespace

int thread_count() {
  static const int count = wanted_threads();
  return count;
}

std::int64_t worth_a_thread(std::int64_t usual) {
  static const std::int64_t most = most_thread_work();
  return std::min(usual, most);
}

void parallel_for(std::int64_t count, std::int64_t grain, RangeBody body, void* context) {
  if (count <= 0) return;
  grain = std::max<std::int64_t>(grain, 1);
  int threads = thread_count();
  if (count <= grain || threads == 1 || inside_loop() || pool().rests()) {
    return body(context, 0, count);
  }
  Loop loop;
  loop.count = count;
  loop.piece =
      std::max(grain, (count + threads * kPiecesPerThread - 1) / (threads * kPiecesPerThread));
  // Cut between cache lines of what the body writes: threads must not share them.
  if (loop.piece > 2 * kLine) loop.piece = (loop.piece + kLine - 1) / kLine * kLine;
  loop.body = body;
  loop.context = context;
  inside_loop() = true;
  pool().run(loop);
  inside_loop() = false;
  raise_floating_errors({static_cast<std::uint8_t>(loop.conditions.load())});
  if (loop.failure) rethrow(loop.failure);
}

bool inside_parallel_for() { return inside_loop(); }

}  // namespace strider::nd
