// Stencils in place: a block marches down a band of a strip of columns and keeps the lines that it
// still reads, as they were, in shared memory. What neighbouring blocks replace meanwhile was saved
// before. Near, kReach and kSide (lines and columns that inputs lie away), kStrip (columns), kStep
// (lines that are read at once), is_inside and is_beside are the loop's.
#pragma once

namespace strider::nd::device {

inline constexpr int kHigh = kStep + 2 * kReach, kWide = kStrip + 2 * kSide;

// Lines in a ring.
inline Near* kept_lines() {
  alignas(16) __shared__ char bytes[kHigh * kWide * sizeof(Near)];
  return reinterpret_cast<Near*>(bytes);
}
inline int wrap(int row) { return row < kHigh ? row : row - kHigh; }
inline Near near(const Place& p, int line, int column) {
  return kept_lines()[wrap(p.row + kReach + line) * kWide + p.column + column];
}

inline const char* find_element(const Arguments& a, int line, int column) {
  return a.q0 + static_cast<long>(line) * a.t0_0 + static_cast<long>(column) * sizeof(Near);
}
inline bool is_read(const Arguments& a, int line, int column) {
  return is_inside(a, line, column) || is_beside(a, line, column);
}

// Saves the lines around each border of bands, kReach to either side, and then the columns around
// each border of strips.
extern "C" __global__ void __launch_bounds__(256) save(const __grid_constant__ Arguments a) {
  const int lines = static_cast<int>(a.lines), span = static_cast<int>(a.columns) + 2 * kSide;
  const int in_lines = (static_cast<int>(a.bands) - 1) * 2 * kReach * span;
  const int all = in_lines + (static_cast<int>(a.strips) - 1) * 2 * kSide * lines;
  Near* saved = reinterpret_cast<Near*>(a.saved);
  const int threads = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < all; i += threads) {
    int line, column;
    if (i < in_lines) {
      const int row = i / span, border = row / (2 * kReach) + 1;
      line = border * static_cast<int>(a.band) + row % (2 * kReach) - kReach;
      column = i - row * span - kSide;
    } else {
      const int row = (i - in_lines) / (2 * kSide), border = row / lines + 1;
      line = row % lines;
      column = border * kStrip + (i - in_lines) % (2 * kSide) - kSide;
    }
    if (is_read(a, line, column)) saved[i] = load<Near>(find_element(a, line, column));
  }
}

// Where a block marches: lines and columns from the first on, before the second.
struct March {
  int begin, end, left, right;
  bool first_band, last_band, first_strip, last_strip;
  int band, strip;
};
inline March find_march(const Arguments& a, Index tile) {
  March m;
  m.band = static_cast<int>(tile / a.strips);
  m.strip = static_cast<int>(tile - static_cast<Index>(m.band) * a.strips);
  const int lines = static_cast<int>(a.lines), columns = static_cast<int>(a.columns);
  m.begin = m.band * static_cast<int>(a.band);
  m.end = lines - m.begin < static_cast<int>(a.band) ? lines : m.begin + static_cast<int>(a.band);
  m.left = m.strip * kStrip;
  m.right = columns - m.left < kStrip ? columns : m.left + kStrip;
  m.first_band = m.band == 0;
  m.last_band = m.end == lines;
  m.first_strip = m.strip == 0;
  m.last_strip = m.right == columns;
  return m;
}

// An element as it was, of those that the block reads; others are anything.
inline Near take(const Arguments& a, const March& m, int line, int column) {
  if (line >= m.end + kReach || column >= m.right + kSide || !is_read(a, line, column)) return {};
  const int lines = static_cast<int>(a.lines), span = static_cast<int>(a.columns) + 2 * kSide;
  const Near* saved = reinterpret_cast<const Near*>(a.saved);
  const bool above = line < m.begin && !m.first_band, below = line >= m.end && !m.last_band;
  if (above || below) {
    const int border = m.band + below, row = line - border * static_cast<int>(a.band) + kReach;
    return saved[((border - 1) * 2 * kReach + row) * span + column + kSide];
  }
  const bool left = column < m.left && !m.first_strip, right = column >= m.right && !m.last_strip;
  if ((left || right) && line >= 0 && line < lines) {
    const int border = m.strip + right, at = column - border * kStrip + kSide;
    const int in_lines = (static_cast<int>(a.bands) - 1) * 2 * kReach * span;
    return saved[in_lines + ((border - 1) * lines + line) * 2 * kSide + at];
  }
  return load<Near>(find_element(a, line, column));
}

// What a thread brings of the next lines: its column, and an element beside the strip.
struct Brought {
  Near column[kStep], beside;
};
inline Brought bring(const Arguments& a, const March& m, int line) {
  const int x = static_cast<int>(threadIdx.x), column = m.left + x;
  const int side = x % (2 * kSide), row = x / (2 * kSide);
  Brought lines{};
  if (column < m.right) {
    if (line + kStep <= m.end) {
#pragma unroll
      for (int i = 0; i < kStep; ++i)
        lines.column[i] = load<Near>(find_element(a, line + i, column));
    } else {
#pragma unroll
      for (int i = 0; i < kStep; ++i) lines.column[i] = take(a, m, line + i, column);
    }
  }
  if (row < kStep) {
    lines.beside =
        take(a, m, line + row, side < kSide ? m.left - kSide + side : m.right + side - kSide);
  }
  return lines;
}
// Puts them into the ring from a row on.
inline void keep(const March& m, const Brought& lines, int first) {
  const int x = static_cast<int>(threadIdx.x), width = m.right - m.left;
  const int side = x % (2 * kSide), row = x / (2 * kSide);
  Near* kept = kept_lines();
  if (x < width) {
#pragma unroll
    for (int i = 0; i < kStep; ++i) kept[wrap(first + i) * kWide + kSide + x] = lines.column[i];
  }
  if (row < kStep)
    kept[wrap(first + row) * kWide + (side < kSide ? side : width + side)] = lines.beside;
}

extern "C" __global__ void __launch_bounds__(256) map(const __grid_constant__ Arguments a) {
  Seen seen;
  Inputs still;
  read_still(a, Place{}, still);
  const int x = static_cast<int>(threadIdx.x);
  for (Index tile = blockIdx.x; tile < a.tiles; tile += gridDim.x) {
    const March m = find_march(a, tile);
    // The lines around the band's first border lie where the ring begins.
    __syncthreads();
    for (int row = 0; row < 2 * kReach; ++row) {
      const int line = m.begin - kReach + row;
      Near* kept = kept_lines() + row * kWide;
      if (m.left + x < m.right) kept[kSide + x] = take(a, m, line, m.left + x);
      if (x < kSide) kept[x] = take(a, m, line, m.left - kSide + x);
      if (x < kSide) kept[kSide + m.right - m.left + x] = take(a, m, line, m.right + x);
    }
    Brought lines = bring(a, m, m.begin + kReach);
    int row = 2 * kReach;  // of the ring, where the next lines go
    for (int first = m.begin; first < m.end; first += kStep) {
      keep(m, lines, row);
      __syncthreads();
      if (first + kStep < m.end) lines = bring(a, m, first + kStep + kReach);
      const int top = row >= 2 * kReach ? row - 2 * kReach : row - 2 * kReach + kHigh;
      if (m.left + x < m.right) {
#pragma unroll
        for (int i = 0; i < kStep; ++i) {
          if (first + i >= m.end) break;
          Place p;
          p.at0 = static_cast<Index>(first + i);
          p.at1 = static_cast<Index>(m.left + x);
          p.row = wrap(top + i);
          p.column = kSide + x;
          Inputs in = still;
          read(a, p, in);
          bool odd = false;
          Outputs r = compute(a, in, odd);
          settle(a, p, odd, r);
          write(a, p, r);
        }
      }
      row = wrap(row + kStep);
      __syncthreads();
    }
  }
  report(a, seen);
}

}  // namespace strider::nd::device
