// Best fit with coalescing: the smallest free block that is large enough is cut, and what is freed
// grows together with its free neighbours.
#include "kernels/backend/cuda/device/pool.h"

#include <algorithm>

namespace strider::nd::cuda {
namespace {

constexpr std::size_t kAlignment = 256;
constexpr std::size_t kSmallLimit = 1u << 20;
constexpr std::size_t kSegmentStep = 2u << 20;

std::size_t round_up(std::size_t size, std::size_t step) { return (size + step - 1) / step * step; }

}  // namespace

Pool::~Pool() { release_unused(); }

std::byte* Pool::allocate(std::size_t bytes) {
  if (bytes > SIZE_MAX / 2) return nullptr;
  std::size_t size = round_up(std::max<std::size_t>(bytes, 1), kAlignment);
  Kind kind = size <= kSmallLimit ? Kind::kSmall : Kind::kLarge;
  std::lock_guard<std::mutex> guard(lock_);
  Block* block = take_fitting(kind, size);
  if (!block) block = add_segment(kind, round_up(size, kSegmentStep));
  if (!block) return nullptr;
  split(block, size);
  block->used = true;
  counts_.in_use += block->size;
  counts_.peak = std::max(counts_.peak, counts_.in_use);
  ++counts_.allocations;
  return block->address;
}

void Pool::free(std::byte* address) noexcept {
  if (!address) return;
  std::lock_guard<std::mutex> guard(lock_);
  auto found = blocks_.find(address);
  if (found == blocks_.end() || !found->second->used) return;
  Block* block = found->second.get();
  counts_.in_use -= block->size;
  block->used = false;
  block = merge(block);
  free_blocks(block->kind).insert(block);
}

void Pool::release_unused() noexcept {
  std::lock_guard<std::mutex> guard(lock_);
  release_unused_locked();
}

void Pool::limit(std::size_t bytes) {
  std::lock_guard<std::mutex> guard(lock_);
  limit_ = bytes;
  if (counts_.held > limit_) release_unused_locked();
}

PoolCounts Pool::counts() const {
  std::lock_guard<std::mutex> guard(lock_);
  return counts_;
}

Pool::Block* Pool::take_fitting(Kind kind, std::size_t size) {
  FreeBlocks& candidates = free_blocks(kind);
  auto found = candidates.lower_bound(size);
  if (found == candidates.end()) return nullptr;
  Block* block = *found;
  candidates.erase(found);
  return block;
}

// A new segment as one block. What is unused goes back when it would not fit otherwise.
Pool::Block* Pool::add_segment(Kind kind, std::size_t size) {
  auto fits = [&] { return counts_.held <= limit_ && size <= limit_ - counts_.held; };
  if (!fits()) release_unused_locked();
  if (!fits()) return nullptr;
  std::byte* segment = source_.acquire(size);
  if (!segment) {
    release_unused_locked();
    segment = source_.acquire(size);
  }
  if (!segment) return nullptr;
  counts_.held += size;
  ++counts_.segments;
  auto& block = blocks_[segment];
  block = std::make_unique<Block>(Block{segment, size, kind});
  return block.get();
}

// Leaves `size` bytes in the block and the rest, where it can serve another request, as a free one.
void Pool::split(Block* block, std::size_t size) {
  std::size_t rest = block->size - size;
  if (rest < (block->kind == Kind::kSmall ? kAlignment : kSmallLimit + 1)) return;
  std::byte* address = block->address + size;
  auto& made = blocks_[address];
  made = std::make_unique<Block>(Block{address, rest, block->kind, false, block, block->after});
  Block* right = made.get();
  if (right->after) right->after->before = right;
  block->after = right;
  block->size = size;
  free_blocks(right->kind).insert(right);
}

// The block with its free neighbours; they leave the set of free blocks.
Pool::Block* Pool::merge(Block* block) {
  auto absorb = [&](Block* left, Block* right) {
    left->size += right->size;
    left->after = right->after;
    if (left->after) left->after->before = left;
    blocks_.erase(right->address);
  };
  if (Block* right = block->after; right && !right->used) {
    free_blocks(right->kind).erase(right);
    absorb(block, right);
  }
  if (Block* left = block->before; left && !left->used) {
    free_blocks(left->kind).erase(left);
    absorb(left, block);
    return left;
  }
  return block;
}

void Pool::release_unused_locked() noexcept {
  for (FreeBlocks* candidates : {&small_, &large_}) {
    for (auto at = candidates->begin(); at != candidates->end();) {
      Block* block = *at;
      if (block->before || block->after) {
        ++at;
        continue;
      }
      at = candidates->erase(at);
      source_.release(block->address, block->size);
      counts_.held -= block->size;
      blocks_.erase(block->address);
    }
  }
}

}  // namespace strider::nd::cuda
