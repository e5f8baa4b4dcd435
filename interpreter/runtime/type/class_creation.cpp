// Making classes: bases, layout, slots, the hooks __set_name__ and __init_subclass__.
#include <algorithm>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/memory/weak_reference.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/dunder.h"
#include "interpreter/runtime/type/slot_member.h"
#include "interpreter/runtime/type/slot_names.h"
#include "interpreter/runtime/type/type.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/objects/overriding.h"
#include "interpreter/types/objects/property.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// Whether the types of this layout are different classes of C++.
bool is_of_several_classes(Layout layout) {
  return layout == Layout::kIterator || layout == Layout::kFile || layout == Layout::kOther;
}

// Whether instances of a base are those of another and more.
bool is_laid_out_beyond(const Type& base, const Type& other) {
  return builtin_behind(base).is_subclass_of(&builtin_behind(other));
}

// The base whose C++ layout instances have: the most derived built-in among the bases.
Type* best_base(const std::vector<Ref<Type>>& bases) {
  Type* best = bases.front().get();
  for (const Ref<Type>& base : bases) {
    if (!base->has(Type::kSubclassable))
      raise(errors::TypeError, "type '{}' is not an acceptable base type", base->name());
    if (base->instance_layout == best->instance_layout) {
      if (are_laid_out_alike(*base, *best) || is_laid_out_beyond(*best, *base)) continue;
      if (!is_laid_out_beyond(*base, *best))
        raise(errors::TypeError, "multiple bases have instance lay-out conflict");
      best = base.get();
    } else if (best->instance_layout == Layout::kInstance) {
      best = base.get();
    } else if (base->instance_layout != Layout::kInstance) {
      raise(errors::TypeError, "multiple bases have instance lay-out conflict");
    }
  }
  return best;
}

void check_duplicate_bases(const std::vector<Ref<Type>>& bases) {
  for (std::size_t i = 0; i < bases.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (bases[i] == bases[j])
        raise(errors::TypeError, "duplicate base class {}", bases[i]->name());
}

// Functions named __init_subclass__ and __class_getitem__ are class methods, __new__ a static one.
void wrap_implicit_methods(Dict& space) {
  for (Name name : {names().init_subclass, names().class_getitem}) {
    Value* method = space.find(name);
    if (method && method->has_layout(Layout::kFunction))
      space.set(name, Value(make<ClassMethod>(Value(*method))));
  }
  Value* constructor = space.find(names().new_);
  if (constructor && constructor->has_layout(Layout::kFunction))
    space.set(names().new_, Value(make<StaticMethod>(Value(*constructor))));
}

// Whether instances of a base may be without a dict.
bool can_be_without_dict(const Type& base) {
  return base.has(Type::kSlotsOnly) ||
         (!base.has(Type::kUserDefined) && !base.has(Type::kHasInstanceDict));
}

// Refuses names that are no slots: no identifiers, a second dict, any where items lie behind a
// base.
void check_slots(const Values& slots, const std::vector<Ref<Type>>& bases) {
  static const Name is_identifier = intern("isidentifier");
  std::ptrdiff_t dicts = 0;
  for (const Value& name : slots) {
    if (!truth(call_method(name, is_identifier)))
      raise(errors::TypeError, "__slots__ must be identifiers");
    dicts += text_of(name) == "__dict__";
  }
  if (dicts > 1) raise(errors::TypeError, "__dict__ slot disallowed: we already got one");
  constexpr std::string_view kOfManySizes[] = {"int", "tuple", "bytes", "type"};
  for (const Ref<Type>& base : bases)
    for (const Type* each : base->mro())
      if (!slots.empty() && !each->has(Type::kUserDefined) && each->module == "builtins" &&
          std::ranges::count(kOfManySizes, each->name()) > 0)
        raise(errors::TypeError, "nonempty __slots__ not supported for subtype of '{}'",
              base->name());
}

// Whether instances of a class with these slots and bases have no other attributes.
bool has_slots_only(std::string_view class_name, Dict& space, const std::vector<Ref<Type>>& bases) {
  const Value* slots = space.find(names().slots);
  if (!slots) return false;
  if (type_of(*slots)->slots.next)  // what can be gone through only once
    slots = &(space.set(names().slots, Value(to_tuple(*slots))), *space.find(names().slots));
  bool alone = std::all_of(bases.begin(), bases.end(),
                           [](const Ref<Type>& each) { return can_be_without_dict(*each); });
  Values declared = slot_names(*slots, class_name);
  check_slots(declared, bases);
  for (const Value& name : declared) {
    if (text_of(name) == "__dict__") alone = false;
    if (space.find(name))
      raise(errors::ValueError, "{} in __slots__ conflicts with class variable", repr_text(name));
  }
  return alone;
}

// What the methods of the class read `__class__` from; empty where none does.
Value take_class_cell(Dict& space) {
  Value* found = space.find(names().classcell);
  if (!found) return Value();
  Value cell = *found;
  if (!cell.has_layout(Layout::kCell))
    raise(errors::TypeError, "type.__new__(): __classcell__ must be a nonlocal cell, not {}",
          repr_text(Value(type_of(cell))));
  space.erase(Value(names().classcell));
  return cell;
}

// A member that could not take its name: a RuntimeError with the member's own as its cause.
[[noreturn]] void refuse_member(const Type& type, const Value& name, const Value& member,
                                const Ref<Exception>& exception) {
  Value text = make_str(fmt::format("Error calling __set_name__ on '{}' instance {} in '{}'",
                                    type_name(member), repr_text(name), type.name()));
  Ref<Exception> failure =
      make<Exception>(&errors::RuntimeError(), make_tuple(std::span<const Value>(&text, 1)));
  failure->cause = exception;
  failure->context = exception;
  failure->suppress_context = true;
  throw Raised{failure};
}

void call_set_name_hooks(Type& type) {
  std::vector<std::pair<Value, Value>> members;
  for (const Dict::Entry& entry : type.namespace_dict()->entries())
    if (!entry.key.is_empty()) members.emplace_back(entry.key, entry.value);
  for (const auto& [name, member] : members) {
    Value hook = find_special(member, names().set_name);
    if (hook.is_empty()) continue;
    try {
      call(hook, Value(&type), name);
    } catch (const Raised& raised) {
      refuse_member(type, name, member, raised.exception);
    }
  }
}

// What an attribute of `object` is in a class that adds it to its instances.
Value named_in(const Type& type, const Value& property) {
  return make<NativeProperty>(property.as<NativeProperty>()->row, &Type::object_type(),
                              make_str(type.name()));
}

// What `__weakref__` of instances is.
const Value& weak_references_property() {
  static const PropertyRow kWeak = {"__weakref__",
                                    [](const Value& self) {
                                      Values all = weak_references_to(self);
                                      return all.empty() ? Value::none() : all.front();
                                    },
                                    nullptr, "The first weak reference to the instance."};
  static const Value& weak = *new Value(make<NativeProperty>(kWeak, &Type::object_type()));
  return weak;
}

const Name& weakref_name() {
  static const Name weakref = intern("__weakref__");
  return weakref;
}

// A class with slots alone has weak references where one of them says so.
void name_weak_references(const Type& type, Dict& space) {
  const Value* slots = type.has(Type::kSlotsOnly) ? space.find(names().slots) : nullptr;
  if (!slots) return;
  for (const Value& name : slot_names(*slots, type.name()))
    if (text_of(name) == "__weakref__")
      space.set(weakref_name(), named_in(type, weak_references_property()));
}

// Names in the class what its instances have and those of its bases have not, as CPython does: a
// dict of attributes, and weak references.
void name_instance_parts(Type& type, Dict& space) {
  const Name& weakref = weakref_name();
  if (type.has(Type::kSlotsOnly)) return;
  auto known = [&](Name name) {
    return space.find(name) ||
           std::any_of(type.mro().begin() + 1, type.mro().end(), [&](Type* base) {
             return base != &Type::object_type() && base->own(name) != nullptr;
           });
  };
  bool is_error = type.is_subclass_of(&errors::BaseException());
  if (!is_error && !known(names().dict))
    space.set(names().dict, named_in(type, *Type::object_type().own(names().dict)));
  if (!known(weakref) && !type.is_subclass_of(&Type::type_object()))
    space.set(weakref, named_in(type, weak_references_property()));
}

// A class and all that derive from it, each behind those that it derives from.
void collect_derived(Type& type, std::vector<Type*>& derived) {
  std::erase(derived, &type);
  derived.push_back(&type);
  for (Type* subclass : type.subclasses()) collect_derived(*subclass, derived);
}

// Whether instances of the class are laid out as those of a class with this base.
void check_layout(const Type& type, const Type& base) {
  const Type& old = *type.base();
  bool bare = &base == &Type::object_type() && &old != &base;
  if (!bare && are_laid_out_alike(base, old) &&
      base.has(Type::kSlotsOnly) == old.has(Type::kSlotsOnly))
    return;
  raise(errors::TypeError, "__bases__ assignment: '{}' {} differs from '{}'", base.name(),
        bare ? "deallocator" : "object layout", old.name());
}

// Has mro() of the metaclass say the order of bases, where that is not type's own.
void ask_for_order(Type& type, std::vector<Type*>& order) {
  static const Name mro = intern("mro");
  Type* metatype = type.type();
  const Type* owner = metatype->owner_of(mro);
  if (!owner || !owner->has(Type::kUserDefined)) return;
  std::vector<Type*> said;
  Iteration items(call(bind_descriptor(Value(*metatype->lookup(mro)), Value(&type), metatype)));
  for (Value each; items.next(each);) {
    if (!each.has_layout(Layout::kType))
      raise(errors::TypeError, "mro() returned a non-class ('{}')", type_name(each));
    auto* found = each.as<Type>();
    if (!type.is_subclass_of(&builtin_behind(*found)))
      raise(errors::TypeError, "mro() returned base with unsuitable layout ('{}')", found->name());
    if (found != &type) found->retain();  // for ever: the order itself holds nothing
    said.push_back(found);
  }
  if (said.empty()) raise(errors::TypeError, "type MRO must not be empty");
  if (std::find(said.begin(), said.end(), &type) == said.end())
    raise(errors::TypeError, "mro() of '{}' leaves the class itself out", type.name());
  order = std::move(said);
}

}  // namespace

bool are_laid_out_alike(const Type& one, const Type& other) {
  return one.instance_layout == other.instance_layout &&
         (!is_of_several_classes(one.instance_layout) ||
          &builtin_behind(one) == &builtin_behind(other));
}

void change_bases(Type& type, const Value& given) {
  if (!type.has(Type::kUserDefined))
    raise(errors::TypeError, "cannot set '__bases__' attribute of immutable type '{}'",
          type.name());
  if (!is_tuple(given))
    raise(errors::TypeError, "can only assign tuple to {}.__bases__, not {}", type.name(),
          type_name(given));
  std::vector<Ref<Type>> bases;
  for (const Value& base : given.as<Tuple>()->items()) {
    if (!base.has_layout(Layout::kType))
      raise(errors::TypeError, "{}.__bases__ must be tuple of classes, not '{}'", type.name(),
            type_name(base));
    if (base.as<Type>()->is_subclass_of(&type))
      raise(errors::TypeError, "a __bases__ item causes an inheritance cycle");
    bases.emplace_back(base.as<Type>());
  }
  if (bases.empty())
    raise(errors::TypeError, "can only assign non-empty tuple to {}.__bases__, not ()",
          type.name());
  check_duplicate_bases(bases);
  Type* best = best_base(bases);
  check_layout(type, *best);

  std::vector<Type*> derived;
  collect_derived(type, derived);
  std::vector<Ref<Type>> kept(derived.begin(), derived.end());  // whatever mro() does meanwhile
  std::vector<std::vector<Type*>> orders;
  for (Type* each : derived) orders.push_back(each->mro_);
  std::vector<Ref<Type>> old = type.bases_;
  type.replace_bases(bases);
  try {
    for (Type* each : derived) {
      each->compute_mro();
      ask_for_order(*each, each->mro_);
    }
  } catch (const Raised&) {
    if (type.bases_ != bases) throw;  // mro() has set others
    type.replace_bases(old);
    for (std::size_t i = 0; i < derived.size(); ++i) derived[i]->mro_ = orders[i];
    type.changed();
    throw;
  }
  if (type.bases_ != bases) return;
  type.base_ = best;
  type.changed();
  type.refresh_slots();
}

Ref<Type> make_class(std::string_view name, const std::vector<Ref<Type>>& given_bases,
                     const Ref<Dict>& class_namespace, Type* metatype) {
  std::vector<Ref<Type>> bases = given_bases;
  if (bases.empty()) bases.emplace_back(&Type::object_type());
  check_duplicate_bases(bases);
  Type* base = best_base(bases);
  if (metatype && metatype->has(Type::kUserDefined)) metatype->retain();  // for ever
  Ref<Type> type(new Type(name, base, metatype, false));
  type->base_ = base;
  std::erase(base->subclasses_, type.get());
  type->bases_ = bases;
  for (const Ref<Type>& each : bases) {
    each->subclasses_.push_back(type.get());
    type->flags_ |= each->flags_ & (Type::kException | Type::kHasDel | Type::kSequencePattern |
                                    Type::kMappingPattern);
    if (each->lookup(names().del)) type->flags_ |= Type::kHasDel;  // that of a native class, too
  }
  type->flags_ |= Type::kUserDefined | Type::kSubclassable | Type::kHasInstanceDict;
  type->compute_mro();

  Ref<Dict> space = make_dict();
  for (const Dict::Entry& entry : class_namespace->entries())
    if (!entry.key.is_empty()) space->set(entry.key, entry.value);
  wrap_implicit_methods(*space);
  Value class_cell = take_class_cell(*space);
  if (Value* qualified = space->find(names().qualname)) {
    if (!is_str(*qualified))
      raise(errors::TypeError, "type __qualname__ must be a str, not {}", type_name(*qualified));
    type->qualified_name = text_of(*qualified);
    space->erase(Value(names().qualname));
  }
  if (Value* module = space->find(names().module); module && is_str(*module))
    type->module = text_of(*module);
  if (has_slots_only(name, *space, bases)) type->flags_ |= Type::kSlotsOnly;
  name_instance_parts(*type, *space);
  if (!space->find(names().doc)) space->set(names().doc, Value::none());
  if (space->find(names().del)) type->flags_ |= Type::kHasDel;
  type->namespace_ = space;
  ask_for_order(*type, type->mro_);
  type->changed();
  shadow_by_slots(*type, *space);
  name_weak_references(*type, *space);
  if (space->find(names().eq) && !space->find(names().hash))
    space->set(names().hash, Value::none());
  type->inherit_slots();
  if (!class_cell.is_empty()) set_attribute(class_cell, names().cell_contents, Value(type));
  call_set_name_hooks(*type);
  return type;
}

}  // namespace strider::lang
