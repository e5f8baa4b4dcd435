// LinearReader: hands out a loop's inputs as contiguous runs of elements, point after point in the
// loop's order, whatever their layout.
#pragma once

#include <memory>
#include <vector>

#include "kernels/backend/cpu/assembler/compile.h"
#include "kernels/backend/cpu/fused/program.h"
#include "kernels/backend/loop.h"

namespace strider::nd {

// The axes of a loop, neighbours merged where every operand in memory steps through them alike.
struct JointAxes {
  Dims extents;  // outermost first; at least one
  std::vector<Dims> inputs;
  std::vector<Dims> outputs;

  explicit JointAxes(const FusedLoop& loop);
  std::int64_t row() const { return extents.back(); }
  // Whether rows are so long that every span lies within one.
  bool by_rows() const;
  // The offset of a row's first element in a layout with these strides.
  std::int64_t row_offset(const Dims& strides, std::int64_t row) const {
    if (extents.size() == 1) return 0;
    return extents.size() == 2 ? row * strides[0] : offset_among_planes(strides, row);
  }

 private:
  std::int64_t offset_among_planes(const Dims& strides, std::int64_t row) const;
};

// A point, and where it is among rows.
struct Position {
  std::int64_t point;
  std::int64_t row;
  std::int64_t column;
};

// Tells where points are among rows; at no cost for those in the same row as before or in the next.
class RowCursor {
 public:
  explicit RowCursor(const JointAxes& axes) : width_(axes.row()) {}
  Position find(std::int64_t point) {
    if (point - start_ == width_) {
      ++row_;
      start_ = point;
    } else if (point < start_ || point - start_ > width_) {
      row_ = point / width_;
      start_ = row_ * width_;
    }
    return {point, row_, point - start_};
  }

 private:
  std::int64_t width_;
  std::int64_t row_ = 0;
  std::int64_t start_ = 0;  // the row's first point
};

// Whether a range starts anew within a span, so that it cannot be counted on.
bool counts_short_rows(const FusedLoop& loop, const JointAxes& axes);

// The inputs that are one element for all points of a span.
std::vector<bool> find_still_inputs(const FusedLoop& loop, const JointAxes& axes);

// Reads for one thread: owns the buffers that inputs are gathered into.
class LinearReader {
 public:
  // For machine code (`once`), still inputs are handed out as one element and ranges as a Counter;
  // else both are written out for every point.
  LinearReader(const FusedLoop& loop, const JointAxes& axes,
               const SmallList<const std::byte*, 8>& memory, bool once);

  // The number of points from `begin` on that one call of read may cover: within one row where rows
  // are long, several whole rows where they are short; not more than a tile if inputs are repeated
  // or gathered.
  std::int64_t span(std::int64_t begin, std::int64_t end);
  // Leaves it to the caller to say where this input is read.
  void leave_out(std::size_t input) { inputs_[input].left_out = true; }
  // Pointers to `count` contiguous elements of each input, until the next call.
  const std::byte** read(std::int64_t begin, std::int64_t count);

 private:
  struct Input {
    const LoopInput* row = nullptr;
    const std::byte* first = nullptr;
    const Dims* strides = nullptr;
    int size = 0;
    bool still = false;     // one element for all points
    bool once = false;      // one element for all points of a span, and handed out as such
    bool dense = false;     // contiguous over all points
    bool periodic = false;  // the same in every row
    bool counts = false;    // handed out as a Counter
    bool left_out = false;
    Counter counter;
    std::unique_ptr<std::byte[]> buffer;
    std::int64_t buffered = -1;  // the point, or the row, that the buffer begins with
    std::int64_t buffered_count = 0;
  };

  const std::byte* read_once(Input& input, const Position& at);
  const std::byte* read_counter(Input& input, const Position& at);
  const std::byte* read_input(Input& input, const Position& at, std::int64_t count);
  const std::byte* gather_rows(Input& input, std::int64_t begin, std::int64_t count);
  void gather(Input& input, std::int64_t row, std::int64_t column, std::int64_t count,
              std::byte* target);
  std::byte* buffer(Input& input);

  const JointAxes& axes_;
  RowCursor cursor_;
  std::int64_t longest_ = kTile;
  std::vector<Input> inputs_;
  std::vector<const std::byte*> pointers_;
};

}  // namespace strider::nd
