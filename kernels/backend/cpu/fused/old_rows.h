// OldRows: the rows that a stencil in place replaces while other points still have to read them.
// Says which of them are kept and where an input finds its row; computes nothing.
#pragma once

#include <vector>

#include "kernels/backend/cpu/assembler/assembled.h"
#include "kernels/backend/cpu/fused/line_buffer.h"
#include "kernels/backend/cpu/fused/reader.h"

namespace strider::nd {

// What all threads know.
class OldRows {
 public:
  OldRows(const FusedLoop& loop, const JointAxes& axes, const LoopMemory& memory);

  // Whether rows can be computed straight to their place once a few old ones are kept. The rest of
  // the class is for such loops alone.
  bool possible() const { return possible_; }

  // Cuts the rows into at most `parts` bands, each much longer than what is read around it, and
  // copies the old rows on both sides of every cut.
  void share(int parts);
  std::int64_t parts() const { return parts_; }
  std::int64_t begin(std::int64_t part) const { return rows_ * part / parts_; }

 private:
  friend class KeptRows;
  bool find_readings(const FusedLoop& loop, const LoopMemory& memory);
  bool decompose(std::int64_t offset, std::size_t input);
  bool rows_lie_apart() const;
  std::byte* place(std::int64_t row) const;
  std::byte* room_of(std::byte* room, const std::byte* place) const;
  void copy(std::int64_t row, std::byte* target) const;
  void copy_columns(std::int64_t row, std::int64_t first, std::int64_t end,
                    std::byte* target) const;
  std::byte* saved(std::int64_t cut, std::int64_t row) const;

  const JointAxes& axes_;
  std::byte* first_ = nullptr;  // of what is replaced
  std::int64_t size_ = 0;       // of an element
  std::int64_t width_ = 0;
  std::int64_t rows_ = 0;
  std::vector<RowReading> readings_;
  std::vector<std::int64_t> reach_;  // along each axis
  bool slanted_ = false;             // whether earlier rows are read from other columns on
  std::int64_t back_ = 0;            // how many rows before the present one are read
  std::int64_t ahead_ = 0;
  std::uintptr_t low_ = 0, high_ = 0;  // the memory that is read or replaced
  std::int64_t side_bytes_ = 0;        // of a room, before and behind the row
  std::size_t room_bytes_ = 0;
  bool possible_ = false;
  std::int64_t parts_ = 1;
  LineBuffer saved_;
};

// What one thread keeps while it replaces the rows of a band, in order.
class KeptRows {
 public:
  KeptRows(const OldRows& old, std::int64_t part);

  std::int64_t begin() const { return begin_; }
  std::int64_t end() const { return end_; }
  std::int64_t width() const { return old_.width_; }
  // The inputs that read what is replaced.
  const std::vector<RowReading>& readings() const { return old_.readings_; }

  // Moves to the next row, at first to the first one.
  void advance();
  std::int64_t row() const { return row_; }
  // Where the row's results belong, and where its old elements are kept.
  std::byte* place() const { return slots_[slot_].place; }
  std::byte* room() const { return slots_[slot_].room; }
  // Copies the old row to its room, with what is read on both sides of it.
  void keep() const { old_.copy(row_, room()); }
  // Copies only the sides; those that later rows read, or all.
  void keep_sides(bool all) const;
  // Has inputs read, from a column on, what the program means them to: the present row's elements
  // in place or in the room.
  void redirect(const std::byte** inputs, std::int64_t column, bool in_place) const;

 private:
  // A row and its copy.
  struct Slot {
    std::byte* start = nullptr;
    std::byte* place = nullptr;
    std::byte* room = nullptr;
  };

  const std::byte* find(const RowReading& reading, bool in_place) const;
  const std::byte* find_beside(const RowReading& reading) const;

  const OldRows& old_;
  std::int64_t part_;
  std::int64_t begin_, end_;
  std::int64_t row_;
  std::vector<Slot> slots_;
  std::size_t slot_ = 0;
  LineBuffer kept_;
};

}  // namespace strider::nd
