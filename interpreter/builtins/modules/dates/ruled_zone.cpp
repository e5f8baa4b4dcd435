// Zones that change at known moments, and by a rule behind them. Knows no files.
#include "interpreter/builtins/modules/dates/ruled_zone.h"

#include <algorithm>
#include <vector>

#include "interpreter/builtins/modules/dates/datetime.h"
#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::int64_t kDaySeconds = 86400;

// What a zone is like for a while.
struct Kind {
  std::int64_t seconds;  // added to UTC
  Value offset, saving, name;
};

// A day of every year and a time on its clock.
struct YearDay {
  enum Form { kWeekdayOfMonth, kDayWithoutLeapDays, kDayOfYear };
  Form form = kDayOfYear;
  int month = 0, week = 0, weekday = 0;  // Sunday 0; the fifth week is the last
  int number = 0;
  std::int64_t clock = 0;  // seconds

  // Seconds since 1970 on the clock of that year.
  std::int64_t at(int year) const {
    return (form == kWeekdayOfMonth ? weekday_ordinal(year) : numbered_ordinal(year)) *
               kDaySeconds +
           clock;
  }

 private:
  std::int64_t weekday_ordinal(int year) const {
    CalendarDay first{year, month, 1};
    int skip = (weekday - (weekday_of(first) + 1) % 7 + 7) % 7;
    int day = 1 + skip + 7 * (week - 1);
    while (day > days_in_month(year, month)) day -= 7;
    return ordinal_of(first) + day - 1 - kEpochOrdinal;
  }
  // Both ways of counting begin at the same day, and the 59th is beyond leap days: CPython's.
  std::int64_t numbered_ordinal(int year) const {
    bool leaps = form == kDayWithoutLeapDays && number >= 59 && is_leap_year(year);
    return ordinal_of({year, 1, 1}) - kEpochOrdinal + number - 1 + leaps;
  }
};

class RuledZone : public Zone {
 public:
  explicit RuledZone(Type* type = &ruled_zone_type()) : Zone(type) {}

  void know(const Parameters& p);
  // What it is like when the clock on the wall shows seconds since 1970.
  const Kind* at_wall(std::int64_t wall, bool fold) const;
  // The same at a moment, and whether its clock shows that time for the second time.
  const Kind* at_utc(std::int64_t seconds, bool& fold) const;
  const Kind* always() const { return pick(always_); }

 private:
  const Kind* pick(std::int64_t place) const {
    return place < 0 ? nullptr : &kinds_[static_cast<std::size_t>(place)];
  }
  const Kind* behind(std::size_t changes) const {
    return pick(changes > 0 ? places_[changes - 1] : first_);
  }
  int year_of(std::int64_t seconds) const {
    std::int64_t day = seconds / kDaySeconds - (seconds % kDaySeconds < 0);
    return day_of_ordinal(day + kEpochOrdinal).year;
  }
  const Kind* by_rule_at_wall(std::int64_t wall, bool fold) const;
  const Kind* by_rule_at_utc(std::int64_t seconds, bool& fold) const;

  std::vector<Kind> kinds_;
  std::vector<std::int64_t> times_, places_;
  std::vector<std::int64_t> walls_[2];  // the first and the second reading of a change's clock
  std::int64_t first_ = -1, always_ = -1, standard_ = -1, summer_ = -1;
  YearDay start_, end_;
};

YearDay to_day(const Value& value) {
  YearDay day;
  if (value.is_none()) return day;
  std::span<const Value> parts = value.as<Tuple>()->items();
  auto number = [&](std::size_t place) { return static_cast<int>(to_int64(parts[place])); };
  day.form = static_cast<YearDay::Form>(number(0));
  day.clock = to_int64(parts[1]);
  if (day.form == YearDay::kWeekdayOfMonth) {
    day.month = number(2);
    day.week = number(3);
    day.weekday = number(4);
  } else {
    day.number = number(2);
  }
  return day;
}

std::vector<std::int64_t> to_numbers(const Value& list) {
  std::vector<std::int64_t> numbers;
  Iteration items(list);
  Value item;
  while (items.next(item)) numbers.push_back(to_int64(item));
  return numbers;
}

// _know(kinds, times, places, first, always, standard, summer, start, end)
void RuledZone::know(const Parameters& p) {
  Iteration kinds(p[1]);
  Value kind;
  while (kinds.next(kind)) {
    std::span<const Value> parts = kind.as<Tuple>()->items();
    kinds_.push_back({to_int64(parts[0]), make_delta(Micros{to_int64(parts[0])} * kSecondMicros),
                      make_delta(Micros{to_int64(parts[1])} * kSecondMicros), parts[2]});
  }
  times_ = to_numbers(p[2]);
  places_ = to_numbers(p[3]);
  std::int64_t* places[] = {&first_, &always_, &standard_, &summer_};
  for (std::size_t i = 0; i < std::size(places); ++i) *places[i] = to_int64(p[4 + i]);
  start_ = to_day(p[8]);
  end_ = to_day(p[9]);
  for (std::size_t i = 0; i < times_.size(); ++i) {
    auto [low, high] = std::minmax(behind(i)->seconds, behind(i + 1)->seconds);
    walls_[0].push_back(times_[i] + high);
    walls_[1].push_back(times_[i] + low);
  }
}

std::size_t changes_until(const std::vector<std::int64_t>& times, std::int64_t moment) {
  auto place = std::upper_bound(times.begin(), times.end(), moment);
  return static_cast<std::size_t>(place - times.begin());
}

const Kind* RuledZone::at_wall(std::int64_t wall, bool fold) const {
  std::size_t changes = changes_until(walls_[fold], wall);
  if (changes == times_.size() && standard_ >= 0) return by_rule_at_wall(wall, fold);
  return behind(changes);
}

const Kind* RuledZone::at_utc(std::int64_t seconds, bool& fold) const {
  fold = false;
  std::size_t changes = changes_until(times_, seconds);
  if (changes == times_.size() && standard_ >= 0 && (summer_ >= 0 || changes == 0))
    return by_rule_at_utc(seconds, fold);
  if (changes == 0) return behind(0);
  std::int64_t back = behind(changes - 1)->seconds - behind(changes)->seconds;
  fold = seconds < times_[changes - 1] + back;
  return behind(changes);
}

bool is_inside(std::int64_t moment, std::int64_t begin, std::int64_t end) {
  return begin < end ? begin <= moment && moment < end : !(end <= moment && moment < begin);
}

// Times that the clock leaves out belong to what was before, unless fold is set; those that it
// shows twice are the first ones, unless fold is set.
const Kind* RuledZone::by_rule_at_wall(std::int64_t wall, bool fold) const {
  const Kind* standard = pick(standard_);
  if (summer_ < 0) return standard;
  int year = year_of(wall);
  std::int64_t added = pick(summer_)->seconds - standard->seconds;
  std::int64_t begin = start_.at(year), end = end_.at(year);
  if ((added > 0) != fold) begin += added;
  if ((added > 0) == fold) end -= added;
  return is_inside(wall, begin, end) ? pick(summer_) : standard;
}

const Kind* RuledZone::by_rule_at_utc(std::int64_t seconds, bool& fold) const {
  const Kind* standard = pick(standard_);
  if (summer_ < 0) return standard;
  const Kind* summer = pick(summer_);
  int year = year_of(seconds);
  std::int64_t begin = start_.at(year) - standard->seconds, end = end_.at(year) - summer->seconds;
  std::int64_t added = summer->seconds - standard->seconds;
  std::int64_t change = added > 0 ? end : begin, back = added > 0 ? added : -added;
  fold = change <= seconds && seconds < change + back;
  return is_inside(seconds, begin, end) ? summer : standard;
}

const RuledZone& of(const Parameters& p) { return *p[0].as<RuledZone>(); }

// Whole seconds since 1970 on the clock of a moment.
std::int64_t seconds_of(const DateTime& moment) {
  std::int64_t micros = moment.moment() - (kEpochOrdinal - 1) * kDayMicros;
  return micros / kSecondMicros - (micros % kSecondMicros < 0);
}

template <Value Kind::*kFact>
Value tell(const Parameters& p) {
  const Kind* kind;
  if (p[1].is_none()) {
    kind = of(p).always();
  } else {
    if (!is_datetime(p[1]))
      raise(errors::TypeError, "a datetime instance or None is needed, not {}", type_name(p[1]));
    const DateTime& moment = moment_in(p[1]);
    kind = of(p).at_wall(seconds_of(moment), moment.fold);
  }
  return kind ? kind->*kFact : Value::none();
}

Value from_utc(const Parameters& p) {
  if (!is_datetime(p[1])) raise(errors::TypeError, "fromutc: argument must be a datetime");
  const DateTime& moment = moment_in(p[1]);
  if (!identical(moment.zone, p[0])) raise(errors::ValueError, "fromutc: dt.tzinfo is not self");
  bool fold;
  const Kind* kind = of(p).at_utc(seconds_of(moment), fold);
  if (!kind) raise(errors::ValueError, "the zone knows nothing");
  Value local = make_moment(moment.moment() + kind->seconds * kSecondMicros, p[0], type_of(p[1]));
  return fold ? with_zone(local, p[0], true) : local;
}

const NativeRow kMethods[] = {
    {"_know(self, kinds, times, places, first, always, standard, summer, start, end, /)",
     [](const Parameters& p) {
       p[0].as<RuledZone>()->know(p);
       return Value::none();
     },
     "Says what the zone is like: kinds of (seconds, seconds of summer time, name), the moments of "
     "changes and the kinds behind them, numbers of kinds, days of the rule."},
    {"utcoffset(self, dt, /)", tell<&Kind::offset>, "What is added to UTC."},
    {"dst(self, dt, /)", tell<&Kind::saving>, "How much of the offset is because of summer time."},
    {"tzname(self, dt, /)", tell<&Kind::name>, "The abbreviation."},
    {"fromutc(self, dt, /)", from_utc, "The time here at a time in UTC."},
};

}  // namespace

Type& ruled_zone_type() {
  static Type& type = *[] {
    Type& made = make_module_type("RuledZone", "_datetime", Zone::type_object());
    made.set(Type::kSubclassable);
    made.slots.construct = [](Type* cls, const Arguments&) -> Value {
      return make_instance<RuledZone>(cls);
    };
    made.add(kMethods);
    return &made;
  }();
  return type;
}

}  // namespace strider::lang
