// parallel_for: one pool of worker threads for every loop of the library. Results never depend on
// how the range is cut, so bodies must write disjoint elements.
#pragma once

#include <cstdint>
#include <type_traits>

namespace strider::nd {

// How many threads work on a parallel loop: STRIDER_NUM_THREADS or the number of cores.
int thread_count();

// The least work worth a thread: `usual`, or STRIDER_THREAD_WORK where that is less, so that tests
// see threads on small arrays.
std::int64_t worth_a_thread(std::int64_t usual);

// A body's call: `context` as given, and the half-open range to work on.
using RangeBody = void (*)(void* context, std::int64_t begin, std::int64_t end);

// Runs `body` over [0, count) cut into pieces of at least `grain`; on the calling thread when one
// piece is enough or inside another parallel loop. The floating-point conditions that workers
// raised are raised on the caller. The first exception of a body is rethrown here.
void parallel_for(std::int64_t count, std::int64_t grain, RangeBody body, void* context);

// Whether the caller is the body of a loop that several threads share.
bool inside_parallel_for();

template <class Body>
void parallel_for(std::int64_t count, std::int64_t grain, Body&& body) {
  using Plain = std::remove_reference_t<Body>;
  parallel_for(
      count, grain,
      [](void* context, std::int64_t begin, std::int64_t end) {
        (*static_cast<Plain*>(context))(begin, end);
      },
      const_cast<void*>(static_cast<const void*>(&body)));
}

}  // namespace strider::nd
