// Node: what an Array handle points to: shape, layout, element type and the storage they describe.
// Arrays belong to one thread at a time, so the counts are plain integers.
#pragma once

#include <strider/nd/array.h>

#include "kernels/core/memory.h"

namespace strider::nd {

// A block of elements shared by views.
class Storage {
 public:
  // Elements that the library allocates; null when there is no memory.
  static Storage* allocate(std::size_t byte_count, bool zeroed);
  // Elements that belong to somebody else until the last view dies.
  static Storage* borrow(void* bytes, void* owner, void (*free_owner)(void*), bool writeable);

  void retain() { ++references_; }
  void release() {
    if (--references_ == 0) destroy();
  }
  std::byte* bytes() const { return bytes_; }
  bool borrowed() const { return borrowed_; }
  bool writeable() const { return writeable_; }

 private:
  void destroy();

  std::int64_t references_ = 1;
  std::byte* bytes_ = nullptr;
  Block block_;  // of the elements, or of this header and the elements behind it
  void* owner_ = nullptr;
  void (*free_owner_)(void*) = nullptr;
  bool inline_ = false;
  bool borrowed_ = false;
  bool writeable_ = true;
};

class Node {
 public:
  Node(Storage* storage, std::byte* bytes, DType dtype, const Dims& shape, const Dims& strides,
       Node* base);
  // A new C-ordered node shaped like `model`, which is C-contiguous; elements of `item` bytes.
  Node(Storage* storage, DType dtype, const Node& model, int item);
  static void* operator new(std::size_t size);
  static void operator delete(void* node);

  std::int64_t references = 1;
  Storage* storage;  // owned: one reference
  std::byte* bytes;
  std::int64_t size;
  Node* base;  // owned: one reference; null when this node owns its elements
  DType dtype;
  bool writeable = true;
  bool c_contiguous = true;
  bool f_contiguous = true;
  Dims shape;
  Dims strides;

  void retain() { ++references; }
  void release() {
    if (--references == 0) delete this;
  }

 private:
  ~Node();
};

// The strides of a new array: C order or Fortran order.
Dims dense_strides(const Dims& shape, int item_size, bool fortran = false);
// The strides of a new array laid out like one with `strides` (numpy's order 'K').
Dims similar_strides(const Dims& shape, const Dims& strides, int item_size);
// Whether the layout is dense in C (or Fortran) order.
bool is_dense(const Dims& shape, const Dims& strides, int item_size, bool fortran);

// A new array with these strides (which must be those of a dense array, in any axis order).
Array make_array(const Dims& shape, const Dims& strides, DType dtype, bool zeroed = false);
// A new C-ordered array shaped like a C-contiguous one.
Array make_alike(const Node& model, DType dtype);
// A new array in C order whose number of elements is already known to be sound: the fast path.
Array make_like(const Dims& shape, DType dtype);

}  // namespace strider::nd
