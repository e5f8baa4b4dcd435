// Runs of turns on the array library's threads. Loops that are over sooner than threads wake are
// run by their caller.
#include "interpreter/builtins/compiler/shared_turns.h"

#include <pthread.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <memory>
#include <vector>

namespace strider::lang {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kMostRuns = 256;
// Who calls works alone for so long before others are woken.
constexpr auto kAlone = std::chrono::microseconds(20);
// What is left of a worker's stack for what code calls.
constexpr std::size_t kStackReserve = 128 << 10;

std::uint64_t lowest_stack_of_this_thread() {
  pthread_attr_t attributes;
  void* lowest = nullptr;
  std::size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return std::bit_cast<std::uint64_t>(lowest) + kStackReserve;
}

// Runs that are made and not yet taken, one row of words for each depth of calls.
struct Results {
  std::vector<std::unique_ptr<std::vector<std::uint64_t>>> by_depth;
  std::size_t depth = 0;
};

Results& results_of_this_thread() {
  thread_local Results results;
  return results;
}

class Runs {
 public:
  Runs(TurnsFunction* function, std::int64_t turns, std::uint64_t* given, std::int64_t width,
       const std::uint64_t* status)
      : function_(function),
        turns_(std::max<std::int64_t>(turns, 0)),
        count_(std::min(turns_, kMostRuns)),
        given_(given),
        width_(width),
        caller_limit_(status[1]),
        caller_(pthread_self()) {}

  std::uint64_t* run() {
    Results& results = results_of_this_thread();
    if (results.by_depth.size() == results.depth)
      results.by_depth.push_back(std::make_unique<std::vector<std::uint64_t>>());
    std::vector<std::uint64_t>& words = *results.by_depth[results.depth];
    words.assign(static_cast<std::size_t>(1 + count_ * width_), 0);
    words[0] = static_cast<std::uint64_t>(count_);
    first_ = words.data() + 1;
    ++results.depth;
    run_all();
    --results.depth;
    return words.data();
  }

 private:
  void run_all() {
    std::int64_t place = run_alone();
    nd::parallel_for(count_ - place, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t each = begin; each < end; ++each) run_one(place + each);
    });
  }
  // The first runs; how many it did.
  std::int64_t run_alone() {
    bool wakes_at_once = nd::worth_a_thread(kMostRuns) < kMostRuns;
    Clock::time_point end = Clock::now() + kAlone;
    std::int64_t place = 0;
    while (place < count_ && !wakes_at_once && Clock::now() < end) run_one(place++);
    return place;
  }
  std::int64_t begin_of(std::int64_t place) const {
    return static_cast<std::int64_t>(static_cast<__int128>(turns_) * place / count_);
  }
  void run_one(std::int64_t place) {
    std::uint64_t* results = first_ + place * width_;
    results[1] = stack_limit();
    function_(begin_of(place), begin_of(place + 1), given_, results);
  }
  std::uint64_t stack_limit() const {
    if (pthread_equal(pthread_self(), caller_)) return caller_limit_;
    thread_local std::uint64_t lowest = lowest_stack_of_this_thread();
    return lowest;
  }

  TurnsFunction* function_;
  std::int64_t turns_, count_;
  std::uint64_t* given_;
  std::int64_t width_;
  std::uint64_t caller_limit_;
  pthread_t caller_;
  std::uint64_t* first_ = nullptr;
};

}  // namespace

std::uint64_t* share_turns(TurnsFunction* function, std::int64_t turns, std::uint64_t* given,
                           std::int64_t width, const std::uint64_t* status) {
  return Runs(function, turns, given, width, status).run();
}

}  // namespace strider::lang
