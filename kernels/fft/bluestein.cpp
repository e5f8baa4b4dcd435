// Bluestein's algorithm on plans of smooth length.
#include "kernels/fft/bluestein.h"

#include <strider/nd/threads.h>

#include <algorithm>

#include "kernels/fft/line.h"
#include "kernels/fft/roots.h"

namespace strider::nd {

std::int64_t smooth_length(std::int64_t length) {
  std::int64_t best = 1;
  while (best < length) best *= 2;
  for (std::int64_t p11 = 1; p11 < best; p11 *= 11)
    for (std::int64_t p7 = p11; p7 < best; p7 *= 7)
      for (std::int64_t p5 = p7; p5 < best; p5 *= 5)
        for (std::int64_t p3 = p5; p3 < best; p3 *= 3) {
          std::int64_t product = p3;
          while (product < length) product *= 2;
          best = std::min(best, product);
        }
  return best;
}

template <class T>
Bluestein<T>::Bluestein(std::int64_t length, FftUse use)
    : length_(length),
      padded_(smooth_length(2 * length - 1)),
      plan_(padded_, use, typename FftPlan<T>::Smooth{}) {
  Roots roots(2 * length);
  std::int64_t square = 0;  // k^2 modulo 2 length
  for (std::int64_t k = 0; k < length; ++k) {
    std::complex<double> root = roots[square];
    chirp_.push_back({static_cast<T>(root.real()), static_cast<T>(root.imag())});
    square = (square + 2 * k + 1) % (2 * length);
  }
  std::vector<Cplx<T>> wrapped(static_cast<std::size_t>(padded_), {0, 0});
  for (std::int64_t k = 0; k < length; ++k) {
    wrapped[static_cast<std::size_t>(k)] = chirp_[static_cast<std::size_t>(k)];
    if (k) wrapped[static_cast<std::size_t>(padded_ - k)] = chirp_[static_cast<std::size_t>(k)];
  }
  transform_.resize(wrapped.size());
  Room<T> room;
  transform_packed(plan_, wrapped.data(), true, T(1) / static_cast<T>(padded_), transform_.data(),
                   room);
}

namespace {

constexpr std::int64_t kGrain = 32768;  // products worth a thread

// line *= by, or its conjugate, and the factor.
template <class T>
void multiply(Cplx<T>* line, const std::vector<Cplx<T>>& by, bool conjugate, T factor) {
  parallel_for(static_cast<std::int64_t>(by.size()), worth_a_thread(kGrain),
               [&](std::int64_t begin, std::int64_t end) {
                 fourier_kernels<T>().multiply(line + begin, by.data() + begin, conjugate, factor,
                                               end - begin, line + begin);
               });
}

}  // namespace

// A backward transform is the forward one of the conjugate, conjugated: the chirp's sign changes,
// and so does its transform, which is symmetric.
template <class T>
void Bluestein<T>::execute(Cplx<T>* line, Cplx<T>* scratch, bool forward, T factor,
                           Room<T>& room) const {
  multiply(line, chirp_, forward, T(1));
  std::fill(line + length_, line + padded_, Cplx<T>{0, 0});
  transform_packed(plan_, line, forward, T(1), scratch, room);
  multiply(scratch, transform_, !forward, T(1));
  transform_packed(plan_, scratch, !forward, T(1), line, room);
  multiply(line, chirp_, forward, factor);
}

template <class T>
void Bluestein<T>::run(Blocks<T>& blocks) const {
  auto multiply = [&](const std::vector<Cplx<T>>& by, FourierProduct<T> product) {
    product.block = blocks.now;
    product.vectors = blocks.vectors;
    product.by = by.data();
    product.rows = static_cast<std::int64_t>(by.size());
    fourier_kernels<T>().multiply_rows(product);
  };
  FourierProduct<T> by_chirp{}, there{}, back{};
  by_chirp.conjugate = back.conjugate = true;
  there.exchange_after = back.exchange_before = true;
  multiply(chirp_, by_chirp);
  std::int64_t row = blocks.vectors * 2 * fourier_kernels<T>().lanes;
  std::fill(blocks.now + length_ * row, blocks.now + padded_ * row, T(0));
  plan_.run(blocks);
  multiply(transform_, there);
  plan_.run(blocks);
  multiply(chirp_, back);
}

template class Bluestein<float>;
template class Bluestein<double>;

}  // namespace strider::nd
