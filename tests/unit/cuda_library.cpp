// What can be known of NVIDIA's libraries without a device: that their functions are found, and how
// plans are told apart. With a device: that products are the same however they are queued.
#include <doctest/doctest.h>

#include <deque>
#include <random>
#include <string>
#include <vector>

#include "kernels/backend/cuda/device/errors.h"
#include "kernels/backend/cuda/library/blas.h"
#include "kernels/backend/cuda/library/elements.h"
#include "kernels/backend/cuda/library/fourier.h"
#include "kernels/backend/cuda/library/solver_functions.h"
#include "kernels/backend/cuda/workspace.h"

using namespace strider::nd;
using namespace strider::nd::cuda;

TEST_CASE("every function of cuSOLVER that is used is there") {
  ToolkitLibrary library("libcusolver.so.12");
  if (!library.is_open()) {
    MESSAGE(library.reason());
    return;
  }
  SolverFunctions functions(library);
  CHECK(functions.are_there());
  bool has_newer = functions.syev_stack && functions.geev;
  CHECK(has_newer);
}

TEST_CASE("a missing library has no functions") {
  ToolkitLibrary library("libno-such-library.so");
  CHECK_FALSE(SolverFunctions(library).are_there());
}

TEST_CASE("plans differ in type, length and number of lines") {
  Transform transform;
  transform.length = 12;
  transform.count = 5;
  FourierKey key = key_of(transform);
  CHECK(key == FourierKey{CUFFT_Z2Z, 12, 5});
  transform.forward = false;
  CHECK(key_of(transform) == key);
  transform.real = DType::kFloat32;
  CHECK(key_of(transform).type == CUFFT_C2C);
  transform.kind = TransformKind::kRealToComplex;
  CHECK(key_of(transform).type == CUFFT_R2C);
  transform.kind = TransformKind::kComplexToReal;
  transform.real = DType::kFloat64;
  CHECK(key_of(transform).type == CUFFT_Z2D);
  transform.count = 6;
  CHECK_FALSE(key_of(transform) == FourierKey{CUFFT_Z2D, 12, 5});
}

TEST_CASE("a factor of a real type is the first half of the complex one") {
  Factor factor(2);
  CHECK(*static_cast<const float*>(factor.as(elements_of(DType::kFloat32))) == 2);
  CHECK(*static_cast<const double*>(factor.as(elements_of(DType::kFloat64))) == 2);
  auto* wide = static_cast<const std::complex<double>*>(factor.as(elements_of(DType::kComplex128)));
  CHECK(*wide == std::complex<double>(2, 0));
}

TEST_CASE("a product that comes again and again reads what its operands hold by then") {
  std::string reason;
  if (count_devices(reason) == 0) return;
  CudaDevice device(0);
  Blas blas(device);
  if (!blas.is_open()) return;
  constexpr std::int64_t kRows = 100, kInner = 700, kColumns = 60;
  std::mt19937 random(3);
  auto upload = [&](const Workspace& to) {
    std::vector<float> numbers(to.size() / sizeof(float));
    for (float& number : numbers) number = static_cast<float>(random() % 1000) / 700;
    device.upload(to.start(), reinterpret_cast<const std::byte*>(numbers.data()), to.size());
  };
  auto bytes_of = [&](const Workspace& from) {
    std::vector<std::byte> bytes(from.size());
    device.download(bytes.data(), from.start(), bytes.size());
    return bytes;
  };
  Workspace a(device, kRows * kInner * 4), b(device, kInner * kColumns * 4);
  Workspace out(device, kRows * kColumns * 4);
  MatrixStack left{a.start(), 1, 0, kRows, kInner, kInner, 1};
  MatrixStack right{b.start(), 1, 0, kInner, kColumns, kColumns, 1};
  upload(b);
  auto graphs = device_counts().graphs;
  std::deque<Workspace> elsewhere;  // each in a place of its own, where nothing is replayed
  for (int round = 0; round < 12; ++round) {
    CAPTURE(round);
    if (round % 3 == 0) upload(a);
    elsewhere.emplace_back(device, out.size());
    // Behind each other, so that the product becomes part of a sequence's graph.
    device.begin_sequence();
    for (int i = 0; i < 5; ++i)
      REQUIRE(blas.multiply(DType::kFloat32, left, right, out.start()));
    device.end_sequence();
    REQUIRE(blas.multiply(DType::kFloat32, left, right, elsewhere.back().start()));
    CHECK(bytes_of(out) == bytes_of(elsewhere.back()));
  }
  CHECK(device_counts().graphs > graphs);
}
