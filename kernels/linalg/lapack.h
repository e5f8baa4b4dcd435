// What a device's library does with matrices, done in host memory by LAPACK and BLAS. Refuses
// nothing; throws kNotImplemented where LAPACK is missing and kValue where it cannot count so far.
#pragma once

#include "kernels/backend/library.h"

namespace strider::nd {

class Lapack : public Library {
 public:
  bool multiply(DType dtype, const MatrixStack& a, const MatrixStack& b, std::byte* out) override;
  Outcome solve(DType dtype, const ColumnStack& a, const ColumnStack& b) override;
  Outcome factor_lu(DType dtype, const ColumnStack& a, std::int64_t* pivots) override;
  Outcome factor_cholesky(DType dtype, const ColumnStack& a, bool upper) override;
  Outcome factor_qr(DType dtype, const ColumnStack& a, std::byte* scalars) override;
  Outcome form_q(DType dtype, const ColumnStack& q, std::int64_t reflections,
                 const std::byte* scalars) override;
  Outcome decompose_singular(DType dtype, SingularVectors vectors, const ColumnStack& a,
                             std::byte* s, std::byte* u, std::byte* vh) override;
  Outcome decompose_symmetric(DType dtype, const ColumnStack& a, bool lower, bool vectors,
                              std::byte* values) override;
  Outcome decompose_general(DType dtype, const ColumnStack& a, std::byte* values,
                            std::byte* vectors) override;
};

}  // namespace strider::nd
