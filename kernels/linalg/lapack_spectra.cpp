// Singular values, eigenvalues and their vectors.
#include <strider/nd/interrupt.h>

#include <algorithm>
#include <vector>

#include "kernels/linalg/columns.h"
#include "kernels/linalg/lapack.h"
#include "kernels/linalg/room.h"

namespace strider::nd {
namespace {

std::size_t unsigned_of(std::int64_t value) { return static_cast<std::size_t>(value); }

// The sizes of one singular value decomposition.
struct SvdShape {
  char job;  // 'A' all vectors, 'S' the first min(m, n), 'N' none
  int m, n, k;
  int u_columns() const { return job == 'A' ? m : job == 'S' ? k : 0; }
  int vt_rows() const { return job == 'A' ? n : job == 'S' ? k : 0; }
};

template <class T>
class SvdRoutine {
 public:
  using Real = RealOf<T>;
  explicit SvdRoutine(const SvdShape& shape) : shape_(shape), pivots_(8u * unsigned_of(shape.k)) {
    std::size_t k = unsigned_of(shape.k), larger = unsigned_of(std::max(shape.m, shape.n));
    std::size_t full = std::max(5 * k * k + 5 * k, 2 * larger * k + 2 * k * k + k);
    if (kHasImaginary<T>)
      real_work_.resize(std::max<std::size_t>(1, shape.job == 'N' ? 7 * k : full));
  }

  int run(T* a, Real* s, T* u, T* vt) {
    if (work_.empty()) {
      T answer{};
      size_ = -1;
      invoke(a, s, u, vt, &answer);
      size_ = queried_size(answer);
      make_work_space(work_, size_, std::max(shape_.m, shape_.n));
    }
    return invoke(a, s, u, vt, work_.data());
  }

 private:
  int invoke(T* a, Real* s, T* u, T* vt, T* work) {
    int info = 0, leading = at_least_one(shape_.m), leading_vt = at_least_one(shape_.vt_rows());
    LibraryThreads threads(std::min(shape_.m, shape_.n) >= kLargeSystem);
    const Routine routine = routines<T>().gesdd;
    if constexpr (kHasImaginary<T>)
      call(routine, &shape_.job, &shape_.m, &shape_.n, a, &leading, s, u, &leading, vt, &leading_vt,
           work, &size_, real_work_.data(), pivots_.data(), &info, kOneLetter);
    else
      call(routine, &shape_.job, &shape_.m, &shape_.n, a, &leading, s, u, &leading, vt, &leading_vt,
           work, &size_, pivots_.data(), &info, kOneLetter);
    return info;
  }

  SvdShape shape_;
  int size_ = 0;
  std::vector<int> pivots_;
  std::vector<Real> real_work_;
  std::vector<T> work_;
};

constexpr char job_of(SingularVectors vectors) {
  return vectors == SingularVectors::kFull ? 'A' : vectors == SingularVectors::kThin ? 'S' : 'N';
}

}  // namespace

Outcome Lapack::decompose_singular(DType dtype, SingularVectors vectors, const ColumnStack& a,
                                   std::byte* s, std::byte* u, std::byte* vh) {
  return dispatch_lapack(dtype, [&](auto zero) {
    using T = decltype(zero);
    int m = to_int(a.rows), n = to_int(a.columns);
    SvdShape shape{job_of(vectors), m, n, std::min(m, n)};
    SvdRoutine<T> routine(shape);
    for (std::int64_t i = 0; i < a.count; ++i) {
      check_interrupt();
      auto matrix = roomy_matrix(reinterpret_cast<T*>(a.at), i, a.count, m, n);
      auto left = roomy_matrix(reinterpret_cast<T*>(u), i, a.count, m, shape.u_columns());
      auto right = roomy_matrix(reinterpret_cast<T*>(vh), i, a.count, shape.vt_rows(), n);
      int info = routine.run(matrix.get(), reinterpret_cast<RealOf<T>*>(s) + i * shape.k,
                             left.get(), right.get());
      if (info != 0) return Outcome::kFailed;  // less than 0 for NaN
    }
    return Outcome::kDone;
  });
}

namespace {

template <class T>
struct EigenWork {
  int size = 0;
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
int decompose_one_symmetric(char job, char triangle, int n, T* a, RealOf<T>* values,
                            EigenWork<T>& work) {
  if (work.work.empty()) {
    T answer{};
    RealOf<T> real_answer{};
    int integer_answer = 0;
    invoke_eigh(job, triangle, n, a, values, &answer, -1, &real_answer, -1, &integer_answer, -1);
    work.size = queried_size(answer);
    make_work_space(work.work, work.size, n);
    work.real_work.resize(static_cast<std::size_t>(queried_size(real_answer)));
    work.integers.resize(static_cast<std::size_t>(at_least_one(integer_answer)));
  }
  return invoke_eigh(job, triangle, n, a, values, work.work.data(), work.size,
                     work.real_work.data(), static_cast<int>(work.real_work.size()),
                     work.integers.data(), static_cast<int>(work.integers.size()));
}

// Eigenvalues and right vectors (columns) of one general complex matrix.
template <class T>
int decompose_one(bool vectors, int n, std::complex<T>* a, std::complex<T>* values,
                  std::complex<T>* right, EigenWork<std::complex<T>>& work) {
  using Complex = std::complex<T>;
  char left_job = 'N', job = vectors ? 'V' : 'N';
  int info = 0, leading = at_least_one(n);
  LibraryThreads threads(n >= kLargeSystem);
  const Routine routine = routines<Complex>().geev;
  Complex nothing{}, answer{};
  work.real_work.resize(2 * static_cast<std::size_t>(leading));
  if (work.size == 0) {
    int size = -1;
    call(routine, &left_job, &job, &n, a, &leading, values, &nothing, &leading, right, &leading,
         &answer, &size, work.real_work.data(), &info, kOneLetter, kOneLetter);
    work.size = queried_size(answer);
    make_work_space(work.work, work.size, n);
  }
  call(routine, &left_job, &job, &n, a, &leading, values, &nothing, &leading, right, &leading,
       work.work.data(), &work.size, work.real_work.data(), &info, kOneLetter, kOneLetter);
  return info;
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
int decompose_one(bool vectors, int n, T* a, std::complex<T>* values, std::complex<T>* right,
                  EigenWork<T>& work) {
  char left_job = 'N', job = vectors ? 'V' : 'N';
  int info = 0, leading = at_least_one(n);
  auto order = static_cast<std::size_t>(n);
  std::vector<T> real(order), imaginary(order), packed(vectors ? order * order : 1);
  LibraryThreads threads(n >= kLargeSystem);
  const Routine routine = routines<T>().geev;
  T nothing{}, answer{};
  if (work.size == 0) {
    int size = -1;
    call(routine, &left_job, &job, &n, a, &leading, real.data(), imaginary.data(), &nothing,
         &leading, packed.data(), &leading, &answer, &size, &info, kOneLetter, kOneLetter);
    work.size = queried_size(answer);
    make_work_space(work.work, work.size, n);
  }
  call(routine, &left_job, &job, &n, a, &leading, real.data(), imaginary.data(), &nothing, &leading,
       packed.data(), &leading, work.work.data(), &work.size, &info, kOneLetter, kOneLetter);
  if (info > 0) return info;
  for (std::size_t i = 0; i < order; ++i) values[i] = {real[i], imaginary[i]};
  if (vectors) widen_vectors(imaginary.data(), n, packed.data(), right);
  return info;
}

}  // namespace

Outcome Lapack::decompose_symmetric(DType dtype, const ColumnStack& a, bool lower, bool vectors,
                                    std::byte* values) {
  return dispatch_lapack(dtype, [&](auto zero) {
    using T = decltype(zero);
    int n = to_int(a.rows);
    EigenWork<T> work;
    for (std::int64_t k = 0; k < a.count; ++k) {
      check_interrupt();
      auto matrix = roomy_matrix(reinterpret_cast<T*>(a.at), k, a.count, n, n);
      int info = decompose_one_symmetric(vectors ? 'V' : 'N', lower ? 'L' : 'U', n, matrix.get(),
                                         reinterpret_cast<RealOf<T>*>(values) + k * n, work);
      if (info > 0) return Outcome::kFailed;
    }
    return Outcome::kDone;
  });
}

Outcome Lapack::decompose_general(DType dtype, const ColumnStack& a, std::byte* values,
                                  std::byte* vectors) {
  return dispatch_lapack(dtype, [&](auto zero) {
    using T = decltype(zero);
    using Complex = std::complex<RealOf<T>>;
    int n = to_int(a.rows);
    EigenWork<T> work;
    for (std::int64_t k = 0; k < a.count; ++k) {
      check_interrupt();
      auto matrix = roomy_matrix(reinterpret_cast<T*>(a.at), k, a.count, n, n);
      auto right =
          roomy_matrix(reinterpret_cast<Complex*>(vectors), k, a.count, n, vectors ? n : 0);
      int info = decompose_one(vectors != nullptr, n, matrix.get(),
                               reinterpret_cast<Complex*>(values) + k * n, right.get(), work);
      if (info > 0) return Outcome::kFailed;
    }
    return Outcome::kDone;
  });
}

}  // namespace strider::nd
