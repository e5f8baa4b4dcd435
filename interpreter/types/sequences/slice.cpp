// What the language can do with slices.
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value slice_repr(const Value& self) {
  const Slice& slice = *self.as<Slice>();
  return make_str("slice(" + repr_text(slice.start) + ", " + repr_text(slice.stop) + ", " +
                  repr_text(slice.step) + ")");
}

Value slice_compare(CompareOperator op, const Value& self, const Value& other) {
  if (!other.has_layout(Layout::kSlice)) return Value();
  const Slice &a = *self.as<Slice>(), &b = *other.as<Slice>();
  return compare_items(op, {a.start, a.stop, a.step}, {b.start, b.stop, b.step});
}

Value slice_construct(Type*, const Arguments& arguments) {
  check_arity(arguments, "slice", 1, 3);
  const Value* values = arguments.values;
  if (arguments.count == 1) return make<Slice>(Value::none(), values[0], Value::none());
  return make<Slice>(values[0], values[1], arguments.count == 3 ? values[2] : Value::none());
}

bool is_large(const Value& number) { return is_integer(number) && !number.is_int(); }

Integer integer_of(const Value& index) {
  if (is_integer(index)) return to_integer(exact_int(index));
  auto* to_index = type_of(index)->slots.to_index;
  if (!to_index)
    raise(errors::TypeError, "slice indices must be integers or None or have an __index__ method");
  return to_integer(exact_int(to_index(index)));
}

// The same as resolve_slice() for numbers of any size.
Value large_indices(const Slice& slice, const Integer& length) {
  Integer step = slice.step.is_none() ? Integer(1) : integer_of(slice.step);
  if (step == 0) raise(errors::ValueError, "slice step cannot be zero");
  Integer lower = step < 0 ? -1 : 0, upper = step < 0 ? Integer(length - 1) : length;
  auto place = [&](const Value& given, const Integer& otherwise) {
    if (given.is_none()) return otherwise;
    Integer index = integer_of(given);
    if (index < 0) return std::max(lower, Integer(index + length));
    return std::min(upper, index);
  };
  Integer start = place(slice.start, step < 0 ? upper : lower);
  Integer stop = place(slice.stop, step < 0 ? lower : upper);
  return make_tuple({from_integer(start), from_integer(stop), from_integer(step)});
}

Value indices(const Parameters& parameters) {
  const Slice& slice = *parameters[0].as<Slice>();
  if (is_large(parameters[1]) || is_large(slice.start) || is_large(slice.stop) ||
      is_large(slice.step)) {
    Integer length = integer_of(parameters[1]);
    if (length < 0) raise(errors::ValueError, "length should not be negative");
    return large_indices(slice, length);
  }
  std::int64_t length = to_int64(parameters[1]);
  if (length < 0) raise(errors::ValueError, "length should not be negative");
  SliceBounds bounds = resolve_slice(slice, length);
  return make_tuple(
      {Value::integer(bounds.start), Value::integer(bounds.stop), Value::integer(bounds.step)});
}

constexpr NativeRow kMethods[] = {
    {"indices(self, length, /)", indices,
     "Return (start, stop, step) for a sequence of that length."},
};

constexpr PropertyRow kProperties[] = {
    {"start", [](const Value& self) -> Value { return self.as<Slice>()->start; }, nullptr,
     "The first index, or None."},
    {"stop", [](const Value& self) -> Value { return self.as<Slice>()->stop; }, nullptr,
     "The index to stop before, or None."},
    {"step", [](const Value& self) -> Value { return self.as<Slice>()->step; }, nullptr,
     "The distance of indices, or None."},
};

}  // namespace

Type& Slice::type_object() {
  static bool ready = false;
  static Type& type = new_type("slice", Type::object_type());
  if (ready) return type;
  ready = true;
  type.instance_layout = Layout::kSlice;
  type.doc = "A range of indices, as made by a[start:stop:step].";
  type.slots.repr = slice_repr;
  type.slots.hash = nullptr;
  type.slots.compare = slice_compare;
  type.slots.construct = slice_construct;
  type.add(kMethods);
  type.add(kProperties);
  return type;
}

}  // namespace strider::lang
