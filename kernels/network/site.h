// NetworkSite: where a network's work is done: on a device, or in host memory where no device wants
// it. Knows nothing of the work.
#pragma once

#include <strider/nd/array.h>

#include <initializer_list>

#include "kernels/backend/networks.h"
#include "kernels/core/resident.h"

namespace strider::nd {

class Backend;

class NetworkSite {
 public:
  // Null: the host.
  explicit NetworkSite(Backend* backend) : backend_(backend) {}

  Backend* backend() const { return backend_; }
  Networks& networks() const;
  // A new array there, its elements not set.
  Array make(const Dims& shape, DType dtype) const;
  // The elements of a packed array as they are seen there.
  const std::byte* read(const Array& array) const;
  // The same of one that was made there, to be written to.
  std::byte* write(const Array& array) const;
  // The same of one that nothing pending reads, to be read and written to: they lie nowhere else
  // from then on.
  std::byte* replace(const Array& array) const;

 private:
  Backend* backend_;
  DeviceWork work_;  // whose addresses are known while the site is there
};

// The backend for work on these arrays that takes as long as so many multiplications; null: the
// host.
Backend* place_network(std::initializer_list<const Array*> arrays, double work);

// A new array of the results that work(site, array's elements) writes at the best site for it;
// where a device refuses, the host does it.
template <class Work>
Array make_by_network(const Dims& shape, DType dtype, std::initializer_list<const Array*> operands,
                      double amount, Work&& work) {
  if (Backend* backend = place_network(operands, amount)) {
    NetworkSite there(backend);
    Array result = there.make(shape, dtype);
    if (work(there, there.write(result))) return result;
  }
  NetworkSite here(nullptr);
  Array result = here.make(shape, dtype);
  work(here, here.write(result));
  return result;
}

}  // namespace strider::nd
