// Elements at the place of the work.
#include "kernels/network/site.h"

#include "kernels/backend/backend.h"
#include "kernels/core/node.h"
#include "kernels/graph/placement/placement.h"

namespace strider::nd {

Networks& NetworkSite::networks() const {
  return backend_ ? *backend_->networks() : host_networks();
}

Array NetworkSite::make(const Dims& shape, DType dtype) const {
  return backend_ ? make_on(*backend_->device(), shape, dtype) : Array::empty(shape, dtype);
}

const std::byte* NetworkSite::read(const Array& array) const {
  if (!backend_) return array.data();
  return array.node()->storage->bytes_on(*backend_->device()) + array.node()->offset;
}

std::byte* NetworkSite::write(const Array& array) const {
  if (!backend_) return array.mutable_data();
  return array.node()->storage->bytes_on(*backend_->device());
}

std::byte* NetworkSite::replace(const Array& array) const {
  Device* device = backend_ ? backend_->device() : nullptr;
  return array.node()->storage->claim(device) + array.node()->offset;
}

Backend* place_network(std::initializer_list<const Array*> arrays, double work) {
  Backend* backend = place_work(arrays, work);
  return backend && backend->networks() ? backend : nullptr;
}

}  // namespace strider::nd
