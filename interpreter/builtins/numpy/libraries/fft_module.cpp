// The module numpy.fft: its native cores; lengths, norms and several axes are dealt with in npx.
#include <strider/nd/fft.h>

#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/libraries/library_modules.h"
#include "interpreter/builtins/numpy/numpy_module.h"
#include "interpreter/runtime/protocol/protocol.h"

namespace strider::lang {
namespace {

constexpr char kPackage[] = "numpy.fft";

// _c2c(a, n, axis, forward, factor)
Value complex_to_complex(const Parameters& p) {
  return wrap_owner(nd::fft_c2c(to_array(p[0]), to_int64(p[1]), to_axis_number(p[2]), truth(p[3]),
                                to_double(p[4])));
}

// _r2c(a, n, axis, factor)
Value real_to_complex(const Parameters& p) {
  return wrap_owner(
      nd::fft_r2c(to_array(p[0]), to_int64(p[1]), to_axis_number(p[2]), true, to_double(p[3])));
}

// _c2r(a, n, axis, factor)
Value complex_to_real(const Parameters& p) {
  return wrap_owner(
      nd::fft_c2r(to_array(p[0]), to_int64(p[1]), to_axis_number(p[2]), false, to_double(p[3])));
}

const NativeRow kFunctions[] = {
    {"_c2c(a, n, axis, forward, factor)", complex_to_complex, "Complex to complex."},
    {"_r2c(a, n, axis, factor)", real_to_complex, "Real to complex, non-negative frequencies."},
    {"_c2r(a, n, axis, factor)", complex_to_real, "Non-negative frequencies to real."},
};

Value find(Name name) { return find_in_namespace(kPackage, text_of(name)); }

void list(std::vector<std::string_view>& names) { list_namespace(kPackage, names); }

}  // namespace

const NativeModule kNumpyFftModule = {
    kPackage, "Discrete Fourier transforms.", kFunctions, {}, find, list};

}  // namespace strider::lang
