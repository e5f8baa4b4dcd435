// NumPy scalars that a device computes: 0-d arrays until somebody asks for their values.
#pragma once

#include <span>

#include "interpreter/builtins/numpy/array/array_object.h"

namespace strider::lang {

struct PendingElement {
  nd::Array array;  // 0-d; no other array shows its element
  double bound;     // what an integer does not go beyond, up or down
  NumpyScalar* owner = nullptr;
  PendingElement* newer = nullptr;  // among all that are pending
  PendingElement* older = nullptr;
};

// The scalar of a 0-d array whose element is not in host memory: pending where a device has it or
// will have it, and starts what computes it.
Value make_pending(nd::Array array, double bound);

// Settles those that are pending, at one wait.
void settle_together(std::span<const Value> scalars);

inline const nd::Array& pending_array(const Value& value) {
  return value.as<NumpyScalar>()->element().array;
}
inline double pending_bound(const Value& value) { return value.as<NumpyScalar>()->element().bound; }

}  // namespace strider::lang
