// Printed arrays, scalars and floats, to the character.
#include <doctest/doctest.h>
#include <strider/nd/format.h>

#include <cmath>
#include <initializer_list>
#include <limits>

using namespace strider::nd;

namespace {

Array reals(std::initializer_list<double> values) {
  return Array::copy_of(values.begin(), static_cast<std::int64_t>(values.size()), DType::kFloat64);
}

Array range(std::int64_t count) {
  return Array::arange(std::int64_t{0}, std::int64_t{1}, count, DType::kInt64);
}

class Hexadecimal final : public ElementFormatter {
 public:
  std::string format(const Scalar& element) override { return "<" + scalar_str(element) + ">"; }
};

}  // namespace

TEST_CASE("numbers share one form and align at the point") {
  CHECK(array_repr(reals({1, 2.5, -3.125})) == "array([ 1.   ,  2.5  , -3.125])");
  CHECK(array_repr(reals({1e10, 1})) == "array([1.e+10, 1.e+00])");
  CHECK(array_str(reals({1.0 / 3})) == "[0.33333333]");
  CHECK(array_repr(reals({NAN, 1, -INFINITY})) == "array([ nan,   1., -inf])");
}

TEST_CASE("types that a list would not give are named") {
  CHECK(array_repr(range(3).astype(DType::kInt8)) == "array([0, 1, 2], dtype=int8)");
  CHECK(array_repr(Array::empty(Dims{0, 3}, DType::kFloat64)) ==
        "array([], shape=(0, 3), dtype=float64)");
  CHECK(array_repr(Array::zeros(Dims{2}, DType::kBool)) == "array([False, False])");
}

TEST_CASE("rows nest, wrap and are left out in the middle") {
  CHECK(array_repr(range(6).reshape(Dims{2, 3})) == "array([[0, 1, 2],\n       [3, 4, 5]])");
  CHECK(array_repr(range(2000)) ==
        "array([   0,    1,    2, ..., 1997, 1998, 1999], shape=(2000,))");
  PrintOptions narrow;
  narrow.line_width = 20;
  CHECK(array_str(range(9), narrow) == "[0 1 2 3 4 5 6 7 8]");
  narrow.line_width = 10;
  CHECK(array_str(range(9), narrow) == "[0 1 2 3\n 4 5 6 7\n 8]");
}

TEST_CASE("options change precision, form, sign and special values") {
  PrintOptions options;
  options.precision = 2;
  CHECK(array_str(reals({0.12345, 2}), options) == "[0.12 2.  ]");
  options.float_mode = FloatMode::kFixed;
  CHECK(array_str(reals({0.12345, 2}), options) == "[0.12 2.00]");
  options.sign = '+';
  options.nan_text = "none";
  CHECK(array_str(reals({0.12345, NAN}), options) == "[+0.12 +none]");
  PrintOptions suppress;
  suppress.suppress = true;
  CHECK(array_str(reals({1e-10, 1}), suppress) == "[0. 1.]");
}

TEST_CASE("a formatter replaces the built-in one") {
  Hexadecimal formatter;
  PrintOptions options;
  options.integer_formatter = &formatter;
  CHECK(array_str(range(3), options) == "[<0> <1> <2>]");
}

TEST_CASE("scalars name their type and print the shortest digits of it") {
  CHECK(scalar_repr(Scalar(1.5)) == "np.float64(1.5)");
  CHECK(scalar_repr(Scalar(0.1f)) == "np.float32(0.1)");
  CHECK(scalar_repr(Scalar(Half(0.1f))) == "np.float16(0.1)");
  CHECK(scalar_repr(Scalar(true)) == "np.True_");
  CHECK(scalar_repr(Scalar(std::complex<double>(1, 2))) == "np.complex128(1+2j)");
  CHECK(scalar_str(Scalar(1e16)) == "1e+16");
  CHECK(scalar_str(Scalar(1e6f)) == "1e+06");
}

TEST_CASE("single floats are laid out as asked") {
  FloatFormat format;
  format.precision = 3;
  CHECK(format_float_positional(Scalar(3.14159), format) == "3.142");
  CHECK(format_float_scientific(Scalar(31415.9), format) == "3.142e+04");
  format.unique = false;
  format.precision = 20;
  CHECK(format_float_positional(Scalar(0.1), format) == "0.10000000000000000555");
  FloatFormat padded;
  padded.pad_left = 4;
  padded.pad_right = 3;
  CHECK(format_float_positional(Scalar(1.5), padded) == "   1.5  ");
}
