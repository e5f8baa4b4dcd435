// Inputs that lie a few elements apart in one memory, as assembled code that shares their loads
// against code that does not. The memory ends with a page behind which there is nothing.
#include <doctest/doctest.h>
#include <sys/mman.h>

#include "nd_assembler_support.h"

using namespace strider::nd;

namespace {

constexpr std::size_t kPage = 4096;

// Some pages between two that must not be touched.
class Fenced {
 public:
  explicit Fenced(std::size_t pages) : length_((pages + 2) * kPage) {
    void* start = mmap(nullptr, length_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(start != MAP_FAILED);
    start_ = static_cast<std::byte*>(start);
    REQUIRE(mprotect(begin(), pages * kPage, PROT_READ | PROT_WRITE) == 0);
  }
  ~Fenced() { munmap(start_, length_); }
  Fenced(const Fenced&) = delete;
  Fenced& operator=(const Fenced&) = delete;

  std::byte* begin() const { return start_ + kPage; }
  std::byte* end() const { return start_ + length_ - kPage; }

 private:
  std::size_t length_;
  std::byte* start_ = nullptr;
};

// a[shift] + a[shift'] + ..., the first input being the others' neighbour.
FusedLoop sum_of(DType dtype, const std::vector<int>& shifts) {
  FusedLoop loop;
  loop.inputs.resize(shifts.size());
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    loop.inputs[i].dtype = dtype;
    if (i == 0) continue;
    loop.inputs[i].neighbour = 0;
    loop.inputs[i].shift = static_cast<std::int16_t>(shifts[i] - shifts[0]);
    Step step;
    step.op = Op::kAdd;
    step.count = 2;
    step.types[0] = step.types[1] = step.result = dtype;
    step.arguments[0] = static_cast<std::uint16_t>(i == 1 ? 0 : shifts.size() + i - 2);
    step.arguments[1] = static_cast<std::uint16_t>(i);
    loop.steps.push_back(step);
  }
  return loop;
}

void check(DType dtype, const std::vector<int>& shifts) {
  FusedLoop loop = sum_of(dtype, shifts), apart = loop;
  for (LoopInput& input : apart.inputs) input.neighbour = -1;
  std::vector<std::uint16_t> wanted = {
      static_cast<std::uint16_t>(loop.inputs.size() + loop.steps.size() - 1)};
  std::vector<bool> still(shifts.size(), false);
  auto sharing = Assembled::make(loop, wanted, still, best_target());
  auto plain = Assembled::make(apart, wanted, still, best_target());
  REQUIRE(sharing);
  REQUIRE(plain);
  int size = item_size(dtype), first = *std::min_element(shifts.begin(), shifts.end()),
      last = *std::max_element(shifts.begin(), shifts.end());
  Fenced memory(1);
  std::mt19937_64 random(1);
  std::int64_t room = static_cast<std::int64_t>(kPage) / size;
  Bytes values = make_values(dtype, room, random, true);
  std::memcpy(memory.begin(), values.data(), kPage);
  auto run = [&](const Assembled& code, std::int64_t begin, std::int64_t count) {
    std::vector<const std::byte*> from;
    for (int shift : shifts) from.push_back(memory.begin() + (begin + shift) * size);
    Bytes result(static_cast<std::size_t>(count * size) + 64);
    std::byte* to = result.data();
    code.run(from.data(), &to, count, true);
    return result;
  };
  for (std::int64_t start = 0; start < 20; ++start) {
    for (std::int64_t left = 0; left < 20; ++left) {
      std::int64_t begin = start - first, count = room - left - last - begin;
      CHECK(run(*sharing, begin, count) == run(*plain, begin, count));
    }
  }
  for (std::int64_t count = 1; count < 300; ++count) {
    CHECK(run(*sharing, -first, count) == run(*plain, -first, count));
  }
}

// Replaces elements of a row by the sum of those around them, reading only what was there before.
void check_in_place(DType dtype, const std::vector<int>& shifts, Target target, bool sharing) {
  FusedLoop loop = sum_of(dtype, shifts);
  if (!sharing) {
    for (LoopInput& input : loop.inputs) input.neighbour = -1;
  }
  std::vector<std::uint16_t> wanted = {
      static_cast<std::uint16_t>(loop.inputs.size() + loop.steps.size() - 1)};
  std::vector<bool> still(shifts.size(), false);
  auto code = Assembled::make(loop, wanted, still, target, Stores::kInPlace);
  REQUIRE(code);
  int size = item_size(dtype);
  std::mt19937_64 random(2);
  constexpr std::int64_t kSide = 8, kMost = 200;
  std::vector<RowReading> readings;
  for (std::size_t i = 0; i < shifts.size(); ++i) readings.push_back({i, 0, shifts[i], 0});
  if (!code->replaces(readings, kMost)) return;
  auto inputs_of = [&](const std::byte* row) {
    std::vector<const std::byte*> inputs;
    for (int shift : shifts) inputs.push_back(row + shift * size);
    return inputs;
  };
  Bytes values = make_values(dtype, kMost + 2 * kSide + 64, random, true);
  for (std::int64_t start = kSide; start < kSide + 64 / size + 1; ++start) {
    for (std::int64_t count = 128; count < kMost; count += 7) {
      Bytes memory = values, wanted_memory = values;
      Bytes old(static_cast<std::size_t>((count + 64) * size));
      std::byte* place = memory.data() + start * size;
      std::byte* result = wanted_memory.data() + start * size;
      auto bytes = static_cast<std::size_t>(count * size);
      code->run(inputs_of(values.data() + start * size).data(), &result, count, true);
      if (!code->replace(inputs_of(place).data(), place, old.data(), count)) continue;
      CHECK(memory == wanted_memory);
      CHECK(std::memcmp(old.data(), values.data() + start * size, bytes) == 0);
    }
  }
}

}  // namespace

TEST_CASE("elements are replaced by sums of those that were around them") {
  for (Target target : {Target::kAvx2, Target::kAvx512}) {
    if (static_cast<int>(target) > static_cast<int>(best_target())) continue;
    for (DType dtype : kEveryDType) {
      if (dtype == DType::kBool) continue;
      for (bool sharing : {false, true}) {
        check_in_place(dtype, {0, -1, 1}, target, sharing);
        check_in_place(dtype, {-1, 0, 1}, target, sharing);
        check_in_place(dtype, {0, -2, 3, 1}, target, sharing);
        check_in_place(dtype, {-1, 1}, target, sharing);
        check_in_place(dtype, {0, 1, 5}, target, sharing);
      }
    }
  }
}

TEST_CASE("neighbours that share loads give the same bits and touch nothing else") {
  for (DType dtype : {DType::kFloat64, DType::kFloat32, DType::kInt64, DType::kInt32}) {
    check(dtype, {0, -1, 1});
    check(dtype, {0, 1});
    check(dtype, {0, -1});
    check(dtype, {0, 1, 2, 3, 7});
    check(dtype, {0, -7, -2, 5});
  }
}
