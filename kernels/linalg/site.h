// Site: where matrices are decomposed: on a device by its library, or in host memory by LAPACK.
// Knows no routines.
#pragma once

#include <strider/nd/array.h>
#include <strider/nd/error.h>

#include <initializer_list>

#include "kernels/backend/library.h"
#include "kernels/core/resident.h"

namespace strider::nd {

class Backend;

class Site {
 public:
  // The site for work on these arrays that takes as long as so many multiplications.
  Site(std::initializer_list<const Array*> arrays, double work);

  bool on_device() const { return backend_ != nullptr; }
  // The type that elements of a LAPACK type are decomposed in. A device takes them as they are; the
  // host, as NumPy does, decomposes float32 in float64, whose results are then rounded once.
  DType computing(DType dtype) const;
  // A new array there, its elements not set.
  Array make(const Dims& shape, DType dtype) const;
  // The elements of an array that nobody else reads, as they are seen there, to be written to.
  std::byte* elements(const Array& array) const;
  // The last two axes of such an array as columns of that many rows (the last axis).
  ColumnStack columns(const Array& array) const;

  // Does work(library). Where the device refuses it, the site moves to the host for good and it is
  // done there. Throws kLinAlg with this message where it fails.
  template <class Work>
  void run(const char* message, Work&& work) {
    Outcome outcome = work(library());
    if (outcome == Outcome::kRefused) {
      backend_ = nullptr;
      outcome = work(library());
    }
    if (outcome == Outcome::kFailed) throw Error(ErrorKind::kLinAlg, message);
  }

 private:
  Library& library() const;

  Backend* backend_;  // null: the host
  DeviceWork work_;   // whose addresses are known while the site is there
};

}  // namespace strider::nd
