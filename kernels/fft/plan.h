// Plans: everything about a transform of one length that does not depend on the data.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/backend/cpu/fourier/fourier.h"

namespace strider::nd {

template <class T>
class Bluestein;

// What a plan is for: complex lines; short real ones, which keep to radices below eight and
// multiply by twiddles before butterflies (decimation in time), so that a real line and its
// spectrum are rounded as real transforms usually round them; or the pairs of numbers of longer
// real lines.
enum class FftKind : std::uint8_t { kComplex, kShortReal, kPairs };

// How lines are transformed: each alone, as a table where that is better, or as columns of blocks.
enum class FftUse : std::uint8_t { kAlone, kColumns };

// Two blocks that passes go to and fro between, and room for butterflies of large radices.
template <class T>
struct Blocks {
  T *now, *other, *work;
  std::int64_t vectors;  // of a row
};

// A complex transform of one length, float or double. Immutable once made, so threads share it.
template <class T>
class FftPlan {
 public:
  FftPlan(std::int64_t length, FftKind kind, FftUse use);
  ~FftPlan();
  std::int64_t length() const { return length_; }
  FftKind kind() const { return kind_; }
  FftUse use() const { return use_; }
  // For lengths with large prime factors; null for others, which have passes.
  const Bluestein<T>* bluestein() const { return bluestein_.get(); }
  // Of pairs: exp(2 pi i k / (2 length)) for 0 <= k <= length.
  const Cplx<T>* roots() const { return roots_.data(); }

  // A line may be transformed as a table, row by row, of so many rows: first each column, then,
  // where it has become a row of the transposed table, each row. 1: better as one column.
  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return length_ / rows_; }

  // Rows that blocks of whole lines, and Blocks<T>::work, must have room for.
  std::int64_t block_rows() const;
  std::int64_t work_rows() const { return work_rows_; }

  // Transforms each column of blocks.now, which then holds the result. Not for tables.
  void run(Blocks<T>& blocks) const;
  // The same in time.
  void run_in_time(Blocks<T>& blocks) const;
  // The first passes, over a table's columns from `column` on.
  void run_columns(Blocks<T>& blocks, std::int64_t column) const;
  // The other ones, over columns that were rows.
  void run_rows(Blocks<T>& blocks) const { run_passes(blocks, first_, passes_.size(), rows_); }

 private:
  friend class Bluestein<T>;
  struct Smooth {};
  FftPlan(std::int64_t length, FftUse use, Smooth);
  struct Pass {
    int radix;
    std::int64_t outer, inner;      // groups, and butterflies in each
    std::vector<T> re, im;          // of twiddles: radix - 1 legs of `inner`
    std::vector<T> columns;         // the same in vectors, for columns of a table
    std::vector<T> cosines, sines;  // of the radix-th roots, for odd radices
  };
  void make_passes();
  void choose_rows();
  void add_twiddles(const class Roots& roots, Pass& pass) const;
  void add_columns(const class Roots& roots, Pass& pass) const;
  void add_parts(const class Roots& roots, Pass& pass) const;
  FourierPass<T> described(const Pass& pass, const Blocks<T>& blocks) const;
  void run_passes(Blocks<T>& blocks, std::size_t first, std::size_t end, std::int64_t done) const;

  std::int64_t length_;
  FftKind kind_;
  FftUse use_;
  std::vector<Pass> passes_;
  std::size_t first_ = 0;  // passes over a table's columns
  std::int64_t rows_ = 1, work_rows_ = 0;
  std::unique_ptr<Bluestein<T>> bluestein_;
  std::vector<Cplx<T>> roots_;
};

// The plan of a length, from a small cache of each thread.
template <class T>
std::shared_ptr<const FftPlan<T>> plan_of(std::int64_t length, FftKind kind, FftUse use);

}  // namespace strider::nd
