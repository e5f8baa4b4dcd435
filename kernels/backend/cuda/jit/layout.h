// LoopLayout: how a loop's operands lie, after axes that all of them step through alike are merged;
// what a kernel's text may depend on of it, and the numbers that it is given instead.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kernels/backend/loop.h"

namespace strider::nd::cuda {

// How an operand steps through memory.
enum class Steps : char {
  kPairs = 'P',      // dense along the innermost axis, two elements may be moved at once
  kDense = 'd',      // dense along the innermost axis
  kStrided = 's',    // anything else
  kNear = 'N',       // the output's elements some lines and columns away, as they were
  kTurned = 'T',     // dense along another axis than the innermost one, read through tiles
  kStill = 'o',      // one element for all points
  kUnaligned = 'u',  // strided, elements at odd addresses
  kScalar = 'c',     // an argument
  kRange = 'r',      // counted
};

struct Operand {
  DType dtype = DType::kBool;
  Steps steps = Steps::kScalar;
  const std::byte* address = nullptr;
  std::int64_t first = 0;  // of a range
  Dims strides;            // along the merged axes
  // In a pass, an array whose row is kept in shared memory: from this byte on; -1: it is not.
  std::int64_t slot = -1;
  bool kept = true;                   // an output that memory must have, too
  std::int32_t line = 0, column = 0;  // of a near one: where from the point
};

// Points along a side of a tile.
inline constexpr int kTileSide = 32;
// Lines of a band.
inline constexpr int kBandLines = 8;
// Columns of a strip of a march.
inline constexpr int kMarchStrip = 256;
// Lines that a block keeps of a stencil in place that reaches so many lines and columns away: those
// that it reads in a step, and how many steps; none where they do not fit.
struct MarchRing {
  MarchRing() = default;
  MarchRing(std::int64_t lines, std::int64_t columns, std::int64_t size);
  std::int64_t step = 0, steps = 0;
};

// How many points a thread computes at once.
enum class Grouping : char {
  kOne = '1',
  kPair = 'p',   // neighbours
  kApart = 'a',  // one block of threads apart
  kTiles = 't',  // squares of points, whose turned inputs pass through shared memory
  kMarch = 'm',  // a column of a band, in place: what was there is kept while it is read
  kBands = 'b',  // a column of a few points, so that neighbours across lines are near
};

struct LoopLayout {
  Dims extents;  // merged, at least one axis
  std::int64_t points = 0;
  bool wide = false;  // whether points or strides need 64 bits
  Grouping grouping = Grouping::kOne;
  int cross = 0;          // of tiles: the axis along which turned inputs are dense
  std::int64_t rows = 1;  // of a pass whose rows are the outermost axis; 1: points have no rows
  std::int64_t row_bytes = 0;   // of shared memory that a row of a pass takes
  std::int64_t fold_slot = -1;  // where in it a fold's result is kept; -1: it is not
  std::vector<Operand> inputs;
  std::vector<Operand> outputs;  // those of maps, and those beside a fold

  // A loop of more work than `work_alone` computes points one by one. One whose results replace
  // what other points read (`delay` > 0) marches if it can. With `axes` > 0 a map gets at
  // least so many, and all its operands count as strided: one text for many layouts. With the rows
  // of a pass, axes of different rows are not merged with those within a row.
  LoopLayout(const FusedLoop& loop, const LoopMemory& memory, int work_alone, int axes = 0,
             std::int64_t pass_rows = 1);
  int rank() const { return extents.size(); }
  // Whether an operand is one element for all points, or for all of a row of a pass.
  bool is_still(const Operand& operand) const;
  // The bytes that an operand touches, first and after the last.
  std::pair<std::int64_t, std::int64_t> reach(const Operand& operand) const;

  // Appends what texts may depend on.
  void append_key(std::string& key) const;

  // Computes points one by one.
  void separate() {
    grouping = Grouping::kOne;
    keep_single();
  }

 private:
  // Adds axes of one point in front of the others, and takes every operand for a strided one.
  void generalise(int axes);
  // Whether inputs are dense along another axis than the innermost one, so that threads along the
  // latter would touch memory all over the place; such inputs become `kTurned`.
  bool find_turned();
  // Whether results can replace what other points read; such inputs become `kNear`.
  bool find_near();
  // Whether inputs are the same array, some lines along the last axis but one apart.
  bool reads_neighbouring_lines() const;
  void keep_single();
};

// Division by a number as multiplication: (high half of n × factor + n) >> shift, for n below half
// of what the width can hold.
struct Divisor {
  std::uint64_t factor = 0;
  std::uint32_t shift = 0;
};
Divisor find_divisor(std::int64_t number, bool wide);

}  // namespace strider::nd::cuda
