// Chooses the inner loops of networks for this processor.
#include "kernels/backend/cpu/kernels.h"
#include "kernels/backend/cpu/network_rows.h"
#include "kernels/backend/cpu/windows.h"

namespace strider::nd {

#define STRIDER_FILLS(target)                   \
  namespace target {                            \
  void fill_windows(WindowKernels<float>&);     \
  void fill_windows(WindowKernels<double>&);    \
  void fill_network_rows(NetworkRows<float>&);  \
  void fill_network_rows(NetworkRows<double>&); \
  inline void fill(auto& windows, auto& rows) { \
    fill_windows(windows);                      \
    fill_network_rows(rows);                    \
  }                                             \
  }
STRIDER_FILLS(plain)
#ifdef STRIDER_KERNELS_AVX2
STRIDER_FILLS(avx2)
#endif
#ifdef STRIDER_KERNELS_AVX512
STRIDER_FILLS(avx512)
#endif
#undef STRIDER_FILLS

namespace {

template <class T>
struct Chosen {
  Chosen() {
    switch (best_target()) {
#ifdef STRIDER_KERNELS_AVX512
      case Target::kAvx512:
        avx512::fill(windows, rows);
        break;
#endif
#ifdef STRIDER_KERNELS_AVX2
      case Target::kAvx2:
        avx2::fill(windows, rows);
        break;
#endif
      default:
        plain::fill(windows, rows);
    }
  }
  WindowKernels<T> windows;
  NetworkRows<T> rows{};
};

template <class T>
const Chosen<T>& chosen() {
  static const Chosen<T> kernels;
  return kernels;
}

}  // namespace

template <class T>
const WindowKernels<T>& window_kernels() {
  return chosen<T>().windows;
}
template <class T>
const NetworkRows<T>& network_rows() {
  return chosen<T>().rows;
}

template const WindowKernels<float>& window_kernels();
template const WindowKernels<double>& window_kernels();
template const NetworkRows<float>& network_rows();
template const NetworkRows<double>& network_rows();

}  // namespace strider::nd
