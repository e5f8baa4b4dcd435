// Views: arrays that look at another one's elements through other strides.
#include <strider/nd/error.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "kernels/core/node.h"

namespace strider::nd {
namespace {

[[noreturn]] void throw_value(const std::string& message) {
  throw Error(ErrorKind::kValue, message);
}

[[noreturn]] void throw_reshape(std::int64_t size, const Dims& shape) {
  std::string text = "(";
  int first = 0;  // NumPy leaves out an unknown extent in front
  while (first < shape.size() && shape[first] < 0) ++first;
  for (int axis = first; axis < shape.size(); ++axis) {
    if (axis > first) text += ",";
    text += shape[axis] < 0 ? "newaxis" : std::to_string(shape[axis]);
  }
  text += shape.size() == 1 ? ",)" : ")";
  throw_value("cannot reshape array of size " + std::to_string(size) + " into shape " + text);
}

// Replaces one negative extent by what the size asks for.
Dims resolve_shape(const Dims& shape, std::int64_t size) {
  Dims result = shape;
  int unknown = -1;
  std::int64_t known = 1;
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] >= 0) {
      if (__builtin_mul_overflow(known, shape[axis], &known)) throw_reshape(size, shape);
      continue;
    }
    if (unknown >= 0) throw_value("can only specify one unknown dimension");
    unknown = axis;
  }
  if (unknown >= 0) {
    if (known == 0 || size % known != 0) throw_reshape(size, shape);
    result[unknown] = size / known;
  } else if (known != size) {
    throw_reshape(size, shape);
  }
  return result;
}

// The strides that show `array` in C order under `shape` without moving elements; false if none do.
bool strides_for(const Array& array, const Dims& shape, Dims& strides) {
  Dims extents;
  Dims steps;
  for (int axis = 0; axis < array.rank(); ++axis) {
    if (array.shape()[axis] == 1) continue;
    extents.push_back(array.shape()[axis]);
    steps.push_back(array.strides()[axis]);
  }
  strides = Dims(shape.size(), item_size(array.dtype()));
  int old_axis = 0;
  int axis = 0;
  while (axis < shape.size() && old_axis < extents.size()) {
    int old_end = old_axis + 1;
    int end = axis + 1;
    std::int64_t old_count = extents[old_axis];
    std::int64_t count = shape[axis];
    while (old_count != count) {
      if (count < old_count)
        count *= shape[end++];
      else
        old_count *= extents[old_end++];
    }
    for (int i = old_axis; i + 1 < old_end; ++i) {
      if (steps[i] != steps[i + 1] * extents[i + 1]) return false;
    }
    std::int64_t step = steps[old_end - 1];
    for (int i = end - 1; i >= axis; --i) {
      strides[i] = step;
      step *= shape[i];
    }
    old_axis = old_end;
    axis = end;
  }
  for (; axis < shape.size(); ++axis)
    strides[axis] = axis ? strides[axis - 1] : item_size(array.dtype());
  return true;
}

Array reshape_c(const Array& array, const Dims& shape) {
  Dims strides;
  if (array.is_c_contiguous() || array.size() == 0) {
    return array.view(shape, dense_strides(shape, item_size(array.dtype())), 0);
  }
  if (strides_for(array, shape, strides)) return array.view(shape, strides, 0);
  return reshape_c(array.copy(Order::kC), shape);
}

Dims reversed(const Dims& dims) {
  Dims result = dims;
  std::reverse(result.begin(), result.end());
  return result;
}

}  // namespace

int normalize_axis(std::int64_t axis, int rank) {
  if (axis < -rank || axis >= rank) {
    throw Error(ErrorKind::kAxis, "axis " + std::to_string(axis) +
                                      " is out of bounds for array of dimension " +
                                      std::to_string(rank));
  }
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

int normalize_named(std::int64_t axis, int rank, const char* prefix) {
  try {
    return normalize_axis(axis, rank);
  } catch (const Error& error) {
    throw Error(ErrorKind::kAxis, prefix + std::string(error.what()));
  }
}

std::string shape_text(const Dims& shape) {
  std::string text = "(";
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (axis) text += ",";
    text += std::to_string(shape[axis]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

// Refuses to walk over more elements than 64 bits count.
static void check_count(const Dims& shape) {
  std::int64_t count = 1;
  bool too_many = false;
  for (std::int64_t extent : shape) {
    if (extent == 0) return;
    too_many |= __builtin_mul_overflow(count, extent, &count);
  }
  if (too_many) throw_value("iterator is too large");
}

Dims broadcast_shapes(std::span<const Dims> shapes) {
  int rank = 0;
  for (const Dims& shape : shapes) rank = std::max(rank, shape.size());
  Dims result(rank, 1);
  for (const Dims& shape : shapes) {
    int skip = rank - shape.size();
    for (int axis = 0; axis < shape.size(); ++axis) {
      std::int64_t& extent = result[skip + axis];
      if (shape[axis] == extent || shape[axis] == 1) continue;
      if (extent == 1) {
        extent = shape[axis];
        continue;
      }
      std::string text = "operands could not be broadcast together with shapes ";
      for (const Dims& each : shapes) text += shape_text(each) + " ";
      throw_value(text);
    }
  }
  check_count(result);
  return result;
}

Dims broadcast_strides(const Array& array, const Dims& target) {
  const Node& node = *array.node();
  Dims strides(target.size());
  int rank = node.shape.size();
  std::int64_t* last = strides.end() - rank;
  for (int axis = 0; axis < rank; ++axis) {
    if (node.shape[axis] != 1) last[axis] = node.strides[axis];
  }
  return strides;
}

Array Array::view(const Dims& shape, const Dims& strides, std::int64_t offset) const {
  return view(shape, strides, offset, dtype());
}

Array Array::view(const Dims& shape, const Dims& strides, std::int64_t offset, DType dtype) const {
  Node* owner = node_->base ? node_->base : node_;
  node_->storage->retain();
  owner->retain();
  auto* node = new Node(node_->storage, node_->offset + offset, dtype, shape, strides, owner);
  node->writeable = node_->writeable;
  node->c_contiguous = is_dense(shape, strides, item_size(dtype), false);
  node->f_contiguous =
      shape.size() < 2 ? node->c_contiguous : is_dense(shape, strides, item_size(dtype), true);
  return Array(node);
}

Array Array::transpose() const {
  Node* owner = node_->base ? node_->base : node_;
  node_->storage->retain();
  owner->retain();
  auto* node = new Node(node_->storage, node_->offset, dtype(), shape(), strides(), owner);
  std::reverse(node->shape.begin(), node->shape.end());
  std::reverse(node->strides.begin(), node->strides.end());
  node->writeable = node_->writeable;
  node->c_contiguous = node_->f_contiguous;
  node->f_contiguous = node_->c_contiguous;
  return Array(node);
}

Array Array::transpose(std::span<const int> axes) const {
  if (static_cast<int>(axes.size()) != rank()) throw_value("axes don't match array");
  Dims shape(rank());
  Dims strides(rank());
  std::uint64_t seen = 0;
  for (int i = 0; i < rank(); ++i) {
    int axis = normalize_axis(axes[static_cast<std::size_t>(i)], rank());
    if (seen >> axis & 1) throw_value("repeated axis in transpose");
    seen |= std::uint64_t{1} << axis;
    shape[i] = this->shape()[axis];
    strides[i] = this->strides()[axis];
  }
  return view(shape, strides, 0);
}

Array Array::swap_axes(int a, int b) const {
  a = normalize_named(a, rank(), "axis1: ");
  b = normalize_named(b, rank(), "axis2: ");
  Dims shape = this->shape();
  Dims strides = this->strides();
  std::swap(shape[a], shape[b]);
  std::swap(strides[a], strides[b]);
  return view(shape, strides, 0);
}

Array Array::broadcast_to(const Dims& shape) const {
  for (std::int64_t extent : shape) {
    if (extent < 0) throw_value("all elements of broadcast shape must be non-negative");
  }
  check_count(shape);
  int skip = shape.size() - rank();
  if (skip < 0) throw_value("input operand has more dimensions than allowed by the axis remapping");
  Dims strides(shape.size());
  for (int axis = 0; axis < rank(); ++axis) {
    if (this->shape()[axis] == shape[skip + axis]) {
      strides[skip + axis] = this->strides()[axis];
    } else if (this->shape()[axis] != 1) {
      throw_value(
          "operands could not be broadcast together with remapped shapes [original->remapped]: " +
          shape_text(this->shape()) + "  and requested shape " + shape_text(shape));
    }
  }
  Array result = view(shape, strides, 0);
  result.node_->writeable = false;
  return result;
}

Array Array::reshape(const Dims& shape, Order order) const {
  Dims wanted = resolve_shape(shape, size());
  if (wanted.size() > kMaxRank) {
    throw_value("maximum supported dimension for an ndarray is currently 64, found " +
                std::to_string(wanted.size()));
  }
  bool fortran = order == Order::kF || ((order == Order::kAny || order == Order::kKeep) &&
                                        is_f_contiguous() && !is_c_contiguous());
  if (!fortran) return reshape_c(*this, wanted);
  return reshape_c(transpose(), reversed(wanted)).transpose();
}

Array Array::ravel(Order order) const {
  bool fortran = order == Order::kF || (order == Order::kAny && is_f_contiguous());
  if (order != Order::kKeep || is_c_contiguous()) {
    bool in_place = fortran && !is_c_contiguous() ? is_f_contiguous() : is_c_contiguous();
    return (in_place ? *this : copy(fortran ? Order::kF : Order::kC)).reshape(Dims{-1}, order);
  }
  int axes[kMaxRank];
  order_axes({&strides(), 1}, axes);
  Array ordered = transpose({axes, static_cast<std::size_t>(rank())});
  return (ordered.is_c_contiguous() ? ordered : ordered.copy(Order::kC)).reshape(Dims{size()});
}

Array Array::squeeze() const {
  Dims shape;
  Dims strides;
  for (int axis = 0; axis < rank(); ++axis) {
    if (this->shape()[axis] == 1) continue;
    shape.push_back(this->shape()[axis]);
    strides.push_back(this->strides()[axis]);
  }
  return view(shape, strides, 0);
}

Array Array::squeeze(std::span<const int> axes) const {
  std::uint64_t dropped = 0;
  for (int given : axes) {
    if (rank() == 0 && axes.size() == 1 && (given == 0 || given == -1)) break;
    int axis = normalize_axis(given, rank());
    if (dropped >> axis & 1) throw_value("duplicate value in 'axis'");
    dropped |= std::uint64_t{1} << axis;
  }
  for (int axis = 0; axis < rank(); ++axis)
    if ((dropped >> axis & 1) && shape()[axis] != 1)
      throw_value("cannot select an axis to squeeze out which has size not equal to one");
  Dims shape;
  Dims strides;
  for (int axis = 0; axis < rank(); ++axis) {
    if (dropped >> axis & 1) continue;
    shape.push_back(this->shape()[axis]);
    strides.push_back(this->strides()[axis]);
  }
  return view(shape, strides, 0);
}

Array Array::expand_dims(std::span<const int> axes) const {
  int rank = this->rank() + static_cast<int>(axes.size());
  std::uint64_t added = 0;
  for (int given : axes) {
    int axis = normalize_axis(given, rank);
    if (added >> axis & 1) throw_value("repeated axis");
    added |= std::uint64_t{1} << axis;
  }
  Dims shape;
  Dims strides;
  for (int axis = 0, old = 0; axis < rank; ++axis) {
    bool fresh = added >> axis & 1;
    shape.push_back(fresh ? 1 : this->shape()[old]);
    strides.push_back(fresh ? 0 : this->strides()[old]);
    old += !fresh;
  }
  return view(shape, strides, 0);
}

Array Array::real() const {
  if (!is_complex(dtype())) return *this;
  return view(shape(), strides(), 0, real_of(dtype()));
}

Array Array::imag() const {
  DType part = real_of(dtype());
  if (is_complex(dtype())) return view(shape(), strides(), item_size(part), part);
  bool fortran_layout = is_f_contiguous() && !is_c_contiguous();
  Array result = zeros(shape(), dtype(), fortran_layout ? Order::kF : Order::kC);
  result.node_->writeable = false;
  return result;
}

}  // namespace strider::nd
