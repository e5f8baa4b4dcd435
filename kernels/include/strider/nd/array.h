// Array: a handle on a node of the array graph. Shape and dtype are known at once; the numbers may
// come later and are there when data() is called. Copying a handle shares the array.
#pragma once

#include <strider/nd/dims.h>
#include <strider/nd/dtype.h>
#include <strider/nd/scalar.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace strider::nd {

class Node;     // private to the library
class Storage;  // a block of bytes that several views share

enum class Order : std::uint8_t { kC, kF, kKeep, kAny };

class Array {
 public:
  Array() = default;  // null: no array
  Array(const Array& other) : node_(other.node_) { retain(); }
  Array(Array&& other) noexcept : node_(other.node_) { other.node_ = nullptr; }
  Array& operator=(Array other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~Array() { release(); }
  explicit operator bool() const { return node_ != nullptr; }

  // A new array whose elements are not set. Throws kMemory ("Unable to allocate 7.28 PiB for an
  // array with shape (…) and data type float64") and kValue (negative extent, too many elements).
  static Array empty(const Dims& shape, DType dtype, Order order = Order::kC);
  static Array zeros(const Dims& shape, DType dtype, Order order = Order::kC);
  static Array full(const Dims& shape, const Scalar& value, DType dtype, Order order = Order::kC);
  // A 0-d array.
  static Array scalar(const Scalar& value);
  // A 1-d array of `count` values start, start+step, … (kind of numpy.arange after promotion).
  static Array arange(const Scalar& start, const Scalar& step, std::int64_t count, DType dtype);
  // A 1-d array holding a copy of these bytes.
  static Array copy_of(const void* bytes, std::int64_t count, DType dtype);
  // An array on foreign memory kept alive by `owner` (released through `free_owner`).
  static Array on_memory(void* bytes, std::int64_t byte_count, const Dims& shape, DType dtype,
                         void* owner, void (*free_owner)(void*), bool writeable);

  DType dtype() const;
  const Dims& shape() const;
  const Dims& strides() const;  // bytes per step along each axis
  int rank() const { return shape().size(); }
  std::int64_t size() const;  // number of elements
  std::int64_t byte_count() const { return size() * item_size(dtype()); }
  bool is_c_contiguous() const;
  bool is_f_contiguous() const;
  bool writeable() const;
  void set_writeable(bool on);
  bool owns_data() const;
  // The array this one is a view of; null when it owns its data.
  Array base() const;

  // The first element, evaluated: forces pending work, orders writes.
  const std::byte* data() const;
  std::byte* mutable_data() const;  // throws kValue "assignment destination is read-only"
  // The same for somebody who may read and write there from now on, beside the library: operations
  // on these elements run at once.
  std::byte* expose() const;
  template <class T>
  const T* as() const {
    return reinterpret_cast<const T*>(data());
  }
  template <class T>
  T* mutable_as() const {
    return reinterpret_cast<T*>(mutable_data());
  }
  // The element of a 0-d or one-element array.
  Scalar item() const;
  // The element at a full index (already normalised and in range).
  Scalar item_at(const Dims& index) const;
  void set_item_at(const Dims& index, const Scalar& value) const;

  // A view of the same storage: `offset` bytes from this array's first element. No checks beyond
  // assert.
  Array view(const Dims& shape, const Dims& strides, std::int64_t offset) const;
  Array view(const Dims& shape, const Dims& strides, std::int64_t offset, DType dtype) const;
  // Views by NumPy's names; kValue / kAxis errors with NumPy's messages.
  Array transpose() const;
  Array transpose(std::span<const int> axes) const;
  Array swap_axes(int a, int b) const;
  Array broadcast_to(const Dims& shape) const;  // read-only view
  Array reshape(const Dims& shape,
                Order order = Order::kC) const;  // view if possible, else copy; one -1 allowed
  Array ravel(Order order = Order::kC) const;
  Array squeeze() const;
  Array squeeze(std::span<const int> axes) const;
  Array expand_dims(std::span<const int> axes) const;
  Array real() const;
  Array imag() const;

  // A new array with the same elements.
  Array copy(Order order = Order::kC) const;
  Array astype(DType dtype, Order order = Order::kKeep, bool copy = true) const;
  // This array if it is C-contiguous and of that dtype, else a copy that is.
  Array contiguous(DType dtype) const;
  Array contiguous() const { return contiguous(dtype()); }

  // Writes `value`, broadcast and converted, into this array (overlap-safe). kValue: "could not
  // broadcast input array from shape (3,) into shape (2,)".
  void assign(const Array& value) const;
  void assign(const Scalar& value) const;

  bool same_storage(const Array& other) const;
  // True when the two may share an element (numpy.may_share_memory: byte ranges).
  bool may_overlap(const Array& other) const;
  // The same, but false also where the elements of one lie in the gaps between the other's.
  bool may_share_elements(const Array& other) const;
  std::int64_t reference_count() const;

  Node* node() const { return node_; }
  explicit Array(Node* node) : node_(node) {}  // takes over one reference

 private:
  void retain() const;
  void release() const;
  Node* node_ = nullptr;
};

// Normalises an axis; kAxis "axis 3 is out of bounds for array of dimension 2".
int normalize_axis(std::int64_t axis, int rank);
// normalize_axis with the parameter's name in front of the message.
int normalize_named(std::int64_t axis, int rank, const char* prefix);
// The broadcast shape; kValue "operands could not be broadcast together with shapes (2,) (3,) ".
Dims broadcast_shapes(std::span<const Dims> shapes);
// "(2,3)" / "(3,)": shapes as NumPy's ufunc messages print them.
std::string shape_text(const Dims& shape);

}  // namespace strider::nd
