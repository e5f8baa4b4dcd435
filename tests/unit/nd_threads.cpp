// The pool of threads: every index once, failures on the caller, loops inside loops.
#include <doctest/doctest.h>
#include <signal.h>
#include <strider/nd/threads.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace strider::nd;

namespace {

// How often each index was worked on.
std::vector<int> visits(std::int64_t count, std::int64_t grain) {
  std::vector<int> seen(static_cast<std::size_t>(count));
  parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i)];
  });
  return seen;
}

}  // namespace

TEST_CASE("each index is worked on once, whatever the grain") {
  for (std::int64_t grain : {0, 1, 7, 1000, 5000})
    CHECK(visits(1000, grain) == std::vector(1000, 1));
  CHECK(visits(0, 1).empty());
}

TEST_CASE("loop after loop finds the workers awake or asleep") {
  for (int round = 0; round < 2000; ++round) REQUIRE(visits(64, 1) == std::vector(64, 1));
}

TEST_CASE("the first failure of a body is the caller's, and the pool goes on") {
  auto failing = [](std::int64_t begin, std::int64_t) {
    if (begin >= 500) throw std::runtime_error("half way");
  };
  CHECK_THROWS_WITH(parallel_for(1000, 1, failing), "half way");
  CHECK(visits(1000, 1) == std::vector(1000, 1));
}

TEST_CASE("interrupts are not for the workers") {
  auto caller = std::this_thread::get_id();
  std::atomic<int> open{0};
  parallel_for(16, 1, [&](std::int64_t, std::int64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    bool takes = sigismember(&blocked, SIGINT) == 0;
    if (takes != (std::this_thread::get_id() == caller)) ++open;
  });
  CHECK(open == 0);
}

TEST_CASE("a loop inside a loop runs in place") {
  std::vector<int> seen(64);
  parallel_for(8, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      parallel_for(8, 1, [&](std::int64_t from, std::int64_t to) {
        for (std::int64_t k = from; k < to; ++k) ++seen[static_cast<std::size_t>(8 * i + k)];
      });
    }
  });
  CHECK(seen == std::vector(64, 1));
}
