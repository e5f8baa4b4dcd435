// The calendar of moments: counts of units since 1970 as dates and texts, and back; units of time.
// Knows no values of the language.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace strider::lang {

using Count = std::int64_t;
inline constexpr Count kNoTime = std::numeric_limits<Count>::min();  // NaT

inline Count floor_divided(Count a, Count b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

// A date of any year that a count reaches.
struct LongDate {
  Count year, month, day;
};
// Beyond so many days or months dates are left to who computes with any integer.
inline constexpr Count kFarthestDate = (Count{1} << 40) - 1;
// Days since 1970 of a date of the proleptic Gregorian calendar, and back.
Count days_of(const LongDate& date);
LongDate date_of(Count days);
// The first day of a month since 1970, and the month of a day.
LongDate first_of(Count months);
Count months_of(Count days);

// Units from coarse to fine; kOther: multiples, and none.
enum class TimeUnit : std::int8_t {
  kOther = -1,
  kY,
  kM,
  kW,
  kD,
  kh,
  km,
  ks,
  kms,
  kus,
  kns,
  kps,
  kfs,
  kas
};
TimeUnit read_time_unit(std::string_view text);
// How many of the finer unit the coarser one has, both of a fixed length or both of months; none
// where that leaves 64 bits.
std::optional<Count> units_within(TimeUnit coarse, TimeUnit fine);
inline bool counts_months(TimeUnit unit) { return unit == TimeUnit::kY || unit == TimeUnit::kM; }

// A count in another unit, rounded down; months and years are those of the calendar. False where a
// step leaves 64 bits.
bool convert_moment(Count count, TimeUnit from, TimeUnit to, Count& made);
// The same of a length of time; false also where only one of the units is of months.
bool convert_span(Count count, TimeUnit from, TimeUnit to, Count& made);

// Reads "2024-03-01T12:30:15.250": the count, and how many parts of the date and the clock the text
// tells, 1 (years) to 6 (seconds), 7 to 9 with thousandths of them. False for other texts.
bool read_moment(std::string_view text, Count& count, int& parts);
// Appends a moment with so many parts as text, such as "2024-03-01T12:30"; "NaT" for none.
void append_moment(std::string& text, Count count, int parts);
// The unit that texts of so many parts tell, and the parts that tell a unit; 0 where none do.
TimeUnit unit_of_parts(int parts);
int parts_of_unit(TimeUnit unit);

}  // namespace strider::lang
