// Object destruction: finalisers, and no deep recursion when long chains of objects die.
#include <vector>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/memory/collector.h"
#include "interpreter/runtime/memory/ending.h"
#include "interpreter/runtime/memory/weak_reference.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {
namespace {

constexpr int kMaxNestedDestruction = 64;

// How many destructions are under way inside each other.
constinit thread_local int nesting = 0;
constinit thread_local bool some_wait = false;

// Objects whose destruction waits until the stack has unwound (the "trashcan" of CPython).
std::vector<Object*>& waiting() {
  thread_local std::vector<Object*> objects;
  return objects;
}

// Runs __del__; an exception in it is reported on stderr and dropped, as CPython does.
void run_finalizer(Object* object) {
  Value self(object);
  Value finalizer = find_special(self, names().del);
  if (finalizer.is_empty()) return;
  RaisedAside aside;
  try {
    call(finalizer);
  } catch (const Raised& raised) {
    const Value* function = type_of(self)->lookup(names().del);
    report_unraisable(*raised.exception, function ? *function : finalizer);
  }
}

void bury_waiting() {
  while (!waiting().empty()) {
    Object* next = waiting().back();
    waiting().pop_back();
    ++nesting;
    if (next->references() > 0)
      next->release();
    else
      delete next;
    --nesting;
  }
  some_wait = false;
}

}  // namespace

bool Object::finalize() {
  if (layout_ == Layout::kGenerator) return end_generator(*this);
  bool due = layout_ != Layout::kType && type_ && type_->has(Type::kHasDel) && !finalized_ &&
             Interpreter::exists();
  if (!due) return false;
  finalized_ = true;
  run_finalizer(this);
  return true;
}

void Object::destroy() {
  if (layout_ != Layout::kType && type_ && type_->has(Type::kHasDel)) {
    references_ = 1;
    finalize();
    if (--references_ != 0) return;  // __del__ kept the object
  }
  if (layout_ == Layout::kGenerator) [[unlikely]] {
    references_ = 1;
    if (nesting >= kMaxNestedDestruction) {  // it ends then, and lives until it has
      waiting().push_back(this);
      some_wait = true;
      return;
    }
    ++nesting;
    finalize();
    --nesting;
    if (--references_ != 0) return;  // somebody has it now
  }
  if (weakly_referenced_) [[unlikely]] {
    references_ = 1;
    forget_weak_references(this);
    if (--references_ != 0) return;  // a callback kept the object
  }
  if (is_container()) static_cast<Container*>(this)->unlink();
  if (nesting >= kMaxNestedDestruction) [[unlikely]] {
    waiting().push_back(this);
    some_wait = true;
    return;
  }
  ++nesting;
  delete this;
  --nesting;
  if (some_wait && nesting == 0) [[unlikely]]
    bury_waiting();
}

}  // namespace strider::lang
