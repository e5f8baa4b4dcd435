// What Fourier transforms do in inner loops, many columns at a time: passes of butterflies over
// blocks, moves between blocks and memory, products and halves of real lines. Compiled for several
// instruction sets, of which the best one is chosen at run time. They allocate nothing.
//
// A block is a table of complex numbers whose columns are lines, or parts of them: each row is so
// many vectors, each vector some real parts and then as many imaginary parts. Transforms are
// forward ones; a backward one is that of the numbers with their parts exchanged.
#pragma once

#include <cstdint>

#include "kernels/backend/cpu/fourier/butterfly.h"

namespace strider::nd {

// One radix of the transform of every column, out of place. Rows are `outer` groups of `inner`
// butterflies of `radix` legs. In frequency, outputs are multiplied by their twiddles; in time,
// inputs are, and the data move the other way. The first butterfly of a group has twiddles of one.
template <class T>
struct FourierPass {
  int radix;
  bool in_time;
  std::int64_t outer, inner, vectors;
  const T *from, *re, *im;  // re, im: twiddles, those of all butterflies leg by leg
  // Where columns have twiddles of their own: vectors of them, leg by leg, butterfly by butterfly,
  // vector by vector. Else null.
  const T* columns;
  bool at_start;             // the first column is a line's first one
  const T *cosines, *sines;  // of the roots of unity, for odd radices
  T *to, *work;              // work: `radix` vectors of complex numbers
};

// Numbers in memory that become columns of a block, or come from them. In rows, the number of a
// point and a column lies at point * step + column * width, in lines at column * step +
// point * width; `there` numbers of the rows, or of each line, are there, others are 0.
template <class S>
struct FourierSheet {
  S* numbers;
  std::int64_t points, columns, step, there;
  int width = 2;           // numbers that an element consists of: 1 where it is real
  bool pairs = false;      // of rows: points are pairs of real ones, each with a row of its own
  bool exchanged = false;  // real and imaginary parts
};

// The first half of the spectrum of a real line, `given` points of it; the imaginary parts of its
// ends count as 0.
template <class S>
struct FourierSpectrum {
  const Cplx<S>* points;
  std::int64_t given;
  bool conjugated;
};

template <class T, class S>
struct FourierMoves {
  void (*load_rows)(const FourierSheet<const S>& sheet, T* block);
  void (*load_lines)(const FourierSheet<const S>& sheet, T* block);
  void (*store_rows)(const T* block, T factor, const FourierSheet<S>& sheet);
  void (*store_lines)(const T* block, T factor, const FourierSheet<S>& sheet);
  // A real line's spectrum, half + 1 points, of the transform of its `half` pairs; may be in place.
  void (*part_halves)(const Cplx<T>* from, const Cplx<T>* roots, std::int64_t half, Cplx<S>* to);
  // Twice the transform of the `half` pairs of a real line, of its spectrum.
  void (*join_halves)(const FourierSpectrum<S>& from, const Cplx<T>* roots, std::int64_t half,
                      Cplx<T>* to);
};

// A block of `half` + 1 rows whose columns are halves of real lines.
template <class T>
struct FourierHalves {
  T* block;
  std::int64_t vectors, half;
  const Cplx<T>* roots;
  T factor;         // of the transform that is parted
  bool conjugated;  // the spectrum that is joined
};

// Rows of a block multiplied by a number each, or its conjugate; their parts may be exchanged
// before and after.
template <class T>
struct FourierProduct {
  T* block;
  std::int64_t vectors, rows;
  const Cplx<T>* by;
  bool conjugate, exchange_before, exchange_after;
};

template <class T>
struct FourierKernels {
  std::int64_t lanes;  // columns in a vector
  void (*pass)(const FourierPass<T>& pass);
  // Columns as part_halves and join_halves leave lines, the latter with parts exchanged.
  void (*part_columns)(const FourierHalves<T>& halves);
  void (*join_columns)(const FourierHalves<T>& halves);
  void (*multiply_rows)(const FourierProduct<T>& product);
  // to = factor * from * by, or times its conjugate; may be in place.
  void (*multiply)(const Cplx<T>* from, const Cplx<T>* by, bool conjugate, T factor,
                   std::int64_t count, Cplx<T>* to);
  FourierMoves<T, T> moves;
  FourierMoves<T, float> narrow;  // from and to floats
};

// Those for this processor.
template <class T>
const FourierKernels<T>& fourier_kernels();

template <class T, class S>
const FourierMoves<T, S>& fourier_moves() {
  if constexpr (sizeof(T) == sizeof(S))
    return fourier_kernels<T>().moves;
  else
    return fourier_kernels<T>().narrow;
}

}  // namespace strider::nd
