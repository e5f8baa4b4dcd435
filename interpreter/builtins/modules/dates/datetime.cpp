// datetime: the type of moments; how they are made of parts, compared, and moved by lengths.
#include "interpreter/builtins/modules/dates/datetime.h"

#include "interpreter/builtins/modules/dates/clock_members.h"
#include "interpreter/builtins/modules/dates/fields.h"
#include "interpreter/builtins/modules/dates/format.h"
#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::int64_t kMomentLimit = kLastOrdinal * kDayMicros;

const Name (&names_of_parts())[kMomentPlaces] {
  static const Name kNames[] = {intern("year"),        intern("month"),  intern("day"),
                                intern("hour"),        intern("minute"), intern("second"),
                                intern("microsecond"), intern("tzinfo"), intern("fold")};
  return kNames;
}

Value from_state(Type* cls, const std::string& state, const Value& zone) {
  if (!zone.is_none() && !is_instance(zone, Zone::type_object()))
    raise(errors::TypeError, "bad tzinfo state arg");
  return make_instance<DateTime>(cls, day_of_state(state.data()), clock_of_state(state.data() + 4),
                                 zone, (state[2] & 128) != 0);
}

// All parts are plain numbers, as most often.
bool read_plain(const Arguments& arguments, CalendarDay& day, Clock& clock) {
  if (arguments.keyword_count > 0 || arguments.count < 3 || arguments.count > 7) return false;
  int* parts[] = {&day.year,     &day.month,    &day.day,          &clock.hour,
                  &clock.minute, &clock.second, &clock.microsecond};
  for (std::size_t i = 0; i < arguments.count; ++i) {
    const Value& each = arguments.values[i];
    if (!each.is_int() || each.as_int() < 0 || each.as_int() > 999999) return false;
    *parts[i] = static_cast<int>(each.as_int());
  }
  return true;
}

Value datetime_construct(Type* cls, const Arguments& arguments) {
  CalendarDay day;
  Clock clock;
  if (read_plain(arguments, day, clock)) return checked_datetime(cls, day, clock, Value::none(), 0);
  std::string state;
  if ((arguments.count == 1 || arguments.count == 2) && arguments.keyword_count == 0 &&
      read_state(arguments.values[0], 10, "datetime", state))
    return from_state(cls, state, arguments.count == 2 ? arguments.values[1] : Value::none());
  Value places[kMomentPlaces];
  bind_fields({"function", names_of_parts(), kFoldPlace, 3}, arguments, places);
  day = {field_of(places[kYearPlace]), field_of(places[kMonthPlace]), field_of(places[kDayPlace])};
  clock = {field_of(places[kHourPlace], 0), field_of(places[kMinutePlace], 0),
           field_of(places[kSecondPlace], 0), field_of(places[kMicrosecondPlace], 0)};
  const Value& zone = places[kZonePlace].is_empty() ? Value::none() : places[kZonePlace];
  return checked_datetime(cls, day, clock, zone, field_of(places[kFoldPlace], 0));
}

Value datetime_repr(const Value& self) {
  const DateTime& moment = moment_in(self);
  return make_str(fmt::format("{}({}, {}, {}, {}, {}{}{}{})", type_name(self), moment.year(),
                              moment.month(), moment.day(), moment.hour(), moment.minute(),
                              repr_behind_minutes(moment), repr_of_fold(moment),
                              repr_of_zone(moment)));
}

// Whether the clock of its zone shows this time twice, or never: it equals none of another zone.
bool depends_on_fold(const Value& self, const Value& offset) {
  const DateTime& moment = moment_in(self);
  if (offset.is_none() || is_fixed_zone(moment.zone)) return false;
  Value other = with_zone(self, moment.zone, !moment.fold);
  return !equal(offset_of(moment.zone, other), offset);
}

int order_by_clocks(const DateTime& left, const DateTime& right) {
  int days = order_of(left.day_key, right.day_key);
  return days != 0 ? days : order_of(left.clock_key, right.clock_key);
}

Value compare_across_zones(CompareOperator op, const Value& self, const Value& other) {
  const DateTime &left = moment_in(self), &right = moment_in(other);
  Value mine = offset_of(left.zone, self), theirs = offset_of(right.zone, other);
  bool equality = op == CompareOperator::kEq || op == CompareOperator::kNotEq;
  if (mine.is_none() != theirs.is_none()) {
    if (equality) return order_result(op, 1);
    raise(errors::TypeError, "can't compare offset-naive and offset-aware datetimes");
  }
  int order =
      order_of(left.moment() - micros_of_offset(mine), right.moment() - micros_of_offset(theirs));
  if (equality && order == 0 && (depends_on_fold(self, mine) || depends_on_fold(other, theirs)))
    order = 1;
  return order_result(op, order);
}

Value datetime_compare(CompareOperator op, const Value& self, const Value& other) {
  if (!are_alike(self, other) && !is_datetime(other)) {
    if (!is_date(other)) return Value();
    if (op == CompareOperator::kEq || op == CompareOperator::kNotEq) return order_result(op, 1);
    raise(errors::TypeError, "can't compare {} to {}", type_name(self), type_name(other));
  }
  const DateTime &left = moment_in(self), &right = moment_in(other);
  if (!identical(left.zone, right.zone)) return compare_across_zones(op, self, other);
  return order_result(op, order_by_clocks(left, right));
}

std::int64_t hash_of_clocks(const CalendarDay& day, const Clock& clock) {
  return hash_bytes(state_of(day) + state_of(clock));
}

std::int64_t datetime_hash(const Value& self) {
  const DateTime& moment = moment_in(self);
  if (moment.hash == -1) {
    Value first = moment.fold ? with_zone(self, moment.zone, false) : self;
    Value offset = moment.zone.is_none() ? Value::none() : offset_of(moment.zone, first);
    // Of moments whose zones say how far they are from UTC, equal ones are equally long after the
    // beginning of year 1.
    moment.hash =
        offset.is_none()
            ? hash_of_clocks(moment.parts(), moment.clock())
            : hash_micros(Micros{moment.moment()} + kDayMicros - micros_of_offset(offset));
  }
  return moment.hash;
}

Value shifted(const Value& self, const Value& delta, int sign) {
  const DateTime& moment = moment_in(self);
  const TimeDelta& length = *delta.as<TimeDelta>();
  std::int64_t ordinal = ordinal_of(moment.parts()) + sign * length.days;
  std::int64_t micros = micros_of(moment.clock()) + sign * length.micros;
  if (micros < 0 || micros >= kDayMicros) {
    ordinal += micros < 0 ? -1 : 1;
    micros += micros < 0 ? kDayMicros : -kDayMicros;
  }
  if (ordinal < 1 || ordinal > kLastOrdinal)
    raise(errors::OverflowError, "date value out of range");
  return make_datetime(day_of_ordinal(ordinal), clock_of_micros(micros), moment.zone, false,
                       type_of(self));
}

Value difference(const Value& self, const Value& other) {
  const DateTime &left = moment_in(self), &right = moment_in(other);
  if (identical(left.zone, right.zone))
    return make_carried(ordinal_of(left.parts()) - ordinal_of(right.parts()),
                        micros_of(left.clock()) - micros_of(right.clock()));
  std::int64_t apart = left.moment() - right.moment();
  Value mine = offset_of(left.zone, self), theirs = offset_of(right.zone, other);
  if (mine.is_none() != theirs.is_none())
    raise(errors::TypeError, "can't subtract offset-naive and offset-aware datetimes");
  return make_delta(Micros{apart - micros_of_offset(mine) + micros_of_offset(theirs)});
}

Value datetime_binary(BinaryOperator op, const Value& self, const Value& other) {
  if (op == BinaryOperator::kAdd && is_delta(other)) return shifted(self, other, 1);
  if (op != BinaryOperator::kSub) return Value();
  if (is_delta(other)) return shifted(self, other, -1);
  return is_datetime(other) ? difference(self, other) : Value();
}

Value datetime_reflected(BinaryOperator op, const Value& self, const Value& other) {
  if (op == BinaryOperator::kAdd) return datetime_binary(op, self, other);
  return op == BinaryOperator::kSub && is_datetime(other) ? difference(other, self) : Value();
}

Value reduced(const Value& self, bool with_fold) {
  const DateTime& moment = moment_in(self);
  std::string state = state_of(moment.parts()) + state_of(moment.clock());
  if (with_fold && moment.fold) state[2] = static_cast<char>(state[2] | 128);
  Value bytes = make<Bytes>(std::move(state));
  Value arguments = moment.zone.is_none() ? make_tuple({bytes}) : make_tuple({bytes, moment.zone});
  return make_tuple({Value(type_of(self)), arguments});
}

const NativeRow kPickling[] = {
    {"__reduce_ex__(self, protocol, /)",
     [](const Parameters& p) { return reduced(p[0], to_int64(p[1]) > 3); },
     "What rebuilds it: the class, ten bytes, and the zone if there is one."},
    {"__reduce__(self, /)", [](const Parameters& p) { return reduced(p[0], false); },
     "The same without the fold."},
};

void set_slots(Slots& slots) {
  slots.construct = datetime_construct;
  slots.repr = datetime_repr;
  slots.str = moment_str;
  slots.hash = datetime_hash;
  slots.binary = datetime_binary;
  slots.reflected = datetime_reflected;
  slots.compare = datetime_compare;
}

}  // namespace

std::int64_t hash_moment(std::int64_t total) {
  std::int64_t ordinal = total / kDayMicros + 1;
  if (total < 0 || ordinal > kLastOrdinal) return hash_micros(total);
  return hash_of_clocks(day_of_ordinal(ordinal),
                        clock_of_micros(total - (ordinal - 1) * kDayMicros));
}

Value checked_datetime(Type* cls, const CalendarDay& day, const Clock& clock, const Value& zone,
                       int fold) {
  check_day(day);
  check_clock(clock, fold);
  if (!zone.is_none()) check_zone(zone);
  return make_instance<DateTime>(cls, day, clock, zone, fold != 0);
}

Value with_zone(const Value& moment, const Value& zone, bool fold) {
  const DateTime& own = moment_in(moment);
  return make<DateTime>(own.parts(), own.clock(), zone, fold);
}

Value make_datetime(const CalendarDay& day, const Clock& clock, const Value& zone, bool fold,
                    Type* cls) {
  if (cls == &DateTime::type_object()) return make<DateTime>(day, clock, zone, fold);
  Value parts[] = {Value::integer(day.year),          Value::integer(day.month),
                   Value::integer(day.day),           Value::integer(clock.hour),
                   Value::integer(clock.minute),      Value::integer(clock.second),
                   Value::integer(clock.microsecond), zone};
  Value made = call(Value(cls), Arguments(parts));
  if (fold && is_datetime(made)) made.as<DateTime>()->fold = true;
  return made;
}

Value make_moment(std::int64_t total, const Value& zone, Type* cls) {
  if (total < 0 || total >= kMomentLimit) raise(errors::OverflowError, "date value out of range");
  std::int64_t days = total / kDayMicros;
  return make_datetime(day_of_ordinal(days + 1), clock_of_micros(total - days * kDayMicros), zone,
                       false, cls);
}

Type& DateTime::type_object() {
  static Type& type = *[] {
    Type& made = make_module_type("datetime", "datetime", Date::type_object());
    made.doc =
        "A day and a time of the day: datetime(year, month, day, hour=0, minute=0, second=0, "
        "microsecond=0, tzinfo=None, *, fold=0). ValueError for times that there are not.";
    made.set(Type::kSubclassable);
    set_slots(made.slots);
    made.add(kMomentMakers);
    made.add(kMomentMethods);
    made.add(kPickling);
    made.add(kZoneQuestions<DateTime>);
    made.add(kClockProperties<DateTime>);
    auto tell = [&](const char* name, const CalendarDay& day, const Clock& clock) {
      made.set_own(intern(name), Value(make<DateTime>(day, clock, Value::none(), false, &made)));
    };
    tell("min", {kFirstYear, 1, 1}, {});
    tell("max", {kLastYear, 12, 31}, {23, 59, 59, 999999});
    made.set_own(intern("resolution"), make_delta(Micros{1}));
    return &made;
  }();
  return type;
}

}  // namespace strider::lang
