// Loops over rows of numbers for pooling, response normalisation and the LSTM. Compiled for several
// instruction sets, of which the best one is chosen at run time. They allocate nothing and know no
// shapes.
#pragma once

#include <cstdint>

namespace strider::nd {

// One row of an LSTM: `hidden` numbers, gates i, f, g, o one behind another.
template <class T>
struct GateRow {
  std::int64_t hidden;
  T* gates;           // 4 hidden
  const T* before;    // c of the step before
  T* c;               // of this step
  const T* squashed;  // tanh(c)
};

template <class T>
struct NetworkRows {
  // into = the larger of both, NaN being largest.
  void (*larger)(T* into, const T* row, std::int64_t count);
  // to[i] = the largest of the `size` numbers from row[i * step] on.
  void (*largest)(const T* row, std::int64_t step, std::int64_t size, T* to, std::int64_t count);
  // into += row, and the sums of `size` numbers from row[i * step] on.
  void (*add)(T* into, const T* row, std::int64_t count);
  void (*sum)(const T* row, std::int64_t step, std::int64_t size, T* to, std::int64_t count);
  // into *= row.
  void (*multiply)(T* into, const T* row, std::int64_t count);
  // Where row[i * step] is the extreme y[i], rest[i] is added to into[i * step] and becomes 0.
  void (*give)(const T* row, T* into, std::int64_t step, const T* y, T* rest, std::int64_t count);
  // into[i * step] += row[i].
  void (*spread)(T* into, std::int64_t step, const T* row, std::int64_t count);

  // into += row * row.
  void (*add_squares)(T* into, const T* row, std::int64_t count);
  // row = k + factor * row.
  void (*scale)(T* row, T factor, T k, std::int64_t count);
  // to = a * b / c.
  void (*share)(const T* a, const T* b, const T* c, T* to, std::int64_t count);
  // into = into * by - factor * c * d.
  void (*differ)(T* into, const T* by, T factor, const T* c, const T* d, std::int64_t count);

  // gates += more + bias; those of i, f, o are halved then.
  void (*join_gates)(T* gates, const T* more, const T* bias, std::int64_t hidden);
  // From hyperbolic tangents of these to gates and the next c; tanh(c) and o to h.
  void (*open_gates)(const GateRow<T>& row);
  void (*put_out)(const GateRow<T>& row, T* h);
  // From gates to the gradients by what went into them, given those by h and by c, which becomes
  // the one by the c before.
  void (*close_gates)(const GateRow<T>& row, const T* dh, T* dc);
};

// Those for this processor.
template <class T>
const NetworkRows<T>& network_rows();

}  // namespace strider::nd
