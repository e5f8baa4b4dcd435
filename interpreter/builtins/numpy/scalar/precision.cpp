// The default float type, one per thread as sessions are.
#include "interpreter/builtins/numpy/scalar/precision.h"

namespace strider::lang {
namespace {

thread_local nd::DType float_type_of_run = nd::DType::kFloat64;

}  // namespace

nd::DType default_float() { return float_type_of_run; }
nd::DType default_complex() { return nd::complex_of(float_type_of_run); }
void set_default_float(nd::DType dtype) { float_type_of_run = dtype; }

}  // namespace strider::lang
