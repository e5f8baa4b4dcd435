// Strided copies: rows by memcpy, element steps by size, transposes in square tiles, large ones on
// several threads.
#include "kernels/core/copy.h"

#include <strider/nd/floating_errors.h>
#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/core/loop_nest.h"

namespace strider::nd {
namespace {

constexpr std::int64_t kParallelBytes = 1 << 20;
constexpr std::int64_t kTile = 32;

struct Pair {
  std::uint64_t low;
  std::uint64_t high;
};

// Calls f(T{}) with an unsigned type of that many bytes.
template <class F>
void dispatch_size(int size, F&& f) {
  switch (size) {
    case 1:
      return f(std::uint8_t{});
    case 2:
      return f(std::uint16_t{});
    case 4:
      return f(std::uint32_t{});
    case 8:
      return f(std::uint64_t{});
    default:
      return f(Pair{});
  }
}

// An element type of that many bytes.
constexpr DType type_of_size(std::int64_t size) {
  return size == 1   ? DType::kUInt8
         : size == 2 ? DType::kUInt16
         : size == 4 ? DType::kUInt32
         : size == 8 ? DType::kUInt64
                     : DType::kComplex128;
}

template <class T>
void copy_row(std::byte* target, std::int64_t target_step, const std::byte* source,
              std::int64_t source_step, std::int64_t count) {
  constexpr std::int64_t kSize = sizeof(T);
  if (target_step == kSize && source_step == kSize) {
    move_bytes(target, source, count * kSize);
    return;
  }
  if (target_step == kSize) {
    constexpr DType kType = type_of_size(kSize);
    return cast_loop(kType, kType)(source, source_step, target, target_step, count);
  }
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(target + i * target_step, source + i * source_step, sizeof(T));
  }
}

// Copies a plane whose fast axes differ, tile by tile, so that both sides stay in cache.
template <class T>
void copy_plane(std::byte* target, const std::byte* source, const std::int64_t (&extents)[2],
                const std::int64_t (&target_steps)[2], const std::int64_t (&source_steps)[2]) {
  constexpr std::int64_t kSize = sizeof(T);
  if (target_steps[0] == kSize && source_steps[1] == kSize) {
    TransposeKernel transpose = kernels().transpose[std::countr_zero(sizeof(T))];
    return transpose(source, source_steps[0], target, target_steps[1], extents[1], extents[0]);
  }
  for (std::int64_t j0 = 0; j0 < extents[1]; j0 += kTile) {
    std::int64_t j1 = std::min(j0 + kTile, extents[1]);
    for (std::int64_t i0 = 0; i0 < extents[0]; i0 += kTile) {
      std::int64_t count = std::min(kTile, extents[0] - i0);
      for (std::int64_t j = j0; j < j1; ++j) {
        copy_row<T>(target + j * target_steps[1] + i0 * target_steps[0], target_steps[0],
                    source + j * source_steps[1] + i0 * source_steps[0], source_steps[0], count);
      }
    }
  }
}

using Nest = LoopNest<2>;

// True when the source steps least along the second axis: a transpose.
bool is_transpose(const Nest& nest) {
  return nest.rank >= 2 && nest.extents[0] > 4 && nest.extents[1] > 4 &&
         std::abs(nest.strides[1][1]) < std::abs(nest.strides[1][0]) && nest.strides[1][1] != 0;
}

// Moves the axis along which the source steps least next to the innermost one.
void bring_fast_source_axis(Nest& nest) {
  int best = 0;
  for (int axis = 1; axis < nest.rank; ++axis) {
    std::int64_t step = std::abs(nest.strides[1][axis]);
    if (step != 0 && step < std::abs(nest.strides[1][best])) best = axis;
  }
  if (best < 2) return;
  std::swap(nest.extents[1], nest.extents[best]);
  for (auto& strides : nest.strides) std::swap(strides[1], strides[best]);
}

// The elements of the innermost axes, where they are few, as one group; there is one at each place
// along a longer axis.
struct Groups {
  static constexpr std::int64_t kMost = 16, kShort = 8, kFewest = 8;

  explicit Groups(const Nest& nest, std::int64_t item) {
    if (nest.rank < 2 || nest.extents[0] > kShort || is_run(nest, item)) return;
    int axes = 0;
    for (; axes < nest.rank - 1 && size * nest.extents[axes] <= kMost; ++axes) add(nest, axes);
    auto longest = std::max_element(nest.extents + axes, nest.extents + nest.rank);
    if (axes == 0 || *longest < kFewest) return;
    inner = axes;
    along = static_cast<int>(longest - nest.extents);
  }
  // Whether rows are copied as whole runs of bytes.
  static bool is_run(const Nest& nest, std::int64_t item) {
    constexpr std::int64_t kShortRun = 32;
    return nest.strides[0][0] == item && nest.strides[1][0] == item &&
           nest.extents[0] * item > kShortRun;
  }
  void add(const Nest& nest, int axis) {
    for (std::int64_t i = 1; i < nest.extents[axis]; ++i)
      for (std::int64_t k = 0; k < size; ++k)
        for (int side = 0; side < 2; ++side)
          offsets[side][i * size + k] = offsets[side][k] + i * nest.strides[side][axis];
    size *= nest.extents[axis];
  }

  std::int64_t size = 1, offsets[2][kMost] = {};
  int inner = 0, along = 0;  // none: no axes inside
};

// kSize: of groups where it is known.
template <class T, std::int64_t kSize>
void copy_groups(std::byte* target, std::int64_t target_step, const std::byte* source,
                 std::int64_t source_step, std::int64_t count, const Groups& groups) {
  constexpr std::int64_t kOwn = kSize ? kSize : Groups::kMost;
  const std::int64_t size = kSize ? kSize : groups.size;
  std::int64_t to[kOwn], from[kOwn];
  std::copy_n(groups.offsets[0], size, to);
  std::copy_n(groups.offsets[1], size, from);
  for (std::int64_t i = 0; i < count; ++i, target += target_step, source += source_step)
    for (std::int64_t k = 0; k < size; ++k)
      std::memcpy(target + to[k], source + from[k], sizeof(T));
}

template <class T>
void copy_all_groups(Nest nest, std::byte* const (&first)[2], const Groups& groups) {
  std::int64_t count = nest.extents[groups.along];
  std::int64_t to = nest.strides[0][groups.along], from = nest.strides[1][groups.along];
  std::fill_n(nest.extents, groups.inner, 1);
  nest.extents[groups.along] = 1;
  auto copy = groups.size == 2   ? copy_groups<T, 2>
              : groups.size == 3 ? copy_groups<T, 3>
              : groups.size == 4 ? copy_groups<T, 4>
                                 : copy_groups<T, 0>;
  nest.visit(first, [&](std::byte* const(&at)[2], std::int64_t) {
    copy(at[0], to, at[1], from, count, groups);
  });
}

template <class T>
void copy_planes(Nest nest, std::byte* const (&first)[2]) {
  const std::int64_t extents[2] = {nest.extents[0], nest.extents[1]};
  const std::int64_t target_steps[2] = {nest.strides[0][0], nest.strides[0][1]};
  const std::int64_t source_steps[2] = {nest.strides[1][0], nest.strides[1][1]};
  nest.extents[0] = nest.extents[1] = 1;
  nest.visit(first, [&](std::byte* const(&at)[2], std::int64_t) {
    copy_plane<T>(at[0], at[1], extents, target_steps, source_steps);
  });
}

template <class T>
void copy_part(const Nest& nest, std::byte* const (&first)[2], int axis, std::int64_t begin,
               std::int64_t end) {
  Nest part = nest;
  part.extents[axis] = end - begin;
  std::byte* start[2] = {first[0] + begin * nest.strides[0][axis],
                         first[1] + begin * nest.strides[1][axis]};
  if (is_transpose(nest)) return copy_planes<T>(part, start);
  if (Groups groups(part, sizeof(T)); groups.inner > 0)
    return copy_all_groups<T>(part, start, groups);
  part.visit(start, [&](std::byte* const(&at)[2], std::int64_t count) {
    copy_row<T>(at[0], nest.strides[0][0], at[1], nest.strides[1][0], count);
  });
}

template <class Body>
void run_parts(const Nest& nest, std::int64_t bytes, Body&& body) {
  int axis = nest.axis_to_cut(4 * thread_count());
  std::int64_t per_step =
      std::max<std::int64_t>(1, bytes / std::max<std::int64_t>(1, nest.extents[axis]));
  std::int64_t worth_two = worth_a_thread(kParallelBytes);
  std::int64_t grain = std::max<std::int64_t>(1, worth_two / 2 / per_step);
  if (bytes < worth_two) grain = nest.extents[axis];
  parallel_for(nest.extents[axis], grain,
               [&](std::int64_t begin, std::int64_t end) { body(axis, begin, end); });
}

}  // namespace

bool cast_may_raise(DType from, DType to) {
  if (to == DType::kBool) return false;
  if (is_inexact(from) && !is_inexact(to)) return true;
  if (to == DType::kFloat16) return from != DType::kFloat16;
  return is_inexact(from) && item_size(real_of(to)) < item_size(real_of(from));
}

void copy_elements(std::byte* target, const Dims& target_strides, DType target_dtype,
                   const std::byte* source, const Dims& source_strides, DType source_dtype,
                   const Dims& shape) {
  std::int64_t bytes = element_count(shape) * item_size(target_dtype);
  if (bytes == 0) return;
  Nest nest;
  nest.plan(shape, {target_strides.data(), source_strides.data()});
  std::byte* first[2] = {target, const_cast<std::byte*>(source)};
  if (target_dtype != source_dtype) {
    CastLoop loop = cast_loop(source_dtype, target_dtype);
    bool raises = cast_may_raise(source_dtype, target_dtype);
    if (raises) clear_floating_errors();
    run_parts(nest, bytes, [&](int axis, std::int64_t begin, std::int64_t end) {
      nest.visit(first, axis, begin, end, [&](std::byte* const(&at)[2], std::int64_t count) {
        loop(at[1], nest.strides[1][0], at[0], nest.strides[0][0], count);
      });
    });
    if (raises) deliver_floating_errors(take_floating_errors(), "cast");
    return;
  }
  if (nest.rank > 2) bring_fast_source_axis(nest);
  dispatch_size(item_size(target_dtype), [&](auto sample) {
    using T = decltype(sample);
    run_parts(nest, bytes, [&](int axis, std::int64_t begin, std::int64_t end) {
      copy_part<T>(nest, first, axis, begin, end);
    });
  });
}

}  // namespace strider::nd
