// Running combinations along an axis, and counts of true elements.
#include <strider/nd/error.h>
#include <strider/nd/floating_errors.h>
#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <functional>
#include <string>
#include <type_traits>

#include "kernels/core/copy.h"
#include "kernels/core/loop_nest.h"
#include "kernels/core/node.h"
#include "kernels/core/unaligned.h"
#include "kernels/elementwise/layout.h"
#include "kernels/elementwise/powers.h"
#include "kernels/elementwise/types.h"
#include "kernels/graph/graph.h"
#include "kernels/reduce/fold.h"
#include "kernels/reduce/reduction.h"

namespace strider::nd {
namespace {

using Nest = LoopNest<2>;  // output, input
using Pointers = std::byte* const (&)[2];

struct Scanning {
  ScanKernel scan;
  Kernel combine;
  std::int64_t extent;
  std::int64_t out_step;
  std::int64_t in_step;
  int size;
};

template <class T, class Step>
void scan_by(const std::byte* in, std::int64_t in_step, std::byte* out, std::int64_t out_step,
             std::int64_t extent) {
  T total = load<T>(in);
  store(out, total);
  for (std::int64_t i = 1; i < extent; ++i) {
    total = static_cast<T>(Step()(total, load<T>(in + i * in_step)));
    store(out + i * out_step, total);
  }
}

// Scans of bits and of truths, which need no rounding; null for others.
template <class T>
ScanKernel bit_scan_of(Op op) {
  constexpr bool kTruths = std::is_same_v<T, bool>;
  if (op == Op::kBitwiseAnd || (kTruths && op == Op::kLogicalAnd))
    return scan_by<T, std::bit_and<>>;
  if (op == Op::kBitwiseOr || (kTruths && op == Op::kLogicalOr)) return scan_by<T, std::bit_or<>>;
  return op == Op::kBitwiseXor ? scan_by<T, std::bit_xor<>> : nullptr;
}

ScanKernel find_scan(Op op, DType type) {
  if (ScanKernel known = kernels().scans[static_cast<int>(op)][static_cast<int>(type)])
    return known;
  return dispatch(type, [&](auto zero) -> ScanKernel {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>)
      return bit_scan_of<T>(op);
    else
      return nullptr;
  });
}

void combine_one(const Scanning& scanning, const std::byte* before, const std::byte* next,
                 std::byte* out, std::int64_t count) {
  const std::byte* inputs[2] = {before, next};
  std::byte* outputs[1] = {out};
  scanning.combine(inputs, outputs, count);
}

// One line along the axis.
void scan_line(const Scanning& scanning, std::byte* out, const std::byte* in) {
  if (scanning.scan) {
    scanning.scan(in, scanning.in_step, out, scanning.out_step, scanning.extent);
    return;
  }
  std::copy_n(in, scanning.size, out);
  for (std::int64_t i = 1; i < scanning.extent; ++i) {
    combine_one(scanning, out + (i - 1) * scanning.out_step, in + i * scanning.in_step,
                out + i * scanning.out_step, 1);
  }
}

// Lines that lie side by side: whole rows are combined at once.
void scan_rows(const Scanning& scanning, std::byte* out, const std::byte* in, std::int64_t count) {
  std::copy_n(in, count * scanning.size, out);
  for (std::int64_t i = 1; i < scanning.extent; ++i) {
    combine_one(scanning, out + (i - 1) * scanning.out_step, in + i * scanning.in_step,
                out + i * scanning.out_step, count);
  }
}

// Scans `input` (of the result's type) along `axis` into `result` of the same shape.
void scan_array(Op op, const Array& input, const Array& result, int axis) {
  DType type = result.dtype();
  Scanning scanning{find_scan(op, type),
                    find_kernel(op, type),
                    input.shape()[axis],
                    result.strides()[axis],
                    input.strides()[axis],
                    item_size(type)};
  Dims shape = input.shape();
  shape[axis] = 1;
  Nest nest;
  nest.plan(shape, {result.strides().data(), input.strides().data()});
  std::byte* first[2] = {result.mutable_data(), const_cast<std::byte*>(input.data())};
  // Products of complex numbers side by side would be rounded once less than those of a scan.
  bool fused_products = op == Op::kMultiply && is_complex(type);
  bool side_by_side = !fused_products && nest.extents[0] >= 8 &&
                      nest.strides[0][0] == scanning.size && nest.strides[1][0] == scanning.size;
  int cut = nest.axis_to_cut(2 * thread_count());
  std::int64_t per_step = std::max<std::int64_t>(1, input.size() / nest.extents[cut]);
  parallel_for(nest.extents[cut],
               std::max<std::int64_t>(side_by_side ? 64 : 1, worth_a_thread(1 << 16) / per_step),
               [&](std::int64_t begin, std::int64_t end) {
                 nest.visit(first, cut, begin, end, [&](Pointers at, std::int64_t count) {
                   check_interrupt();
                   if (side_by_side) return scan_rows(scanning, at[0], at[1], count);
                   for (std::int64_t i = 0; i < count; ++i) {
                     scan_line(scanning, at[0] + i * nest.strides[0][0],
                               at[1] + i * nest.strides[1][0]);
                   }
                 });
               });
}

// The scan as a promise, when its elements are promises themselves; null when it must run now.
Array scan_later(Op op, const Array& array, int along, DType type) {
  bool innermost = along == array.rank() - 1 && array.is_c_contiguous();
  bool scans = (op == Op::kAdd || op == Op::kMultiply) &&
               kernels().scans[static_cast<int>(op)][static_cast<int>(type)] != nullptr;
  if (!innermost || !scans || !is_away(array) || !recording().on()) return Array();
  LoopFold fold;
  fold.kind = LoopFold::Kind::kScan;
  fold.op = op;
  fold.type = type;
  Dims strides = dense_strides(array.shape(), item_size(type));
  return record_fold(fold, array, std::uint64_t{1} << along, array.shape(), strides, Scalar());
}

// Chunks of elements as bytes 0 and 1.
std::int64_t count_row(const std::byte* data, std::int64_t step, std::int64_t count, DType dtype) {
  constexpr std::int64_t kChunk = 4096;
  std::byte truths[kChunk];
  CastLoop truth = cast_loop(dtype, DType::kBool);
  std::int64_t total = 0;
  for (std::int64_t i = 0; i < count; i += kChunk) {
    std::int64_t part = std::min(kChunk, count - i);
    const std::byte* bytes = data + i * step;
    if (dtype != DType::kBool || step != 1) {
      truth(bytes, step, truths, 1, part);
      bytes = truths;
    }
    total += kernels().count_true(bytes, part);
  }
  return total;
}

}  // namespace

Array accumulate(Op op, const Array& array, std::int64_t axis, std::optional<DType> dtype,
                 const Array* out) {
  const OpFacts& row = facts(op);
  if (row.inputs != 2 || row.outputs != 1) {
    throw Error(ErrorKind::kValue, "accumulate only supported for binary functions");
  }
  if (array.rank() == 0) throw Error(ErrorKind::kType, "cannot accumulate on a scalar");
  int along = normalize_axis(axis, array.rank());
  DType type = reduction_type(op, array, dtype, out);
  if (!out) {
    if (Array later = scan_later(op, array, along, type)) return later;
  }
  Array input = array.dtype() == type ? array : array.astype(type, Order::kKeep);
  refuse_negative_powers_along(op, input, along, true);
  bool direct = out && out->dtype() == type && out->shape() == array.shape() &&
                !out->may_share_elements(input);
  Operand laid_out(array);
  Array result = direct ? *out : make_result({&laid_out, 1}, array.shape(), type, Order::kKeep);
  if (array.size()) {
    clear_floating_errors();
    scan_array(op, input, result, along);
    if (may_raise(op, type)) {
      deliver_floating_errors(take_floating_errors(), "accumulate");
    }
  }
  return direct ? *out : finish_result(result, 0, true, out, op);
}

// Running totals along an axis; of an array without axes, or without an axis given, along all
// elements.
static Array run_along(Op op, const Array& array, std::optional<std::int64_t> axis,
                       std::optional<DType> dtype, const Array* out) {
  bool flat = array.rank() == 0 && axis && (*axis == 0 || *axis == -1);
  if (axis && !flat) {
    int along = normalize_axis(*axis, std::max(array.rank(), 1));
    return accumulate(op, array, along, dtype, out);
  }
  return accumulate(op, array.ravel(), 0, dtype, out);
}

Array cumsum(const Array& array, std::optional<std::int64_t> axis, std::optional<DType> dtype,
             const Array* out) {
  return run_along(Op::kAdd, array, axis, dtype, out);
}

Array cumprod(const Array& array, std::optional<std::int64_t> axis, std::optional<DType> dtype,
              const Array* out) {
  return run_along(Op::kMultiply, array, axis, dtype, out);
}

std::int64_t count_nonzero(const Array& array) {
  bool counted = array.dtype() == DType::kBool && array.is_c_contiguous() && !is_away(array);
  if (array.size() > 0 && !counted && worth_recording(array)) {
    Array truths = array.astype(DType::kBool, Order::kKeep, false);
    return sum(truths).item().get<std::int64_t>();
  }
  LoopNest<1> nest;
  nest.plan(array.shape(), {array.strides().data()});
  std::byte* first[1] = {const_cast<std::byte*>(array.data())};
  std::int64_t total = 0;
  nest.visit(first, [&](std::byte* const(&at)[1], std::int64_t count) {
    total += count_row(at[0], nest.strides[0][0], count, array.dtype());
  });
  return total;
}

Array count_nonzero(const Array& array, const Axes& axes, bool keepdims) {
  ReduceOptions options;
  options.axes = axes;
  options.keepdims = keepdims;
  return sum(array.astype(DType::kBool, Order::kKeep, false), options);
}

}  // namespace strider::nd
