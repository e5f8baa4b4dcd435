// Collector: frees reference cycles. Containers register themselves; plain reference counting frees
// the rest. Algorithm: trial deletion over all containers, run when enough were made since the last
// time.
#pragma once

#include <cstddef>

#include "interpreter/runtime/value.h"

namespace strider::lang {

// Called with each value that a container holds.
class Visitor {
 public:
  void visit(const Value& value) {
    if (value.is_object()) visit_object(value.object());
  }
  template <class T>
  void visit(const Ref<T>& ref) {
    if (ref) visit_object(ref.get());
  }
  virtual void visit_object(Object* object) = 0;

 protected:
  ~Visitor() = default;
};

// An object that may be part of a reference cycle.
class Container : public Object {
 public:
  ~Container() override;
  // Shows every value held directly, each as often as it is held.
  virtual void traverse(Visitor& visitor) = 0;
  // Drops held values so that a cycle falls apart.
  virtual void clear_references() = 0;

 protected:
  Container(Layout layout, Type* type);

 private:
  friend class Collector;
  Container* previous_;
  Container* next_;
  std::ptrdiff_t trial_ = 0;
};

// Frees unreachable cycles now; returns how many objects went.
std::size_t collect_cycles();
// Collects when enough containers were made; called at safe points only (between statements).
void collect_cycles_if_due();
// Switches automatic collection (gc.enable, gc.disable); returns the former setting.
bool set_automatic_collection(bool on);

}  // namespace strider::lang
