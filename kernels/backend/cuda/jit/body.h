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
// read, read_pair, compute, write, write_pair and report over them.
std::string body_text(const FusedLoop& loop, const LoopLayout& layout, bool watched);

}  // namespace strider::nd::cuda
