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
#include "kernels/backend/cuda/jit/rendering.h"

namespace strider::nd::cuda {
namespace {

// The oldest that the toolkit knows, and one that can do more.
constexpr const char* kArchitectures[] = {"sm_75", "sm_90"};

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
  std::string name() const override { return "cuda, compiled only"; }
  RendererChoice choose_renderer(const FusedLoop& loop) const override {
    return cpu_backend().choose_renderer(loop);
  }
  void run(std::span<BoundLoop> pass, std::int64_t rows) override {
    for (const BoundLoop& bound : pass) compile_loop(bound);
    if (rows > 1 && pass.size() > 1) compile_pass(pass, rows);
    cpu_backend().run(pass, rows);
  }

 private:
  void compile_loop(const BoundLoop& bound) {
    const FusedLoop& loop = *bound.loop;
    if (loop.point_count() == 0 && loop.folds.empty()) return;
    LoopMemory memory = bound.memory;
    memory.delay = std::min<std::int64_t>(memory.delay, 0);  // results there lie elsewhere
    NoScratch scratch;
    auto* words = reinterpret_cast<std::uint32_t*>(scratch.take((loop.steps.size() + 1) * 4));
    Rendering rendering = render(loop, memory, words, DeviceFacts(), scratch);
    compile_once(rendering, [&] { return kernel_text(loop, memory, rendering.key); });
  }

  // As a device would run it, in one launch if it can.
  void compile_pass(std::span<const BoundLoop> pass, std::int64_t rows) {
    NoScratch scratch;
    std::vector<PassLoop> loops;
    for (const BoundLoop& bound : pass) {
      auto* words = reinterpret_cast<std::uint32_t*>(scratch.take(256));
      loops.push_back({bound.loop, &bound.memory, words});
    }
    std::optional<Rendering> rendering = render_pass(loops, rows, DeviceFacts());
    if (rendering) compile_once(*rendering, [&] { return pass_text(loops, rows); });
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
    std::string key = std::string(architecture) + " " + compiler_ + "\n" + digest(text);
    if (std::optional<std::string> kept = disk_.find(key)) return *kept;
    std::string code = compile(text, architecture);
    disk_.store(key, code);
    return code;
  }

  // Every launch must find its kernel.
  static void check_entries(const Rendering& rendering, const std::string& code) {
    for (const KernelCall& call : rendering.calls) {
      if (code.find(".text." + call.entry + '\0') == code.npos)
        throw Error(ErrorKind::kRuntime, "a kernel's code has no entry '" + call.entry + "'");
    }
  }

  std::mutex lock_;
  DiskCache disk_{kernel_cache_folder(), kernel_cache_limit()};
  std::string compiler_ = compiler_identity();
  std::unordered_set<std::string> seen_;
};

}  // namespace

Backend& compiling_backend() {
  static auto* backend = new CompilingBackend;
  return *backend;
}

}  // namespace strider::nd::cuda
