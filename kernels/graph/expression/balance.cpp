// Computes promises as soon as keeping their arguments costs more than their results would.
#include "kernels/graph/expression/balance.h"

#include <strider/nd/error.h>
#include <strider/nd/interrupt.h>

#include "kernels/graph/expression/expression.h"

namespace strider::nd {
namespace {

constexpr std::int64_t kSlack = 4 << 20;

}  // namespace

std::int64_t result_bytes(const Expression& expression) {
  return expression.is_zero() ? 0 : expression.size() * item_size(expression.dtype);
}

Balance& balance() {
  thread_local Balance instance;
  return instance;
}

void let_go(Storage& storage) noexcept {
  if (storage.pending()) {
    if (storage.expression()) balance().promised -= result_bytes(*storage.expression());
  } else {
    storage.counted = true;
    count_kept(storage);
  }
  if (balance().kept <= balance().promised + kSlack || !storage.readers) return;
  try {
    settle_readers(storage);
  } catch (const Error& error) {  // it stays promised; whoever needs it meets the error again
    if (error.kind() == ErrorKind::kInterrupted) request_interrupt(true);
  } catch (...) {
  }
}

void count_kept(const Storage& storage) {
  balance().kept += static_cast<std::int64_t>(storage.byte_count());
}

void forget_kept(const Storage& storage) {
  balance().kept -= static_cast<std::int64_t>(storage.byte_count());
}

}  // namespace strider::nd
