// Long lines of keys are parted again and again, each time on more threads, until the pieces are
// small; then the pieces are sorted.
#include "kernels/sort/key_lines.h"

#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace strider::nd {
namespace {

// Lines up to this length are sorted in one go.
constexpr std::int64_t kShortLine = 1 << 16;
// Pieces are no longer, so that an interrupt need not wait.
constexpr std::int64_t kLongestPiece = 1 << 20;
constexpr std::int64_t kConvertGrain = 1 << 16;
constexpr std::int64_t kSamples = 63;
// Parting a line takes fewer rounds, unless somebody chose the keys to prevent it.
constexpr int kMostRounds = 64;

// The least line that is worth sharing.
std::int64_t least_long_line() { return std::max(worth_a_thread(kShortLine), 4 * kLeastPart); }

struct Piece {
  std::int64_t begin = 0;
  std::int64_t count = 0;
};

class LongLine {
 public:
  LongLine(std::byte* keys, int size) : keys_(keys), size_(size), loops_(*find_key_sort(size)) {}

  void sort(std::int64_t count) {
    std::vector<Piece> pieces = parted({0, count});
    parallel_for(std::ssize(pieces), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        check_interrupt();
        const Piece& piece = pieces[static_cast<std::size_t>(i)];
        loops_.sort(at(piece.begin), piece.count);
      }
    });
  }

 private:
  std::byte* at(std::int64_t index) { return keys_ + index * size_; }

  std::int64_t key(std::int64_t index) {
    if (size_ == 4) return reinterpret_cast<const std::int32_t*>(keys_)[index];
    return reinterpret_cast<const std::int64_t*>(keys_)[index];
  }

  // A key near the middle of the piece's order.
  std::int64_t pivot_of(const Piece& piece) {
    std::int64_t samples[kSamples], stride = piece.count / kSamples;
    std::uint64_t random = static_cast<std::uint64_t>(piece.count);
    for (std::int64_t i = 0; i < kSamples; ++i) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      std::int64_t offset = static_cast<std::int64_t>(random >> 33) % stride;
      samples[i] = key(piece.begin + i * stride + offset);
    }
    std::nth_element(samples, samples + kSamples / 2, samples + kSamples);
    return samples[kSamples / 2];
  }

  // Parts a piece in two; keys that are in place are left out.
  void part(const Piece& piece, Piece& low, Piece& high) {
    std::int64_t pivot = pivot_of(piece);
    std::int64_t below = loops_.part(at(piece.begin), piece.count, pivot);
    if (below < piece.count) {
      high = {piece.begin + below, piece.count - below};
    } else {
      bool least = pivot == (size_ == 4 ? std::numeric_limits<std::int32_t>::min()
                                        : std::numeric_limits<std::int64_t>::min());
      below = least ? 0 : loops_.part(at(piece.begin), piece.count, pivot - 1);
    }
    low = {piece.begin, below};
  }

  std::vector<Piece> parted(Piece whole) {
    std::int64_t wanted = std::clamp<std::int64_t>(whole.count / (4 * thread_count()),
                                                   least_long_line() / 4, kLongestPiece);
    std::vector<Piece> pieces, open{whole};
    for (int round = 0; !open.empty() && round < kMostRounds; ++round) {
      std::vector<Piece> halves(2 * open.size());
      parallel_for(std::ssize(open), 1, [&](std::int64_t begin, std::int64_t end) {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
          check_interrupt();
          part(open[i], halves[2 * i], halves[2 * i + 1]);
        }
      });
      open.clear();
      for (const Piece& half : halves) {
        if (half.count > wanted)
          open.push_back(half);
        else if (half.count > 1)
          pieces.push_back(half);
      }
    }
    pieces.insert(pieces.end(), open.begin(), open.end());
    return pieces;
  }

  std::byte* keys_;
  int size_;
  const KeySort& loops_;
};

}  // namespace

const KeySort* find_key_sort(int size) {
  if (size != 4 && size != 8) return nullptr;
  const KeySort& found = size == 8 ? key_sorts().eight_bytes : key_sorts().four_bytes;
  return found.sort ? &found : nullptr;
}

void sort_key_line(std::byte* keys, std::int64_t count, int size) {
  if (count <= least_long_line()) return find_key_sort(size)->sort(keys, count);
  LongLine(keys, size).sort(count);
}

void convert_line(void (*convert)(std::byte*, std::int64_t), std::byte* line, std::int64_t count,
                  int size) {
  if (count <= kConvertGrain) return convert(line, count);
  parallel_for(count, kConvertGrain, [&](std::int64_t begin, std::int64_t end) {
    convert(line + begin * size, end - begin);
  });
}

}  // namespace strider::nd
