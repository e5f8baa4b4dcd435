// Trial deletion: references that containers hold among themselves are subtracted from the counts;
// what then has none left, and is not reached from what has, is garbage.
#include "interpreter/runtime/collector.h"

#include <vector>

#include "interpreter/runtime/type.h"

namespace strider::lang {

// The list of all containers of the process, and the decision when to look for cycles.
class Collector {
 public:
  static Collector& instance() {
    static Collector& collector = *new Collector;
    return collector;
  }

  void add(Container* container) {
    container->next_ = first_;
    container->previous_ = nullptr;
    if (first_) first_->previous_ = container;
    first_ = container;
    ++made_since_;
    ++alive_;
  }

  void remove(Container* container) {
    if (container->previous_) container->previous_->next_ = container->next_;
    if (container->next_) container->next_->previous_ = container->previous_;
    if (first_ == container) first_ = container->next_;
    --alive_;
    if (made_since_ > 0) --made_since_;
  }

  bool due() const { return automatic && !running_ && made_since_ > threshold_; }

  std::size_t collect() {
    if (running_) return 0;
    running_ = true;
    count_outside_references();
    mark_reachable();
    std::size_t freed = free_unreachable();
    made_since_ = 0;
    threshold_ = alive_ / 2 + kMinimumThreshold;
    running_ = false;
    return freed;
  }

  bool automatic = true;

 private:
  static constexpr std::ptrdiff_t kReachable = -1;
  static constexpr std::size_t kMinimumThreshold = 50000;

  // Containers made but not yet held by anybody have no references and stay out of it.
  void count_outside_references() {
    for (Container* c = first_; c; c = c->next_) c->trial_ = c->references();
    struct Subtract final : Visitor {
      void visit_object(Object* object) override {
        if (auto* container = dynamic_cast<Container*>(object)) --container->trial_;
      }
    } subtract;
    for (Container* c = first_; c; c = c->next_) c->traverse(subtract);
  }

  void mark_reachable() {
    struct Mark final : Visitor {
      std::vector<Container*> todo;
      void visit_object(Object* object) override {
        auto* container = dynamic_cast<Container*>(object);
        if (container && container->trial_ != kReachable) {
          container->trial_ = kReachable;
          todo.push_back(container);
        }
      }
    } mark;
    for (Container* c = first_; c; c = c->next_)
      if (c->trial_ > 0 || c->references() == 0) mark.visit_object(c);
    while (!mark.todo.empty()) {
      Container* container = mark.todo.back();
      mark.todo.pop_back();
      container->traverse(mark);
    }
  }

  std::size_t free_unreachable() {
    std::vector<Ref<Container>> garbage;
    for (Container* c = first_; c; c = c->next_)
      if (c->trial_ != kReachable && c->layout() != Layout::kType) garbage.emplace_back(c);
    for (const Ref<Container>& container : garbage) container->clear_references();
    return garbage.size();
  }

  Container* first_ = nullptr;
  std::size_t made_since_ = 0;
  std::size_t alive_ = 0;
  std::size_t threshold_ = kMinimumThreshold;
  bool running_ = false;
};

Container::Container(Layout layout, Type* type) : Object(layout, type) {
  Collector::instance().add(this);
}

Container::~Container() { Collector::instance().remove(this); }

std::size_t collect_cycles() { return Collector::instance().collect(); }

void collect_cycles_if_due() {
  if (Collector::instance().due()) Collector::instance().collect();
}

bool set_automatic_collection(bool on) {
  return std::exchange(Collector::instance().automatic, on);
}

}  // namespace strider::lang
