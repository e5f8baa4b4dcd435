// Reads and clears the vector unit's status word; keeps each thread's handler.
#include <immintrin.h>
#include <strider/nd/floating_errors.h>

namespace strider::nd {
namespace {

constexpr unsigned kStatusInvalid = 0x01;
constexpr unsigned kStatusDivide = 0x04;
constexpr unsigned kStatusOverflow = 0x08;
constexpr unsigned kStatusUnderflow = 0x10;
constexpr unsigned kWatched = kStatusInvalid | kStatusDivide | kStatusOverflow | kStatusUnderflow;

struct Handler {
  FloatingErrorHandler call = nullptr;
  void* context = nullptr;
};

Handler& thread_handler() {
  thread_local Handler handler;
  return handler;
}

}  // namespace

void set_floating_error_handler(FloatingErrorHandler handler, void* context) {
  thread_handler() = {handler, context};
}

void deliver_floating_errors(FloatingErrors errors, std::string_view operation) {
  if (!errors) return;
  Handler handler = thread_handler();
  if (handler.call) handler.call(handler.context, errors, operation);
}

void clear_floating_errors() {
  unsigned status = _mm_getcsr();
  if (status & kWatched) _mm_setcsr(status & ~kWatched);
}

FloatingErrors take_floating_errors() {
  unsigned status = _mm_getcsr();
  FloatingErrors errors;
  if (!(status & kWatched)) return errors;
  _mm_setcsr(status & ~kWatched);
  if (status & kStatusDivide) errors.flags |= FloatingErrors::kDivide;
  if (status & kStatusOverflow) errors.flags |= FloatingErrors::kOverflow;
  if (status & kStatusUnderflow) errors.flags |= FloatingErrors::kUnderflow;
  if (status & kStatusInvalid) errors.flags |= FloatingErrors::kInvalid;
  return errors;
}

void raise_floating_errors(FloatingErrors errors) {
  unsigned status = 0;
  if (errors.flags & FloatingErrors::kDivide) status |= kStatusDivide;
  if (errors.flags & FloatingErrors::kOverflow) status |= kStatusOverflow;
  if (errors.flags & FloatingErrors::kUnderflow) status |= kStatusUnderflow;
  if (errors.flags & FloatingErrors::kInvalid) status |= kStatusInvalid;
  if (status) _mm_setcsr(_mm_getcsr() | status);
}

}  // namespace strider::nd
