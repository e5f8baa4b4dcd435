// Bluestein's algorithm on plans of smooth length.
#include "kernels/fft/bluestein.h"

#include <algorithm>

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
Bluestein<T>::Bluestein(std::int64_t length)
    : length_(length),
      padded_(smooth_length(2 * length - 1)),
      plan_(padded_, typename FftPlan<T>::SmoothOnly{}) {
  Roots roots(2 * length);
  std::int64_t square = 0;  // k^2 modulo 2 length
  for (std::int64_t k = 0; k < length; ++k) {
    std::complex<double> root = roots[square];
    chirp_.push_back({static_cast<T>(root.real()), static_cast<T>(root.imag())});
    square = (square + 2 * k + 1) % (2 * length);
  }
  transform_.resize(static_cast<std::size_t>(padded_), {0, 0});
  for (std::int64_t k = 0; k < length; ++k) {
    transform_[static_cast<std::size_t>(k)] = chirp_[static_cast<std::size_t>(k)];
    if (k) transform_[static_cast<std::size_t>(padded_ - k)] = chirp_[static_cast<std::size_t>(k)];
  }
  std::vector<Cplx<T>> scratch(static_cast<std::size_t>(plan_.scratch_size()));
  plan_.execute(transform_.data(), scratch.data(), true, T(1) / static_cast<T>(padded_));
}

namespace {

template <class T>
Cplx<T> product(Cplx<T> a, Cplx<T> b, bool conjugate_b) {
  return conjugate_b ? times_root<true>(a, b) : times_root<false>(a, b);
}

}  // namespace

// A backward transform is the forward one of the conjugate, conjugated: the chirp's sign changes,
// and so does its transform, which is symmetric.
template <class T>
void Bluestein<T>::execute(Cplx<T>* data, Cplx<T>* scratch, bool forward, T factor) const {
  Cplx<T>*padded = scratch, *rest = scratch + padded_;
  const Cplx<T>* chirp = chirp_.data();
  for (std::int64_t k = 0; k < length_; ++k) padded[k] = product(data[k], chirp[k], forward);
  std::fill(padded + length_, padded + padded_, Cplx<T>{0, 0});
  plan_.execute(padded, rest, forward, T(1));
  for (std::int64_t k = 0; k < padded_; ++k)
    padded[k] = product(padded[k], transform_[static_cast<std::size_t>(k)], !forward);
  plan_.execute(padded, rest, !forward, T(1));
  for (std::int64_t k = 0; k < length_; ++k)
    data[k] = factor * product(padded[k], chirp[k], forward);
}

template class Bluestein<float>;
template class Bluestein<double>;

}  // namespace strider::nd
