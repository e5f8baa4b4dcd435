// A device's transfers, memory and words over a runtime that does everything as late as it may.
#include <doctest/doctest.h>
#include <strider/nd/error.h>
#include <strider/nd/interrupt.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "kernels/backend/cuda/device/cuda_device.h"
#include "kernels/backend/cuda/device/replays.h"
#include "kernels/core/node.h"
#include "tests/unit/cuda_late_runtime.h"

namespace nd = strider::nd;
namespace cuda = strider::nd::cuda;

namespace {

constexpr std::size_t kMegabyte = 1 << 20;

struct Add {
  std::byte* at;
  std::size_t count;
  unsigned char amount;
};

void add(const std::byte* arguments) {
  Add a;
  std::memcpy(&a, arguments, sizeof a);
  auto* bytes = reinterpret_cast<unsigned char*>(a.at);
  for (std::size_t i = 0; i < a.count; ++i)
    bytes[i] = static_cast<unsigned char>(bytes[i] + a.amount);
}

void twice(const std::byte* arguments) {
  Add a;
  std::memcpy(&a, arguments, sizeof a);
  for (std::size_t i = 0; i < a.count; ++i) a.at[i] <<= 1;
}

struct Mark {
  std::uint32_t* word;
  std::uint32_t bits;
};

void mark(const std::byte* arguments) {
  Mark a;
  std::memcpy(&a, arguments, sizeof a);
  *a.word |= a.bits;
}

template <class Arguments>
void launch(cuda::CudaDevice& device, late::Kernel kernel, const Arguments& arguments,
            unsigned block = 1) {
  cuda::KernelCall call;
  call.block[0] = block;
  call.arguments.resize(64);
  std::memcpy(call.arguments.data(), &arguments, sizeof arguments);
  device.launch(reinterpret_cast<const void*>(kernel), call);
}

// A graph of one launch.
std::shared_ptr<const cuda::RecordedGraph> record(cuda::Recorder& recorder, const Add& arguments) {
  std::vector<std::byte> bytes(64);
  std::memcpy(bytes.data(), &arguments, sizeof arguments);
  void* parameters[] = {bytes.data()};
  return cuda::RecordedGraph::make(recorder.record([&] {
    return cudaLaunchKernel(reinterpret_cast<const void*>(add), {}, {}, parameters, 0,
                            recorder.stream()) == cudaSuccess;
  }));
}

}  // namespace

TEST_CASE("host memory may change once an upload returns, however late the copy happens") {
  cuda::CudaDevice device(0);
  std::mt19937 random(1);
  constexpr std::size_t kRoom = 24 * kMegabyte;
  std::byte* there = device.allocate(kRoom);
  std::vector<std::byte> expected(kRoom), buffer(kRoom), back(kRoom);
  device.clear(there, kRoom);
  for (int step = 0; step < 1500; ++step) {
    unsigned kind = random() % 16;
    std::size_t size = kind == 0   ? random() % (10 * kMegabyte)
                       : kind == 1 ? 128 * 1024 + random() % 3
                                   : random() % 3000;
    std::size_t at = random() % (kRoom - size), other = random() % (kRoom - size);
    auto value = static_cast<std::byte>(random());
    if (kind < 10) {
      std::memset(buffer.data(), static_cast<int>(value), size);
      device.upload(there + at, buffer.data(), size);
      std::memset(buffer.data(), 0xEE, size);
      std::memset(expected.data() + at, static_cast<int>(value), size);
    } else if (kind < 12) {
      launch(device, add, Add{there + at, size, 3});
      for (std::size_t i = at; i < at + size; ++i)
        expected[i] = std::byte(unsigned(expected[i]) + 3);
    } else if (kind < 14) {
      device.copy(there + other, there + at, size);
      std::memmove(expected.data() + other, expected.data() + at, size);
    } else if (kind == 14) {
      device.clear(there + at, size);
      std::memset(expected.data() + at, 0, size);
    } else {
      if (random() % 8 == 0) at = 0, size = kRoom;
      device.download(back.data(), there + at, size);
      REQUIRE(std::memcmp(back.data(), expected.data() + at, size) == 0);
    }
  }
  device.free(there, kRoom);
}

TEST_CASE("elements pass between devices after they were made and before their memory is reused") {
  cuda::CudaDevice first(0), second(1);
  constexpr std::size_t kSize = 1 << 20;
  std::vector<std::byte> back(kSize);
  for (unsigned char round = 1; round < 20; ++round) {
    cuda::CudaDevice& from = round % 2 ? first : second;
    cuda::CudaDevice& to = round % 2 ? second : first;
    std::byte *here = from.allocate(kSize), *there = to.allocate(kSize);
    from.clear(here, kSize);
    launch(from, add, Add{here, kSize, round});
    REQUIRE(to.copy_from(from, there, here, kSize));
    from.free(here, kSize);
    std::byte* again = from.allocate(kSize);
    REQUIRE(again == here);
    from.clear(again, kSize);
    from.synchronize();
    to.download(back.data(), there, kSize);
    CHECK(back[0] == std::byte{round});
    CHECK(back[kSize - 1] == std::byte{round});
    from.free(again, kSize);
    to.free(there, kSize);
  }
  CHECK_FALSE(first.copy_from(first, nullptr, nullptr, 1));
}

TEST_CASE("launches that come again go as graphs, in order and with the arguments of the day") {
  cuda::CudaDevice device(0);
  constexpr std::size_t kSize = 4096;
  std::vector<std::byte> expected(kSize), back(kSize);
  std::byte* there = device.allocate(kSize);
  device.clear(there, kSize);
  cuda::Recorder recorder;
  auto fives = record(recorder, Add{there, kSize, 5});
  late::launches = late::graph_launches = 0;
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    unsigned kind = random() % 8, many = random() % 3 ? 6 : random() % 100;
    device.begin_sequence();
    for (unsigned i = 0; i < many; ++i) {
      std::size_t at = random() % kSize, count = random() % (kSize - at);
      auto amount = static_cast<unsigned char>(random());
      std::byte* scratch = device.allocate(512);
      if (i == 2 && many == 6) {
        REQUIRE(device.launch(fives));
        for (std::byte& each : expected) each = std::byte(unsigned(each) + 5);
      }
      launch(device, i % 2 ? add : twice, Add{there + at, count, amount});
      for (std::size_t k = at; k < at + count; ++k)
        expected[k] = std::byte(unsigned(expected[k]) * (i % 2 ? 1 : 2) + (i % 2 ? amount : 0));
      device.free(scratch, 512);
      if (kind == 1 && i == 3) device.upload(there, expected.data(), 100);
      if (kind == 2 && i == 3) device.copy(there, there, 10);
      if (kind == 3 && i == 3) device.release_cached();
      if (kind == 4 && i == 3) device.take_words(100'000);
      if (kind == 5 && i == 3) device.let_go_of_kernels();
    }
    device.end_sequence();
    if (kind < 6) continue;
    device.download(back.data(), there, kSize);
    REQUIRE(std::memcmp(back.data(), expected.data(), kSize) == 0);
  }
  CHECK(late::graph_launches > 50);
  CHECK(late::launches > 100);
  device.free(there, kSize);
}

TEST_CASE("a sequence is held as long as it is like one that came twice") {
  cuda::CudaDevice device(0);
  constexpr std::size_t kSize = 64;
  std::byte* there = device.allocate(kSize);
  device.clear(there, kSize);
  late::launches = late::graph_launches = 0;
  auto add_one = [&](unsigned block) { launch(device, add, Add{there, kSize, 1}, block); };
  struct Expected {
    std::vector<unsigned> blocks;  // of the launches
    int before, after, graphs;     // queued before and after the end, one by one and as graphs
  };
  int added = 0;
  for (const Expected& expected : {Expected{{1, 2, 3, 4, 5}, 5, 5, 0},
                                   {{1, 2, 3, 4, 5}, 5, 5, 0},
                                   {{1, 2, 3, 4, 5}, 0, 0, 1},
                                   {{1, 2, 3, 4}, 0, 4, 0},
                                   {{1, 2, 3, 4, 5, 6}, 6, 6, 0},
                                   {{1, 2, 3, 9, 5}, 5, 5, 0},
                                   {{2, 1}, 2, 2, 0},
                                   {{1, 2, 3, 4, 5}, 0, 0, 1},
                                   {{1, 2, 3, 9, 5}, 5, 5, 0},
                                   {{1, 2, 3, 9, 5}, 0, 0, 1}}) {
    late::launches = late::graph_launches = 0;
    device.begin_sequence();
    for (unsigned block : expected.blocks) add_one(block);
    CHECK(late::launches == expected.before);
    device.end_sequence();
    CHECK(late::launches == expected.after);
    CHECK(late::graph_launches == expected.graphs);
    added += static_cast<int>(expected.blocks.size());
    std::vector<std::byte> back(kSize);
    device.download(back.data(), there, kSize);
    CHECK(back[kSize - 1] == std::byte(added));
  }
  device.free(there, kSize);
}

TEST_CASE("work that comes again goes as a graph from the third time on, if it can be recorded") {
  struct Expected {
    int of_work;  // launches
    bool good;
    int graphs, launches;  // of ten rounds
  };
  cuda::CudaDevice device(0);
  constexpr std::size_t kSize = 64;
  for (const Expected& expected :
       {Expected{4, true, 8, 8}, Expected{1, true, 8, 2}, Expected{4, false, 0, 40}}) {
    CAPTURE(expected.of_work);
    std::byte* there = device.allocate(kSize);
    device.clear(there, kSize);
    cuda::Recorder recorder;
    cuda::Replay replay;
    cudaStream_t stream = device.stream();
    auto go_to = [&](cudaStream_t to) { return stream = to, 0; };
    auto work = [&] {
      for (int i = 0; i < expected.of_work; ++i) {
        std::vector<std::byte> arguments(64);
        Add a{there, kSize, static_cast<unsigned char>(i + 1)};
        std::memcpy(arguments.data(), &a, sizeof a);
        void* parameters[] = {arguments.data()};
        cudaLaunchKernel(reinterpret_cast<const void*>(add), {}, {}, parameters, 0, stream);
      }
      return expected.good ? 0 : 1;
    };
    late::launches = late::graph_launches = 0;
    for (int round = 0; round < 10; ++round) {
      CHECK(replay.run(device, recorder, go_to, work) == (expected.good ? 0 : 1));
      CHECK(stream == device.stream());
      cuda::Replay moved = std::move(replay);  // with its graph
      replay = std::move(moved);
    }
    std::vector<std::byte> back(kSize);
    device.download(back.data(), there, kSize);
    CHECK(back[kSize - 1] == std::byte(5 * expected.of_work * (expected.of_work + 1)));
    CHECK(late::graph_launches == expected.graphs);
    CHECK(late::launches == expected.launches);
    device.free(there, kSize);
  }
}

TEST_CASE("words are clean when they are handed out, and hold what kernels set") {
  cuda::CudaDevice device(0);
  std::uint32_t* first = device.take_words(10);
  bool again = false;
  for (int round = 0; round < 6000; ++round) {
    std::uint32_t* words = device.take_words(200);
    again |= words == first;
    bool clean = true;
    for (int i = 0; i < 200; ++i) clean &= words[i] == 0;
    REQUIRE(clean);
    launch(device, mark, Mark{words + round % 200, 4});
    if (round % 100 != 0) continue;
    device.synchronize();
    REQUIRE(words[round % 200] == 4);
  }
  CHECK(again);
  CHECK(device.take_words(1 << 18) == nullptr);
}

TEST_CASE("memory runs out, comes back, and is limited") {
  late::capacity = late::in_use + 64 * kMegabyte;
  cuda::CudaDevice device(0);
  std::byte* half = device.allocate(32 * kMegabyte);
  CHECK(half);
  CHECK(device.allocate(40 * kMegabyte) == nullptr);
  device.free(half, 32 * kMegabyte);
  CHECK(device.memory().cached == 32 * kMegabyte);
  std::byte* most = device.allocate(60 * kMegabyte);
  CHECK(most);
  CHECK(device.memory().used == 60 * kMegabyte);
  device.free(most, 60 * kMegabyte);
  device.limit_memory(10 * kMegabyte);
  CHECK(device.memory().limit == 10 * kMegabyte);
  CHECK(device.memory().cached == 0);
  CHECK(device.allocate(12 * kMegabyte) == nullptr);
  device.limit_memory(0);
  CHECK(device.allocate(12 * kMegabyte));
  late::capacity = std::size_t{1} << 30;
}

TEST_CASE("arrays leave a device that has no more memory, and come back with what kernels wrote") {
  late::capacity = late::in_use + 16 * kMegabyte;
  constexpr std::size_t kSize = 3 * kMegabyte;
  {
    cuda::CudaDevice device(0);
    std::vector<nd::Storage*> storages;
    for (unsigned char i = 0; i < 12; ++i) {
      nd::DeviceWork work;
      nd::Storage* storage = nd::Storage::allocate_on(device, kSize);
      REQUIRE(storage);
      std::byte* at = storage->bytes_on(device);
      device.clear(at, kSize);
      launch(device, add, Add{at, kSize, i});
      storages.push_back(storage);
    }
    CHECK(storages[0]->device() == nullptr);
    CHECK(storages[11]->device() == &device);
    for (unsigned char i = 0; i < 12; ++i) {
      nd::DeviceWork work;
      launch(device, add, Add{storages[i]->claim(&device), kSize, 1});
    }
    for (unsigned char i = 0; i < 12; ++i) {
      CHECK(storages[i]->bytes()[0] == std::byte(i + 1));
      CHECK(storages[i]->bytes()[kSize - 1] == std::byte(i + 1));
    }
    {
      nd::DeviceWork work;
      std::byte* kept = storages[3]->bytes_on(device);
      CHECK(device.allocate(14 * kMegabyte) == nullptr);
      CHECK(storages[3]->bytes_on(device) == kept);
    }
    nd::DeviceWork work;
    std::byte* most = device.allocate(14 * kMegabyte);
    CHECK(most != nullptr);
    device.free(most, 14 * kMegabyte);
    for (nd::Storage* storage : storages) storage->release();
  }
  late::capacity = std::size_t{1} << 30;
}

TEST_CASE("a wait ends when it is interrupted, and the next one goes to the end") {
  cuda::CudaDevice device(0);
  std::byte* there = device.allocate(16);
  device.clear(there, 16);
  launch(device, add, Add{there, 16, 7});
  late::looks_until_done = 1 << 30;
  nd::request_interrupt();
  CHECK_THROWS_AS(device.synchronize(), nd::Error);
  CHECK_FALSE(nd::interrupt_requested());
  late::looks_until_done = 3;
  std::byte back[16];
  device.download(back, there, 16);
  CHECK(back[15] == std::byte{7});
}

TEST_CASE("a launch that fails says so; what follows works") {
  cuda::CudaDevice device(0);
  CHECK_THROWS_WITH(launch(device, add, Add{nullptr, 0, 0}, 4096),
                    "CUDA failed while launching a kernel: failed");
  launch(device, add, Add{nullptr, 0, 0});
  device.synchronize();
}

TEST_CASE("the end of a device is told once") {
  cuda::CudaDevice device(0);
  std::string told[2];
  for (std::string& text : told) {
    late::failure = cudaErrorIllegalAddress;
    try {
      device.synchronize();
    } catch (const nd::Error& error) {
      CHECK(error.kind() == nd::ErrorKind::kRuntime);
      text = error.what();
    }
  }
  CHECK(told[0] ==
        "the GPU failed, and cannot be used any more by this process: an illegal memory access was "
        "encountered (seen while waiting for the device)");
  CHECK(told[1] ==
        "the GPU cannot be used since it failed earlier: an illegal memory access was encountered");
}
