// Histograms by recorded operations: the bin of each value, then how often each occurs.
#pragma once

#include <strider/nd/array.h>

namespace strider::nd {

// Counts of packed float64 values in equal bins, as histogram_uniform says.
Array histogram_there(const Array& values, std::int64_t bins, double low, double high,
                      const Array* weights);

}  // namespace strider::nd
