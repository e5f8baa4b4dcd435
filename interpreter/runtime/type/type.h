// Type: a class, built-in or written in the language; and Attributes: the attributes of one
// instance.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/memory/collector.h"
#include "interpreter/runtime/type/slots.h"

namespace strider::lang {

class Dict;
class Tuple;

// A hidden class: which attribute sits at which index. Instances that were given the same
// attributes in the same order share one Shape, so a lookup site can remember the index.
class Shape {
 public:
  // The index of an attribute, or -1.
  int find(Name name) const;
  // The shape after adding `name` (kept for ever; few exist).
  Shape* with(Name name);
  int size() const { return size_; }
  Name name_at(int index) const { return names_[static_cast<std::size_t>(index)]; }
  static Shape* empty();

 private:
  int size_ = 0;
  std::vector<Name> names_;
  std::vector<std::pair<Name, Shape*>> next_;
};

// The attributes of one instance: values by shape index, or a Dict once `__dict__` was asked for.
class Attributes {
 public:
  Attributes();
  Attributes(const Attributes&) = delete;
  ~Attributes();

  // The value's place, or null; valid until the next set or delete.
  Value* find(Name name);
  void set(Name name, const Value& value);
  bool erase(Name name);
  // The live `__dict__`; from now on all attributes are kept there.
  Ref<Dict> dict();
  void replace(const Ref<Dict>& dict);
  // Takes an attribute out of the `__dict__`: it is a slot, which is found all the same.
  void hide(Name name);
  void traverse(Visitor& visitor);
  void clear();
  void list_names(std::vector<std::string_view>& names) const;

  // For lookup caches: null when a dict is in use.
  Shape* shape() const { return dict_ ? nullptr : shape_; }
  Value& at(int index) { return values_[index]; }
  // Adds the attribute by which `grown` extends the present shape.
  void append(Shape* grown, Value value) {
    int index = shape_->size();
    if (index == capacity_) reserve(index + 1);
    values_[index].fill(std::move(value));
    shape_ = grown;
  }

 private:
  void reserve(int capacity);
  void release_values();
  void shift_to_dict();
  Shape* shape_ = Shape::empty();
  Value* values_ = nullptr;
  int capacity_ = 0;
  Ref<Dict> dict_;
  Ref<Dict> hidden_;  // slots, where the others are in a dict
};

class Type : public Container {
 public:
  enum Flag : std::uint32_t {
    kUserDefined = 1,      // made by a class statement or type()
    kSubclassable = 2,     // may be extended
    kHasInstanceDict = 4,  // instances take arbitrary attributes
    kHasDel = 8,           // defines __del__
    kException = 16,
    kAbstract = 32,            // has abstract methods
    kCustomGetAttribute = 64,  // defines __getattribute__
    kSequencePattern = 128,    // matches [a, b] patterns
    kMappingPattern = 256,     // matches {k: v} patterns
    kSlotsOnly = 512,          // every class of the MRO declares __slots__
  };

  Type(std::string_view name, Type* base, Type* metatype = nullptr);
  ~Type() override;
  static Type& type_object();  // `type` itself
  static Type& object_type();  // `object`

  // The class that isinstance and issubclass also take this one for; null: none.
  Type* stands_for = nullptr;
  bool hidden = false;  // type(x) and x.__class__ tell the class that this one stands for
  Type* shown() { return hidden ? stands_for : this; }

  std::string_view name() const { return name_; }
  void set_name(std::string_view name) { name_ = name; }
  Type* base() const { return base_; }  // the first base that decides the layout
  std::span<Type* const> mro() const { return mro_; }
  std::span<const Ref<Type>> bases() const { return bases_; }
  bool has(Flag flag) const { return flags_ & flag; }
  void set(Flag flag, bool on = true) { flags_ = on ? flags_ | flag : flags_ & ~flag; }
  bool is_subclass_of(const Type* other) const;

  // The attribute as stored in this class or the nearest of its bases (no binding); null if none.
  // Cached; the place is valid until a class changes.
  const Value* lookup(Name name) const;
  // Only this class's own namespace.
  const Value* own(Name name) const;
  // Sets or (Empty) deletes an attribute and brings slots and caches up to date.
  void set_own(Name name, const Value& value);
  // The class in the MRO whose namespace holds the name, or null.
  const Type* owner_of(Name name) const;
  // The live namespace; changing it directly is for class creation only.
  Ref<Dict> namespace_dict() const;
  // Own attribute names in order of definition.
  std::vector<Name> own_names() const;
  // Changes whenever this class or one of its bases does: lookup sites compare it.
  std::uint64_t version() const { return version_; }
  // What calling this class gives; Empty where its construct slot failed (see error.h).
  Value attempt_instance(const Arguments& arguments);
  // Gives a built-in type one more base, behind those it has; its slots stay (numpy.float64 is a
  // float too).
  void add_base(Type& base);
  // Live direct subclasses.
  const std::vector<Type*>& subclasses() const { return subclasses_; }

  // AttributeError if the class restricts attributes by __slots__ and `name` is none of them.
  void check_slot_name(Name name, const Value& object) const;

  // Adds native methods and properties (at creation of built-in types).
  void add(std::span<const NativeRow> rows);
  void add(std::span<const PropertyRow> rows);

  void traverse(Visitor& visitor) override;
  void clear_references() override;
  Attributes* attributes() override { return nullptr; }

  Slots slots;
  Layout instance_layout = Layout::kInstance;
  std::string module = "builtins";
  std::string qualified_name;
  std::string doc;

 private:
  // The bases alone: what follows from them is the caller's.
  void replace_bases(const std::vector<Ref<Type>>& bases);
  friend void change_bases(Type&, const Value&);
  friend Ref<Type> make_class(std::string_view, const std::vector<Ref<Type>>&, const Ref<Dict>&,
                              Type*);
  struct Roots;
  static Roots& roots();
  Type(std::string_view name, Type* base, Type* metatype, bool root);
  void compute_mro();
  void inherit_slots();
  void refresh_slots();
  void changed();
  void prepare_namespace();
  void add_native(const NativeRow& row);

  std::string name_;
  Type* base_ = nullptr;
  std::vector<Ref<Type>> bases_;
  std::vector<Type*> mro_;
  std::vector<Type*> subclasses_;
  Ref<Dict> namespace_;  // of built-in types: made at first lookup
  std::vector<std::span<const NativeRow>> native_rows_;
  std::vector<std::span<const PropertyRow>> property_rows_;
  std::uint32_t flags_ = 0;
  std::uint64_t version_ = 0;
};

// The base of objects that carry attributes; `Attributed<List>` is an instance of a subclass of
// list. Instances keep their class alive.
template <class Base>
class Attributed final : public Base {
 public:
  using Base::Base;
  Attributes* attributes() override { return &attributes_; }

 private:
  Ref<Type> class_{this->type()};
  Attributes attributes_;
};

template <class Base>
requires std::is_base_of_v<Container, Base>
class Attributed<Base> final : public Base {
 public:
  using Base::Base;
  Attributes* attributes() override { return &attributes_; }
  void traverse(Visitor& visitor) override {
    Base::traverse(visitor);
    visitor.visit(class_);
    attributes_.traverse(visitor);
  }
  void clear_references() override {
    Base::clear_references();
    attributes_.clear();
  }

 private:
  Ref<Type> class_{this->type()};
  Attributes attributes_;
};

// Makes a class from its parts, as type(name, bases, namespace) does: layout conflicts, MRO errors,
// slots from dunder methods, __set_name__. TypeError with CPython's messages.
Ref<Type> make_class(std::string_view name, const std::vector<Ref<Type>>& bases,
                     const Ref<Dict>& class_namespace, Type* metatype);
// Gives a class other bases: __bases__ = (...). TypeError where its instances would be laid out
// otherwise, or the order of the bases has no solution; then the class stays as it was.
void change_bases(Type& type, const Value& bases);
// Whether instances of two types are the same in C++.
bool are_laid_out_alike(const Type& one, const Type& other);

// The type of values that are no objects.
Type* immediate_type(Value::Tag tag);
// The type of any value; immediate values included.
inline Type* type_of(const Value& value) {
  return value.is_object() ? value.object()->type() : immediate_type(value.tag());
}
inline std::string_view type_name(const Value& value) { return type_of(value)->name(); }
bool is_instance(const Value& value, const Type& type);

// An instance of a class written in the language without a built-in base.
class Instance final : public Container {
 public:
  explicit Instance(Type* type) : Container(Layout::kInstance, type) {}
  Attributes* attributes() override { return &attributes_; }
  void traverse(Visitor& visitor) override {
    visitor.visit(class_);
    attributes_.traverse(visitor);
  }
  void clear_references() override { attributes_.clear(); }

 private:
  Ref<Type> class_{type()};  // keeps the class alive
  Attributes attributes_;
};

}  // namespace strider::lang
