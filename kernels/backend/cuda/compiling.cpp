// Compiles what a GPU would run, for machines that have none.
#include <strider/nd/error.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "kernels/backend/cuda/backend.h"
#include "kernels/backend/cuda/jit/digest.h"
#include "kernels/backend/cuda/jit/disk_cache.h"
#include "kernels/backend/cuda/jit/nvrtc.h"
#include "kernels/backend/cuda/jit/ready_set.h"
#include "kernels/backend/cuda/jit/rendering.h"
#include "kernels/backend/cuda/ready/pack.h"
#include "kernels/backend/unfused.h"
#include "kernels/core/log.h"

namespace strider::nd::cuda {
namespace {

// The oldest that the toolkit knows, as far as its portable code, and one that can do more. Two
// thirds of the time go into making machine code.
constexpr const char* kArchitectures[] = {"compute_75", "sm_90"};
constexpr int kReadyCapability = 90;

// Addresses at which nothing lies.
class NoScratch : public Scratch {
 public:
  std::byte* take(std::size_t bytes) override {
    auto* block = reinterpret_cast<std::byte*>(next_);
    next_ += (bytes + 255) / 256 * 256;
    return block;
  }

 private:
  std::uintptr_t next_ = std::uintptr_t{1} << 40;
};

class CompilingBackend : public Backend {
 public:
  explicit CompilingBackend(std::string_view ready) : pack_(ready) { pack_.open(kReadyCapability); }

  std::string name() const override { return "cuda, compiled only"; }
  RendererChoice choose_renderer(const FusedLoop& loop) const override {
    return cpu_backend().choose_renderer(loop);
  }
  void run(std::span<BoundLoop> pass, std::int64_t rows) override {
    for (const BoundLoop& bound : pass) {
      compile_loop(bound);
      look_for_ready(bound);
    }
    if (rows > 1 && pass.size() > 1) compile_pass(pass, rows);
    cpu_backend().run(pass, rows);
  }
  void run_side_by_side(std::span<BoundLoop> loops) override {
    compile_side_by_side(loops);
    Backend::run_side_by_side(loops);
  }
  KernelCounts kernel_counts() override {
    std::lock_guard<std::mutex> guard(lock_);
    return counts_;
  }

 private:
  void compile_loop(const BoundLoop& bound) {
    const FusedLoop& loop = *bound.loop;
    if (loop.point_count() == 0 && loop.folds.empty()) return;
    LoopMemory memory = bound.memory;
    if (memory.delay > 0 && !runs_in_place(loop, memory)) memory.delay = 0;  // a detour is taken
    NoScratch scratch;
    auto* words = reinterpret_cast<std::uint32_t*>(scratch.take((loop.steps.size() + 1) * 4));
    Rendering rendering = render(loop, memory, words, DeviceFacts(), scratch);
    compile_once(rendering, [&] { return kernel_text(loop, memory, rendering.key); });
  }

  // Whether a device could run the loop one instruction at a time, if it were new.
  void look_for_ready(const BoundLoop& bound) {
    LoopMemory memory = bound.memory;
    memory.delay = std::min<std::int64_t>(memory.delay, 0);
    std::optional<UnfusedLoop> unfused = unfuse(*bound.loop, memory);
    bool all = unfused.has_value();
    std::vector<std::byte*> temporaries;
    NoScratch scratch;
    if (unfused) {
      for (std::size_t bytes : unfused->temporaries) temporaries.push_back(scratch.take(bytes));
    }
    for (std::size_t i = 0; all && i < unfused->loops.size(); ++i) {
      const SingleLoop& single = unfused->loops[i];
      LoopMemory own = memory_of(single, memory, temporaries);
      DeviceFacts facts;
      facts.shape = ready_shape(single, facts.shape);
      auto* words = reinterpret_cast<std::uint32_t*>(scratch.take(8));
      std::string key = render(single.loop, own, words, facts, scratch).key;
      all = pack_.find(key).has_value();
      if (!all && is_logged(LogSubject::kRendering)) log_line("no ready-made kernel: " + key);
    }
    std::lock_guard<std::mutex> guard(lock_);
    ++(all ? counts_.unfused : counts_.waited);
  }

  static std::vector<PassLoop> pass_loops(std::span<const BoundLoop> bound_loops) {
    NoScratch scratch;
    std::vector<PassLoop> loops;
    for (const BoundLoop& bound : bound_loops) {
      auto* words = reinterpret_cast<std::uint32_t*>(scratch.take(256));
      loops.push_back({bound.loop, &bound.memory, words});
    }
    return loops;
  }

  // As a device would run it, in one launch if it can.
  void compile_side_by_side(std::span<const BoundLoop> bound_loops) {
    std::vector<PassLoop> maps = pass_loops(bound_loops);
    std::optional<Rendering> rendering = render_side_by_side(maps, DeviceFacts());
    if (rendering)
      compile_once(*rendering, [&] { return side_by_side_text(maps, rendering->key); });
  }
  void compile_pass(std::span<const BoundLoop> pass, std::int64_t rows) {
    std::vector<PassLoop> loops = pass_loops(pass);
    DeviceFacts facts;
    std::optional<Rendering> rendering = render_pass(loops, rows, facts);
    if (rendering) compile_once(*rendering, [&] { return pass_text(loops, rows, facts); });
  }

  template <class MakeText>
  void compile_once(const Rendering& rendering, const MakeText& make_text) {
    std::lock_guard<std::mutex> guard(lock_);
    if (!seen_.insert(rendering.key).second) return;
    std::string text = make_text();
    for (const char* architecture : kArchitectures) {
      check_entries(rendering, code_of(architecture, text));
    }
  }

  std::string code_of(const char* architecture, const std::string& text) {
    std::string key = std::string(architecture) + " quick " + compiler_ + "\n" + digest(text);
    if (std::optional<std::string> kept = disk_.find(key)) {
      ++counts_.from_disk;
      return *kept;
    }
    ++counts_.compiled;
    std::string code = compile(text, architecture, Effort::kQuick);
    disk_.store(key, code);
    return code;
  }

  // Every launch must find its kernel.
  static void check_entries(const Rendering& rendering, const std::string& code) {
    for (const KernelCall& call : rendering.calls) {
      if (code.find(".text." + call.entry + '\0') == code.npos &&
          code.find(".entry " + call.entry + "(") == code.npos)
        throw Error(ErrorKind::kRuntime, "a kernel's code has no entry '" + call.entry + "'");
    }
  }

  std::mutex lock_;
  ReadyPack pack_;
  KernelCounts counts_;  // loops that could run unfused, or would be waited for; kernels
  DiskCache disk_{kernel_cache_folder(), kernel_cache_limit()};
  std::string compiler_ = compiler_identity();
  std::unordered_set<std::string> seen_;
};

}  // namespace

Backend& compiling_backend(std::string_view ready) {
  static auto* backend = new CompilingBackend(ready);
  return *backend;
}

}  // namespace strider::nd::cuda
