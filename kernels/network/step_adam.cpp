// A step of Adam over arrays: whether it can be done where they lie, and what it has to wait for.
#include <strider/nd/array.h>
#include <strider/nd/eval.h>

#include <algorithm>
#include <vector>

#include "kernels/core/node.h"
#include "kernels/network/site.h"

namespace strider::nd {
namespace {

constexpr std::int64_t kElementWork = 20;  // of an element, in multiplications

Storage& storage_of(const Array& array) { return *array.node()->storage; }

bool is_plain(const Array& array, DType dtype, const Dims& shape) {
  return array.dtype() == dtype && array.shape() == shape && array.node()->c_contiguous;
}

bool can_replace(const Array& array, DType dtype, const Dims& shape) {
  return is_plain(array, dtype, shape) && array.writeable() && !storage_of(array).borrowed();
}

// Whether no storage that is replaced is there twice, or is read as a gradient.
bool lie_apart(const AdamArrays& arrays) {
  std::vector<const Storage*> replaced, read;
  for (auto list : {arrays.x, arrays.means, arrays.squares}) {
    for (const Array& array : list) replaced.push_back(&storage_of(array));
  }
  for (const Array& array : arrays.gradients) read.push_back(&storage_of(array));
  std::sort(replaced.begin(), replaced.end());
  return std::adjacent_find(replaced.begin(), replaced.end()) == replaced.end() &&
         std::none_of(read.begin(), read.end(), [&](const Storage* storage) {
           return std::binary_search(replaced.begin(), replaced.end(), storage);
         });
}

bool can_step(const AdamArrays& arrays) {
  if (arrays.x.empty()) return false;
  DType dtype = arrays.x[0].dtype();
  if (dtype != DType::kFloat32 && dtype != DType::kFloat64) return false;
  for (std::size_t i = 0; i < arrays.x.size(); ++i) {
    const Dims& shape = arrays.x[i].shape();
    bool fits =
        can_replace(arrays.x[i], dtype, shape) && can_replace(arrays.means[i], dtype, shape) &&
        can_replace(arrays.squares[i], dtype, shape) && is_plain(arrays.gradients[i], dtype, shape);
    if (!fits) return false;
  }
  return lie_apart(arrays);
}

Backend* place_step(const AdamArrays& arrays) {
  const Array *largest = &arrays.x[0], *moves_it = &arrays.gradients[0];
  std::int64_t total = 0;
  for (std::size_t i = 0; i < arrays.x.size(); ++i) {
    total += arrays.x[i].size();
    if (arrays.x[i].size() <= largest->size()) continue;
    largest = &arrays.x[i];
    moves_it = &arrays.gradients[i];
  }
  return place_network({largest, moves_it}, static_cast<double>(total * kElementWork));
}

// Has all that is read computed, and all that still reads what will be replaced.
void settle(const AdamArrays& arrays) {
  for (auto list : {arrays.gradients, arrays.x, arrays.means, arrays.squares}) {
    for (const Array& array : list) evaluate(array);
  }
  for (auto list : {arrays.x, arrays.means, arrays.squares}) {
    for (const Array& array : list) {
      if (storage_of(array).readers) settle_readers(storage_of(array));
    }
  }
}

}  // namespace

bool step_adam(const AdamStep& step, const AdamArrays& arrays) {
  if (!recording().on_device || !recording().on() || !can_step(arrays)) return false;
  settle(arrays);
  Backend* backend = place_step(arrays);
  if (!backend) return false;
  NetworkSite site(backend);
  std::vector<AdamElements> parts;
  parts.reserve(arrays.x.size());
  for (std::size_t i = 0; i < arrays.x.size(); ++i) {
    parts.push_back({site.replace(arrays.x[i]), site.read(arrays.gradients[i]),
                     site.replace(arrays.means[i]), site.replace(arrays.squares[i]),
                     arrays.x[i].size()});
  }
  return site.networks().step_adam(arrays.x[0].dtype(), step, parts);
}

}  // namespace strider::nd
