// Pool: cuts memory that a device gave in large segments into blocks, and hands freed blocks out
// again. Work on the device happens in the order of the calls, so a freed block may be reused at
// once and nothing here ever waits for the device, unless memory has run out. Talks to no device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>

namespace strider::nd::cuda {

// Where segments come from.
class SegmentSource {
 public:
  virtual ~SegmentSource() = default;
  // Null when there is no memory.
  virtual std::byte* acquire(std::size_t bytes) = 0;
  // May wait for the device.
  virtual void release(std::byte* segment, std::size_t bytes) noexcept = 0;
};

struct PoolCounts {
  std::size_t in_use = 0;          // bytes of blocks handed out
  std::size_t peak = 0;            // the most that ever was in use
  std::size_t held = 0;            // bytes of segments
  std::int64_t allocations = 0;    // blocks ever handed out
  std::int64_t segments = 0;       // ever acquired
};

class Pool {
 public:
  explicit Pool(SegmentSource& source) : source_(source) {}
  ~Pool();
  Pool(const Pool&) = delete;

  // A block of at least `bytes`, aligned to 256; null when neither the pool nor the source has one
  // or the limit is reached.
  std::byte* allocate(std::size_t bytes);
  // Takes back a block that allocate() returned.
  void free(std::byte* address) noexcept;

  // Returns every segment of which nothing is in use.
  void release_unused() noexcept;
  // From now on segments take at most this many bytes in all; what is held already stays.
  void limit(std::size_t bytes);

  PoolCounts counts() const;

 private:
  // Blocks of up to 1 MiB have segments of their own, so that they do not cut large ones to pieces.
  enum class Kind : std::uint8_t { kSmall, kLarge };

  // A piece of a segment; its neighbours in memory are its neighbours in the list.
  struct Block {
    std::byte* address;
    std::size_t size;
    Kind kind;
    bool used = false;
    Block* before = nullptr;
    Block* after = nullptr;
  };
  struct Smaller {
    using is_transparent = void;
    bool operator()(const Block* left, const Block* right) const {
      return left->size != right->size ? left->size < right->size
                                       : left->address < right->address;
    }
    bool operator()(const Block* block, std::size_t size) const { return block->size < size; }
    bool operator()(std::size_t size, const Block* block) const { return size < block->size; }
  };
  using FreeBlocks = std::set<Block*, Smaller>;

  FreeBlocks& free_blocks(Kind kind) { return kind == Kind::kSmall ? small_ : large_; }
  Block* take_fitting(Kind kind, std::size_t size);
  Block* add_segment(Kind kind, std::size_t size);
  void split(Block* block, std::size_t size);
  Block* merge(Block* block);
  void release_unused_locked() noexcept;

  SegmentSource& source_;
  mutable std::mutex lock_;
  FreeBlocks small_, large_;
  std::unordered_map<std::byte*, std::unique_ptr<Block>> blocks_;
  std::size_t limit_ = SIZE_MAX;
  PoolCounts counts_;
};

}  // namespace strider::nd::cuda
