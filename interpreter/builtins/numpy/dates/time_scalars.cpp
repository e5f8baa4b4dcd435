// Single moments and lengths of time: made, shown, hashed and turned into Python's own objects,
// where no rule of numpy's files in npx has to be asked.
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>

#include "interpreter/builtins/modules/dates/values.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/dates/time_operators.h"
#include "interpreter/builtins/numpy/elements/element_lists.h"
#include "interpreter/builtins/numpy/print_options.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/type/dunder.h"

namespace strider::lang {
namespace {

// A count and the text of its unit.
struct Told {
  Count count = 0;
  Value unit;
};

constexpr const char* kUnits[] = {"Y",  "M",  "W",  "D",  "h",  "m", "s",
                                  "ms", "us", "ns", "ps", "fs", "as"};
constexpr const char* kNames[] = {"years",        "months",      "weeks",       "days",
                                  "hours",        "minutes",     "seconds",     "milliseconds",
                                  "microseconds", "nanoseconds", "picoseconds", "femtoseconds",
                                  "attoseconds"};

int index_of(TimeUnit unit) { return static_cast<int>(unit); }
Value name_of(TimeUnit unit) {
  static auto& names = *[] {
    auto* made = new std::vector<Name>;
    for (const char* text : kUnits) made->push_back(intern(text));
    return made;
  }();
  return Value(names[static_cast<std::size_t>(unit)]);
}
Value generic_unit() {
  static const Name name = intern("generic");
  return Value(name);
}

bool tell(const Value& scalar, Told& told) {
  const Value* count = boxed_attribute(scalar, boxed().scalar_count);
  const Value* unit = boxed_attribute(scalar, boxed().scalar_unit);
  if (!count || !count->is_int() || !unit || !is_str(*unit)) return false;
  told = {count->as_int(), *unit};
  return true;
}

// --- Making ---

// The day that it is here.
Count today() {
  std::time_t now = std::time(nullptr);
  std::tm here{};
  ::localtime_r(&now, &here);
  return days_of({here.tm_year + 1900, here.tm_mon + 1, here.tm_mday});
}

// What a moment is made of, in its own unit; kOther: none, or what npx knows better.
TimeUnit read_source(const Value& value, Count& count) {
  int parts = 0;
  Told told;
  if (is_exact_text(value) && text_of(value) == "now") {
    count = std::time(nullptr);
    return TimeUnit::ks;
  }
  if (is_exact_text(value) && text_of(value) == "today") {
    count = today();
    return TimeUnit::kD;
  }
  if (is_exact_text(value))
    return read_moment(text_of(value), count, parts) ? unit_of_parts(parts) : TimeUnit::kOther;
  if (!value.is_object() || type_of(value) != boxed().moment || !tell(value, told))
    return TimeUnit::kOther;
  count = told.count;
  return read_time_unit(text_of(told.unit));
}

std::optional<Told> read_moment_arguments(const Arguments& arguments) {
  if (arguments.keyword_count > 0 || arguments.count < 1 || arguments.count > 2) return {};
  const Value* values = arguments.values;
  TimeUnit wanted = TimeUnit::kOther;
  if (arguments.count == 2) {
    if (!is_exact_text(values[1])) return {};
    wanted = read_time_unit(text_of(values[1]));
    if (wanted == TimeUnit::kOther) return {};
    if (values[0].is_int()) return Told{values[0].as_int(), name_of(wanted)};
  }
  if (is_exact_text(values[0]) && text_of(values[0]) == "NaT")
    return Told{kNoTime, wanted == TimeUnit::kOther ? generic_unit() : name_of(wanted)};
  Count count = 0;
  TimeUnit own = read_source(values[0], count);
  if (own == TimeUnit::kOther) return {};
  if (wanted == TimeUnit::kOther) return Told{count, name_of(own)};
  Told told{count, name_of(wanted)};
  if (!convert_moment(count, own, wanted, told.count)) return {};
  return told;
}

std::optional<Told> read_span_arguments(const Arguments& arguments) {
  if (arguments.keyword_count > 0 || arguments.count < 1 || arguments.count > 2) return {};
  const Value* values = arguments.values;
  if (!values[0].is_int()) return {};
  if (arguments.count == 1) return Told{values[0].as_int(), generic_unit()};
  TimeUnit unit = is_exact_text(values[1]) ? read_time_unit(text_of(values[1])) : TimeUnit::kOther;
  if (unit == TimeUnit::kOther) return {};
  return Told{values[0].as_int(), name_of(unit)};
}

Value construct_time(Type* cls, const Arguments& arguments) {
  if (cls == boxed().moment || cls == boxed().span) {
    auto told =
        cls == boxed().moment ? read_moment_arguments(arguments) : read_span_arguments(arguments);
    if (told) return make_time(cls, told->count, told->unit);
  }
  return Type::object_type().slots.construct(cls, arguments);
}

// What construct_time() made has its count; others get theirs from __init__.
void initialize_time(const Value& self, const Arguments& arguments) {
  if (is_time_scalar(self) && boxed_attribute(self, boxed().scalar_unit)) return;
  kUserSlots.initialize(self, arguments);
}

// --- Texts ---

// Appends the text of a moment; false where its unit is left to npx.
bool append_text(std::string& text, const Told& told) {
  constexpr Count kFar = Count{1} << 60;  // beyond, calendars leave 64 bits
  int parts = parts_of_unit(read_time_unit(text_of(told.unit)));
  bool near = told.count > -kFar && told.count < kFar;
  if (told.count == kNoTime)
    text += "NaT";
  else if (parts && near)
    append_moment(text, told.count, parts);
  else
    return false;
  return true;
}

Value moment_str(const Value& self) {
  Told told;
  std::string text;
  if (is_time_scalar(self) && tell(self, told) && append_text(text, told))
    return make_str(std::string_view(text));
  return kUserSlots.str(self);
}

// Whether reprs begin with "np", as they do not in older manners.
bool is_shown_shortly() { return print_options()->manner > nd::Manner::k1_25; }

Value moment_repr(const Value& self) {
  if (!is_shown_shortly()) return kUserSlots.repr(self);
  Told told;
  std::string text = "np.datetime64('";
  bool plain = is_time_scalar(self) && tell(self, told) && told.count != kNoTime &&
               text_of(told.unit) != "h" && append_text(text, told);
  return plain ? Value(make_str(std::string_view(text += "')"))) : kUserSlots.repr(self);
}

Value span_str(const Value& self) {
  Told told;
  if (!is_time_scalar(self) || !tell(self, told)) return kUserSlots.str(self);
  TimeUnit unit = read_time_unit(text_of(told.unit));
  if (told.count == kNoTime || unit == TimeUnit::kOther) return kUserSlots.str(self);
  return make_str(fmt::format("{} {}", told.count, kNames[index_of(unit)]));
}

Value span_repr(const Value& self) {
  Told told;
  if (!is_shown_shortly() || !is_time_scalar(self) || !tell(self, told))
    return kUserSlots.repr(self);
  TimeUnit unit = read_time_unit(text_of(told.unit));
  if (told.count == kNoTime || unit == TimeUnit::kOther) return kUserSlots.repr(self);
  return make_str(fmt::format("np.timedelta64({},'{}')", told.count, kUnits[index_of(unit)]));
}

// --- Hashes: those of Python's datetime and timedelta, which count microseconds ---

using Wide = __int128;
constexpr Count kDay = Count{86400} * 1'000'000;  // in microseconds
constexpr Wide kAttoseconds = Wide{1'000'000'000'000};

// Attoseconds in a unit of a fixed length.
Wide length_of(TimeUnit unit) {
  constexpr Count kSteps[] = {1000, 1000, 1000, 1000, 1000, 1000, 60, 60, 24, 7};
  Wide length = 1;
  for (int i = 0; i < index_of(TimeUnit::kas) - index_of(unit); ++i) length *= kSteps[i];
  return length;
}

// As that of the equal object of Python, where there is one.
std::int64_t hash_of(Wide attoseconds, bool moment) {
  constexpr Wide kModulus = (Wide{1} << 61) - 1;  // of hashes of integers
  Wide micros = attoseconds / kAttoseconds;
  if (attoseconds % kAttoseconds == 0 && micros == static_cast<std::int64_t>(micros))
    return moment ? hash_moment(static_cast<std::int64_t>(micros)) : hash_micros(micros);
  auto rest = static_cast<std::int64_t>((attoseconds < 0 ? -attoseconds : attoseconds) % kModulus);
  std::int64_t hash = attoseconds < 0 ? -rest : rest;
  return hash == -1 ? -2 : hash;
}

std::int64_t time_hash(const Value& self) {
  constexpr Count kDaysBefore1970 = 719162;  // from the first day of Python
  Told told;
  if (!is_time_scalar(self) || !tell(self, told) || told.count == kNoTime)
    return kUserSlots.hash(self);
  TimeUnit unit = read_time_unit(text_of(told.unit));
  bool moment = type_of(self) == boxed().moment;
  if (moment && counts_months(unit)) {
    if (!convert_moment(told.count, unit, TimeUnit::kD, told.count)) return kUserSlots.hash(self);
    unit = TimeUnit::kD;
  }
  Wide made;
  if (unit == TimeUnit::kOther || counts_months(unit) ||
      __builtin_mul_overflow(Wide{told.count}, length_of(unit), &made))
    return kUserSlots.hash(self);
  Wide before = moment ? Wide{kDaysBefore1970} * kDay * kAttoseconds : 0;
  if (__builtin_add_overflow(made, before, &made)) return kUserSlots.hash(self);
  return hash_of(made, moment);
}

// --- Python's own objects ---

// The date of a day since 1970; Empty outside the years that Python knows.
Value date_object(Count days) {
  if (days > kLastOrdinal) return {};
  Count ordinal = days + kEpochOrdinal;
  if (ordinal < 1 || ordinal > kLastOrdinal) return {};
  return make_date(day_of_ordinal(ordinal), &Date::type_object());
}

Value datetime_object(Count microseconds) {
  Count days = floor_divided(microseconds, kDay), ordinal = days + kEpochOrdinal;
  if (ordinal < 1 || ordinal > kLastOrdinal) return {};
  return make_datetime(day_of_ordinal(ordinal), clock_of_micros(microseconds - days * kDay),
                       Value::none(), false, &DateTime::type_object());
}

Value timedelta_object(Count microseconds) {
  constexpr Count kMostDays = 999'999'999;
  Count days = floor_divided(microseconds, kDay);
  return days < -kMostDays || days > kMostDays ? Value() : make_delta(microseconds);
}

}  // namespace

Value time_object(Count count, bool moment, TimeUnit unit) {
  if (count == kNoTime) return Value::none();
  if (unit > TimeUnit::kus || (!moment && counts_months(unit))) return Value::integer(count);
  if (unit == TimeUnit::kOther) return {};
  Count converted;
  if (!moment)
    return convert_span(count, unit, TimeUnit::kus, converted) ? timedelta_object(converted)
                                                               : Value();
  bool whole = unit <= TimeUnit::kD;
  if (!convert_moment(count, unit, whole ? TimeUnit::kD : TimeUnit::kus, converted)) return {};
  return whole ? date_object(converted) : datetime_object(converted);
}

// time_objects(counts, kind, unit)
Value time_objects(const Parameters& p) {
  bool moment = text_of(p[1]) == "M";
  TimeUnit unit = read_time_unit(text_of(p[2]));
  if (unit == TimeUnit::kOther) return Value::none();
  if (p[0].is_int()) {
    Value made = time_object(p[0].as_int(), moment, unit);
    return made.is_empty() ? Value::none() : Value(make_tuple({made}));
  }
  nd::Array counts = to_array(p[0]).contiguous(nd::DType::kInt64);
  Values made;
  made.reserve(static_cast<std::size_t>(counts.size()));
  for (Count i = 0; i < counts.size(); ++i) {
    Value object = time_object(counts.as<Count>()[i], moment, unit);
    if (object.is_empty()) return Value::none();
    made.push_back(std::move(object));
  }
  return Value(make_list(std::move(made)));
}

// dtype_of(time)
Value dtype_of_time(const Parameters& p) {
  Told told;
  if (!tell(p[0], told)) raise(errors::TypeError, "not a time");
  bool moment = type_of(p[0])->is_subclass_of(boxed().moment);
  return time_dtype(moment, told.unit);
}

Value quicken_times(const Parameters& p) {
  BoxedClasses& classes = boxed();
  classes.time_array = classes.moment_dtype = classes.span_dtype = nullptr;
  classes.time_dtypes = nullptr;
  classes.moment = p[0].as<Type>();
  classes.span = p[1].as<Type>();
  classes.time_dtype = p[2].object();
  for (Type* type : {classes.moment, classes.span}) {
    give_time_operators(*type);
    type->slots.construct = construct_time;
    type->slots.initialize = initialize_time;
    type->slots.hash = time_hash;
  }
  classes.moment->slots.str = moment_str;
  classes.moment->slots.repr = moment_repr;
  classes.span->slots.str = span_str;
  classes.span->slots.repr = span_repr;
  return Value::none();
}

}  // namespace strider::lang
