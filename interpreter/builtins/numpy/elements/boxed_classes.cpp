// Times and arrays of them made natively, as numpy's files in npx make them.
#include "interpreter/builtins/numpy/elements/boxed_classes.h"

#include <strider/nd/generate.h>

#include "interpreter/builtins/numpy/texts/text_pool.h"
#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

bool knows_boxed_classes() {
  return boxed().modules && boxed().modules.get() == Interpreter::current().modules.get();
}

const Value* boxed_attribute(const Value& self, Name name) {
  Attributes* attributes = self.is_object() ? self.object()->attributes() : nullptr;
  return attributes ? attributes->find(name) : nullptr;
}

Value read_boxed_dtype(const Value& value) {
  if (!knows_boxed_classes()) return {};
  const BoxedClasses& classes = boxed();
  Value dtype = value;
  if (is_str(value)) {
    bool exact = value.as<Str>()->is_exact() && classes.known_dtypes;
    const Value* known = exact ? classes.known_dtypes->find(value) : nullptr;
    if (!known) return {};
    dtype = *known;
  }
  if (!dtype.is_object()) return {};
  if (dtype.has_layout(Layout::kType))
    return dtype.as<Type>() == &Type::object_type() && classes.objects ? Value(classes.objects)
                                                                       : Value();
  const Type* type = type_of(dtype);
  for (const Type* each : {classes.text_dtype, classes.bytes_dtype, classes.object_dtype,
                           classes.moment_dtype, classes.span_dtype})
    if (type == each) return dtype;
  return {};
}

namespace {

// The places of a new array in a list of its own.
nd::Array own_places(const nd::Dims& shape) {
  std::int64_t count = 1;
  for (std::int64_t extent : shape) count *= extent;
  if (count > static_cast<std::int64_t>(TextPool::kFew))  // which nobody may ask for
    return nd::generate_range(nd::Scalar(std::int64_t{0}), nd::Scalar(std::int64_t{1}), count,
                              nd::DType::kInt64)
        .reshape(shape);
  nd::Array made = nd::Array::empty(shape, nd::DType::kInt64);
  auto* places = made.mutable_as<std::int64_t>();
  for (std::int64_t i = 0; i < made.size(); ++i) places[i] = i;
  return made;
}

Value make_boxed_array(const Value& places, const Value& pool, bool whole, const Value& dtype,
                       const Value& base) {
  static Shape* const placed = Shape::empty()->with(boxed().places);
  static Shape* const pooled = placed->with(boxed().pool);
  static Shape* const told = pooled->with(boxed().whole);
  static Shape* const typed = told->with(boxed().dtype);
  static Shape* const based = typed->with(boxed().base);
  Value made = make<Instance>(boxed().array);
  Attributes& attributes = *made.object()->attributes();
  attributes.append(placed, places);
  attributes.append(pooled, pool);
  attributes.append(told, Value::boolean(whole));
  attributes.append(typed, dtype);
  attributes.append(based, base);
  return made;
}

Value make_times(const Value& counts, const Value& dtype, const Value& base) {
  static Shape* const placed = Shape::empty()->with(boxed().places);
  static Shape* const typed = placed->with(boxed().dtype);
  static Shape* const whole = typed->with(boxed().base);
  Value made = make<Instance>(boxed().time_array);
  Attributes& attributes = *made.object()->attributes();
  attributes.append(placed, counts);
  attributes.append(typed, dtype);
  attributes.append(whole, base);
  return made;
}

std::size_t width_of(const Value& dtype) {
  const Value* bytes = boxed_attribute(dtype, boxed().itemsize);
  return static_cast<std::size_t>(bytes && bytes->is_int() ? bytes->as_int() : 0);
}

}  // namespace

Value make_boxed(Values&& items, const nd::Dims& shape, const Value& dtype) {
  const Type* type = type_of(dtype);
  bool wide = type == boxed().text_dtype;
  if (!wide && type != boxed().bytes_dtype)
    return make_boxed_over(Value(make_list(std::move(items))), shape, dtype);
  return make_boxed_over(make<TextPool>(std::move(items), width_of(dtype), wide), shape, dtype);
}

Value make_boxed_over(const Value& pool, const nd::Dims& shape, const Value& dtype) {
  return make_boxed_array(wrap_owner(own_places(shape)), pool, true, dtype, Value::none());
}

Value make_repeated(const Value& item, const nd::Dims& shape, const Value& dtype) {
  std::size_t count = 1;
  for (std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
  const Type* type = type_of(dtype);
  if (type == boxed().object_dtype) return make_boxed(Values(count, item), shape, dtype);
  return make_boxed_over(
      TextPool::repeated(item, count, width_of(dtype), type == boxed().text_dtype), shape, dtype);
}

Value view_boxed(const Value& self, const Value& places) {
  const Value* base = boxed_part(self, BoxedPart::kBase);
  const Value& owner = base && !base->is_none() ? *base : self;
  const Value& dtype = *boxed_part(self, BoxedPart::kDType);
  if (is_time_array(self)) return make_times(places, dtype, owner);
  // All elements in their order are whole again.
  const nd::Array &all = array_of(*boxed_part(self, BoxedPart::kPlaces)), &seen = array_of(places);
  const Value& told = *boxed_part(self, BoxedPart::kWhole);
  bool whole =
      told.is_bool() && told.as_bool() && seen.size() == all.size() && seen.is_c_contiguous();
  return make_boxed_array(places, *boxed_part(self, BoxedPart::kPool), whole, dtype, owner);
}

namespace {

// Packed elements as objects, those of a view at its places.
std::span<const Value> unpacked(const Value& pool, const nd::Array& places, bool all,
                                Values& kept) {
  if (all) {
    kept = text_pool_of(pool).all();
  } else {
    nd::Array order = places.contiguous(nd::DType::kInt64);
    kept =
        text_pool_of(pool).at({order.as<std::int64_t>(), static_cast<std::size_t>(order.size())});
  }
  kept.reserve(kept.size() + 1);
  return {kept.data(), kept.size()};
}

}  // namespace

std::span<const Value> boxed_items(const Value& self, Values& kept) {
  const Value* places = boxed_part(self, BoxedPart::kPlaces);
  const Value* pool = boxed_part(self, BoxedPart::kPool);
  const Value* whole = boxed_part(self, BoxedPart::kWhole);
  bool texts = pool && is_text_pool(*pool);
  if (!places || !is_array(*places) || !pool || !(texts || is_list(*pool)) || !whole) return {};
  bool all = whole->is_bool() && whole->as_bool();
  if (texts && text_pool_of(*pool).is_packed())
    return unpacked(*pool, array_of(*places), all, kept);
  const Values& items = texts ? text_pool_of(*pool).items() : pool->as<List>()->items;
  if (all) return {items.data(), items.size()};
  nd::Array order = array_of(*places).contiguous(nd::DType::kInt64);
  kept.reserve(static_cast<std::size_t>(order.size()) + 1);
  for (std::int64_t i = 0; i < order.size(); ++i) {
    auto place = static_cast<std::size_t>(order.as<std::int64_t>()[i]);
    if (place >= items.size()) return {};
    kept.push_back(items[place]);
  }
  return {kept.data(), kept.size()};
}

Value text_dtype(const Type& cls, std::int64_t length) {
  auto& known = boxed().short_dtypes[&cls == boxed().text_dtype ? 0 : 1];
  bool is_short = length >= 0 && length < static_cast<std::int64_t>(known.size());
  Object** place = is_short ? &known[static_cast<std::size_t>(length)] : nullptr;
  if (place && *place) return Value(*place);
  Value made =
      call(Value(boxed().text_dtype_of), Value(const_cast<Type*>(&cls)), Value::integer(length));
  if (place) *place = made.object();
  return made;
}

namespace {

Name general_name(std::string_view name) { return intern(fmt::format("_general_{}", name)); }

}  // namespace

void add_native_method(Type& cls, const NativeRow& row) {
  auto made = make<NativeFunction>(row, &cls);
  Name name = intern(made->name());
  if (const Value* general = cls.lookup(name))
    cls.set_own(general_name(made->name()), Value(*general));
  cls.set_own(name, Value(made));
}

Value call_general_with(const Type& cls, std::string_view name, const Arguments& arguments) {
  return call(Value(*cls.lookup(general_name(name))), arguments);
}

Value call_general(const Type& cls, std::string_view name, const Parameters& p) {
  Values given;
  for (std::size_t i = 0; i < p.count(); ++i) given.push_back(p[i]);
  return call(Value(*cls.lookup(general_name(name))), Arguments(given.data(), given.size()));
}

Value make_time(Type* cls, Count count, const Value& unit) {
  static Shape* const counted = Shape::empty()->with(boxed().scalar_count);
  static Shape* const whole = counted->with(boxed().scalar_unit);
  Value made = make<Instance>(cls);
  Attributes& attributes = *made.object()->attributes();
  attributes.append(counted, Value::integer(count));
  attributes.append(whole, unit);
  return made;
}

Value time_dtype(bool moments, const Value& unit) {
  std::string_view kind = moments ? "M" : "m";
  static const Dict::Entries& none = *new Dict::Entries;
  const Dict* made = boxed().time_dtypes;
  for (const Dict::Entry& entry : made ? made->entries() : none) {
    if (!is_tuple(entry.key) || entry.key.as<Tuple>()->size() != 2) continue;
    const Tuple& key = *entry.key.as<Tuple>();
    if (text_of(key[0]) == kind && (identical(key[1], unit) || text_of(key[1]) == text_of(unit)))
      return entry.value;
  }
  return call(Value(boxed().time_dtype), Value(make_str(kind)), unit);
}

Value make_time_array(nd::Array counts, const Value& dtype) {
  return make_times(wrap(std::move(counts)), dtype, Value::none());
}

}  // namespace strider::lang
