// Type: method resolution order, attribute search with its cache, changes to classes.
#include "interpreter/runtime/type/type.h"

#include <algorithm>
#include <array>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/dunder.h"
#include "interpreter/runtime/type/root_types.h"
#include "interpreter/runtime/type/slot_names.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/objects/property.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

std::uint64_t next_version() {
  static std::uint64_t version = 0;
  return ++version;
}

// One remembered search: a version identifies a class in one state.
struct CachedLookup {
  std::uint64_t version = 0;
  Name name = nullptr;
  const Value* place = nullptr;
};

CachedLookup& cached_lookup(std::uint64_t version, Name name) {
  static std::array<CachedLookup, 4096> cache;
  return cache[(version * 31 + (reinterpret_cast<std::uintptr_t>(name) >> 4)) % cache.size()];
}

// C3 linearisation (Barrett et al., "A Monotonic Superclass Linearization for Dylan").
std::vector<Type*> merge_linearizations(std::vector<std::vector<Type*>> lists) {
  std::vector<Type*> result;
  for (;;) {
    std::erase_if(lists, [](const auto& list) { return list.empty(); });
    if (lists.empty()) return result;
    Type* chosen = nullptr;
    for (const auto& list : lists) {
      auto in_tail = [&](const auto& other) {
        return std::find(other.begin() + 1, other.end(), list.front()) != other.end();
      };
      if (std::none_of(lists.begin(), lists.end(), in_tail)) {
        chosen = list.front();
        break;
      }
    }
    if (!chosen) {
      std::string names;
      for (const auto& list : lists)
        if (names.find(list.front()->name()) == std::string::npos)
          names += (names.empty() ? "" : ", ") + std::string(list.front()->name());
      raise(errors::TypeError,
            "Cannot create a consistent method resolution\norder (MRO) for bases {}", names);
    }
    result.push_back(chosen);
    for (auto& list : lists)
      if (list.front() == chosen) list.erase(list.begin());
  }
}

}  // namespace

struct Type::Roots {
  Type object{"object", nullptr, nullptr, true};
  Type type{"type", &object, nullptr, true};
};

Type::Roots& Type::roots() {
  static Roots& instance = *[] {
    auto* made = new Roots;
    made->object.set_type(&made->type);
    made->type.set_type(&made->type);
    made->object.retain();
    made->type.retain();
    set_up_object_type(made->object);
    set_up_type_type(made->type);
    return made;
  }();
  return instance;
}

Type& Type::object_type() { return roots().object; }
Type& Type::type_object() { return roots().type; }

Type::Type(std::string_view name, Type* base, Type* metatype)
    : Type(name, base, metatype ? metatype : &type_object(), false) {
  retain();  // built-in types stay for the life of the process
}

Type::Type(std::string_view name, Type* base, Type* metatype, bool)
    : Container(Layout::kType, metatype),
      qualified_name(name),
      name_(name),
      base_(base),
      version_(next_version()) {
  if (base_) {
    bases_.emplace_back(base_);
    slots = base_->slots;
    instance_layout = base_->instance_layout;
    flags_ = base_->flags_ & (kException | kHasInstanceDict | kSequencePattern | kMappingPattern);
    base_->subclasses_.push_back(this);
  }
  compute_mro();
}

Type::~Type() {
  for (const Ref<Type>& base : bases_) std::erase(base->subclasses_, this);
}

void Type::replace_bases(const std::vector<Ref<Type>>& bases) {
  std::vector<Ref<Type>> old = std::exchange(bases_, bases);
  for (const Ref<Type>& base : old) std::erase(base->subclasses_, this);
  for (const Ref<Type>& base : bases_) base->subclasses_.push_back(this);
}

void Type::add_base(Type& base) {
  bases_.emplace_back(&base);
  base.subclasses_.push_back(this);
  mro_.clear();
  compute_mro();
  changed();
}

bool Type::is_subclass_of(const Type* other) const {
  if (this == other) return true;
  return std::find(mro_.begin(), mro_.end(), other) != mro_.end();
}

const Value* Type::own(Name name) const {
  if (!namespace_) const_cast<Type*>(this)->prepare_namespace();
  return namespace_->find(name);
}

const Value* Type::lookup(Name name) const {
  CachedLookup& cached = cached_lookup(version_, name);
  if (cached.version == version_ && cached.name == name) return cached.place;
  // Comparing a name with a key of a program's own class may give the type other bases.
  std::vector<Ref<Type>> order(mro_.begin(), mro_.end());
  const Value* place = nullptr;
  for (const Ref<Type>& type : order)
    if ((place = type->own(name))) break;
  if (!std::ranges::equal(order, mro_, {}, &Ref<Type>::get)) return place;
  // Preparing a namespace may have changed the version: fill the slot of the present one.
  CachedLookup& slot = cached_lookup(version_, name);
  slot = {version_, name, place};
  return place;
}

const Type* Type::owner_of(Name name) const {
  for (std::size_t i = 0; i < mro_.size(); ++i)
    if (mro_[i]->own(name)) return mro_[i];
  return nullptr;
}

void Type::set_own(Name name, const Value& value) {
  own(name);
  if (value.is_empty())
    namespace_->erase(Value(name));
  else
    namespace_->set(name, value);
  changed();
  if (has(kUserDefined)) refresh_slots();
  // what was found in any class may be a descriptor now, or none
  if (name == names().get || name == names().set || name == names().delete_)
    Type::object_type().changed();
}

Ref<Dict> Type::namespace_dict() const {
  own(names().doc);
  return namespace_;
}

std::vector<Name> Type::own_names() const {
  std::vector<Name> result;
  for (const Dict::Entry& entry : namespace_dict()->entries())
    if (is_str(entry.key)) result.push_back(intern(entry.key.as<Str>()));
  return result;
}

void Type::check_slot_name(Name name, const Value& object) const {
  if (!has(kSlotsOnly)) return;
  for (Type* type : mro_) {
    const Value* slots = type->own(names().slots);
    if (!slots) continue;
    if (is_str(*slots) ? text_of(*slots) == text_of(name) : contains(*slots, Value(name))) return;
    if (!text_of(name).starts_with('_')) continue;
    for (const Value& slot : slot_names(*slots, type->name()))
      if (text_of(slot) == text_of(name)) return;
  }
  if (lookup(name))
    raise(errors::AttributeError, "'{}' object attribute '{}' is read-only", type_name(object),
          text_of(name));
  raise(errors::AttributeError, "'{}' object has no attribute '{}'", type_name(object),
        text_of(name));
}

void Type::add(std::span<const NativeRow> rows) { native_rows_.push_back(rows); }
void Type::add(std::span<const PropertyRow> rows) { property_rows_.push_back(rows); }

void Type::prepare_namespace() {
  namespace_ = make_dict();
  if (has(kUserDefined)) return;
  for (auto rows : native_rows_)
    for (const NativeRow& row : rows) add_native(row);
  for (auto rows : property_rows_)
    for (const PropertyRow& row : rows)
      namespace_->set(intern(row.name), Value(make<NativeProperty>(row, this)));
  add_slot_wrappers(*this, *namespace_);
  if (!namespace_->find(names().doc))
    namespace_->set(names().doc, doc.empty() ? Value::none() : Value(make_str(doc)));
}

void Type::add_native(const NativeRow& row) {
  std::string_view signature = row.signature;
  Ref<NativeFunction> function = make<NativeFunction>(row, this);
  Name name = intern(function->name());
  if (signature.starts_with("classmethod "))
    namespace_->set(name, Value(make<ClassMethod>(function)));
  else if (signature.starts_with("staticmethod "))
    namespace_->set(name, Value(make<StaticMethod>(function)));
  else
    namespace_->set(name, Value(function));
}

void Type::changed() {
  version_ = next_version();
  for (Type* subclass : subclasses_) subclass->changed();
}

void Type::refresh_slots() {
  inherit_slots();
  for (Type* subclass : subclasses_)
    if (subclass->has(kUserDefined)) subclass->refresh_slots();
}

void Type::compute_mro() {
  std::vector<std::vector<Type*>> lists;
  for (const Ref<Type>& base : bases_) lists.emplace_back(base->mro_);
  std::vector<Type*> direct;
  for (const Ref<Type>& base : bases_) direct.push_back(base.get());
  lists.push_back(direct);
  mro_ = merge_linearizations(std::move(lists));
  mro_.insert(mro_.begin(), this);
}

void Type::inherit_slots() {
  slots = base_->slots;
  apply_dunder_methods(*this);
}

void Type::traverse(Visitor& visitor) {
  visitor.visit(namespace_);
  for (const Ref<Type>& base : bases_) visitor.visit(base);
}

// The namespace is cleared as a dict of its own; what was found in it must not be found again.
void Type::clear_references() { changed(); }

bool is_instance(const Value& value, const Type& type) {
  return type_of(value)->is_subclass_of(&type);
}

}  // namespace strider::lang
