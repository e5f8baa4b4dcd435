// Products of matrices that come again with everything at the same addresses, each with the graph
// that replays it. Multiplies nothing.
#pragma once

#include <list>

#include "kernels/backend/cuda/device/recorder.h"
#include "kernels/backend/cuda/library/product_plans.h"

namespace strider::nd::cuda {

struct ProductAddresses {
  const std::byte *left, *right;
  std::byte* out;
  friend bool operator==(const ProductAddresses&, const ProductAddresses&) = default;
};

class ProductReplays {
 public:
  // What is kept for the product, which may be nothing as yet; valid until the next call.
  Replay& find(const ColumnProduct& product, const ProductAddresses& addresses);

 private:
  struct Kept {
    ColumnProduct product;
    ProductAddresses addresses;
    Replay replay;
  };
  static constexpr std::size_t kMost = 64;

  std::list<Kept> kept_;  // the last used first
};

}  // namespace strider::nd::cuda
