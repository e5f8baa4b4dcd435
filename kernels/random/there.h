// Random numbers drawn where the program computes. Knows no distributions.
#pragma once

#include <strider/nd/random.h>

namespace strider::nd::random {

// The doubles in [0, 1) that the generator gives next, drawn on the device that the program asked
// for; the generator is then behind them. Null where the host should draw them.
Array draw_doubles_there(BitGenerator& bits, const Dims& shape);

}  // namespace strider::nd::random
