// Kernels are made once, by whoever needs them first, with a maker that needs no device.
#include <doctest/doctest.h>
#include <stdlib.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <thread>
#include <vector>

#include "kernels/backend/cuda/jit/kernel_cache.h"

namespace cuda = strider::nd::cuda;
namespace fs = std::filesystem;

namespace {

class NamedKernel : public cuda::Kernel {
 public:
  explicit NamedKernel(std::string code) : code(std::move(code)) {}
  const void* entry(const std::string&) override { return code.data(); }
  std::string code;
};

class FakeMaker : public cuda::KernelMaker {
 public:
  std::string identity() override { return version; }
  std::string compile(const std::string& text) override {
    ++compiled;
    for (int i = 0; i < 5000 && compiled < together; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    met += compiled >= together;
    std::this_thread::sleep_for(std::chrono::milliseconds(slowness));
    if (text == "wrong") throw std::runtime_error("does not compile");
    return "code of " + text;
  }
  std::shared_ptr<cuda::Kernel> load(const std::string& code) override {
    if (code == unloadable) {
      unloadable.clear();
      throw std::runtime_error("cannot be loaded");
    }
    return std::make_shared<NamedKernel>(code);
  }

  std::string version = "1";
  std::string unloadable;
  int slowness = 0;
  int together = 0;  // a compilation waits for so many to have begun
  std::atomic<int> compiled{0}, met{0};
};

std::string code_of(const std::shared_ptr<cuda::Kernel>& kernel) {
  return dynamic_cast<NamedKernel&>(*kernel).code;
}

struct Setting {
  ~Setting() { fs::remove_all(folder); }
  static std::string make_folder() {
    std::string name = (fs::temp_directory_path() / "strider-kernels-XXXXXX").string();
    return ::mkdtemp(name.data());
  }
  std::string folder = make_folder();
  cuda::DiskCache none{"", 0};
  FakeMaker maker;
};

auto text(std::string content) {
  return [content] { return content; };
}

}  // namespace

TEST_CASE("a kernel is made once and its text only when it is needed") {
  Setting s;
  cuda::KernelCache cache(s.maker, s.none);
  auto first = cache.wait("a", text("A"));
  CHECK(code_of(first) == "code of A");
  auto never = []() -> std::string { throw std::logic_error("made again"); };
  CHECK(cache.wait("a", never) == first);
  CHECK(cache.find_or_start("a", text("A")) == first);
  CHECK(s.maker.compiled == 1);
}

TEST_CASE("a kernel is compiled beside the program") {
  Setting s;
  s.maker.slowness = 20;
  cuda::KernelCache cache(s.maker, s.none);
  CHECK(cache.find_or_start("a", text("A")) == nullptr);
  CHECK(cache.find_or_start("b", text("B")) == nullptr);
  CHECK(code_of(cache.wait("b", text("B"))) == "code of B");
  CHECK(code_of(cache.wait("a", text("A"))) == "code of A");
  CHECK(cache.find_or_start("a", text("A")) != nullptr);
  CHECK(s.maker.compiled == 2);
}

TEST_CASE("several kernels are compiled beside the program at the same time") {
  Setting s;
  s.maker.together = 3;
  cuda::KernelCache cache(s.maker, s.none, 2048, nullptr, 3);
  for (const char* name : {"a", "b", "c"}) CHECK(!cache.find_or_start(name, text(name)));
  for (const char* name : {"a", "b", "c"})
    CHECK(code_of(cache.wait(name, text(name))) == std::string("code of ") + name);
  CHECK(s.maker.met == 3);
  CHECK(cache.counts().compiled == 3);
  CHECK(cache.counts().compiling == 0);
}

TEST_CASE("what does not compile says so each time, and is not tried again") {
  Setting s;
  cuda::KernelCache cache(s.maker, s.none);
  for (int i = 0; i < 3; ++i) CHECK_THROWS_WITH(cache.wait("w", text("wrong")), "does not compile");
  CHECK_THROWS(cache.find_or_start("w", text("wrong")));
  CHECK(s.maker.compiled == 1);
  CHECK(cache.counts().failed == 1);
}

TEST_CASE("many threads wait for one compilation of each kernel") {
  Setting s;
  s.maker.slowness = 2;
  cuda::KernelCache cache(s.maker, s.none);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 40; ++i) {
        std::string key = std::to_string((i + thread * 5) % 20);
        auto kernel = i % 2 ? cache.wait(key, text(key)) : cache.find_or_start(key, text(key));
        if (kernel && code_of(kernel) != "code of " + key) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 20; ++i) cache.wait(std::to_string(i), text(std::to_string(i)));
  CHECK(wrong == 0);
  CHECK(s.maker.compiled == 20);
}

TEST_CASE("kernels that are there beforehand are neither compiled nor looked for on disk") {
  class Ready : public cuda::ReadyKernels {
   public:
    std::shared_ptr<cuda::Kernel> find(const std::string& key) override {
      ++asked;
      return key == "there" ? std::make_shared<NamedKernel>("ready") : nullptr;
    }
    std::atomic<int> asked{0};
  };
  Setting s;
  Ready ready;
  cuda::KernelCache cache(s.maker, s.none, 2048, &ready);
  CHECK(code_of(cache.find("there")) == "ready");
  CHECK(code_of(cache.find_or_start("there", text("T"))) == "ready");
  CHECK(code_of(cache.wait("there", text("T"))) == "ready");
  CHECK(ready.asked == 1);
  CHECK(cache.find("elsewhere") == nullptr);
  CHECK(s.maker.compiled == 0);
  CHECK(code_of(cache.wait("elsewhere", text("E"))) == "code of E");
  CHECK(code_of(cache.find("elsewhere")) == "code of E");
  CHECK(cache.counts().ready == 1);
  CHECK(cache.counts().waited == 1);
  CHECK(cache.counts().compiling == 0);
}

TEST_CASE("a kernel on disk is taken at once") {
  Setting s;
  cuda::DiskCache disk(s.folder + "/kernels", 1 << 20);
  cuda::KernelCache(s.maker, disk).wait("a", text("A"));
  cuda::KernelCache cache(s.maker, disk);
  CHECK(code_of(cache.find_or_start("a", text("A"))) == "code of A");
  CHECK(cache.counts().from_disk == 1);
}

TEST_CASE("a stopped cache still serves those who wait") {
  Setting s;
  cuda::KernelCache cache(s.maker, s.none);
  cache.stop();
  CHECK(cache.find_or_start("a", text("A")) == nullptr);
  CHECK(code_of(cache.wait("a", text("A"))) == "code of A");
}

TEST_CASE("only so many kernels stay in memory, the latest used") {
  Setting s;
  cuda::KernelCache cache(s.maker, s.none, 16);
  auto kept = cache.wait("0", text("0"));
  for (int i = 1; i < 200; ++i) {
    cache.wait(std::to_string(i), text("x"));
    CHECK(cache.wait("0", text("0")) == kept);
  }
  CHECK(cache.counts().dropped >= 184);
  CHECK(s.maker.compiled == 200);
}

TEST_CASE("kernels are found on disk by text and identity") {
  Setting s;
  cuda::DiskCache disk(s.folder + "/kernels", 1 << 20);
  auto compiled_by_new_cache = [&](const char* key, const char* content) {
    int before = s.maker.compiled;
    cuda::KernelCache cache(s.maker, disk);
    CHECK(code_of(cache.wait(key, text(content))) == std::string("code of ") + content);
    return s.maker.compiled - before;
  };
  CHECK(compiled_by_new_cache("a", "A") == 1);
  CHECK(compiled_by_new_cache("a", "A") == 0);
  CHECK(compiled_by_new_cache("another key", "A") == 0);
  CHECK(compiled_by_new_cache("a", "B") == 1);
  s.maker.version = "2";
  CHECK(compiled_by_new_cache("a", "A") == 1);
  s.maker.unloadable = "code of A";
  CHECK(compiled_by_new_cache("a", "A") == 1);
  CHECK(compiled_by_new_cache("a", "A") == 0);
}
