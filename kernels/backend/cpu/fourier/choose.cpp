// Chooses the loops of Fourier transforms for this processor.
#include "kernels/backend/cpu/fourier/fourier.h"
#include "kernels/backend/cpu/targets.h"

namespace strider::nd {

template <class T>
using FillFourier = void(FourierKernels<T>& kernels);
STRIDER_IN_TARGETS(FillFourier<float> fill_fourier_passes, fill_fourier_moves, fill_fourier_lines;
                   FillFourier<double> fill_fourier_passes, fill_fourier_moves, fill_fourier_lines;)

namespace {

template <class T>
struct Chosen {
  Chosen() {
    STRIDER_AT_BEST(fill_fourier_passes(kernels));
    STRIDER_AT_BEST(fill_fourier_moves(kernels));
    STRIDER_AT_BEST(fill_fourier_lines(kernels));
  }
  FourierKernels<T> kernels{};
};

}  // namespace

template <class T>
const FourierKernels<T>& fourier_kernels() {
  static const Chosen<T> chosen;
  return chosen.kernels;
}

template const FourierKernels<float>& fourier_kernels();
template const FourierKernels<double>& fourier_kernels();

}  // namespace strider::nd
