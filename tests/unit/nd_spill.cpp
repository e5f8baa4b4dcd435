// Memory of a device that runs short: what leaves it, what comes back, and what programs see when
// requests fail at any moment.
#include <doctest/doctest.h>
#include <strider/nd/device.h>
#include <strider/nd/eval.h>
#include <strider/nd/generate.h>
#include <strider/nd/index.h>
#include <strider/nd/interrupt.h>
#include <strider/nd/linalg.h>
#include <strider/nd/reduce.h>
#include <strider/nd/sort.h>
#include <strider/nd/ufunc.h>

#include <cstdlib>
#include <functional>

#include "kernels/backend/mirror/mirror.h"
#include "kernels/core/device.h"
#include "kernels/core/node.h"
#include "tests/unit/nd_support.h"

using namespace strider::nd;

namespace {

constexpr std::int64_t kCount = 1 << 14;
constexpr std::size_t kBytes = kCount * sizeof(double);

// Computes on a pretended device that has room for so many arrays.
class Mirror {
 public:
  explicit Mirror(std::size_t arrays) : before_(recording()) {
    setenv("STRIDER_RENDERER", "mirror", 1);
    use_device(parse_device("cuda"));
    recording().threshold = 1;
    limit_device_memory(used_device(), arrays * (kBytes + 4096));
  }
  ~Mirror() {
    fail_mirror_requests(0, 0);
    limit_device_memory(used_device(), 0);
    use_device({});
    recording() = before_;
    unsetenv("STRIDER_RENDERER");
  }

 private:
  Recording before_;
};

Array numbers(double first) {
  return generate_range(Scalar(first), Scalar(1.0), kCount, DType::kFloat64);
}

Array computed(const Array& array) {
  evaluate(array);
  return array;
}

Array sum_of(const Array& array) { return sum(array); }
Array plus(const Array& a, const Operand& b) { return apply(Op::kAdd, a, b); }

std::size_t used() { return device_memory(used_device()).used; }

}  // namespace

TEST_CASE("what was used least recently leaves, and comes back when it is asked for") {
  Mirror mirror(4);
  std::vector<Array> arrays;
  std::int64_t before = device_counts().spills;
  for (int i = 0; i < 12; ++i) arrays.push_back(computed(numbers(i)));
  CHECK(device_counts().spills > before);
  CHECK(device_of(arrays[0]) == "cpu");
  CHECK(device_of(arrays[11]) == "mirror:0");
  for (int i = 0; i < 12; ++i) {
    Array& each = arrays[static_cast<std::size_t>(i)];
    each = computed(plus(each, Operand(Scalar(1.0))));
  }
  for (int i = 0; i < 12; ++i) {
    std::vector<double> values = values_of<double>(arrays[static_cast<std::size_t>(i)]);
    CHECK(values[0] == i + 1.0);
    CHECK(values[kCount - 1] == i + static_cast<double>(kCount));
  }
}

TEST_CASE("arrays that are only filled or moved make room for each other, too") {
  Mirror mirror(3);
  std::vector<Array> zeros, moved;
  for (int i = 0; i < 8; ++i) {
    zeros.push_back(computed(generate_zeros({kCount}, DType::kFloat64)));
    moved.push_back(counting({kCount}, DType::kFloat64));
    move_to(moved.back(), used_device());
    CHECK(device_of(moved.back()) == "mirror:0");
  }
  CHECK(values_of<double>(zeros[0])[5] == 0);
  CHECK(values_of<double>(moved[0])[5] == 5);
}

TEST_CASE("copies leave without being copied") {
  Mirror mirror(4);
  Array a = computed(numbers(1)), b = computed(numbers(2)), c = computed(numbers(3));
  a.data(), b.data(), c.data();
  std::int64_t downloads = device_counts().downloads, spills = device_counts().spills;
  Array d = computed(numbers(4)), e = computed(numbers(5)), f = computed(numbers(6));
  CHECK(device_counts().downloads == downloads);
  CHECK(device_counts().spills == spills);
  CHECK(values_of<double>(a)[0] == 1);
}

TEST_CASE("what is in use stays: operands of one operation are never each other's room") {
  Mirror mirror(3);
  Array a = computed(numbers(1)), b = computed(numbers(2)), c = computed(numbers(3));
  Array d = computed(plus(a, b));
  CHECK(values_of<double>(d)[1] == 5);
  limit_device_memory(used_device(), 2 * (kBytes + 4096));
  CHECK(complaint([&] { computed(plus(c, d)); }).find("Unable to allocate 128. KiB for") == 0);
  limit_device_memory(used_device(), 3 * (kBytes + 4096));
  CHECK(values_of<double>(plus(c, d))[1] == 9);
  CHECK(values_of<double>(sum_of(plus(a, b)))[0] == (kCount - 1.0) * kCount + 3.0 * kCount);
}

TEST_CASE("what does not fit at once is computed in parts") {
  Mirror mirror(4);
  std::vector<Array> arrays;
  for (int i = 0; i < 10; ++i) arrays.push_back(computed(numbers(i)));
  Array total = arrays[0];
  for (std::size_t i = 1; i < arrays.size(); ++i)
    total = apply(Op::kSubtract, apply(Op::kMultiply, total, Operand(Scalar(2.0))), arrays[i]);
  CHECK(values_of<double>(total)[0] == -1013);
  Array target = computed(numbers(0));
  target.assign(plus(plus(plus(arrays[1], arrays[2]), arrays[3]), plus(arrays[4], target)));
  CHECK(values_of<double>(target)[1] == 15);
}

TEST_CASE("work that keeps more than its results take is computed before anything is copied") {
  Mirror mirror(3);
  Array total;
  {
    Array x = computed(numbers(1));
    total = sum_of(x);
  }
  REQUIRE(is_pending(total));
  std::int64_t spills = device_counts().spills;
  Array a = computed(numbers(1)), b = computed(numbers(2)), c = computed(numbers(3));
  CHECK_FALSE(is_pending(total));
  CHECK(device_counts().spills == spills);
  CHECK(values_of<double>(total)[0] == (kCount - 1.0) * kCount / 2 + kCount);
}

TEST_CASE("a request that cannot be met moves nothing, and the error says what is in use") {
  Mirror mirror(3);
  Array a = computed(numbers(1)), b = computed(numbers(2));
  std::int64_t spills = device_counts().spills;
  std::string error = complaint([] {
    computed(generate_range(Scalar(0.0), Scalar(1.0), 8 * kCount, DType::kFloat64));
  });
  CHECK(error.find("Unable to allocate 1.00 MiB for an array with shape (131072,) and data type "
                   "float64 on mirror:0; 256. KiB of 396. KiB are in use, the largest arrays: "
                   "128. KiB") == 0);
  CHECK(device_counts().spills == spills);
  CHECK(largest_arrays(used_device(), 10).size() == 2);
  CHECK(values_of<double>(sum_of(a))[0] > 0);
}

TEST_CASE("an interrupt while elements leave loses none") {
  Mirror mirror(2);
  Array a = computed(numbers(1)), b = computed(numbers(2));
  request_interrupt();
  CHECK_THROWS_AS(computed(numbers(3)), Error);
  CHECK_FALSE(interrupt_requested());
  CHECK(values_of<double>(computed(numbers(3)))[0] == 3);
  CHECK(values_of<double>(a)[7] == 8);
  CHECK(values_of<double>(b)[7] == 9);
}

TEST_CASE("elements move between devices") {
  Mirror mirror(8);
  REQUIRE(count_cuda_devices() == 2);
  Array a = computed(numbers(1));
  move_to(a, parse_device("cuda:1"));
  CHECK(device_of(a) == "mirror:1");
  CHECK(values_of<double>(a)[9] == 10);
  CHECK(used() == 0);
}

namespace {

// A program with promises, library calls, sorting, indices and writes in place; its result.
double run_program() {
  Array x = numbers(1), y = numbers(3);
  Array z = plus(apply(Op::kMultiply, x, y), x);
  Array square = z.reshape({128, 128});
  Array product = matmul(square, square);
  Array sorted = sort(apply(Op::kNegative, z), 0);
  Array indices =
      generate_range(Scalar(std::int64_t{5}), Scalar(std::int64_t{3}), 4096, DType::kInt64);
  Array taken = take(sorted, indices, 0);
  x.assign(plus(y, Operand(Scalar(2.0))));
  Array head = x.view({4096}, x.strides(), 0);
  head.assign(plus(taken, head));
  Array parts[] = {sum_of(product.reshape({kCount})), sum_of(taken), sum_of(x), sum_of(sorted)};
  double result = 0;
  for (const Array& part : parts) result = result * 3 + values_of<double>(part)[0] * 1e-12;
  return result;
}

// Runs it with failing requests: either the result is right or memory is what is missing. Whether
// it was.
bool run_with_failures(double expected, std::int64_t after, std::int64_t count) {
  bool failed = false;
  fail_mirror_requests(after, count);
  try {
    double result = run_program();
    CHECK(result == expected);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kMemory);
    failed = true;
  }
  fail_mirror_requests(0, 0);
  return failed;
}

}  // namespace

TEST_CASE("whichever requests fail, results are right or memory is missing, and the next runs") {
  std::size_t rooms[] = {64, 12, 8};
  for (std::size_t room : rooms) {
    Mirror mirror(room);
    fail_mirror_requests(0, 0);
    double expected = run_program();
    std::int64_t requests = mirror_requests(), failures = 0;
    REQUIRE(requests > 10);
    std::size_t before = used();
    for (std::int64_t after = 0; after < requests; ++after) {
      for (std::int64_t count : {1, 2, 5, 1000}) {
        failures += run_with_failures(expected, after, count);
        CHECK(used() == before);
      }
    }
    CHECK(failures > 0);
    CHECK(run_program() == expected);
  }
}
