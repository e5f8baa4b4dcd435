// Stencils in place: a block marches down a band of a strip of columns and keeps the lines that it
// still reads, as they were, in shared memory. What neighbouring blocks replace meanwhile was saved
// before. Near, kReach and kSide (lines and columns that inputs lie away), kStrip (columns), kStep
// (lines that are read at once), kSteps (that the ring holds), is_inside and is_beside are the
// loop's.
#pragma once

namespace strider::nd::device {

inline constexpr int kHigh = kSteps * kStep, kWide = kStrip + 2 * kSide;

// Lines in a ring of kSteps steps.
inline Near* kept_lines() {
  alignas(16) __shared__ char bytes[kHigh * kWide * sizeof(Near)];
  return reinterpret_cast<Near*>(bytes);
}
// Whether points read lines of more than the step before theirs.
inline constexpr bool kFar = 2 * kReach > kStep;
// Of the point in a row of a step, whose lines lie kReach further down and begin with row `first`
// of the ring: where its column of the step begins there, and where that goes on before the ring's
// beginning, or, where only the step before is read, before the step.
inline Near near(const Place& p, int line, int column) {
  const int row = p.row + line - kReach;
  const bool before = (kFar ? p.first + row : row) < 0;
  return load<Near>((before ? p.before : p.near) + (row * kWide + column) * int{sizeof(Near)});
}

inline const char* find_element(const Arguments& a, int line, int column) {
  return a.q0 + static_cast<long>(line) * a.t0_0 + static_cast<long>(column) * sizeof(Near);
}
inline bool is_read(const Arguments& a, int line, int column) {
  return is_inside(a, line, column) || is_beside(a, line, column);
}

// The column where a strip begins.
inline int find_border(const Arguments& a, int strip) {
  return strip * kStrip - static_cast<int>(a.shift);
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
      column = find_border(a, border) + (i - in_lines) % (2 * kSide) - kSide;
    }
    if (is_read(a, line, column)) saved[i] = load<Near>(find_element(a, line, column));
  }
}

// The steps that lines before a first one take, and where the last of them begin.
inline constexpr int kFirst = (2 * kReach + kStep - 1) / kStep, kLast = kFirst * kStep - 2 * kReach;
inline constexpr int kStepElements = kStep * kWide;

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
  const int border = find_border(a, m.strip);
  m.left = border > 0 ? border : 0;
  m.right = columns - border < kStrip ? columns : border + kStrip;
  m.first_band = m.band == 0;
  m.last_band = m.end == lines;
  m.first_strip = m.strip == 0;
  m.last_strip = m.right == columns;
  return m;
}

// Where an element is as it was, of those that the block reads; null for others.
inline const char* find_source(const Arguments& a, const March& m, int line, int column) {
  if (line >= m.end + kReach || column >= m.right + kSide || !is_read(a, line, column))
    return nullptr;
  const int lines = static_cast<int>(a.lines), span = static_cast<int>(a.columns) + 2 * kSide;
  const Near* saved = reinterpret_cast<const Near*>(a.saved);
  const bool above = line < m.begin && !m.first_band, below = line >= m.end && !m.last_band;
  if (above || below) {
    const int border = m.band + below, row = line - border * static_cast<int>(a.band) + kReach;
    saved += ((border - 1) * 2 * kReach + row) * span + column + kSide;
    return reinterpret_cast<const char*>(saved);
  }
  const bool left = column < m.left && !m.first_strip, right = column >= m.right && !m.last_strip;
  if ((left || right) && line >= 0 && line < lines) {
    const int border = m.strip + right, at = column - find_border(a, border) + kSide;
    const int in_lines = (static_cast<int>(a.bands) - 1) * 2 * kReach * span;
    saved += in_lines + ((border - 1) * lines + line) * 2 * kSide + at;
    return reinterpret_cast<const char*>(saved);
  }
  return find_element(a, line, column);
}
// Fetches it into the ring; what is not read is anything.
inline void fetch_one(const Arguments& a, const March& m, int line, int column, Near* to) {
  if (const char* from = find_source(a, m, line, column)) fetch(to, from);
}

// Fetches a step's lines into the ring, from a row on; wait_for_fetched() waits until they are
// there. A thread brings its column, and an element beside the strip.
inline void bring(const Arguments& a, const March& m, int line, Near* kept) {
  const int x = static_cast<int>(threadIdx.x), column = m.left + x, width = m.right - m.left;
  const int side = x % (2 * kSide), row = x / (2 * kSide);
  if (x < width) {
    Near* const to = kept + kSide + x;
    const char* from = find_element(a, line, column);
    if (line + kStep <= m.end) {
#pragma unroll
      for (int i = 0; i < kStep; ++i, from += a.t0_0) fetch(to + i * kWide, from);
    } else {
#pragma unroll 1
      for (int i = 0; i < kStep; ++i) fetch_one(a, m, line + i, column, to + i * kWide);
    }
  }
  if (row < kStep) {
    const bool left = side < kSide;
    fetch_one(a, m, line + row, left ? m.left - kSide + side : m.right + side - kSide,
              kept + row * kWide + (left ? side : width + side));
  }
}

extern "C" __global__ void __launch_bounds__(256) map(const __grid_constant__ Arguments a) {
  Seen seen;
  Inputs still;
  read_still(a, Place{}, still);
  const int x = static_cast<int>(threadIdx.x);
  for (Index tile = blockIdx.x; tile < a.tiles; tile += gridDim.x) {
    const March m = find_march(a, tile);
    // The lines around the band's first border are the last of the ring's first steps.
    __syncthreads();
    for (int row = 0; row < 2 * kReach; ++row) {
      const int line = m.begin - kReach + row;
      Near* kept = kept_lines() + (kLast + row) * kWide;
      if (m.left + x < m.right) fetch_one(a, m, line, m.left + x, kept + kSide + x);
      if (x >= kSide) continue;
      fetch_one(a, m, line, m.left - kSide + x, kept + x);
      fetch_one(a, m, line, m.right + x, kept + kSide + m.right - m.left + x);
    }
    int step = kFirst;
    bring(a, m, m.begin + kReach, kept_lines() + step * kStepElements);
    for (int first = m.begin; first < m.end; first += kStep) {
      wait_for_fetched();
      __syncthreads();
      Near* const kept = kept_lines() + step * kStepElements;
      const bool last = step + 1 == kSteps;
      if (first + kStep < m.end) {
        bring(a, m, first + kStep + kReach, last ? kept_lines() : kept + kStepElements);
      }
      Place p;
      p.at1 = static_cast<Index>(m.left + x);
      p.near = reinterpret_cast<const char*>(kept + kSide + x);
      p.first = step * kStep;
      p.before = p.near + (kFar || step == 0 ? kSteps * kStepElements * int{sizeof(Near)} : 0);
      if (m.left + x < m.right) {
#pragma unroll
        for (int i = 0; i < kStep; ++i) {
          if (first + i >= m.end) break;
          p.at0 = static_cast<Index>(first + i);
          p.row = i;
          Inputs in = still;
          read(a, p, in);
          bool odd = false;
          Outputs r = compute(a, in, odd);
          settle(a, p, odd, r);
          write(a, p, r);
        }
      }
      step = last ? 0 : step + 1;
    }
  }
  report(a, seen);
}

}  // namespace strider::nd::device
