// array.array: the type, its items and operators.
#include "interpreter/types/bytes/number_array.h"

#include <algorithm>

#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/bytes/element_codec.h"
#include "interpreter/types/sequences/changing_slice.h"
#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

NumberArray& array_of(const Value& value) { return *value.as<NumberArray>(); }

class ArrayIterator final : public Iterator {
 public:
  explicit ArrayIterator(const Value& array) : Iterator(type()), array_(array) {}
  bool advance(Value& item) override {
    if (array_.is_none()) return false;
    if (index_ >= array_of(array_).size()) {
      array_ = Value::none();
      return false;
    }
    item = array_of(array_).item(index_++);
    return true;
  }
  Value reduced() override {
    if (array_.is_none()) return rebuilt_by("iter", {Value(make_tuple(Values()))});
    return rebuilt_by("iter", {array_}, index_);
  }
  void set_place(std::int64_t place) override { index_ = std::max<std::int64_t>(place, 0); }
  void traverse(Visitor& visitor) override { visitor.visit(array_); }
  void clear_references() override { array_ = Value::none(); }

 private:
  static Type* type() {
    static Type* type = make_iterator_type("arrayiterator");
    return type;
  }
  Value array_;
  std::int64_t index_ = 0;
};

Value array_iterate(const Value& self) { return make<ArrayIterator>(self); }
std::int64_t array_length(const Value& self) { return array_of(self).size(); }

Value array_repr(const Value& self) {
  NumberArray& array = array_of(self);
  std::string text = fmt::format("{}('{}'", type_of(self)->qualified_name, array.code);
  if (array.size() == 0) return make_str(text + ")");
  if (array.code == 'u') {
    std::string characters;
    for (std::int64_t i = 0; i < array.size(); ++i) characters += text_of(array.item(i));
    return make_str(fmt::format("{}, {})", text, repr_text(make_str(characters))));
  }
  text += ", [";
  for (std::int64_t i = 0; i < array.size(); ++i) {
    if (i > 0) text += ", ";
    text += repr_text(array.item(i));
  }
  return make_str(text + "])");
}

// An array of the same kind with every `step`-th item from `start`.
Ref<NumberArray> pick(NumberArray& array, const SliceBounds& bounds) {
  Ref<NumberArray> result = make<NumberArray>(array.code, &NumberArray::type_object());
  auto size = static_cast<std::size_t>(array.item_size);
  if (bounds.step == 1) {
    result->bytes.assign(array.place(bounds.start), static_cast<std::size_t>(bounds.count) * size);
    return result;
  }
  for (std::int64_t i = 0; i < bounds.count; ++i)
    result->bytes.append(array.place(bounds.start + i * bounds.step), size);
  return result;
}

std::int64_t checked_index(NumberArray& array, const Value& key, const char* error) {
  std::int64_t index;
  if (!try_index(key, index)) raise(errors::TypeError, "array indices must be integers");
  if (index < 0) index += array.size();
  if (index < 0 || index >= array.size()) raise(errors::IndexError, "{}", error);
  return index;
}

Value array_get_item(const Value& self, const Value& key) {
  NumberArray& array = array_of(self);
  if (!key.has_layout(Layout::kSlice))
    return array.item(checked_index(array, key, "array index out of range"));
  return pick(array, resolve_changing_slice(*key.as<Slice>(), [&] { return array.size(); }));
}

void delete_slice(NumberArray& array, const SliceBounds& bounds) {
  auto size = static_cast<std::size_t>(array.item_size);
  std::vector<bool> dropped(static_cast<std::size_t>(array.size()));
  for (std::int64_t i = 0; i < bounds.count; ++i)
    dropped[static_cast<std::size_t>(bounds.start + i * bounds.step)] = true;
  if (bounds.count > 0) array.require_resizable();
  std::string kept;
  for (std::size_t i = 0; i < dropped.size(); ++i)
    if (!dropped[i]) kept.append(array.bytes, i * size, size);
  array.bytes.swap(kept);
}

void set_slice(NumberArray& array, const Slice& slice, const Value& value) {
  if (!value.is_empty() && !is_number_array(value))
    raise(errors::TypeError, "can only assign array (not \"{}\") to array slice", type_name(value));
  if (!value.is_empty() && array_of(value).code != array.code)
    raise(errors::TypeError, "bad argument type for built-in operation");
  SliceBounds bounds = resolve_changing_slice(slice, [&] { return array.size(); });
  if (value.is_empty()) return delete_slice(array, bounds);
  std::string fresh = array_of(value).bytes;
  auto size = static_cast<std::size_t>(array.item_size);
  auto count = static_cast<std::size_t>(bounds.count);
  if (bounds.step == 1) {
    if (fresh.size() != count * size) array.require_resizable();
    array.bytes.replace(static_cast<std::size_t>(bounds.start) * size, count * size, fresh);
    return;
  }
  if (fresh.size() != count * size)
    raise(errors::ValueError, "attempt to assign array of size {} to extended slice of size {}",
          fresh.size() / size, count);
  for (std::size_t i = 0; i < count; ++i)
    fresh.copy(array.place(bounds.start + static_cast<std::int64_t>(i) * bounds.step), size,
               i * size);
}

void array_set_item(const Value& self, const Value& key, const Value& value) {
  NumberArray& array = array_of(self);
  if (key.has_layout(Layout::kSlice)) return set_slice(array, *key.as<Slice>(), value);
  std::int64_t index = checked_index(array, key, "array assignment index out of range");
  if (value.is_empty()) return delete_slice(array, {index, index + 1, 1, 1});
  array.set(index, value);
}

bool array_contains(const Value& self, const Value& item) {
  for (std::int64_t i = 0; i < array_of(self).size(); ++i)
    if (equal(array_of(self).item(i), item)) return true;
  return false;
}

Value repeated(const Value& self, const Value& count_value) {
  std::size_t count;
  NumberArray& array = array_of(self);
  if (!repetition_count(count_value, array.bytes.size(), count)) return Value();
  Ref<NumberArray> result = make<NumberArray>(array.code, &NumberArray::type_object());
  std::size_t size = array.bytes.size() * count;
  result->bytes.reserve(size);
  if (size) result->bytes = array.bytes;
  while (result->bytes.size() < size)
    result->bytes.append(result->bytes, 0, size - result->bytes.size());
  return result;
}

Value concatenate(const Value& self, const Value& other) {
  if (!is_number_array(other)) {
    Value result = try_reflected(BinaryOperator::kAdd, self, other);
    if (!result.is_empty()) return result;
    raise(errors::TypeError, "can only append array (not \"{}\") to array", type_name(other));
  }
  if (array_of(other).code != array_of(self).code)
    raise(errors::TypeError, "bad argument type for built-in operation");
  Ref<NumberArray> result = make<NumberArray>(array_of(self).code, &NumberArray::type_object());
  result->bytes = array_of(self).bytes + array_of(other).bytes;
  return result;
}

Value array_binary(BinaryOperator op, const Value& self, const Value& other) {
  if (op == BinaryOperator::kAdd) return concatenate(self, other);
  if (op != BinaryOperator::kMult) return Value();
  Value product = product_of_factor(self, other);
  return product.is_empty() ? repeated(self, other) : product;
}

Value array_reflected(BinaryOperator op, const Value& self, const Value& other) {
  return op == BinaryOperator::kMult ? repeated(self, other) : Value();
}

Value array_inplace(BinaryOperator op, const Value& self, const Value& other) {
  if (op == BinaryOperator::kAdd) {
    if (!is_number_array(other))
      raise(errors::TypeError, "can only extend with array (not \"{}\")", type_name(other));
    array_of(self).extend(other);
    return self;
  }
  if (op != BinaryOperator::kMult) return Value();
  Value result = repeated(self, other);
  if (result.is_empty()) return result;
  if (array_of(result).bytes.size() != array_of(self).bytes.size())
    array_of(self).require_resizable();
  array_of(self).bytes = array_of(result).bytes;
  return self;
}

Value array_compare(CompareOperator op, const Value& self, const Value& other) {
  if (!is_number_array(other)) return Value();
  std::int64_t size = std::min(array_of(self).size(), array_of(other).size());
  for (std::int64_t i = 0; i < size; ++i) {
    Value left = array_of(self).item(i), right = array_of(other).item(i);
    if (truth(compare(CompareOperator::kEq, left, right))) continue;  // NaN is not equal to itself
    if (op == CompareOperator::kEq || op == CompareOperator::kNotEq)
      return Value::boolean(op == CompareOperator::kNotEq);
    return compare(op, left, right);
  }
  return order_result(op, array_of(self).size() - array_of(other).size());
}

char code_of(const Value& value) {
  if (!is_str(value) || count_code_points(text_of(value)) != 1)
    raise(errors::TypeError, "array() argument 1 must be a unicode character, not {}",
          type_name(value));
  if (text_of(value).size() != 1 || kArrayCodes.find(text_of(value)[0]) == std::string_view::npos)
    raise(errors::ValueError, "bad typecode (must be b, B, u, h, H, i, I, l, L, q, Q, f or d)");
  return text_of(value)[0];
}

Value array_construct(Type* cls, const Arguments& arguments) {
  static const Signature& signature = *new Signature("array(typecode, initializer=<none>, /)");
  Value slots[2];
  if (arguments.count == 0) raise(errors::TypeError, "array() takes at least 1 argument (0 given)");
  bind_constructor(signature, arguments, slots);
  char code = code_of(slots[0]);
  if (is_str(slots[1]) && code != 'u')
    raise(errors::TypeError, "cannot use a str to initialize an array with typecode '{}'", code);
  Ref<NumberArray> array = make_instance<NumberArray>(cls, code);
  if (slots[1].is_empty()) return array;
  bool bytes = is_bytes_like(slots[1]) && !is_number_array(slots[1]);
  if (bytes)
    array->append_bytes(to_bytes(slots[1]));
  else if (is_number_array(slots[1]) && array_of(slots[1]).code != code)
    array->extend(iterate(slots[1]));
  else
    array->extend(slots[1]);
  return array;
}

Buffer describe(const Value& value) {
  NumberArray& array = array_of(value);
  return {std::string(1, array.code == 'u' ? 'w' : array.code),
          array.item_size,
          {array.size()},
          {array.item_size},
          true};
}

}  // namespace

NumberArray::NumberArray(char letter, Type* type)
    : Object(Layout::kOther, type), code(letter), item_size(element_size(letter)) {}

Value NumberArray::item(std::int64_t index) { return read_element(place(index), code); }

void NumberArray::set(std::int64_t index, const Value& value) {
  char element[8];
  write_element(element, code, value);
  if (index < size()) std::copy_n(element, item_size, place(index));
}

void NumberArray::append(const Value& value) {
  char element[8];
  write_element(element, code, value);
  append_bytes({element, static_cast<std::size_t>(item_size)});
}

void NumberArray::extend(const Value& source) {
  if (is_number_array(source)) {
    if (array_of(source).code != code)
      raise(errors::TypeError, "can only extend with array of same kind");
    return append_bytes(std::string(array_of(source).bytes));
  }
  Iteration items(source);
  Value item;
  while (items.next(item)) append(item);
}

void NumberArray::append_bytes(std::string_view fresh) {
  if (fresh.size() % static_cast<std::size_t>(item_size) != 0)
    raise(errors::ValueError, "bytes length not a multiple of item size");
  if (!fresh.empty()) require_resizable();
  bytes += fresh;
}

void NumberArray::require_resizable() const {
  if (exports > 0) raise(errors::BufferError, "cannot resize an array that is exporting buffers");
}

bool is_number_array(const Value& value) {
  return value.has_layout(Layout::kOther) && is_instance(value, NumberArray::type_object());
}

Type& NumberArray::type_object() {
  static bool ready = false;
  static Type& type = new_type("array.array", Type::object_type());
  if (ready) return type;
  ready = true;
  type.module = "array";
  type.qualified_name = "array";
  type.doc = "A row of numbers of one machine type.";
  type.set(Type::kSubclassable);
  type.set(Type::kSequencePattern);
  type.slots.repr = array_repr;
  type.slots.hash = nullptr;
  type.slots.length = array_length;
  type.slots.get_item = array_get_item;
  type.slots.set_item = array_set_item;
  type.slots.contains = array_contains;
  type.slots.iterate = array_iterate;
  type.slots.binary = array_binary;
  type.slots.reflected = array_reflected;
  type.slots.inplace = array_inplace;
  type.slots.operators = {"+ *", "*", "+ *"};
  type.slots.compare = array_compare;
  type.slots.construct = array_construct;
  offer_buffer(
      type,
      {describe, [](const Value& value, bool) { return array_of(value).bytes.data(); },
       [](const Value& value) { return static_cast<std::int64_t>(array_of(value).bytes.size()); },
       [](const Value& value, int change) { array_of(value).exports += change; }});
  add_number_array_methods(type);
  return type;
}

}  // namespace strider::lang
