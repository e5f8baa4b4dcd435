// Gather and scatter: one copying loop for each direction and element size.
#include "kernels/index/gather.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "kernels/core/unaligned.h"
#include "kernels/index/walk.h"

namespace strider::nd {
namespace {

// Copies whole runs of bytes from every offset; returns the end of what was written.
std::byte* gather_runs(const std::byte* base, const Places& places, std::size_t run,
                       std::byte* packed) {
  for (std::int64_t offset : places.offsets) {
    std::memcpy(packed, base + offset, run);
    packed += run;
  }
  return packed;
}

const std::byte* scatter_runs(std::byte* base, const Places& places, std::size_t run,
                              const std::byte* packed) {
  for (std::int64_t offset : places.offsets) {
    std::memcpy(base + offset, packed, run);
    packed += run;
  }
  return packed;
}

template <class T>
std::byte* gather_items(const std::byte* base, const Places& places, std::byte* packed) {
  for (std::int64_t offset : places.offsets) {
    store(packed, load<T>(base + offset));
    packed += sizeof(T);
  }
  return packed;
}

template <class T>
const std::byte* scatter_items(std::byte* base, const Places& places, const std::byte* packed,
                               std::int64_t step) {
  for (std::int64_t offset : places.offsets) {
    store(base + offset, load<T>(packed));
    packed += step;
  }
  return packed;
}

// What is stored may be anything, as far as the compiler knows: these keep their loops' bounds to
// themselves.
template <class T>
void pack(const std::byte* from, std::int64_t step, std::int64_t count, std::byte* packed) {
  for (std::int64_t i = 0; i < count; ++i) store(packed + i * sizeof(T), load<T>(from + i * step));
}

template <class T>
void unpack(const std::byte* packed, std::int64_t packed_step, std::int64_t count, std::byte* to,
            std::int64_t step) {
  for (std::int64_t i = 0; i < count; ++i) store(to + i * step, load<T>(packed + i * packed_step));
}

template <class T>
std::byte* gather_strided(const std::byte* base, const Places& places, const Walk<1>& inner,
                          std::byte* packed) {
  std::int64_t length = inner.row_length(), step = inner.row_steps()[0];
  for (std::int64_t offset : places.offsets)
    inner.for_each_row([&](const Walk<1>::Offsets& row) {
      pack<T>(base + offset + row[0], step, length, packed);
      packed += length * sizeof(T);
    });
  return packed;
}

// The same with one inner axis: some of its positions at a time for all offsets, so that what lies
// beside what was read is still in the cache when the next offset wants it.
template <class T>
std::byte* gather_lines(const std::byte* base, const Places& places, const Walk<1>& inner,
                        std::byte* packed) {
  constexpr std::int64_t kCached = 1 << 18, kFewest = 16;
  std::int64_t length = inner.row_length(), step = inner.row_steps()[0];
  std::int64_t together = std::max(kFewest, kCached / std::max<std::int64_t>(std::abs(step), 1));
  for (std::int64_t begin = 0; begin < length; begin += together) {
    std::int64_t count = std::min(together, length - begin);
    std::byte* to = packed + begin * sizeof(T);
    for (std::int64_t offset : places.offsets) {
      pack<T>(base + offset + begin * step, step, count, to);
      to += length * sizeof(T);
    }
  }
  return packed + length * sizeof(T) * places.offsets.size();
}

template <class T>
const std::byte* scatter_strided(std::byte* base, const Places& places, const Walk<1>& inner,
                                 const std::byte* packed, std::int64_t packed_step) {
  std::int64_t length = inner.row_length(), step = inner.row_steps()[0];
  for (std::int64_t offset : places.offsets)
    inner.for_each_row([&](const Walk<1>::Offsets& row) {
      unpack<T>(packed, packed_step, length, base + offset + row[0], step);
      packed += length * packed_step;
    });
  return packed;
}

// So many items at each of many positions, a position after the other.
template <class T, std::size_t kCount>
std::byte* gather_few_columns(const std::byte* base, const Places& places, const Walk<1>& outer,
                              std::byte* packed) {
  std::int64_t length = outer.row_length(), step = outer.row_steps()[0], offsets[kCount];
  std::copy_n(places.offsets.begin(), kCount, offsets);
  outer.for_each_row([&](const Walk<1>::Offsets& row) {
    const std::byte* from = base + row[0];
    std::byte* to = packed;
    for (std::int64_t i = 0, count = length, apart = step; i < count; ++i, from += apart) {
      for (std::size_t k = 0; k < kCount; ++k, to += sizeof(T))
        store(to, load<T>(from + offsets[k]));
    }
    packed = to;
  });
  return packed;
}

// Some items at each of many positions: an item after the other, some positions at a time, so that
// each is a plain loop.
template <class T>
std::byte* gather_columns(const std::byte* base, const Places& places, const Walk<1>& outer,
                          std::byte* packed) {
  switch (places.offsets.size()) {
    case 1:
      return gather_few_columns<T, 1>(base, places, outer, packed);
    case 2:
      return gather_few_columns<T, 2>(base, places, outer, packed);
    case 3:
      return gather_few_columns<T, 3>(base, places, outer, packed);
    case 4:
      return gather_few_columns<T, 4>(base, places, outer, packed);
    default:
      break;
  }
  constexpr std::int64_t kTogether = 256;
  std::int64_t length = outer.row_length(), step = outer.row_steps()[0];
  auto width = static_cast<std::int64_t>(places.offsets.size() * sizeof(T));
  outer.for_each_row([&](const Walk<1>::Offsets& row) {
    for (std::int64_t begin = 0; begin < length; begin += kTogether) {
      std::int64_t count = std::min(kTogether, length - begin);
      std::byte* to = packed + begin * width;
      for (std::int64_t offset : places.offsets) {
        const std::byte* from = base + offset + row[0] + begin * step;
        for (std::int64_t i = 0; i < count; ++i) store(to + i * width, load<T>(from + i * step));
        to += sizeof(T);
      }
    }
    packed += length * width;
  });
  return packed;
}

// The bytes of the inner axes when they are one contiguous run, else 0.
std::size_t contiguous_run(const Walk<1>& inner, int item) {
  if (inner.rank() == 0) return static_cast<std::size_t>(item);
  if (inner.rank() > 1 || inner.row_steps()[0] != item) return 0;
  return static_cast<std::size_t>(inner.row_length() * item);
}

// Calls body(offset) for every position of the outer axes.
template <class Body>
void for_each_outer(const Places& places, Body&& body) {
  Walk<1> outer(places.outer_shape, {&places.outer_strides});
  std::int64_t length = outer.row_length(), step = outer.row_steps()[0];
  outer.for_each_row([&](const Walk<1>::Offsets& row) {
    for (std::int64_t i = 0; i < length; ++i) body(row[0] + i * step);
  });
}

}  // namespace

void gather(const std::byte* base, const Places& places, std::byte* packed) {
  Walk<1> inner(places.inner_shape, {&places.inner_strides});
  if (inner.empty()) return;
  std::size_t run = contiguous_run(inner, places.item);
  constexpr std::size_t kFew = 8;
  Walk<1> outer(places.outer_shape, {&places.outer_strides});
  bool columns = places.offsets.size() <= kFew && outer.row_length() > 1;
  dispatch_size(places.item, [&](auto word) {
    using T = decltype(word);
    if (columns && run == sizeof(T)) {
      gather_columns<T>(base, places, outer, packed);
      return;
    }
    for_each_outer(places, [&](std::int64_t offset) {
      if (run == sizeof(T))
        packed = gather_items<T>(base + offset, places, packed);
      else if (run)
        packed = gather_runs(base + offset, places, run, packed);
      else if (inner.rank() == 1)
        packed = gather_lines<T>(base + offset, places, inner, packed);
      else
        packed = gather_strided<T>(base + offset, places, inner, packed);
    });
  });
}

void scatter(std::byte* base, const Places& places, const std::byte* packed, bool repeat_one) {
  Walk<1> inner(places.inner_shape, {&places.inner_strides});
  if (inner.empty()) return;
  std::size_t run = contiguous_run(inner, places.item);
  std::int64_t step = repeat_one ? 0 : places.item;
  dispatch_size(places.item, [&](auto word) {
    using T = decltype(word);
    for_each_outer(places, [&](std::int64_t offset) {
      if (run == sizeof(T))
        packed = scatter_items<T>(base + offset, places, packed, step);
      else if (run && !repeat_one)
        packed = scatter_runs(base + offset, places, run, packed);
      else
        packed = scatter_strided<T>(base + offset, places, inner, packed, step);
    });
  });
}

namespace {

// Calls move(element number, place) for each index in turn; the number of those in bounds.
template <class Move>
std::int64_t for_each_index(const Line& line, const std::int64_t* indices, std::int64_t count,
                            Move&& move) {
  std::int64_t extent = line.extent, stride = line.stride;
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t index = indices[i] + (indices[i] < 0 ? extent : 0);
    if (static_cast<std::uint64_t>(index) >= static_cast<std::uint64_t>(extent)) return i;
    move(i, index * stride);
  }
  return count;
}

// Where an index points to that is in bounds; a negative one counts from the end.
[[gnu::always_inline]] inline std::int64_t place_of(std::int64_t index, std::int64_t extent,
                                                    std::int64_t stride) {
  return (index + ((index >> 63) & extent)) * stride;
}

template <class T>
void fill_line(std::byte* base, Line line, const std::int64_t* indices, std::int64_t count,
               T value) {
  for (std::int64_t i = 0; i < count; ++i)
    store(base + place_of(indices[i], line.extent, line.stride), value);
}

template <class T>
void scatter_line_of(std::byte* base, Line line, const std::int64_t* indices, std::int64_t count,
                     const std::byte* packed) {
  for (std::int64_t i = 0; i < count; ++i)
    store(base + place_of(indices[i], line.extent, line.stride), load<T>(packed + i * sizeof(T)));
}

}  // namespace

std::int64_t gather_line(const std::byte* base, const Line& line, const std::int64_t* indices,
                         std::int64_t count, std::byte* packed) {
  std::int64_t done = 0;
  dispatch_size(line.item, [&](auto word) {
    using T = decltype(word);
    done = for_each_index(line, indices, count, [=](std::int64_t i, std::int64_t at) {
      store(packed + i * sizeof(T), load<T>(base + at));
    });
  });
  return done;
}

std::int64_t check_line(const Line& line, const std::int64_t* indices, std::int64_t count) {
  // In bounds are those from which neither distance to a bound has the sign bit.
  auto extent = static_cast<std::uint64_t>(line.extent), distances = std::uint64_t{0};
  auto distances_of = [=](std::int64_t index) {
    auto bits = static_cast<std::uint64_t>(index);
    return (bits + extent) | (extent - 1 - bits);
  };
  for (std::int64_t i = 0; i < count; ++i) distances |= distances_of(indices[i]);
  if (!(distances >> 63)) return count;
  auto outside = [=](std::int64_t index) { return distances_of(index) >> 63; };
  return std::find_if(indices, indices + count, outside) - indices;
}

void scatter_line(std::byte* base, const Line& line, const std::int64_t* indices,
                  std::int64_t count, const std::byte* packed, bool repeat_one) {
  dispatch_size(line.item, [&](auto word) {
    using T = decltype(word);
    if (repeat_one)
      fill_line(base, line, indices, count, load<T>(packed));
    else
      scatter_line_of<T>(base, line, indices, count, packed);
  });
}

}  // namespace strider::nd
