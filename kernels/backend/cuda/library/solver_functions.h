// The functions of cuSOLVER that are used. Calls none.
#pragma once

#include <cusolverDn.h>

#include "kernels/backend/cuda/toolkit.h"

namespace strider::nd::cuda {

struct SolverFunctions {
  explicit SolverFunctions(const ToolkitLibrary& library);
  bool are_there() const { return complete; }

  // Functions of four element types that differ in their pointers alone.
  using PotrfStack = cusolverStatus_t(cusolverDnHandle_t, cublasFillMode_t, int, void**, int, int*,
                                      int);
  using OrgqrSize = cusolverStatus_t(cusolverDnHandle_t, int, int, int, const void*, int,
                                     const void*, int*);
  using Orgqr = cusolverStatus_t(cusolverDnHandle_t, int, int, int, void*, int, const void*, void*,
                                 int, int*);

  bool complete = false;
  decltype(cusolverDnCreate)* create;
  decltype(cusolverDnSetStream)* set_stream;
  decltype(cusolverDnCreateParams)* create_parameters;
  decltype(cusolverDnXgetrf_bufferSize)* getrf_size;
  decltype(cusolverDnXgetrf)* getrf;
  decltype(cusolverDnXgetrs)* getrs;
  decltype(cusolverDnXpotrf_bufferSize)* potrf_size;
  decltype(cusolverDnXpotrf)* potrf;
  decltype(cusolverDnXgeqrf_bufferSize)* geqrf_size;
  decltype(cusolverDnXgeqrf)* geqrf;
  decltype(cusolverDnXgesvd_bufferSize)* gesvd_size;
  decltype(cusolverDnXgesvd)* gesvd;
  decltype(cusolverDnXsyevd_bufferSize)* syevd_size;
  decltype(cusolverDnXsyevd)* syevd;
  // Null in older versions of the library.
  decltype(cusolverDnXsyevBatched_bufferSize)* syev_stack_size;
  decltype(cusolverDnXsyevBatched)* syev_stack;
  decltype(cusolverDnXgeev_bufferSize)* geev_size;
  decltype(cusolverDnXgeev)* geev;
  PotrfStack* potrf_stack[4];
  OrgqrSize* orgqr_size[4];
  Orgqr* orgqr[4];
};

}  // namespace strider::nd::cuda
