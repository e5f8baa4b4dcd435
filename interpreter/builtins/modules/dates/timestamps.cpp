// Folds are found by looking at the local clock a day before or behind.
#include "interpreter/builtins/modules/dates/timestamps.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <ctime>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"

namespace strider::lang {
namespace {

constexpr std::int64_t kDaySeconds = 86400;
constexpr double kMostSeconds = 0x1p63;
// No year of the C library's calendar lies behind.
constexpr std::int64_t kMostCalendarSeconds = std::int64_t{INT32_MAX} * 365 * kDaySeconds;

[[noreturn]] void refuse_size() {
  raise(errors::OverflowError, "timestamp out of range for platform time_t");
}

Timestamp timestamp_of(double seconds) {
  if (std::isnan(seconds)) raise(errors::ValueError, "Invalid value NaN (not a number)");
  if (!(seconds >= -kMostSeconds && seconds < kMostSeconds)) refuse_size();
  double whole, part = std::modf(seconds, &whole);
  auto micros = static_cast<int>(std::nearbyint(part * static_cast<double>(kSecondMicros)));
  auto result = static_cast<std::int64_t>(whole);
  if (micros < 0) return {result - 1, micros + static_cast<int>(kSecondMicros)};
  if (micros == kSecondMicros) return {result + 1, 0};
  return {result, micros};
}

// A local clock that is `offset` seconds ahead at a time, as a moment.
std::int64_t checked_moment(const Timestamp& timestamp, std::int64_t offset) {
  if (std::abs(timestamp.seconds) > kMostCalendarSeconds) raise_os_error(EOVERFLOW);
  std::int64_t seconds = timestamp.seconds + offset;
  std::int64_t moment = seconds + (kEpochOrdinal - 1) * kDaySeconds;
  if (moment < 0 || moment >= kLastOrdinal * kDaySeconds) {
    std::time_t time = seconds;
    std::tm fields{};
    if (!gmtime_r(&time, &fields)) raise_os_error(EOVERFLOW);
    raise(errors::ValueError, "year {} is out of range", fields.tm_year + std::int64_t{1900});
  }
  return moment * kSecondMicros + timestamp.micros;
}

// What the local clock shows at a time, which it does within the years.
std::int64_t shown_at(std::int64_t seconds) {
  std::int64_t offset = local_zone_at(seconds).offset;
  checked_moment({seconds, 0}, offset);
  return seconds + offset;
}

// Whether the local clock, this far ahead at that time, has shown the same less than a day before.
bool is_second_showing(std::int64_t seconds, std::int64_t offset) {
  std::int64_t before = local_zone_at(seconds - kDaySeconds).offset;
  return before > offset && local_zone_at(seconds - (before - offset)).offset == before;
}

}  // namespace

Timestamp timestamp_of(const Value& seconds) {
  if (seconds.is_float() || is_instance(seconds, float_type()))
    return timestamp_of(to_double(seconds));
  if (is_integer(seconds) && !exact_int(seconds).is_int()) refuse_size();
  return {to_int64(seconds), 0};
}

Timestamp now() {
  timespec time;
  if (clock_gettime(CLOCK_REALTIME, &time) != 0) raise_os_error(errno);
  return {time.tv_sec, static_cast<int>(time.tv_nsec / 1000)};
}

std::int64_t moment_of(const Timestamp& timestamp) { return checked_moment(timestamp, 0); }

LocalMoment local_moment_of(const Timestamp& timestamp) {
  if (std::abs(timestamp.seconds) > kMostCalendarSeconds) raise_os_error(EOVERFLOW);
  std::int64_t offset = local_zone_at(timestamp.seconds).offset;
  return {checked_moment(timestamp, offset), is_second_showing(timestamp.seconds, offset)};
}

LocalZone local_zone_at(std::int64_t seconds) {
  std::time_t time = seconds;
  std::tm local{};
  if (!localtime_r(&time, &local)) return {0, "UTC"};
  return {local.tm_gmtoff, local.tm_zone};
}

std::int64_t seconds_of_local(std::int64_t wall, bool fold) {
  std::int64_t shift = shown_at(wall) - wall, first = wall - shift;
  std::int64_t second_shift = shown_at(first) - first;
  if (second_shift == shift) {
    // One answer; the other, if there is one, lies on the other side of a change.
    std::int64_t other = first + (fold ? kDaySeconds : -kDaySeconds);
    std::int64_t other_shift = shown_at(other) - other;
    if (other_shift == shift) return first;
    shift = other_shift;
  } else {
    shift = second_shift;
  }
  std::int64_t second = wall - shift;
  if (shown_at(second) == wall) return second;
  if (shown_at(first) == wall) return first;
  return fold ? std::min(first, second) : std::max(first, second);  // the clock leaves it out
}

}  // namespace strider::lang
