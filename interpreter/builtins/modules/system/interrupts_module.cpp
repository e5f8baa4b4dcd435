// _interrupts: what a program does when it is interrupted. signal is written on it.
#include <strider/nd/interrupt.h>

#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/interpreter.h"

namespace strider::lang {
namespace {

// Arrays that a program goes on with are not to be left half computed.
Value set_handler(const Parameters& p) {
  Interpreter& interpreter = Interpreter::current();
  interpreter.interrupt_handler = p[0].is_none() ? Value() : p[0];
  nd::share_interrupt_flag(p[0].is_none() ? &interpreter.interrupt_requested : nullptr);
  return Value::none();
}

const NativeRow kFunctions[] = {
    {"set_handler(function, /)", set_handler,
     "Has a function called, without arguments, in place of KeyboardInterrupt; None: no more."},
};

}  // namespace

const NativeModule kInterruptsModule = {"_interrupts", "Interrupts.", kFunctions, {}};

}  // namespace strider::lang
