// Aborting: which requests are dropped after one that failed. A front that runs many cells sends
// them all at once; those that it sent before it could know of the failure must not run, the next
// one that its user sends must. Knows no sockets.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <xeus/xmessage.hpp>

namespace strider::jupyter {

using Json = nl::json;

// Microseconds since 1970 of a header's date; `precise`: told more finely than in milliseconds.
struct Date {
  long long microseconds = 0;
  bool precise = false;
};
std::optional<Date> parse_date(const std::string& text);

// The request that failed last.
class Failure {
 public:
  // `header` is the request's; its reply was sent `duration` after it came.
  void note(const Json& header, std::chrono::microseconds duration);
  // Whether a request was sent before the reply can have been seen. Only the front's own clock is
  // asked; nothing where that does not tell: another front, no date.
  std::optional<bool> precedes_reply(const Json& header) const;

 private:
  std::string session_;
  std::optional<Date> date_;
  std::chrono::microseconds duration_{0};
};

}  // namespace strider::jupyter
