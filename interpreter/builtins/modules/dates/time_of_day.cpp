// time: the type of times of the day.
#include "interpreter/builtins/modules/dates/clock_members.h"
#include "interpreter/builtins/modules/dates/fields.h"
#include "interpreter/builtins/modules/dates/format.h"
#include "interpreter/builtins/modules/dates/iso_text.h"
#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

const TimeOfDay& time_of(const Value& value) { return *value.as<TimeOfDay>(); }

enum Place { kHour, kMinute, kSecond, kMicrosecond, kZone, kFold, kPlaces };

Value made_of(Type* cls, const Clock& clock, const Value& zone, int fold) {
  check_clock(clock, fold);
  check_zone(zone);
  return make_instance<TimeOfDay>(cls, clock, zone, fold != 0);
}

Value from_state(Type* cls, const std::string& state, const Value& zone) {
  if (!zone.is_none() && !is_instance(zone, Zone::type_object()))
    raise(errors::TypeError, "bad tzinfo state arg");
  Clock clock = clock_of_state(state.data());
  bool fold = clock.hour >= 128;
  clock.hour %= 128;
  return make_instance<TimeOfDay>(cls, clock, zone, fold);
}

Value time_construct(Type* cls, const Arguments& arguments) {
  static const Name kNames[] = {intern("hour"),        intern("minute"), intern("second"),
                                intern("microsecond"), intern("tzinfo"), intern("fold")};
  Value places[kPlaces];
  std::string state;
  if ((arguments.count == 1 || arguments.count == 2) && arguments.keyword_count == 0 &&
      read_state(arguments.values[0], 6, "time", state))
    return from_state(cls, state, arguments.count == 2 ? arguments.values[1] : Value::none());
  bind_fields({"function", kNames, kFold, 0}, arguments, places);
  Clock clock{field_of(places[kHour], 0), field_of(places[kMinute], 0),
              field_of(places[kSecond], 0), field_of(places[kMicrosecond], 0)};
  int fold = field_of(places[kFold], 0);
  return made_of(cls, clock, places[kZone].is_empty() ? Value::none() : places[kZone], fold);
}

Value from_iso_format(const Parameters& p) {
  if (!is_str(p[1])) raise(errors::TypeError, "fromisoformat: argument must be str");
  std::string_view text = text_of(p[1]);
  if (text.starts_with('T')) text.remove_prefix(1);
  ReadClock read;
  if (!read_clock(text, read))
    raise(errors::ValueError, "Invalid isoformat string: {}", repr_text(p[1]));
  Value zone = zone_of(read);
  const Clock& clock = read.clock;
  if (p[0].object() == &TimeOfDay::type_object())
    return made_of(&TimeOfDay::type_object(), clock, zone, 0);
  return call(p[0], Value::integer(clock.hour), Value::integer(clock.minute),
              Value::integer(clock.second), Value::integer(clock.microsecond), zone);
}

Value replaced(const Parameters& p) {
  const TimeOfDay& time = time_of(p[0]);
  Clock clock{field_of(p[1 + kHour], time.hour()), field_of(p[1 + kMinute], time.minute()),
              field_of(p[1 + kSecond], time.second()),
              field_of(p[1 + kMicrosecond], time.microsecond())};
  const Value& zone = p.has(1 + kZone) ? p[1 + kZone] : time.zone;
  return made_of(type_of(p[0]), clock, zone, field_of(p[1 + kFold], time.fold));
}

std::string iso_text_of(const TimeOfDay& time, std::string_view timespec) {
  std::string text;
  append_clock(text, time.clock(), timespec);
  append_offset_of(text, time.zone, Value::none());
  return text;
}

Value iso_format(const Parameters& p) {
  return make_str(iso_text_of(time_of(p[0]), to_text(p[1], "isoformat() argument 1")));
}

Value time_str(const Value& self) {
  static const Name isoformat = intern("isoformat");
  if (type_of(self) != &TimeOfDay::type_object()) return str_by_method(self, isoformat);
  return make_str(iso_text_of(time_of(self), "auto"));
}

Value time_repr(const Value& self) {
  const TimeOfDay& time = time_of(self);
  return make_str(fmt::format("{}({}, {}{}{}{})", type_name(self), time.hour(), time.minute(),
                              repr_behind_minutes(time), repr_of_zone(time), repr_of_fold(time)));
}

Value formatted(const Parameters& p) {
  return format_fields({{1900, 1, 1}, time_of(p[0]).clock(), time_of(p[0]).zone, Value::none()},
                       p[1]);
}

Value time_compare(CompareOperator op, const Value& self, const Value& other) {
  if (!are_alike(self, other) && !is_time_of_day(other)) return Value();
  const TimeOfDay &left = time_of(self), &right = time_of(other);
  if (identical(left.zone, right.zone))
    return order_result(op, order_of(left.clock_key, right.clock_key));
  Value mine = offset_of(left.zone, Value::none()), theirs = offset_of(right.zone, Value::none());
  if (mine.is_none() != theirs.is_none()) {
    if (op == CompareOperator::kEq || op == CompareOperator::kNotEq) return order_result(op, 1);
    raise(errors::TypeError, "can't compare offset-naive and offset-aware times");
  }
  return order_result(op, order_of(micros_of(left.clock()) - micros_of_offset(mine),
                                   micros_of(right.clock()) - micros_of_offset(theirs)));
}

std::int64_t time_hash(const Value& self) {
  const TimeOfDay& time = time_of(self);
  Value offset = offset_of(time.zone, Value::none());
  if (offset.is_none()) return hash_bytes(state_of(time.clock()));
  return hash_micros(micros_of(time.clock()) - micros_of_offset(offset));
}

Value reduced(const Value& self, bool with_fold) {
  const TimeOfDay& time = time_of(self);
  std::string state = state_of(time.clock());
  if (with_fold && time.fold) state[0] = static_cast<char>(state[0] | 128);
  Value bytes = make<Bytes>(std::move(state));
  Value arguments = time.zone.is_none() ? make_tuple({bytes}) : make_tuple({bytes, time.zone});
  return make_tuple({Value(type_of(self)), arguments});
}

const NativeRow kMethods[] = {
    {"classmethod fromisoformat(cls, string, /)", from_iso_format, "The time of an ISO text."},
    {"replace(self, hour=<none>, minute=<none>, second=<none>, microsecond=<none>, tzinfo=<none>, "
     "*, fold=<none>)",
     replaced, "A time with some parts changed."},
    {"isoformat(self, timespec='auto')", iso_format,
     "The time as ISO text. timespec: 'hours', 'minutes', 'seconds', 'milliseconds', "
     "'microseconds', or 'auto', which leaves out microseconds of zero."},
    {"strftime(self, format)", formatted, "The time in a format of % codes."},
    {"__reduce_ex__(self, protocol, /)",
     [](const Parameters& p) { return reduced(p[0], to_int64(p[1]) > 3); },
     "What rebuilds it: the class, six bytes, and the zone if there is one."},
    {"__reduce__(self, /)", [](const Parameters& p) { return reduced(p[0], false); },
     "The same without the fold."},
};

void set_slots(Slots& slots) {
  slots.construct = time_construct;
  slots.repr = time_repr;
  slots.str = time_str;
  slots.format = format_by_spec;
  slots.hash = time_hash;
  slots.compare = time_compare;
}

}  // namespace

std::string repr_behind_minutes(const ClockOfZone& clock) {
  std::string text;
  if (clock.second() || clock.microsecond()) text += fmt::format(", {}", clock.second());
  if (clock.microsecond()) text += fmt::format(", {}", clock.microsecond());
  return text;
}

std::string repr_of_fold(const ClockOfZone& clock) { return clock.fold ? ", fold=1" : ""; }

std::string repr_of_zone(const ClockOfZone& clock) {
  return clock.zone.is_none() ? "" : ", tzinfo=" + repr_text(clock.zone);
}

void append_offset_of(std::string& text, const Value& zone, const Value& moment) {
  if (zone.is_none()) return;
  Value offset = offset_of(zone, moment);
  if (!offset.is_none()) append_offset(text, *offset.as<TimeDelta>());
}

Type& TimeOfDay::type_object() {
  static Type& type = *[] {
    Type& made = make_module_type("time", "datetime");
    made.doc =
        "A time of the day: time(hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, "
        "fold=0). ValueError for times that there are not.";
    made.set(Type::kSubclassable);
    set_slots(made.slots);
    made.add(kMethods);
    made.add(kZoneQuestions<TimeOfDay>);
    made.add(kClockProperties<TimeOfDay>);
    auto tell = [&](const char* name, const Clock& clock) {
      made.set_own(intern(name), Value(make<TimeOfDay>(clock, Value::none(), false, &made)));
    };
    tell("min", {});
    tell("max", {23, 59, 59, 999999});
    made.set_own(intern("resolution"), make_delta(Micros{1}));
    return &made;
  }();
  return type;
}

}  // namespace strider::lang
