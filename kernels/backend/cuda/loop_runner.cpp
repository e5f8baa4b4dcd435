// A pass's launches are gathered before the first is queued, so that what turns out to be missing
// can still be waited for. They are kept with the loops for the next run.
#include "kernels/backend/cuda/loop_runner.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <optional>

#include "kernels/backend/cuda/detour.h"
#include "kernels/backend/cuda/jit/ready_set.h"
#include "kernels/backend/cuda/kept_launches.h"
#include "kernels/backend/cuda/workspace.h"
#include "kernels/backend/unfused.h"

namespace strider::nd::cuda {
namespace {

// Temporaries of more bytes must leave as much memory for others.
constexpr std::size_t kFewBytes = 64u << 20;
// Loops of a pass whose launches are looked for where they are kept.
constexpr std::size_t kMostKept = 8;

// Memory between the launches of a loop, given back once they are queued.
class DeviceScratch : public Scratch {
 public:
  explicit DeviceScratch(Device& device) : device_(device) {}
  std::byte* take(std::size_t bytes) override {
    return taken_.emplace_back(device_, bytes).start();
  }
  std::vector<std::size_t> sizes() const {
    std::vector<std::size_t> sizes;
    for (const Workspace& each : taken_) sizes.push_back(each.size());
    return sizes;
  }

 private:
  Device& device_;
  std::vector<Workspace> taken_;
};

bool watches(const FusedLoop& loop) {
  return !loop.folds.empty() || std::any_of(loop.steps.begin(), loop.steps.end(),
                                            [](const Step& step) { return step.watched != 0; });
}

std::vector<PassLoop> pass_loops(std::span<const BoundLoop> loops) {
  std::vector<PassLoop> result;
  for (const BoundLoop& bound : loops) {
    result.push_back({bound.loop, &bound.memory, bound.late_conditions});
  }
  return result;
}

}  // namespace

bool waits_for_compiler() {
  const char* text = std::getenv("STRIDER_CUDA_COMPILE");
  return text && std::strcmp(text, "wait") == 0;
}

// The launches of a pass, with what they need until they are queued.
class LoopRunner::Work {
 public:
  explicit Work(LaunchQueue& queue) : queue_(queue) {}

  void add(const std::shared_ptr<Kernel>& kernel, std::vector<KernelCall> calls) {
    for (KernelCall& call : calls) launches_.push_back({kernel, std::move(call)});
  }
  DeviceScratch& new_scratch() { return scratches_.emplace_back(queue_.device()); }
  DeviceTemporaries& new_temporaries(const std::vector<std::size_t>& sizes) {
    return temporaries_.emplace_back(queue_.device(), sizes);
  }
  std::size_t size() const { return launches_.size(); }
  // Forgets launches that were added later.
  void shorten(std::size_t size) { launches_.resize(size); }
  void queue() {
    for (Launch& each : launches_) queue_.launch(each.kernel->entry(each.call.entry), each.call);
    launches_.clear();
  }

 private:
  struct Launch {
    std::shared_ptr<Kernel> kernel;
    KernelCall call;
  };

  LaunchQueue& queue_;
  std::vector<Launch> launches_;
  std::deque<DeviceScratch> scratches_;
  std::deque<DeviceTemporaries> temporaries_;
};

void LoopRunner::take_words(std::span<BoundLoop> loops) {
  for (BoundLoop& bound : loops) {
    const FusedLoop& loop = *bound.loop;
    if (watches(loop)) bound.late_conditions = queue_.take_words(loop.steps.size() + 1);
  }
}

// One launch for all, once its kernel is there.
void LoopRunner::run_side_by_side(std::span<BoundLoop> loops) {
  take_words(loops);
  if (run_again(loops)) return;
  std::vector<PassLoop> maps = pass_loops(loops);
  std::optional<Rendering> rendering = render_side_by_side(maps, queue_.facts());
  std::shared_ptr<Kernel> kernel;
  if (rendering)
    kernel = find(rendering->key, [&] { return side_by_side_text(maps, rendering->key); });
  if (!kernel) return run_apart(loops);
  Work work(queue_);
  keep(loops, kernel, *rendering, {});
  work.add(kernel, std::move(rendering->calls));
  work.queue();
}

void LoopRunner::run(std::span<BoundLoop> pass, std::int64_t rows) {
  take_words(pass);
  if (run_again(pass)) return;
  if (pass.size() == 1 && pass[0].memory.delay > 0) {
    if (run_in_place(pass[0])) return;
    Detour detour(pass[0], queue_.device());
    run_apart({&detour.computed, 1});
    run_apart({&detour.copied, 1});
  } else if (!run_together(pass, rows)) {
    run_apart(pass);
  }
}

// The launches of an earlier run, if all loops have kept theirs.
bool LoopRunner::run_again(std::span<BoundLoop> pass) {
  if (pass.size() > kMostKept) return false;
  std::array<const KeptLaunches*, kMostKept> kept;
  std::array<std::shared_ptr<Kernel>, kMostKept> kernels;
  for (std::size_t i = 0; i < pass.size(); i += kept[i]->loop_count()) {
    kept[i] = KeptLaunches::find(pass.subspan(i), queue_);
    if (kept[i]) kernels[i] = kept[i]->kernel();
    if (!kernels[i]) return false;
  }
  for (std::size_t i = 0; i < pass.size(); i += kept[i]->loop_count()) {
    kept[i]->launch(pass.subspan(i));
    ++again_;
  }
  return true;
}

// The kernel of this key if it is there; null while it is compiled, and where it cannot be.
std::shared_ptr<Kernel> LoopRunner::start(const std::string& key,
                                          const KernelCache::MakeText& make_text) {
  try {
    return kernels_.find_or_start(key, make_text);
  } catch (const std::exception&) {
    return nullptr;
  }
}

// The same, once it is compiled if that is what is wanted.
std::shared_ptr<Kernel> LoopRunner::find(const std::string& key,
                                         const KernelCache::MakeText& make_text) {
  if (!waits_) return start(key, make_text);
  try {
    return kernels_.wait(key, make_text);
  } catch (const std::exception&) {
    return nullptr;
  }
}

// Stencils, once their kernel is there.
bool LoopRunner::run_in_place(BoundLoop& bound) {
  if (!runs_in_place(*bound.loop, bound.memory)) return false;
  Work work(queue_);
  Rendering rendering =
      render(*bound.loop, bound.memory, bound.late_conditions, queue_.facts(), work.new_scratch());
  std::shared_ptr<Kernel> kernel =
      find(rendering.key, [&] { return kernel_text(*bound.loop, bound.memory, rendering.key); });
  if (!kernel) return false;
  work.add(kernel, std::move(rendering.calls));
  work.queue();
  return true;
}

// One launch for all loops where rows allow it.
bool LoopRunner::run_together(std::span<BoundLoop> pass, std::int64_t rows) {
  if (rows < 2 || pass.size() < 2) return false;
  std::vector<PassLoop> loops = pass_loops(pass);
  std::optional<Rendering> rendering = render_pass(loops, rows, queue_.facts());
  if (!rendering) return false;
  auto make_text = [&] { return pass_text(loops, rows, queue_.facts()); };
  Work work(queue_);
  std::shared_ptr<Kernel> kernel = find(rendering->key, make_text);
  bool all = !kernel && std::all_of(pass.begin(), pass.end(),
                                    [&](BoundLoop& bound) { return add_unfused(work, bound); });
  if (!all) {
    if (!kernel) kernel = kernels_.wait(rendering->key, make_text);
    work.shorten(0);
    keep(pass, kernel, *rendering, {});
    work.add(kernel, std::move(rendering->calls));
  }
  work.queue();
  return true;
}

// What is not compiled yet is begun for all loops before the first is waited for.
void LoopRunner::run_apart(std::span<BoundLoop> pass) {
  struct Prepared {
    DeviceScratch& scratch;
    Rendering rendering;
    std::shared_ptr<Kernel> kernel;
  };
  Work work(queue_);
  std::deque<Prepared> prepared;
  auto make_text = [&](std::size_t i) {
    return [&bound = pass[i], &key = prepared[i].rendering.key] {
      return kernel_text(*bound.loop, bound.memory, key);
    };
  };
  for (std::size_t i = 0; i < pass.size(); ++i) {
    BoundLoop& bound = pass[i];
    DeviceScratch& scratch = work.new_scratch();
    prepared.push_back(
        {scratch, render(*bound.loop, bound.memory, bound.late_conditions, queue_.facts(), scratch),
         nullptr});
  }
  auto needs_kernel = [&](std::size_t i) {
    return !prepared[i].kernel && !prepared[i].rendering.calls.empty();
  };
  for (std::size_t i = 1; i < pass.size(); ++i) {
    if (needs_kernel(i)) prepared[i].kernel = start(prepared[i].rendering.key, make_text(i));
  }
  for (std::size_t i = 0; i < pass.size(); ++i) {
    if (needs_kernel(i)) prepared[i].kernel = find(prepared[i].rendering.key, make_text(i));
  }
  for (std::size_t i = 0; i < pass.size(); ++i) {
    if (needs_kernel(i) && add_unfused(work, pass[i])) continue;
    if (needs_kernel(i)) {
      prepared[i].kernel = kernels_.wait(prepared[i].rendering.key, make_text(i));
    }
    Prepared& each = prepared[i];
    if (each.kernel) keep(pass.subspan(i, 1), each.kernel, each.rendering, each.scratch.sizes());
    work.add(each.kernel, std::move(each.rendering.calls));
  }
  work.queue();
}

// Keeps launches with their loops.
void LoopRunner::keep(std::span<const BoundLoop> loops, const std::shared_ptr<Kernel>& kernel,
                      const Rendering& rendering, std::vector<std::size_t> scratch) {
  auto kept = std::make_shared<KeptLaunches>(queue_, kernel, rendering, loops, std::move(scratch));
  for (const BoundLoop& bound : loops) bound.loop->preparation = kept;
}

// The loop's launches one instruction at a time; false, with none of them, where kernels or memory
// are missing.
bool LoopRunner::add_unfused(Work& work, BoundLoop& bound) {
  std::optional<UnfusedLoop> unfused = unfuse(*bound.loop, bound.memory);
  if (!unfused || !has_room(unfused->bytes())) return false;
  DeviceTemporaries& temporaries = work.new_temporaries(unfused->temporaries);
  if (!temporaries.take()) return false;
  std::size_t before = work.size();
  DeviceFacts facts = queue_.facts();
  for (const SingleLoop& single : unfused->loops) {
    LoopMemory memory = memory_of(single, bound.memory, temporaries.addresses());
    std::uint32_t* words = bound.late_conditions;
    if (single.word < 0) {
      words = nullptr;
    } else {
      words = words ? words + single.word : queue_.take_words(2);
    }
    facts.shape = ready_shape(single, queue_.facts().shape);
    Rendering rendering = render(single.loop, memory, words, facts, work.new_scratch());
    std::shared_ptr<Kernel> kernel = kernels_.find(rendering.key);
    if (!kernel) {
      work.shorten(before);
      return false;
    }
    work.add(kernel, std::move(rendering.calls));
  }
  ++unfused_;
  return true;
}

bool LoopRunner::has_room(std::size_t bytes) {
  if (bytes <= kFewBytes) return true;
  DeviceMemory memory = queue_.device().memory();
  std::size_t room = memory.free + memory.cached;
  if (memory.limit) room = std::min(room, memory.limit - std::min(memory.limit, memory.used));
  return bytes <= room / 2;
}

}  // namespace strider::nd::cuda
