// Elements and results at the place of the work.
#include "kernels/linalg/site.h"

#include "kernels/backend/backend.h"
#include "kernels/core/node.h"
#include "kernels/graph/placement/placement.h"

namespace strider::nd {

Site::Site(std::initializer_list<const Array*> arrays, double work)
    : backend_(place_library(arrays, work)) {}

DType Site::computing(DType dtype) const {
  if (backend_) return dtype;
  return is_complex(dtype) ? DType::kComplex128 : DType::kFloat64;
}

Array Site::make(const Dims& shape, DType dtype) const {
  bool there = backend_ && element_count(shape) > 0;
  return there ? make_on(*backend_->device(), shape, dtype) : Array::empty(shape, dtype);
}

std::byte* Site::elements(const Array& array) const {
  if (!backend_ || array.size() == 0) return array.mutable_data();
  return array.node()->storage->claim(backend_->device()) + array.node()->offset;
}

ColumnStack Site::columns(const Array& array) const {
  std::int64_t rows = array.shape().back(), columns = array.shape()[array.rank() - 2];
  std::int64_t size = rows * columns;
  return {elements(array), size ? array.size() / size : 0, rows, columns};
}

Library& Site::library() const { return backend_ ? *backend_->library() : host_library(); }

}  // namespace strider::nd
