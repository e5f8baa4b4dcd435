// _element_times: moments and lengths of time as counts, of which the least is no time (NaT):
// arithmetic, comparison, other units, texts. Knows nothing of dtypes.
#include <algorithm>
#include <cstdint>
#include <string>

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/dates/business_days.h"
#include "interpreter/builtins/numpy/dates/calendar.h"
#include "interpreter/builtins/numpy/dates/time_operators.h"
#include "interpreter/builtins/numpy/elements/element_answers.h"
#include "interpreter/builtins/numpy/elements/element_lists.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/objects/singletons.h"

namespace strider::lang {
namespace {

using nd::DType;

// A count for every point of the result, or one for all.
class Operand {
 public:
  Operand(const nd::Array& array, const nd::Dims& shape)
      : array_((array.size() == 1 ? array : array.broadcast_to(shape)).contiguous(DType::kInt64)),
        counts_(array_.as<Count>()),
        single_(array.size() == 1) {}
  const Count* counts() const { return counts_; }
  bool single() const { return single_; }

 private:
  nd::Array array_;
  const Count* counts_;
  bool single_;
};

template <class Result, class Function>
Value for_pairs(const nd::Array& a, const nd::Array& b, DType dtype, Function function) {
  nd::Dims shapes[] = {a.shape(), b.shape()};
  nd::Dims shape = a.shape() == b.shape() ? a.shape() : nd::broadcast_shapes(shapes);
  Operand first(a, shape), second(b, shape);
  nd::Array made = nd::Array::empty(shape, dtype);
  Result* results = made.mutable_as<Result>();
  const Count *x = first.counts(), *y = second.counts();
  Count size = made.size();
  if (first.single())
    for (Count i = 0; i < size; ++i) results[i] = function(x[0], y[second.single() ? 0 : i]);
  else if (second.single())
    for (Count i = 0, other = y[0]; i < size; ++i) results[i] = function(x[i], other);
  else
    for (Count i = 0; i < size; ++i) results[i] = function(x[i], y[i]);
  return wrap(std::move(made));
}

Count wrapping_sum(Count a, Count b) {
  return static_cast<Count>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
Count wrapping_difference(Count a, Count b) {
  return static_cast<Count>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
// Both are asked of every pair, so that loops become vectors.
bool both(bool a, bool b) { return static_cast<int>(a) & static_cast<int>(b); }
bool neither_missing(Count a, Count b) { return both(a != kNoTime, b != kNoTime); }

template <class Function>
Value counted(const Parameters& p, Function function) {
  return for_pairs<Count>(to_array(p[1]), to_array(p[2]), DType::kInt64, [=](Count a, Count b) {
    return neither_missing(a, b) ? function(a, b) : kNoTime;
  });
}

template <class Function>
Value compared(const Parameters& p, Function function) {
  return for_pairs<bool>(to_array(p[1]), to_array(p[2]), DType::kBool, [=](Count a, Count b) {
    return both(neither_missing(a, b), function(a, b));
  });
}

// The other one of two where one is missing.
template <class Function>
Value chosen(const Parameters& p, Function function) {
  return for_pairs<Count>(to_array(p[1]), to_array(p[2]), DType::kInt64, [=](Count a, Count b) {
    return a == kNoTime ? b : b == kNoTime ? a : function(a, b);
  });
}

Value combine(const Parameters& p) {
  auto least = [](Count a, Count b) { return std::min(a, b); };
  auto greatest = [](Count a, Count b) { return std::max(a, b); };
  std::string_view name = text_of(p[0]);
  if (name == "add") return counted(p, wrapping_sum);
  if (name == "subtract") return counted(p, wrapping_difference);
  if (name == "minimum") return counted(p, least);
  if (name == "maximum") return counted(p, greatest);
  if (name == "fmin") return chosen(p, least);
  if (name == "fmax") return chosen(p, greatest);
  if (name == "equal") return compared(p, [](Count a, Count b) { return a == b; });
  if (name == "less") return compared(p, [](Count a, Count b) { return a < b; });
  if (name == "less_equal") return compared(p, [](Count a, Count b) { return a <= b; });
  if (name == "greater") return compared(p, [](Count a, Count b) { return a > b; });
  if (name == "greater_equal") return compared(p, [](Count a, Count b) { return a >= b; });
  if (name == "not_equal")
    return for_pairs<bool>(to_array(p[1]), to_array(p[2]), DType::kBool,
                           [](Count a, Count b) { return (a != b) | !neither_missing(a, b); });
  raise(errors::ValueError, "times are not combined by {}", name);
}

template <class Function>
Value changed(const Value& counts, Function function) {
  nd::Array given = to_array(counts).contiguous(DType::kInt64);
  nd::Array made = nd::Array::empty(given.shape(), DType::kInt64);
  const Count* from = given.as<Count>();
  Count* to = made.mutable_as<Count>();
  for (Count i = 0, size = given.size(); i < size; ++i)
    to[i] = from[i] == kNoTime ? kNoTime : function(from[i]);
  return wrap(std::move(made));
}

Value scale(const Parameters& p) {
  Count factor = to_int64(p[1]), divisor = to_int64(p[2]);
  if (divisor == 1)
    return changed(p[0], [=](Count count) {
      return static_cast<Count>(static_cast<std::uint64_t>(count) *
                                static_cast<std::uint64_t>(factor));
    });
  return changed(p[0], [=](Count count) { return floor_divided(count * factor, divisor); });
}

Value months_of_days(const Parameters& p) { return changed(p[0], months_of); }

Value days_of_months(const Parameters& p) {
  return changed(p[0], [](Count months) { return days_of(first_of(months)); });
}

// --- Texts ---

// read(items): counts of texts that all tell as many parts, and that number.
Value read(const Parameters& p) {
  std::span<const Value> items = items_of(p[0]);
  nd::Array made =
      nd::Array::empty(nd::Dims{static_cast<std::int64_t>(items.size())}, DType::kInt64);
  Count* counts = made.mutable_as<Count>();
  int common = 0;
  for (const Value& item : items) {
    int parts = 0;
    if (!is_str(item)) return Value::none();
    if (text_of(item) == "NaT") {
      *counts++ = kNoTime;
      continue;
    }
    if (!read_moment(text_of(item), *counts++, parts)) return Value::none();
    if (common && parts != common) return Value::none();
    common = parts;
  }
  if (!common) return Value::none();
  return Value(make_tuple({wrap(std::move(made)), Value::integer(common)}));
}

// texts(counts, parts): "2024-03-01T12:30"; as many parts as Reader tells.
Value texts(const Parameters& p) {
  nd::Array given = to_array(p[0]).contiguous(DType::kInt64);
  int parts = static_cast<int>(to_int64(p[1]));
  Values made;
  made.reserve(static_cast<std::size_t>(given.size()));
  std::string text;
  for (Count i = 0; i < given.size(); ++i) {
    text.clear();
    append_moment(text, given.as<Count>()[i], parts);
    made.push_back(Value(make_str(std::string_view(text))));
  }
  return Value(make_list(std::move(made)));
}

const NativeRow kFunctions[] = {
    {"combine(name, first, second, /)", combine,
     "What a ufunc gives for counts of int64 of one unit, of which the least is no time."},
    {"scale(counts, factor, divisor, /)", scale, "counts * factor // divisor."},
    {"months_of_days(counts, /)", months_of_days, "Days since 1970 as months since then."},
    {"days_of_months(counts, /)", days_of_months, "The first days of months since 1970."},
    {"read(items, /)", read,
     "The counts of texts such as 2024-03-01T12:30, and how many parts each tells: 1 (years) to 6 "
     "(seconds), 7 to 9 with their fractions. None where they differ or one is written otherwise."},
    {"time_objects(counts, kind, unit, /)", time_objects,
     "Counts as dates, datetimes or timedeltas, in a list; None where one takes "
     "more care."},
    {"dtype_of_time(time, /)", dtype_of_time, "The dtype of arrays that hold a time."},
    {"quicken_times(moment, span, make_dtype, /)", quicken_times,
     "Has times of these classes made, shown, hashed and combined natively."},
    {"days_worked(dates, week, holidays, /)", days_worked,
     "Whether dates are worked on; None where the arguments take more care."},
    {"count_days(first, last, week, holidays, /)", count_days,
     "The days worked on from the first date up to the last; None as above."},
    {"move_days(dates, offsets, roll, week, holidays, /)", move_days,
     "Dates moved by numbers of days worked on; None as above."},
    {"isnat(x, /)", is_no_time,
     "Where times are NaT; NotImplemented of what is no time of numpy's own classes."},
    {"texts(counts, parts, /)", texts, "The texts of moments that tell so many parts."},
};

}  // namespace

const NativeModule kElementTimesModule = {
    "_element_times", "Loops over moments and lengths of time.", kFunctions, {}};

}  // namespace strider::lang
