// Gather and scatter: one copying loop for each direction and element size.
#include "kernels/index/gather.h"

#include <cstring>

#include "kernels/index/walk.h"

namespace strider::nd {
namespace {

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T>
void store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

// Copies whole runs of bytes to or from every offset.
struct RunCopy {
  std::span<const std::int64_t> offsets;
  std::size_t run;

  void gather(const std::byte* base, std::byte*& packed) const {
    for (std::int64_t offset : offsets) {
      std::memcpy(packed, base + offset, run);
      packed += run;
    }
  }
  void scatter(std::byte* base, const std::byte*& packed) const {
    for (std::int64_t offset : offsets) {
      std::memcpy(base + offset, packed, run);
      packed += run;
    }
  }
};

template <class T>
void gather_items(const std::byte* base, const Places& places, std::byte*& packed) {
  for (std::int64_t offset : places.offsets) {
    store(packed, load<T>(base + offset));
    packed += sizeof(T);
  }
}

template <class T>
void scatter_items(std::byte* base, const Places& places, const std::byte*& packed,
                   std::int64_t step) {
  for (std::int64_t offset : places.offsets) {
    store(base + offset, load<T>(packed));
    packed += step;
  }
}

template <class T>
void gather_strided(const std::byte* base, const Places& places, const Walk<1>& inner,
                    std::byte*& packed) {
  std::int64_t length = inner.row_length(), step = inner.row_steps()[0];
  for (std::int64_t offset : places.offsets)
    inner.for_each_row([&](const Walk<1>::Offsets& row) {
      const std::byte* from = base + offset + row[0];
      for (std::int64_t i = 0; i < length; ++i, packed += sizeof(T))
        store(packed, load<T>(from + i * step));
    });
}

template <class T>
void scatter_strided(std::byte* base, const Places& places, const Walk<1>& inner,
                     const std::byte*& packed, std::int64_t packed_step) {
  std::int64_t length = inner.row_length(), step = inner.row_steps()[0];
  for (std::int64_t offset : places.offsets)
    inner.for_each_row([&](const Walk<1>::Offsets& row) {
      std::byte* to = base + offset + row[0];
      for (std::int64_t i = 0; i < length; ++i, packed += packed_step)
        store(to + i * step, load<T>(packed));
    });
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
  dispatch_size(places.item, [&](auto word) {
    using T = decltype(word);
    for_each_outer(places, [&](std::int64_t offset) {
      if (run == sizeof(T))
        gather_items<T>(base + offset, places, packed);
      else if (run)
        RunCopy{places.offsets, run}.gather(base + offset, packed);
      else
        gather_strided<T>(base + offset, places, inner, packed);
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
        scatter_items<T>(base + offset, places, packed, step);
      else if (run && !repeat_one)
        RunCopy{places.offsets, run}.scatter(base + offset, packed);
      else
        scatter_strided<T>(base + offset, places, inner, packed, step);
    });
  });
}

}  // namespace strider::nd
