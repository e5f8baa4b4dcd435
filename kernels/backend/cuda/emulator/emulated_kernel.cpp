// A shared object is loaded from a file that goes at once; its entries take a pointer to their
// arguments.
#include "kernels/backend/cuda/emulator/emulated_kernel.h"

#include <dlfcn.h>
#include <strider/nd/error.h>
#include <strider/nd/half.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <boost/context/detail/fcontext.hpp>
#include <cfenv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>

#include "kernels/backend/cuda/emulator/processor.h"

namespace strider::nd::cuda::emulator {
namespace {

namespace context = boost::context::detail;

constexpr std::size_t kStackBytes = 128 << 10;
constexpr std::size_t kMostArguments = 4096;
constexpr int kSpoilt = 0xAB;

struct Entry {
  void* function = nullptr;
  Processor** processor = nullptr;
  char *shared = nullptr, *shared_end = nullptr;
};

class EmulatedKernel : public Kernel {
 public:
  explicit EmulatedKernel(const std::string& shared_object) {
    std::string path = std::filesystem::temp_directory_path() / "strider-kernel-XXXXXX";
    int file = mkstemp(path.data());  // never one that is loaded under this name
    if (file < 0) throw Error(ErrorKind::kRuntime, "cannot write a kernel to " + path);
    auto size = static_cast<ssize_t>(shared_object.size());
    bool whole = write(file, shared_object.data(), shared_object.size()) == size;
    close(file);
    if (whole) library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    unlink(path.c_str());
    if (!library_) throw Error(ErrorKind::kRuntime, std::string("cannot load: ") + dlerror());
    usual_.processor = static_cast<Processor**>(find("strider_processor"));
    usual_.shared = reinterpret_cast<char* (*)()>(find("strider_shared_begin"))();
    usual_.shared_end = reinterpret_cast<char* (*)()>(find("strider_shared_end"))();
  }
  ~EmulatedKernel() override { dlclose(library_); }

  const void* entry(const std::string& name) override {
    Entry& entry = entries_[name];
    if (!entry.function) {
      entry = usual_;
      entry.function = find(name.c_str());
    }
    return &entry;
  }

 private:
  void* find(const char* name) {
    void* found = dlsym(library_, name);
    if (!found) throw Error(ErrorKind::kRuntime, std::string("a kernel has no ") + name);
    return found;
  }

  void* library_ = nullptr;
  Entry usual_;
  std::map<std::string, Entry> entries_;
};

class Multiprocessor : public Processor {
 public:
  Multiprocessor() {
    stacks_ = static_cast<char*>(mmap(nullptr, kMostThreads * kStackBytes, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (stacks_ == MAP_FAILED) throw Error(ErrorKind::kMemory, "cannot allocate stacks");
    wait = [](Processor& self, Barrier at) { static_cast<Multiprocessor&>(self).stop(at); };
    narrow = half_from_float;
    widen = float_from_half;
  }

  void run(const Entry& entry, const KernelCall& call) {
    prepare(entry, call);
    std::size_t count = std::size_t{blocks.x} * blocks.y;
    bool backward = ++launches_ % 2;
    for (std::size_t i = 0; i < count; ++i) {
      auto number = static_cast<unsigned>(backward ? count - 1 - i : i);
      block = {number % blocks.x, number / blocks.x, 0};
      std::memset(entry_->shared, kSpoilt,
                  static_cast<std::size_t>(entry_->shared_end - entry_->shared));
      std::memset(shared, kSpoilt, call.shared_bytes);
      run_block();
    }
  }

 private:
  void prepare(const Entry& entry, const KernelCall& call) {
    auto fail = [](const char* what) { throw Error(ErrorKind::kRuntime, what); };
    if (call.arguments.size() > kMostArguments) fail("a launch has too many arguments");
    if (call.block[1] != 1 || call.block[2] != 1 || call.grid[2] != 1) fail("an odd launch");
    if (call.block[0] > kMostThreads) fail("a launch has too many threads");
    if (call.shared_bytes > kSharedBytes) fail("a launch wants too much shared memory");
    entry_ = &entry;
    *entry.processor = this;
    std::memcpy(arguments_, call.arguments.data(), call.arguments.size());
    threads = {call.block[0], 1, 1};
    blocks = {call.grid[0], call.grid[1], 1};
  }

  void run_block() {
    for (unsigned i = 0; i < threads.x; ++i) {
      contexts_[i] = context::make_fcontext(stacks_ + (i + 1) * kStackBytes, kStackBytes, start);
      waiting_[i] = Barrier::kNone;
      turn[i] = 0;
      done[i] = false;
    }
    left_ = threads.x;
    while (left_ > 0) {
      run_round();
      if (left_ > 0 && !release()) {
        throw Error(ErrorKind::kRuntime, "threads of a block wait at different barriers");
      }
    }
  }

  void run_round() {
    backward_ = !backward_;
    for (unsigned n = 0; n < threads.x; ++n) {
      unsigned i = backward_ ? threads.x - 1 - n : n;
      if (done[i] || waiting_[i] != Barrier::kNone) continue;
      thread = {i, 0, 0};
      context::transfer_t back = context::jump_fcontext(contexts_[i], this);
      contexts_[i] = back.fctx;
    }
  }

  // Lets those go on that have all come to the same barrier.
  bool release() {
    bool any = false;
    for (unsigned i = 0; i < threads.x; i += kWarpThreads) {
      any |= release(i, std::min(i + kWarpThreads, threads.x), Barrier::kWarp);
    }
    return any || release(0, threads.x, Barrier::kBlock);
  }
  bool release(unsigned begin, unsigned end, Barrier at) {
    bool any = false;
    for (unsigned i = begin; i < end; ++i) {
      if (done[i]) continue;
      if (waiting_[i] != at) return false;
      any = true;
    }
    for (unsigned i = begin; any && i < end; ++i) waiting_[i] = Barrier::kNone;
    return any;
  }

  static void start(context::transfer_t from) {
    auto& self = *static_cast<Multiprocessor*>(from.data);
    self.scheduler_ = from.fctx;
    reinterpret_cast<void (*)(const char*)>(self.entry_->function)(self.arguments_);
    self.done[self.thread.x] = true;
    --self.left_;
    context::jump_fcontext(self.scheduler_, nullptr);
  }
  void stop(Barrier at) {
    waiting_[thread.x] = at;
    scheduler_ = context::jump_fcontext(scheduler_, nullptr).fctx;
  }

  const Entry* entry_ = nullptr;
  std::size_t launches_ = 0;
  bool backward_ = false;
  unsigned left_ = 0;
  char* stacks_ = nullptr;
  context::fcontext_t scheduler_ = nullptr;
  context::fcontext_t contexts_[kMostThreads];
  Barrier waiting_[kMostThreads];
  alignas(16) char arguments_[kMostArguments];
};

}  // namespace

std::shared_ptr<Kernel> load(const std::string& shared_object) {
  return std::make_shared<EmulatedKernel>(shared_object);
}

void run(const void* entry, const KernelCall& call) {
  static auto* processor = new Multiprocessor;
  std::fenv_t before;
  std::feholdexcept(&before);
  processor->run(*static_cast<const Entry*>(entry), call);
  std::fesetenv(&before);
}

}  // namespace strider::nd::cuda::emulator
