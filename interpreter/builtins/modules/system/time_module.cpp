// The module time: clocks, sleeping, calendar times and their texts.
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstring>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/os/struct_sequence.h"
#include "interpreter/builtins/modules/system/time_fields.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/evaluator/frames/threads.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::int64_t kNanoseconds = 1000000000;
constexpr std::int64_t kPiece = kNanoseconds / 5;  // of a sleep

std::int64_t read_clock(clockid_t clock) {
  timespec now;
  if (clock_gettime(clock, &now) != 0) raise_os_error(errno);
  return now.tv_sec * kNanoseconds + now.tv_nsec;
}

template <clockid_t kClock>
Value clock_seconds(const Parameters&) {
  return Value::real(static_cast<double>(read_clock(kClock)) * 1e-9);
}

template <clockid_t kClock>
Value clock_nanoseconds(const Parameters&) {
  return Value::integer(read_clock(kClock));
}

Value time_sleep(const Parameters& p) {
  double seconds = to_double(p[0]);
  if (std::isnan(seconds)) raise(errors::ValueError, "Invalid value NaN (not a number)");
  if (seconds < 0) raise(errors::ValueError, "sleep length must be non-negative");
  if (seconds > 9e9) raise(errors::OverflowError, "timestamp too large to convert to C _PyTime_t");
  std::int64_t end =
      read_clock(CLOCK_MONOTONIC) + static_cast<std::int64_t>(seconds * kNanoseconds);
  // Piece by piece: an interrupt may come before a piece, or end it.
  for (std::int64_t now = read_clock(CLOCK_MONOTONIC); now < end;
       now = read_clock(CLOCK_MONOTONIC)) {
    Interpreter& interpreter = Interpreter::current();
    if (has_other_threads(interpreter)) {
      wait_a_little(interpreter, static_cast<double>(end - now) / kNanoseconds);
      continue;
    }
    poll_interrupt(interpreter);
    std::int64_t piece = std::min(end, now + kPiece);
    timespec until{piece / kNanoseconds, piece % kNanoseconds};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
  }
  return Value::none();
}

constexpr const char* kFields[] = {"tm_year",  "tm_mon",  "tm_mday",  "tm_hour",
                                   "tm_min",   "tm_sec",  "tm_wday",  "tm_yday",
                                   "tm_isdst", "tm_zone", "tm_gmtoff"};

StructSequenceType& struct_time_type() {
  static StructSequenceType type("struct_time", "time", kFields, 9);
  return type;
}

Value make_struct_time(const tm& parts) {
  auto integer = [](long value) { return Value::integer(value); };
  return struct_time_type().make(
      {integer(parts.tm_year + 1900), integer(parts.tm_mon + 1), integer(parts.tm_mday),
       integer(parts.tm_hour), integer(parts.tm_min), integer(parts.tm_sec),
       integer((parts.tm_wday + 6) % 7), integer(parts.tm_yday + 1), integer(parts.tm_isdst),
       Value(make_str(parts.tm_zone ? parts.tm_zone : "UTC")), integer(parts.tm_gmtoff)});
}

time_t seconds_argument(const Value& value) {
  if (value.is_empty() || value.is_none()) return time(nullptr);
  if (is_instance(value, float_type())) {
    double seconds = std::floor(to_double(value));
    if (std::isnan(seconds)) raise(errors::ValueError, "Invalid value NaN (not a number)");
    if (std::fabs(seconds) > 9e18)
      raise(errors::OverflowError, "timestamp out of range for platform time_t");
    return static_cast<time_t>(seconds);
  }
  return to_int64(value);
}

Value time_gmtime(const Parameters& p) {
  time_t seconds = seconds_argument(p[0]);
  tm parts;
  if (!gmtime_r(&seconds, &parts)) raise_os_error(errno);
  return make_struct_time(parts);
}

Value time_localtime(const Parameters& p) {
  time_t seconds = seconds_argument(p[0]);
  tm parts;
  if (!localtime_r(&seconds, &parts)) raise_os_error(errno);
  return make_struct_time(parts);
}

tm local_now() {
  time_t seconds = time(nullptr);
  tm parts;
  localtime_r(&seconds, &parts);
  return parts;
}

// The nine numbers of a time tuple; now if absent.
tm parts_argument(const Value& value) {
  if (value.is_empty() || value.is_none()) return local_now();
  if (!is_tuple(value)) raise(errors::TypeError, "Tuple or struct_time argument required");
  const Tuple& fields = *value.as<Tuple>();
  if (fields.size() < 9)
    raise(errors::TypeError, "function takes exactly 9 arguments ({} given)", fields.size());
  auto field = [&](std::size_t index) {
    std::int64_t value = to_int64(fields[index]);
    if (value > INT_MAX || value < INT_MIN)
      raise(errors::OverflowError, "signed integer is {}",
            value > 0 ? "greater than maximum" : "less than minimum");
    return static_cast<int>(value);
  };
  if (field(0) < INT_MIN + 1900) raise(errors::OverflowError, "year out of range");
  tm parts{};
  parts.tm_year = field(0) - 1900;
  parts.tm_mon = field(1) - 1;
  parts.tm_mday = field(2);
  parts.tm_hour = field(3);
  parts.tm_min = field(4);
  parts.tm_sec = field(5);
  parts.tm_wday = (field(6) + 1) % 7;
  parts.tm_yday = field(7) - 1;
  parts.tm_isdst = field(8);
  return parts;
}

void check_parts(tm& parts) {
  auto check = [](int value, int least, int most, const char* name) {
    if (value < least || value > most) raise(errors::ValueError, "{} out of range", name);
  };
  if (parts.tm_mon == -1) parts.tm_mon = 0;
  if (parts.tm_mday == 0) parts.tm_mday = 1;
  if (parts.tm_yday == -1) parts.tm_yday = 0;
  check(parts.tm_mon, 0, 11, "month");
  check(parts.tm_mday, 1, 31, "day of month");
  check(parts.tm_hour, 0, 23, "hour");
  check(parts.tm_min, 0, 59, "minute");
  check(parts.tm_sec, 0, 61, "seconds");
  check(parts.tm_wday, 0, 6, "day of week");
  check(parts.tm_yday, 0, 365, "day of year");
}

Value time_mktime(const Parameters& p) {
  tm parts = parts_argument(p[0]);
  parts.tm_wday = -1;
  time_t seconds = mktime(&parts);
  if (seconds == -1 && parts.tm_wday == -1)
    raise(errors::OverflowError, "mktime argument out of range");
  return Value::real(static_cast<double>(seconds));
}

Value time_strftime(const Parameters& p) {
  std::string format(to_text(p[0], "strftime() argument 1"));
  if (format.find('\0') != format.npos) raise(errors::ValueError, "embedded null character");
  tm parts = parts_argument(p[1]);
  check_parts(parts);
  std::string zone;  // as a struct_time tells it
  if (is_tuple(p[1]) && type_of(p[1])->is_subclass_of(&struct_time_type().type())) {
    Value name = find_attribute(p[1], intern("tm_zone"));
    Value offset = find_attribute(p[1], intern("tm_gmtoff"));
    if (is_str(name)) parts.tm_zone = (zone = text_of(name)).c_str();
    if (offset.is_int()) parts.tm_gmtoff = static_cast<long>(offset.as_int());
  }
  if (format.empty()) return make_str("");
  format += ' ';  // so that an empty result differs from a full buffer
  std::string text(64, '\0');
  std::size_t size;
  while ((size = strftime(text.data(), text.size(), format.c_str(), &parts)) == 0)
    text.resize(text.size() * 2);
  text.resize(size - 1);
  return make_str(std::move(text));
}

Value time_strptime(const Parameters& p) {
  return call(get_attribute(import_module("_strptime"), intern("_strptime_time")), p[0], p[1]);
}

std::string asctime_text(const tm& parts) {
  static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  return fmt::format("{} {}{:3} {:02}:{:02}:{:02} {}", kDays[(parts.tm_wday % 7 + 7) % 7],
                     kMonths[parts.tm_mon], parts.tm_mday, parts.tm_hour, parts.tm_min,
                     parts.tm_sec, std::int64_t{parts.tm_year} + 1900);
}

Value time_asctime(const Parameters& p) {
  tm parts = parts_argument(p[0]);
  check_parts(parts);
  return make_str(asctime_text(parts));
}

Value time_ctime(const Parameters& p) {
  time_t seconds = seconds_argument(p[0]);
  tm parts;
  if (!localtime_r(&seconds, &parts)) raise_os_error(errno);
  return make_str(asctime_text(parts));
}

// What the local clock shows in winter and in summer: west of UTC in seconds, and names.
struct LocalZone {
  std::int64_t standard, saving;
  std::string standard_name, saving_name;
};

LocalZone local_zone() {
  constexpr time_t kYear = (365 * 24 + 6) * 3600;
  ::tzset();
  time_t begin = time(nullptr) / kYear * kYear, middle = begin + kYear / 2;
  tm january{}, july{};
  localtime_r(&begin, &january);
  localtime_r(&middle, &july);
  if (january.tm_gmtoff > july.tm_gmtoff) std::swap(january, july);  // south of the equator
  return {-january.tm_gmtoff, -july.tm_gmtoff, january.tm_zone, july.tm_zone};
}

Value zone_offset() { return Value::integer(local_zone().standard); }

Value saving_offset() { return Value::integer(local_zone().saving); }

Value has_saving() {
  LocalZone zone = local_zone();
  return Value::integer(zone.standard != zone.saving);
}

Value zone_names() {
  LocalZone zone = local_zone();
  return make_tuple({Value(make_str(zone.standard_name)), Value(make_str(zone.saving_name))});
}

const ConstantRow kZone[] = {{"timezone", zone_offset},
                             {"tzname", zone_names},
                             {"daylight", has_saving},
                             {"altzone", saving_offset}};

Value time_tzset(const Parameters&) {
  Value module = import_module("time");
  for (const ConstantRow& row : kZone)
    module.as<Module>()->dict().set(intern(row.name), row.make());
  return Value::none();
}

timespec clock_of(const Parameters& p) {
  timespec moment{};
  if (clock_gettime(static_cast<clockid_t>(to_int64(p[0])), &moment) != 0)
    raise(errors::OSError, "[Errno {}] {}", errno, std::strerror(errno));
  return moment;
}

const NativeRow kFunctions[] = {
    {"clock_getres(clk_id, /)",
     [](const Parameters& p) {
       timespec step;
       if (clock_getres(static_cast<clockid_t>(to_int64(p[0])), &step) != 0) raise_os_error(errno);
       return Value::real(static_cast<double>(step.tv_sec) +
                          static_cast<double>(step.tv_nsec) * 1e-9);
     },
     "The smallest step of a clock in seconds."},
    {"clock_gettime(clk_id, /)",
     [](const Parameters& p) {
       timespec moment = clock_of(p);
       return Value::real(static_cast<double>(moment.tv_sec) +
                          1e-9 * static_cast<double>(moment.tv_nsec));
     },
     "The time of a clock of the system, in seconds."},
    {"clock_gettime_ns(clk_id, /)",
     [](const Parameters& p) {
       timespec moment = clock_of(p);
       return Value::integer(moment.tv_sec * 1'000'000'000 + moment.tv_nsec);
     },
     "clock_gettime() in nanoseconds."},
    {"get_clock_info(name, /)",
     [](const Parameters& p) {
       return call(get_attribute(import_module("_clocks"), intern("get_clock_info")), p[0]);
     },
     "What is known of a clock."},
    {"time()", clock_seconds<CLOCK_REALTIME>, "Seconds since 1970."},
    {"time_ns()", clock_nanoseconds<CLOCK_REALTIME>, "Nanoseconds since 1970."},
    {"monotonic()", clock_seconds<CLOCK_MONOTONIC>, "A clock that never goes back, in seconds."},
    {"monotonic_ns()", clock_nanoseconds<CLOCK_MONOTONIC>, "monotonic() in nanoseconds."},
    {"perf_counter()", clock_seconds<CLOCK_MONOTONIC>, "The clock for measurements, in seconds."},
    {"perf_counter_ns()", clock_nanoseconds<CLOCK_MONOTONIC>, "perf_counter() in nanoseconds."},
    {"process_time()", clock_seconds<CLOCK_PROCESS_CPUTIME_ID>, "CPU time of the process."},
    {"process_time_ns()", clock_nanoseconds<CLOCK_PROCESS_CPUTIME_ID>,
     "process_time() in nanoseconds."},
    {"thread_time()", clock_seconds<CLOCK_THREAD_CPUTIME_ID>, "CPU time of the thread."},
    {"thread_time_ns()", clock_nanoseconds<CLOCK_THREAD_CPUTIME_ID>,
     "thread_time() in nanoseconds."},
    {"sleep(seconds, /)", outside<time_sleep>, "Waits."},
    {"gmtime(seconds=None, /)", time_gmtime, "A time as UTC calendar fields."},
    {"localtime(seconds=None, /)", time_localtime, "A time as local calendar fields."},
    {"tzset()", time_tzset, "Reads the zone of the local time from the environment again."},
    {"mktime(tuple, /)", time_mktime, "Local calendar fields as seconds since 1970."},
    {"strftime(format, tuple=None, /)", time_strftime, "Calendar fields as text."},
    {"strptime(string, format='%a %b %d %H:%M:%S %Y', /)", time_strptime,
     "Text as calendar fields."},
    {"asctime(tuple=None, /)", time_asctime, "Calendar fields as fixed text."},
    {"ctime(seconds=None, /)", time_ctime, "A time as fixed text."},
};

const ConstantRow kConstants[] = {
    {"CLOCK_REALTIME", [] { return Value::integer(CLOCK_REALTIME); }},
    {"CLOCK_MONOTONIC", [] { return Value::integer(CLOCK_MONOTONIC); }},
    {"CLOCK_MONOTONIC_RAW", [] { return Value::integer(CLOCK_MONOTONIC_RAW); }},
    {"CLOCK_BOOTTIME", [] { return Value::integer(CLOCK_BOOTTIME); }},
    {"CLOCK_PROCESS_CPUTIME_ID", [] { return Value::integer(CLOCK_PROCESS_CPUTIME_ID); }},
    {"CLOCK_THREAD_CPUTIME_ID", [] { return Value::integer(CLOCK_THREAD_CPUTIME_ID); }},
    {"struct_time", [] { return Value(&struct_time_type().type()); }},
    {"_STRUCT_TM_ITEMS", [] { return Value::integer(std::size(kFields)); }},
    {"timezone", zone_offset},
    {"tzname", zone_names},
    {"daylight", has_saving},
    {"altzone", saving_offset},
};

}  // namespace

Value make_time_tuple(const CalendarDay& day, const Clock& clock, int saving) {
  auto integer = [](int value) { return Value::integer(value); };
  int day_of_year = days_before_month(day.year, day.month) + day.day;
  return struct_time_type().make({integer(day.year), integer(day.month), integer(day.day),
                                  integer(clock.hour), integer(clock.minute), integer(clock.second),
                                  integer(weekday_of(day)), integer(day_of_year), integer(saving),
                                  Value::none(), Value::none()});
}

const NativeModule kTimeModule = {"time", "Clocks and calendar times.", kFunctions, kConstants};

}  // namespace strider::lang
