// Some places of an image at a time, all their channels in the cache.
#include "kernels/network/response_norm.h"

#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <vector>

#include "kernels/backend/cpu/kernels.h"
#include "kernels/backend/cpu/network_rows.h"

namespace strider::nd {
namespace {

constexpr std::int64_t kBlockNumbers = 1 << 15;  // of a block in the cache
constexpr std::int64_t kShortest = 16;           // places of a block

template <class T>
class Normalization {
 public:
  explicit Normalization(const ResponseNorm& norm)
      : norm_(norm), behind_((norm.size - 1) / 2), ahead_(norm.size / 2) {
    std::int64_t places = std::max(kShortest, kBlockNumbers / norm.channels);
    places_ = std::min(places, norm.inner);
  }

  void forward(const T* x, T* y) const {
    each_block([&](Memory& memory, std::int64_t first, std::int64_t count) {
      for (std::int64_t c = 0; c < norm_.channels; ++c) {
        T* to = y + first + c * norm_.inner;
        find_base(x + first, c, memory.base.data(), count);
        raise(memory, memory.base.data(), to, count);
        loops_.multiply(to, x + first + c * norm_.inner, count);
      }
    });
  }

  // Every channel hears from its own result, and from those whose sums it was in.
  void backward(const T* dy, const T* x, const T* y, T* dx) const {
    T factor = static_cast<T>(2 * norm_.alpha * norm_.beta / static_cast<double>(norm_.size));
    each_block([&](Memory& memory, std::int64_t first, std::int64_t count) {
      memory.shares.resize(static_cast<std::size_t>(norm_.channels * places_));
      T *base = memory.base.data(), *sum = memory.sum.data();
      for (std::int64_t c = 0; c < norm_.channels; ++c) {
        std::int64_t at = first + c * norm_.inner;
        find_base(x + first, c, base, count);
        loops_.share(dy + at, y + at, base, memory.shares.data() + c * places_, count);
        raise(memory, base, dx + at, count);
      }
      for (std::int64_t c = 0; c < norm_.channels; ++c) {
        std::int64_t at = first + c * norm_.inner;
        std::int64_t begin = std::max<std::int64_t>(0, c - ahead_);
        std::int64_t end = std::min(norm_.channels, c + behind_ + 1);
        std::fill_n(sum, count, T(0));
        for (std::int64_t k = begin; k < end; ++k)
          loops_.add(sum, memory.shares.data() + k * places_, count);
        loops_.differ(dx + at, dy + at, factor, x + at, sum, count);
      }
    });
  }

 private:
  struct Memory {
    std::vector<T> base, sum, exponents, shares;
  };

  // body(memory, first, count) for places of an image.
  template <class Body>
  void each_block(Body&& body) const {
    std::int64_t blocks = (norm_.inner + places_ - 1) / places_;
    std::int64_t work = norm_.channels * places_ * (norm_.size + 16);
    parallel_for(norm_.batch * blocks, 1 + worth_a_thread(1 << 17) / work,
                 [&](std::int64_t begin, std::int64_t end) {
                   auto size = static_cast<std::size_t>(places_);
                   Memory memory{std::vector<T>(size),
                                 std::vector<T>(size),
                                 std::vector<T>(size, static_cast<T>(-norm_.beta)),
                                 {}};
                   for (std::int64_t i = begin; i < end; ++i) {
                     check_interrupt();
                     std::int64_t place = i % blocks * places_;
                     std::int64_t first = i / blocks * norm_.channels * norm_.inner + place;
                     body(memory, first, std::min(places_, norm_.inner - place));
                   }
                 });
  }

  // k + alpha / size * the sum of squares around a channel.
  void find_base(const T* x, std::int64_t channel, T* base, std::int64_t count) const {
    std::int64_t begin = std::max<std::int64_t>(0, channel - behind_);
    std::int64_t end = std::min(norm_.channels, channel + ahead_ + 1);
    std::fill_n(base, count, T(0));
    for (std::int64_t k = begin; k < end; ++k) loops_.add_squares(base, x + k * norm_.inner, count);
    loops_.scale(base, static_cast<T>(norm_.alpha / static_cast<double>(norm_.size)),
                 static_cast<T>(norm_.k), count);
  }

  // to = base^-beta.
  void raise(const Memory& memory, const T* base, T* to, std::int64_t count) const {
    const std::byte* from[] = {reinterpret_cast<const std::byte*>(base),
                               reinterpret_cast<const std::byte*>(memory.exponents.data())};
    std::byte* target = reinterpret_cast<std::byte*>(to);
    power_(from, &target, count);
  }

  const ResponseNorm& norm_;
  const NetworkRows<T>& loops_ = network_rows<T>();
  const Kernel power_ = find_kernel(Op::kPower, dtype_of<T>);
  std::int64_t behind_, ahead_;
  std::int64_t places_;  // of a block
};

}  // namespace

template <class T>
void normalize_channels(const ResponseNorm& norm, const T* x, T* y) {
  Normalization<T>(norm).forward(x, y);
}

template <class T>
void normalize_channels_gradient(const ResponseNorm& norm, const T* dy, const T* x, const T* y,
                                 T* dx) {
  Normalization<T>(norm).backward(dy, x, y, dx);
}

template void normalize_channels(const ResponseNorm&, const float*, float*);
template void normalize_channels(const ResponseNorm&, const double*, double*);
template void normalize_channels_gradient(const ResponseNorm&, const float*, const float*,
                                          const float*, float*);
template void normalize_channels_gradient(const ResponseNorm&, const double*, const double*,
                                          const double*, double*);

}  // namespace strider::nd
