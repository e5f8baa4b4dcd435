// Trial deletion: references that containers hold among themselves are subtracted from the counts;
// what then has none left, and is not reached from what has, is garbage.
#include "interpreter/runtime/memory/collector.h"

#include <algorithm>
#include <vector>

#include "interpreter/runtime/memory/weak_reference.h"
#include "interpreter/runtime/type/type.h"

namespace strider::lang {

constinit ContainerList all_containers;

// Looks for cycles among all containers, and decides when.
class Collector {
 public:
  static Collector& instance() {
    static Collector& collector = *new Collector;
    return collector;
  }

  bool due() const { return automatic && !running_ && all_containers.made_since > threshold_; }

  std::size_t collect() {
    if (running_) return 0;
    running_ = true;
    std::size_t freed = 0;
    for (int round = 0; round < kMaxRounds; ++round) {
      std::vector<Ref<Container>> garbage = find_garbage();
      bool called = forget_weakly(garbage);
      if (finalize(garbage) || called) continue;  // which may have changed what is garbage
      freed = free(garbage);
      break;
    }
    all_containers.made_since = 0;
    threshold_ = count_alive() / 2 + kMinimumThreshold;
    running_ = false;
    return freed;
  }

  bool automatic = true;

  // Those that somebody holds.
  static std::vector<Value> alive() {
    std::vector<Value> found;
    for (Container* c = all_containers.first; c; c = c->next_)
      if (c->references() > 0) found.emplace_back(c);
    return found;
  }

 private:
  static constexpr std::ptrdiff_t kReachable = -1;
  static constexpr std::size_t kMinimumThreshold = 50000;
  static constexpr int kMaxRounds = 4;

  static std::size_t count_alive() {
    std::size_t count = 0;
    for (Container* c = all_containers.first; c; c = c->next_) ++count;
    return count;
  }

  // Containers made but not yet held by anybody have no references and stay out of it.
  void count_outside_references() {
    for (Container* c = all_containers.first; c; c = c->next_) c->trial_ = c->references();
    struct Subtract final : Visitor {
      void visit_object(Object* object) override {
        if (object->is_container()) --static_cast<Container*>(object)->trial_;
      }
    } subtract;
    for (Container* c = all_containers.first; c; c = c->next_) c->traverse(subtract);
  }

  void mark_reachable() {
    struct Mark final : Visitor {
      std::vector<Container*> todo;
      void visit_object(Object* object) override {
        if (!object->is_container()) return;
        auto* container = static_cast<Container*>(object);
        if (container->trial_ == kReachable) return;
        container->trial_ = kReachable;
        todo.push_back(container);
      }
    } mark;
    for (Container* c = all_containers.first; c; c = c->next_)
      if (c->trial_ > 0 || c->references() == 0) mark.visit_object(c);
    while (!mark.todo.empty()) {
      Container* container = mark.todo.back();
      mark.todo.pop_back();
      container->traverse(mark);
    }
  }

  std::vector<Ref<Container>> find_garbage() {
    count_outside_references();
    mark_reachable();
    std::vector<Ref<Container>> garbage;
    for (Container* c = all_containers.first; c; c = c->next_)
      if (c->trial_ != kReachable) garbage.emplace_back(c);
    std::reverse(garbage.begin(), garbage.end());  // the oldest first
    return garbage;
  }

  // Weak references to garbage are emptied before anything of it changes; those that are garbage
  // themselves tell nobody. False where nobody was told.
  static bool forget_weakly(const std::vector<Ref<Container>>& garbage) {
    Values to_call;
    for (const Ref<Container>& container : garbage) {
      if (!container->weakly_referenced()) continue;
      for (Value& reference : empty_weak_references(container.get()))
        if (reference.as<WeakReference>()->trial_ == kReachable)
          to_call.push_back(std::move(reference));
    }
    call_back(to_call, true);
    return !to_call.empty();
  }

  // Runs every __del__ while all objects are still whole; false when there was none.
  static bool finalize(const std::vector<Ref<Container>>& garbage) {
    bool any = false;
    for (const Ref<Container>& container : garbage) any |= container->finalize();
    return any;
  }

  // Classes go last: their instances may need them.
  static std::size_t free(std::vector<Ref<Container>>& garbage) {
    std::vector<Ref<Container>> classes;
    for (const Ref<Container>& container : garbage)
      if (container->layout() == Layout::kType) classes.push_back(container);
    for (const Ref<Container>& container : garbage) container->clear_references();
    std::size_t freed = garbage.size() - classes.size();
    garbage.clear();
    return freed;
  }

  std::size_t threshold_ = kMinimumThreshold;
  bool running_ = false;
};

std::size_t collect_cycles() { return Collector::instance().collect(); }

void collect_cycles_if_due() {
  if (Collector::instance().due()) Collector::instance().collect();
}

// Internal containers, such as the cells of closures, are objects of the language, too.
std::vector<Value> tracked_containers() { return Collector::alive(); }

std::vector<Value> held_by(const Value& container) {
  struct Note final : Visitor {
    std::vector<Value> held;
    void visit_object(Object* object) override { held.emplace_back(object); }
  } note;
  if (container.is_object() && container.object()->is_container())
    static_cast<Container*>(container.object())->traverse(note);
  return std::move(note.held);
}

std::vector<Value> holders_of(const Value& value) {
  struct Search final : Visitor {
    Object* wanted = nullptr;
    bool found = false;
    void visit_object(Object* object) override { found = found || object == wanted; }
  } search;
  std::vector<Value> holders;
  if (!value.is_object()) return holders;
  search.wanted = value.object();
  for (Value& each : Collector::alive()) {
    search.found = false;
    static_cast<Container*>(each.object())->traverse(search);
    if (search.found) holders.push_back(std::move(each));
  }
  return holders;
}

bool set_automatic_collection(bool on) {
  return std::exchange(Collector::instance().automatic, on);
}

}  // namespace strider::lang
