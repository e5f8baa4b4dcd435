// Floating-point conditions (divide, overflow, underflow, invalid): collected from a loop and given
// to a handler. Knows nothing of warnings.
#pragma once

#include <cstdint>
#include <string_view>

namespace strider::nd {

// A set of conditions.
struct FloatingErrors {
  static constexpr std::uint8_t kDivide = 1;
  static constexpr std::uint8_t kOverflow = 2;
  static constexpr std::uint8_t kUnderflow = 4;
  static constexpr std::uint8_t kInvalid = 8;
  std::uint8_t flags = 0;

  explicit operator bool() const { return flags != 0; }
};

// What the session does about conditions: warn, raise (nd::Error or its own), record, nothing.
// `operation` is the ufunc's NumPy name ("divide", "cast", "reduce").
using FloatingErrorHandler = void (*)(void* context, FloatingErrors errors,
                                      std::string_view operation);

// Installs this thread's handler (null: conditions are ignored) and returns nothing.
void set_floating_error_handler(FloatingErrorHandler handler, void* context);

// Hands conditions to this thread's handler when there are any; may throw what the handler throws.
void deliver_floating_errors(FloatingErrors errors, std::string_view operation);

// Clears the processor's conditions, so that take_floating_errors sees only what follows.
void clear_floating_errors();
// The processor's conditions since the last clear, which are cleared.
FloatingErrors take_floating_errors();
// Sets the processor's conditions as if an operation had raised them.
void raise_floating_errors(FloatingErrors errors);

}  // namespace strider::nd
