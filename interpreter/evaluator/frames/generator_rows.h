// What the types of generators, coroutines and asynchronous generators have in common for programs.
#pragma once

#include <span>

#include "interpreter/evaluator/frames/generator.h"

namespace strider::lang {

// What throw(type, value, traceback) throws: parameters 1 to 3.
Ref<Exception> exception_to_throw(const Parameters& p);
Value generator_repr(const Value& self);
Value generator_frame(const Value& self);  // None when it has ended
Value generator_delegate(const Value& self);
Value generator_code(const Value& self);
extern const std::span<const PropertyRow> kGeneratorNames;  // __name__ and __qualname__

}  // namespace strider::lang
