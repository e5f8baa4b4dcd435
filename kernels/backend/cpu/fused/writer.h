// Writer: puts computed tiles where they belong, whatever the layout; results that replace elements
// which are still to be read wait until they have been.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "kernels/backend/cpu/fused/line_buffer.h"
#include "kernels/backend/cpu/fused/reader.h"

namespace strider::nd {

// Writes contiguous results of points [begin, begin + count) to a layout.
void scatter(const JointAxes& axes, const Dims& strides, DType dtype, std::byte* first,
             std::int64_t begin, std::int64_t count, const std::byte* results);

// Neighbouring results that wait beside their place.
struct WaitingResults {
  std::int64_t begin = 0;  // the first point
  std::int64_t count = 0;
  std::unique_ptr<std::byte[]> room;
  std::byte* results = nullptr;  // in the room
  std::byte* place = nullptr;    // where they belong; null where that is several rows
};

// The results of an in-place loop that wait until all threads are done: those near the ends of each
// thread's part, whose elements the neighbours read.
class LateResults {
 public:
  LateResults(const JointAxes& axes, const LoopMemory& memory, DType dtype);
  bool needed() const { return delay_ >= 0; }
  std::int64_t delay() const { return delay_; }

  // Cuts the points into at most `parts` parts, each much longer than the delay; between rows where
  // parts have many.
  void share(std::int64_t points, int parts);
  std::int64_t parts() const { return parts_; }
  std::int64_t begin(std::int64_t part) const {
    return part == parts_ ? points_ : points_ * part / parts_ / step_ * step_;
  }

  // Keeps results for later; safe from several threads.
  void keep(WaitingResults results);
  // Writes at once.
  void put(const WaitingResults& results) const;
  // Writes what was kept.
  void write();

 private:
  const JointAxes& axes_;
  DType dtype_;
  std::byte* first_;
  std::int64_t delay_;
  std::int64_t points_ = 0;
  std::int64_t parts_ = 1;
  std::int64_t step_ = 1;  // parts begin at multiples of it
  std::mutex lock_;
  std::vector<WaitingResults> kept_;
};

// Writes for one thread, which computes [begin, end).
class Writer {
 public:
  Writer(const FusedLoop& loop, const JointAxes& axes, const LoopMemory& memory, LateResults& late,
         std::int64_t begin, std::int64_t end);

  // The most points that targets() has room for.
  std::int64_t longest() const { return longest_; }
  // Where the points from `begin` on are to be computed.
  std::byte* const* targets(std::int64_t begin);
  // Moves what was computed beside its place.
  void place(std::int64_t begin, std::int64_t count);
  // Gives up what still waits.
  void finish();

 private:
  struct Output {
    std::byte* first = nullptr;
    const Dims* strides = nullptr;
    DType type = DType::kBool;
    int size = 0;
    bool dense = false;    // contiguous over all points
    bool by_rows = false;  // contiguous in every span
    LineBuffer buffer;
  };

  std::byte* place_of(const Output& output, std::int64_t point);
  std::byte* take_room(std::int64_t begin);
  void write_due(std::int64_t until);

  const JointAxes& axes_;
  std::int64_t longest_ = std::int64_t{1} << 62;
  LateResults& late_;
  RowCursor cursor_;
  std::vector<Output> outputs_;
  std::vector<std::byte*> targets_;
  // Output 0 where its results wait: those computed and not yet written, from the oldest on; the
  // room for the next ones; rooms that are free again, the one used last on top.
  std::vector<WaitingResults> waiting_;
  std::size_t oldest_ = 0;
  WaitingResults next_;
  std::vector<std::unique_ptr<std::byte[]>> free_;
  std::int64_t head_end_;
};

}  // namespace strider::nd
