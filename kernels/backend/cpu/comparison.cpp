// Kernels of the comparison rows: comparisons and truth; choices; int64 against uint64.
#define STRIDER_GROUP kComparison

#include "kernels/backend/cpu/loops.h"

namespace strider::nd::STRIDER_TARGET {
namespace {

struct Wide {
  std::uint64_t low;
  std::uint64_t high;
};

template <class T>
void select(const std::byte* const* inputs, std::byte* const* outputs, std::int64_t count) {
  auto* condition = reinterpret_cast<const std::uint8_t*>(inputs[0]);
  auto* x = reinterpret_cast<const T*>(inputs[1]);
  auto* y = reinterpret_cast<const T*>(inputs[2]);
  auto* out = reinterpret_cast<T*>(outputs[0]);
#pragma GCC ivdep
  for (std::int64_t i = 0; i < count; ++i) {
    T one = x[i], other = y[i];
    out[i] = condition[i] ? one : other;
  }
}

template <class X, class Y, Op kOp>
void compare_mixed(const std::byte* const* inputs, std::byte* const* outputs, std::int64_t count) {
  auto* x = reinterpret_cast<const X*>(inputs[0]);
  auto* y = reinterpret_cast<const Y*>(inputs[1]);
  auto* out = reinterpret_cast<bool*>(outputs[0]);
  using R = STRIDER_GROUP::Row<kOp>;
  for (std::int64_t i = 0; i < count; ++i) out[i] = R::first(order(x[i], y[i]), 0, 0);
}

template <class X, class Y>
void fill_mixed(Kernel (&row)[6]) {
  row[0] = compare_mixed<X, Y, Op::kEqual>;
  row[1] = compare_mixed<X, Y, Op::kNotEqual>;
  row[2] = compare_mixed<X, Y, Op::kLess>;
  row[3] = compare_mixed<X, Y, Op::kLessEqual>;
  row[4] = compare_mixed<X, Y, Op::kGreater>;
  row[5] = compare_mixed<X, Y, Op::kGreaterEqual>;
}

}  // namespace

void fill_comparison(KernelTable& table) {
  STRIDER_GROUP::fill_group(table);
  table.select[0] = select<std::uint8_t>;
  table.select[1] = select<std::uint16_t>;
  table.select[2] = select<std::uint32_t>;
  table.select[3] = select<std::uint64_t>;
  table.select[4] = select<Wide>;
  fill_mixed<std::int64_t, std::uint64_t>(table.compare_mixed[0]);
  fill_mixed<std::uint64_t, std::int64_t>(table.compare_mixed[1]);
}

}  // namespace strider::nd::STRIDER_TARGET
