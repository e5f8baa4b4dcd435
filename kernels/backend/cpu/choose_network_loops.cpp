// Chooses the inner loops of networks for this processor.
#include "kernels/backend/cpu/network_rows.h"
#include "kernels/backend/cpu/targets.h"
#include "kernels/backend/cpu/windows.h"

namespace strider::nd {

template <class Table>
using Fill = void(Table& table);
STRIDER_IN_TARGETS(Fill<WindowKernels<float>> fill_windows;
                   Fill<WindowKernels<double>> fill_windows;
                   Fill<NetworkRows<float>> fill_network_rows;
                   Fill<NetworkRows<double>> fill_network_rows;)

namespace {

template <class T>
struct Chosen {
  Chosen() {
    STRIDER_AT_BEST(fill_windows(windows));
    STRIDER_AT_BEST(fill_network_rows(rows));
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
