// The common type of several arrays. Knows promotion of pairs only from dtype.h.
#pragma once

#include <strider/nd/array.h>

#include <span>

namespace strider::nd {

// numpy.result_type of arrays: the highest categories are promoted first, so that integers meet the
// floating type rather than each other.
inline DType promote_all(std::span<const Array> arrays) {
  DType common = arrays[0].dtype();
  for (const Array& array : arrays)
    if (category(array.dtype()) > category(common)) common = array.dtype();
  for (int rank = static_cast<int>(Category::kComplex); rank >= 0; --rank)
    for (const Array& array : arrays)
      if (static_cast<int>(category(array.dtype())) == rank)
        common = promote(common, array.dtype());
  return common;
}

}  // namespace strider::nd
