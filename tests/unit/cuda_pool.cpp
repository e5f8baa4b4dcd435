// The pool's bookkeeping over segments of a made-up source.
#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "kernels/backend/cuda/device/pool.h"
#include "kernels/backend/cuda/sizes.h"

namespace cuda = strider::nd::cuda;

namespace {

constexpr std::size_t kMegabyte = 1u << 20;

// Hands out addresses that nobody may touch.
class FakeSource : public cuda::SegmentSource {
 public:
  std::byte* acquire(std::size_t bytes) override {
    ++calls;
    if (held + bytes > capacity) return nullptr;
    held += bytes;
    next_ += 1ull << 40;
    segments[next_] = bytes;
    return reinterpret_cast<std::byte*>(next_);
  }
  void release(std::byte* segment, std::size_t bytes) noexcept override {
    auto found = segments.find(reinterpret_cast<std::uintptr_t>(segment));
    broken |= found == segments.end() || found->second != bytes;
    if (found != segments.end()) segments.erase(found);
    held -= bytes;
  }

  std::size_t capacity = SIZE_MAX;
  std::size_t held = 0;
  int calls = 0;
  bool broken = false;
  std::map<std::uintptr_t, std::size_t> segments;

 private:
  std::uintptr_t next_ = 0;
};

}  // namespace

TEST_CASE("small blocks share a segment, and a freed one is handed out again") {
  FakeSource source;
  cuda::Pool pool(source);
  std::byte* first = pool.allocate(1000);
  std::byte* second = pool.allocate(1);
  CHECK(second - first == 1024);
  CHECK(source.held == 2 * kMegabyte);
  pool.free(first);
  CHECK(pool.allocate(900) == first);
  CHECK(source.calls == 1);
  CHECK(pool.counts().allocations == 3);
  CHECK(pool.counts().in_use == 1024 + 256);
}

TEST_CASE("the smallest block that is large enough is taken") {
  FakeSource source;
  cuda::Pool pool(source);
  std::byte* large = pool.allocate(64 * kMegabyte);
  std::byte* middle = pool.allocate(16 * kMegabyte);
  pool.free(large);
  pool.free(middle);
  CHECK(pool.allocate(15 * kMegabyte) == middle);
  CHECK(pool.allocate(17 * kMegabyte) == large);
  CHECK(pool.allocate(40 * kMegabyte) == large + 17 * kMegabyte);
  CHECK(source.calls == 2);
}

TEST_CASE("neighbours grow together again") {
  FakeSource source;
  cuda::Pool pool(source);
  std::byte* whole = pool.allocate(64 * kMegabyte);
  pool.free(whole);
  std::vector<std::byte*> parts;
  for (int i = 0; i < 8; ++i) parts.push_back(pool.allocate(8 * kMegabyte));
  CHECK(source.calls == 1);
  for (int i : {1, 3, 2, 0, 7, 5, 6, 4}) pool.free(parts[static_cast<std::size_t>(i)]);
  CHECK(pool.allocate(64 * kMegabyte) == whole);
  CHECK(source.calls == 1);
}

TEST_CASE("without memory the unused segments go back and the request is tried again") {
  FakeSource source;
  source.capacity = 100 * kMegabyte;
  cuda::Pool pool(source);
  std::byte* kept = pool.allocate(20 * kMegabyte);
  pool.free(pool.allocate(60 * kMegabyte));
  CHECK(pool.allocate(80 * kMegabyte) != nullptr);
  CHECK(source.held == 100 * kMegabyte);
  CHECK(pool.allocate(10 * kMegabyte) == nullptr);
  pool.free(kept);
  CHECK(pool.allocate(10 * kMegabyte) == kept);
}

TEST_CASE("the limit holds, and lowering it returns what is unused") {
  FakeSource source;
  cuda::Pool pool(source);
  pool.limit(10 * kMegabyte);
  CHECK(pool.allocate(11 * kMegabyte) == nullptr);
  std::byte* block = pool.allocate(10 * kMegabyte);
  CHECK(block != nullptr);
  CHECK(pool.allocate(1) == nullptr);
  pool.free(block);
  CHECK(pool.allocate(1) != nullptr);
  pool.limit(0);
  CHECK(pool.allocate(4 * kMegabyte) == nullptr);
  CHECK(pool.counts().held == 2 * kMegabyte);
}

TEST_CASE("no request is too large to be refused") {
  FakeSource source;
  source.capacity = 1u << 30;
  cuda::Pool pool(source);
  CHECK(pool.allocate(SIZE_MAX) == nullptr);
  CHECK(pool.allocate(SIZE_MAX / 2) == nullptr);
}

TEST_CASE("blocks in use never overlap, and all that was freed is one again") {
  FakeSource source;
  source.capacity = 512 * kMegabyte;
  std::mt19937 random(7);
  {
    cuda::Pool pool(source);
    std::map<std::uintptr_t, std::size_t> used;
    for (int step = 0; step < 20000; ++step) {
      bool make = used.empty() || random() % 5 < 3;
      if (make) {
        std::size_t bytes = std::size_t{1} << (random() % 26);
        bytes += random() % bytes;
        auto address = reinterpret_cast<std::uintptr_t>(pool.allocate(bytes));
        if (!address) continue;
        REQUIRE(address % 256 == 0);
        auto next = used.lower_bound(address);
        if (next != used.end()) REQUIRE(address + bytes <= next->first);
        if (next != used.begin())
          REQUIRE(std::prev(next)->first + std::prev(next)->second <= address);
        used[address] = bytes;
      } else {
        auto victim = used.lower_bound(std::next(used.begin(), random() % used.size())->first);
        pool.free(reinterpret_cast<std::byte*>(victim->first));
        used.erase(victim);
      }
      REQUIRE(pool.counts().held == source.held);
      REQUIRE(pool.counts().in_use <= pool.counts().held);
    }
    for (auto [address, bytes] : used) pool.free(reinterpret_cast<std::byte*>(address));
    CHECK(pool.counts().in_use == 0);
    CHECK(pool.counts().peak > 0);
    pool.release_unused();
    CHECK(source.held == 0);
  }
  CHECK_FALSE(source.broken);
}

TEST_CASE("amounts of memory are read as they are written") {
  CHECK(cuda::parse_bytes("1000", 1) == 1000);
  CHECK(cuda::parse_bytes("4G", 1) == 4ull << 30);
  CHECK(cuda::parse_bytes("1.5MiB", 1) == 3u << 19);
  CHECK(cuda::parse_bytes("2KB", 1) == 2048);
  CHECK(cuda::parse_bytes("0", 1) == 0);
  CHECK(cuda::parse_bytes("much", 1) == 1);
  CHECK(cuda::parse_bytes("5 lots", 1) == 1);
  CHECK(cuda::parse_bytes(nullptr, 1) == 1);
}
