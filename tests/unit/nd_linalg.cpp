// Products, decompositions, transforms and sequences.
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <strider/nd/fft.h>
#include <strider/nd/interrupt.h>
#include <strider/nd/linalg.h>
#include <strider/nd/signal.h>
#include <sys/mman.h>

#include <cmath>
#include <numbers>

#include "nd_support.h"

using namespace strider::nd;

namespace {

using Doubles = std::vector<double>;

// A well-conditioned matrix of no special form.
Array sample(std::int64_t rows, std::int64_t columns) {
  Array result = Array::empty({rows, columns}, DType::kFloat64);
  double* to = result.mutable_as<double>();
  for (std::int64_t i = 0; i < rows * columns; ++i)
    to[i] = std::sin(static_cast<double>(3 * i + 1)) + (i % (columns + 1) == 0 ? 3.0 : 0.0);
  return result;
}

double distance(const Array& a, const Array& b) {
  auto x = values_of<std::complex<double>>(a), y = values_of<std::complex<double>>(b);
  REQUIRE(x.size() == y.size());
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
  return largest;
}

Array einsum_of(std::string_view subscripts, std::initializer_list<Array> operands) {
  std::vector<Array> list(operands);
  return einsum(subscripts, list);
}

// Memory that ends where nothing may be read.
class Fence {
 public:
  Fence() {
    constexpr int kMode = PROT_READ | PROT_WRITE, kKind = MAP_PRIVATE | MAP_ANONYMOUS;
    at_ = static_cast<std::byte*>(mmap(nullptr, 2 * kSize, kMode, kKind, -1, 0));
    REQUIRE(mprotect(at_ + kSize, kSize, PROT_NONE) == 0);
  }
  ~Fence() { munmap(at_, 2 * kSize); }
  Fence(const Fence&) = delete;

  // An array of ones at the end; it lives no longer than this.
  Array ones(const Dims& shape, DType dtype) {
    std::int64_t bytes = element_count(shape) * item_size(dtype);
    std::byte* first = at_ + kSize - bytes;
    Array array = Array::on_memory(first, bytes, shape, dtype, nullptr, nullptr, true);
    array.assign(Array::full(shape, Scalar(1.0), dtype));
    return array;
  }

 private:
  static constexpr std::int64_t kSize = 1 << 16;
  std::byte* at_ = nullptr;
};

}  // namespace

TEST_CASE("products read no element that is not there") {
  constexpr std::int64_t kLength = 50;
  for (DType dtype : {DType::kFloat64, DType::kComplex64, DType::kComplex128}) {
    for (std::int64_t count = 1; count <= 7; ++count) {
      Fence first, second;
      Array vector = first.ones({kLength}, dtype), matrix = second.ones({kLength, count}, dtype);
      Array expected = Array::full({count}, Scalar(double{kLength}), dtype);
      CHECK(distance(matmul(vector, matrix), expected) == 0);
      CHECK(distance(matmul(matrix.transpose(), vector), expected) == 0);
      std::int64_t item = item_size(dtype);
      Array column = matrix.view({kLength}, {count * item}, (count - 1) * item);
      CHECK(distance(matmul(column, column), expected.view({}, {}, 0)) == 0);
      CHECK(distance(matmul(column, matrix), expected) == 0);
    }
  }
}

TEST_CASE("products of integers wrap and of booleans mean 'any'") {
  Array a = counting({2, 2}, DType::kUInt8);
  Array big = Array::full({2, 2}, Scalar(std::uint8_t{200}), DType::kUInt8);
  CHECK(values_of<std::uint8_t>(matmul(a, big)) == std::vector<std::uint8_t>{200, 200, 232, 232});
  Array truth = Array::full({2, 2}, Scalar(true), DType::kBool);
  CHECK(matmul(truth, truth).dtype() == DType::kBool);
}

TEST_CASE("strided and transposed operands multiply as their copies do") {
  Array a = sample(6, 8), b = sample(8, 5);
  Array expected = matmul(a, b);
  CHECK(distance(matmul(a.transpose().copy().transpose(), b), expected) < 1e-13);
  Array spread = Array::zeros({12, 16}, DType::kFloat64);
  Array view = spread.view({6, 8}, {2 * 16 * 8, 2 * 8}, 0);
  view.assign(a);
  CHECK(distance(matmul(view, b), expected) < 1e-13);
}

TEST_CASE("mismatched products are reported in NumPy's words") {
  Array a = sample(2, 3);
  CHECK(complaint([&] { matmul(a, a); }) ==
        "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
        "(n?,k),(k,m?)->(n?,m?) (size 2 is different from 3)");
  CHECK(complaint([&] { dot(a, a); }) ==
        "shapes (2,3) and (2,3) not aligned: 3 (dim 1) != 2 (dim 0)");
}

TEST_CASE("einsum takes diagonals, sums, products and ellipses") {
  Array a = sample(4, 4), b = sample(4, 3);
  CHECK(distance(einsum_of("ij,jk", {a, b}), matmul(a, b)) < 1e-13);
  CHECK(distance(einsum_of("...j,jk->k...", {a, b}), matmul(a, b).transpose()) < 1e-13);
  CHECK(einsum_of("ii->i", {a}).same_storage(a));
  CHECK(complaint([&] { einsum_of("ij->ii", {a}); }) ==
        "einstein sum subscripts string includes output subscript 'i' multiple times");
}

TEST_CASE("factors multiply back to their matrix") {
  Array a = sample(5, 3), square = sample(4, 4);
  Qr orthogonal = qr(a);
  CHECK(distance(matmul(orthogonal.q, orthogonal.r), a) < 1e-13);
  Svd parts = svd(a, false);
  Array scaled = einsum_of("ij,j->ij", {parts.u, parts.s});
  CHECK(distance(matmul(scaled, parts.vh), a) < 1e-13);
  CHECK(distance(matmul(square, inv(square)), matrix_power(square, 0)) < 1e-13);
  Array symmetric = matmul(square, square.transpose());
  Array lower = cholesky(symmetric);
  CHECK(distance(matmul(lower, lower.transpose()), symmetric) < 1e-12);
  Eigen eigen = eigh(symmetric);
  Array back = einsum_of("ij,j,kj->ik", {eigen.vectors, eigen.values, eigen.vectors});
  CHECK(distance(back, symmetric) < 1e-12);
  Eigen general = eig(square);
  CHECK(distance(matmul(square, general.vectors),
                 einsum_of("ij,j->ij", {general.vectors, general.values})) < 1e-12);
}

TEST_CASE("after a large system the library works on one thread again") {
  solve(sample(600, 600), sample(600, 1));
  void* library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_NOLOAD);
  REQUIRE(library);
  auto* threads = reinterpret_cast<int (*)()>(dlsym(library, "openblas_get_num_threads"));
  CHECK(threads() == 1);
}

TEST_CASE("singular and indefinite matrices are refused") {
  Array ones = Array::full({2, 2}, Scalar(1.0), DType::kFloat64);
  CHECK(complaint([&] { inv(ones); }) == "Singular matrix");
  Array negative = Array::full({1, 1}, Scalar(-1.0), DType::kFloat64);
  CHECK(complaint([&] { cholesky(negative); }) == "Matrix is not positive definite");
  CHECK(values_of<double>(det(ones)) == Doubles{0.0});
}

TEST_CASE("a matrix product stops when interrupted") {
  Array a = Array::zeros({64, 40000}, DType::kInt64), b = Array::zeros({40000, 64}, DType::kInt64);
  request_interrupt();
  CHECK_THROWS_AS(matmul(a, b).data(), Error);
  request_interrupt(false);
}

TEST_CASE("transforms of any length agree with the definition and invert") {
  for (std::int64_t length : {1, 2, 3, 8, 12, 30, 49, 97, 128, 143, 211, 600, 1009, 2048}) {
    Array x = sample(1, length).reshape({length});
    Array spectrum = fft_c2c(x, length, 0, true, 1.0);
    auto values = values_of<double>(x);
    std::complex<double> second = 0;
    for (std::int64_t k = 0; k < length; ++k)
      second += values[static_cast<std::size_t>(k)] *
                std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k % length) /
                                    static_cast<double>(length));
    if (length > 1) CHECK(std::abs(values_of<std::complex<double>>(spectrum)[1] - second) < 1e-10);
    double scale = 1.0 / static_cast<double>(length);
    CHECK(distance(fft_c2c(spectrum, length, 0, false, scale), x) < 1e-12);
    Array half = fft_r2c(x, length, 0, true, 1.0);
    CHECK(distance(half, spectrum.view(half.shape(), spectrum.strides(), 0)) < 1e-11);
    CHECK(distance(fft_c2r(half, length, 0, false, scale), x) < 1e-12);
  }
}

TEST_CASE("sequences correlate, interpolate and pack") {
  Array a = array_of<double>({1, 2, 3}), v = array_of<double>({0, 1, 0.5});
  CHECK(values_of<double>(convolve(a, v)) == Doubles{0, 1, 2.5, 4, 1.5});
  CHECK(values_of<double>(correlate(a, v)) == Doubles{3.5});
  Array at = array_of<double>({0, 1.5, 9});
  CHECK(values_of<double>(interp(at, a, v)) == Doubles{0, 0.5, 0.5});
  Array bits = array_of<bool>({true, false, true});
  CHECK(values_of<std::uint8_t>(packbits(bits, {})) == std::vector<std::uint8_t>{160});
}
