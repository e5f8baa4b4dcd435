// Functions about element types: result_type, promote_types, can_cast, min_scalar_type.
#include <cmath>
#include <limits>

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/functions/functions.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using nd::DType;

bool describes_type(const Value& value) {
  return is_str(value) || value.has_layout(Layout::kType) || value.has_layout(Layout::kDType);
}

Value result_type(const Parameters& p) {
  const Tuple& given = *p[0].as<Tuple>();
  if (given.size() == 0) raise(errors::ValueError, "at least one array or dtype is required");
  std::vector<OperandKeeper> keepers(given.size());
  std::vector<nd::Operand> operands;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (describes_type(given[i]) || given[i].is_none())
      operands.emplace_back(nd::Scalar(0.0).as(to_dtype(given[i])));
    else
      operands.push_back(to_operand(given[i], keepers[i]));
  }
  return make_dtype(nd::result_type(operands));
}

Value promote_types(const Parameters& p) {
  return make_dtype(nd::promote(to_dtype(p[0]), to_dtype(p[1])));
}

// can_cast(from_, to, casting)
Value can_cast(const Parameters& p) {
  bool python_number = !p[0].is_object() || p[0].has_layout(Layout::kComplex);
  if (python_number && !p[0].is_none() && !p[0].is_bool())
    raise(errors::TypeError,
          "can_cast() does not support Python ints, floats, and complex because the result used "
          "to depend on the value.\nThis change was part of adopting NEP 50, we may explicitly "
          "allow them again in the future.");
  DType from = is_array(p[0])          ? array_of(p[0]).dtype()
               : is_numpy_scalar(p[0]) ? scalar_dtype(p[0])
               : p[0].is_bool()        ? DType::kBool
                                       : to_dtype(p[0]);
  return Value::boolean(nd::can_cast(from, to_dtype(p[1]), to_casting(p[2])));
}

DType smallest_unsigned(std::uint64_t value) {
  if (value <= 0xff) return DType::kUInt8;
  if (value <= 0xffff) return DType::kUInt16;
  return value <= 0xffffffff ? DType::kUInt32 : DType::kUInt64;
}

DType smallest_signed(std::int64_t value) {
  if (value >= -0x80) return DType::kInt8;
  if (value >= -0x8000) return DType::kInt16;
  return value >= -0x80000000LL ? DType::kInt32 : DType::kInt64;
}

DType smallest_floating(double value, DType most) {
  double size = std::abs(value);
  if (!std::isfinite(value) || size < 65000) return DType::kFloat16;
  return size < 3.4e38 ? DType::kFloat32 : most;
}

Value min_scalar_type(const Parameters& p) {
  nd::Array array = to_array(p[0]);
  DType dtype = array.dtype();
  if (array.rank() > 0 || dtype == DType::kBool) return make_dtype(dtype);
  nd::Scalar scalar = array.item();
  if (nd::category(dtype) == nd::Category::kUnsigned)
    return make_dtype(smallest_unsigned(scalar.as(DType::kUInt64).get<std::uint64_t>()));
  if (nd::is_integer(dtype)) {
    auto value = scalar.as(DType::kInt64).get<std::int64_t>();
    return make_dtype(value < 0 ? smallest_signed(value)
                                : smallest_unsigned(static_cast<std::uint64_t>(value)));
  }
  if (nd::is_floating(dtype)) return make_dtype(smallest_floating(scalar.to_double(), dtype));
  std::complex<double> value = scalar.to_complex();
  double size = std::max(std::abs(value.real()), std::abs(value.imag()));
  return make_dtype(size < 3.4e38 || !std::isfinite(size) ? DType::kComplex64 : dtype);
}

const NativeRow kFunctions[] = {
    {"result_type(*arrays_and_dtypes)", result_type,
     "The type that NumPy's promotion rules give to a mix of arrays and types."},
    {"promote_types(type1, type2)", promote_types, "The smallest type both convert to safely."},
    {"can_cast(from_, to, casting='safe')", can_cast,
     "Whether one type converts to another under a casting rule."},
    {"min_scalar_type(a, /)", min_scalar_type, "The smallest type that holds a number."},
};

}  // namespace

std::span<const NativeRow> type_functions() { return kFunctions; }

}  // namespace strider::lang
