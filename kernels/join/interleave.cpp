// One pass that writes memory in order, where a copy of one array after another would go over the
// result as often as there are arrays.
#include "kernels/join/interleave.h"

#include <strider/nd/eval.h>
#include <strider/nd/threads.h>

#include <algorithm>

#include "kernels/core/node.h"
#include "kernels/graph/graph.h"

namespace strider::nd {
namespace {

constexpr std::int64_t kMostArrays = 4;
constexpr std::int64_t kParallelBytes = 1 << 20;

struct Word128 {
  std::uint64_t low, high;
};

template <class T, int kArrays>
void take_turns(const std::byte* const* from, std::int64_t begin, std::int64_t end, std::byte* to) {
  const T* arrays[kArrays];
  for (int k = 0; k < kArrays; ++k) arrays[k] = reinterpret_cast<const T*>(from[k]);
  T* __restrict out = reinterpret_cast<T*>(to);
  for (std::int64_t i = begin; i < end; ++i)
    for (int k = 0; k < kArrays; ++k) out[i * kArrays + k] = arrays[k][i];
}

template <class T>
void take_turns_of(std::size_t count, const std::byte* const* from, std::int64_t begin,
                   std::int64_t end, std::byte* to) {
  if (count == 2) return take_turns<T, 2>(from, begin, end, to);
  if (count == 3) return take_turns<T, 3>(from, begin, end, to);
  take_turns<T, 4>(from, begin, end, to);
}

auto loop_for(int size) -> decltype(&take_turns_of<std::uint8_t>) {
  switch (size) {
    case 1:
      return take_turns_of<std::uint8_t>;
    case 2:
      return take_turns_of<std::uint16_t>;
    case 4:
      return take_turns_of<std::uint32_t>;
    case 8:
      return take_turns_of<std::uint64_t>;
    default:
      return take_turns_of<Word128>;
  }
}

bool is_here(const Array& array) { return !is_away(array) && array.is_c_contiguous(); }

}  // namespace

bool interleave(std::span<const Array> arrays, const Array& result) {
  if (arrays.size() < 2 || arrays.size() > kMostArrays || recording().on_device) return false;
  if (result.node()->storage->device() || !result.is_c_contiguous()) return false;
  for (const Array& array : arrays)
    if (array.dtype() != result.dtype() || !is_here(array)) return false;
  const std::byte* from[kMostArrays];
  for (std::size_t k = 0; k < arrays.size(); ++k) from[k] = arrays[k].data();
  std::byte* to = result.mutable_data();
  auto* loop = loop_for(item_size(result.dtype()));
  std::int64_t count = arrays[0].size();
  std::int64_t row = item_size(result.dtype()) * static_cast<std::int64_t>(arrays.size());
  std::int64_t grain = std::max<std::int64_t>(1, worth_a_thread(kParallelBytes) / 2 / row);
  parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
    loop(arrays.size(), from, begin, end, to);
  });
  return true;
}

}  // namespace strider::nd
