// Memory seen as texts, and texts seen as what their bytes are in other dtypes.
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/elements/element_answers.h"
#include "interpreter/builtins/numpy/shortcut.h"
#include "interpreter/builtins/numpy/texts/packed_elements.h"

namespace strider::lang {

using nd::DType;
using namespace boxed_parts;

namespace {

// An argument that is a whole number, or is left out.
std::optional<std::int64_t> read_number(const Arguments& arguments, std::size_t i,
                                        std::int64_t otherwise) {
  Value value = argument(arguments, i);
  if (value.is_empty()) return otherwise;
  return value.is_int() ? std::optional(value.as_int()) : std::nullopt;
}

// Where the elements of an array begin in its memory, if they lie there one after the other.
std::optional<std::int64_t> first_byte(const Value& self, std::size_t width) {
  if (is_whole(self)) return 0;
  const nd::Array& places = places_of(self);
  std::size_t first = 0;
  if (!lie_together(places, first)) return std::nullopt;
  return static_cast<std::int64_t>(first * width);
}

Value seen_as(const Value& self, DType dtype) {
  const nd::Array& places = places_of(self);
  if (places.rank() == 0 || places.size() == 0) return {};
  TextPool& pool = text_pool_of(pool_of(self));
  if (!pool.pack()) return {};
  nd::Dims shape = places.shape();
  auto old = static_cast<std::int64_t>(pool.width()),
       size = static_cast<std::int64_t>(nd::item_size(dtype));
  bool divides = size > old ? shape.back() * old % size == 0 : old % size == 0;
  std::optional<std::int64_t> first = first_byte(self, pool.width());
  if (!divides || !first) return {};
  shape.back() = shape.back() * old / size;
  nd::Dims strides(shape.size());
  std::int64_t step = size;
  for (int axis = shape.size() - 1; axis >= 0; step *= shape[axis--]) strides[axis] = step;
  nd::Array seen = pool.memory().view(shape, strides, *first, dtype);
  if (!places.writeable()) seen.set_writeable(false);
  Value made = wrap(std::move(seen));
  const Value* base = boxed_part(self, BoxedPart::kBase);
  made.as<ArrayObject>()->owner = base && !base->is_none() ? *base : self;
  return made;
}

}  // namespace

Value see_texts(const Parameters& p) {
  const Value& self = p[0];
  if (is_plain(self) && holds_texts(self) && p[2].is_none())
    if (std::optional<DType> dtype = read_native_dtype(p[1]); dtype && *dtype != DType::kBool)
      if (Value seen = seen_as(self, *dtype); !seen.is_empty()) return seen;
  return call_general(*boxed().array, "view", p);
}

Value texts_in_array(const Value& array, const Value& wanted) {
  if (!is_array(array) || is_subclass_array(array)) return {};
  const nd::Array& numbers = array_of(array);
  Value dtype = read_boxed_dtype(wanted);
  if (dtype.is_empty() || !numbers.is_c_contiguous() || numbers.rank() == 0) return {};
  bool wide = type_of(dtype) == boxed().text_dtype;
  std::int64_t width = wide || type_of(dtype) == boxed().bytes_dtype ? item_size(dtype) : 0;
  auto size = static_cast<std::int64_t>(nd::item_size(numbers.dtype()));
  nd::Dims shape = numbers.shape();
  bool divides =
      width >= size ? width && shape.back() * size % width == 0 : width && size % width == 0;
  if (!divides || numbers.size() == 0) return {};
  std::int64_t bytes = numbers.byte_count();
  nd::Array memory = numbers.view(nd::Dims{bytes}, nd::Dims{1}, 0, DType::kUInt8);
  shape.back() = shape.back() * size / width;
  Value made = make_boxed_over(
      make<TextPool>(std::move(memory), static_cast<std::size_t>(width), wide), shape, dtype);
  if (!numbers.writeable())
    boxed_part(made, BoxedPart::kPlaces)->as<ArrayObject>()->array.set_writeable(false);
  return made;
}

Value texts_in_buffer(const NativeFunction& function, const Arguments& arguments) {
  if (arguments.keyword_count > 0 || arguments.count < 2 || arguments.count > 4) return {};
  Value dtype = read_boxed_dtype(arguments.values[1]);
  std::optional<std::int64_t> count = read_number(arguments, 2, -1),
                              offset = read_number(arguments, 3, 0);
  if (dtype.is_empty() || !count || !offset) return {};
  bool wide = type_of(dtype) == boxed().text_dtype;
  std::int64_t width = wide || type_of(dtype) == boxed().bytes_dtype ? item_size(dtype) : 0;
  if (width == 0) return {};
  Value given[] = {arguments.values[0], make_dtype(DType::kUInt8), Value::integer(-1),
                   Value::integer(*offset)};
  Value found = function.run(Arguments(given, 4));
  if (!is_array(found) || array_of(found).rank() != 1) return {};
  const nd::Array& bytes = array_of(found);
  if (*count > bytes.size() / width) return {};
  std::int64_t size = *count < 0 ? bytes.size() : *count * width;
  if (size % width) return {};
  nd::Array memory = bytes.view(nd::Dims{size}, nd::Dims{1}, 0);
  Value pool = make<TextPool>(std::move(memory), static_cast<std::size_t>(width), wide);
  Value made = make_boxed_over(pool, nd::Dims{size / width}, dtype);
  if (!bytes.writeable())
    boxed_part(made, BoxedPart::kPlaces)->as<ArrayObject>()->array.set_writeable(false);
  return made;
}

}  // namespace strider::lang
