// The table that ties dunder names to slots, and the method objects that stand for the slots of
// built-in types.
#include <array>
#include <cstring>
#include <vector>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/dunder.h"
#include "interpreter/runtime/type/slot_arguments.h"
#include "interpreter/runtime/type/slot_docs.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using Values = std::span<const Value>;

struct DunderRow {
  Name name;
  bool (*present)(const Slots& slots);
  void (*copy)(Slots& to, const Slots& from);
  // args[0] is self. `op` is the operator's enumerator for operator slots.
  Value (*invoke)(const Slots& slots, int op, Values args);
  std::optional<SlotCounts> counts;  // of arguments besides self; nothing: not checked
  int op = 0;
  OperatorSet Operators::*known = nullptr;  // that operator is one of these

  bool is_method_of(const Slots& slots) const {
    return present(slots) && (!known || slots.operators.*known >> op & 1);
  }
};

template <auto kMember>
bool has_slot(const Slots& slots) {
  return slots.*kMember != nullptr;
}
template <auto kMember>
void copy_slot(Slots& to, const Slots& from) {
  to.*kMember = from.*kMember;
}
template <auto kMember>
DunderRow make_row(Name name, Value (*invoke)(const Slots&, int, Values), int op = 0,
                   OperatorSet Operators::*known = nullptr) {
  std::optional<SlotCounts> counts = slot_counts(text_of(name));
  return {name, has_slot<kMember>, copy_slot<kMember>, invoke, counts, op, known};
}

Value or_not_implemented(Value result) { return result.is_empty() ? not_implemented() : result; }

// A power, or one modulo a third number.
Value power(Value (*slot)(BinaryOperator, const Value&, const Value&), bool reflected, Values a) {
  if (a.size() < 3 || a[2].is_none())
    return or_not_implemented(slot(BinaryOperator::kPow, a[0], a[1]));
  if (!is_instance(a[0], int_type()))
    raise(errors::TypeError, "pow() 3rd argument not allowed unless all arguments are integers");
  if (!is_instance(a[1], int_type()) || !is_instance(a[2], int_type())) return not_implemented();
  Value self = exact_int(a[0]), other = exact_int(a[1]);
  Value function = get_attribute(Interpreter::current().builtins_module, intern("pow"));
  return reflected ? call(function, other, self, a[2]) : call(function, self, other, a[2]);
}

void add_power_rows(std::vector<DunderRow>& rows) {
  int op = static_cast<int>(BinaryOperator::kPow);
  rows.push_back(make_row<&Slots::binary>(
      dunder_name(BinaryOperator::kPow),
      [](const Slots& s, int, Values a) { return power(s.binary, false, a); }, op,
      &Operators::binary));
  rows.push_back(make_row<&Slots::reflected>(
      reflected_name(BinaryOperator::kPow),
      [](const Slots& s, int, Values a) { return power(s.reflected, true, a); }, op,
      &Operators::reflected));
  rows.push_back(make_row<&Slots::inplace>(
      inplace_name(BinaryOperator::kPow),
      [](const Slots& s, int, Values a) {
        return or_not_implemented(s.inplace(BinaryOperator::kPow, a[0], a[1]));
      },
      op, &Operators::inplace));
}

void add_operator_rows(std::vector<DunderRow>& rows) {
  add_power_rows(rows);
  for (int op = 0; op <= static_cast<int>(BinaryOperator::kBitOr); ++op) {
    auto binary_op = static_cast<BinaryOperator>(op);
    if (binary_op == BinaryOperator::kPow) continue;
    rows.push_back(make_row<&Slots::binary>(
        dunder_name(binary_op),
        [](const Slots& s, int o, Values a) {
          return or_not_implemented(s.binary(static_cast<BinaryOperator>(o), a[0], a[1]));
        },
        op, &Operators::binary));
    rows.push_back(make_row<&Slots::reflected>(
        reflected_name(binary_op),
        [](const Slots& s, int o, Values a) {
          return or_not_implemented(s.reflected(static_cast<BinaryOperator>(o), a[0], a[1]));
        },
        op, &Operators::reflected));
    rows.push_back(make_row<&Slots::inplace>(
        inplace_name(binary_op),
        [](const Slots& s, int o, Values a) {
          return or_not_implemented(s.inplace(static_cast<BinaryOperator>(o), a[0], a[1]));
        },
        op, &Operators::inplace));
  }
  for (UnaryOperator op : {UnaryOperator::kInvert, UnaryOperator::kUAdd, UnaryOperator::kUSub})
    rows.push_back(make_row<&Slots::unary>(
        dunder_name(op),
        [](const Slots& s, int o, Values a) {
          return or_not_implemented(s.unary(static_cast<UnaryOperator>(o), a[0]));
        },
        static_cast<int>(op)));
  for (int op = 0; op <= static_cast<int>(CompareOperator::kGtE); ++op)
    rows.push_back(make_row<&Slots::compare>(
        dunder_name(static_cast<CompareOperator>(op)),
        [](const Slots& s, int o, Values a) {
          return or_not_implemented(s.compare(static_cast<CompareOperator>(o), a[0], a[1]));
        },
        op));
}

void add_text_rows(std::vector<DunderRow>& rows) {
  const Names& n = names();
  rows.push_back(
      make_row<&Slots::repr>(n.repr, [](const Slots& s, int, Values a) { return s.repr(a[0]); }));
  rows.push_back(
      make_row<&Slots::str>(n.str, [](const Slots& s, int, Values a) { return s.str(a[0]); }));
  rows.push_back(make_row<&Slots::format>(n.format, [](const Slots& s, int, Values a) {
    if (!is_str(a[1]))
      raise(errors::TypeError, "__format__() argument must be str, not {}", type_name(a[1]));
    return s.format(a[0], a[1]);
  }));
  rows.push_back(make_row<&Slots::hash>(
      n.hash, [](const Slots& s, int, Values a) { return Value::integer(s.hash(a[0])); }));
  rows.push_back(make_row<&Slots::truth>(
      n.bool_, [](const Slots& s, int, Values a) { return Value::boolean(s.truth(a[0])); }));
  rows.push_back(make_row<&Slots::to_int>(
      n.int_, [](const Slots& s, int, Values a) { return s.to_int(a[0]); }));
  rows.push_back(make_row<&Slots::to_float>(
      n.float_, [](const Slots& s, int, Values a) { return s.to_float(a[0]); }));
  rows.push_back(make_row<&Slots::to_index>(
      n.index, [](const Slots& s, int, Values a) { return s.to_index(a[0]); }));
}

void add_collection_rows(std::vector<DunderRow>& rows) {
  const Names& n = names();
  rows.push_back(make_row<&Slots::length>(
      n.len, [](const Slots& s, int, Values a) { return Value::integer(s.length(a[0])); }));
  rows.push_back(make_row<&Slots::get_item>(
      n.getitem, [](const Slots& s, int, Values a) { return s.get_item(a[0], a[1]); }));
  rows.push_back(make_row<&Slots::set_item>(n.setitem, [](const Slots& s, int, Values a) {
    s.set_item(a[0], a[1], a[2]);
    return Value::none();
  }));
  rows.push_back(make_row<&Slots::set_item>(n.delitem, [](const Slots& s, int, Values a) {
    s.set_item(a[0], a[1], Value());
    return Value::none();
  }));
  rows.push_back(make_row<&Slots::contains>(n.contains, [](const Slots& s, int, Values a) {
    return Value::boolean(s.contains(a[0], a[1]));
  }));
  rows.push_back(make_row<&Slots::iterate>(
      n.iter, [](const Slots& s, int, Values a) { return s.iterate(a[0]); }));
  rows.push_back(make_row<&Slots::next>(n.next, [](const Slots& s, int, Values a) {
    Value item;
    if (!s.next(a[0], item)) raise_message(errors::StopIteration(), "");
    return item;
  }));
}

Name attribute_name(const Value& value) {
  if (is_str(value)) return intern(value.as<Str>());
  raise(errors::TypeError, "attribute name must be string, not '{}'", type_name(value));
}

void add_object_rows(std::vector<DunderRow>& rows) {
  const Names& n = names();
  rows.push_back(make_row<&Slots::get_attribute>(n.getattribute, [](const Slots& s, int, Values a) {
    Value result = s.get_attribute(a[0], attribute_name(a[1]));
    if (result.is_empty())
      raise(errors::AttributeError, "'{}' object has no attribute '{}'", type_name(a[0]),
            text_of(a[1]));
    return result;
  }));
  rows.push_back(make_row<&Slots::missing_attribute>(n.getattr, [](const Slots& s, int, Values a) {
    return s.missing_attribute(a[0], attribute_name(a[1]));
  }));
  rows.push_back(make_row<&Slots::set_attribute>(n.setattr, [](const Slots& s, int, Values a) {
    s.set_attribute(a[0], attribute_name(a[1]), a[2]);
    return Value::none();
  }));
  rows.push_back(make_row<&Slots::set_attribute>(n.delattr, [](const Slots& s, int, Values a) {
    s.set_attribute(a[0], attribute_name(a[1]), Value());
    return Value::none();
  }));
  rows.push_back(make_row<&Slots::call>(
      n.call, [](const Slots& s, int, Values a) { return s.call(a[0], Arguments(a.subspan(1))); }));
  rows.push_back(make_row<&Slots::get>(n.get, [](const Slots& s, int, Values a) {
    Value instance = a.size() > 1 && !a[1].is_none() ? a[1] : Value();
    return s.get(a[0], instance, a.size() > 2 ? a[2] : Value::none());
  }));
  rows.push_back(make_row<&Slots::set>(n.set, [](const Slots& s, int, Values a) {
    s.set(a[0], a[1], a[2]);
    return Value::none();
  }));
  rows.push_back(make_row<&Slots::set>(n.delete_, [](const Slots& s, int, Values a) {
    s.set(a[0], a[1], Value());
    return Value::none();
  }));
  rows.push_back(make_row<&Slots::initialize>(n.init, nullptr));
  rows.push_back(make_row<&Slots::construct>(n.new_, nullptr));
}

const std::vector<DunderRow>& dunder_rows() {
  static const auto& rows = *[] {
    auto* made = new std::vector<DunderRow>;
    add_text_rows(*made);
    add_collection_rows(*made);
    add_object_rows(*made);
    add_operator_rows(*made);
    return made;
  }();
  return rows;
}

// A dunder method of a built-in type: calls that type's own slot, whatever the class of self.
class SlotWrapper : public Object {
 public:
  SlotWrapper(const DunderRow& dunder_row, Type* owner_type)
      : Object(Layout::kOther, &type_object()), row(dunder_row), owner(owner_type) {}
  static Type& type_object();
  const DunderRow& row;
  Type* owner;
};

Value construct_through(const SlotWrapper& wrapper, const Arguments& arguments) {
  if (arguments.count == 0 || !arguments.values[0].has_layout(Layout::kType))
    raise(errors::TypeError, "{}.__new__(): not enough arguments", wrapper.owner->name());
  auto* cls = arguments.values[0].as<Type>();
  if (!cls->is_subclass_of(wrapper.owner))
    raise(errors::TypeError, "{}.__new__({}): {} is not a subtype of {}", wrapper.owner->name(),
          cls->name(), cls->name(), wrapper.owner->name());
  Arguments rest = arguments;
  ++rest.values;
  --rest.count;
  return landed(wrapper.owner->slots.construct(cls, rest));
}

// The class that stands for the owner, where the first argument is of one; null: not.
const Type* stand_in_of(const SlotWrapper& wrapper, const Arguments& arguments) {
  if (arguments.count == 0) return nullptr;
  for (const Type* each : type_of(arguments.values[0])->mro())
    if (each->stands_for == wrapper.owner) return each;
  return nullptr;
}

// A method in all but this table.
void check_format(const SlotWrapper& wrapper, const Arguments& arguments) {
  if (arguments.keyword_count > 0)
    raise(errors::TypeError, "{}.__format__() takes no keyword arguments",
          wrapper.owner->qualified_name);
  if (arguments.count != 1)
    raise(errors::TypeError, "{}.__format__() takes exactly one argument ({} given)",
          wrapper.owner->qualified_name, arguments.count);
}

// Repetitions of sequences take their argument out of a tuple, products of numbers do not.
void check_arguments(const SlotWrapper& wrapper, const Arguments& arguments) {
  SlotCounts counts = *wrapper.row.counts;
  const Slots& slots = wrapper.owner->slots;
  bool repeats = wrapper.row.op == static_cast<int>(BinaryOperator::kMult) && slots.get_item;
  counts.unpacked |= repeats && wrapper.row.known && !slots.unary;
  check_slot_arguments(text_of(wrapper.row.name), counts, arguments);
}

Value wrapper_call(const Value& self, const Arguments& arguments) {
  const auto& wrapper = *self.as<SlotWrapper>();
  const DunderRow& row = wrapper.row;
  if (row.name == names().new_) return construct_through(wrapper, arguments);
  const Type* stand_in = stand_in_of(wrapper, arguments);
  const Value* own = stand_in ? stand_in->lookup(row.name) : nullptr;
  bool inherited = own && own->is_object() && own->object() == self.object();
  if (own && !inherited) return call(*own, arguments);
  if (arguments.count == 0)
    raise(errors::TypeError, "descriptor '{}' of '{}' object needs an argument", text_of(row.name),
          wrapper.owner->name());
  if (inherited || !is_instance(arguments.values[0], *wrapper.owner))
    raise(errors::TypeError, "descriptor '{}' requires a '{}' object but received a '{}'",
          text_of(row.name), wrapper.owner->name(), type_name(arguments.values[0]));
  Arguments rest = arguments;
  ++rest.values;
  --rest.count;
  if (row.name == names().init) {
    wrapper.owner->slots.initialize(arguments.values[0], rest);
    return Value::none();
  }
  if (row.name == names().call) return wrapper.owner->slots.call(arguments.values[0], rest);
  if (row.name == names().format) check_format(wrapper, rest);
  if (row.counts) check_arguments(wrapper, rest);
  return row.invoke(wrapper.owner->slots, row.op, arguments.positional());
}

Value wrapper_get(const Value& self, const Value& instance, const Value&) {
  if (instance.is_empty() || self.as<SlotWrapper>()->row.name == names().new_) return self;
  return make<BoundMethod>(self, instance);
}

Value wrapper_repr(const Value& self) {
  auto* wrapper = self.as<SlotWrapper>();
  return make_str(fmt::format("<slot wrapper '{}' of '{}' objects>", text_of(wrapper->row.name),
                              wrapper->owner->name()));
}

Value wrapper_attribute(const Value& self, Name name) {
  auto* wrapper = self.as<SlotWrapper>();
  static const Name class_of_method = intern("__objclass__");
  if (name == names().name) return Value(wrapper->row.name);
  if (name == class_of_method) return Value(wrapper->owner);
  if (name == names().qualname)
    return make_str(
        fmt::format("{}.{}", wrapper->owner->qualified_name, text_of(wrapper->row.name)));
  if (name == names().doc) {
    std::string text = slot_doc(text_of(wrapper->row.name));
    return text.empty() ? Value::none() : Value(make_str(text));
  }
  return generic_get_attribute(self, name);
}

Type& SlotWrapper::type_object() {
  static Type& type = *[] {
    auto* made = new Type("wrapper_descriptor", &Type::object_type());
    made->instance_layout = Layout::kOther;
    made->slots.call = wrapper_call;
    made->slots.get = wrapper_get;
    made->slots.repr = wrapper_repr;
    made->slots.get_attribute = wrapper_attribute;
    return made;
  }();
  return type;
}

std::string_view parameters_of(const DunderRow& row) {
  std::string_view name = text_of(row.name);
  if (row.name == names().new_) return "*args, **kwargs";
  if (row.name == names().format) return "self, format_spec, /";
  if (!row.counts) return "self, /, *args, **kwargs";
  if (row.counts->most == 0) return "self, /";
  if (row.counts->least == 2) return "self, key, value, /";
  if (name == "__get__") return "self, instance, owner=None, /";
  if (row.counts->most == 2) return "self, value, mod=None, /";
  bool keyed = name == "__getitem__" || name == "__delitem__" || name == "__contains__";
  return keyed ? "self, key, /" : "self, value, /";
}

}  // namespace

std::string slot_wrapper_signature(const Value& value) {
  if (type_of(value) != &SlotWrapper::type_object()) return {};
  const DunderRow& row = value.as<SlotWrapper>()->row;
  return fmt::format("{}({})", text_of(row.name), parameters_of(row));
}

void add_slot_wrappers(Type& type, Dict& class_namespace) {
  const Slots* inherited = type.base() ? &type.base()->slots : nullptr;
  for (const DunderRow& row : dunder_rows()) {
    if (!row.is_method_of(type.slots)) continue;
    if (&type == &SlotWrapper::type_object()) continue;
    if (inherited) {  // only what the type does differently from its base
      Slots mine, theirs;
      row.copy(mine, type.slots);
      row.copy(theirs, *inherited);
      if (std::memcmp(&mine, &theirs, sizeof mine) == 0) continue;
    }
    if (!class_namespace.find(row.name))
      class_namespace.set(row.name, Value(make<SlotWrapper>(row, &type)));
  }
  if (!type.slots.hash && inherited && inherited->hash)
    class_namespace.set(names().hash, Value::none());
}

void apply_dunder_methods(Type& type) {
  static const Slots kNoSlots;
  for (const DunderRow& row : dunder_rows()) {
    const Type* owner = type.owner_of(row.name);
    if (owner && !owner->has(Type::kUserDefined)) row.copy(type.slots, owner->slots);
  }
  for (const DunderRow& row : dunder_rows()) {
    const Type* owner = type.owner_of(row.name);
    if (!owner || !owner->has(Type::kUserDefined)) continue;
    // `__hash__ = None` empties the slot; the use of others says that None is not callable
    bool absent = row.name == names().hash && owner->own(row.name)->is_none();
    row.copy(type.slots, absent ? kNoSlots : kUserSlots);
  }
  if (type.lookup(names().bool_) == nullptr && type.slots.length) type.slots.truth = nullptr;
}

}  // namespace strider::lang
