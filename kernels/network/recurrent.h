// The LSTM in host memory and its gradient; see backend/networks.h. Its trace are the gates of all
// steps and then all c.
#pragma once

#include "kernels/backend/networks.h"

namespace strider::nd {

template <class T>
std::int64_t lstm_trace_size(const Recurrent& shape);
template <class T>
void run_lstm(const Recurrent& shape, const RecurrentOperands& operands,
              const RecurrentResults& results);
template <class T>
void run_lstm_gradient(const Recurrent& shape, const RecurrentOperands& operands,
                       const RecurrentOutcome& outcome, const RecurrentGradients& gradients);

}  // namespace strider::nd
