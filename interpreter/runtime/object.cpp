// Object destruction: finalisers, and no deep recursion when long chains of objects die.
#include <vector>

#include "interpreter/runtime/error.h"
#include "interpreter/runtime/interpreter.h"
#include "interpreter/runtime/protocol.h"
#include "interpreter/runtime/value.h"

namespace strider::lang {
namespace {

constexpr int kMaxNestedDestruction = 64;

// Objects whose destruction waits until the stack has unwound (the "trashcan" of CPython).
struct Graveyard {
  int depth = 0;
  std::vector<Object*> waiting;
};

Graveyard& graveyard() {
  thread_local Graveyard instance;
  return instance;
}

// Runs __del__; an exception in it is reported on stderr and dropped, as CPython does.
void run_finalizer(Object* object) {
  Value self(object);
  Value finalizer = find_special(self, names().del);
  if (finalizer.is_empty()) return;
  try {
    call(finalizer);
  } catch (const Raised& raised) {
    report_unraisable(*raised.exception, repr_text(finalizer));
  }
}

}  // namespace

void Object::destroy() {
  if (layout_ != Layout::kType && type_ && type_->has(Type::kHasDel) && Interpreter::exists()) {
    references_ = 1;
    run_finalizer(this);
    if (--references_ != 0) return;  // __del__ kept the object
  }
  Graveyard& yard = graveyard();
  if (yard.depth >= kMaxNestedDestruction) {
    yard.waiting.push_back(this);
    return;
  }
  ++yard.depth;
  delete this;
  --yard.depth;
  while (yard.depth == 0 && !yard.waiting.empty()) {
    Object* next = yard.waiting.back();
    yard.waiting.pop_back();
    ++yard.depth;
    delete next;
    --yard.depth;
  }
}

}  // namespace strider::lang
