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

Value indices(const Parameters& parameters) {
  std::int64_t length = to_int64(parameters[1]);
  if (length < 0) raise(errors::ValueError, "length should not be negative");
  SliceBounds bounds = resolve_slice(*parameters[0].as<Slice>(), length);
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
