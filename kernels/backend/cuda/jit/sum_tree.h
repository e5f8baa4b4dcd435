// The tree of an inexact sum, as text/sum.h has it.
#pragma once

#include <cstdint>

#include "kernels/backend/loop.h"

namespace strider::nd::cuda {

// Groups of lanes in a block, each of which takes nodes of the tree.
std::int64_t group_count(const LoopFold& fold);
// Levels above the leaves, of so many elements.
std::uint32_t level_count(const LoopFold& fold, std::int64_t count);
// Nodes that are the work of a group.
std::int64_t node_count(std::uint32_t levels);

}  // namespace strider::nd::cuda
