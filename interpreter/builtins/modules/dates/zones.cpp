// tzinfo and timezone: the types of zones, and what zones are asked.
#include "interpreter/builtins/modules/dates/fields.h"
#include "interpreter/builtins/modules/dates/iso_text.h"
#include "interpreter/builtins/modules/dates/values.h"
#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

const FixedZone& fixed(const Value& value) { return *value.as<FixedZone>(); }

Value checked_delta(const Value& answer, const char* method) {
  if (answer.is_none()) return answer;
  if (!is_delta(answer))
    raise(errors::TypeError, "tzinfo.{}() must return None or timedelta, not '{}'", method,
          type_name(answer));
  Micros total = answer.as<TimeDelta>()->total();
  if (total <= -kDayMicros || total >= kDayMicros)
    raise(errors::ValueError,
          "offset must be a timedelta strictly between -timedelta(hours=24) and "
          "timedelta(hours=24).");
  return answer;
}

void check_moment(const Value& moment, const char* method) {
  if (!moment.is_none() && !is_datetime(moment))
    raise(errors::TypeError, "{}(dt) argument must be a datetime instance or None, not {}", method,
          type_name(moment));
}

// Refuses moments that are no times in this zone.
const DateTime& own_moment(const Value& zone, const Value& moment) {
  if (!is_datetime(moment)) raise(errors::TypeError, "fromutc: argument must be a datetime");
  if (!identical(moment.as<DateTime>()->zone, zone))
    raise(errors::ValueError, "fromutc: dt.tzinfo is not self");
  return *moment.as<DateTime>();
}

template <std::size_t kLength>
Value refuse(const char (&method)[kLength]) {
  raise(errors::NotImplementedError, "a tzinfo subclass must implement {}()", method);
}

Value saving_for_conversion(const Value& moment, const char* complaint) {
  static const Name dst = intern("dst");
  Value saving = call_method(moment, dst);
  if (saving.is_none()) raise(errors::ValueError, "fromutc: {}", complaint);
  return saving;
}

// Standard time first; what summer time adds there is what it adds here.
Value zone_from_utc(const Parameters& p) {
  static const Name utcoffset = intern("utcoffset");
  own_moment(p[0], p[1]);
  Value offset = call_method(p[1], utcoffset);
  if (offset.is_none()) raise(errors::ValueError, "fromutc: non-None utcoffset() result required");
  Value saving = saving_for_conversion(p[1], "non-None dst() result required");
  Value standard = binary(BinaryOperator::kAdd, p[1], binary(BinaryOperator::kSub, offset, saving));
  saving = saving_for_conversion(standard, "tz.dst() gave inconsistent results; cannot convert");
  return truth(saving) ? binary(BinaryOperator::kAdd, standard, saving) : standard;
}

Value zone_reduce(const Parameters& p) {
  static const Name arguments = intern("__getinitargs__"), state = intern("__getstate__");
  Value given = find_attribute(p[0], arguments);
  return make_tuple({Value(type_of(p[0])), given.is_empty() ? Value(empty_tuple()) : call(given),
                     call_method(p[0], state)});
}

Value zone_construct(Type* cls, const Arguments&) { return make_instance<Zone>(cls); }

Value fixed_arguments(const Parameters& p) {
  const FixedZone& zone = fixed(p[0]);
  if (zone.name.is_none()) return make_tuple({Value(zone.offset)});
  return make_tuple({Value(zone.offset), zone.name});
}

Value fixed_name(const Value& self) {
  const FixedZone& zone = fixed(self);
  if (!zone.name.is_none()) return zone.name;
  std::string text = "UTC";
  if (zone.offset->total() != 0) append_offset(text, *zone.offset);
  return make_str(std::move(text));
}

Value fixed_construct(Type*, const Arguments& arguments) {
  static const Name kNames[] = {intern("offset"), intern("name")};
  Value places[2];
  bind_fields({"timezone", kNames, 2, 1}, arguments, places);
  if (!is_delta(places[0]))
    raise(errors::TypeError, "timezone() argument 1 must be datetime.timedelta, not {}",
          type_name(places[0]));
  if (!places[1].is_empty() && !is_str(places[1]))
    raise(errors::TypeError, "timezone() argument 2 must be str, not {}",
          places[1].is_none() ? "None" : type_name(places[1]));
  return make_fixed_zone(places[0].as<TimeDelta>(),
                         places[1].is_empty() ? Value::none() : places[1]);
}

Value fixed_repr(const Value& self) {
  if (identical(self, FixedZone::utc())) return make_str("datetime.timezone.utc");
  const FixedZone& zone = fixed(self);
  std::string name = zone.name.is_none() ? "" : ", " + repr_text(zone.name);
  return make_str(fmt::format("datetime.timezone({}{})", repr_text(Value(zone.offset)), name));
}

Value fixed_compare(CompareOperator op, const Value& self, const Value& other) {
  bool equality = op == CompareOperator::kEq || op == CompareOperator::kNotEq;
  if (!equality || !is_fixed_zone(other)) return Value();
  Micros mine = fixed(self).offset->total(), theirs = fixed(other).offset->total();
  return order_result(op, order_of(mine, theirs));
}

const NativeRow kZoneMethods[] = {
    {"tzname(self, dt, /)", [](const Parameters&) { return refuse("tzname"); },
     "The name of the zone; classes of zones define it."},
    {"utcoffset(self, dt, /)", [](const Parameters&) { return refuse("utcoffset"); },
     "The offset from UTC, east positive; classes of zones define it."},
    {"dst(self, dt, /)", [](const Parameters&) { return refuse("dst"); },
     "What summer time adds; classes of zones define it."},
    {"fromutc(self, dt, /)", zone_from_utc, "A time in UTC as one in this zone."},
    {"__reduce__(self, /)", zone_reduce, "What rebuilds it: class, arguments, state."},
};

const NativeRow kFixedMethods[] = {
    {"tzname(self, dt, /)",
     [](const Parameters& p) {
       check_moment(p[1], "tzname");
       return fixed_name(p[0]);
     },
     "The name that was given, or UTC with the offset."},
    {"utcoffset(self, dt, /)",
     [](const Parameters& p) {
       check_moment(p[1], "utcoffset");
       return Value(fixed(p[0]).offset);
     },
     "The offset."},
    {"dst(self, dt, /)",
     [](const Parameters& p) {
       check_moment(p[1], "dst");
       return Value::none();
     },
     "None: a fixed offset knows no summer time."},
    {"fromutc(self, dt, /)",
     [](const Parameters& p) {
       own_moment(p[0], p[1]);
       return binary(BinaryOperator::kAdd, p[1], Value(fixed(p[0]).offset));
     },
     "A time in UTC as one at this offset."},
    {"__getinitargs__(self, /)", fixed_arguments, "The arguments that make it, for pickles."},
};

}  // namespace

Value offset_of(const Value& zone, const Value& moment) {
  static const Name utcoffset = intern("utcoffset");
  if (zone.is_none()) return zone;
  if (is_fixed_zone(zone)) return Value(fixed(zone).offset);
  return checked_delta(call_method(zone, utcoffset, moment), "utcoffset");
}

Value saving_of(const Value& zone, const Value& moment) {
  static const Name dst = intern("dst");
  if (zone.is_none() || is_fixed_zone(zone)) return Value::none();
  return checked_delta(call_method(zone, dst, moment), "dst");
}

Value name_of(const Value& zone, const Value& moment) {
  static const Name tzname = intern("tzname");
  if (zone.is_none()) return zone;
  if (is_fixed_zone(zone)) return fixed_name(zone);
  Value name = call_method(zone, tzname, moment);
  if (!name.is_none() && !is_str(name))
    raise(errors::TypeError, "tzinfo.tzname() must return None or a string, not '{}'",
          type_name(name));
  return name;
}

Value moment_in_zone(std::int64_t utc, const Value& zone, Type* cls) {
  static const Name fromutc = intern("fromutc");
  bool plain = is_fixed_zone(zone) && cls == &DateTime::type_object();
  if (plain && utc >= 0 && utc < kLastOrdinal * kDayMicros)
    return make_moment(utc + static_cast<std::int64_t>(fixed(zone).offset->total()), zone);
  return call_method(zone, fromutc, make_moment(utc, zone, cls));
}

Value make_fixed_zone(const Ref<TimeDelta>& offset, const Value& name) {
  Micros total = offset->total();
  if (total == 0 && name.is_none()) return FixedZone::utc();
  if (total <= -kDayMicros || total >= kDayMicros)
    raise(errors::ValueError,
          "offset must be a timedelta strictly between -timedelta(hours=24) and "
          "timedelta(hours=24), not {}.",
          repr_text(Value(offset)));
  return make<FixedZone>(offset, name);
}

void check_zone(const Value& zone) {
  if (!zone.is_none() && !is_instance(zone, Zone::type_object()))
    raise(errors::TypeError, "tzinfo argument must be None or of a tzinfo subclass, not type '{}'",
          type_name(zone));
}

Type& Zone::type_object() {
  static Type& type = *[] {
    Type& made = make_module_type("tzinfo", "datetime");
    made.doc = "What classes of time zones derive from.";
    made.set(Type::kSubclassable);
    made.slots.construct = zone_construct;
    made.slots.initialize = [](const Value&, const Arguments&) {};
    made.add(kZoneMethods);
    return &made;
  }();
  return type;
}

Type& FixedZone::type_object() {
  static Type& type = *[] {
    Type& made = make_module_type("timezone", "datetime", Zone::type_object());
    made.doc =
        "A fixed offset from UTC: timezone(offset, name=None). ValueError for a day and more.";
    made.slots.construct = fixed_construct;
    made.slots.repr = fixed_repr;
    made.slots.str = fixed_name;
    made.slots.hash = [](const Value& self) { return hash_micros(fixed(self).offset->total()); };
    made.slots.compare = fixed_compare;
    made.add(kFixedMethods);
    auto tell = [&](const char* name, std::int64_t minutes) {
      Micros total = minutes * 60 * kSecondMicros;
      Ref<TimeDelta> offset = make_delta(total).as<TimeDelta>();
      made.set_own(intern(name), Value(make<FixedZone>(offset, Value::none(), &made)));
    };
    tell("utc", 0);
    tell("min", -(23 * 60 + 59));
    tell("max", 23 * 60 + 59);
    return &made;
  }();
  return type;
}

const Value& FixedZone::utc() {
  static const Value& zone = *new Value(*type_object().own(intern("utc")));
  return zone;
}

}  // namespace strider::lang
