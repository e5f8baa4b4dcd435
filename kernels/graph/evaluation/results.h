// The memory of a pass: blocks for what its loops write. A block that nobody will read after the
// pass becomes a result's own.
#pragma once

#include <vector>

#include "kernels/graph/plan/passes.h"

namespace strider::nd {

// There is no memory for what was promised, on a device or in host memory (null).
[[noreturn]] void throw_late(const Expression& promise, Device* device);

// Results go back to the allocator unless they are delivered.
class PassResults {
 public:
  // With a target, the last loop's first output goes there. On a device, or in host memory (null).
  PassResults(const Pass& pass, std::byte* target, Device* device)
      : pass_(pass), target_(target), device_(device) {}
  ~PassResults();
  PassResults(const PassResults&) = delete;
  PassResults& operator=(const PassResults&) = delete;

  // Finds a place for every result; throws when there is none.
  void place_all();
  // Where a loop's operands lie.
  LoopMemory memory(std::size_t loop) const;
  // Fulfils the promises.
  void deliver();

 private:
  struct Result {
    Expression* promise = nullptr;
    std::size_t loop = 0;
    std::byte* bytes = nullptr;
    Block block;               // owned; none if the elements lie elsewhere
    Storage* giver = nullptr;  // its block becomes the result's
    bool taken = false;        // by a later result
  };

  Block allocate(std::size_t size) const;
  void free(Block block) const;
  std::byte* address(Storage& storage) const;
  bool can_give(const Storage& storage) const;
  void place(std::size_t loop, Expression& promise);
  bool take_over(std::size_t loop, Expression& promise);
  const Result* find(const Storage& storage) const;
  bool dies_in(std::size_t loop, const Storage& storage) const;
  void mark_expressions();
  bool ends_by(std::size_t loop, const Expression& expression) const;
  bool leaves_nothing(std::size_t loop) const;

  const Pass& pass_;
  std::byte* target_;
  Device* device_;
  static constexpr int kLoopBits = 16;
  std::uint64_t mark_ = 0;  // of what the pass computes; 0: nothing is marked yet
  SmallList<Result, 4> results_;
};

}  // namespace strider::nd
