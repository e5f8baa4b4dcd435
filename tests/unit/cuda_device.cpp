// A GPU, where there is one: memory, transfers, kernels, what goes wrong. Says how fast it is.
#include "kernels/backend/cuda/device/cuda_device.h"

#include <doctest/doctest.h>
#include <strider/nd/error.h>
#include <strider/nd/interrupt.h>

#include <chrono>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/backend/cuda/device/errors.h"
#include "kernels/backend/cuda/device/loaded_kernel.h"
#include "kernels/backend/cuda/jit/nvrtc.h"

namespace nd = strider::nd;
namespace cuda = strider::nd::cuda;

namespace {

// Null where there is no GPU.
cuda::CudaDevice* device() {
  static cuda::CudaDevice* found = [] {
    std::string reason;
    return cuda::count_devices(reason) ? new cuda::CudaDevice(0) : nullptr;
  }();
  return found;
}

const std::string kText = R"(
struct Scale { double* x; long long count; double factor; };
extern "C" __global__ void scale(Scale a) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < a.count) a.x[i] = a.x[i] * a.factor + 1;
}
struct Mark { unsigned* words; unsigned bits; };
extern "C" __global__ void mark(Mark a) { atomicOr(a.words + threadIdx.x % 4, a.bits); }
struct Spin { long long nanoseconds; };
extern "C" __global__ void spin(Spin a) {
  long long start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)); while (now - start < a.nanoseconds);
}
struct Wild { unsigned* address; };
extern "C" __global__ void wild(Wild a) { *a.address = 1; }
)";

cuda::Kernel& kernels() {
  static auto loaded = cuda::load_kernel(
      *device(), cuda::compile(kText, cuda::architecture_for(device()->capability())));
  return *loaded;
}

template <class Arguments>
void launch(const char* entry, unsigned grid, unsigned block, const Arguments& arguments) {
  cuda::KernelCall call;
  call.entry = entry;
  call.grid[0] = grid;
  call.block[0] = block;
  const auto* bytes = reinterpret_cast<const std::byte*>(&arguments);
  call.arguments.assign(bytes, bytes + sizeof arguments);
  device()->launch(kernels().entry(entry), call);
}

struct Scale {
  std::byte* x;
  long long count;
  double factor;
};

std::vector<std::byte> pattern(std::size_t size, unsigned seed) {
  std::vector<std::byte> bytes(size);
  for (std::byte& each : bytes) {
    seed = seed * 1664525 + 1013904223;
    each = static_cast<std::byte>(seed >> 24);
  }
  return bytes;
}

double seconds(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

TEST_CASE("elements of every size go to the device and come back") {
  if (!device()) return;
  constexpr std::size_t kMegabyte = 1 << 20;
  for (std::size_t size :
       {std::size_t{1}, std::size_t{100}, kMegabyte / 8, kMegabyte / 8 + 1, 2 * kMegabyte - 1,
        2 * kMegabyte, 2 * kMegabyte + 1, 9 * kMegabyte + 3, 64 * kMegabyte}) {
    std::vector<std::byte> sent = pattern(size, static_cast<unsigned>(size)), kept = sent;
    std::byte* there = device()->allocate(size);
    REQUIRE(there);
    CHECK(reinterpret_cast<std::uintptr_t>(there) % 256 == 0);
    device()->upload(there, sent.data(), size);
    std::memset(sent.data(), 0, size);
    std::vector<std::byte> back(size);
    device()->download(back.data(), there, size);
    CHECK(back == kept);
    device()->free(there, size);
  }
}

TEST_CASE("many small copies keep their order") {
  if (!device()) return;
  constexpr std::size_t kCount = 60'000, kSize = 72;
  std::vector<std::byte> whole = pattern(kCount * kSize, 3), back(whole.size());
  std::byte* there = device()->allocate(whole.size());
  std::vector<std::byte> piece(kSize);
  for (std::size_t i = 0; i < kCount; ++i) {
    std::memcpy(piece.data(), whole.data() + i * kSize, kSize);
    device()->upload(there + i * kSize, piece.data(), kSize);
    if (i % 9973 == 0) device()->download(back.data(), there, kSize);
  }
  device()->download(back.data(), there, back.size());
  CHECK(back == whole);
  device()->clear(there + 10, 100);
  device()->copy(there + 4096, there, 200);
  device()->download(back.data(), there, back.size());
  std::memset(whole.data() + 10, 0, 100);
  std::memcpy(whole.data() + 4096, whole.data(), 200);
  CHECK(back == whole);
  device()->free(there, whole.size());
}

TEST_CASE("kernels run in the order of the calls, in memory that was just given back") {
  if (!device()) return;
  constexpr long long kCount = 100'000;
  constexpr unsigned kBlocks = (kCount + 255) / 256;
  std::vector<double> x(kCount, 1.0), back(kCount);
  auto bytes = x.size() * sizeof(double);
  for (int round = 0; round < 50; ++round) {
    std::byte* there = device()->allocate(bytes);
    device()->upload(there, reinterpret_cast<std::byte*>(x.data()), bytes);
    for (int i = 0; i < 3; ++i) launch("scale", kBlocks, 256, Scale{there, kCount, 2.0});
    device()->free(there, bytes);
    std::byte* again = device()->allocate(bytes);
    CHECK(again == there);
    device()->download(reinterpret_cast<std::byte*>(back.data()), again, bytes);
    CHECK(back == std::vector<double>(kCount, 15.0));
    device()->free(again, bytes);
  }
}

TEST_CASE("a sequence that comes again goes as a graph, with the arguments of the day") {
  if (!device()) return;
  constexpr long long kCount = 1000;
  std::vector<double> x(kCount, 1.0), back(kCount);
  auto bytes = x.size() * sizeof(double);
  std::byte* there = device()->allocate(bytes);
  auto graphs = nd::device_counts().graphs;
  for (int round = 0; round < 10; ++round) {
    device()->upload(there, reinterpret_cast<std::byte*>(x.data()), bytes);
    device()->begin_sequence();
    double expected = 1;
    for (int i = 0; i < 6; ++i) {
      launch("scale", 4, 256, Scale{there, kCount, round + i * 0.5});
      expected = expected * (round + i * 0.5) + 1;
    }
    device()->end_sequence();
    device()->download(reinterpret_cast<std::byte*>(back.data()), there, bytes);
    CHECK(back == std::vector<double>(kCount, expected));
  }
  CHECK(nd::device_counts().graphs - graphs == 8);
  device()->free(there, bytes);
}

TEST_CASE("words that kernels set are read by the host, and are handed out clean") {
  if (!device()) return;
  struct Mark {
    std::uint32_t* words;
    unsigned bits;
  };
  for (int round = 0; round < 3000; ++round) {
    std::uint32_t* words = device()->take_words(300);
    REQUIRE(words);
    bool clean = true;
    for (int i = 0; i < 300; ++i) clean &= words[i] == 0;
    CHECK(clean);
    launch("mark", 1, 32, Mark{words, 1});
    launch("mark", 2, 3, Mark{words + 8, 6});
    if (round % 500 != 0) continue;
    device()->synchronize();
    CHECK((words[0] == 1 && words[3] == 1 && words[4] == 0));
    CHECK((words[8] == 6 && words[10] == 6 && words[11] == 0));
  }
  CHECK(device()->take_words(1 << 20) == nullptr);
}

TEST_CASE("memory that is not there is refused, and the rest still works") {
  if (!device()) return;
  CHECK(device()->allocate(std::size_t{1} << 45) == nullptr);
  std::byte* block = device()->allocate(1 << 20);
  CHECK(block != nullptr);
  device()->clear(block, 1 << 20);
  device()->synchronize();
  device()->free(block, 1 << 20);
  device()->release_cached();
  nd::DeviceMemory memory = device()->memory();
  CHECK(memory.cached <= 64u << 20);
  CHECK(memory.total >= memory.free);
  device()->limit_memory(memory.used + memory.cached + (8u << 20));
  CHECK(device()->allocate(64u << 20) == nullptr);
  device()->limit_memory(0);
  block = device()->allocate(64u << 20);
  CHECK(block != nullptr);
  device()->free(block, 64u << 20);
}

TEST_CASE("an interrupt ends a wait, and the device goes on") {
  if (!device()) return;
  launch("spin", 1, 1, 2'000'000'000LL);
  nd::request_interrupt();
  auto start = std::chrono::steady_clock::now();
  CHECK_THROWS_AS(device()->synchronize(), nd::Error);
  CHECK(seconds(start) < 0.5);
  CHECK_FALSE(nd::interrupt_requested());
  device()->synchronize();
  CHECK(seconds(start) > 1.5);
}

TEST_CASE("a kernel that cannot be launched is an error, and the next one works") {
  if (!device()) return;
  CHECK_THROWS_AS(launch("spin", 1, 4096, 1LL), nd::Error);
  CHECK_THROWS_AS(kernels().entry("nothing"), nd::Error);
  launch("spin", 1, 1, 1LL);
  device()->synchronize();
}

TEST_CASE("how fast the device is") {
  if (!device()) return;
  constexpr std::size_t kSize = 256u << 20;
  std::vector<std::byte> host = pattern(kSize, 1);
  std::byte* there = device()->allocate(kSize);
  auto rate = [](auto start) { return static_cast<double>(kSize) / seconds(start) / 1e9; };
  device()->upload(there, host.data(), kSize);
  device()->synchronize();
  auto start = std::chrono::steady_clock::now();
  device()->upload(there, host.data(), kSize);
  device()->synchronize();
  MESSAGE(device()->description());
  MESSAGE("upload: " << rate(start) << " GB/s");
  start = std::chrono::steady_clock::now();
  device()->download(host.data(), there, kSize);
  MESSAGE("download: " << rate(start) << " GB/s");
  device()->free(there, kSize);
  constexpr int kRounds = 100'000;
  start = std::chrono::steady_clock::now();
  for (int i = 0; i < kRounds; ++i) device()->free(device()->allocate(1 << 16), 1 << 16);
  MESSAGE("allocate and free: " << seconds(start) / kRounds * 1e9 << " ns");
  start = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) launch("spin", 1, 1, 0LL);
  MESSAGE("launch: " << seconds(start) * 1e3 << " us");
  device()->synchronize();
  std::byte one{};
  there = device()->allocate(1);
  start = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) {
    launch("spin", 1, 1, 0LL);
    device()->download(&one, there, 1);
  }
  MESSAGE("launch and read a byte: " << seconds(start) * 1e3 << " us");
  device()->free(there, 1);
}

// Ends the device for this process, so it runs in one of its own.
TEST_CASE("what a kernel did wrong is told once" * doctest::skip()) {
  if (!device()) return;
  launch("wild", 1, 1, std::uintptr_t{64});
  auto message = [] {
    try {
      device()->synchronize();
    } catch (const nd::Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  std::string first = message(), second = message();
  CHECK(first.find("the GPU failed") != std::string::npos);
  CHECK(first.find("illegal memory access") != std::string::npos);
  CHECK(second.find("since it failed earlier") != std::string::npos);
  device()->free(nullptr, 0);
  device()->release_cached();
}
