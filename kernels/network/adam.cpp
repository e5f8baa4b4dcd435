// A step of Adam, element by element.
#include "kernels/network/adam.h"

#include <strider/nd/threads.h>

#include <cmath>

namespace strider::nd {

template <class T>
void move_by_adam(const AdamStep& step, const AdamElements& part) {
  auto* x = reinterpret_cast<T*>(part.x);
  auto* gradient = reinterpret_cast<const T*>(part.gradient);
  auto* mean = reinterpret_cast<T*>(part.mean);
  auto* square = reinterpret_cast<T*>(part.square);
  auto new_mean = static_cast<T>(step.new_mean), new_square = static_cast<T>(step.new_square);
  auto rate = static_cast<T>(step.rate), spread = static_cast<T>(step.spread);
  auto eps = static_cast<T>(step.eps), decay = static_cast<T>(step.decay);
  bool decays = step.decay != 0;
  parallel_for(part.count, worth_a_thread(1 << 15), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      T g = decays ? gradient[i] + decay * x[i] : gradient[i];
      T m = mean[i] + new_mean * (g - mean[i]);
      T v = square[i] + new_square * (g * g - square[i]);
      mean[i] = m;
      square[i] = v;
      x[i] = x[i] - rate * m / (std::sqrt(v) * spread + eps);
    }
  });
}

template void move_by_adam<float>(const AdamStep&, const AdamElements&);
template void move_by_adam<double>(const AdamStep&, const AdamElements&);

}  // namespace strider::nd
