// Places as text, and each thread's handler of conditions that come late.
#include <strider/nd/place.h>

namespace strider::nd {
namespace {

LateErrorHandler& thread_handler() {
  thread_local LateErrorHandler handler = nullptr;
  return handler;
}

}  // namespace

std::string to_text(const Place& place) {
  if (!place.known()) return "";
  return place.text().file() + ":" + std::to_string(place.line());
}

void set_late_error_handler(LateErrorHandler handler) { thread_handler() = handler; }

void deliver_late_errors(FloatingErrors errors, std::string_view operation, const Place& place) {
  if (errors && thread_handler()) thread_handler()(errors, operation, place);
}

}  // namespace strider::nd
