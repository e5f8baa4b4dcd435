// Chooses the inner loops of correlation for this processor.
#include "kernels/backend/cpu/correlation.h"
#include "kernels/backend/cpu/targets.h"

namespace strider::nd {

template <class T>
using FillCorrelation = void(CorrelationKernels<T>& kernels);
STRIDER_IN_TARGETS(FillCorrelation<float> fill_correlation;
                   FillCorrelation<double> fill_correlation;
                   FillCorrelation<std::uint32_t> fill_correlation;
                   FillCorrelation<std::uint64_t> fill_correlation;)

template <class T>
const CorrelationKernels<T>& correlation_kernels() {
  static const CorrelationKernels<T> chosen = [] {
    CorrelationKernels<T> kernels;
    STRIDER_AT_BEST(fill_correlation(kernels));
    return kernels;
  }();
  return chosen;
}

template const CorrelationKernels<float>& correlation_kernels();
template const CorrelationKernels<double>& correlation_kernels();
template const CorrelationKernels<std::uint32_t>& correlation_kernels();
template const CorrelationKernels<std::uint64_t>& correlation_kernels();

}  // namespace strider::nd
