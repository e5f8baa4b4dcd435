// How iterators that call a program's functions end: a StopIteration of the function is their own.
#pragma once

#include "interpreter/runtime/error/error.h"

namespace strider::lang {

// What the step gives; false, the end, if it raises StopIteration (map(next, iterators)).
template <class Step>
bool unless_stopped(Step&& step) {
  try {
    return step();
  } catch (const Raised& raised) {
    if (!raised.exception->type()->is_subclass_of(&errors::StopIteration())) throw;
    return false;
  }
}

}  // namespace strider::lang
