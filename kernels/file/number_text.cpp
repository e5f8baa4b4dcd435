// Text to numbers, by std::from_chars where it can.
#include "kernels/file/number_text.h"

#include <strider/nd/file.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

namespace strider::nd {
namespace file {
namespace {

// from_chars gives no value beyond the range: infinity or zero, as strtod says.
double out_of_range(const char* begin, const char* end) {
  return std::strtod(std::string(begin, end).c_str(), nullptr);
}

// A real number becomes an element of a floating type.
void store_real(double value, DType dtype, void* result) {
  if (dtype == DType::kFloat64) {
    std::memcpy(result, &value, sizeof value);
  } else if (dtype == DType::kFloat32) {
    float narrow = static_cast<float>(value);
    std::memcpy(result, &narrow, sizeof narrow);
  } else {
    Half narrow(static_cast<float>(value));
    std::memcpy(result, &narrow, sizeof narrow);
  }
}

void store_complex(double real, double imag, DType dtype, void* result) {
  if (dtype == DType::kComplex128) {
    std::complex<double> z(real, imag);
    std::memcpy(result, &z, sizeof z);
  } else {
    std::complex<float> z(static_cast<float>(real), static_cast<float>(imag));
    std::memcpy(result, &z, sizeof z);
  }
}

// "1", "2j", "1+2j".
const char* read_complex(const char* begin, const char* end, double& real, double& imag) {
  double first = 0;
  imag = real = 0;
  const char* p = read_real(begin, end, first);
  if (p == begin) return begin;
  if (p < end && *p == 'j') {
    imag = first;
    return p + 1;
  }
  real = first;
  if (p == end || (*p != '+' && *p != '-')) return p;
  const char* q = read_real(p, end, imag);
  if (q != p && q < end && *q == 'j') return q + 1;
  imag = 0;
  return p;
}

// An integer of exactly the type's range; false for anything else.
template <class T>
bool parse_integer(std::string_view cell, void* result) {
  const char* begin = cell.data();
  const char* end = begin + cell.size();
  if (begin < end && *begin == '+') ++begin;
  if (begin < end && *begin == '-' && begin != cell.data()) return false;
  T value;
  auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || stop != end) return false;
  std::memcpy(result, &value, sizeof value);
  return true;
}

bool parse_bool(std::string_view cell, void* result) {
  std::int64_t value;
  if (!parse_integer<std::int64_t>(cell, &value)) return false;
  bool truth = value != 0;
  std::memcpy(result, &truth, sizeof truth);
  return true;
}

bool parse_complex(std::string_view cell, DType dtype, void* result) {
  if (cell.size() >= 2 && cell.front() == '(' && cell.back() == ')')
    cell = cell.substr(1, cell.size() - 2);
  while (!cell.empty() && is_blank(cell.front())) cell.remove_prefix(1);
  while (!cell.empty() && is_blank(cell.back())) cell.remove_suffix(1);
  double real, imag;
  const char* end = cell.data() + cell.size();
  if (cell.empty() || read_complex(cell.data(), end, real, imag) != end) return false;
  store_complex(real, imag, dtype, result);
  return true;
}

// fromstring wraps integers that do not fit.
const char* read_wrapped_integer(const char* begin, const char* end, DType dtype, void* result) {
  const char* p = begin;
  bool negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) ++p;
  if (negative && category(dtype) == Category::kUnsigned) return begin;
  const char* digits = p;
  std::uint64_t value = 0;
  for (; p < end && *p >= '0' && *p <= '9'; ++p)
    if (__builtin_mul_overflow(value, 10u, &value) ||
        __builtin_add_overflow(value, static_cast<std::uint64_t>(*p - '0'), &value))
      value = ~std::uint64_t{0} >> (category(dtype) == Category::kUnsigned ? 0 : 1);
  if (p == digits) return begin;
  if (negative) value = 0 - value;
  std::memcpy(result, &value, static_cast<std::size_t>(item_size(dtype)));
  return p;
}

}  // namespace

const char* read_real(const char* begin, const char* end, double& value) {
  const char* p = begin;
  if (p < end && *p == '+') {
    ++p;
    if (p < end && *p == '-') return begin;
  }
  auto [stop, error] = std::from_chars(p, end, value);
  if (error == std::errc::invalid_argument) return begin;
  if (error == std::errc::result_out_of_range) value = out_of_range(p, stop);
  // "nan(…)" is C's own; NumPy stops at the parenthesis.
  if (std::isnan(value)) stop = p + (*p == '-' ? 4 : 3);
  return stop;
}

const char* read_element(const char* begin, const char* end, DType dtype, void* result) {
  if (is_floating(dtype)) {
    double value;
    const char* stop = read_real(begin, end, value);
    if (stop != begin) store_real(value, dtype, result);
    return stop;
  }
  if (is_complex(dtype)) {
    double real, imag;
    const char* stop = read_complex(begin, end, real, imag);
    if (stop != begin) store_complex(real, imag, dtype, result);
    return stop;
  }
  if (dtype != DType::kBool) return read_wrapped_integer(begin, end, dtype, result);
  double value;
  const char* stop = read_real(begin, end, value);
  bool truth = stop != begin && value != 0;
  std::memcpy(result, &truth, sizeof truth);
  return stop;
}

}  // namespace file

bool parse_number(std::string_view cell, DType dtype, void* result) {
  while (!cell.empty() && file::is_blank(cell.front())) cell.remove_prefix(1);
  while (!cell.empty() && file::is_blank(cell.back())) cell.remove_suffix(1);
  if (cell.empty()) return false;
  if (is_floating(dtype)) {
    double value;
    const char* end = cell.data() + cell.size();
    if (file::read_real(cell.data(), end, value) != end) return false;
    file::store_real(value, dtype, result);
    return true;
  }
  if (is_complex(dtype)) return file::parse_complex(cell, dtype, result);
  if (dtype == DType::kBool) return file::parse_bool(cell, result);
  return dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      return file::parse_integer<T>(cell, result);
    else
      return false;
  });
}

}  // namespace strider::nd
