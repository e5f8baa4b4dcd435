// Storage and nodes: allocation, counting, layout flags.
#include "kernels/core/node.h"

#include <bit>
#include <new>
#include <utility>

namespace strider::nd {
namespace {

constexpr std::size_t kHeader = 64;
static_assert(sizeof(Storage) <= kHeader);
// Up to here the elements stand behind their header in one block.
constexpr std::size_t kInlineLimit = (1u << 16) - kHeader;

}  // namespace

Storage* Storage::allocate(std::size_t byte_count, bool zeroed) {
  if (byte_count <= kInlineLimit) {
    Block block = allocate_block(byte_count + kHeader, zeroed);
    if (!block.bytes) return nullptr;
    auto* storage = new (block.bytes) Storage;
    storage->bytes_ = block.bytes + kHeader;
    storage->block_ = block;
    storage->inline_ = true;
    return storage;
  }
  Block block = allocate_block(byte_count, zeroed);
  if (!block.bytes) return nullptr;
  auto* storage = new Storage;
  storage->bytes_ = block.bytes;
  storage->block_ = block;
  return storage;
}

Storage* Storage::borrow(void* bytes, void* owner, void (*free_owner)(void*), bool writeable) {
  auto* storage = new Storage;
  storage->bytes_ = static_cast<std::byte*>(bytes);
  storage->owner_ = {owner, free_owner};
  storage->borrowed_ = true;
  storage->writeable_ = writeable;
  return storage;
}

Storage* Storage::promise(Expression* expression) {
  auto* storage = new Storage;
  storage->expression_ = expression;
  return storage;
}

void Storage::fulfil(Block block) {
  bytes_ = block.bytes;
  block_ = block;
  drop_promise(std::exchange(expression_, nullptr));
}

void Storage::replace_promise(Expression* expression) {
  drop_promise(std::exchange(expression_, expression));
}

Block Storage::give_block() {
  if (std::exchange(counted, false)) forget_kept(*this);
  bytes_ = nullptr;
  return std::exchange(block_, Block());
}

void Storage::destroy() {
  if (counted) forget_kept(*this);
  if (expression_) drop_promise(expression_);
  if (inline_) return free_block(Block(block_));
  if (!borrowed_)
    free_block(block_);
  else if (owner_.free)
    owner_.free(owner_.owner);
  delete this;
}

Node::Node(Storage* owned_storage, std::int64_t first, DType type, const Dims& extents,
           const Dims& steps, Node* owned_base)
    : storage(owned_storage),
      offset(first),
      size(element_count(extents)),
      base(owned_base),
      dtype(type),
      shape(extents),
      strides(steps) {}

Node::Node(Storage* owned_storage, DType type, const Node& model, int item)
    : storage(owned_storage),
      offset(0),
      size(model.size),
      base(nullptr),
      dtype(type),
      f_contiguous(model.f_contiguous),
      shape(model.shape),
      strides(item == item_size(model.dtype) ? model.strides : dense_strides(model.shape, item)) {}

Node::~Node() {
  if (!base) {
    storage->held = false;
    if (storage->readers || storage->pending()) let_go(*storage);
  }
  storage->release();
  if (base) base->release();
}

void* Node::operator new(std::size_t size) {
  void* bytes = allocate_block(size, false).bytes;
  if (!bytes) throw std::bad_alloc();
  return bytes;
}

void Node::operator delete(void* node) {
  constexpr std::size_t kCapacity = std::bit_ceil(sizeof(Node));
  free_block({static_cast<std::byte*>(node), kCapacity});
}

Dims dense_strides(const Dims& shape, int item_size, bool fortran) {
  Dims strides(shape.size());
  std::int64_t step = item_size;
  int rank = shape.size();
  for (int i = 0; i < rank; ++i) {
    int axis = fortran ? i : rank - 1 - i;
    strides[axis] = step;
    step *= shape[axis] ? shape[axis] : 1;
  }
  return strides;
}

Dims similar_strides(const Dims& shape, const Dims& strides, int item_size) {
  int rank = shape.size();
  int order[kMaxRank];  // outermost first
  for (int axis = 0; axis < rank; ++axis) {
    int place = axis;
    std::int64_t step = std::abs(strides[axis]);
    // An axis moves outwards past those with smaller steps; axes that do not step stay put.
    for (int i = axis - 1; i >= 0; --i) {
      std::int64_t other = std::abs(strides[order[i]]);
      if (other == 0 || step == 0) continue;
      if (other >= step) break;
      place = i;
    }
    for (int i = axis; i > place; --i) order[i] = order[i - 1];
    order[place] = axis;
  }
  Dims result(rank);
  std::int64_t next = item_size;
  for (int i = rank - 1; i >= 0; --i) {
    result[order[i]] = next;
    next *= shape[order[i]] ? shape[order[i]] : 1;
  }
  return result;
}

bool is_dense(const Dims& shape, const Dims& strides, int item_size, bool fortran) {
  std::int64_t expected = item_size;
  int rank = shape.size();
  bool dense = true;
  for (int i = 0; i < rank; ++i) {
    int axis = fortran ? i : rank - 1 - i;
    if (shape[axis] == 0) return true;
    if (shape[axis] == 1) continue;
    dense = dense && strides[axis] == expected;
    expected *= shape[axis];
  }
  return dense;
}

}  // namespace strider::nd
