// Collector: frees reference cycles. Containers register themselves; plain reference counting frees
// the rest. Algorithm: trial deletion over all containers, run when enough were made since the last
// time.
#pragma once

#include <cstddef>
#include <vector>

#include "interpreter/runtime/value/value.h"

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

class Container;

// All containers alive, and how many more were made than died since the last collection.
struct ContainerList {
  Container* first = nullptr;
  std::size_t made_since = 0;
};
extern constinit ContainerList all_containers;

// An object that may be part of a reference cycle.
class Container : public Object {
 public:
  ~Container() override { unlink(); }
  // Shows every value held directly, each as often as it is held.
  virtual void traverse(Visitor& visitor) = 0;
  // Drops held values so that a cycle falls apart.
  virtual void clear_references() = 0;
  // Out of the list, before it is destroyed: what its members call on their way out may collect.
  void unlink() {
    if (!link_) return;
    *link_ = next_;
    if (next_) next_->link_ = link_;
    link_ = nullptr;
    if (all_containers.made_since > 0) --all_containers.made_since;
  }

 protected:
  Container(Layout layout, Type* type)
      : Object(layout, type, true), link_(&all_containers.first), next_(all_containers.first) {
    if (next_) next_->link_ = &next_;
    all_containers.first = this;
    ++all_containers.made_since;
  }

 private:
  friend class Collector;
  Container** link_;  // what points to this container: the list or its predecessor
  Container* next_;
  std::ptrdiff_t trial_ = 0;
};

// Frees unreachable cycles now; returns how many objects went.
std::size_t collect_cycles();
// Collects when enough containers were made; called at safe points only (between statements).
void collect_cycles_if_due();
// Objects that may be part of a cycle: all, those that a value holds, those that hold a value.
std::vector<Value> tracked_containers();
std::vector<Value> held_by(const Value& container);
std::vector<Value> holders_of(const Value& value);
// Switches automatic collection (gc.enable, gc.disable); returns the former setting.
bool set_automatic_collection(bool on);

}  // namespace strider::lang
