// numpy.finfo and numpy.iinfo: the limits of floating-point and integer types.
#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/numpy/scalar/type_info.h"

#include <strider/nd/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/objects/generic_alias.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using nd::DType;

class TypeInfo : public Object {
 public:
  TypeInfo(DType dtype, Type* type) : Object(Layout::kOther, type), dtype(dtype) {}
  const DType dtype;
};

// The type that a value names, or, of a number, has.
DType told_dtype(const Value& given) {
  if (is_numpy_scalar(given) || is_array(given)) return to_array(given).dtype();
  bool is_number = given.is_bool() || given.is_int() || given.is_float() ||
                   given.has_layout(Layout::kComplex);
  return to_dtype(is_number ? Value(type_of(given)) : given);
}

DType dtype_behind(const Value& self) { return self.as<TypeInfo>()->dtype; }

// The parameters of a binary floating-point format.
struct Format {
  int fraction_bits, exponent_bits, decimal_digits;
  int max_exponent() const { return 1 << (exponent_bits - 1); }
  int min_exponent() const { return 2 - max_exponent(); }
};

Format format_of(DType dtype) {
  if (dtype == DType::kFloat16) return {10, 5, 3};
  if (dtype == DType::kFloat32) return {23, 8, 6};
  return {52, 11, 15};
}

Format format_behind(const Value& self) { return format_of(dtype_behind(self)); }

nd::Scalar number(const Value& self, double value) {
  return nd::Scalar(value).as(dtype_behind(self));
}

nd::Scalar largest(const Value& self) {
  Format format = format_behind(self);
  return number(self,
                std::ldexp(2 - std::ldexp(1.0, -format.fraction_bits), format.max_exponent() - 1));
}

nd::Scalar lowest(const Value& self) { return number(self, -largest(self).to_double()); }
nd::Scalar epsilon(const Value& self) {
  return number(self, std::ldexp(1.0, -format_behind(self).fraction_bits));
}
nd::Scalar half_epsilon(const Value& self) {
  return number(self, std::ldexp(1.0, -format_behind(self).fraction_bits - 1));
}
nd::Scalar smallest_normal(const Value& self) {
  return number(self, std::ldexp(1.0, format_behind(self).min_exponent()));
}
nd::Scalar smallest_subnormal(const Value& self) {
  Format format = format_behind(self);
  return number(self, std::ldexp(1.0, format.min_exponent() - format.fraction_bits));
}
nd::Scalar resolution(const Value& self) {
  return number(self, std::pow(10.0, -format_behind(self).decimal_digits));
}

template <nd::Scalar (*kNumber)(const Value&)>
Value get_number(const Value& self) {
  return make_scalar(kNumber(self));
}

Value integer(int value) { return Value::integer(value); }

Value get_bits(const Value& self) { return integer(8 * nd::item_size(dtype_behind(self))); }
Value get_dtype(const Value& self) { return make_dtype(dtype_behind(self)); }

const PropertyRow kFloatProperties[] = {
    {"bits", get_bits, nullptr, "Bits of a number."},
    {"dtype", get_dtype, nullptr, "The type."},
    {"eps", get_number<epsilon>, nullptr, "The distance from 1 to the next larger number."},
    {"epsneg", get_number<half_epsilon>, nullptr, "The distance from 1 to the next smaller one."},
    {"max", get_number<largest>, nullptr, "The largest number."},
    {"min", get_number<lowest>, nullptr, "The most negative number."},
    {"tiny", get_number<smallest_normal>, nullptr, "The smallest positive normal number."},
    {"smallest_normal", get_number<smallest_normal>, nullptr,
     "The smallest positive normal number."},
    {"smallest_subnormal", get_number<smallest_subnormal>, nullptr,
     "The smallest positive number."},
    {"resolution", get_number<resolution>, nullptr, "10**-precision."},
    {"precision", [](const Value& self) { return integer(format_behind(self).decimal_digits); },
     nullptr, "Decimal digits that are always right."},
    {"nmant", [](const Value& self) { return integer(format_behind(self).fraction_bits); }, nullptr,
     "Bits of the fraction."},
    {"nexp", [](const Value& self) { return integer(format_behind(self).exponent_bits); }, nullptr,
     "Bits of the exponent."},
    {"iexp", [](const Value& self) { return integer(format_behind(self).exponent_bits); }, nullptr,
     "Bits of the exponent."},
    {"machep", [](const Value& self) { return integer(-format_behind(self).fraction_bits); },
     nullptr, "The exponent of eps."},
    {"negep", [](const Value& self) { return integer(-format_behind(self).fraction_bits - 1); },
     nullptr, "The exponent of epsneg."},
    {"maxexp", [](const Value& self) { return integer(format_behind(self).max_exponent()); },
     nullptr, "The smallest power of two that overflows."},
    {"minexp", [](const Value& self) { return integer(format_behind(self).min_exponent()); },
     nullptr, "The smallest power of two that is normal."},
};

std::string text_of_number(const nd::Scalar& value) { return nd::scalar_str(value); }

Value float_repr_text(const Value& self) {
  double most = largest(self).to_double();
  bool half = dtype_behind(self) == DType::kFloat16;
  std::string text = half ? fmt::format("{:.5e}", most) : text_of_number(largest(self));
  return make_str(fmt::format("finfo(resolution={}, min=-{}, max={}, dtype={})",
                              text_of_number(resolution(self)), text, text,
                              nd::name(dtype_behind(self))));
}

constexpr std::string_view kRule =
    "---------------------------------------------------------------\n";

Value float_table(const Value& self) {
  Format format = format_behind(self);
  std::string text =
      fmt::format("Machine parameters for {}\n{}", nd::name(dtype_behind(self)), kRule);
  auto row = [&text](const char* name, int value, const char* second, const std::string& number,
                     const char* blanks = "") {
    text += fmt::format("{} ={} {}   {} = {}\n", name, blanks, value, second, number);
  };
  row("precision", format.decimal_digits, "resolution", text_of_number(resolution(self)));
  row("machep", -format.fraction_bits, "eps", "       " + text_of_number(epsilon(self)));
  row("negep", -format.fraction_bits - 1, "epsneg", "    " + text_of_number(half_epsilon(self)),
      " ");
  row("minexp", format.min_exponent(), "tiny", "      " + text_of_number(smallest_normal(self)));
  row("maxexp", format.max_exponent(), "max", "       " + text_of_number(largest(self)));
  row("nexp", format.exponent_bits, "min", "       -max", "  ");
  text += fmt::format("smallest_normal = {}   smallest_subnormal = {}\n{}",
                      text_of_number(smallest_normal(self)),
                      text_of_number(smallest_subnormal(self)), kRule);
  return make_str(text);
}

// The one object that tells of a floating type; classes of the program make their own.
Value float_info(Type* cls, DType dtype) {
  static auto& kept = *new std::array<Value, nd::kDTypeCount>;
  if (cls != &float_info_type()) return make_instance<TypeInfo>(cls, dtype);
  Value& info = kept[static_cast<std::size_t>(dtype)];
  if (info.is_empty()) info = make_instance<TypeInfo>(cls, dtype);
  return info;
}

const NativeRow kClassMethods[] = {
    {"classmethod __class_getitem__(cls, item, /)",
     [](const Parameters& p) { return make_generic_alias(p[0], p[1]); }, "finfo[float64]."},
};

Value construct_float(Type* cls, const Arguments& arguments) {
  check_arity(arguments, "finfo", 1, 1);
  const Value& given = arguments.values[0];
  if (given.is_none())
    warn(errors::DeprecationWarning(),
         "finfo() dtype cannot be None. This behavior will raise an error in the future. "
         "(Deprecated in NumPy 1.25)");
  DType dtype = told_dtype(given);
  if (!nd::is_inexact(dtype))
    raise(errors::ValueError, "data type {} not inexact",
          repr_text(Value(&NumpyScalar::type_object(dtype))));
  return float_info(cls, nd::real_of(dtype));
}

// --- iinfo ---

int bits_of(const Value& self) { return 8 * nd::item_size(dtype_behind(self)); }
bool is_signed(const Value& self) {
  return nd::category(dtype_behind(self)) == nd::Category::kSigned;
}

Value largest_integer(const Value& self) {
  int bits = bits_of(self) - (is_signed(self) ? 1 : 0);
  return from_integer((Integer(1) << bits) - 1);
}

Value smallest_integer(const Value& self) {
  if (!is_signed(self)) return Value::integer(0);
  return from_integer(-(Integer(1) << (bits_of(self) - 1)));
}

const PropertyRow kIntegerProperties[] = {
    {"bits", get_bits, nullptr, "Bits of a number."},
    {"dtype", get_dtype, nullptr, "The type."},
    {"max", largest_integer, nullptr, "The largest number."},
    {"min", smallest_integer, nullptr, "The smallest number."},
    {"kind", [](const Value& self) -> Value { return make_str(is_signed(self) ? "i" : "u"); },
     nullptr, "i or u."},
    {"key",
     [](const Value& self) -> Value {
       return make_str(fmt::format("{}{}", is_signed(self) ? "i" : "u", bits_of(self)));
     },
     nullptr, "Kind and bits."},
};

Value integer_repr(const Value& self) {
  return make_str(fmt::format("iinfo(min={}, max={}, dtype={})", repr_text(smallest_integer(self)),
                              repr_text(largest_integer(self)), nd::name(dtype_behind(self))));
}

Value integer_table(const Value& self) {
  return make_str(fmt::format(
      "Machine parameters for {}\n{}min = {}\nmax = {}\n{}", nd::name(dtype_behind(self)), kRule,
      repr_text(smallest_integer(self)), repr_text(largest_integer(self)), kRule));
}

Value construct_integer(Type* cls, const Arguments& arguments) {
  check_arity(arguments, "iinfo", 1, 1);
  const Value& given = arguments.values[0];
  DType dtype = told_dtype(given);
  if (!nd::is_integer(dtype))
    raise(errors::ValueError, "Invalid integer data type '{}'.", nd::facts(dtype).kind);
  return make_instance<TypeInfo>(cls, dtype);
}

Type& make_type(const char* name) {
  Type& type = new_type(name, Type::object_type());
  type.module = "numpy";
  type.qualified_name = name;
  type.instance_layout = Layout::kOther;
  type.add(kClassMethods);
  return type;
}

}  // namespace

Type& float_info_type() {
  static Type& type = *[] {
    Type& made = make_type("finfo");
    made.doc = "The limits of a floating-point type.";
    made.slots.construct = construct_float;
    made.slots.repr = float_repr_text;
    made.slots.str = float_table;
    made.add(kFloatProperties);
    return &made;
  }();
  return type;
}

Type& integer_info_type() {
  static Type& type = *[] {
    Type& made = make_type("iinfo");
    made.doc = "The limits of an integer type.";
    made.slots.construct = construct_integer;
    made.slots.repr = integer_repr;
    made.slots.str = integer_table;
    made.add(kIntegerProperties);
    return &made;
  }();
  return type;
}

}  // namespace strider::lang
