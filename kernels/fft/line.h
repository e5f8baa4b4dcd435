// Complex transforms of single lines in memory, by whatever plan, on all threads where one is long.
#pragma once

#include "kernels/fft/plan.h"
#include "kernels/fft/room.h"

namespace strider::nd {

// Points of a line: `there` numbers, what is missing being 0; of width 1 where they are real,
// else 2.
template <class S>
struct LineSource {
  const S* numbers;
  std::int64_t there;
  int width;
};

// Writes the transform of a line, multiplied by the factor. `to` must not overlap it.
template <class T, class From, class To>
void transform_line(const FftPlan<T>& plan, const LineSource<From>& from, bool forward, T factor,
                    Cplx<To>* to, Room<T>& room);

// The same of a whole line of the plan's own type.
template <class T>
void transform_packed(const FftPlan<T>& plan, const Cplx<T>* from, bool forward, T factor,
                      Cplx<T>* to, Room<T>& room) {
  LineSource<T> source{reinterpret_cast<const T*>(from), 2 * plan.length(), 2};
  transform_line(plan, source, forward, factor, to, room);
}

// Points that a thread is worth.
inline constexpr std::int64_t kPointsOfThread = 16384;

}  // namespace strider::nd
