// Numbers, dtypes, axes, shapes and keyword values as the array library takes them.
#include "interpreter/builtins/numpy/conversion.h"

#include <strider/nd/eval.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "interpreter/builtins/numpy/array/nested_sequence.h"
#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/builtins/numpy/scalar/pending_scalar.h"
#include "interpreter/builtins/numpy/scalar/scalar_cast.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using nd::DType;
using nd::Scalar;

bool fits_uint64(const Integer& value) {
  return value >= 0 && value <= std::numeric_limits<std::uint64_t>::max();
}

// An integer beyond 64 signed bits.
nd::Operand big_operand(const Value& value, OperandKeeper& keeper) {
  Integer integer = to_integer(value);
  if (fits_uint64(integer)) return nd::Operand::weak_uint(static_cast<std::uint64_t>(integer));
  keeper.digits = integer_text(value);
  return nd::Operand::too_big(integer < 0, keeper.digits);
}

Scalar integer_scalar(const Value& value, DType dtype) {
  if (value.is_int() && dtype == DType::kFloat16) return cast_scalar(Scalar(value.as_int()), dtype);
  if (value.is_int()) return nd::convert_operand(nd::Operand::weak_int(value.as_int()), dtype);
  if (nd::is_inexact(dtype)) return cast_scalar(Scalar(integer_to_double(value)), dtype);
  OperandKeeper keeper;
  nd::Operand operand = big_operand(value, keeper);
  return nd::convert_operand(operand, dtype);
}

Scalar float_scalar(double value, DType dtype) {
  if (nd::is_inexact(dtype) || dtype == DType::kBool) return rounded_scalar(Scalar(value), dtype);
  return integer_scalar(integer_from_double(value), dtype);
}

Scalar complex_scalar(const Value& value, DType dtype) {
  if (nd::is_complex(dtype) || dtype == DType::kBool)
    return rounded_scalar(Scalar(value.as<Complex>()->value), dtype);
  if (nd::is_floating(dtype))
    raise(errors::TypeError, "float() argument must be a string or a real number, not 'complex'");
  raise(errors::TypeError,
        "int() argument must be a string, a bytes-like object or a real number, not 'complex'");
}

Scalar text_scalar(std::string_view text, DType dtype) {
  if (nd::is_complex(dtype)) return cast_scalar(Scalar(parse_complex(text)), dtype);
  if (nd::is_floating(dtype)) return cast_scalar(Scalar(parse_float(text)), dtype);
  if (dtype == DType::kBool) return Scalar(!text.empty());
  return integer_scalar(parse_int(text, 10), dtype);
}

// An element from any other object: through __float__, __int__ or __index__.
Scalar object_scalar(const Value& value, DType dtype) {
  const Slots& slots = type_of(value)->slots;
  if (value.is_none() && nd::is_complex(dtype))
    return Scalar(std::complex<double>(std::nan(""), std::nan(""))).as(dtype);
  if (value.is_none() && nd::is_inexact(dtype)) return Scalar(std::nan("")).as(dtype);
  if (dtype == DType::kBool) return Scalar(truth(value));
  if (nd::is_complex(dtype)) {
    Value method = find_special(value, names().complex);
    if (!method.is_empty()) return to_scalar(call(method), dtype);
  }
  if (nd::is_inexact(dtype)) {
    if (slots.to_float || slots.to_index) return cast_scalar(Scalar(to_double(value)), dtype);
    if (nd::is_complex(dtype))
      raise(errors::TypeError, "must be real number, not {}", type_name(value));
    if (is_list(value) || is_tuple(value) || value.has_layout(Layout::kRange))
      raise(errors::ValueError, "setting an array element with a sequence.");
    raise(errors::TypeError, "float() argument must be a string or a real number, not '{}'",
          type_name(value));
  }
  if (slots.to_int) return integer_scalar(slots.to_int(value), dtype);
  if (slots.to_index) return integer_scalar(slots.to_index(value), dtype);
  raise(errors::TypeError,
        "int() argument must be a string, a bytes-like object or a real number, not '{}'",
        type_name(value));
}

// A length; what no 64-bit integer holds is no length.
// Whether a value is true or false, of Python or of numpy: no number of places or axes.
bool is_truth(const Value& value) {
  return value.is_bool() || (is_numpy_scalar(value) && scalar_dtype(value) == DType::kBool);
}

std::int64_t to_extent(const Value& value) {
  if (is_truth(value)) raise(errors::TypeError, "an integer is required");
  if (value.has_layout(Layout::kBigInt))
    raise(errors::ValueError, "Maximum allowed dimension exceeded");
  return to_int64(value);
}

bool is_integral(const Value& value) {
  return value.is_int() || (value.is_object() && is_integer(value));
}

// The items of a tuple as a shape; false where one is no plain integer, or there are too many.
bool read_plain_shape(const Value& value, nd::Dims& shape) {
  if (!is_tuple(value)) return false;
  std::span<const Value> items = value.as<Tuple>()->items();
  if (items.size() > nd::kMaxRank) return false;
  for (const Value& item : items) {
    if (!item.is_int()) return false;
  }
  for (const Value& item : items) shape.push_back(item.as_int());
  return true;
}

// A pending scalar as its array, unless operations run at once.
nd::Operand scalar_operand(const Value& value, OperandKeeper& keeper) {
  bool later = is_pending_scalar(value) && nd::recording().on();
  if (!later) return scalar_of(value);
  keeper.array = pending_array(value);
  return keeper.array;
}

}  // namespace

nd::Operand to_operand(const Value& value, OperandKeeper& keeper) {
  if (is_array(value)) return array_of(value);
  if (value.is_float()) return nd::Operand::weak_float(value.as_float());
  if (value.is_int()) return nd::Operand::weak_int(value.as_int());
  if (is_numpy_scalar(value)) return scalar_operand(value, keeper);
  if (value.is_bool()) return Scalar(value.as_bool());
  // Instances of classes that extend Python's numbers are not weak.
  if (is_float(value)) return Scalar(float_value(value));
  if (value.has_layout(Layout::kComplex)) {
    const std::complex<double>& number = value.as<Complex>()->value;
    if (type_of(value) != &Complex::type_object()) return Scalar(number);
    return nd::Operand::weak_complex(number);
  }
  if (value.is_object() && is_integer(value)) {
    Value exact = exact_int(value);
    if (exact.is_int()) return Scalar(exact.as_int());
    return big_operand(exact, keeper);
  }
  keeper.array = to_array(value);
  return keeper.array;
}

void warn_of_lost_parts(DType from, DType to) {
  if (nd::is_complex(from) && !nd::is_complex(to) && to != DType::kBool)
    warn(complex_warning(), "Casting complex values to real discards the imaginary part");
}

std::optional<DType> to_dtype_for(const Value& array, const Value& value) {
  std::optional<DType> dtype = to_optional_dtype(value);
  if (dtype && is_array(array)) warn_of_lost_parts(array_of(array).dtype(), *dtype);
  return dtype;
}

Scalar to_scalar(const Value& value, DType dtype) {
  if (value.is_float()) return float_scalar(value.as_float(), dtype);
  if (value.is_bool()) return Scalar(value.as_bool()).as(dtype);
  if (is_numpy_scalar(value)) return stored_scalar(scalar_of(value), dtype);
  if (is_integral(value)) return integer_scalar(exact_int(value), dtype);
  if (is_array(value)) {
    if (array_of(value).rank() > 0 && nd::is_complex(dtype))
      raise(errors::TypeError, "only 0-dimensional arrays can be converted to Python scalars");
    if (array_of(value).rank() > 0 && dtype == DType::kBool && array_of(value).size() == 1)
      return Scalar(truth(value));
    if (array_of(value).rank() > 0)
      raise(errors::ValueError, "setting an array element with a sequence.");
    if (converts_itself(value)) return object_scalar(value, dtype);
    return converted_scalar(value, dtype);
  }
  if (is_float(value)) return float_scalar(float_value(value), dtype);
  if (value.has_layout(Layout::kComplex)) return complex_scalar(value, dtype);
  if (is_str(value)) return text_scalar(text_of(value), dtype);
  if (is_bytes(value)) return text_scalar(to_bytes(value), dtype);
  return object_scalar(value, dtype);
}

Scalar to_scalar(const Value& value) {
  if (is_numpy_scalar(value)) return scalar_of(value);
  return to_array(value).item();
}

std::optional<DType> to_optional_dtype(const Value& value) {
  if (value.is_empty() || value.is_none()) return std::nullopt;
  return to_dtype(value);
}

nd::Dims to_shape(const Value& value) {
  if (value.is_none()) raise(errors::TypeError, "Use () not None as shape arguments");
  std::int64_t extent;
  if (value.is_int()) return nd::Dims{value.as_int()};
  if (is_truth(value))
    raise(errors::TypeError, "expected a sequence of integers or a single integer, got '{}'",
          repr_text(value));
  nd::Dims shape;
  if (read_plain_shape(value, shape)) return shape;
  bool several = is_tuple(value) || is_list(value) || is_boxed_array(value) ||
                 (is_array(value) && array_of(value).rank() > 0);
  if (several || !try_index(value, extent)) {
    const Slots& slots = type_of(value)->slots;
    if (is_str(value)) raise(errors::TypeError, "'str' object cannot be interpreted as an integer");
    if (!slots.iterate && !slots.get_item)
      raise(errors::TypeError, "expected a sequence of integers or a single integer, got '{}'",
            repr_text(value));
    Iteration items(value);
    Value item;
    while (items.next(item)) shape.push_back(to_extent(item));
  } else {
    shape.push_back(to_extent(value));
  }
  if (shape.size() > nd::kMaxRank)
    raise(errors::ValueError,
          "maximum supported dimension for an ndarray is currently {}, found {}", nd::kMaxRank,
          shape.size());
  return shape;
}

Value shape_tuple(const nd::Dims& shape) {
  Values items;
  items.reserve(static_cast<std::size_t>(shape.size()));
  for (std::int64_t extent : shape) items.push_back(Value::integer(extent));
  return make_tuple(std::move(items));
}

std::optional<std::int64_t> to_axis(const Value& value) {
  if (value.is_empty() || value.is_none()) return std::nullopt;
  if (value.is_bool()) raise(errors::TypeError, "an integer is required for the axis");
  return to_int64(value);
}

namespace {

std::int64_t to_folded_axis(const Value& value) {
  if (is_truth(value)) raise(errors::TypeError, "an integer is required");
  return to_int64(value);
}

}  // namespace

nd::Axes to_axes(const Value& value) {
  if (value.is_empty() || value.is_none()) return {};
  if (!is_tuple(value) && !is_list(value)) return nd::Axes(to_folded_axis(value));
  if (is_list(value)) raise(errors::TypeError, "'list' object cannot be interpreted as an integer");
  nd::Dims axes;
  for (const Value& item : value.as<Tuple>()->items()) axes.push_back(to_folded_axis(item));
  return nd::Axes(axes);
}

std::vector<int> to_axis_list(const Value& value) {
  std::vector<int> axes;
  if (value.is_int()) return {static_cast<int>(value.as_int())};
  const Slots& slots = type_of(value)->slots;
  bool lone = is_array(value) && array_of(value).rank() == 0;
  bool several = is_tuple(value) || is_list(value) ||
                 (slots.iterate && slots.get_item && !is_str(value) && !lone);
  if (!several) return {static_cast<int>(to_int64(value))};
  Iteration items(value);
  Value item;
  while (items.next(item)) axes.push_back(static_cast<int>(to_folded_axis(item)));
  return axes;
}

std::vector<int> to_axis_tuple(const Value& value) {
  if (is_truth(value)) raise(errors::TypeError, "an integer is required for the axis");
  if (!is_tuple(value)) return {static_cast<int>(to_int64(value))};
  if (std::ranges::any_of(value.as<Tuple>()->items(), is_truth))
    raise(errors::TypeError, "integers are required for the axis tuple elements");
  return to_axis_list(value);
}

nd::Order to_order(const Value& value, nd::Order fallback) {
  if (value.is_empty() || value.is_none()) return fallback;
  if (!is_str(value)) raise(errors::TypeError, "order must be str, not {}", type_name(value));
  std::string_view text = text_of(value);
  if (text == "C" || text == "c") return nd::Order::kC;
  if (text == "F" || text == "f") return nd::Order::kF;
  if (text == "A" || text == "a") return nd::Order::kAny;
  if (text == "K" || text == "k") return nd::Order::kKeep;
  raise(errors::ValueError, "order must be one of 'C', 'F', 'A', or 'K' (got '{}')", text);
}

nd::Casting to_casting(const Value& value) {
  if (value.is_empty() || value.is_none()) return nd::Casting::kSameKind;
  std::string_view text = to_text(value, "casting");
  if (text == "no") return nd::Casting::kNo;
  if (text == "equiv") return nd::Casting::kEquiv;
  if (text == "safe") return nd::Casting::kSafe;
  if (text == "same_kind") return nd::Casting::kSameKind;
  if (text == "unsafe") return nd::Casting::kUnsafe;
  raise(errors::ValueError,
        "casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe' (got "
        "'{}')",
        text);
}

const nd::Array* to_out(const Value& value) {
  if (value.is_empty() || value.is_none()) return nullptr;
  if (is_tuple(value) && value.as<Tuple>()->size() == 1) return to_out((*value.as<Tuple>())[0]);
  if (is_tuple(value))
    raise(errors::ValueError, "The 'out' tuple must have exactly one entry per ufunc output");
  if (!is_array(value)) raise(errors::TypeError, "return arrays must be of ArrayType");
  if (!array_of(value).writeable()) raise(errors::ValueError, "output array is read-only");
  return &array_of(value);
}

const nd::Array* to_where(const Value& value, nd::Array& keeper) {
  if (value.is_empty() || value.is_none()) return nullptr;
  if (value.is_bool() && value.as_bool()) return nullptr;
  bool plain = value.is_int() || value.is_float() || is_str(value);  // Python's, which have a truth
  keeper = plain ? nd::Array::scalar(nd::Scalar(truth(value))) : to_array(value);
  if (keeper.dtype() != DType::kBool) {
    if (!nd::can_cast(keeper.dtype(), DType::kBool, nd::Casting::kSafe) && !is_list(value))
      raise(errors::TypeError,
            "Cannot cast array data from dtype('{}') to dtype('bool') according to the rule "
            "'safe'",
            nd::name(keeper.dtype()));
    keeper = keeper.astype(DType::kBool);
  }
  return &keeper;
}

}  // namespace strider::lang
