// What a GPU arranges, beside the plain loops of the pretended device. Says nothing without a GPU.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/backend/cuda/device/cuda_device.h"
#include "kernels/backend/cuda/device/errors.h"
#include "kernels/backend/cuda/precompiled/arranger.h"
#include "kernels/backend/mirror/arranger.h"

using namespace strider::nd;
using namespace strider::nd::cuda;

namespace {

bool has_device() {
  std::string reason;
  return count_devices(reason) > 0;
}

using Bytes = std::vector<std::byte>;

struct Bench {
  CudaDevice device{0};
  CudaArranger arranger{device};
};

Bench& bench() {
  static Bench* instance = new Bench;
  return *instance;
}

// A copy on the device.
class There {
 public:
  There(const void* from, std::size_t bytes) : size_(bytes), at_(bench().device.allocate(bytes)) {
    bench().device.upload(at_, static_cast<const std::byte*>(from), bytes);
  }
  template <class T>
  explicit There(const std::vector<T>& from) : There(from.data(), from.size() * sizeof(T)) {}
  ~There() { bench().device.free(at_, size_); }
  There(const There&) = delete;

  template <class T = std::byte>
  T* as() const {
    return reinterpret_cast<T*>(at_);
  }
  template <class T>
  bool equals(const std::vector<T>& expected) const {
    std::vector<T> got(expected.size());
    bench().device.download(reinterpret_cast<std::byte*>(got.data()), at_, got.size() * sizeof(T));
    return std::memcmp(got.data(), expected.data(), got.size() * sizeof(T)) == 0;
  }

 private:
  std::size_t size_;
  std::byte* at_;
};

std::mt19937_64& random_bits() {
  static std::mt19937_64 engine(7);
  return engine;
}

std::int64_t below(std::int64_t limit) {
  return static_cast<std::int64_t>(random_bits()() % static_cast<std::uint64_t>(limit));
}

// Values of which many are equal; floating ones have zeros of both signs, infinities and NaN.
template <class T>
std::vector<T> some_values(std::int64_t count) {
  std::vector<T> values;
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t value = below(200) - 100;
    if constexpr (std::is_integral_v<T>) {
      values.push_back(static_cast<T>(value * (below(2) ? 1 : 1000003)));
    } else {
      float real = static_cast<float>(value) / 4;
      if (value == 0 && below(2)) real = -0.0f;
      if (value == 99) real = std::numeric_limits<float>::infinity();
      if (value == 98) real = std::numeric_limits<float>::quiet_NaN();
      values.push_back(T(real));
    }
  }
  return values;
}

// Calls body(T{}) for real element types but bool.
template <class Body>
void for_each_real(Body&& body) {
  for (int code = 0; code < kDTypeCount; ++code) {
    dispatch(static_cast<DType>(code), [&](auto zero) {
      using T = decltype(zero);
      if constexpr (!std::is_same_v<T, bool> && !requires(T z) { z.imag(); }) body(zero);
    });
  }
}

const Lines kLines[] = {{1, 1},       {1, 1000},   {3, 17},   {1000, 7},
                        {1, 200'000}, {4, 20'000}, {300, 300}};

}  // namespace

TEST_CASE("lines are sorted and ordered on a GPU as by plain loops") {
  if (!has_device()) return;
  for_each_real([](auto zero) {
    using T = decltype(zero);
    for (Lines lines : kLines) {
      std::vector<T> values = some_values<T>(lines.count * lines.length);
      There there(values);
      std::vector<std::int64_t> order(values.size());
      There orders(order);
      DType dtype = dtype_of<T>;
      CAPTURE(std::string(name(dtype)));
      CAPTURE(lines.length);
      mirror_arranger().order(dtype, reinterpret_cast<std::byte*>(values.data()), lines,
                              order.data());
      CHECK(bench().arranger.order(dtype, there.as(), lines, orders.as<std::int64_t>()));
      CHECK(orders.equals(order));
      mirror_arranger().sort(dtype, reinterpret_cast<std::byte*>(values.data()), lines);
      CHECK(bench().arranger.sort(dtype, there.as(), lines));
      CHECK(there.equals(values));
    }
  });
}

TEST_CASE("values are found on a GPU as by plain loops") {
  if (!has_device()) return;
  for_each_real([](auto zero) {
    using T = decltype(zero);
    DType dtype = dtype_of<T>;
    std::vector<T> sorted = some_values<T>(5000), values = some_values<T>(3000);
    auto bytes = [](std::vector<T>& of) { return reinterpret_cast<std::byte*>(of.data()); };
    mirror_arranger().sort(dtype, bytes(sorted), {1, 5000});
    There at(sorted), wanted(values);
    for (bool right : {false, true}) {
      std::vector<std::int64_t> places(3000);
      There found(places);
      mirror_arranger().search(dtype, bytes(sorted), 5000, bytes(values), 3000, right,
                               places.data());
      bench().arranger.search(dtype, at.as(), 5000, wanted.as(), 3000, right,
                              found.as<std::int64_t>());
      CHECK(found.equals(places));
    }
  });
}

TEST_CASE("masks choose on a GPU as plain loops do") {
  if (!has_device()) return;
  for (int item : {1, 2, 4, 8, 16}) {
    for (std::int64_t size : {1, 1000, 300'000}) {
      std::vector<std::uint8_t> mask(static_cast<std::size_t>(size));
      for (auto& flag : mask) flag = below(3) == 0;
      std::int64_t count = std::accumulate(mask.begin(), mask.end(), std::int64_t{0});
      std::vector<std::uint8_t> values(mask.size() * static_cast<std::size_t>(item));
      for (auto& byte : values) byte = static_cast<std::uint8_t>(below(256));
      std::vector<std::uint8_t> chosen(static_cast<std::size_t>(count * item));
      std::vector<std::int64_t> positions(static_cast<std::size_t>(count));
      There flags(mask), from(values), to(chosen), listed(positions);
      auto* at = reinterpret_cast<std::byte*>(values.data());
      mirror_arranger().choose(mask.data(), size, at, item, count,
                               reinterpret_cast<std::byte*>(chosen.data()));
      mirror_arranger().list(mask.data(), size, count, positions.data());
      if (count == 0) continue;
      bench().arranger.choose(flags.as<std::uint8_t>(), size, from.as(), item, count, to.as());
      bench().arranger.list(flags.as<std::uint8_t>(), size, count, listed.as<std::int64_t>());
      CHECK(to.equals(chosen));
      CHECK(listed.equals(positions));
    }
  }
}

TEST_CASE("elements are gathered and scattered on a GPU as by plain loops") {
  if (!has_device()) return;
  for (int item : {1, 2, 4, 8, 16}) {
    // Axes of 5, an indexed one of `extent`, and 3 × 4 of which only every other is meant.
    for (std::int64_t extent : {3, 40, 30'000}) {
      for (std::int64_t count : {1, 100, 5000}) {
        if (extent == 30'000 && count > 100) continue;
        std::int64_t row = 24 * item, plane = extent * row;
        Bytes array(static_cast<std::size_t>(5 * plane)),
            packed(static_cast<std::size_t>(60 * count * item));
        for (auto* bytes : {&array, &packed})
          for (auto& byte : *bytes) byte = static_cast<std::byte>(below(256));
        std::vector<std::int64_t> offsets(static_cast<std::size_t>(count));
        for (auto& offset : offsets) offset = below(extent) * row;
        There base(array), gathered(packed), list(offsets);
        Places places{{5}, {plane}, offsets,           {3, 4}, {8 * item, 2 * item}, item,
                      row, 0,       (extent - 1) * row};
        Places elsewhere = places;
        elsewhere.offsets = {list.as<std::int64_t>(), offsets.size()};
        for (bool one : {false, true}) {
          There from(packed);
          mirror_arranger().scatter(array.data(), places, packed.data(), one);
          CHECK(bench().arranger.scatter(base.as(), elsewhere, from.as(), one));
          CHECK(base.equals(array));
          mirror_arranger().gather(array.data(), places, packed.data());
          CHECK(bench().arranger.gather(base.as(), elsewhere, gathered.as()));
          CHECK(gathered.equals(packed));
        }
      }
    }
  }
}

TEST_CASE("values are counted and added up on a GPU as by plain loops") {
  if (!has_device()) return;
  for (std::int64_t bins : {1, 100, 8192, 100'000}) {
    for (std::int64_t count : {1, 500, 400'000}) {
      std::vector<std::int64_t> values(static_cast<std::size_t>(count));
      for (auto& value : values) value = below(bins);
      std::vector<std::int64_t> counts(static_cast<std::size_t>(bins));
      There from(values), to(counts);
      mirror_arranger().count(values.data(), count, counts.data(), bins);
      bench().arranger.count(from.as<std::int64_t>(), count, to.as<std::int64_t>(), bins);
      CHECK(to.equals(counts));
      std::vector<double> weights = some_values<double>(count), sums(counts.size());
      for (double& weight : weights) weight = weight == weight ? weight / 7 : 0;
      std::vector<std::int64_t> starts{0};
      for (std::int64_t each : counts) starts.push_back(starts.back() + each);
      There weight(weights), start(starts), sum(sums);
      mirror_arranger().add_runs(weights.data(), starts.data(), bins, sums.data());
      bench().arranger.add_runs(weight.as<double>(), start.as<std::int64_t>(), bins,
                                sum.as<double>());
      CHECK(sum.equals(sums));
    }
  }
}

// 12 GiB of memory: asked for by --no-skip.
TEST_CASE("more elements than 32-bit numbers count are arranged on a GPU" * doctest::skip()) {
  if (!has_device()) return;
  const std::int64_t size = (std::int64_t{1} << 32) + 1000;
  const std::vector<std::int64_t> ones{5, (std::int64_t{1} << 31) + 1, size - 3};
  Device& device = bench().device;
  auto bytes = static_cast<std::size_t>(size);
  std::byte* mask = device.allocate(bytes);
  REQUIRE(mask);
  device.clear(mask, bytes);
  const std::byte one{1};
  for (std::int64_t at : ones) device.upload(mask + at, &one, 1);
  auto* flags = reinterpret_cast<const std::uint8_t*>(mask);
  There listed(std::vector<std::int64_t>(3)), picked(std::vector<std::uint8_t>(3));
  CHECK(bench().arranger.list(flags, size, 3, listed.as<std::int64_t>()));
  CHECK(listed.equals(ones));
  Places places;
  places.offsets = {listed.as<std::int64_t>(), 3};
  places.item = 1;
  places.step = 1;
  places.highest = size - 1;
  CHECK(bench().arranger.gather(mask, places, picked.as()));
  CHECK(picked.equals(std::vector<std::uint8_t>{1, 1, 1}));
  CHECK(bench().arranger.sort(DType::kUInt8, mask, {1, size}));
  There last(std::vector<std::uint8_t>(4));
  device.copy(last.as(), mask + size - 4, 4);
  CHECK(last.equals(std::vector<std::uint8_t>{0, 1, 1, 1}));
  device.free(mask, bytes);
}
