// Names and where they are kept.
#include "kernels/backend/cuda/library/solver_functions.h"

#include <string>

namespace strider::nd::cuda {

SolverFunctions::SolverFunctions(const ToolkitLibrary& library) {
  complete = library.is_open();
  auto find = [&](const std::string& name, auto*& function) {
    library.find(name.c_str(), function);
    complete &= function != nullptr;
  };
  find("cusolverDnCreate", create);
  find("cusolverDnSetStream", set_stream);
  find("cusolverDnCreateParams", create_parameters);
  find("cusolverDnXgetrf_bufferSize", getrf_size);
  find("cusolverDnXgetrf", getrf);
  find("cusolverDnXgetrs", getrs);
  find("cusolverDnXpotrf_bufferSize", potrf_size);
  find("cusolverDnXpotrf", potrf);
  find("cusolverDnXgeqrf_bufferSize", geqrf_size);
  find("cusolverDnXgeqrf", geqrf);
  find("cusolverDnXgesvd_bufferSize", gesvd_size);
  find("cusolverDnXgesvd", gesvd);
  find("cusolverDnXsyevd_bufferSize", syevd_size);
  find("cusolverDnXsyevd", syevd);
  constexpr char kLetters[] = "SDCZ";
  for (int i = 0; i < 4; ++i) {
    std::string start = std::string("cusolverDn") + kLetters[i];
    std::string orgqr_name = start + (i < 2 ? "orgqr" : "ungqr");
    find(start + "potrfBatched", potrf_stack[i]);
    find(orgqr_name + "_bufferSize", orgqr_size[i]);
    find(orgqr_name, orgqr[i]);
  }
  library.find("cusolverDnXsyevBatched_bufferSize", syev_stack_size);
  library.find("cusolverDnXsyevBatched", syev_stack);
  library.find("cusolverDnXgeev_bufferSize", geev_size);
  library.find("cusolverDnXgeev", geev);
}

}  // namespace strider::nd::cuda
