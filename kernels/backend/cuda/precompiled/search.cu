// Binary search: one thread for each value.
#include "kernels/backend/cuda/precompiled/each.cuh"
#include "kernels/backend/cuda/precompiled/keys.cuh"

namespace strider::nd::cuda {
namespace {

template <class Key>
struct KeyOrder {
  KeyKind kind;
  __device__ bool before(Key a, Key b) const {
    return to_key(a, kind, true) < to_key(b, kind, true);
  }
};

template <class Real>
struct ComplexOrder {
  __device__ bool before(Complex<Real> a, Complex<Real> b) const { return comes_before(a, b); }
};

template <class T, class Order>
struct Search {
  Order order;
  const T* sorted;
  std::int64_t size;
  const T* values;
  bool right;
  std::int64_t* places;
  __device__ void operator()(std::int64_t i) const {
    T value = values[i];
    std::int64_t begin = 0, end = size;
    while (begin < end) {
      std::int64_t middle = begin + (end - begin) / 2;
      T at = sorted[middle];
      bool after = right ? !order.before(value, at) : order.before(at, value);
      begin = after ? middle + 1 : begin;
      end = after ? end : middle;
    }
    places[i] = begin;
  }
};

// What all searches are given.
struct Wanted {
  const Queue& queue;
  const std::byte *sorted, *values;
  std::int64_t size, count;
  bool right;
  std::int64_t* places;
};

template <class T, class Order>
void search(const Wanted& wanted, Order order) {
  for_each(
      wanted.queue, wanted.count,
      Search<T, Order>{order, reinterpret_cast<const T*>(wanted.sorted), wanted.size,
                       reinterpret_cast<const T*>(wanted.values), wanted.right, wanted.places});
}

}  // namespace

void search_keys(const Queue& queue, KeyKind kind, int item, const std::byte* sorted,
                 std::int64_t size, const std::byte* values, std::int64_t count, bool right,
                 std::int64_t* places) {
  Wanted wanted{queue, sorted, values, size, count, right, places};
  switch (item) {
    case 1:
      return search<std::uint8_t>(wanted, KeyOrder<std::uint8_t>{kind});
    case 2:
      return search<std::uint16_t>(wanted, KeyOrder<std::uint16_t>{kind});
    case 4:
      return search<std::uint32_t>(wanted, KeyOrder<std::uint32_t>{kind});
    default:
      return search<std::uint64_t>(wanted, KeyOrder<std::uint64_t>{kind});
  }
}

void search_complex(const Queue& queue, int item, const std::byte* sorted, std::int64_t size,
                    const std::byte* values, std::int64_t count, bool right, std::int64_t* places) {
  Wanted wanted{queue, sorted, values, size, count, right, places};
  if (item == 8) return search<Complex<float>>(wanted, ComplexOrder<float>());
  search<Complex<double>>(wanted, ComplexOrder<double>());
}

}  // namespace strider::nd::cuda
