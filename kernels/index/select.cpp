// take, put, choose, compress: elements picked by lists of positions.
#include <strider/nd/error.h>
#include <strider/nd/index.h>
#include <strider/nd/join.h>
#include <strider/nd/ufunc.h>

#include <algorithm>
#include <cstring>

#include "kernels/index/arranging.h"
#include "kernels/index/gather.h"
#include "kernels/index/promotion.h"
#include "kernels/index/subscript.h"
#include "kernels/index/walk.h"

namespace strider::nd {
namespace {

std::int64_t wrapped(std::int64_t index, std::int64_t extent) {
  if (index >= 0 && index < extent) return index;
  std::int64_t remainder = index % extent;
  return remainder < 0 ? remainder + extent : remainder;
}

// The position that `index` means under `mode`.
std::int64_t position_of(std::int64_t index, std::int64_t extent, int axis, IndexMode mode) {
  if (mode == IndexMode::kWrap) return wrapped(index, extent);
  if (mode == IndexMode::kClip) return std::clamp<std::int64_t>(index, 0, extent - 1);
  return checked_index(index, extent, axis);
}

// Integer indices as int64, refused when the rule, kSafe or kSameKind, does not allow that.
Array as_positions(const Array& indices, Casting rule) {
  if (!can_cast(indices.dtype(), DType::kInt64, rule))
    throw Error(ErrorKind::kType, "Cannot cast array data from dtype('" +
                                      std::string(name(indices.dtype())) +
                                      "') to dtype('int64') according to the rule '" +
                                      (rule == Casting::kSafe ? "safe'" : "same_kind'"));
  return indices.contiguous(DType::kInt64);
}

// The byte offsets of a list of indices along one axis.
Array offsets_of(const Array& positions, std::int64_t extent, std::int64_t stride, int axis,
                 IndexMode mode) {
  std::int64_t count = positions.size();
  Array offsets = Array::empty({count}, DType::kInt64);
  const std::int64_t* from = positions.as<std::int64_t>();
  std::int64_t* to = offsets.mutable_as<std::int64_t>();
  auto fill = [&](auto position) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = position(from[i]) * stride;
  };
  if (mode == IndexMode::kClip)
    fill([=](std::int64_t index) { return std::clamp<std::int64_t>(index, 0, extent - 1); });
  else if (mode == IndexMode::kWrap)
    fill([=](std::int64_t index) { return wrapped(index, extent); });
  else
    fill([=](std::int64_t index) { return checked_index(index, extent, axis); });
  return offsets;
}

// The byte offsets as recorded operations compute them.
Array offsets_there(const Array& positions, std::int64_t extent, std::int64_t stride, int axis,
                    IndexMode mode) {
  if (mode == IndexMode::kRaise) return checked_offsets(positions, extent, stride, axis);
  auto weak = [](std::int64_t value) { return Operand::weak_int(value); };
  Array fitted =
      mode == IndexMode::kWrap
          ? apply(Op::kRemainder, positions, weak(extent))
          : apply(Op::kMinimum, apply(Op::kMaximum, positions, weak(0)), weak(extent - 1));
  return apply(Op::kMultiply, fitted, weak(stride)).contiguous(DType::kInt64);
}

// The result, or `out` holding it.
Array delivered(const Array& result, const Array* given, DType dtype, const char* function) {
  if (!given) return result;
  const Array& out = *given;
  if (!(out.shape() == result.shape()))
    throw Error(ErrorKind::kValue,
                std::string("output array does not match result of ") + function);
  if (!can_cast(out.dtype(), dtype, Casting::kSafe))
    throw Error(ErrorKind::kType, "Cannot cast array data from dtype('" +
                                      std::string(name(out.dtype())) + "') to dtype('" +
                                      std::string(name(dtype)) + "') according to the rule 'safe'");
  out.assign(result);
  return out;
}

// Where take reads: the axes before, offsets along `axis` that are still to be told, the axes
// after.
Places take_places(const Array& array, int axis) {
  std::span<const std::int64_t> shape = array.shape(), strides = array.strides();
  auto at = static_cast<std::size_t>(axis);
  Places places;
  places.outer_shape = Dims(shape.first(at));
  places.outer_strides = Dims(strides.first(at));
  places.inner_shape = Dims(shape.subspan(at + 1));
  places.inner_strides = Dims(strides.subspan(at + 1));
  places.item = item_size(array.dtype());
  widen(places, shape[at], strides[at]);
  return places;
}

std::span<const std::int64_t> span_of(const Array& offsets) {
  return {offsets.as<std::int64_t>(), static_cast<std::size_t>(offsets.size())};
}

// Takes on a device. Null where that has nothing for it.
Array take_there(const Array& source, const Array& positions, int axis, IndexMode mode,
                 const Dims& shape) {
  Workbench bench = find_workbench({&source, &positions});
  if (!bench) return Array();
  Array offsets =
      offsets_there(positions, source.shape()[axis], source.strides()[axis], axis, mode);
  return gather_there(bench, source, 0, take_places(source, axis), offsets, shape);
}

Dims replace_axis(const Dims& shape, int axis, const Dims& with) {
  Dims result;
  for (int k = 0; k < axis; ++k) result.push_back(shape[k]);
  for (std::int64_t extent : with) result.push_back(extent);
  for (int k = axis + 1; k < shape.size(); ++k) result.push_back(shape[k]);
  return result;
}

// The array that an optional axis speaks of: itself, or flattened; 0-d counts as 1-d.
Array with_axis(const Array& array, std::optional<int>& axis) {
  if (!axis) {
    axis = 0;
    return array.ravel();
  }
  Array at_least_1d = array.rank() ? array : array.reshape({1});
  axis = normalize_axis(*axis, at_least_1d.rank());
  return at_least_1d;
}

}  // namespace

Array take(const Array& array, const Array& indices, std::optional<int> axis, IndexMode mode,
           const Array* out) {
  Array source = with_axis(array, axis);
  Array positions = as_positions(indices, Casting::kSameKind);
  std::int64_t extent = source.shape()[*axis];
  Dims shape = replace_axis(source.shape(), *axis, positions.shape());
  if (Array result = take_there(source, positions, *axis, mode, shape))
    return delivered(result, out, array.dtype(), "ndarray.take");
  Array result = Array::empty(shape, array.dtype());
  if (extent == 0 && result.size() > 0)
    throw Error(ErrorKind::kIndex, "cannot do a non-empty take from an empty axes.");
  if (source.rank() == 1 && extent > 0) {
    if (mode != IndexMode::kRaise) positions = offsets_of(positions, extent, 1, 0, mode);
    const std::int64_t* index = positions.as<std::int64_t>();
    Line line{extent, source.strides()[0], item_size(array.dtype())};
    std::int64_t done =
        gather_line(source.data(), line, index, positions.size(), result.mutable_data());
    if (done < positions.size()) throw_out_of_bounds(index[done], extent, 0);
    return delivered(result, out, array.dtype(), "ndarray.take");
  }
  std::int64_t outer = 1;
  for (int k = 0; k < *axis; ++k) outer *= source.shape()[k];
  if (outer > 0 && (extent > 0 || mode == IndexMode::kRaise)) {
    Array offsets = offsets_of(positions, extent, source.strides()[*axis], *axis, mode);
    Places places = take_places(source, *axis);
    places.offsets = span_of(offsets);
    if (result.size()) gather(source.data(), places, result.mutable_data());
  }
  return delivered(result, out, array.dtype(), "ndarray.take");
}

void put(const Array& array, const Array& indices, const Array& values, IndexMode mode) {
  if (!array.writeable()) throw Error(ErrorKind::kValue, "assignment destination is read-only");
  Array positions = as_positions(indices, Casting::kSafe);
  Array source = values.contiguous(array.dtype());
  if (positions.size() == 0 || source.size() == 0) return;
  std::int64_t size = array.size(), given = source.size();
  if (size == 0) throw Error(ErrorKind::kIndex, "cannot replace elements of an empty array");
  Array target = array.is_c_contiguous() ? array : array.copy();
  if (Workbench bench = find_workbench({&target, &positions})) {
    Array numbers = offsets_there(positions.reshape({positions.size()}), size, 1, 0, mode);
    if (put_there(bench, target, numbers, repeated_to(source, positions.size()), false)) {
      if (!array.is_c_contiguous()) array.assign(target);
      return;
    }
  }
  const std::int64_t* at = positions.as<std::int64_t>();
  std::int64_t count = positions.size();
  dispatch_size(item_size(array.dtype()), [&](auto word) {
    using T = decltype(word);
    constexpr auto kItem = static_cast<std::int64_t>(sizeof(T));
    std::byte* to = target.mutable_data();
    const std::byte* from = source.data();
    for (std::int64_t i = 0, next = 0; i < count; ++i) {
      std::int64_t position = position_of(at[i], size, 0, mode);
      std::memcpy(to + position * kItem, from + next * kItem, sizeof(T));
      if (++next == given) next = 0;
    }
  });
  if (!array.is_c_contiguous()) array.assign(target);
}

namespace {

Dims choose_shape(const Array& selector, std::span<const Array> choices) {
  std::vector<Dims> shapes{selector.shape()};
  for (const Array& choice : choices) shapes.push_back(choice.shape());
  try {
    return broadcast_shapes(shapes);
  } catch (const Error&) {
    Dims so_far = shapes[0];
    for (std::size_t k = 1; k < shapes.size(); ++k) {
      try {
        so_far = broadcast_shapes(std::vector<Dims>{so_far, shapes[k]});
      } catch (const Error&) {
        throw Error(ErrorKind::kValue,
                    "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is "
                    "between arg 0 with shape " +
                        shape_text(shapes[0]) + " and arg " + std::to_string(k) + " with shape " +
                        shape_text(shapes[k]) + ".");
      }
    }
    throw;
  }
}

// The choices' elements one behind the other, picked by number and position. Null: on the host.
Array choose_there(const Array& picks, std::span<const Array> sources, IndexMode mode) {
  if (!find_workbench({&picks, &sources[0]})) return Array();
  auto count = static_cast<std::int64_t>(sources.size());
  if (mode == IndexMode::kRaise && find_outside(picks, count) >= 0)
    throw Error(ErrorKind::kValue, "invalid entry in choice array");
  std::vector<Array> lines;
  for (const Array& source : sources) lines.push_back(source.reshape({source.size()}));
  Array starts = offsets_there(picks.reshape({picks.size()}), count, picks.size(), 0,
                               mode == IndexMode::kWrap ? mode : IndexMode::kClip);
  Array places = apply(Op::kAdd, starts, count_cyclically(picks.size(), picks.size()));
  return take(concatenate(lines, 0), places, 0, IndexMode::kClip).reshape(picks.shape());
}

}  // namespace

Array choose(const Array& selector, std::span<const Array> choices, IndexMode mode,
             const Array* out) {
  if (choices.empty()) throw Error(ErrorKind::kValue, "0-length sequence.");
  DType dtype = promote_all(choices);
  Dims shape = choose_shape(selector, choices);
  Array picks = as_positions(selector, Casting::kSafe).broadcast_to(shape).contiguous();
  std::vector<Array> sources;
  for (const Array& choice : choices)
    sources.push_back(choice.astype(dtype, Order::kKeep, false).broadcast_to(shape).contiguous());
  auto count = static_cast<std::int64_t>(choices.size());
  if (Array result = choose_there(picks, sources, mode))
    return delivered(result, out, out ? out->dtype() : dtype, "ndarray.choose");
  Array result = Array::empty(shape, dtype);
  const std::int64_t* pick = picks.as<std::int64_t>();
  std::vector<const std::byte*> from;
  for (const Array& source : sources) from.push_back(source.data());
  std::byte* to = result.mutable_data();
  dispatch_size(item_size(dtype), [&](auto word) {
    using T = decltype(word);
    for (std::int64_t i = 0; i < result.size(); ++i) {
      std::int64_t chosen = pick[i];
      if (chosen < 0 || chosen >= count) {
        if (mode == IndexMode::kRaise)
          throw Error(ErrorKind::kValue, "invalid entry in choice array");
        chosen = position_of(chosen, count, 0, mode);
      }
      std::memcpy(to + i * sizeof(T), from[static_cast<std::size_t>(chosen)] + i * sizeof(T),
                  sizeof(T));
    }
  });
  return delivered(result, out, out ? out->dtype() : dtype, "ndarray.choose");
}

Array compress(const Array& condition, const Array& array, std::optional<int> axis,
               const Array* out) {
  if (condition.rank() != 1) throw Error(ErrorKind::kValue, "condition must be a 1-d array");
  if (!out && (!axis || array.rank() == 1) && condition.size() == array.size()) {
    if (axis) normalize_axis(*axis, array.rank());
    IndexItem mask = IndexItem::of_array(condition.astype(DType::kBool, Order::kC, false));
    return get(array.ravel(), {&mask, 1});
  }
  return take(array, flatnonzero(condition), axis, IndexMode::kRaise, out);
}

}  // namespace strider::nd
