// LU, Cholesky and QR factors.
#include "kernels/linalg/lapack.h"

#include <strider/nd/interrupt.h>

#include <algorithm>
#include <vector>

#include "kernels/linalg/columns.h"
#include "kernels/linalg/room.h"
#include "kernels/linalg/stack_product.h"

namespace strider::nd {
namespace {

// Calls body(matrix) for each matrix until one fails.
template <class T, class Body>
Outcome for_each(const ColumnStack& stack, Body&& body) {
  for (std::int64_t k = 0; k < stack.count; ++k) {
    check_interrupt();
    auto matrix =
        roomy_matrix(reinterpret_cast<T*>(stack.at), k, stack.count, stack.rows, stack.columns);
    if (body(k, matrix.get()) > 0) return Outcome::kFailed;
  }
  return Outcome::kDone;
}

// Calls a routine that needs work space: routine(work, size), first to ask for the size. It works
// on a matrix of so many rows or columns.
template <class T, class Call>
int with_work(std::vector<T>& work, std::int64_t extent, Call&& routine) {
  T answer{};
  routine(&answer, -1);
  int size = queried_size(answer);
  make_work_space(work, size, extent);
  return routine(work.data(), size);
}

}  // namespace

Library& host_library() {
  static Lapack lapack;
  return lapack;
}

bool Lapack::multiply(DType dtype, const MatrixStack& a, const MatrixStack& b, std::byte* out) {
  std::int64_t item = item_size(dtype);
  std::vector<MatrixPair> pairs;
  for (std::int64_t k = 0; k < a.count; ++k)
    pairs.push_back({a.at + k * a.step * item, b.at + k * b.step * item});
  auto matrix = [&](const MatrixStack& stack) {
    return Matrix{stack.at, stack.rows, stack.columns, stack.row_stride * item,
                  stack.column_stride * item};
  };
  multiply_pairs(dtype, matrix(a), matrix(b), pairs, out);
  return true;
}

Outcome Lapack::solve(DType dtype, const ColumnStack& a, const ColumnStack& b) {
  return dispatch_lapack(dtype, [&](auto zero) {
    using T = decltype(zero);
    int n = to_int(a.rows), columns = to_int(b.columns), leading = at_least_one(n);
    std::vector<int> pivots(static_cast<std::size_t>(n));
    LibraryThreads threads(n >= kLargeSystem || columns >= kLargeSystem);
    return for_each<T>(a, [&](std::int64_t k, T* matrix) {
      int info = 0;
      auto right = roomy_matrix(reinterpret_cast<T*>(b.at), k, b.count, b.rows, b.columns);
      call(routines<T>().gesv, &n, &columns, matrix, &leading, pivots.data(), right.get(), &leading,
           &info);
      return info;
    });
  });
}

Outcome Lapack::factor_lu(DType dtype, const ColumnStack& a, std::int64_t* pivots) {
  return dispatch_lapack(dtype, [&](auto zero) {
    using T = decltype(zero);
    int n = to_int(a.rows), leading = at_least_one(n);
    std::vector<int> exchanged(static_cast<std::size_t>(n));
    LibraryThreads threads(n >= kLargeSystem);
    return for_each<T>(a, [&](std::int64_t k, T* matrix) {
      int info = 0;
      call(routines<T>().getrf, &n, &n, matrix, &leading, exchanged.data(), &info);
      std::copy_n(exchanged.data(), n, pivots + k * n);
      return 0;
    });
  });
}

Outcome Lapack::factor_cholesky(DType dtype, const ColumnStack& a, bool upper) {
  return dispatch_lapack(dtype, [&](auto zero) {
    using T = decltype(zero);
    int n = to_int(a.rows), leading = at_least_one(n);
    char triangle = upper ? 'U' : 'L';
    LibraryThreads threads(n >= kLargeSystem);
    return for_each<T>(a, [&](std::int64_t, T* matrix) {
      int info = 0;
      call(routines<T>().potrf, &triangle, &n, matrix, &leading, &info, kOneLetter);
      return info;
    });
  });
}

Outcome Lapack::factor_qr(DType dtype, const ColumnStack& a, std::byte* scalars) {
  return dispatch_lapack(dtype, [&](auto zero) {
    using T = decltype(zero);
    int m = to_int(a.rows), n = to_int(a.columns), leading = at_least_one(m);
    std::int64_t k = std::min(m, n);
    std::vector<T> work;
    LibraryThreads threads(k >= kLargeSystem);
    return for_each<T>(a, [&](std::int64_t i, T* matrix) {
      T* tau = reinterpret_cast<T*>(scalars) + i * k;
      return with_work(work, std::max(m, n), [&](T* space, int size) {
        int info = 0;
        call(routines<T>().geqrf, &m, &n, matrix, &leading, tau, space, &size, &info);
        return info;
      });
    });
  });
}

Outcome Lapack::form_q(DType dtype, const ColumnStack& q, std::int64_t reflections,
                       const std::byte* scalars) {
  return dispatch_lapack(dtype, [&](auto zero) {
    using T = decltype(zero);
    int m = to_int(q.rows), columns = to_int(q.columns), leading = at_least_one(m);
    int k = to_int(reflections);
    std::vector<T> work;
    LibraryThreads threads(std::min(m, columns) >= kLargeSystem);
    return for_each<T>(q, [&](std::int64_t i, T* matrix) {
      const T* tau = reinterpret_cast<const T*>(scalars) + i * k;
      return with_work(work, std::max(m, columns), [&](T* space, int size) {
        int info = 0;
        call(routines<T>().orgqr, &m, &columns, &k, matrix, &leading, tau, space, &size, &info);
        return info;
      });
    });
  });
}

}  // namespace strider::nd
