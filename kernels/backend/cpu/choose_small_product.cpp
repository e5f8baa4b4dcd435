// Chooses the products of small matrices for this processor.
#include "kernels/backend/cpu/small_product.h"
#include "kernels/backend/cpu/targets.h"

namespace strider::nd {

template <class T>
using FillSmallProduct = void(SmallProductKernel<T>*& kernel);
STRIDER_IN_TARGETS(FillSmallProduct<float> fill_small_product;
                   FillSmallProduct<double> fill_small_product;)

template <class T>
SmallProductKernel<T>* small_product_kernel() {
  static SmallProductKernel<T>* const chosen = [] {
    SmallProductKernel<T>* kernel = nullptr;
    STRIDER_AT_BEST(fill_small_product(kernel));
    return kernel;
  }();
  return chosen;
}

template SmallProductKernel<float>* small_product_kernel();
template SmallProductKernel<double>* small_product_kernel();

}  // namespace strider::nd
