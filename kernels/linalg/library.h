// The BLAS and LAPACK library: opened when first needed, so that programs without matrices start
// at once. Knows names of routines, not what they do.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strider::nd {

using Routine = void (*)();

// The routines of one element type, by their LAPACK names without the type letter.
struct Routines {
  Routine gemm, gemv, syrk, gesv, getrf, potrf, geqrf, orgqr, gesdd, gelsd, geev, syevd;
  Routine dot, conjugated_dot;  // cblas; the complex ones write through a pointer
};

template <class T>
const Routines& routines();  // float, double and their complex types

// True when the library is there; false leaves products to plain loops.
bool has_linear_library();
// Throws kNotImplemented naming the library when it is missing.
void require_linear_library();

// The library works on one thread: products are cut between threads here, and its own threads wait
// for each other by giving up the processor, which takes for ever on a busy machine. In this scope
// it uses its threads, where asked to, for routines that cannot be cut from outside.
class LibraryThreads {
 public:
  explicit LibraryThreads(bool on);
  ~LibraryThreads();
  LibraryThreads(const LibraryThreads&) = delete;

 private:
  const bool on_;
};

// The order from which a decomposition is worth the library's threads.
inline constexpr std::int64_t kLargeSystem = 512;

// Calls a Fortran routine; every argument is a pointer, lengths of strings come last.
template <class... Arguments>
void call(Routine routine, Arguments... arguments) {
  reinterpret_cast<void (*)(Arguments...)>(routine)(arguments...);
}
inline constexpr std::size_t kOneLetter = 1;

template <class T>
struct RealPart {
  using Type = T;
};
template <class T>
struct RealPart<std::complex<T>> {
  using Type = T;
};
template <class T>
using RealOf = typename RealPart<T>::Type;
template <class T>
inline constexpr bool kHasImaginary = !std::is_same_v<T, RealOf<T>>;
template <class T>
inline constexpr bool kIsBlasType =
    std::is_same_v<RealOf<T>, float> || std::is_same_v<RealOf<T>, double>;

}  // namespace strider::nd
