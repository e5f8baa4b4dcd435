// Draws random numbers on a GPU, from one kind of stream.
#pragma once

#include <strider/nd/device.h>

#include "kernels/backend/cuda/precompiled/draw.h"
#include "kernels/backend/cuda/precompiled/draw_run.h"
#include "kernels/core/device.h"

namespace strider::nd::cuda {

// A queue as what draws need.
struct DrawMachine {
  using Memory = Workspace;
  const Queue& queue;

  Workspace take(std::size_t bytes) { return Workspace(queue.device, bytes); }
  void upload(std::byte* to, const std::byte* from, std::size_t bytes) {
    queue.device.upload(to, from, bytes);
  }
  void download(std::byte* to, const std::byte* from, std::size_t bytes) {
    queue.device.download(to, from, bytes);
  }
  void clear(std::byte* address, std::size_t bytes) { queue.device.clear(address, bytes); }
  template <class Work>
  void launch(void (*kernel)(Work), unsigned blocks, unsigned threads, const Work& work) {
    kernel<<<blocks, threads, 0, queue.stream>>>(work);
    check_launch(cudaGetLastError());
    ++device_counts().launches;
  }
};

// Fewer numbers the host has drawn before a device has been waited for.
constexpr std::int64_t kWorthWaiting = 1 << 14;

template <class Words>
bool draw_from(const Queue& queue, const RandomStream& stream, const RandomDraw& draw,
               std::byte* to, std::int64_t count, std::int64_t* units) {
  DrawMachine machine{queue};
  bool done = false;
  drawing::with_rule(draw, draw.table, [&](const auto& rule) {
    using Rule = std::remove_cv_t<std::remove_reference_t<decltype(rule)>>;
    using Cursor = drawing::CursorFor<Words, typename Rule::Unit>;
    if (!rule.steady && count < kWorthWaiting) return;
    DrawRun<DrawMachine, Cursor, Rule> run(machine, stream, rule);
    done = run.draw(reinterpret_cast<typename Rule::Value*>(to), count, units);
  });
  return done;
}

}  // namespace strider::nd::cuda
