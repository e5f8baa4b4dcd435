// Loops over days that are worked on. A week is seven truths, Monday first; days worked on are
// numbered from the first one on that is not before the Monday before 1970.
#include "interpreter/builtins/numpy/dates/business_days.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/elements/boxed_classes.h"
#include "interpreter/builtins/numpy/elements/element_lists.h"
#include "interpreter/runtime/error/error.h"

namespace strider::lang {
namespace {

using nd::DType;

constexpr Count kMonday = 3;  // the day of 1970 minus so many is one

// A day as its week, counted from that of 1970, and its place in it, Monday first.
struct DayOfWeek {
  explicit DayOfWeek(Count day) {
    // Counted from a Monday before all days, so that one division of positive numbers will do.
    constexpr std::uint64_t kWeeks = (std::uint64_t{1} << 63) / 7, kFirst = kWeeks * 7;
    std::uint64_t days = static_cast<std::uint64_t>(day + kMonday) + kFirst, weeks = days / 7;
    week = static_cast<Count>(weeks - kWeeks);
    place = static_cast<int>(days - weeks * 7);
  }
  Count week;
  int place;
};

// --- Calendars ---

class WorkCalendar {
 public:
  WorkCalendar(const std::array<bool, 7>& week, std::vector<Count> holidays) : week_(week) {
    for (int day = 0; day < 7; ++day) {
      before_[day] = count_;
      if (week[day]) places_[count_++] = day;
    }
    std::ranges::sort(holidays);
    for (Count day : holidays)
      if (day != kNoTime && in_week(day) && (free_.empty() || free_.back() != day))
        free_.push_back(day);
    // The number of the day worked on that comes after a free one and those before it.
    for (std::size_t i = 0; i < free_.size(); ++i)
      skipped_.push_back(number_in_weeks(free_[i]) - static_cast<Count>(i));
  }
  bool has_days() const { return count_ > 0; }

  bool works(Count day) const {
    return day != kNoTime && in_week(day) &&
           (free_.empty() || !std::ranges::binary_search(free_, day));
  }
  bool has_holidays() const { return !free_.empty(); }
  Count days_a_week() const { return count_; }
  bool works(DayOfWeek day) const { return week_[day.place]; }
  // The day some weeks and `rest` days worked on, fewer than a week has, after one worked on.
  Count moved(DayOfWeek day, Count weeks, Count rest) const {
    Count place = before_[day.place] + rest;
    bool over = place >= count_;
    return (day.week + weeks + over) * 7 + places_[place - (over ? count_ : 0)] - kMonday;
  }
  // How many days worked on come before a day.
  Count number(Count day) const {
    Count found = number_in_weeks(day);
    return free_.empty() ? found : found - (std::ranges::lower_bound(free_, day) - free_.begin());
  }
  // The day worked on of a number.
  Count day_of(Count number) const {
    if (!free_.empty())
      number += std::ranges::upper_bound(skipped_, number) - skipped_.begin();
    Count week = floor_divided(number, count_);
    return week * 7 + places_[number - week * count_] - kMonday;
  }

 private:
  bool in_week(Count day) const { return week_[DayOfWeek(day).place]; }
  Count number_in_weeks(Count day) const {
    DayOfWeek parts(day);
    return parts.week * count_ + before_[parts.place];
  }

  std::array<bool, 7> week_;
  std::array<Count, 7> before_{}, places_{};
  Count count_ = 0;
  std::vector<Count> free_, skipped_;
};

// "1111100"
bool read_week_text(std::string_view text, std::array<bool, 7>& week) {
  if (text.size() != week.size()) return false;
  for (std::size_t day = 0; day < week.size(); ++day) {
    if (text[day] != '0' && text[day] != '1') return false;
    week[day] = text[day] == '1';
  }
  return true;
}

bool read_week(const Value& value, std::array<bool, 7>& week) {
  week = {true, true, true, true, true, false, false};
  if (value.is_none()) return true;
  if (is_exact_text(value)) return read_week_text(text_of(value), week);
  if (is_array(value)) {
    const nd::Array& array = array_of(value);
    if (array.dtype() != DType::kBool || array.rank() != 1 || array.size() != 7) return false;
    nd::Array truths = array.contiguous(DType::kBool);
    std::copy_n(truths.as<bool>(), week.size(), week.begin());
    return true;
  }
  if (!is_list(value) || value.as<List>()->size() != week.size()) return false;
  for (std::size_t day = 0; day < week.size(); ++day) {
    const Value& item = value.as<List>()->items[day];
    if (!item.is_bool() && !item.is_int()) return false;
    week[day] = item.is_bool() ? item.as_bool() : item.as_int() != 0;
  }
  return true;
}

// The count of a text or a moment that tells a day, or more coarsely than that.
std::optional<Count> read_day(const Value& value) {
  Count count = 0;
  int parts = 0;
  TimeUnit unit = TimeUnit::kOther;
  if (is_exact_text(value)) {
    if (!read_moment(text_of(value), count, parts)) return {};
    unit = unit_of_parts(parts);
  } else if (value.is_object() && type_of(value) == boxed().moment) {
    const Value *given = boxed_attribute(value, boxed().scalar_count),
                *own = boxed_attribute(value, boxed().scalar_unit);
    if (!given || !given->is_int() || !own || !is_str(*own)) return {};
    count = given->as_int();
    unit = read_time_unit(text_of(*own));
  }
  bool fits = unit != TimeUnit::kOther && unit <= TimeUnit::kD;
  return fits && convert_moment(count, unit, TimeUnit::kD, count) ? std::optional(count)
                                                                  : std::nullopt;
}

// The counts of an array of days of numpy's own class; null for others.
nd::Array read_days(const Value& value) {
  if (std::optional<Count> day = read_day(value)) return nd::Array::scalar(nd::Scalar(*day));
  if (!is_time_array(value)) return {};
  const Value *counts = boxed_attribute(value, boxed().places),
              *dtype = boxed_attribute(value, boxed().dtype);
  bool days = counts && is_array(*counts) && dtype && type_of(*dtype) == boxed().moment_dtype &&
              is_text(*boxed_attribute(*dtype, boxed().unit), "D");
  return days ? array_of(*counts) : nd::Array();
}

std::optional<WorkCalendar> read_calendar(const Value& week_value, const Value& holidays) {
  std::array<bool, 7> week;
  std::vector<Count> free;
  if (!read_week(week_value, week)) return {};
  if (is_list(holidays)) {
    for (const Value& item : holidays.as<List>()->items) {
      std::optional<Count> day = read_day(item);
      if (!day) return {};
      free.push_back(*day);
    }
  } else if (!holidays.is_none()) {
    nd::Array days = read_days(holidays);
    if (!days || days.rank() != 1) return {};
    days = days.contiguous(DType::kInt64);
    free.assign(days.as<Count>(), days.as<Count>() + days.size());
  }
  WorkCalendar calendar(week, std::move(free));
  return calendar.has_days() ? std::optional(std::move(calendar)) : std::nullopt;
}

// --- Results ---

// An operand with an element for each point, or one for all.
struct Spread {
  Spread(const nd::Array& array, const nd::Dims& shape)
      : counts((array.size() == 1 ? array : array.broadcast_to(shape)).contiguous(DType::kInt64)),
        values(counts.as<Count>()),
        step(array.size() == 1 ? 0 : 1) {}
  Count at(Count i) const { return values[i * step]; }
  nd::Array counts;
  const Count* values;
  Count step;
};

template <class Result, class Function>
nd::Array for_each_day(const nd::Array& days, DType dtype, const Function& function) {
  Spread given(days, days.shape());
  nd::Array made = nd::Array::empty(days.shape(), dtype);
  auto* results = made.mutable_as<Result>();
  for (Count i = 0, size = made.size(); i < size; ++i) results[i] = function(given.at(i));
  return made;
}

template <class Function>
nd::Array for_each_pair(const nd::Array& first, const nd::Array& second, Function function) {
  nd::Dims shapes[] = {first.shape(), second.shape()}, shape = nd::broadcast_shapes(shapes);
  Spread x(first, shape), y(second, shape);
  nd::Array made = nd::Array::empty(shape, DType::kInt64);
  auto* results = made.mutable_as<Count>();
  for (Count i = 0, size = made.size(); i < size; ++i) results[i] = function(x.at(i), y.at(i));
  return made;
}

Value shown(nd::Array made) {
  return made.rank() ? wrap(std::move(made)) : make_scalar(made.item_at({}));
}

Value shown_days(nd::Array made) {
  static const Name unit = intern("D");
  if (made.rank()) return make_time_array(std::move(made), time_dtype(true, Value(unit)));
  return make_time(boxed().moment, *made.as<Count>(), Value(unit));
}

// --- Rolls ---

enum class Roll { kRaise, kNoTime, kForward, kBackward, kForwardInMonth, kBackwardInMonth };

std::optional<Roll> read_roll(const Value& value) {
  if (!is_exact_text(value)) return {};
  constexpr std::pair<std::string_view, Roll> kRolls[] = {
      {"raise", Roll::kRaise},
      {"nat", Roll::kNoTime},
      {"forward", Roll::kForward},
      {"following", Roll::kForward},
      {"backward", Roll::kBackward},
      {"preceding", Roll::kBackward},
      {"modifiedfollowing", Roll::kForwardInMonth},
      {"modifiedpreceding", Roll::kBackwardInMonth}};
  for (const auto& [name, roll] : kRolls)
    if (text_of(value) == name) return roll;
  return {};
}

// The day worked on that a day counts as.
Count rolled(const WorkCalendar& calendar, Count day, Roll roll) {
  if (calendar.works(day)) return day;
  if (roll == Roll::kRaise)
    raise(errors::ValueError, "{}", day == kNoTime ? "NaT input in busday_offset"
                                                   : "Non-business day date in busday_offset");
  if (roll == Roll::kNoTime || day == kNoTime) return kNoTime;
  bool forward = roll == Roll::kForward || roll == Roll::kForwardInMonth;
  Count number = calendar.number(day);  // that of the next day worked on
  Count found = calendar.day_of(forward ? number : number - 1);
  bool in_month = roll == Roll::kForwardInMonth || roll == Roll::kBackwardInMonth;
  if (in_month && months_of(found) != months_of(day))
    found = calendar.day_of(forward ? number - 1 : number);
  return found;
}

// Moves days by numbers of days worked on. Steps that follow alike are divided into weeks once.
class Mover {
 public:
  Mover(const WorkCalendar& calendar, Roll roll) : calendar_(calendar), roll_(roll) {}
  Count operator()(Count day, Count step) {
    DayOfWeek parts(day);
    if (calendar_.has_holidays() || day == kNoTime || !calendar_.works(parts)) {
      Count start = rolled(calendar_, day, roll_);
      return start == kNoTime ? kNoTime : calendar_.day_of(calendar_.number(start) + step);
    }
    if (step != step_) {
      step_ = step;
      weeks_ = floor_divided(step, calendar_.days_a_week());
      rest_ = step - weeks_ * calendar_.days_a_week();
    }
    return calendar_.moved(parts, weeks_, rest_);
  }

 private:
  const WorkCalendar& calendar_;
  Roll roll_;
  Count step_ = 0, weeks_ = 0, rest_ = 0;
};

nd::Array read_steps(const Value& value) {
  if (value.is_int()) return nd::Array::scalar(nd::Scalar(value.as_int()));
  bool whole = is_array(value) && !is_subclass_array(value) &&
               nd::can_cast(array_of(value).dtype(), DType::kInt64, nd::Casting::kSafe) &&
               array_of(value).dtype() != DType::kBool;
  return whole ? array_of(value) : nd::Array();
}

}  // namespace

Value days_worked(const Parameters& p) {
  nd::Array days = read_days(p[0]);
  std::optional<WorkCalendar> calendar = read_calendar(p[1], p[2]);
  if (!days || !calendar) return Value::none();
  return shown(for_each_day<bool>(days, DType::kBool,
                                  [&](Count day) { return calendar->works(day); }));
}

Value count_days(const Parameters& p) {
  nd::Array first = read_days(p[0]), last = read_days(p[1]);
  std::optional<WorkCalendar> calendar = read_calendar(p[2], p[3]);
  if (!first || !last || !calendar) return Value::none();
  return shown(for_each_pair(first, last, [&](Count begin, Count end) {
    if (begin == kNoTime || end == kNoTime)
      raise(errors::ValueError,
            "Cannot compute a business day count with a NaT (not-a-time) date");
    bool backward = begin > end;  // then the last day counts, and the first does not
    return calendar->number(end + backward) - calendar->number(begin + backward);
  }));
}

Value move_days(const Parameters& p) {
  nd::Array days = read_days(p[0]), steps = read_steps(p[1]);
  std::optional<Roll> roll = read_roll(p[2]);
  std::optional<WorkCalendar> calendar = read_calendar(p[3], p[4]);
  if (!days || !steps || !roll || !calendar) return Value::none();
  return shown_days(for_each_pair(days, steps, Mover(*calendar, *roll)));
}

}  // namespace strider::lang
