// Memory is handed out full of 0xCD bytes and overwritten with them when it comes back, so that
// nothing is right by chance. With STRIDER_UNFUSED=1 loops run as if they were still being
// compiled.
#include "kernels/backend/mirror/mirror.h"

#include <strider/nd/interrupt.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "kernels/backend/mirror/arranger.h"
#include "kernels/backend/mirror/library.h"
#include "kernels/backend/mirror/networks.h"
#include "kernels/backend/unfused.h"
#include "kernels/core/device.h"

namespace strider::nd {
namespace {

constexpr int kPoison = 0xCD;
constexpr std::size_t kAlignment = 256;
constexpr std::size_t kWords = 1 << 16;
constexpr std::size_t kTotal = std::size_t{16} << 30;

bool is_set(const char* name) {
  const char* text = std::getenv(name);
  return text && *text && std::strcmp(text, "0") != 0;
}

// Tests ask for devices that keep nothing.
bool is_tight() {
  static const bool tight = is_set("STRIDER_MIRROR_TIGHT");
  return tight;
}

struct Failures {
  std::int64_t after = INT64_MAX, count = 0;
  std::int64_t seen = 0;

  bool next() {
    std::int64_t number = seen++;
    return number >= after && number - after < count;
  }
};

Failures& failures() {
  static Failures instance;
  return instance;
}

class MirrorDevice : public Device {
 public:
  explicit MirrorDevice(int number) : number_(number) {}

  std::string name() const override { return "mirror:" + std::to_string(number_); }
  void free(std::byte* address, std::size_t bytes) noexcept override {
    if (!address) return;
    std::memset(address, kPoison, bytes);
    std::free(address);
    used_ -= size_of(bytes);
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
  bool copy_from(Device& source, std::byte* to, const std::byte* from,
                 std::size_t bytes) override {
    if (!dynamic_cast<MirrorDevice*>(&source)) return false;
    std::memcpy(to, from, bytes);
    return true;
  }
  void clear(std::byte* address, std::size_t bytes) override { std::memset(address, 0, bytes); }
  // As long as a real device would let an interrupt end its waits.
  void synchronize() override { check_interrupt(); }
  DeviceMemory memory() override {
    std::size_t used = used_;
    return {kTotal, kTotal - used, used, 0, peak_, limit_};
  }
  void limit_memory(std::size_t bytes) override { limit_ = bytes; }

  std::byte* take(std::size_t bytes) override {
    if (is_tight()) empty();
    std::size_t size = size_of(bytes), most = limit_ ? limit_.load() : kTotal;
    if (failures().next() || bytes > most || used_ + size > most) return nullptr;
    void* block = std::aligned_alloc(kAlignment, size);
    if (!block) return nullptr;
    std::memset(block, kPoison, bytes);
    used_ += size;
    peak_ = std::max(peak_.load(), used_.load());
    return static_cast<std::byte*>(block);
  }

 private:
  static std::size_t size_of(std::size_t bytes) { return (bytes / kAlignment + 1) * kAlignment; }

  // Whatever may leave does so, at every request.
  void empty() {
    if (emptying_) return;
    emptying_ = true;
    try {
      while (make_room(1)) {
      }
    } catch (...) {
      emptying_ = false;
      throw;
    }
    emptying_ = false;
  }

  int number_;
  bool emptying_ = false;
  std::atomic<std::size_t> used_{0}, peak_{0}, limit_{0};
};

class MirrorBackend : public Backend {
 public:
  explicit MirrorBackend(int number) : device_(number) {}

  std::string name() const override { return device_.name(); }
  Device* device() override { return &device_; }
  Arranger* arranger() override { return &mirror_arranger(); }
  Library* library() override { return &mirror_library(); }
  Networks* networks() override { return &mirror_networks(); }
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

Backend& mirror_backend(int number) {
  // They outlive arrays that die at exit.
  static MirrorBackend* const backends[kMirrors] = {new MirrorBackend(0), new MirrorBackend(1)};
  return *backends[number];
}

void fail_mirror_requests(std::int64_t after, std::int64_t count) {
  failures() = {after, count, 0};
}

std::int64_t mirror_requests() { return failures().seen; }

}  // namespace strider::nd
