// eigh and eig: eigenvalues and vectors of symmetric and general matrices.
#include <strider/nd/linalg.h>

#include "kernels/linalg/columns.h"
#include "kernels/linalg/site.h"

namespace strider::nd {
namespace {

constexpr const char* kNotConverged = "Eigenvalues did not converge";

Eigen eigh_at(Site site, const Array& a, bool lower, bool vectors) {
  DType dtype = lapack_type(a.dtype()), computed = site.computing(dtype);
  Array columns = to_columns(a, computed);
  Array values = site.make(with_core(stack_shape(a, 2), {a.shape().back()}), real_of(computed));
  if (columns.size() > 0)
    site.run(kNotConverged, [&](Library& library) {
      return library.decompose_symmetric(computed, site.columns(columns), lower, vectors,
                                         site.elements(values));
    });
  return {in_type(values, real_of(dtype)), vectors ? from_columns(columns, dtype) : Array()};
}

}  // namespace

Eigen eigh(const Array& a, bool lower, bool vectors) {
  Site site({&a}, 4 * cubic_work(a));
  try {
    return eigh_at(site, a, lower, vectors);
  } catch (const Error& error) {
    if (!site.on_device() || error.kind() != ErrorKind::kLinAlg) throw;
  }
  return eigh_at(Site({}, 0), a, lower, vectors);  // NaN gives NaN there, as in NumPy
}

Eigen eig(const Array& a, bool vectors) {
  Site site({&a}, 12 * cubic_work(a));
  DType dtype = lapack_type(a.dtype()), computed = site.computing(dtype);
  DType complex = complex_of(computed);
  Array columns = to_columns(a, computed);
  Array values = site.make(with_core(stack_shape(a, 2), {a.shape().back()}), complex);
  Array right = vectors ? site.make(columns.shape(), complex) : Array();
  if (columns.size() > 0)
    site.run(kNotConverged, [&](Library& library) {
      return library.decompose_general(computed, site.columns(columns), site.elements(values),
                                       vectors ? site.elements(right) : nullptr);
    });
  dtype = complex_of(dtype);
  return {in_type(values, dtype), vectors ? from_columns(right, dtype) : Array()};
}

}  // namespace strider::nd
