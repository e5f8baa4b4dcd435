// numpy.dtype: reading descriptions of element types, attributes, comparison.
#include <array>
#include <cctype>

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/elements/element_answers.h"
#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/builtins/numpy/scalar/precision.h"
#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/mapping_proxy.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/objects/generic_alias.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using nd::DType;

DType dtype_of_value(const Value& self) {
  if (!self.has_layout(Layout::kDType))
    raise(errors::TypeError, "expected a 'numpy.dtype' object, not '{}'", type_name(self));
  return self.as<DTypeObject>()->dtype;
}

[[noreturn]] void refuse_abstract(const Type& type) {
  std::string_view name = type.qualified_name;
  if (name == "number" || name == "inexact" || name == "floating")
    raise(errors::TypeError, "Converting `np.inexact` or `np.floating` to a dtype not allowed");
  if (name == "integer" || name == "signedinteger")
    raise(errors::TypeError,
          "Converting 'np.integer' or 'np.signedinteger' to a dtype is not allowed");
  if (name == "unsignedinteger")
    raise(errors::TypeError, "Converting `np.unsignedinteger` to a dtype is not allowed");
  if (name == "complexfloating")
    raise(errors::TypeError, "Converting `np.complex` to a dtype is not allowed.");
  raise(errors::TypeError, "Converting `np.generic` to a dtype is not allowed.");
}

// What NumPy makes of a class for whose elements there is no type here; null for other names.
const char* foreign_kind(std::string_view class_name) {
  constexpr std::pair<std::string_view, const char*> kKinds[] = {{"str_", "str"},
                                                                 {"bytes_", "bytes"},
                                                                 {"character", "bytes"},
                                                                 {"void", "void"},
                                                                 {"flexible", "void"},
                                                                 {"object_", "object"},
                                                                 {"datetime64", "datetime64"},
                                                                 {"timedelta64", "timedelta64"}};
  for (const auto& [name, kind] : kKinds)
    if (class_name == name) return kind;
  return nullptr;
}

// The type of elements that a class of scalars, or of dtypes, stands for.
std::optional<DType> dtype_standing_for(const Type& type) {
  static const auto classes = [] {
    std::array<std::pair<const Type*, const Type*>, nd::kDTypeCount> made;
    for (int i = 0; i < nd::kDTypeCount; ++i)
      made[i] = {&NumpyScalar::type_object(static_cast<DType>(i)),
                 &DTypeObject::type_object(static_cast<DType>(i))};
    return made;
  }();
  for (int i = 0; i < nd::kDTypeCount; ++i)
    if (&type == classes[i].first || &type == classes[i].second) return static_cast<DType>(i);
  return std::nullopt;
}

DType dtype_of_class(const Type& type) {
  if (&type == &DTypeObject::type_object())
    raise(errors::TypeError, "Cannot convert np.dtype into a dtype.");
  if (&type == &float_type()) return default_float();
  if (&type == &int_type()) return DType::kInt64;
  if (&type == &bool_type()) return DType::kBool;
  if (std::optional<DType> dtype = dtype_standing_for(type)) return *dtype;
  if (&type == &Complex::type_object()) return DType::kComplex128;
  if (const char* kind = foreign_kind(type.qualified_name)) refuse_elements(kind);
  if (type.has(Type::kUserDefined))
    for (const Type* base : type.mro())
      if (std::optional<DType> dtype = dtype_standing_for(*base)) return *dtype;
  if (type.is_subclass_of(find_abstract_scalar_type("generic"))) refuse_abstract(type);
  refuse_elements(&type == &Str::type_object() ? "str" : "object");
}

// Whether a text such as "U8" or "datetime64[D]" names the dtype of elements that are boxed.
bool is_boxed_dtype_name(std::string_view text) {
  constexpr std::string_view kNames[] = {
      "object",   "O",          "str", "bytes", "void",       "V",    "S",      "U",
      "a",        "c",          "m",   "M",     "datetime64", "M8",   "m8",     "timedelta64",
      "float128", "complex256", "f16", "c32",   "object_",    "str_", "bytes_", "unicode"};
  if (nd::parse_dtype(text)) return false;
  if (!text.empty() && text.find_first_of("<>=|") == 0) text.remove_prefix(1);
  for (std::string_view name : kNames)
    if (text == name) return true;
  if (text.starts_with("datetime64[") || text.starts_with("timedelta64[")) return true;
  if (text.starts_with("M8[") || text.starts_with("m8[")) return true;
  if (text == "T") return true;
  if (text.size() < 2 || std::string_view("USVaMm").find(text[0]) == text.npos) return false;
  return text.find_first_not_of("0123456789", 1) == text.npos;
}
}  // namespace

bool names_boxed_dtype(const Value& value) {
  if (is_str(value)) return is_boxed_dtype_name(text_of(value));
  if (!value.has_layout(Layout::kType)) return false;
  const Type* type = value.as<Type>();
  if (type == &float_type() || type == &int_type() || dtype_standing_for(*type)) return false;
  return type == &Str::type_object() || type == &Bytes::type_object() ||
         type == &Type::object_type() || foreign_kind(type->qualified_name);
}

namespace {

[[noreturn]] void refuse_text(std::string_view text) {
  for (std::string_view name : {"int0", "uint0", "bool8", "bytes0", "str0", "object0", "void0"})
    if (text == name)
      raise(errors::TypeError,
            "Alias '{}' was removed in NumPy 2.0. Use a name without a digit at the end.", text);
  raise(errors::TypeError, "data type '{}' not understood", text);
}

DType dtype_of_text(std::string_view text) {
  bool swapped = false;
  if (std::optional<DType> dtype = nd::parse_dtype(text, &swapped)) {
    if (swapped && nd::item_size(*dtype) > 1) refuse_elements(text);
    return *dtype;
  }
  if (is_boxed_dtype_name(text)) refuse_elements(text);
  if (text.find(',') != text.npos) refuse_elements(text);
  bool has_shape = !text.empty() && (text[0] == '(' || (text[0] >= '0' && text[0] <= '9'));
  if (has_shape) refuse_elements(text);
  refuse_text(text);
}

// --- Attributes ---

int type_number(DType dtype) {
  constexpr int kNumbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 23, 11, 12, 14, 15};
  return kNumbers[static_cast<int>(dtype)];
}

std::string array_protocol_text(DType dtype) {
  int size = nd::item_size(dtype);
  return fmt::format("{}{}{}", size == 1 ? '|' : '<', nd::facts(dtype).kind, size);
}

Value text(std::string_view value) { return make_str(value); }

Value get_description(const Value& self) {
  Value field = make_tuple({text(""), text(array_protocol_text(dtype_of_value(self)))});
  return make_list({field});
}

Value get_alignment(const Value& self) {
  DType dtype = dtype_of_value(self);
  return Value::integer(nd::item_size(nd::real_of(dtype)));
}

// A dtype about which a program noted something; arrays do not keep that.
class DescribedDType final : public DTypeObject {
 public:
  DescribedDType(nd::DType dtype, const Value& notes)
      : DTypeObject(dtype), metadata(make_mapping_proxy(notes)) {}
  const Value metadata;
};

Value get_none(const Value&) { return Value::none(); }

void refuse_names(const Value&, const Value& names) {
  if (names.is_empty()) raise(errors::AttributeError, "Cannot delete dtype names attribute");
  raise(errors::ValueError, "there are no fields defined");
}

Value refuse_field(const Value& self, const Value&) {
  raise(errors::KeyError, "There are no fields in dtype {}.", nd::name(dtype_of_value(self)));
}

const PropertyRow kProperties[] = {
    {"name", [](const Value& self) { return text(nd::name(dtype_of_value(self))); }, nullptr,
     "The type's name."},
    {"kind",
     [](const Value& self) { return text(std::string(1, nd::facts(dtype_of_value(self)).kind)); },
     nullptr, "One of b, i, u, f, c."},
    {"char",
     [](const Value& self) { return text(std::string(1, nd::facts(dtype_of_value(self)).code)); },
     nullptr, "The type's one-character code."},
    {"num", [](const Value& self) { return Value::integer(type_number(dtype_of_value(self))); },
     nullptr, "The type's number."},
    {"itemsize",
     [](const Value& self) { return Value::integer(nd::item_size(dtype_of_value(self))); }, nullptr,
     "Bytes of an element."},
    {"str", [](const Value& self) { return text(array_protocol_text(dtype_of_value(self))); },
     nullptr, "The type with its byte order."},
    {"byteorder",
     [](const Value& self) { return text(nd::item_size(dtype_of_value(self)) == 1 ? "|" : "="); },
     nullptr, "'=' for this machine's order, '|' where there is none."},
    {"type",
     [](const Value& self) { return Value(&NumpyScalar::type_object(dtype_of_value(self))); },
     nullptr, "The class of the elements as scalars."},
    {"alignment", get_alignment, nullptr, "Bytes an element is aligned to."},
    {"isnative", [](const Value&) { return Value::boolean(true); }, nullptr,
     "Whether the byte order is this machine's."},
    {"hasobject", [](const Value&) { return Value::boolean(false); }, nullptr, "Always False."},
    {"isalignedstruct", [](const Value&) { return Value::boolean(false); }, nullptr,
     "Always False."},
    {"isbuiltin", [](const Value&) { return Value::integer(1); }, nullptr, "Always 1."},
    {"flags", [](const Value&) { return Value::integer(0); }, nullptr, "Always 0."},
    {"ndim", [](const Value&) { return Value::integer(0); }, nullptr, "Always 0."},
    {"shape", [](const Value&) { return Value(empty_tuple()); }, nullptr, "Always ()."},
    {"base", [](const Value& self) { return self; }, nullptr, "The type itself."},
    {"descr", get_description, nullptr, "The array interface's description."},
    {"names", get_none, refuse_names, "None: there are no fields."},
    {"fields", get_none, nullptr, "None: there are no fields."},
    {"subdtype", get_none, nullptr, "None."},
    {"metadata",
     [](const Value& self) {
       auto* described = dynamic_cast<DescribedDType*>(self.object());
       return described ? described->metadata : Value::none();
     },
     nullptr, "What a program noted about the type, or None."},
};

Value new_byte_order(const Parameters& p) {
  std::string_view order = p.has(1) ? to_text(p[1], "byteorder") : "S";
  DType dtype = dtype_of_value(p[0]);
  if (order.empty() || std::string_view("=<|>NnLlIiSsBb").find(order[0]) == order.npos)
    raise(errors::ValueError, "byteorder not recognized (got '{}')", order);
  bool other = std::string_view("SBsb>").find(order[0]) != order.npos;
  if (!other || nd::item_size(dtype) == 1) return p[0];
  std::string described = ">" + array_protocol_text(dtype).substr(1);
  return call_in_npx("_boxed_dtype", {make_str(described)});
}

const NativeRow kMethods[] = {
    {"classmethod __class_getitem__(cls, item, /)",
     [](const Parameters& p) { return make_generic_alias(p[0], p[1], 1, 1); }, "dtype[float64]."},
    {"newbyteorder(self, new_order=<none>, /)", new_byte_order, "The type in another byte order."},
};

Value dtype_repr(const Value& self) {
  return make_str(fmt::format("dtype('{}')", nd::name(dtype_of_value(self))));
}

// Whether the value describes a type, and which.
std::optional<DType> try_dtype(const Value& value) {
  if (value.has_layout(Layout::kDType)) return dtype_of_value(value);
  if (!value.is_none() && !is_str(value) && !value.has_layout(Layout::kType)) return std::nullopt;
  try {
    return to_dtype(value);
  } catch (const Raised&) {
    return std::nullopt;
  }
}

Value compare_dtypes(CompareOperator op, const Value& self, const Value& other) {
  bool asks_same = op == CompareOperator::kEq || op == CompareOperator::kNotEq;
  if (asks_same && names_boxed_dtype(other)) return Value::boolean(op == CompareOperator::kNotEq);
  std::optional<DType> right = try_dtype(other);
  DType left = dtype_of_value(self);
  bool same = right && *right == left;
  if (op == CompareOperator::kEq) return Value::boolean(same);
  if (op == CompareOperator::kNotEq) return Value::boolean(!same);
  if (!right) return Value();
  bool up = nd::can_cast(left, *right, nd::Casting::kSafe);
  bool down = nd::can_cast(*right, left, nd::Casting::kSafe);
  if (op == CompareOperator::kLt) return Value::boolean(up && !same);
  if (op == CompareOperator::kLtE) return Value::boolean(up);
  if (op == CompareOperator::kGt) return Value::boolean(down && !same);
  return Value::boolean(down);
}

// dtype * n: the type of elements that are n of these each.
Value repeated_dtype(BinaryOperator op, const Value& self, const Value& other) {
  if (op != BinaryOperator::kMult) return Value();
  auto* to_index = type_of(other)->slots.to_index;
  if (!to_index)
    raise(errors::TypeError, "can't multiply sequence by non-int of type '{}'", type_name(other));
  return call_in_npx("_repeated_dtype", {self, to_index(other)});
}

// "Float64DType": the class of one dtype.
std::string class_name(DType dtype) {
  std::string name(nd::name(dtype));
  if (name.starts_with("uint")) return "UInt" + name.substr(4) + "DType";
  name[0] = static_cast<char>(std::toupper(name[0]));
  return name + "DType";
}

// The text of bytes that name a type, by its number where they are a single byte.
Value decoded(const Value& bytes) {
  constexpr std::string_view kCodes = "?bBhHiIlLqQfdgFDGOSUVMme";
  std::string_view text = to_bytes(bytes);
  if (text.size() == 1 && static_cast<unsigned char>(text[0]) < kCodes.size())
    return make_str(kCodes.substr(static_cast<unsigned char>(text[0]), 1));
  for (char each : text)
    if (each < 0) raise(errors::TypeError, "data type not understood");
  return make_str(text);
}

// Whether a dtype is aligned is true or false; 0 and 1 beside whole numbers come from old pickles.
void warn_of_alignment(const Value& align, const Value& copy) {
  bool truth = align.is_bool() || (is_numpy_scalar(align) && scalar_dtype(align) == DType::kBool);
  bool kept = align.is_int() && (align.as_int() == 0 || align.as_int() == 1) && copy.is_int();
  if (truth || kept) return;
  warn(visible_deprecation_warning(),
       fmt::format("dtype(): align should be passed as Python or NumPy boolean but got `align={}`. "
                   "Did you mean to pass a tuple to create a subarray type? (Deprecated NumPy 2.4)",
                   repr_text(align)));
}

Value construct(Type*, const Arguments& arguments) {
  static const Signature& signature =
      *new Signature("dtype(dtype, align=False, copy=False, metadata=<none>)");
  Value slots[4];
  check_named_arguments(NamedCall("dtype", signature, arguments));
  signature.bind(arguments, slots);
  warn_of_alignment(slots[1], slots[2]);
  if (identical(slots[0], Value(&DTypeObject::type_object())))  // a class like any other
    return call_in_npx("_boxed_dtype", {make_str("O"), slots[1]});
  if (is_boxed_dtype(slots[0])) return slots[0];
  bool is_noted = slots[3].has_layout(Layout::kDict);
  if (!slots[3].is_empty() && !is_noted)
    raise(errors::TypeError, "dtype() argument 4 must be dict, not {}",
          slots[3].is_none() ? "None" : type_name(slots[3]));
  if (slots[0].has_layout(Layout::kDType) && !is_noted) return slots[0];
  if (is_bytes(slots[0])) slots[0] = decoded(slots[0]);
  if (!is_noted && slots[1].is_bool() && !slots[1].as_bool())
    if (Value listed = listed_dtype(slots[0]); !listed.is_empty()) return listed;
  if (names_boxed_dtype(slots[0]) || is_list(slots[0]))
    return call_in_npx("_boxed_dtype", {slots[0], slots[1]});
  try {
    DType dtype = to_dtype(slots[0]);
    return is_noted ? Value(make<DescribedDType>(dtype, slots[3])) : make_dtype(dtype);
  } catch (const UnsupportedElements&) {
  }
  return call_in_npx("_boxed_dtype", {slots[0], slots[1]});
}

}  // namespace

DType to_dtype(const Value& value) {
  if (value.has_layout(Layout::kDType)) return dtype_of_value(value);
  if (value.has_layout(Layout::kType)) {
    const Type& type = *value.as<Type>();
    Value told;
    if (type.has(Type::kUserDefined)) told = find_attribute(value, intern("__numpy_dtype__"));
    return told.has_layout(Layout::kDType) ? dtype_of_value(told) : dtype_of_class(type);
  }
  if (value.is_none() || value.is_empty()) return default_float();
  if (is_str(value)) return dtype_of_text(text_of(value));
  if (is_list(value) || is_tuple(value) || value.has_layout(Layout::kDict))
    refuse_elements("structured");
  if (is_boxed_dtype(value)) refuse_elements(text_of(get_attribute(value, intern("name"))));
  if (is_array(value) || is_boxed_array(value))
    raise(errors::TypeError, "Cannot construct a dtype from an array");
  if (value.is_object()) {
    bool told = !find_attribute(value, intern("__numpy_dtype__")).is_empty();
    Value described = find_attribute(value, names().dtype);
    if (described.has_layout(Layout::kDType) && !told) return dtype_of_value(described);
    bool in_npx = told || !described.is_empty() || type_name(value) == "mappingproxy" ||
                  !find_attribute(Value(type_of(value)), intern("__numpy_dtype__")).is_empty();
    if (in_npx) refuse_elements("structured");
  }
  raise(errors::TypeError, "Cannot interpret '{}' as a data type", repr_text(value));
}

Type& DTypeObject::type_object(DType dtype) {
  static std::array<Type*, nd::kDTypeCount> types{};
  Type*& type = types[static_cast<std::size_t>(dtype)];
  if (type) return *type;
  std::string name = class_name(dtype);
  type = new Type("numpy.dtypes." + name, &type_object());
  type->retain();
  type->module = "numpy.dtypes";
  type->qualified_name = name;
  type->slots.construct = [](Type* cls, const Arguments&) {
    for (int i = 0; i < nd::kDTypeCount; ++i)
      if (cls == &DTypeObject::type_object(static_cast<DType>(i)))
        return make_dtype(static_cast<DType>(i));
    raise(errors::TypeError, "cannot create '{}' instances", cls->name());
  };
  return *type;
}

Type& DTypeObject::type_object() {
  static bool ready = false;
  static Type& type = new_type("numpy.dtype", Type::object_type());
  if (ready) return type;
  ready = true;
  type.module = "numpy";
  type.qualified_name = "dtype";
  type.instance_layout = Layout::kDType;
  type.doc = "The type of an array's elements.";
  type.slots.repr = dtype_repr;
  type.slots.str = [](const Value& self) { return text(nd::name(dtype_of_value(self))); };
  type.slots.hash = [](const Value& self) {
    return static_cast<std::int64_t>(0x6474797065) + type_number(dtype_of_value(self));
  };
  type.slots.truth = [](const Value&) { return true; };
  type.slots.length = [](const Value&) { return std::int64_t{0}; };
  type.slots.get_item = refuse_field;
  type.slots.iterate = [](const Value& self) -> Value {
    raise(errors::TypeError, "'{}' object is not iterable", type_name(self));
  };
  type.slots.compare = compare_dtypes;
  type.slots.binary = type.slots.reflected = repeated_dtype;
  type.slots.construct = construct;
  type.add(kMethods);
  type.add(kProperties);
  return type;
}

}  // namespace strider::lang
