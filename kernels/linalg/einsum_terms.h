// The subscripts of einsum, read and checked against the operands' shapes. Contracts nothing.
#pragma once

#include <strider/nd/array.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/core/small_list.h"

namespace strider::nd {

// Labels of axes: letters by their code; the axes of an ellipsis are -1 (the last), -2, …
using Labels = SmallList<int, 8>;

inline bool contains(const Labels& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}
inline void append(Labels& labels, const Labels& more) {
  for (int label : more) labels.push_back(label);
}

// How long the axes of each label are.
class Extents {
 public:
  std::int64_t& of(int label) {
    if (std::int64_t* known = find(label)) return *known;
    labels_.push_back(label);
    extents_.push_back(1);
    return extents_.back();
  }
  std::int64_t at(int label) const { return *const_cast<Extents*>(this)->find(label); }

 private:
  std::int64_t* find(int label) {
    const int* place = std::find(labels_.begin(), labels_.end(), label);
    return place == labels_.end() ? nullptr : extents_.begin() + (place - labels_.begin());
  }
  Labels labels_;
  SmallList<std::int64_t, 8> extents_;
};

struct EinsumTerms {
  std::vector<Labels> inputs;  // one per operand, one label per axis (repeats allowed)
  Labels output;
  Extents extents;
};

// Reads "ij,jk->ik". Errors are NumPy's (kValue).
EinsumTerms parse_einsum(std::string_view subscripts, std::span<const Array> operands);

}  // namespace strider::nd
