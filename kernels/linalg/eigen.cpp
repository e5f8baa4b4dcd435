// eigh and eig: eigenvalues and vectors of symmetric and general matrices.
#include <strider/nd/error.h>
#include <strider/nd/interrupt.h>
#include <strider/nd/linalg.h>

#include <algorithm>
#include <vector>

#include "kernels/linalg/columns.h"

namespace strider::nd {
namespace {

template <class T>
struct EigenWork {
  std::vector<T> work;
  std::vector<RealOf<T>> real_work;
  std::vector<int> integers;
};

template <class T>
int invoke_eigh(char job, char triangle, int n, T* a, RealOf<T>* values, T* work, int size,
                RealOf<T>* real_work, int real_size, int* integers, int integer_size) {
  int info = 0, leading = at_least_one(n);
  LibraryThreads threads(n >= kLargeSystem);
  const Routine routine = routines<T>().syevd;
  if constexpr (kHasImaginary<T>)
    call(routine, &job, &triangle, &n, a, &leading, values, work, &size, real_work, &real_size,
         integers, &integer_size, &info, kOneLetter, kOneLetter);
  else
    call(routine, &job, &triangle, &n, a, &leading, values, work, &size, integers, &integer_size,
         &info, kOneLetter, kOneLetter);
  return info;
}

// Eigenvalues of one matrix; `a` becomes the vectors.
template <class T>
void decompose_symmetric(char job, char triangle, int n, T* a, RealOf<T>* values,
                         EigenWork<T>& work) {
  if (work.work.empty()) {
    T answer{};
    RealOf<T> real_answer{};
    int integer_answer = 0;
    invoke_eigh(job, triangle, n, a, values, &answer, -1, &real_answer, -1, &integer_answer, -1);
    work.work.resize(static_cast<std::size_t>(queried_size(answer)));
    work.real_work.resize(static_cast<std::size_t>(queried_size(real_answer)));
    work.integers.resize(static_cast<std::size_t>(at_least_one(integer_answer)));
  }
  int info =
      invoke_eigh(job, triangle, n, a, values, work.work.data(), static_cast<int>(work.work.size()),
                  work.real_work.data(), static_cast<int>(work.real_work.size()),
                  work.integers.data(), static_cast<int>(work.integers.size()));
  if (info > 0) throw Error(ErrorKind::kLinAlg, "Eigenvalues did not converge");
}

template <class T>
Eigen run_eigh(const Array& a, bool lower, bool vectors) {
  int n = to_int(a.shape().back());
  Dims stack = stack_shape(a, 2);
  Array columns = to_columns(a, dtype_of<T>);
  Array values = Array::empty(with_core(stack, {n}), real_of(dtype_of<T>));
  EigenWork<T> work;
  std::int64_t count = n ? element_count(stack) : 0;
  for (std::int64_t k = 0; k < count; ++k) {
    check_interrupt();
    decompose_symmetric(vectors ? 'V' : 'N', lower ? 'L' : 'U', n,
                        columns.mutable_as<T>() + k * n * n, values.mutable_as<RealOf<T>>() + k * n,
                        work);
  }
  return {values, vectors ? from_columns(columns) : Array()};
}

// Eigenvalues and right vectors (columns) of one general complex matrix.
template <class T>
void decompose_general(bool vectors, int n, std::complex<T>* a, std::complex<T>* values,
                       std::complex<T>* right, EigenWork<std::complex<T>>& work) {
  using Complex = std::complex<T>;
  char left_job = 'N', job = vectors ? 'V' : 'N';
  int info = 0, leading = at_least_one(n), size = static_cast<int>(work.work.size());
  LibraryThreads threads(n >= kLargeSystem);
  const Routine routine = routines<Complex>().geev;
  Complex nothing{}, answer{};
  work.real_work.resize(2 * static_cast<std::size_t>(leading));
  if (size == 0) {
    size = -1;
    call(routine, &left_job, &job, &n, a, &leading, values, &nothing, &leading, right, &leading,
         &answer, &size, work.real_work.data(), &info, kOneLetter, kOneLetter);
    size = queried_size(answer);
    work.work.resize(static_cast<std::size_t>(size));
  }
  call(routine, &left_job, &job, &n, a, &leading, values, &nothing, &leading, right, &leading,
       work.work.data(), &size, work.real_work.data(), &info, kOneLetter, kOneLetter);
  if (info > 0) throw Error(ErrorKind::kLinAlg, "Eigenvalues did not converge");
}

// LAPACK gives a conjugate pair of vectors as two columns: real parts, imaginary parts.
template <class T>
void widen_vectors(const T* imaginary, int n, const T* packed, std::complex<T>* right) {
  for (std::int64_t column = 0; column < n; ++column) {
    const T* real = packed + column * n;
    std::complex<T>* to = right + column * n;
    if (imaginary[column] == 0 || column + 1 == n) {
      std::copy_n(real, n, to);
      continue;
    }
    for (std::int64_t row = 0; row < n; ++row) {
      to[row] = {real[row], real[n + row]};
      to[n + row] = {real[row], -real[n + row]};
    }
    ++column;
  }
}

// The same for a real matrix: the results are complex all the same.
template <class T>
void decompose_general(bool vectors, int n, T* a, std::complex<T>* values, std::complex<T>* right,
                       EigenWork<T>& work) {
  char left_job = 'N', job = vectors ? 'V' : 'N';
  int info = 0, leading = at_least_one(n), size = static_cast<int>(work.work.size());
  auto order = static_cast<std::size_t>(n);
  std::vector<T> real(order), imaginary(order), packed(vectors ? order * order : 1);
  LibraryThreads threads(n >= kLargeSystem);
  const Routine routine = routines<T>().geev;
  T nothing{}, answer{};
  if (size == 0) {
    size = -1;
    call(routine, &left_job, &job, &n, a, &leading, real.data(), imaginary.data(), &nothing,
         &leading, packed.data(), &leading, &answer, &size, &info, kOneLetter, kOneLetter);
    size = queried_size(answer);
    work.work.resize(static_cast<std::size_t>(size));
  }
  call(routine, &left_job, &job, &n, a, &leading, real.data(), imaginary.data(), &nothing, &leading,
       packed.data(), &leading, work.work.data(), &size, &info, kOneLetter, kOneLetter);
  if (info > 0) throw Error(ErrorKind::kLinAlg, "Eigenvalues did not converge");
  for (std::size_t i = 0; i < order; ++i) values[i] = {real[i], imaginary[i]};
  if (vectors) widen_vectors(imaginary.data(), n, packed.data(), right);
}

template <class T>
Eigen run_eig(const Array& a, bool vectors) {
  using Complex = std::complex<RealOf<T>>;
  int n = to_int(a.shape().back());
  Dims stack = stack_shape(a, 2);
  Array columns = to_columns(a, dtype_of<T>);
  Array values = Array::empty(with_core(stack, {n}), dtype_of<Complex>);
  Array right =
      Array::empty(with_core(stack, {vectors ? n : 0, vectors ? n : 0}), dtype_of<Complex>);
  EigenWork<T> work;
  std::int64_t count = n ? element_count(stack) : 0;
  for (std::int64_t k = 0; k < count; ++k) {
    check_interrupt();
    decompose_general(vectors, n, columns.mutable_as<T>() + k * n * n,
                      values.mutable_as<Complex>() + k * n,
                      right.mutable_as<Complex>() + (vectors ? k * n * n : 0), work);
  }
  return {values, vectors ? from_columns(right) : Array()};
}

}  // namespace

Eigen eigh(const Array& a, bool lower, bool vectors) {
  return dispatch_lapack(lapack_type(a.dtype()),
                         [&](auto zero) { return run_eigh<decltype(zero)>(a, lower, vectors); });
}

Eigen eig(const Array& a, bool vectors) {
  return dispatch_lapack(lapack_type(a.dtype()),
                         [&](auto zero) { return run_eig<decltype(zero)>(a, vectors); });
}

}  // namespace strider::nd
