// Creation of arrays and the facts about them.
#include <strider/nd/error.h>
#include <strider/nd/memory.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numeric>

#include "kernels/core/copy.h"
#include "kernels/core/device.h"
#include "kernels/core/element.h"
#include "kernels/core/node.h"
#include "kernels/core/range.h"

namespace strider::nd {
namespace {

std::string tuple_text(const Dims& shape) {
  std::string text = "(";
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (axis) text += ", ";
    text += std::to_string(shape[axis]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

// Refuses shapes that no array can have.
void check_shape(const Dims& shape, DType dtype) {
  if (shape.size() > kMaxRank) {
    throw Error(ErrorKind::kValue, "maximum supported dimension for an ndarray is currently " +
                                       std::to_string(kMaxRank) + ", found " +
                                       std::to_string(shape.size()));
  }
  std::int64_t bytes = item_size(dtype);
  bool too_big = false;
  for (std::int64_t extent : shape) {
    if (extent < 0) throw Error(ErrorKind::kValue, "negative dimensions are not allowed");
    if (extent) too_big |= __builtin_mul_overflow(bytes, extent, &bytes);
  }
  if (too_big) {
    throw Error(ErrorKind::kValue,
                "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum "
                "possible size.");
  }
}

// New memory of no bytes has no steps, as in NumPy.
Dims steps_in(std::int64_t bytes, const Dims& strides) {
  return bytes ? strides : Dims(strides.size());
}

Array allocate(const Dims& shape, const Dims& strides, DType dtype, bool zeroed) {
  std::int64_t bytes = element_count(shape) * item_size(dtype);
  Storage* storage = Storage::allocate(static_cast<std::size_t>(bytes), zeroed);
  if (!storage) throw_no_memory(shape, dtype, bytes);
  return Array(new Node(storage, 0, dtype, shape, steps_in(bytes, strides), nullptr));
}

Array make_dense(const Dims& shape, DType dtype, Order order, bool zeroed) {
  check_shape(shape, dtype);
  bool fortran = order == Order::kF;
  Array array = allocate(shape, dense_strides(shape, item_size(dtype), fortran), dtype, zeroed);
  if (shape.size() > 1) {
    Node* node = array.node();
    node->c_contiguous = !fortran || is_dense(shape, node->strides, item_size(dtype), false);
    node->f_contiguous = fortran || is_dense(shape, node->strides, item_size(dtype), true);
  }
  return array;
}

template <class T, class Given>
RangeTerms float_terms(Given start, Given step) {
  using Wide = std::conditional_t<std::is_same_v<T, Half>, float, T>;
  Wide first = static_cast<Wide>(static_cast<T>(start));
  Wide second = static_cast<Wide>(static_cast<T>(start + step));
  return {Scalar(first), Scalar(static_cast<Wide>(second - first))};
}

template <class T, class Wide>
void fill_range(const Array& array, const RangeTerms& terms) {
  T* out = array.mutable_as<T>();
  Wide start = terms.start.get<Wide>(), step = terms.step.get<Wide>();
  for (std::int64_t i = 0; i < array.size(); ++i) {
    out[i] = static_cast<T>(start + static_cast<Wide>(i) * step);
  }
}

}  // namespace

std::string size_text(double bytes) {
  static constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  int unit = 0;
  while (unit < 6 && bytes >= 1024.0) {
    bytes /= 1024.0;
    ++unit;
  }
  if (unit < 6 && std::nearbyint(bytes) == 1024.0) {
    bytes /= 1024.0;
    ++unit;
  }
  char text[64];
  const char* format = unit == 0 ? "%.0f %s" : (bytes < 999.5 ? "%#.3g %s" : "%#.0f %s");
  std::snprintf(text, sizeof text, format, bytes, kUnits[unit]);
  return text;
}

namespace {

// What is in use where a request was refused. In host memory that explains nothing where the
// request alone is too much.
std::string account_beside(std::size_t bytes, Device* device) {
  if (device) return " on " + device->name() + account_of(*device);
  std::size_t most = std::min(memory_limit(), physical_memory());
  if (bytes > most) return "";
  return "; arrays use " + size_text(static_cast<double>(memory_in_use())) + " of " +
         size_text(static_cast<double>(most));
}

}  // namespace

void throw_no_memory(const Dims& shape, DType dtype, std::int64_t bytes, Device* device) {
  throw Error(ErrorKind::kMemory, "Unable to allocate " + size_text(static_cast<double>(bytes)) +
                                      " for an array with shape " + tuple_text(shape) +
                                      " and data type " + std::string(name(dtype)) +
                                      account_beside(static_cast<std::size_t>(bytes), device));
}

void throw_no_memory(std::size_t bytes, Device* device, const std::string& purpose) {
  throw Error(ErrorKind::kMemory, "Unable to allocate " + size_text(static_cast<double>(bytes)) +
                                      " for " + purpose + account_beside(bytes, device));
}

Array make_array(const Dims& shape, const Dims& strides, DType dtype, bool zeroed) {
  Array array = allocate(shape, strides, dtype, zeroed);
  if (shape.size() > 1) {
    Node* node = array.node();
    node->c_contiguous = is_dense(shape, strides, item_size(dtype), false);
    node->f_contiguous = is_dense(shape, strides, item_size(dtype), true);
  }
  return array;
}

Array make_on(Device& device, const Dims& shape, DType dtype) {
  check_shape(shape, dtype);
  std::int64_t bytes = element_count(shape) * item_size(dtype);
  Storage* storage = Storage::allocate_on(device, static_cast<std::size_t>(bytes));
  if (!storage) throw_no_memory(shape, dtype, bytes, &device);
  Dims strides = steps_in(bytes, dense_strides(shape, item_size(dtype)));
  auto* node = new Node(storage, 0, dtype, shape, strides, nullptr);
  node->f_contiguous = shape.size() < 2 || is_dense(shape, strides, item_size(dtype), true);
  return Array(node);
}

Array make_alike(const Node& model, DType dtype) {
  int item = item_size(dtype);
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(model.size, item, &bytes)) check_shape(model.shape, dtype);
  Storage* storage = Storage::allocate(static_cast<std::size_t>(bytes), false);
  if (!storage) throw_no_memory(model.shape, dtype, bytes);
  auto* node = new Node(storage, dtype, model, item);
  if (bytes == 0) [[unlikely]]
    node->strides = steps_in(0, node->strides);
  return Array(node);
}

Array make_like(const Dims& shape, DType dtype) {
  return make_dense(shape, dtype, Order::kC, false);
}

Array Array::empty(const Dims& shape, DType dtype, Order order) {
  return make_dense(shape, dtype, order, false);
}

Array Array::zeros(const Dims& shape, DType dtype, Order order) {
  return make_dense(shape, dtype, order, true);
}

Array Array::full(const Dims& shape, const Scalar& value, DType dtype, Order order) {
  Array array = make_dense(shape, dtype, order, false);
  array.assign(value);
  return array;
}

Array Array::scalar(const Scalar& value) {
  Array array = make_dense(Dims(), value.dtype(), Order::kC, false);
  std::memcpy(array.node_->bytes(), value.data(),
              static_cast<std::size_t>(item_size(value.dtype())));
  return array;
}

RangeTerms range_terms(const Scalar& start, const Scalar& step, DType dtype) {
  switch (dtype) {
    case DType::kFloat16:
      return float_terms<Half>(static_cast<float>(start.to_double()),
                               static_cast<float>(step.to_double()));
    case DType::kFloat32:
      return float_terms<float>(start.to_double(), step.to_double());
    case DType::kFloat64:
      return float_terms<double>(start.to_double(), step.to_double());
    case DType::kComplex64:
      return float_terms<std::complex<float>>(start.to_complex(), step.to_complex());
    case DType::kComplex128:
      return float_terms<std::complex<double>>(start.to_complex(), step.to_complex());
    default:
      return {start.as(DType::kUInt64), step.as(DType::kUInt64)};
  }
}

Array Array::arange(const Scalar& start, const Scalar& step, std::int64_t count, DType dtype) {
  Array array = make_dense(Dims{count}, dtype, Order::kC, false);
  RangeTerms terms = range_terms(start, step, dtype);
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_same_v<T, Half>) {
      fill_range<Half, float>(array, terms);
    } else if constexpr (std::is_integral_v<T>) {
      fill_range<T, std::uint64_t>(array, terms);
    } else {
      fill_range<T, T>(array, terms);
    }
  });
  return array;
}

Array Array::copy_of(const void* bytes, std::int64_t count, DType dtype) {
  Array array = make_dense(Dims{count}, dtype, Order::kC, false);
  if (count)
    move_bytes(array.node_->bytes(), static_cast<const std::byte*>(bytes), array.byte_count());
  return array;
}

Array Array::on_memory(void* bytes, std::int64_t byte_count, const Dims& shape, DType dtype,
                       void* owner, void (*free_owner)(void*), bool writeable) {
  check_shape(shape, dtype);
  if (element_count(shape) * item_size(dtype) > byte_count) {
    throw Error(ErrorKind::kType, "buffer is too small for requested array");
  }
  Storage* storage = Storage::borrow(bytes, owner, free_owner, writeable);
  Dims strides = dense_strides(shape, item_size(dtype));
  Array array(new Node(storage, 0, dtype, shape, strides, nullptr));
  array.node_->writeable = writeable;
  array.node_->f_contiguous = is_dense(shape, strides, item_size(dtype), true);
  return array;
}

DType Array::dtype() const { return node_->dtype; }
const Dims& Array::shape() const { return node_->shape; }
const Dims& Array::strides() const { return node_->strides; }
std::int64_t Array::size() const { return node_->size; }
bool Array::is_c_contiguous() const { return node_->c_contiguous; }
bool Array::is_f_contiguous() const { return node_->f_contiguous; }
bool Array::writeable() const { return node_->writeable; }
bool Array::owns_data() const { return !node_->base && node_->storage->owned(); }
const std::byte* Array::data() const { return node_->bytes(); }
std::byte* Array::expose() const { return node_->storage->expose() + node_->offset; }
bool Array::same_storage(const Array& other) const {
  return node_->storage == other.node_->storage;
}
std::int64_t Array::reference_count() const { return node_->references; }

bool is_held_once(const Array& array) {
  const Node& node = *array.node();
  return node.references == 1 && node.storage->references() == 1;
}

void Array::retain() const {
  if (node_) node_->retain();
}

void Array::release() const {
  if (node_) node_->release();
}

void Array::set_writeable(bool on) {
  bool allowed = node_->storage->writeable() && (!node_->base || node_->base->writeable);
  if (on && !allowed) {
    throw Error(ErrorKind::kValue, "cannot set WRITEABLE flag to True of this array");
  }
  node_->writeable = on;
}

Array Array::base() const {
  if (!node_->base) return Array();
  node_->base->retain();
  return Array(node_->base);
}

std::byte* Array::mutable_data() const {
  if (!node_->writeable) throw Error(ErrorKind::kValue, "assignment destination is read-only");
  return node_->storage->writeable_bytes() + node_->offset;
}

namespace {

// One element; it alone is fetched from a device.
Scalar read_element(const Node& node, std::int64_t offset) {
  Storage& storage = *node.storage;
  if (storage.in_host_memory()) return load_element(node.dtype, storage.bytes() + offset);
  alignas(16) std::byte element[16];
  storage.read(offset, element, static_cast<std::size_t>(item_size(node.dtype)));
  return Scalar(node.dtype, element);
}

}  // namespace

Scalar Array::item() const {
  if (size() != 1) {
    throw Error(ErrorKind::kValue, "can only convert an array of size 1 to a Python scalar");
  }
  return read_element(*node_, node_->offset);
}

Scalar Array::item_at(const Dims& index) const {
  std::int64_t offset = node_->offset;
  for (int axis = 0; axis < index.size(); ++axis) offset += index[axis] * node_->strides[axis];
  return read_element(*node_, offset);
}

void Array::set_item_at(const Dims& index, const Scalar& value) const {
  std::byte* target = mutable_data();
  for (int axis = 0; axis < index.size(); ++axis) target += index[axis] * node_->strides[axis];
  Scalar converted = value.dtype() == dtype() ? value : value.as(dtype());
  std::memcpy(target, converted.data(), static_cast<std::size_t>(item_size(dtype())));
}

namespace {

struct ByteRange {
  std::uintptr_t begin;
  std::uintptr_t end;
};

// Of the elements, from their storage's start or in the process.
ByteRange byte_range(const Node* node, bool in_process) {
  auto low = in_process ? reinterpret_cast<std::uintptr_t>(node->bytes())
                        : static_cast<std::uintptr_t>(node->offset);
  auto high = low;
  for (int axis = 0; axis < node->shape.size(); ++axis) {
    std::int64_t reach = (node->shape[axis] - 1) * node->strides[axis];
    (reach < 0 ? low : high) += static_cast<std::uintptr_t>(reach);
  }
  return {low, high + static_cast<std::uintptr_t>(item_size(node->dtype))};
}

// Whether two storages may have bytes in common: one of them belongs to somebody else, who may know
// where the other lies.
bool may_meet(const Storage& one, const Storage& other) {
  return (one.borrowed() || other.borrowed()) && one.in_host_memory() && other.in_host_memory();
}

// The largest distance of which all steps between the elements are multiples; 0 of one element.
std::int64_t common_step(const Node* node) {
  std::int64_t step = 0;
  for (int axis = 0; axis < node->shape.size(); ++axis)
    if (node->shape[axis] > 1) step = std::gcd(step, node->strides[axis]);
  return step;
}

// Whether the elements of one lie in the gaps between those of the other, as columns of a matrix
// do.
bool lie_between(const Node* one, const Node* other) {
  std::int64_t step = std::gcd(common_step(one), common_step(other));
  if (step == 0) return false;
  bool alike = one->storage == other->storage;
  std::int64_t apart = alike ? one->offset - other->offset : one->bytes() - other->bytes();
  std::int64_t behind = (apart % step + step) % step;
  return behind >= item_size(other->dtype) && behind + item_size(one->dtype) <= step;
}

}  // namespace

bool Array::may_share_elements(const Array& other) const {
  return may_overlap(other) && !lie_between(node_, other.node_);
}

bool Array::may_overlap(const Array& other) const {
  if (size() == 0 || other.size() == 0) return false;
  bool foreign = !same_storage(other);
  if (foreign && !may_meet(*node_->storage, *other.node_->storage)) return false;
  ByteRange mine = byte_range(node_, foreign);
  ByteRange its = byte_range(other.node_, foreign);
  return mine.begin < its.end && its.begin < mine.end;
}

}  // namespace strider::nd
