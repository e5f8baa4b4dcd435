// numpy.ndarray.flags: what is known about an array's memory.
#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

class FlagsObject : public Object {
 public:
  FlagsObject(const Value& array, Type* type) : Object(Layout::kOther, type), array(array) {}
  const Value array;
};

const nd::Array& array_behind(const Value& self) { return array_of(self.as<FlagsObject>()->array); }

void check_set(const Value& value, const char* name) {
  if (value.is_empty()) raise(errors::AttributeError, "Cannot delete flags {} attribute", name);
}

void set_writeable(const Value& self, const Value& value) {
  check_set(value, "writeable");
  const Value& array = self.as<FlagsObject>()->array;
  call_method(array, intern("setflags"), value);
}

void set_aligned(const Value& self, const Value& value) {
  check_set(value, "aligned");
  const Value& array = self.as<FlagsObject>()->array;
  call_method(array, intern("setflags"), Value::none(), value);
}

bool owns(const Value& self) {
  const Value& array = self.as<FlagsObject>()->array;
  const Value& owner = array.as<ArrayObject>()->owner;
  return owner.is_none() || (owner.is_empty() && array_of(array).owns_data());
}

enum class Flag {
  kC,
  kF,
  kOwn,
  kWriteable,
  kAligned,
  kCopyBack,
  kForc,
  kFnc,
  kBehaved,
  kCArray,
  kFArray
};

bool flag(const Value& self, Flag which) {
  const nd::Array& array = array_behind(self);
  bool c = array.is_c_contiguous(), f = array.is_f_contiguous();
  switch (which) {
    case Flag::kC:
      return c;
    case Flag::kF:
      return f;
    case Flag::kOwn:
      return owns(self);
    case Flag::kWriteable:
      return array.writeable();
    case Flag::kAligned:
      return !self.as<FlagsObject>()->array.as<ArrayObject>()->called_unaligned;
    case Flag::kForc:
      return c || f;
    case Flag::kFnc:
      return f && !c;
    case Flag::kBehaved:
      return flag(self, Flag::kAligned) && array.writeable();
    case Flag::kCArray:
      return flag(self, Flag::kBehaved) && c;
    case Flag::kFArray:
      return !c && (f || flag(self, Flag::kAligned) || array.writeable());  // as NumPy has it
    default:
      return false;
  }
}

template <Flag kFlag>
Value get_flag(const Value& self) {
  return Value::boolean(flag(self, kFlag));
}

// The flags as bits, at NumPy's places.
Value number_of(const Value& self) {
  constexpr std::pair<Flag, std::int64_t> kBits[] = {{Flag::kC, 1},
                                                     {Flag::kF, 2},
                                                     {Flag::kOwn, 4},
                                                     {Flag::kAligned, 0x100},
                                                     {Flag::kWriteable, 0x400}};
  std::int64_t number = 0;
  for (const auto& [which, bit] : kBits) number |= flag(self, which) ? bit : 0;
  return Value::integer(number);
}

const PropertyRow kFlags[] = {
    {"num", number_of, nullptr, "The flags as bits of a number."},
    {"c_contiguous", get_flag<Flag::kC>, nullptr, "Whether the elements lie in C order."},
    {"f_contiguous", get_flag<Flag::kF>, nullptr, "Whether the elements lie in Fortran order."},
    {"contiguous", get_flag<Flag::kC>, nullptr, "As c_contiguous."},
    {"fortran", get_flag<Flag::kFnc>, nullptr, "As fnc."},
    {"owndata", get_flag<Flag::kOwn>, nullptr, "Whether the memory is the array's own."},
    {"writeable", get_flag<Flag::kWriteable>, set_writeable, "Whether elements may be set."},
    {"aligned", get_flag<Flag::kAligned>, set_aligned, "True unless setflags said otherwise."},
    {"writebackifcopy", get_flag<Flag::kCopyBack>, nullptr, "False."},
    {"forc", get_flag<Flag::kForc>, nullptr, "Contiguous in C or Fortran order."},
    {"fnc", get_flag<Flag::kFnc>, nullptr, "Fortran order and not C order."},
    {"farray", get_flag<Flag::kFArray>, nullptr,
     "Aligned, writeable or in Fortran order, and not in C order."},
    {"carray", get_flag<Flag::kCArray>, nullptr, "Behaved and in C order."},
    {"behaved", get_flag<Flag::kBehaved>, nullptr, "Aligned and writeable."},
};

struct NamedFlag {
  const char* name;
  const char* letter;
  Flag flag;
};
constexpr NamedFlag kNamed[] = {
    {"C_CONTIGUOUS", "C", Flag::kC},  {"F_CONTIGUOUS", "F", Flag::kF},
    {"OWNDATA", "O", Flag::kOwn},     {"WRITEABLE", "W", Flag::kWriteable},
    {"ALIGNED", "A", Flag::kAligned}, {"WRITEBACKIFCOPY", "X", Flag::kCopyBack},
    {"CONTIGUOUS", "C", Flag::kC},    {"FORTRAN", "F", Flag::kF},
    {"FORC", "FORC", Flag::kForc},    {"FNC", "FNC", Flag::kFnc},
    {"BEHAVED", "B", Flag::kBehaved}, {"CARRAY", "CA", Flag::kCArray},
    {"FARRAY", "FA", Flag::kFArray}};

Value get_named(const Value& self, const Value& key) {
  std::string_view name = is_str(key) ? text_of(key) : std::string_view();
  for (const NamedFlag& each : kNamed)
    if (name == each.name || name == each.letter) return Value::boolean(flag(self, each.flag));
  raise(errors::KeyError, "Unknown flag");
}

void set_named(const Value& self, const Value& key, const Value& value) {
  std::string_view name = is_str(key) ? text_of(key) : std::string_view();
  if (name == "WRITEABLE" || name == "W") return set_writeable(self, value);
  if (name == "ALIGNED" || name == "A") return set_aligned(self, value);
  raise(errors::KeyError, "Unknown flag");
}

Value repr_flags(const Value& self) {
  std::string text;
  for (int i = 0; i < 6; ++i)
    text += fmt::format("{}  {} : {}", i ? "\n" : "", kNamed[i].name,
                        flag(self, kNamed[i].flag) ? "True" : "False");
  return make_str(text + "\n");
}

Type& flags_type();

// Flags are equal where all of them are.
Value compare_flags(CompareOperator op, const Value& self, const Value& other) {
  bool equality = op == CompareOperator::kEq || op == CompareOperator::kNotEq;
  if (!equality || type_of(other) != &flags_type()) return Value();
  bool same = true;
  for (const NamedFlag& each : kNamed) same &= flag(self, each.flag) == flag(other, each.flag);
  return Value::boolean(same == (op == CompareOperator::kEq));
}

Type& flags_type() {
  static bool ready = false;
  static Type& type = new_type("numpy._core.multiarray.flagsobj", Type::object_type());
  if (ready) return type;
  ready = true;
  type.module = "numpy._core.multiarray";
  type.qualified_name = "flagsobj";
  type.slots.repr = repr_flags;
  type.slots.compare = compare_flags;
  type.slots.get_item = get_named;
  type.slots.set_item = set_named;
  type.add(kFlags);
  return type;
}

}  // namespace

Value make_flags(const Value& array) { return make<FlagsObject>(array, &flags_type()); }

}  // namespace strider::lang
