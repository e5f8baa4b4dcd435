// What the files that render the shapes of loops (map, fold, sum, scan) share.
#pragma once

#include <algorithm>

#include "kernels/backend/cuda/jit/body.h"
#include "kernels/backend/cuda/jit/rendering.h"

namespace strider::nd::cuda {

inline constexpr std::uint32_t kBlock = 256;  // threads, of folds and tiles

// What a render is made from.
struct Request {
  const FusedLoop& loop;
  const LoopMemory& memory;
  std::uint32_t* conditions;  // null where nobody wants to hear
  const DeviceFacts& facts;
  Scratch* scratch;  // null where only the text is wanted
  LoopLayout layout;
  std::size_t maps = 1;  // that one launch runs side by side
};

// The text of a loop, or of so many maps like it side by side.
std::string text_of(const FusedLoop& loop, const LoopMemory& memory, const std::string& key,
                    const LaunchShape& shape, std::size_t maps);

// Blocks for so many threads' worth of work, as many as `waves` full loads of the device at most.
inline std::uint32_t block_count(std::int64_t threads, const DeviceFacts& facts, int waves,
                                 std::int64_t block = kBlock) {
  std::int64_t blocks = (threads + block - 1) / block;
  std::int64_t full = facts.processors * (facts.threads_per_processor / block);
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(blocks, 1, full * waves));
}

// The launches of a loop, in order; each shape appends them and, where `text` is not null, its
// arguments and kernels. `rendering` is null where only the text is wanted.
void render_map(const Request& request, Rendering* rendering, std::string* text);
void render_march(const Request& request, Rendering* rendering, std::string* text);
void render_fold(const Request& request, Rendering* rendering, std::string* text);

// The same for a loop of a pass, of which a team of threads (text/keep.h) runs one row: the
// function run_row(arguments, row, active, standing, seen), where stand(arguments) gives what is
// the same for all rows; what is returned are the arguments.
Arguments render_map_of_row(const Request& request, std::int64_t rows, std::string* text);
Arguments render_fold_of_row(const Request& request, std::string* text);
// Whether a fold has one result for each row, and so large a team is enough for it.
bool folds_rows(const FusedLoop& loop, std::int64_t rows, std::int64_t team);
// Whether a loop of a pass is a sum whose order is a tree's.
bool adds_along_rows(const FusedLoop& loop);

// The text of one loop among several, moved into a namespace of its own.
std::string move_text(std::string text, const std::string& name);

// What texts may depend on of a fold.
void append_fold_key(const FusedLoop& loop, const LoopLayout& layout, bool in_pass,
                     std::string& key);

}  // namespace strider::nd::cuda
