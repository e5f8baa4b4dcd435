// Where operations on small arrays are computed when a device holds one of their operands.
#include <doctest/doctest.h>
#include <strider/nd/device.h>
#include <strider/nd/eval.h>
#include <strider/nd/ufunc.h>

#include <cstdlib>

#include "kernels/core/device.h"
#include "kernels/core/node.h"
#include "tests/unit/nd_support.h"

using namespace strider::nd;

namespace {

// Computes on a pretended device; small results are left to the host, as they usually are.
class Mirror {
 public:
  Mirror() : before_(recording()) {
    setenv("STRIDER_RENDERER", "mirror", 1);
    use_device(parse_device("cuda"));
    recording().threshold = 1 << 15;
  }
  ~Mirror() {
    use_device({});
    recording() = before_;
    unsetenv("STRIDER_RENDERER");
  }

 private:
  Recording before_;
};

}  // namespace

TEST_CASE("small arrays are computed where either operand lies, and nothing waits") {
  Mirror mirror;
  Array here = counting({100}, DType::kFloat64);
  recording().threshold = 1;
  Array there = apply(Op::kAdd, here, here);
  evaluate(there);
  recording().threshold = 1 << 15;
  CHECK(device_of(there) == "mirror:0");
  CHECK(device_of(apply(Op::kAdd, here, here)) == "cpu");
  std::int64_t waits = device_counts().waits;
  Array sums[3] = {apply(Op::kAdd, there, here), apply(Op::kAdd, here, there),
                   apply(Op::kAdd, here, apply(Op::kMultiply, there, there))};
  for (Array& sum : sums) CHECK(device_of(sum) == "mirror:0");
  for (Array& sum : sums) evaluate(sum);
  CHECK(device_counts().waits == waits);
  CHECK(values_of<double>(sums[1])[7] == 21);
  CHECK(values_of<double>(sums[2])[7] == 7 + 14 * 14);
}
