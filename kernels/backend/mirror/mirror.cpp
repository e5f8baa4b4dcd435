// Memory is handed out full of 0xCD bytes and overwritten with them when it comes back, so that
// nothing is right by chance. With STRIDER_UNFUSED=1 loops run as if they were still being
// compiled.
#include "kernels/backend/mirror/mirror.h"

#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "kernels/backend/mirror/arranger.h"
#include "kernels/backend/mirror/library.h"
#include "kernels/backend/unfused.h"
#include "kernels/core/device.h"

namespace strider::nd {
namespace {

constexpr int kPoison = 0xCD;
constexpr std::size_t kAlignment = 256;
constexpr std::size_t kWords = 1 << 16;

class MirrorDevice : public Device {
 public:
  std::string name() const override { return "mirror:0"; }
  std::byte* allocate(std::size_t bytes) override {
    std::size_t size = (bytes / kAlignment + 1) * kAlignment;
    void* block = std::aligned_alloc(kAlignment, size);
    if (block) std::memset(block, kPoison, bytes);
    return static_cast<std::byte*>(block);
  }
  void free(std::byte* address, std::size_t bytes) noexcept override {
    if (address) std::memset(address, kPoison, bytes);
    std::free(address);
  }
  void upload(std::byte* to, const std::byte* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
  }
  void download(std::byte* to, const std::byte* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
  }
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) override {
    std::memmove(to, from, bytes);
  }
  void clear(std::byte* address, std::size_t bytes) override { std::memset(address, 0, bytes); }
  void synchronize() override {}
};

bool is_set(const char* name) {
  const char* text = std::getenv(name);
  return text && *text && std::strcmp(text, "0") != 0;
}

class MirrorBackend : public Backend {
 public:
  std::string name() const override { return device_.name(); }
  Device* device() override { return &device_; }
  Arranger* arranger() override { return &mirror_arranger(); }
  Library* library() override { return &mirror_library(); }
  RendererChoice choose_renderer(const FusedLoop& loop) const override {
    return cpu_backend().choose_renderer(loop);
  }
  void run(std::span<BoundLoop> pass, std::int64_t rows) override {
    if (unfused_) {
      for (BoundLoop& bound : pass) run_unfused(bound);
    } else {
      cpu_backend().run(pass, rows);
    }
    for (BoundLoop& bound : pass) tell_later(bound);
  }

 private:
  void run_unfused(BoundLoop& bound) {
    std::optional<UnfusedLoop> unfused = unfuse(*bound.loop, bound.memory);
    if (!unfused) return cpu_backend().run({&bound, 1}, 1);
    bound.conditions.assign(bound.loop->steps.size() + 1, 0);
    DeviceTemporaries temporaries(device_, unfused->temporaries);
    if (!temporaries.take()) return cpu_backend().run({&bound, 1}, 1);
    for (const SingleLoop& single : unfused->loops) {
      LoopMemory memory = memory_of(single, bound.memory, temporaries.addresses());
      BoundLoop part{&single.loop, std::move(memory), {}, nullptr};
      cpu_backend().run({&part, 1}, 1);
      if (single.word >= 0) {
        bound.conditions[static_cast<std::size_t>(single.word)] |= part.conditions[0];
      }
    }
  }

  void tell_later(BoundLoop& bound) {
    std::size_t count = bound.conditions.size();
    if (next_ + count > kWords) next_ = 0;
    bound.late_conditions = words_.data() + next_;
    for (std::size_t i = 0; i < count; ++i) bound.late_conditions[i] = bound.conditions[i];
    next_ += count;
  }

  MirrorDevice device_;
  const bool unfused_ = is_set("STRIDER_UNFUSED");
  std::vector<std::uint32_t> words_ = std::vector<std::uint32_t>(kWords);
  std::size_t next_ = 0;
};

}  // namespace

Backend& mirror_backend() {
  static MirrorBackend* backend = new MirrorBackend;  // outlives arrays that die at exit
  return *backend;
}

}  // namespace strider::nd
