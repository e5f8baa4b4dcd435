// Kept plans: found again, told apart, dropped when there are too many; and the lists they run on.
#include <doctest/doctest.h>
#include <strider/nd/eval.h>
#include <strider/nd/index.h>
#include <strider/nd/ufunc.h>

#include "kernels/core/small_list.h"
#include "tests/unit/nd_support.h"

using namespace strider::nd;

namespace {

// Records everything while it lives.
class RecordAll {
 public:
  RecordAll() : before_(recording()) { recording().threshold = 1; }
  ~RecordAll() { recording() = before_; }

 private:
  Recording before_;
};

std::vector<double> computed(const Array& x, double factor) {
  Array product = apply(Op::kMultiply, x, Operand(Scalar(factor)));
  return values_of<double>(apply(Op::kAdd, product, x));
}

Array line(std::int64_t count) { return counting({count}, DType::kFloat64); }

}  // namespace

TEST_CASE("another number, another array and another place are the same plan") {
  RecordAll all;
  Array x = line(64), y = line(64);
  computed(x, 2.0);
  EvaluationCounts before = evaluation_counts();
  CHECK(computed(y, 5.0)[3] == 18.0);
  CHECK(evaluation_counts().plans == before.plans);
  CHECK(evaluation_counts().plan_hits == before.plan_hits + 1);
}

TEST_CASE("rows of one array are the same plan only where they are as far apart") {
  RecordAll all;
  Array table = counting({6, 32}, DType::kFloat64);
  evaluate(table);
  auto difference = [&](std::int64_t i, std::int64_t k) {
    return values_of<double>(apply(Op::kSubtract, get_row(table, i), get_row(table, k)))[3];
  };
  CHECK(difference(0, 1) == -32.0);
  EvaluationCounts before = evaluation_counts();
  CHECK(difference(3, 4) == -32.0);
  CHECK(evaluation_counts().plan_hits == before.plan_hits + 1);
  CHECK(difference(5, 2) == 96.0);
  CHECK(difference(1, 1) == 0.0);
  CHECK(evaluation_counts().plans == before.plans + 2);
}

TEST_CASE("an alias is another plan") {
  RecordAll all;
  Array x = line(32), y = line(32);
  CHECK(values_of<double>(apply(Op::kSubtract, apply(Op::kMultiply, x, y), x))[5] == 20.0);
  CHECK(values_of<double>(apply(Op::kSubtract, apply(Op::kMultiply, x, y), y))[6] == 30.0);
  CHECK(values_of<double>(apply(Op::kSubtract, apply(Op::kMultiply, x, x), y))[7] == 42.0);
}

TEST_CASE("many structures do not outgrow the cache, and each is right when it comes back") {
  RecordAll all;
  for (int round = 0; round < 2; ++round) {
    for (std::int64_t count = 2; count < 1500; ++count) {
      std::vector<double> values = computed(line(count), 3.0);
      REQUIRE(static_cast<std::int64_t>(values.size()) == count);
      REQUIRE(values.back() == 4.0 * static_cast<double>(count - 1));
    }
  }
}

TEST_CASE("a small list grows, is copied and is moved") {
  SmallList<int, 2> list;
  for (int i = 0; i < 5; ++i) list.push_back(i);
  list.push_back(list[1]);
  SmallList<int, 2> copy = list, moved = std::move(list);
  CHECK(list.empty());
  list.push_back(7);
  CHECK(list.back() == 7);
  CHECK(std::vector<int>(moved.begin(), moved.end()) == std::vector{0, 1, 2, 3, 4, 1});
  CHECK(std::vector<int>(copy.begin(), copy.end()) == std::vector{0, 1, 2, 3, 4, 1});
  copy.assign(3, 9);
  CHECK(std::vector<int>(copy.begin(), copy.end()) == std::vector{9, 9, 9});
  moved = copy;
  copy = std::move(moved);
  CHECK(copy.size() == 3);
}
