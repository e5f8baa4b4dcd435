// Balance: laziness must never need more memory than running every operation at once. Elements that
// only expressions keep alive are weighed against the results that have no memory yet.
#pragma once

#include <cstdint>

namespace strider::nd {

struct Expression;

struct Balance {
  std::int64_t kept = 0;      // bytes that only expressions keep alive
  std::int64_t promised = 0;  // bytes of promised arrays that somebody holds
};
Balance& balance();

// What the result would take if it were there. Zeros that nobody wrote to take nothing.
std::int64_t result_bytes(const Expression& expression);

}  // namespace strider::nd
