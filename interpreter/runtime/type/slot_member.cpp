// Descriptors of slots: they read, set and delete one attribute of instances.
#include "interpreter/runtime/type/slot_member.h"

#include <algorithm>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/slot_names.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

class SlotMember final : public Container {
 public:
  SlotMember(Type* owner_type, Name slot_name)
      : Container(Layout::kOther, &slot_member_type()), owner(owner_type), name(slot_name) {}
  void traverse(Visitor& visitor) override { visitor.visit(owner); }
  void clear_references() override {}  // the class lets go of its names
  Ref<Type> owner;
  Name name;
};

const SlotMember& member(const Value& self) { return *self.as<SlotMember>(); }

// The attributes of an instance that the descriptor is for.
Attributes& attributes_for(const SlotMember& slot, const Value& instance) {
  if (!is_instance(instance, *slot.owner))
    raise(errors::TypeError, "descriptor '{}' for '{}' objects doesn't apply to a '{}' object",
          text_of(slot.name), slot.owner->name(), type_name(instance));
  return *instance.object()->attributes();
}

[[noreturn]] void raise_unfilled(const SlotMember& slot, const Value& instance) {
  raise(errors::AttributeError, "'{}' object has no attribute '{}'", type_name(instance),
        text_of(slot.name));
}

Value member_get(const Value& self, const Value& instance, const Value&) {
  if (instance.is_empty() || instance.is_none()) return self;
  const SlotMember& slot = member(self);
  Value* found = attributes_for(slot, instance).find(slot.name);
  if (!found) raise_unfilled(slot, instance);
  return *found;
}

void member_set(const Value& self, const Value& instance, const Value& value) {
  const SlotMember& slot = member(self);
  Attributes& attributes = attributes_for(slot, instance);
  if (!value.is_empty())
    attributes.set(slot.name, value);
  else if (!attributes.erase(slot.name))
    raise_unfilled(slot, instance);
}

Value member_repr(const Value& self) {
  return make_str(fmt::format("<member '{}' of '{}' objects>", text_of(member(self).name),
                              member(self).owner->name()));
}

Value compare_members(CompareOperator op, const Value& self, const Value& other) {
  bool asks_equality = op == CompareOperator::kEq || op == CompareOperator::kNotEq;
  if (!asks_equality || type_of(other) != &slot_member_type()) return Value();
  bool same = member(self).owner == member(other).owner && member(self).name == member(other).name;
  return Value::boolean(same == (op == CompareOperator::kEq));
}

// The documentation of a slot, where __slots__ is a dict that has it.
Value member_doc(const Value& self) {
  const Value* slots = member(self).owner->own(names().slots);
  Value name(member(self).name);
  return slots && is_dict(*slots) && contains(*slots, name) ? get_item(*slots, name)
                                                            : Value::none();
}

const PropertyRow kMemberAttributes[] = {
    {"__name__", [](const Value& self) { return Value(member(self).name); }, nullptr,
     "The name of the slot."},
    {"__objclass__", [](const Value& self) { return Value(member(self).owner); }, nullptr,
     "The class that declares the slot."},
    {"__qualname__",
     [](const Value& self) {
       return Value(make_str(
           fmt::format("{}.{}", member(self).owner->qualified_name, text_of(member(self).name))));
     },
     nullptr, "The name with that of the class."},
    {"__doc__", member_doc, nullptr, "The documentation."},
};

// Whether a name is among a class's slots; private ones stand there as they were written.
bool declares(const Value& slots, const Type& type, Name name) {
  if (is_str(slots) ? text_of(slots) == text_of(name) : contains(slots, Value(name))) return true;
  if (!text_of(name).starts_with('_')) return false;
  Values all = slot_names(slots, type.name());
  return std::any_of(all.begin(), all.end(),
                     [&](const Value& each) { return text_of(each) == text_of(name); });
}

}  // namespace

Value find_slot_member(const Type& cls, Name name) {
  for (Type* type : cls.mro()) {
    const Value* slots = type->has(Type::kUserDefined) ? type->own(names().slots) : nullptr;
    if (slots && declares(*slots, *type, name)) return make<SlotMember>(type, name);
  }
  return Value();
}

void shadow_by_slots(Type& cls, Dict& space) {
  const Value* slots = space.find(names().slots);
  if (!slots) return;
  for (const Value& each : slot_names(*slots, cls.name())) {
    Name name = intern(text_of(each));
    bool inherited = std::any_of(cls.mro().begin() + 1, cls.mro().end(),
                                 [&](Type* base) { return base->own(name) != nullptr; });
    bool special = text_of(name).starts_with("__") && text_of(name).ends_with("__");
    bool found_by_class = inherited || (special && text_of(name) != "__weakref__");
    if (found_by_class && name != names().dict)
      space.set(name, Value(make<SlotMember>(&cls, name)));
  }
}

Type& slot_member_type() {
  static Type& type = *[] {
    auto* made = new Type("member_descriptor", &Type::object_type());
    made->retain();  // for the life of the process
    made->slots.get = member_get;
    made->slots.set = member_set;
    made->slots.repr = member_repr;
    made->slots.compare = compare_members;
    made->slots.hash = [](const Value& self) {
      return lang::hash(Value(member(self).name)) ^ lang::hash(Value(member(self).owner));
    };
    made->add(kMemberAttributes);
    return made;
  }();
  return type;
}

}  // namespace strider::lang
