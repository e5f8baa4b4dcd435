// Singular values, eigenvalues and their vectors.
#include <strider/nd/interrupt.h>

#include <complex>

#include "kernels/backend/cuda/library/solver_work.h"

namespace strider::nd::cuda {
namespace {

// Stacks of symmetric matrices of up to this order are decomposed together.
constexpr std::int64_t kTogether = 512;

signed char job_of(SingularVectors vectors) {
  return vectors == SingularVectors::kFull ? 'A' : vectors == SingularVectors::kThin ? 'S' : 'N';
}

std::byte* advance(std::byte* at, std::int64_t elements, std::size_t size) {
  return at ? at + static_cast<std::size_t>(elements) * size : nullptr;
}

}  // namespace

Outcome Solver::decompose_singular(const Elements& elements, SingularVectors vectors,
                                   const ColumnStack& a, std::byte* s, std::byte* u,
                                   std::byte* vh) {
  std::int64_t m = a.rows, n = a.columns;
  if (m < n || is_for_host(a)) return Outcome::kRefused;
  device_.activate();
  signed char job = job_of(vectors);
  std::int64_t u_columns = vectors == SingularVectors::kFull ? m : n;
  if (vectors == SingularVectors::kNone) u = vh = nullptr;
  Info info(device_, a.count);
  for (std::int64_t k = 0; k < a.count; ++k) {
    check_interrupt();
    std::byte *at = matrix_at(elements, a, k), *values = advance(s, k * n, elements.real_size);
    std::byte* left = advance(u, k * m * u_columns, elements.size);
    std::byte* right = advance(vh, k * n * n, elements.size);
    with_work(
        "finding singular values",
        [&](std::size_t* there, std::size_t* here) {
          return functions_.gesvd_size(handle_, parameters_, job, job, m, n, elements.type, at, m,
                                       elements.real, values, elements.type, left, m, elements.type,
                                       right, n, elements.type, there, here);
        },
        [&](const Work& work) {
          return functions_.gesvd(handle_, parameters_, job, job, m, n, elements.type, at, m,
                                  elements.real, values, elements.type, left, m, elements.type,
                                  right, n, elements.type, work.there, work.there_size, work.here,
                                  work.here_size, info.at(k));
        });
  }
  return info.outcome(elements, s, a.count * n);
}

Outcome Solver::decompose_symmetric(const Elements& elements, const ColumnStack& a, bool lower,
                                    bool vectors, std::byte* values) {
  std::int64_t n = a.rows;
  bool together = a.count > 1 && n <= kTogether && functions_.syev_stack;
  if (!together && is_for_host(a)) return Outcome::kRefused;
  device_.activate();
  cusolverEigMode_t mode = vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  cublasFillMode_t triangle = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
  Info info(device_, a.count);
  if (together) {
    with_work(
        "finding eigenvalues",
        [&](std::size_t* there, std::size_t* here) {
          return functions_.syev_stack_size(handle_, parameters_, mode, triangle, n, elements.type,
                                            a.at, n, elements.real, values, elements.type, there,
                                            here, a.count);
        },
        [&](const Work& work) {
          return functions_.syev_stack(handle_, parameters_, mode, triangle, n, elements.type, a.at,
                                       n, elements.real, values, elements.type, work.there,
                                       work.there_size, work.here, work.here_size, info.at(0),
                                       a.count);
        });
    return info.outcome(elements, values, a.count * n);
  }
  for (std::int64_t k = 0; k < a.count; ++k) {
    check_interrupt();
    std::byte *at = matrix_at(elements, a, k), *to = advance(values, k * n, elements.real_size);
    with_work(
        "finding eigenvalues",
        [&](std::size_t* there, std::size_t* here) {
          return functions_.syevd_size(handle_, parameters_, mode, triangle, n, elements.type, at,
                                       n, elements.real, to, elements.type, there, here);
        },
        [&](const Work& work) {
          return functions_.syevd(handle_, parameters_, mode, triangle, n, elements.type, at, n,
                                  elements.real, to, elements.type, work.there, work.there_size,
                                  work.here, work.here_size, info.at(k));
        });
  }
  return info.outcome(elements, values, a.count * n);
}

Outcome Solver::decompose_general(const Elements& elements, const ColumnStack& a, std::byte* values,
                                  std::byte* vectors) {
  if (!functions_.geev || !functions_.geev_size || is_for_host(a)) return Outcome::kRefused;
  device_.activate();
  std::int64_t n = a.rows;
  cudaDataType complex = elements.real == CUDA_R_32F ? CUDA_C_32F : CUDA_C_64F;
  std::size_t complex_size = 2 * elements.real_size;
  cusolverEigMode_t none = CUSOLVER_EIG_MODE_NOVECTOR;
  cusolverEigMode_t mode = vectors ? CUSOLVER_EIG_MODE_VECTOR : none;
  bool packs = vectors && !elements.imaginary;
  Workspace packed(device_, packs ? static_cast<std::size_t>(n * n) * elements.size : 0);
  Info info(device_, a.count);
  for (std::int64_t k = 0; k < a.count; ++k) {
    check_interrupt();
    std::byte *at = matrix_at(elements, a, k), *to = advance(values, k * n, complex_size);
    std::byte* result = advance(vectors, k * n * n, complex_size);
    std::byte* right = packs ? packed.start() : result;
    with_work(
        "finding eigenvalues",
        [&](std::size_t* there, std::size_t* here) {
          return functions_.geev_size(handle_, parameters_, none, mode, n, elements.type, at, n,
                                      complex, to, elements.type, nullptr, n, elements.type, right,
                                      n, elements.type, there, here);
        },
        [&](const Work& work) {
          return functions_.geev(handle_, parameters_, none, mode, n, elements.type, at, n, complex,
                                 to, elements.type, nullptr, n, elements.type, right, n,
                                 elements.type, work.there, work.there_size, work.here,
                                 work.here_size, info.at(k));
        });
    if (packs) widen_vectors(elements, n, to, right, result);
  }
  return info.outcome();
}

namespace {

// A conjugate pair of vectors lies in two columns: real parts, imaginary parts.
template <class T>
void widen(const std::vector<std::complex<T>>& values, const T* packed, std::complex<T>* to) {
  std::size_t n = values.size();
  for (std::size_t column = 0; column < n; ++column, packed += n, to += n) {
    if (values[column].imag() == 0 || column + 1 == n) {
      std::copy_n(packed, n, to);
      continue;
    }
    for (std::size_t row = 0; row < n; ++row) {
      to[row] = {packed[row], packed[n + row]};
      to[n + row] = std::conj(to[row]);
    }
    ++column, packed += n, to += n;
  }
}

template <class T>
void widen_there(CudaDevice& device, std::size_t n, const std::byte* values,
                 const std::byte* packed, std::byte* vectors) {
  std::vector<std::complex<T>> found(n), wide(n * n);
  std::vector<T> narrow(n * n);
  device.download(reinterpret_cast<std::byte*>(found.data()), values, n * sizeof(found[0]));
  device.download(reinterpret_cast<std::byte*>(narrow.data()), packed, n * n * sizeof(T));
  widen(found, narrow.data(), wide.data());
  device.upload(vectors, reinterpret_cast<const std::byte*>(wide.data()), n * n * sizeof(wide[0]));
}

}  // namespace

// By the host: what precedes takes much longer.
void Solver::widen_vectors(const Elements& elements, std::int64_t n, const std::byte* values,
                           const std::byte* packed, std::byte* vectors) {
  auto order = static_cast<std::size_t>(n);
  if (elements.real == CUDA_R_32F)
    widen_there<float>(device_, order, values, packed, vectors);
  else
    widen_there<double>(device_, order, values, packed, vectors);
}

}  // namespace strider::nd::cuda
