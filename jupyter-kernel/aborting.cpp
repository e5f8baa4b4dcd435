// Dates of headers, and what they say about the order of a failure and a request.
#include "jupyter-kernel/aborting.h"

#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace strider::jupyter {
namespace {

constexpr long long kSecond = 1'000'000;
// What a date in milliseconds may be off, and the way of a reply to a browser takes no less.
constexpr long long kCoarse = 3000;

}  // namespace

std::optional<Date> parse_date(const std::string& text) {
  tm parts = {};
  const char* rest = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
  if (!rest) return {};
  Date date;
  date.microseconds = static_cast<long long>(timegm(&parts)) * kSecond;
  if (*rest == '.') {
    int digits = 0;
    long long unit = kSecond;
    for (++rest; *rest >= '0' && *rest <= '9'; ++rest, ++digits)
      if (unit > 1) date.microseconds += (*rest - '0') * (unit /= 10);
    date.precise = digits > 3;
  }
  int hours = 0, minutes = 0;
  if ((*rest == '+' || *rest == '-') && std::sscanf(rest + 1, "%2d:%2d", &hours, &minutes) >= 1) {
    long long offset = (hours * 60LL + minutes) * 60 * kSecond;
    date.microseconds += *rest == '+' ? -offset : offset;
  }
  return date;
}

void Failure::note(const Json& header, std::chrono::microseconds duration) {
  session_ = header.value("session", "");
  date_ = parse_date(header.value("date", ""));
  duration_ = duration;
}

std::optional<bool> Failure::precedes_reply(const Json& header) const {
  if (!date_ || header.value("session", "") != session_) return {};
  std::optional<Date> date = parse_date(header.value("date", ""));
  if (!date) return {};
  long long allowed = duration_.count() + (date_->precise && date->precise ? 0 : kCoarse);
  return date->microseconds - date_->microseconds < allowed;
}

}  // namespace strider::jupyter
