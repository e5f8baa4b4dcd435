// Gather and scatter: one thread for each word that moves.
#include <type_traits>

#include "kernels/backend/cuda/precompiled/each.cuh"
#include "kernels/backend/cuda/precompiled/kernels.h"

namespace strider::nd::cuda {
namespace {

// Walked axes, with indices of type I.
template <class I>
struct Axes {
  int rank;
  I extent[WalkedAxes::kMost];
  std::int64_t stride[WalkedAxes::kMost];

  explicit Axes(const WalkedAxes& axes) : rank(axes.rank) {
    for (int k = 0; k < rank; ++k) {
      extent[k] = static_cast<I>(axes.extent[k]);
      stride[k] = axes.stride[k];
    }
  }
  // The offset in bytes of a position.
  __device__ std::int64_t offset(I position) const {
    std::int64_t sum = 0;
    for (int k = rank - 1; k > 0; --k) {
      I above = position / extent[k];
      sum += static_cast<std::int64_t>(position - above * extent[k]) * stride[k];
      position = above;
    }
    return rank ? sum + static_cast<std::int64_t>(position) * stride[0] : sum;
  }
};

template <class Word, class I>
struct Finder {
  Axes<I> outer, inner;
  const std::int64_t* offsets;
  I offset_count, inner_count;

  explicit Finder(const WordPlaces& places)
      : outer(places.outer),
        inner(places.inner),
        offsets(places.offsets),
        offset_count(static_cast<I>(places.offset_count)),
        inner_count(static_cast<I>(places.inner.count)) {}

  struct Found {
    std::int64_t at;
    I which, within;  // the number of the offset, and of the position in the inner axes
  };
  __device__ Found find(std::int64_t number) const {
    I rest = static_cast<I>(number), within = 0, before = 0;
    if (inner_count != 1) {
      I above = rest / inner_count;
      within = rest - above * inner_count;
      rest = above;
    }
    if (outer.rank) {
      before = rest / offset_count;
      rest -= before * offset_count;
    }
    return {offsets[rest] + inner.offset(within) + outer.offset(before), rest, within};
  }
};

template <class Word, class I>
struct Gather {
  Finder<Word, I> finder;
  const std::byte* base;
  Word* packed;
  __device__ void operator()(std::int64_t i) const {
    packed[i] = *reinterpret_cast<const Word*>(base + finder.find(i).at);
  }
};

template <class Word, class I>
struct Scatter {
  Finder<Word, I> finder;
  std::byte* base;
  const Word* packed;
  const std::uint8_t* kept;
  I item_words;  // 0: every element has a value of its own
  __device__ void operator()(std::int64_t i) const {
    auto found = finder.find(i);
    if (kept && !kept[found.which]) return;
    Word value = item_words ? packed[found.within % item_words] : packed[i];
    *reinterpret_cast<Word*>(base + found.at) = value;
  }
};

// Calls body(Word, Index) with types that suit the places.
template <class Body>
void for_types(const WordPlaces& places, Body&& body) {
  auto with_word = [&](auto word) {
    if (places.total() < (std::int64_t{1} << 32)) return body(word, std::uint32_t{});
    body(word, std::uint64_t{});
  };
  switch (places.word) {
    case 1:
      return with_word(std::uint8_t{});
    case 2:
      return with_word(std::uint16_t{});
    case 4:
      return with_word(std::uint32_t{});
    default:
      return with_word(std::uint64_t{});
  }
}

}  // namespace

void gather_words(const Queue& queue, const std::byte* base, const WordPlaces& places,
                  std::byte* packed) {
  for_types(places, [&](auto word, auto index) {
    using Word = decltype(word);
    using I = decltype(index);
    for_each(queue, places.total(),
             Gather<Word, I>{Finder<Word, I>(places), base, reinterpret_cast<Word*>(packed)});
  });
}

void scatter_words(const Queue& queue, std::byte* base, const WordPlaces& places,
                   const std::byte* packed, bool repeat_one, const std::uint8_t* kept) {
  for_types(places, [&](auto word, auto index) {
    using Word = decltype(word);
    using I = decltype(index);
    I item_words = repeat_one ? static_cast<I>(places.item_words) : I{0};
    for_each(queue, places.total(),
             Scatter<Word, I>{Finder<Word, I>(places), base, reinterpret_cast<const Word*>(packed),
                              kept, item_words});
  });
}

namespace {

using Unsigned = unsigned long long;

// An offset's number among the multiples of `step` from `lowest` on.
struct Numbering {
  const std::int64_t* offsets;
  std::int64_t lowest, step;
  __device__ std::int64_t operator()(std::int64_t i) const { return (offsets[i] - lowest) / step; }
};

struct Claim {
  Numbering number;
  Unsigned* latest;
  __device__ void operator()(std::int64_t i) const {
    atomicMax(latest + number(i), static_cast<Unsigned>(i) + 1);
  }
};

struct KeepLatest {
  Numbering number;
  const Unsigned* latest;
  std::uint8_t* kept;
  __device__ void operator()(std::int64_t i) const {
    kept[i] = latest[number(i)] == static_cast<Unsigned>(i) + 1;
  }
};

struct Enumerate {
  Numbering number;
  std::uint64_t* numbers;
  std::int64_t* positions;
  __device__ void operator()(std::int64_t i) const {
    numbers[i] = static_cast<std::uint64_t>(number(i));
    positions[i] = i;
  }
};

struct KeepRunEnds {
  const std::uint64_t* numbers;
  const std::int64_t* positions;
  std::int64_t count;
  std::uint8_t* kept;
  __device__ void operator()(std::int64_t i) const {
    kept[positions[i]] = i + 1 == count || numbers[i] != numbers[i + 1];
  }
};

int bits_of(std::int64_t largest) {
  int bits = 1;
  while (largest >>= 1) ++bits;
  return bits;
}

}  // namespace

void keep_last(const Queue& queue, const Places& places, std::uint8_t* kept) {
  auto count = static_cast<std::int64_t>(places.offsets.size());
  std::int64_t step = std::max<std::int64_t>(places.step, 1);
  Numbering number{places.offsets.data(), places.lowest, step};
  std::int64_t numbers = (places.highest - places.lowest) / step + 1;
  if (numbers <= 16 * count || numbers <= (1 << 20)) {
    std::size_t bytes = static_cast<std::size_t>(numbers) * sizeof(Unsigned);
    Workspace table(queue.device, bytes);
    check_launch(cudaMemsetAsync(table.start(), 0, bytes, queue.stream));
    for_each(queue, count, Claim{number, table.as<Unsigned>()});
    for_each(queue, count, KeepLatest{number, table.as<Unsigned>(), kept});
    return;
  }
  std::size_t bytes = static_cast<std::size_t>(count) * 8;
  Workspace keys(queue.device, bytes), positions(queue.device, bytes);
  auto* key = keys.as<std::uint64_t>();
  auto* position = positions.as<std::int64_t>();
  for_each(queue, count, Enumerate{number, key, position});
  sort_pairs(queue, key, position, count, bits_of(numbers - 1));
  for_each(queue, count, KeepRunEnds{key, position, count, kept});
}

}  // namespace strider::nd::cuda
