// The compiler of kernels, where there is one: it needs no device.
#include <doctest/doctest.h>

#include <string>

#include "kernels/backend/cuda/jit/nvrtc.h"

namespace cuda = strider::nd::cuda;

namespace {

const std::string kText =
    "extern \"C\" __global__ void scale(double* x) {\n"
    "  x[threadIdx.x] = x[threadIdx.x] * 3 + 1;\n"
    "}\n";

}  // namespace

TEST_CASE("a text becomes machine code or portable code, without contraction") {
  if (!cuda::has_nvrtc()) return;
  CHECK(cuda::architecture_for(90) == "sm_90");
  CHECK(cuda::architecture_for(91) == "compute_90");
  CHECK(cuda::architecture_for(999).starts_with("compute_"));
  CHECK_THROWS(cuda::architecture_for(20));
  CHECK(cuda::compile(kText, "sm_90")
            .starts_with("\x7f"
                         "ELF"));
  std::string portable = cuda::compile(kText, "compute_75");
  CHECK(portable.find(".entry scale") != std::string::npos);
  CHECK(portable.find("fma") == std::string::npos);
  CHECK(portable.find("mul.rn.f64") != std::string::npos);
  CHECK(cuda::compile(kText, "sm_90") == cuda::compile(kText, "sm_90"));
}

TEST_CASE("a text that does not compile is shown with its lines numbered") {
  if (!cuda::has_nvrtc()) return;
  try {
    cuda::compile("int f() {\n  return wrong;\n}\n", "sm_90");
    FAIL("compiled");
  } catch (const cuda::CompileError& error) {
    std::string text = error.what();
    CHECK(error.log().find("\"wrong\" is undefined") != std::string::npos);
    CHECK(text.find(error.log()) != std::string::npos);
    CHECK(text.find("   2    return wrong;\n") != std::string::npos);
    CHECK(text.find('\0') == std::string::npos);
  }
}

TEST_CASE("the compiler's identity names its version and options") {
  if (!cuda::has_nvrtc()) {
    std::string reason;
    cuda::has_nvrtc(&reason);
    CHECK(reason.find("libnvrtc") != std::string::npos);
    return;
  }
  CHECK(cuda::compiler_identity().starts_with("nvrtc 13."));
  CHECK(cuda::compiler_identity().find("--fmad=false") != std::string::npos);
}
