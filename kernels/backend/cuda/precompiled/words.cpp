// Axes that step like one are merged first, then the innermost run of bytes is cut into words.
#include "kernels/backend/cuda/precompiled/words.h"

#include <algorithm>

namespace strider::nd::cuda {
namespace {

// Appends an axis, merged with the one before where both step like one. False: no room.
bool push(WalkedAxes& axes, std::int64_t extent, std::int64_t stride) {
  axes.count *= extent;
  if (extent == 1) return true;
  int last = axes.rank - 1;
  if (last >= 0 && axes.stride[last] == stride * extent) {
    axes.extent[last] *= extent;
    axes.stride[last] = stride;
    return true;
  }
  if (axes.rank == WalkedAxes::kMost) return false;
  axes.extent[axes.rank] = extent;
  axes.stride[axes.rank++] = stride;
  return true;
}

bool push_all(WalkedAxes& axes, const Dims& shape, const Dims& strides) {
  for (int axis = 0; axis < shape.size(); ++axis)
    if (!push(axes, shape[axis], strides[axis])) return false;
  return true;
}

// The bits in which addresses and steps differ from multiples of large words.
std::uint64_t odd_bits(const WalkedAxes& axes) {
  std::uint64_t bits = 0;
  for (int axis = 0; axis < axes.rank; ++axis)
    bits |= static_cast<std::uint64_t>(axes.stride[axis]);
  return bits;
}

}  // namespace

std::optional<WordPlaces> in_words(const Places& places, const void* base, const void* packed,
                                   bool whole_items) {
  WordPlaces found;
  found.offsets = places.offsets.data();
  found.offset_count = static_cast<std::int64_t>(places.offsets.size());
  WalkedAxes inner;
  bool fits = push_all(found.outer, places.outer_shape, places.outer_strides) &&
              push_all(inner, places.inner_shape, places.inner_strides);
  if (!fits) return std::nullopt;
  std::int64_t run = places.item;  // of bytes that lie together
  if (inner.rank && inner.stride[inner.rank - 1] == run) {
    std::int64_t extent = inner.extent[--inner.rank];
    inner.count /= extent;
    run *= extent;
  }
  std::uint64_t odd =
      odd_bits(found.outer) | odd_bits(inner) | static_cast<std::uint64_t>(places.step) |
      static_cast<std::uint64_t>(places.lowest) | reinterpret_cast<std::uintptr_t>(base) |
      reinterpret_cast<std::uintptr_t>(packed) |
      static_cast<std::uint64_t>(whole_items ? places.item : run);
  for (found.word = 8; odd % static_cast<std::uint64_t>(found.word) != 0;) found.word /= 2;
  found.inner = inner;
  found.item_words = std::max(1, places.item / found.word);
  if (!push(found.inner, run / found.word, found.word)) return std::nullopt;
  return found;
}

}  // namespace strider::nd::cuda
