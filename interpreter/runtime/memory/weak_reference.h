// WeakReference: refers to an object without keeping it alive, and tells when it goes.
#pragma once

#include "interpreter/runtime/memory/collector.h"
#include "interpreter/runtime/value/values.h"

namespace strider::lang {

class WeakReference : public Container {
 public:
  // A reference to `target`; `callback` (or Empty) is called with it when the target goes. Without
  // a callback an object's references are one. TypeError for values that cannot be referred to.
  // Each reference of a subclass is one of its own.
  static Ref<WeakReference> to(const Value& target, const Value& callback,
                               Type* type = &type_object());
  WeakReference(Object* target, const Value& callback, Type* type);  // for to() alone
  static Type& type_object();
  ~WeakReference() override;

  Value target() const { return target_ ? Value(target_) : Value(); }  // Empty: it is gone
  const Value& callback() const { return callback_; }
  Value take_callback() { return std::exchange(callback_, Value()); }
  std::int64_t hash();

  void traverse(Visitor& visitor) override { visitor.visit(callback_); }
  void clear_references() override { callback_ = Value(); }

 private:
  friend Values empty_weak_references(Object* object);

  Object* target_;
  Value callback_;
  std::int64_t hash_ = -1;  // -1: not known yet
};

// All weak references to the object that live.
Values weak_references_to(const Value& target);
// Empties the weak references to an object; returns those whose callbacks are still to run.
Values empty_weak_references(Object* object);
// Runs them; the references keep them where they tell so only, as those to garbage do.
void call_back(const Values& references, bool keep);
// The object goes: its weak references are emptied, then their callbacks run.
void forget_weak_references(Object* object);

}  // namespace strider::lang
