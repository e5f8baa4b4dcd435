// The kernels that draw random numbers, run on the host: whatever tries do, they give what one try
// after another gives.
#include "tests/unit/cuda_emulation.h"
// After what it defines.
#include <doctest/doctest.h>

#include "kernels/backend/cuda/precompiled/draw_run.h"
#include "kernels/backend/mirror/drawing.h"
#include "kernels/random/ziggurat.h"

using namespace strider::nd;
using namespace strider::nd::cuda;
namespace drawing = strider::nd::drawing;

namespace {

struct HostMemory {
  std::vector<std::uint64_t> words;
  std::byte* start() { return reinterpret_cast<std::byte*>(words.data()); }
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(const_cast<std::uint64_t*>(words.data()));
  }
};

struct HostMachine {
  using Memory = HostMemory;
  int uploads = 0, launches = 0;

  Memory take(std::size_t bytes) {
    return {std::vector<std::uint64_t>(bytes / 8 + 1, 0xabababababababab)};
  }
  void upload(std::byte* to, const std::byte* from, std::size_t bytes) {
    std::memcpy(to, from, bytes);
    ++uploads;
  }
  void download(std::byte* to, const std::byte* from, std::size_t bytes) {
    std::memcpy(to, from, bytes);
  }
  void clear(std::byte* address, std::size_t bytes) { std::memset(address, 0, bytes); }
  template <class Work>
  void launch(void (*kernel)(Work), unsigned blocks, unsigned threads, const Work& work) {
    static_assert(sizeof(Work) > 16 && sizeof(Work) <= sizeof(emulation::Parameters));
    const unsigned grid[3] = {blocks, 1, 1};
    emulate(reinterpret_cast<void*>(kernel), grid, threads, &work, sizeof work);
    ++launches;
  }
};

const StreamKind kKinds[] = {StreamKind::kPcg64, StreamKind::kPcg64Dxsm, StreamKind::kPhilox};

RandomStream some_stream(StreamKind kind, unsigned seed) {
  RandomStream stream;
  stream.kind = kind;
  std::uint64_t next = seed;
  for (std::uint64_t& word : stream.words) {
    next = next * 0xd1342543de82ef95u + 0x9e3779b97f4a7c15u;
    word = next ^ next >> 31;
  }
  stream.words[2] |= 1;
  if (kind == StreamKind::kPhilox) stream.words[0] = ~std::uint64_t{0} - 5;  // that carries
  stream.words[10] = seed % 5;
  stream.has_half = seed & 1;
  stream.half = 0x12345678u * seed;
  return stream;
}

// How often the host was needed.
struct Seen {
  int uploads = 0, launches = 0;
};

template <class Words>
Seen check_over(const RandomStream& stream, const RandomDraw& draw, std::int64_t count,
                DrawLimits limits) {
  std::size_t bytes = static_cast<std::size_t>(count * item_size(draw.dtype));
  std::vector<std::byte> expected(bytes + 8, std::byte{0x5a}), found = expected;
  std::int64_t used = draw_in_order(stream, draw, expected.data(), count), units = -1;
  HostMachine machine;
  drawing::with_rule(draw, draw.table, [&](const auto& rule) {
    using Rule = std::remove_cvref_t<decltype(rule)>;
    using Cursor = drawing::CursorFor<Words, typename Rule::Unit>;
    DrawRun<HostMachine, Cursor, Rule> run(machine, stream, rule, limits);
    auto* to = reinterpret_cast<typename Rule::Value*>(found.data());
    CHECK(run.draw(to, count, &units));
  });
  CHECK(units == used);
  CHECK(std::memcmp(expected.data(), found.data(), found.size()) == 0);
  return {machine.uploads, machine.launches};
}

Seen check(const RandomStream& stream, const RandomDraw& draw, std::int64_t count,
           DrawLimits limits = {}) {
  CAPTURE(int(stream.kind));
  CAPTURE(int(draw.kind));
  CAPTURE(name(draw.dtype));
  CAPTURE(count);
  if (stream.kind == StreamKind::kPhilox)
    return check_over<drawing::PhiloxWords>(stream, draw, count, limits);
  if (stream.kind == StreamKind::kPcg64Dxsm)
    return check_over<drawing::PcgWords<true>>(stream, draw, count, limits);
  return check_over<drawing::PcgWords<false>>(stream, draw, count, limits);
}

RandomDraw real(Drawn kind, DType dtype) {
  bool wide = dtype == DType::kFloat64;
  RandomDraw draw{kind, dtype};
  if (kind == Drawn::kNormal)
    draw.table = wide ? static_cast<const void*>(&random::normal_ziggurat())
                      : &random::normal_ziggurat_float();
  if (kind == Drawn::kExponential)
    draw.table = wide ? static_cast<const void*>(&random::exponential_ziggurat())
                      : &random::exponential_ziggurat_float();
  return draw;
}

RandomDraw integers(DType dtype, std::uint64_t range, bool masked) {
  return {Drawn::kInteger, dtype, nullptr, 7, range, masked};
}

// A table that accepts next to nothing without a test.
template <class Real, class Steps>
Ziggurat<Real, Steps> doubting(const Ziggurat<Real, Steps>& table, int every) {
  Ziggurat<Real, Steps> result = table;
  for (int i = 0; i < 256; i += every) result.accept[i] = 0;
  return result;
}

}  // namespace

TEST_CASE("real numbers of every kind of stream") {
  for (StreamKind kind : kKinds) {
    for (unsigned seed : {1u, 2u}) {
      for (DType dtype : {DType::kFloat64, DType::kFloat32}) {
        check(some_stream(kind, seed), real(Drawn::kUniform, dtype), 5000);
        check(some_stream(kind, seed), real(Drawn::kNormal, dtype), 9000);
        check(some_stream(kind, seed), real(Drawn::kExponential, dtype), 9000);
      }
    }
  }
}

TEST_CASE("integers of every width, fitting always, mostly, or hardly more than every other time") {
  for (StreamKind kind : kKinds) {
    RandomStream stream = some_stream(kind, 4);
    for (bool masked : {false, true}) {
      for (std::uint64_t range : {1u, 2u, 99u, 127u, 128u, 170u, 255u})
        check(stream, integers(DType::kInt8, range, masked), 9001);
      for (std::uint64_t range : {1u, 256u, 40000u, 65535u})
        check(stream, integers(DType::kUInt16, range, masked), 9001);
      for (std::uint64_t range : {1u, 999u, 0x80000000u, 0xfffffffeu, 0xffffffffu}) {
        check(stream, integers(DType::kInt32, range, masked), 5001);
        check(stream, integers(DType::kInt64, range, masked), 5001);
      }
      for (std::uint64_t range :
           {std::uint64_t{1} << 32, (std::uint64_t{1} << 63) + 5, ~std::uint64_t{0}})
        check(stream, integers(DType::kUInt64, range, masked), 5001);
    }
    for (std::int64_t count : {1, 31, 32, 33, 40000, 70001})
      check(stream, integers(DType::kBool, 1, false), count);
  }
}

TEST_CASE("few numbers, and counts around the ends of blocks") {
  for (std::int64_t count : {1, 2, 3, 31, 32, 33, 4000, 4096, 4097}) {
    check(some_stream(StreamKind::kPcg64, 3), real(Drawn::kNormal, DType::kFloat64), count);
    check(some_stream(StreamKind::kPhilox, 3), real(Drawn::kUniform, DType::kFloat32), count);
    check(some_stream(StreamKind::kPhilox, 5), integers(DType::kInt32, 5, true), count);
  }
}

TEST_CASE("several stretches of the stream") {
  DrawLimits limits{4096, 1};
  for (StreamKind kind : kKinds) {
    check(some_stream(kind, 8), real(Drawn::kNormal, DType::kFloat32), 15000, limits);
    check(some_stream(kind, 9), integers(DType::kInt16, 0x8000, false), 30000, limits);
  }
}

TEST_CASE("the host answers what a device is not certain of") {
  DrawLimits limits;
  limits.doubtfulness = 0x1p48;
  for (DType dtype : {DType::kFloat64, DType::kFloat32}) {
    for (Drawn kind : {Drawn::kNormal, Drawn::kExponential}) {
      Seen sure = check(some_stream(StreamKind::kPcg64, 2), real(kind, dtype), 20000);
      Seen unsure = check(some_stream(StreamKind::kPcg64, 2), real(kind, dtype), 20000, limits);
      CHECK(unsure.uploads > sure.uploads);
    }
  }
}

TEST_CASE("tries that often take several units, or many, and give nothing") {
  DrawLimits unsure;
  unsure.doubtfulness = 0x1p40;
  for (int every : {1, 2, 16}) {
    auto normal = doubting(random::normal_ziggurat(), every);
    auto exponential = doubting(random::exponential_ziggurat_float(), every);
    RandomDraw first{Drawn::kNormal, DType::kFloat64, &normal};
    RandomDraw second{Drawn::kExponential, DType::kFloat32, &exponential};
    for (unsigned seed : {1u, 2u, 3u}) {
      for (const RandomDraw& draw : {first, second}) {
        check(some_stream(StreamKind::kPcg64, seed), draw, 6000);
        check(some_stream(StreamKind::kPhilox, seed), draw, 3000, unsure);
      }
    }
  }
}

TEST_CASE("a table that accepts nothing without a test, to which the host answers everything") {
  auto table = doubting(random::normal_ziggurat_float(), 1);
  DrawLimits limits{std::int64_t{1} << 13, 0x1p48};
  RandomDraw draw{Drawn::kNormal, DType::kFloat32, &table};
  check(some_stream(StreamKind::kPcg64Dxsm, 6), draw, 3000, limits);
}

TEST_CASE("what needs the host all the time is left to it") {
  auto table = doubting(random::normal_ziggurat(), 1);
  RandomDraw draw{Drawn::kNormal, DType::kFloat64, &table};
  std::vector<double> to(20000);
  HostMachine machine;
  drawing::with_rule(draw, &table, [&](const auto& rule) {
    using Rule = std::remove_cvref_t<decltype(rule)>;
    if constexpr (std::is_same_v<typename Rule::Value, double>) {
      using Cursor = drawing::CursorFor<drawing::PhiloxWords, std::uint64_t>;
      DrawLimits limits;
      limits.doubtfulness = 0x1p48;
      std::int64_t units = 0;
      RandomStream stream = some_stream(StreamKind::kPhilox, 1);
      DrawRun<HostMachine, Cursor, Rule> run(machine, stream, rule, limits);
      CHECK(!run.draw(to.data(), 20000, &units));
    }
  });
}
