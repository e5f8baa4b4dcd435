// Masks: elements or positions where the mask is 1, by CUB.
#include <thrust/iterator/counting_iterator.h>

#include <cub/device/device_select.cuh>

#include "kernels/backend/cuda/precompiled/kernels.h"

namespace strider::nd::cuda {
namespace {

template <class From, class To>
void choose(const Queue& queue, const std::uint8_t* mask, std::int64_t size, From from, To* to) {
  Workspace chosen(queue.device, sizeof(std::int64_t));
  std::size_t bytes = 0;
  auto run = [&](std::byte* scratch) {
    check_launch(cub::DeviceSelect::Flagged(scratch, bytes, from, mask, to,
                                            chosen.as<std::int64_t>(), size, queue.stream));
  };
  run(nullptr);
  Workspace scratch(queue.device, bytes);
  run(scratch.start());
}

struct alignas(8) Pair {
  std::uint64_t first, second;
};

template <class T>
void choose_as(const Queue& queue, const std::uint8_t* mask, std::int64_t size,
               const std::byte* values, std::byte* chosen) {
  choose(queue, mask, size, reinterpret_cast<const T*>(values), reinterpret_cast<T*>(chosen));
}

}  // namespace

void choose_items(const Queue& queue, const std::uint8_t* mask, std::int64_t size,
                  const std::byte* values, int item, std::byte* chosen) {
  auto choose_them = item == 1   ? choose_as<std::uint8_t>
                     : item == 2 ? choose_as<std::uint16_t>
                     : item == 4 ? choose_as<std::uint32_t>
                     : item == 8 ? choose_as<std::uint64_t>
                                 : choose_as<Pair>;
  choose_them(queue, mask, size, values, chosen);
}

void list_positions(const Queue& queue, const std::uint8_t* mask, std::int64_t size,
                    std::int64_t* positions) {
  choose(queue, mask, size, thrust::counting_iterator<std::int64_t>(0), positions);
}

}  // namespace strider::nd::cuda
