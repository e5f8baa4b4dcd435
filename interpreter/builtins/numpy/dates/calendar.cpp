// The proleptic Gregorian calendar, and texts of moments.
#include "interpreter/builtins/numpy/dates/calendar.h"

#include <algorithm>
#include <iterator>

namespace strider::lang {

Count days_of(const LongDate& date) {
  Count year = date.year - (date.month <= 2);
  Count era = floor_divided(year, 400), of_era = year - era * 400;
  Count of_year = (153 * ((date.month + 9) % 12) + 2) / 5 + date.day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

LongDate date_of(Count days) {
  days += 719468;
  Count era = floor_divided(days, 146097), of_era = days - era * 146097;
  Count of_year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  Count day = of_era - (365 * of_year + of_year / 4 - of_year / 100);
  Count turned = (5 * day + 2) / 153, month = (turned + 2) % 12 + 1;
  return {of_year + era * 400 + (month <= 2), month, day - (153 * turned + 2) / 5 + 1};
}

LongDate first_of(Count months) {
  Count years = floor_divided(months, 12);
  return {1970 + years, months - years * 12 + 1, 1};
}

// Of days near 1970: years begin in March and are counted in fractions of 2^32, months in fractions
// of 2^16.
static Count months_of_near_days(Count days) {
  constexpr std::uint32_t kCenturies = 4 * 2000;  // so many before, no day is negative
  constexpr std::uint32_t kDays = 2000 * 146097 + 719468;
  auto quarters = static_cast<std::uint32_t>(4 * (days + kDays) + 3);
  std::uint32_t century = quarters / 146097;
  std::uint64_t year = std::uint64_t{2939745} * (quarters % 146097 | 3);
  std::uint32_t day = static_cast<std::uint32_t>(year) / 2939745 / 4;
  std::uint32_t month = (2141 * day + 197913) >> 16;  // March is 3, February 14
  Count years = static_cast<Count>(year >> 32) +
                100 * (static_cast<Count>(century) - static_cast<Count>(kCenturies));
  return (years - 1970) * 12 + month - 1;
}

Count months_of(Count days) {
  if (days > -(Count{1} << 28) && days < Count{1} << 28) return months_of_near_days(days);
  LongDate date = date_of(days);
  return (date.year - 1970) * 12 + date.month - 1;
}

// --- Units ---

namespace {

constexpr std::string_view kUnits[] = {"Y",  "M",  "W",  "D",  "h",  "m", "s",
                                       "ms", "us", "ns", "ps", "fs", "as"};
// How many of a unit the one before it has; from days on.
constexpr Count kPerCoarser[] = {0, 12, 0, 7, 24, 60, 60, 1000, 1000, 1000, 1000, 1000, 1000};

int index_of(TimeUnit unit) { return static_cast<int>(unit); }

// Between units of a fixed length, or between years and months.
bool scaled(Count count, TimeUnit from, TimeUnit to, Count& made) {
  std::optional<Count> factor = units_within(std::min(from, to), std::max(from, to));
  if (!factor) return false;
  if (from < to) return !__builtin_mul_overflow(count, *factor, &made);
  made = floor_divided(count, *factor);
  return true;
}

bool is_near(Count count) { return count >= -kFarthestDate && count <= kFarthestDate; }

}  // namespace

TimeUnit read_time_unit(std::string_view text) {
  const auto* found = std::ranges::find(kUnits, text);
  return found == std::end(kUnits) ? TimeUnit::kOther
                                   : static_cast<TimeUnit>(found - std::begin(kUnits));
}

std::optional<Count> units_within(TimeUnit coarse, TimeUnit fine) {
  Count factor = 1;
  for (int i = index_of(coarse); i < index_of(fine); ++i)
    if (__builtin_mul_overflow(factor, kPerCoarser[i + 1], &factor)) return std::nullopt;
  return factor;
}

bool convert_span(Count count, TimeUnit from, TimeUnit to, Count& made) {
  made = count;
  if (from == to || count == kNoTime) return true;
  if (from == TimeUnit::kOther || to == TimeUnit::kOther) return false;
  return counts_months(from) == counts_months(to) && scaled(count, from, to, made);
}

bool convert_moment(Count count, TimeUnit from, TimeUnit to, Count& made) {
  made = count;
  if (from == to || count == kNoTime) return true;
  if (from == TimeUnit::kOther || to == TimeUnit::kOther) return false;
  if (counts_months(from) == counts_months(to)) return scaled(count, from, to, made);
  if (counts_months(from)) {
    if (!is_near(count) || !scaled(count, from, TimeUnit::kM, count)) return false;
    return scaled(days_of(first_of(count)), TimeUnit::kD, to, made);
  }
  Count days;
  if (!scaled(count, from, TimeUnit::kD, days) || !is_near(days)) return false;
  return scaled(months_of(days), TimeUnit::kM, to, made);
}

// --- Texts ---

namespace {

// Reads "2024-03-01T12:30:15.250" from its beginning.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  // The count and how many parts of the date and the clock the text tells: 1 (years) to 6
  // (seconds), 7 and more with thousandths of them. False for other texts.
  bool read(Count& count, int& parts) {
    LongDate date{0, 1, 1};
    if (!digits(4, date.year)) return false;
    if (at_end()) return tell(date.year - 1970, 1, count, parts);
    if (!(next('-') && digits(2, date.month) && date.month >= 1 && date.month <= 12)) return false;
    if (at_end()) return tell((date.year - 1970) * 12 + date.month - 1, 2, count, parts);
    if (!(next('-') && digits(2, date.day) && date.day >= 1)) return false;
    Count days = days_of(date);
    LongDate again = date_of(days);
    if (again.month != date.month) return false;
    return at_end() ? tell(days, 3, count, parts) : read_clock(days, count, parts);
  }

 private:
  bool read_clock(Count days, Count& count, int& parts) {
    Count hour, minute, second;
    if (!((next('T') || next(' ')) && digits(2, hour) && hour < 24)) return false;
    count = days * 24 + hour;
    if (at_end()) return tell(count, 4, count, parts);
    if (!(next(':') && digits(2, minute) && minute < 60)) return false;
    count = count * 60 + minute;
    if (at_end()) return tell(count, 5, count, parts);
    if (!(next(':') && digits(2, second) && second < 60)) return false;
    count = count * 60 + second;
    if (at_end()) return tell(count, 6, count, parts);
    if (!next('.')) return false;
    return read_fraction(count, parts);
  }

  // Up to nanoseconds.
  bool read_fraction(Count& count, int& parts) {
    int known = 0;
    for (; !at_end(); ++known) {
      Count digit;
      if (known == 9 || !digits(1, digit)) return false;
      count = with_digit(count, digit);
    }
    if (known == 0) return false;
    for (; known % 3; ++known) count = with_digit(count, 0);
    return tell(count, 6 + known / 3, count, parts);
  }

  // Beyond 64 bits as numpy does: without what is above.
  static Count with_digit(Count count, Count digit) {
    return static_cast<Count>(static_cast<std::uint64_t>(count) * 10 +
                              static_cast<std::uint64_t>(digit));
  }
  static bool tell(Count value, int told, Count& count, int& parts) {
    count = value;
    parts = told;
    return true;
  }
  bool at_end() const { return text_.empty(); }
  bool next(char wanted) {
    if (text_.empty() || text_[0] != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool digits(std::size_t many, Count& number) {
    number = 0;
    if (text_.size() < many) return false;
    for (std::size_t i = 0; i < many; ++i) {
      if (text_[i] < '0' || text_[i] > '9') return false;
      number = number * 10 + (text_[i] - '0');
    }
    text_.remove_prefix(many);
    return true;
  }
  std::string_view text_;
};

// Appends a number of at least two digits, or four.
void append_padded(std::string& text, Count number, std::size_t width) {
  if (number < 0) text += '-';
  std::string digits = std::to_string(number < 0 ? -number : number);
  std::size_t shown = digits.size() + (number < 0);
  if (shown < width) text.append(width - shown, '0');
  text += digits;
}

}  // namespace

bool read_moment(std::string_view text, Count& count, int& parts) {
  return Reader(text).read(count, parts);
}

void append_moment(std::string& text, Count count, int parts) {
  if (count == kNoTime) {
    text += "NaT";
    return;
  }
  Count per_second = 1, thousands = parts > 6 ? parts - 6 : 0;
  for (Count i = 0; i < thousands; ++i) per_second *= 1000;
  Count per_day = parts <= 3 ? 1 : parts == 4 ? 24 : parts == 5 ? 1440 : 86400 * per_second;
  Count days = parts >= 3 ? floor_divided(count, per_day) : 0;
  LongDate date = parts >= 3   ? date_of(days)
                  : parts == 1 ? LongDate{1970 + count, 1, 1}
                               : first_of(count);
  append_padded(text, date.year, 4);
  for (int part = 2; part <= std::min(parts, 3); ++part) {
    text += '-';
    append_padded(text, part == 2 ? date.month : date.day, 2);
  }
  if (parts < 4) return;
  Count rest = count - days * per_day, fraction = rest % per_second;
  Count clock = rest / per_second;  // in the last unit that is shown
  Count seconds = parts == 4 ? clock * 3600 : parts == 5 ? clock * 60 : clock;
  text += 'T';
  append_padded(text, seconds / 3600, 2);
  if (parts >= 5) append_padded(text += ':', seconds / 60 % 60, 2);
  if (parts >= 6) append_padded(text += ':', seconds % 60, 2);
  if (thousands) append_padded(text += '.', fraction, static_cast<std::size_t>(3 * thousands));
}

TimeUnit unit_of_parts(int parts) {
  return parts < 3 ? static_cast<TimeUnit>(parts - 1) : static_cast<TimeUnit>(parts);
}

int parts_of_unit(TimeUnit unit) {
  int index = index_of(unit);
  if (unit == TimeUnit::kOther || unit == TimeUnit::kW || unit > TimeUnit::kns) return 0;
  return index < 2 ? index + 1 : index;
}

}  // namespace strider::lang
