// Places in words: the largest pieces of memory in which all elements that are meant can be moved.
// Talks to no device.
#pragma once

#include <optional>

#include "kernels/backend/cuda/precompiled/kernels.h"

namespace strider::nd::cuda {

// The same places for a base and packed elements at these addresses; none where there are too many
// axes. `whole_items`: words may not reach over elements' ends.
std::optional<WordPlaces> in_words(const Places& places, const void* base, const void* packed,
                                   bool whole_items);

}  // namespace strider::nd::cuda
