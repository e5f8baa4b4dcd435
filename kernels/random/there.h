// Random numbers drawn where the program computes. Knows no distributions.
#pragma once

#include <strider/nd/random.h>

#include "kernels/backend/draws/request.h"

namespace strider::nd::random {

// The numbers that the generator gives next by a rule, drawn on the device that the program asked
// for; the generator is then behind them. Null where the host should draw them: then nothing has
// happened.
Array draw_there(BitGenerator& bits, const RandomDraw& draw, const Dims& shape);

// The same for float64 or float32 numbers, by the generators' own ziggurats.
Array draw_real_there(BitGenerator& bits, Drawn kind, DType dtype, const Dims& shape);

}  // namespace strider::nd::random
