// Assembled: the steps of a loop as one machine-code loop over contiguous elements. Knows nothing
// of layouts; compiled loops are kept and found again by their structure.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/backend/cpu/assembler/compile.h"

namespace strider::nd {

// An input that reads elements which a loop in place replaces: those so many rows and columns
// further on.
struct RowReading {
  std::size_t input = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t offset = 0;  // of both, in bytes
};

class Assembled {
 public:
  // The code for these steps; null where a step has none. `still` inputs are one element for all
  // points of a call. Structures whose work does not yet pay for the compilation give null, too:
  // `work` is what this call would do, in simple instructions. Results go past the caches where
  // they can if `stores` says so.
  static std::shared_ptr<const Assembled> find(const FusedLoop& loop,
                                               const std::vector<std::uint16_t>& wanted,
                                               const std::vector<bool>& still, Stores stores,
                                               std::int64_t work);
  // Counts code that was kept and needs no search.
  static void note_hit();
  // Why a call of `find` would give null; empty if it would not.
  static std::string find_obstacle(const FusedLoop& loop, const std::vector<std::uint16_t>& wanted,
                                   const std::vector<bool>& still, Stores stores,
                                   std::int64_t work);
  // Compiles for a given target, without the cache. Without code, `refusal` (if any) says why.
  static std::shared_ptr<const Assembled> make(const FusedLoop& loop,
                                               const std::vector<std::uint16_t>& wanted,
                                               const std::vector<bool>& still, Target target,
                                               Stores stores = Stores::kUsual,
                                               std::string* refusal = nullptr);

  // Computes `count` points. `apart`: no output shares memory with an input. Returns whether the
  // conditions of a watched step may have to be looked at, besides those that the processor noted.
  bool run(const std::byte* const* inputs, std::byte* const* outputs, std::int64_t count,
           bool apart) const;
  // Computes `count` points into the place of elements that inputs read, which are copied to `old`;
  // returns as `run`, or nothing where the inputs lie so that nothing was done.
  std::optional<bool> replace(const std::byte* const* inputs, std::byte* place, std::byte* old,
                              std::int64_t count) const;
  // Whether that may be tried, for rows of `count` points that are read as `readings` say.
  bool replaces(const std::vector<RowReading>& readings, std::int64_t count) const;
  // Of executable memory.
  std::int64_t bytes() const {
    return static_cast<std::int64_t>(loop_.memory.bytes() + streaming_.memory.bytes() +
                                     sharing_.memory.bytes() + replacing_.memory.bytes());
  }

 private:
  Assembled() = default;

  bool streams(std::byte* const* outputs) const;
  std::int64_t head_of(const std::byte* operand, int size) const;
  bool shares(const std::byte* const* inputs, std::int64_t head) const;
  bool looks_ahead(int base) const;
  void compile_in_place(const FusedLoop& loop, const std::vector<std::uint16_t>& wanted,
                        const std::vector<bool>& still, Target target);
  std::uint32_t run_rest(const std::byte* const* inputs, std::byte* const* outputs,
                         std::int64_t begin, std::int64_t count) const;

  CompiledLoop loop_;
  CompiledLoop streaming_;  // empty unless results go past the caches
  CompiledLoop sharing_;    // empty unless inputs are neighbours
  CompiledLoop replacing_;  // empty unless results replace what is read
  bool replacing_shares_ = false;
  std::vector<SharedInput> shared_;
  std::uintptr_t alignment_ = 0;
  static constexpr int kStill = 0, kCounts = -1;

  std::vector<int> input_sizes_;  // or one of the above
  std::vector<int> output_sizes_;
};

}  // namespace strider::nd
