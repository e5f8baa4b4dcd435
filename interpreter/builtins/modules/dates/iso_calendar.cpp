// IsoCalendarDate: tuples of three numbers; pickles hold plain tuples.
#include "interpreter/builtins/modules/dates/iso_calendar.h"

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

template <std::size_t kPlace>
Value item_of(const Value& self) {
  return (*self.as<Tuple>())[kPlace];
}

Value iso_repr(const Value& self) {
  const Tuple& tuple = *self.as<Tuple>();
  return make_str(fmt::format("{}(year={}, week={}, weekday={})", type_name(self),
                              repr_text(tuple[0]), repr_text(tuple[1]), repr_text(tuple[2])));
}

Value iso_construct(Type* cls, const Arguments& arguments) {
  static const Signature signature("IsoCalendarDate(year, week, weekday)");
  Value slots[3];
  bind_constructor(signature, arguments, slots);
  return make_tuple_instance(cls, slots);
}

const NativeRow kMethods[] = {
    {"__reduce__(self, /)",
     [](const Parameters& p) {
       Value plain = make_tuple(p[0].as<Tuple>()->items());
       return Value(make_tuple({Value(&Tuple::type_object()), Value(make_tuple({plain}))}));
     },
     "What rebuilds it: a plain tuple."},
};

const PropertyRow kProperties[] = {
    {"year", item_of<0>, nullptr, "The ISO year."},
    {"week", item_of<1>, nullptr, "The week, 1 to 53."},
    {"weekday", item_of<2>, nullptr, "The day of the week, Monday 1."},
};

}  // namespace

Type& iso_calendar_type() {
  static Type& type = *[] {
    Type& made = make_module_type("IsoCalendarDate", "datetime", Tuple::type_object());
    made.doc = "ISO year, week and weekday.";
    made.slots.construct = iso_construct;
    made.slots.initialize = [](const Value&, const Arguments&) {};
    made.slots.repr = iso_repr;
    made.add(kMethods);
    made.add(kProperties);
    return &made;
  }();
  return type;
}

Value make_iso_calendar(const IsoDay& day) {
  Ref<Tuple> tuple = make_tuple_of(3, &iso_calendar_type());
  tuple->places()[0] = Value::integer(day.year);
  tuple->places()[1] = Value::integer(day.week);
  tuple->places()[2] = Value::integer(day.weekday);
  return tuple;
}

}  // namespace strider::lang
