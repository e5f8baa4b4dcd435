// ufunc.reduce, reduceat and the named reductions: types, starting values, results.
#include <strider/nd/error.h>
#include <strider/nd/eval.h>
#include <strider/nd/floating_errors.h>
#include <strider/nd/ufunc.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>

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

[[noreturn]] void throw_value(const std::string& message) {
  throw Error(ErrorKind::kValue, message);
}

// Operations whose reduction over several axes does not depend on their order.
bool is_reorderable(Op op) {
  if (facts(op).identity != Identity::kNoIdentity) return true;
  return op == Op::kMaximum || op == Op::kMinimum || op == Op::kFmax || op == Op::kFmin;
}

void check_reducible(Op op, const char* method) {
  const OpFacts& row = facts(op);
  if (row.inputs != 2) {
    throw_value(std::string(method) + " only supported for binary functions");
  }
  if (row.outputs != 1) {
    throw_value(std::string(method) + " only supported for functions returning a single value");
  }
}

// A view of the first (or of all but the first) elements along the reduced axes.
Array first_elements(const Array& array, std::uint64_t reduced) {
  return array.view(kept_shape(array.shape(), reduced), array.strides(), 0);
}
Array all_but_first(const Array& array, int axis) {
  Dims shape = array.shape();
  --shape[axis];
  return array.view(shape, array.strides(), array.strides()[axis]);
}

// Several reduced axes become one, so that the first element can be left out.
Array merge_reduced(const Array& array, std::uint64_t reduced) {
  int order[kMaxRank];
  int kept = 0;
  for (int axis = 0; axis < array.rank(); ++axis) {
    if (!(reduced >> axis & 1)) order[kept++] = axis;
  }
  int next = kept;
  for (int axis = 0; axis < array.rank(); ++axis) {
    if (reduced >> axis & 1) order[next++] = axis;
  }
  Dims shape;
  for (int i = 0; i < kept; ++i) shape.push_back(array.shape()[order[i]]);
  shape.push_back(-1);
  return array.transpose({order, static_cast<std::size_t>(array.rank())}).reshape(shape);
}

// Starts from the first elements and combines the rest, for operations without a starting value.
void fold_from_first(Op op, const Array& array, std::uint64_t reduced, const Array& accumulator,
                     bool idempotent, bool by_lanes = false) {
  accumulator.assign(first_elements(array, reduced));
  if (idempotent) return fold_into(op, array, reduced, accumulator, nullptr);
  if ((reduced & (reduced - 1)) == 0) {
    if (reduced == 0) return;
    int axis = __builtin_ctzll(reduced);
    return fold_into(op, all_but_first(array, axis), reduced, accumulator, nullptr, by_lanes);
  }
  Array merged = merge_reduced(array, reduced);
  int last = merged.rank() - 1;
  Dims shape = dropped_shape(array.shape(), reduced);
  Dims strides;
  for (int axis = 0; axis < array.rank(); ++axis) {
    if (!(reduced >> axis & 1)) strides.push_back(accumulator.strides()[axis]);
  }
  shape.push_back(1);
  strides.push_back(0);
  fold_into(op, all_but_first(merged, last), std::uint64_t{1} << last,
            accumulator.view(shape, strides, 0), nullptr);
}

std::optional<Scalar> starting_value(Op op, DType type, const ReduceOptions& options) {
  if (options.initial) return options.initial->as(type);
  if (options.without_initial) return std::nullopt;
  return identity_of(op, type);
}

void fold_all(Op op, const Array& array, std::uint64_t reduced, const Array& accumulator,
              const ReduceOptions& options) {
  std::optional<Scalar> start = starting_value(op, accumulator.dtype(), options);
  if (!start && options.where) {
    throw_value("reduction operation '" + std::string(facts(op).name) +
                "' does not have an identity, so to use a where mask one has to specify "
                "'initial'");
  }
  // What is no single axis is not folded by powers.
  if (reduced && !(reduced & (reduced - 1)))
    refuse_negative_powers_along(op, array, std::countr_zero(reduced), !start, options.where);
  if (start) {
    accumulator.assign(*start);
    return fold_into(op, array, reduced, accumulator, options.where);
  }
  if (array.size() == 0) {
    bool each_has_some = true;
    for (int axis = 0; axis < array.rank(); ++axis)
      each_has_some = each_has_some && !(reduced >> axis & 1 && array.shape()[axis] == 0);
    if (each_has_some) return;
    throw_value("zero-size array to reduction operation " + std::string(facts(op).name) +
                " which has no identity");
  }
  fold_from_first(op, array, reduced, accumulator, is_idempotent(op));
}

void deliver(Op op, DType type, std::string_view method) {
  if (may_raise(op, type)) deliver_floating_errors(take_floating_errors(), method);
}

// Elements of another type that a sum in memory converts at once, as NumPy's iterator does.
constexpr std::int64_t kBufferedElements = 8192;

// The reduction as a promise, so that it is fused with what it reads; null when it must run now.
Array reduce_later(Op op, const Array& array, std::uint64_t reduced, const Dims& kept,
                   const Dims& strides, DType type, const ReduceOptions& options) {
  Storage& storage = *array.node()->storage;
  bool there = recording().on_device || storage.device();
  // Where they are rounded, or of equal ones the first is taken, they are combined in order.
  bool halves = type == DType::kFloat16 && op != Op::kAdd && !(is_idempotent(op) && there);
  bool folds = kernels().folds[static_cast<int>(op)][static_cast<int>(type)] != nullptr;
  bool large = worth_recording(array);
  bool many = large || (recording().on() && array.size() >= short_rows_limit());
  if (options.where || halves || !folds || !many) return Array();
  std::optional<Scalar> start = starting_value(op, type, options);
  if (!start && !is_idempotent(op)) return Array();
  LoopFold fold;
  fold.op = op;
  fold.type = type;
  fold.from_first = !start;
  fold.chunk = array.dtype() == type ? 0 : kBufferedElements;
  Scalar first = start.value_or(Scalar());
  if (!large) {
    fold.start = first;
    return record_short_fold(fold, array, reduced, kept, strides);
  }
  Array later = record_fold(fold, array, reduced, kept, strides, first);
  if (later || !there || storage.borrowed()) return later;
  // Laid out in the order of axes that the result has.
  Dims dense = similar_strides(array.shape(), array.strides(), item_size(array.dtype()));
  Array packed = make_array(array.shape(), dense, array.dtype());
  packed.assign(array);
  return record_fold(fold, packed, reduced, kept, strides, first);
}

// What the first bools decide for all of them; null where they do not.
Array decide_early(Op op, const Array& array) {
  constexpr std::int64_t kLook = 4096;
  bool any = op == Op::kLogicalOr;
  if ((!any && op != Op::kLogicalAnd) || array.dtype() != DType::kBool) return Array();
  auto look = static_cast<std::size_t>(std::min(array.size(), kLook));
  if (!std::memchr(array.data(), any, look)) return Array();
  Array result = make_like(Dims(), DType::kBool);
  *result.node()->bytes() = std::byte{any};
  return result;
}

// A contiguous array of the fold's own type reduced to one element.
Array reduce_fast(Op op, const Array& array, DType type) {
  FoldKernel fold = kernels().folds[static_cast<int>(op)][static_cast<int>(type)];
  if (!fold || array.dtype() != type || !array.is_c_contiguous()) return Array();
  if (array.size() == 0 || is_away(array)) return Array();
  if (Array decided = decide_early(op, array)) return decided;
  if (array.size() > (1 << 16)) return Array();
  const std::byte* data = array.data();
  std::int64_t size = item_size(type), count = array.size();
  Array result = make_like(Dims(), type);
  std::byte* accumulator = result.node()->bytes();
  clear_floating_errors();
  if (op == Op::kAdd) {
    std::memset(accumulator, 0, static_cast<std::size_t>(size));
  } else if (is_idempotent(op)) {
    std::memcpy(accumulator, data, static_cast<std::size_t>(size));
  } else {
    return Array();
  }
  fold(data, size, count, accumulator);
  deliver(op, type, "reduce");
  return result;
}

bool is_plain(const ReduceOptions& options) {
  return options.axes.all && !options.out && !options.keepdims && !options.initial &&
         !options.without_initial && !options.where;
}

}  // namespace

std::uint64_t axes_bits(const Axes& axes, int rank) {
  if (axes.all) return rank == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rank) - 1;
  std::uint64_t bits = 0;
  if (rank == 0 && axes.single && (axes.list[0] == 0 || axes.list[0] == -1)) return 0;
  for (std::int64_t given : axes.list) {
    int axis = normalize_axis(given, rank);
    if (bits >> axis & 1) throw_value("duplicate value in 'axis'");
    bits |= std::uint64_t{1} << axis;
  }
  return bits;
}

Dims kept_shape(const Dims& shape, std::uint64_t reduced) {
  Dims kept = shape;
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (reduced >> axis & 1) kept[axis] = 1;
  }
  return kept;
}

Dims dropped_shape(const Dims& shape, std::uint64_t reduced) {
  Dims left;
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (!(reduced >> axis & 1)) left.push_back(shape[axis]);
  }
  return left;
}

namespace {

[[noreturn]] void throw_no_loop(Op op) {
  throw Error(ErrorKind::kType,
              "No loop matching the specified signature and casting was found for ufunc " +
                  std::string(facts(op).name));
}

// The type that is asked for, or that the operation has for elements of this array.
DType wanted_type(Op op, const Array& array, std::optional<DType> dtype, const Array* out) {
  DType from = array.dtype();
  if (op == Op::kAdd || op == Op::kMultiply) {
    if (dtype) return *dtype;
    if (out) return out->dtype() == from ? from : promote(out->dtype(), from);
    if (from == DType::kBool || category(from) == Category::kSigned) return DType::kInt64;
    if (category(from) == Category::kUnsigned) return DType::kUInt64;
    return from;
  }
  if (is_comparison(op) && from != DType::kBool && dtype != DType::kBool) throw_no_loop(op);
  if (facts(op).result == '?') return DType::kBool;
  if (dtype) return *dtype;
  Operand operands[2] = {array, array};
  return resolve_loop(op, operands, {}).outputs[0];
}

}  // namespace

DType reduction_type(Op op, const Array& array, std::optional<DType> dtype, const Array* out) {
  DType type = wanted_type(op, array, dtype, out);
  if (!find_kernel(op, type)) throw_no_loop(op);
  return type;
}

bool may_raise(Op op, DType type) {
  if (facts(op).conditions == Conditions::kNone) return false;
  return is_inexact(type) || op == Op::kFloorDivide || op == Op::kRemainder || op == Op::kFmod;
}

Array finish_result(const Array& result, std::uint64_t reduced, bool keepdims, const Array* out,
                    Op op) {
  Array shaped = result;
  if (!keepdims) {
    Dims strides;
    for (int axis = 0; axis < result.rank(); ++axis) {
      if (!(reduced >> axis & 1)) strides.push_back(result.strides()[axis]);
    }
    if (reduced) shaped = result.view(dropped_shape(result.shape(), reduced), strides, 0);
  }
  if (!out) return shaped;
  if (out->shape() != shaped.shape()) {
    throw_value("output parameter for reduction operation " + std::string(facts(op).name) +
                " has the wrong shape or number of dimensions: expected " +
                shape_text(shaped.shape()) + ", got " + shape_text(out->shape()));
  }
  if (!out->writeable()) throw_value("output array is read-only");
  out->assign(shaped);
  return *out;
}

namespace {

// Axes lie as those of the array do, where its mask does not say otherwise.
Dims result_layout(const Dims& kept, const Array& array, const Array* where, int item) {
  if (!where) return similar_strides(kept, array.strides(), item);
  Dims strides[] = {array.strides(), where->broadcast_to(array.shape()).strides()};
  return shared_strides(kept, strides, item);
}

}  // namespace

Array reduce(Op op, const Array& array, const ReduceOptions& options) {
  check_reducible(op, "reduce");
  DType type = reduction_type(op, array, options.dtype, options.out);
  if (is_plain(options)) {
    Array result = reduce_fast(op, array, type);
    if (result) return result;
  }
  std::uint64_t reduced = axes_bits(options.axes, array.rank());
  if (!is_reorderable(op) && (reduced & (reduced - 1))) {
    throw_value("reduction operation '" + std::string(facts(op).name) +
                "' is not reorderable, so at most one axis may be specified");
  }
  if (options.out)
    check_out_shape(*options.out, array.shape(), reduced, options.keepdims, facts(op).name);
  Dims kept = kept_shape(array.shape(), reduced);
  Dims strides = result_layout(kept, array, options.where, item_size(type));
  if (Array later = reduce_later(op, array, reduced, kept, strides, type, options)) {
    return finish_result(later, reduced, options.keepdims, options.out, op);
  }
  Array accumulator = make_array(kept, strides, type);
  clear_floating_errors();
  fold_all(op, array, reduced, accumulator, options);
  deliver(op, type, "reduce");
  bool fresh = !options.out && !options.keepdims;
  if (fresh && reduced == 0) return accumulator;
  return finish_result(accumulator, reduced, options.keepdims, options.out, op);
}

namespace {

// The sum of up to eight numbers in the order of a fold's loop (backend/cpu/reduction.cpp): the
// first, and the sum of the others.
template <class T>
T add_few(const std::byte* first, std::int64_t step, std::int64_t count) {
  using Sum = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                          std::type_identity<T>>::type;
  Sum others = std::is_integral_v<T> ? Sum{0} : static_cast<Sum>(-0.0);
  for (std::int64_t i = 1; i < count; ++i) others += load<Sum>(first + i * step);
  return static_cast<T>(load<Sum>(first) + others);
}

// Parts of a line; longer ones are folded one by one.
template <class T>
void add_parts(FoldKernel fold, const Array& line, std::span<const std::int64_t> begins, T* to) {
  constexpr std::int64_t kFew = 8;
  std::int64_t step = line.strides()[0], extent = line.size();
  for (std::size_t i = 0; i < begins.size(); ++i) {
    std::int64_t end = i + 1 < begins.size() ? begins[i + 1] : extent;
    std::int64_t count = std::max<std::int64_t>(1, end - begins[i]);
    const std::byte* first = line.data() + begins[i] * step;
    to[i] = count <= kFew ? add_few<T>(first, step, count) : load<T>(first);
    if (count > kFew) fold(first + step, step, count - 1, reinterpret_cast<std::byte*>(to + i));
  }
}

// Parts of a line by a fold's loop, as long as they are short; whether there is one for them.
bool reduce_parts(Op op, const Array& array, std::span<const std::int64_t> begins,
                  const Array& result) {
  constexpr std::int64_t kShort = 1 << 15;
  DType type = result.dtype();
  FoldKernel fold = kernels().folds[static_cast<int>(op)][static_cast<int>(type)];
  if (array.rank() != 1 || array.dtype() != type || !fold || is_complex(type)) return false;
  std::int64_t step = array.strides()[0], item = item_size(type), extent = array.size();
  std::byte* to = result.mutable_data();
  for (std::size_t i = 0; i < begins.size(); ++i) {
    std::int64_t end = i + 1 < begins.size() ? begins[i + 1] : extent;
    if (end - begins[i] > kShort) return false;
  }
  if (op == Op::kAdd && type == DType::kFloat64)
    return add_parts(fold, array, begins, reinterpret_cast<double*>(to)), true;
  if (op == Op::kAdd && type == DType::kFloat32)
    return add_parts(fold, array, begins, reinterpret_cast<float*>(to)), true;
  if (op == Op::kAdd && type == DType::kInt64)
    return add_parts(fold, array, begins, reinterpret_cast<std::int64_t*>(to)), true;
  for (std::size_t i = 0; i < begins.size(); ++i, to += item) {
    std::int64_t end = i + 1 < begins.size() ? begins[i + 1] : extent;
    const std::byte* first = array.data() + begins[i] * step;
    std::memcpy(to, first, static_cast<std::size_t>(item));
    if (end - begins[i] > 1) fold(first + step, step, end - begins[i] - 1, to);
  }
  return true;
}

}  // namespace

Array reduceat(Op op, const Array& array, const Array& indices, std::int64_t axis,
               std::optional<DType> dtype, const Array* out) {
  check_reducible(op, "reduceat");
  if (array.rank() == 0) throw Error(ErrorKind::kType, "cannot reduceat on a scalar");
  int along = normalize_axis(axis, array.rank());
  DType type = reduction_type(op, array, dtype, out);
  Array places = indices.contiguous(DType::kInt64);
  auto* at = places.as<std::int64_t>();
  std::int64_t count = places.size(), extent = array.shape()[along];
  for (std::int64_t i = 0; i < count; ++i) {
    if (at[i] >= 0 && at[i] < extent) continue;
    throw Error(ErrorKind::kIndex, "index " + std::to_string(at[i]) + " out-of-bounds in " +
                                       std::string(facts(op).name) + ".reduceat [0, " +
                                       std::to_string(extent) + ")");
  }
  Dims shape = array.shape();
  shape[along] = count;
  Array result = Array::empty(shape, type);
  clear_floating_errors();
  std::uint64_t reduced = std::uint64_t{1} << along;
  Array source = is_inexact(type) ? array : array.astype(type, Order::kKeep, false);
  if (reduce_parts(op, source, {at, static_cast<std::size_t>(count)}, result)) count = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t end = i + 1 < count ? at[i + 1] : extent;
    Dims part = array.shape();
    part[along] = end > at[i] ? end - at[i] : 1;
    Array segment = array.view(part, array.strides(), at[i] * array.strides()[along]);
    Array target =
        result.view(kept_shape(part, reduced), result.strides(), i * result.strides()[along]);
    refuse_negative_powers_along(op, segment, along, true);
    if (segment.size()) fold_from_first(op, segment, reduced, target, false, is_complex(type));
  }
  deliver(op, type, "reduceat");
  return finish_result(result, 0, true, out, op);
}

Array sum(const Array& array, const ReduceOptions& options) {
  return reduce(Op::kAdd, array, options);
}
Array prod(const Array& array, const ReduceOptions& options) {
  return reduce(Op::kMultiply, array, options);
}
Array max(const Array& array, const ReduceOptions& options) {
  return reduce(Op::kMaximum, array, options);
}
Array min(const Array& array, const ReduceOptions& options) {
  return reduce(Op::kMinimum, array, options);
}
Array any(const Array& array, const ReduceOptions& options) {
  return reduce(Op::kLogicalOr, array, options);
}
Array all(const Array& array, const ReduceOptions& options) {
  return reduce(Op::kLogicalAnd, array, options);
}

Array ptp(const Array& array, const ReduceOptions& options) {
  ReduceOptions inner = options;
  inner.out = nullptr;
  Array high = max(array, options), low = min(array, inner);
  UfuncOptions last;
  last.out[0] = options.out;
  return apply(Op::kSubtract, high, low, last);
}

}  // namespace strider::nd
