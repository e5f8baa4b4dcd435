// Runs of turns of a compiled loop on several threads.
#pragma once

#include <cstdint>

namespace strider::lang {

// A run of turns: its first, and the one behind its last; the words that it is given, and those of
// its results, of which the first is its status, and the second at first how far its stack may
// grow.
using TurnsFunction = void(std::int64_t first, std::int64_t last, std::uint64_t* given,
                           std::uint64_t* results);

// Runs all turns and returns the number of runs, behind which lie the results of each, `width`
// words; they are there until the thread calls it again. `status` is that of the code that calls.
// How turns are divided into runs depends on nothing but their number.
std::uint64_t* share_turns(TurnsFunction* function, std::int64_t turns, std::uint64_t* given,
                           std::int64_t width, const std::uint64_t* status);

}  // namespace strider::lang
