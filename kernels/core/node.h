// Node: what an Array handle points to: shape, layout, element type and the storage they describe.
// A storage may be pending: its elements are promised by an expression and computed when somebody
// asks for them. Elements lie in host memory, on a device, or in both places. Arrays belong to one
// thread at a time, so the counts are plain integers.
#pragma once

#include <strider/nd/array.h>

#include "kernels/core/memory.h"
#include "kernels/core/resident.h"
#include "kernels/core/small_blocks.h"

namespace strider::nd {

struct Expression;
struct Reading;

// The graph's side of a storage (kernels/graph): computes what is promised; computes what still
// has to read the old elements of a storage that is about to change; weighs what is kept for
// expressions alone; forgets a promise.
void compute_promise(Storage& storage);
void settle_readers(Storage& storage);
// Only expressions hold these elements any more.
void let_go(Storage& storage) noexcept;
void count_kept(const Storage& storage);
void forget_kept(const Storage& storage);
void drop_promise(Expression* expression);
// A device has been waited for, for so many bytes: what operations met there is told.
void has_waited(Device& device, std::size_t bytes);
// Computes pending work that keeps more memory on a device than its results take. False where there
// is none, or none that could be computed now.
bool settle_for_room(Device& device);
// The place of the operation that promises.
const Place& place_of(const Expression& expression);

// A block of elements shared by views and by the expressions that will read it.
class Storage : public FromSmallBlocks<Storage> {
 public:
  // Elements that the library allocates; null when there is no memory.
  static Storage* allocate(std::size_t byte_count, bool zeroed);
  // Elements on a device, not set; null when there is no memory.
  static Storage* allocate_on(Device& device, std::size_t byte_count);
  // Elements that an expression will compute.
  static Storage* promise(Expression* expression);
  // Elements that belong to somebody else until the last view dies.
  static Storage* borrow(void* bytes, void* owner, void (*free_owner)(void*), bool writeable);

  void retain() { ++references_; }
  void release() {
    if (--references_ == 0) destroy();
  }
  // The elements in host memory, computed if they were only promised.
  std::byte* bytes() {
    if (!bytes_) [[unlikely]]
      bring_home();
    return bytes_;
  }
  // The same, before a write: nothing pending reads the old elements any more, and no device has
  // them.
  std::byte* writeable_bytes() {
    std::byte* start = bytes();
    if (readers || on_device_) [[unlikely]]
      prepare_write();
    return bytes_ ? bytes_ : start;
  }
  bool pending() const { return !bytes_ && !on_device_; }
  // The promise; null unless pending.
  Expression* expression() const { return on_device_ ? nullptr : expression_; }
  // Turns a promise into elements in host memory, or on a device: takes over the block.
  void fulfil(Block block);
  void fulfil(const DeviceBlock& block);

  // The elements as a device sees them, computed or copied there if need be. Throws kMemory.
  std::byte* bytes_on(Device& device);
  // The elements on a device (null: in host memory), which will lie nowhere else: for whoever
  // writes to them there and has looked after their readers. On a device they must not be borrowed.
  std::byte* claim(Device* device);
  // They will be used there soon, if they are there.
  void use_on(const Device& device) {
    if (on_device_ && copy_->device == &device) copy_->use();
  }
  // Whether a device has the elements, and nobody would miss them there.
  bool is_spare_on_device() const { return on_device_ && (bytes_ || !(held || readers)); }
  // Elements that nobody uses on their device move to host memory. False where that has no room.
  bool leave_device();
  // Copies some bytes to host memory, computed if need be, from wherever they are.
  void read(std::int64_t offset, std::byte* to, std::size_t count);
  // The device that has the elements; null if none has.
  Device* device() const { return on_device_ ? copy_->device : nullptr; }
  bool in_host_memory() const { return bytes_; }
  // The bytes that the elements take.
  std::size_t byte_count() const;
  // Promises the same elements by another expression.
  void replace_promise(Expression* expression);
  // The number of owners: arrays and expressions.
  std::int64_t references() const { return references_; }
  const Block& block() const { return block_; }
  // Gives the block away, if it is the storage's own; the storage must be about to die.
  Block give_block();
  bool can_give_block() const { return bytes_ && !borrowed() && !inline_; }
  // The same for its place on a device.
  DeviceBlock give_device_block();
  // Whether the elements belong to somebody else, or somebody else knows where they lie: they may
  // change behind the library's back.
  bool borrowed() const { return borrowed_ || exposed_; }
  bool owned() const { return !borrowed_; }
  // The elements in host memory, for somebody else to read and write from now on.
  std::byte* expose() {
    std::byte* start = writeable_bytes();
    exposed_ = true;
    return start;
  }
  bool writeable() const { return writeable_; }

  Reading* readers = nullptr;  // the pending expressions that read these elements

 private:
  void destroy();
  void bring_home();
  bool fetch_elements();
  void lie_on(const DeviceBlock& block, Place place, bool copied);
  void copy_to(Device& device, std::byte* target);
  void prepare_write();
  void drop_copy();
  void drop_host_elements();

  struct Owner {
    void* owner;
    void (*free)(void*);
  };

  std::int64_t references_ = 1;
  std::byte* bytes_ = nullptr;
  union {
    Expression* expression_ = nullptr;  // owned, while pending
    Resident* copy_;                    // owned, while a device has the elements
  };
  union {
    Block block_ = {};  // of the elements, or of this header and the elements behind it
    Owner owner_;       // of borrowed elements
  };

 public:
  std::uint64_t mark = 0;  // of the last walk that came by (kernels/graph/signature)
  bool held = true;        // an array owns it, not expressions alone
  bool counted = false;    // among what is kept for expressions alone

 private:
  bool inline_ = false;
  bool borrowed_ = false;
  bool exposed_ = false;
  bool writeable_ = true;
  bool on_device_ = false;
};

class Node : public FromSmallBlocks<Node> {
 public:
  Node(Storage* storage, std::int64_t offset, DType dtype, const Dims& shape, const Dims& strides,
       Node* base);
  // A new C-ordered node shaped like `model`, which is C-contiguous; elements of `item` bytes.
  Node(Storage* storage, DType dtype, const Node& model, int item);

  std::int64_t references = 1;
  Storage* storage;     // owned: one reference
  std::int64_t offset;  // of the first element, in bytes from the storage's start
  std::int64_t size;
  Node* base;  // owned: one reference; null when this node owns its elements
  DType dtype;
  bool writeable = true;
  bool c_contiguous = true;
  bool f_contiguous = true;
  Dims shape;
  Dims strides;

  std::byte* bytes() const { return storage->bytes() + offset; }

  void retain() { ++references; }
  void release() {
    if (--references == 0) delete this;
  }

 private:
  ~Node();
};

// The strides of a new array: C order or Fortran order.
Dims dense_strides(const Dims& shape, int item_size, bool fortran = false);
// The axes of arrays with these strides, outermost first, into `order` (numpy's order 'K'); where
// they differ, C order wins.
void order_axes(std::span<const Dims> layouts, int* order);
// Strides in the same order, axes that repeat their elements being the innermost.
Dims distinct_steps(const Dims& strides);
// The strides of a new array laid out like one with `strides` (numpy's order 'K').
Dims similar_strides(const Dims& shape, const Dims& strides, int item_size);
Dims similar_strides(const Dims& shape, std::span<const Dims> layouts, int item_size);
// The strides of an array seen as `target`, to which it broadcasts: 0 along repeated axes.
Dims broadcast_strides(const Array& array, const Dims& target);
// Whether the layout is dense in C (or Fortran) order.
bool is_dense(const Dims& shape, const Dims& strides, int item_size, bool fortran);

// "7.28 PiB": three significant digits, as NumPy writes sizes.
std::string size_text(double bytes);
// Throws kMemory: "Unable to allocate 7.28 PiB for an array with shape (…) and data type float64",
// and what is in use on the device or, where the request is not beyond it, in host memory (null).
[[noreturn]] void throw_no_memory(const Dims& shape, DType dtype, std::int64_t bytes,
                                  Device* device = nullptr);
// The same for memory that is no array's: "Unable to allocate 2.00 MiB on cuda:0 for …".
[[noreturn]] void throw_no_memory(std::size_t bytes, Device* device, const std::string& purpose);

// A new array with these strides (which must be those of a dense array, in any axis order).
Array make_array(const Dims& shape, const Dims& strides, DType dtype, bool zeroed = false);
// A new C-ordered array on a device, its elements not set. Throws kMemory.
Array make_on(Device& device, const Dims& shape, DType dtype);
// A new C-ordered array shaped like a C-contiguous one.
Array make_alike(const Node& model, DType dtype);
// A new array in C order whose number of elements is already known to be sound: the fast path.
Array make_like(const Dims& shape, DType dtype);

}  // namespace strider::nd
