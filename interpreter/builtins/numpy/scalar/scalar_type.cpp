// The scalar types: NumPy's class tree, construction, and what scalars do as numbers. Methods and
// attributes are those of arrays (array_methods.h).
#include <strider/nd/eval.h>
#include <strider/nd/format.h>

#include <algorithm>
#include <cmath>

#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/builtins/numpy/print_options.h"
#include "interpreter/builtins/numpy/scalar/pending_scalar.h"
#include "interpreter/builtins/numpy/scalar/scalar_cast.h"
#include "interpreter/builtins/numpy/scalar/scalar_operators.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/objects/generic_alias.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using nd::Category;
using nd::DType;
using nd::Scalar;

// Integers of classes of the program show the name of their class.
Value repr_scalar(const Value& self) {
  std::string text = nd::scalar_repr(scalar_of(self), print_options()->manner);
  const Type& type = *type_of(self);
  bool own = nd::is_integer(scalar_dtype(self)) && type.has(Type::kUserDefined);
  if (own && text.starts_with("np.")) text.replace(0, text.find('('), type.name());
  return make_str(text);
}
Value str_scalar(const Value& self) {
  return make_str(nd::scalar_str(scalar_of(self), print_options()->manner));
}

Value format_scalar(const Value& self, const Value& spec) {
  bool empty = is_str(spec) && text_of(spec).empty();
  if (scalar_dtype(self) == DType::kBool && empty) return str(self);
  return format(to_python(scalar_of(self)), spec);
}

std::int64_t hash_scalar(const Value& self) { return hash(to_python(scalar_of(self))); }
bool scalar_truth(const Value& self) {
  const Scalar& value = scalar_of(self);
  return value.dtype() == DType::kBool ? value.get<bool>() : value.truth();
}

Value scalar_to_int(const Value& self) {
  Value value = to_python(scalar_of(self));
  if (value.is_float()) return integer_from_double(value.as_float());
  if (value.is_bool()) return Value::integer(value.as_bool());
  if (value.has_layout(Layout::kComplex)) {
    warn_of_lost_parts(DType::kComplex128, DType::kInt64);
    return integer_from_double(scalar_of(self).to_double());
  }
  return value;
}

Value scalar_to_float(const Value& self) {
  warn_of_lost_parts(scalar_dtype(self), DType::kFloat64);
  return Value::real(scalar_of(self).to_double());
}

// True_ and False_ are single objects, but for those that were pending.
bool same_truth(const Value& self, const Value& other) {
  return type_of(self) == type_of(other) && scalar_truth(self) == scalar_truth(other);
}

// A truth in an index: a mask without axes.
bool is_truth(const Value& item) {
  if (is_array(item)) return array_of(item).rank() == 0 && array_of(item).dtype() == DType::kBool;
  return item.is_bool() || (is_numpy_scalar(item) && scalar_dtype(item) == DType::kBool);
}

// Indexing is that of an array without axes: a[()], a[...], a[None] and masks.
Value scalar_item(const Value& self, const Value& key) {
  if (is_tuple(key) && key.as<Tuple>()->size() == 0) return self;
  auto is_special = [](const Value& item) {
    return identical(item, ellipsis()) || item.is_none() || is_truth(item);
  };
  bool special =
      is_tuple(key) ? std::ranges::all_of(key.as<Tuple>()->items(), is_special) : is_special(key);
  if (!special) raise(errors::IndexError, "invalid index to scalar variable.");
  IndexItemList items(key);
  return wrap(nd::get(nd::Array::scalar(scalar_of(self)), items));
}

// --- Construction ---

// Whether a device can convert what it computes: floats to floats.
bool converts_later(const Value& value, DType dtype) {
  return is_pending_scalar(value) && nd::recording().on() && nd::is_floating(dtype) &&
         nd::is_floating(scalar_dtype(value));
}

// complex64(real, imag)
Value complex_of_parts(Type* cls, DType dtype, const Arguments& arguments) {
  if (arguments.count > 2)
    raise(errors::TypeError, "function takes at most 2 arguments ({} given)", arguments.count);
  auto is_no_real = [](const Value& value) {
    bool numpys = is_numpy_scalar(value) && nd::is_complex(scalar_dtype(value));
    return is_str(value) || value.is_none() || value.has_layout(Layout::kComplex) || numpys;
  };
  if (is_no_real(arguments.values[0]) || is_no_real(arguments.values[1]))
    raise(errors::TypeError, "Could not convert arguments into a complex scalar. '{}' given.",
          repr_text(make_tuple(arguments.positional())));
  Value made = call(Value(&Complex::type_object()), arguments);
  return make_instance<NumpyScalar>(cls, to_scalar(made, dtype));
}

// Arrays and times of npx are cast, and without axes are scalars; Empty for others.
Value cast_in_npx(const Value& value, DType dtype) {
  static const Name as_type = intern("astype");
  if (!value.is_object() || !type_of(value)->stands_for) return Value();
  if (!type_of(value)->lookup(as_type)) return Value();
  Value made = call_method(value, as_type, make_dtype(dtype));
  return is_array(made) ? get_item(made, Value(empty_tuple())) : made;
}

// How many arguments a scalar type takes, said as each of NumPy's says it.
void check_scalar_arguments(DType dtype, const Arguments& arguments) {
  if (dtype == DType::kFloat64) {
    if (arguments.keyword_count > 0) raise(errors::TypeError, "float() takes no keyword arguments");
    return check_arity(arguments, "float", 0, 1);
  }
  std::size_t most = nd::is_complex(dtype) ? 2 : 1,
              given = arguments.count + arguments.keyword_count;
  bool truth_type = dtype == DType::kBool;
  const char* who = truth_type ? "bool_()" : "function";
  if (given > most)
    raise(errors::TypeError, "{} takes at most {} {}argument{} ({} given)", who, most,
          arguments.count == 0 ? "keyword " : "", most == 1 ? "" : "s", given);
  if (arguments.keyword_count > 0)
    raise(errors::TypeError, "'{}' is an invalid keyword argument for {}",
          text_of(arguments.keywords[0].name), truth_type ? "bool_()" : "this function");
}

template <DType kType>
Value construct(Type* cls, const Arguments& arguments) {
  if (nd::is_complex(kType) && arguments.count > 1 && arguments.keyword_count == 0)
    return complex_of_parts(cls, kType, arguments);
  check_scalar_arguments(kType, arguments);
  if (arguments.count == 0) return make_instance<NumpyScalar>(cls, Scalar(0.0).as(kType));
  const Value& value = arguments.values[0];
  bool nested =
      is_list(value) || is_tuple(value) || (is_array(value) && array_of(value).rank() > 0);
  if (is_array(value) && nested && array_of(value).dtype() == kType) return value;
  if (nested) return wrap(to_new_array(value, kType));
  if (Value cast = cast_in_npx(value, kType); is_array(cast) || is_numpy_scalar(cast)) return cast;
  if (kType == DType::kBool && !is_array(value) && !is_numpy_scalar(value))
    return make_scalar(Scalar(truth(value)));
  if (cls == &NumpyScalar::type_object(kType) && converts_later(value, kType))
    return wrap_result(pending_array(value).astype(kType));
  Scalar scalar = converted_scalar(value, kType);
  if (cls == &NumpyScalar::type_object(kType)) return make_scalar(scalar);
  return make_instance<NumpyScalar>(cls, scalar);
}

using Construct = Value (*)(Type*, const Arguments&);

Construct constructor_of(DType dtype) {
  switch (dtype) {
#define DTYPE(id, type, name, kind, code, category) \
  case DType::id:                                   \
    return construct<DType::id>;
#include "kernels/table/dtypes.def"
  }
  __builtin_unreachable();
}

// --- Methods of float and int that scalars share ---

Value python_method(const Parameters& p, const char* name) {
  return call_method(to_python(scalar_of(p[0])), intern(name));
}

Value round_scalar(const Parameters& p) {
  const Scalar& scalar = scalar_of(p[0]);
  if (scalar.dtype() == DType::kBool || nd::is_complex(scalar.dtype()))
    raise(errors::TypeError, "type {} doesn't define __round__ method", type_name(p[0]));
  if (p[1].is_none() || p[1].is_empty()) {
    Value value = to_python(scalar);
    if (!value.is_float()) return scalar_to_int(p[0]);
    return integer_from_double(std::nearbyint(value.as_float()));
  }
  return call_method(p[0], intern("round"), p[1]);
}

const NativeRow kFloatMethods[] = {
    {"is_integer(self, /)", [](const Parameters& p) { return python_method(p, "is_integer"); },
     "Whether the number has no fraction."},
    {"as_integer_ratio(self, /)",
     [](const Parameters& p) { return python_method(p, "as_integer_ratio"); },
     "Numerator and denominator."},
    {"hex(self, /)", [](const Parameters& p) { return python_method(p, "hex"); },
     "The number in hexadecimal."},
    {"__trunc__(self, /)", [](const Parameters& p) { return scalar_to_int(p[0]); },
     "The whole part as int."},
    {"__floor__(self, /)", [](const Parameters& p) { return python_method(p, "__floor__"); },
     "The next whole number below, as int."},
    {"__ceil__(self, /)", [](const Parameters& p) { return python_method(p, "__ceil__"); },
     "The next whole number above, as int."},
};

const NativeRow kIntegerMethods[] = {
    {"is_integer(self, /)", [](const Parameters&) { return Value::boolean(true); }, "True."},
    {"bit_count(self, /)", [](const Parameters& p) { return python_method(p, "bit_count"); },
     "The number of ones in the binary form."},
    {"bit_length(self, /)", [](const Parameters& p) { return python_method(p, "bit_length"); },
     "The number of binary digits."},
};

const PropertyRow kRationalParts[] = {
    {"numerator", [](const Value& self) { return self; }, nullptr, "The number itself."},
    {"denominator",
     [](const Value& self) { return make_scalar(Scalar(std::int64_t{1}).as(scalar_dtype(self))); },
     nullptr, "1."},
};

// Of the classes of numbers, those without elements of their own have parameters.
Value number_alias(const Parameters& p) {
  const Type& type = *p[0].as<Type>();
  for (int i = 0; i < nd::kDTypeCount; ++i)
    if (&type == &NumpyScalar::type_object(static_cast<DType>(i)))
      raise(errors::TypeError, "There are no type variables left in {}", type.name());
  std::size_t most = &type == find_abstract_scalar_type("complexfloating") ? 2 : 1;
  return make_generic_alias(p[0], p[1], 1, most);
}

const NativeRow kNumberMethods[] = {
    {"classmethod __class_getitem__(cls, item, /)", number_alias, "floating[Any]."},
};

const NativeRow kTruthMethods[] = {
    {"classmethod __class_getitem__(cls, item, /)",
     [](const Parameters& p) { return make_generic_alias(p[0], p[1]); }, "bool[Any]."},
};

const NativeRow kGenericMethods[] = {
    {"__copy__(self, /)", [](const Parameters& p) { return p[0]; }, "The scalar itself."},
    {"__deepcopy__(self, memo, /)", [](const Parameters& p) { return p[0]; },
     "The scalar itself."},
    {"__round__(self, ndigits=None, /)", round_scalar, "Rounded; an int without ndigits."},
    {"__array__(self, dtype=None, /, *, copy=None)",
     [](const Parameters& p) { return wrap(to_new_array(p[0], to_optional_dtype(p[1]))); },
     "A 0-d array."},
    {"__complex__(self, /)",
     [](const Parameters& p) { return make_complex(scalar_of(p[0]).to_complex()); },
     "A complex number of the language."},
};

// --- The tree ---

Type& add_type(const std::string& name, Type& base) {
  auto* type = new Type("numpy." + name, &base);
  type->retain();
  type->module = "numpy";
  type->qualified_name = name;
  type->set(Type::kSubclassable);
  return *type;
}

[[noreturn]] Value refuse_construction(Type* cls, const Arguments&) {
  raise(errors::TypeError, "cannot create '{}' instances", cls->name());
}

[[noreturn]] Value refuse_foreign(Type* cls, const Arguments&) {
  raise(errors::TypeError, "strider arrays hold numbers and booleans; there is no '{}'",
        cls->name());
}

// np.object_(value): the value itself, or an array of objects of a sequence; None of nothing.
Value construct_object(Type*, const Arguments& arguments) {
  if (arguments.count == 0) return Value::none();
  return call_in_npx("_boxed_object", {arguments.values[0]});
}

struct ScalarTypes {
  Type& generic = add_type("generic", Type::object_type());
  Type& number = add_type("number", generic);
  Type& integer = add_type("integer", number);
  Type& signed_integer = add_type("signedinteger", integer);
  Type& unsigned_integer = add_type("unsignedinteger", integer);
  Type& inexact = add_type("inexact", number);
  Type& floating = add_type("floating", inexact);
  Type& complex_floating = add_type("complexfloating", inexact);
  Type& flexible = add_type("flexible", generic);
  Type& character = add_type("character", flexible);
  std::vector<Type*> abstract{&generic,          &number,   &integer,  &signed_integer,
                              &unsigned_integer, &inexact,  &floating, &complex_floating,
                              &flexible,         &character};
  Type* concrete[nd::kDTypeCount];

  ScalarTypes() {
    set_up_generic();
    add_foreign("str_", character);
    add_foreign("bytes_", character);
    add_foreign("void", flexible);
    add_foreign("object_", generic);
    add_foreign("datetime64", generic);
    add_foreign("timedelta64", signed_integer);
    for (int i = 0; i < nd::kDTypeCount; ++i) concrete[i] = &make_concrete(static_cast<DType>(i));
  }

  void set_up_generic();
  void add_foreign(const char* name, Type& base);
  Type& make_concrete(DType dtype);
  Type& base_of(DType dtype);
};

void ScalarTypes::set_up_generic() {
  generic.doc = "Base of the scalar types.";
  Slots& slots = generic.slots;
  slots.repr = repr_scalar;
  slots.str = str_scalar;
  slots.format = format_scalar;
  slots.hash = hash_scalar;
  slots.truth = scalar_truth;
  slots.get_item = scalar_item;
  slots.binary = binary_scalar;
  slots.reflected = reflected_scalar;
  slots.unary = unary_scalar;
  slots.compare = compare_scalar;
  slots.to_int = scalar_to_int;
  slots.to_float = scalar_to_float;
  slots.construct = refuse_construction;
  add_array_methods(generic);
  generic.add(kGenericMethods);
  number.add(kNumberMethods);
  for (Type* each : abstract) {
    each->slots = slots;
    each->instance_layout = Layout::kNumpyScalar;
  }
}

// A class that programs name to ask about elements, although no array has such elements.
void ScalarTypes::add_foreign(const char* name, Type& base) {
  Type& type = add_type(name, base);
  type.slots = generic.slots;
  type.instance_layout = Layout::kNumpyScalar;
  type.slots.construct = std::string_view(name) == "object_" ? construct_object : refuse_foreign;
  abstract.push_back(&type);
}

Type& ScalarTypes::base_of(DType dtype) {
  switch (nd::category(dtype)) {
    case Category::kBoolean:
      return generic;
    case Category::kUnsigned:
      return unsigned_integer;
    case Category::kSigned:
      return signed_integer;
    case Category::kFloating:
      return floating;
    default:
      return complex_floating;
  }
}

// --- A scalar's bytes ---

Buffer describe_bytes(const Value& self) {
  DType dtype = scalar_dtype(self);
  std::string format(nd::is_complex(dtype) ? "Z" : "");
  format += nd::facts(nd::real_of(dtype)).code;
  return {format, nd::item_size(dtype), {}, {}, false};
}

char* place_of_bytes(const Value& self, bool) {
  return const_cast<char*>(static_cast<const char*>(scalar_of(self).data()));
}

Type& ScalarTypes::make_concrete(DType dtype) {
  Type& type = add_type(std::string(nd::name(dtype)), base_of(dtype));
  type.slots = generic.slots;
  type.instance_layout = Layout::kNumpyScalar;
  type.slots.construct = constructor_of(dtype);
  if (nd::is_integer(dtype)) {
    type.slots.to_index = [](const Value& self) { return to_python(scalar_of(self)); };
    type.add(kIntegerMethods);
    type.add(kRationalParts);
  }
  if (nd::is_floating(dtype)) type.add(kFloatMethods);
  if (dtype == DType::kFloat64) type.add_base(float_type());
  if (dtype == DType::kBool) {
    type.add(kTruthMethods);
    type.slots.same = same_truth;
  }
  if (dtype == DType::kComplex128) type.add_base(Complex::type_object());
  offer_buffer(type, {describe_bytes, place_of_bytes, nullptr, nullptr});
  return type;
}

const ScalarTypes& scalar_types() {
  static const ScalarTypes& types = *new ScalarTypes;
  return types;
}

}  // namespace

Type& NumpyScalar::type_object(DType dtype) {
  return *scalar_types().concrete[static_cast<int>(dtype)];
}

Type* find_abstract_scalar_type(std::string_view name) {
  for (Type* each : scalar_types().abstract)
    if (each->qualified_name == name) return each;
  return nullptr;
}

void list_abstract_scalar_types(std::vector<std::string_view>& names) {
  for (Type* each : scalar_types().abstract) names.push_back(each->qualified_name);
}

}  // namespace strider::lang
