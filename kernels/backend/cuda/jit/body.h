// The body of every kernel: reading a point's inputs, computing its steps, writing its outputs, and
// telling which conditions were met. Knows nothing of how points are shared between threads.
#pragma once

#include <string>

#include "kernels/backend/cuda/jit/arguments.h"
#include "kernels/backend/cuda/jit/layout.h"

namespace strider::nd::cuda {

// The work of one point, in simple instructions.
int work_of(const FusedLoop& loop);

// Whether any step's conditions are wanted.
bool watches(const FusedLoop& loop);
// Whether combining raises conditions of its own.
bool fold_raises(const LoopFold& fold);

// Appends what texts may depend on of steps, outputs and folds.
void append_steps_key(const FusedLoop& loop, bool watched, std::string& key);

// The fields that the body reads, in the order of its text. Scalars are read here.
void add_body_arguments(const FusedLoop& loop, const LoopLayout& layout, std::uint32_t* conditions,
                        Arguments& arguments);

// Place, Inputs, Outputs (with `folded` where there is a fold), Seen, and the functions place,
// read_still, read, read_pair, compute, settle, write, write_pair and report over them. read_still
// reads what is the same at all points, or at all of a row of a pass, and read the rest. compute
// tells by `odd` that a point may have met conditions, or operands that a quick step is not made
// for; settle computes it again where that is so, looking for them, which reads the point's inputs
// again and therefore comes before anything is written over them. check does that to any point,
// where there are pairs or points may be odd. What is folded is not tested where the fold `tells`
// of elements that are not finite. Along `last_axis` points step while they do not along the
// others, whose bytes are added first, and once.
std::string body_text(const FusedLoop& loop, const LoopLayout& layout, bool watched,
                      bool fold_tells = false, int last_axis = -1);

}  // namespace strider::nd::cuda
