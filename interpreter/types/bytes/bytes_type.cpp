// What the operators of the language do with bytes and bytearray.
#include <algorithm>

#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/bytes/bytes_methods.h"
#include "interpreter/types/bytes/memory_view.h"
#include "interpreter/types/bytes/number_array.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/changing_slice.h"
#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/codec.h"
#include "interpreter/types/text/search.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value byte_value(char byte) { return Value::integer(static_cast<unsigned char>(byte)); }

bool is_array(const Value& value) { return value.has_layout(Layout::kByteArray); }

class BytesIterator final : public Iterator {
 public:
  explicit BytesIterator(const Value& bytes) : Iterator(type(is_array(bytes))), bytes_(bytes) {}
  bool advance(Value& item) override {
    if (bytes_.is_empty()) return false;
    std::string_view bytes = to_bytes(bytes_);
    if (index_ < bytes.size()) {
      item = byte_value(bytes[index_++]);
      return true;
    }
    bytes_ = Value();
    return false;
  }
  std::int64_t remaining() const override {
    if (bytes_.is_empty()) return 0;
    return std::max<std::int64_t>(
        0, static_cast<std::int64_t>(to_bytes(bytes_).size()) - static_cast<std::int64_t>(index_));
  }
  Value reduced() override {
    if (bytes_.is_empty()) return rebuilt_by("iter", {Value(make_tuple(Values()))});
    return rebuilt_by("iter", {bytes_}, static_cast<std::int64_t>(index_));
  }
  void set_place(std::int64_t place) override {
    index_ = static_cast<std::size_t>(std::max<std::int64_t>(place, 0));
  }
  void traverse(Visitor& visitor) override { visitor.visit(bytes_); }
  void clear_references() override { bytes_ = Value(); }

 private:
  static Type* type(bool array) {
    static Type* const types[] = {make_iterator_type("bytes_iterator"),
                                  make_iterator_type("bytearray_iterator")};
    return types[array];
  }
  Value bytes_;
  std::size_t index_ = 0;
};

Value bytes_repr(const Value& self) { return make_str(quote_bytes(to_bytes(self))); }

Value bytearray_repr(const Value& self) {
  return make_str(std::string(type_name(self)) + "(" + quote_bytes(to_bytes(self)) + ")");
}

std::int64_t bytes_hash(const Value& self) { return hash_bytes(to_bytes(self)); }

std::int64_t bytes_length(const Value& self) {
  return static_cast<std::int64_t>(to_bytes(self).size());
}

Value get_slice(const Value& self, const Slice& slice) {
  SliceBounds bounds = resolve_changing_slice(slice, [&] { return bytes_length(self); });
  std::string_view bytes = to_bytes(self);
  std::string result;
  if (bounds.step == 1) {
    result = bytes.substr(static_cast<std::size_t>(bounds.start),
                          static_cast<std::size_t>(bounds.count));
  } else {
    result.resize(static_cast<std::size_t>(bounds.count));
    std::int64_t index = bounds.start;
    for (char& byte : result) {
      byte = bytes[static_cast<std::size_t>(index)];
      index += bounds.step;
    }
  }
  return make_bytes_like(self, std::move(result));
}

std::size_t checked_index(const Value& self, const Value& key) {
  bool array = is_array(self);
  std::int64_t index = index_of_key(key, array ? "bytearray" : "byte"), size = bytes_length(self);
  if (index < 0) index += size;
  if (index < 0 || index >= size)
    raise(errors::IndexError, "{}", array ? "bytearray index out of range" : "index out of range");
  return static_cast<std::size_t>(index);
}

Value bytes_get_item(const Value& self, const Value& key) {
  if (key.has_layout(Layout::kSlice)) return get_slice(self, *key.as<Slice>());
  std::size_t index = checked_index(self, key);
  return byte_value(to_bytes(self)[index]);
}

bool bytes_contains(const Value& self, const Value& item) {
  if (is_bytes_like(item))
    return find_part(to_bytes(self), to_bytes(item)) != std::string_view::npos;
  std::int64_t byte;
  if (!try_index(item, byte))
    raise(errors::TypeError, "a bytes-like object is required, not '{}'", type_name(item));
  if (byte < 0 || byte > 255) raise(errors::ValueError, "byte must be in range(0, 256)");
  return to_bytes(self).find(static_cast<char>(byte)) != std::string_view::npos;
}

Value bytes_iterate(const Value& self) { return make<BytesIterator>(self); }

std::string repeated(const Value& self, std::size_t count) {
  std::string_view once = to_bytes(self);
  if (once.size() == 1) return std::string(count, once[0]);
  std::size_t size = once.size() * count;
  if (size == 0) return {};
  std::string result;
  result.reserve(size);
  result = once;
  while (result.size() < size) result.append(result, 0, size - result.size());
  return result;
}

Value concatenate(const Value& self, const Value& other) {
  if (!is_bytes_like(other)) {
    Value result = try_reflected(BinaryOperator::kAdd, self, other);
    if (!result.is_empty()) return result;
    raise(errors::TypeError, "can't concat {} to {}", type_name(other), type_name(self));
  }
  std::string_view first = to_bytes(self), second = to_bytes(other);
  std::string result;
  result.reserve(first.size() + second.size());
  return make_bytes_like(self, std::move(result.append(first).append(second)));
}

Value repeat(const Value& self, const Value& times) {
  Value product = product_of_factor(self, times);
  if (!product.is_empty()) return product;
  std::size_t count;
  if (!repetition_count(times, to_bytes(self).size(), count)) refuse_repetition(times);
  return make_bytes_like(self, repeated(self, count));
}

Value bytes_binary(BinaryOperator op, const Value& self, const Value& other) {
  if (op == BinaryOperator::kAdd) return concatenate(self, other);
  if (op == BinaryOperator::kMult) return repeat(self, other);
  if (op == BinaryOperator::kMod)
    return make_bytes_like(self, format_bytes_percent(to_bytes(self), other));
  return Value();
}

Value bytes_reflected(BinaryOperator op, const Value& self, const Value& other) {
  std::size_t count;
  if (op != BinaryOperator::kMult || !repetition_count(other, 1, count)) return Value();
  return repeat(self, other);
}

Value bytes_compare(CompareOperator op, const Value& self, const Value& other) {
  if (!is_bytes_like(other) || (is_bytes(self) && is_number_array(other))) return Value();
  bool ordered = op != CompareOperator::kEq && op != CompareOperator::kNotEq;
  if (ordered && is_bytes(self) && is_memory_view(other)) return Value();
  return order_result(op, to_bytes(self).compare(to_bytes(other)));
}

// --- Construction ---

std::string content_of(const Arguments& arguments, const char* name, const Signature& signature) {
  Value slots[3];
  bind_constructor(signature, arguments, slots);
  Value own = is_str(slots[0]) && slots[1].is_empty() && slots[2].is_empty()
                  ? find_special(slots[0], names().bytes)
                  : Value();
  if (is_str(slots[0]) && own.is_empty()) {
    if (slots[1].is_empty()) raise(errors::TypeError, "string argument without an encoding");
    return encode_text(text_of(slots[0]), slots[1], slots[2]);
  }
  if (!slots[1].is_empty()) raise(errors::TypeError, "encoding without a string argument");
  if (!slots[2].is_empty()) raise(errors::TypeError, "errors without a string argument");
  if (slots[0].is_empty()) return "";
  Value method = is_bytes_like(slots[0]) ? Value() : find_special(slots[0], names().bytes);
  bool shown =
      !is_bytes_like(slots[0]) && !type_of(slots[0])->slots.to_index && find_buffer(slots[0]);
  if (method.is_empty() && shown) return std::string(to_bytes(slots[0]));
  if (method.is_empty()) return bytes_from_source(slots[0], name);
  Value made = call(method);
  if (!is_bytes(made))
    raise(errors::TypeError, "__bytes__ returned non-bytes (type {})", type_name(made));
  return std::string(to_bytes(made));
}

Value bytes_construct(Type* cls, const Arguments& arguments) {
  static const Signature& signature =
      *new Signature("bytes(source=<none>, encoding=<none>, errors=<none>)");
  bool exact = cls == &Bytes::type_object();
  if (exact && arguments.count == 1 && arguments.keyword_count == 0 &&
      is_exactly(arguments.values[0], *cls))
    return arguments.values[0];
  return make_instance<Bytes>(exact ? &Bytes::type_object() : cls,
                              content_of(arguments, "bytes", signature));
}

Value bytearray_construct(Type* cls, const Arguments&) {
  return make_instance<ByteArray>(cls, std::string());
}

void bytearray_initialize(const Value& self, const Arguments& arguments) {
  static const Signature& signature =
      *new Signature("bytearray(source=<none>, encoding=<none>, errors=<none>)");
  std::string content = content_of(arguments, "bytearray", signature);
  if (!self.as<ByteArray>()->bytes.empty()) self.as<ByteArray>()->require_resizable();
  self.as<ByteArray>()->bytes.swap(content);
}

// --- Changes of bytearrays ---

void set_slice(ByteArray& array, const Slice& slice, const Value& value) {
  if (is_str(value) || is_integer(value))
    raise(errors::TypeError,
          "can assign only bytes, buffers, or iterables of ints in range(0, 256)");
  std::string fresh = value.is_empty() ? "" : bytes_from_source(value, "bytearray");
  SliceBounds bounds = resolve_changing_slice(slice, [&] { return array.bytes.size(); });
  auto count = static_cast<std::size_t>(bounds.count);
  if (fresh.size() != count) array.require_resizable();
  if (bounds.step == 1) {
    array.bytes.replace(static_cast<std::size_t>(bounds.start), count, fresh);
    return;
  }
  if (value.is_empty()) {
    std::string kept;
    std::vector<bool> dropped(array.bytes.size());
    for (std::int64_t i = 0; i < bounds.count; ++i)
      dropped[static_cast<std::size_t>(bounds.start + i * bounds.step)] = true;
    for (std::size_t i = 0; i < array.bytes.size(); ++i)
      if (!dropped[i]) kept += array.bytes[i];
    array.bytes.swap(kept);
    return;
  }
  if (fresh.size() != count)
    raise(errors::ValueError, "attempt to assign bytes of size {} to extended slice of size {}",
          fresh.size(), count);
  for (std::int64_t i = 0; i < bounds.count; ++i)
    array.bytes[static_cast<std::size_t>(bounds.start + i * bounds.step)] =
        fresh[static_cast<std::size_t>(i)];
}

void bytearray_set_item(const Value& self, const Value& key, const Value& value) {
  ByteArray& array = *self.as<ByteArray>();
  if (key.has_layout(Layout::kSlice)) return set_slice(array, *key.as<Slice>(), value);
  constexpr const char* kRangeError = "byte must be in range(0, 256)";
  char byte = value.is_empty() ? '\0' : to_byte(value, kRangeError);
  std::size_t index = checked_index(self, key);
  if (!value.is_empty()) {
    array.bytes[index] = byte;
    return;
  }
  array.require_resizable();
  array.bytes.erase(index, 1);
}

Value bytearray_inplace(BinaryOperator op, const Value& self, const Value& other) {
  std::string& bytes = self.as<ByteArray>()->bytes;
  std::size_t count;
  if (op == BinaryOperator::kAdd) {
    if (!is_bytes_like(other))
      raise(errors::TypeError, "can't concat {} to {}", type_name(other), type_name(self));
    std::string fresh(to_bytes(other));
    if (!fresh.empty()) self.as<ByteArray>()->require_resizable();
    bytes += fresh;
    return self;
  }
  if (op != BinaryOperator::kMult) return Value();
  Value product = product_of_factor(self, other);
  if (!product.is_empty()) return product;
  if (!repetition_count(other, bytes.size(), count)) return Value();
  if (count != 1) self.as<ByteArray>()->require_resizable();
  bytes = repeated(self, count);
  return self;
}

Buffer describe_bytes(const Value& value) {
  return {"B", 1, {bytes_length(value)}, {1}, value.has_layout(Layout::kByteArray)};
}

char* place_of_bytes(const Value& value, bool) { return const_cast<char*>(to_bytes(value).data()); }

void fill_common(Type& type) {
  type.set(Type::kSubclassable);
  type.slots.length = bytes_length;
  type.slots.get_item = bytes_get_item;
  type.slots.contains = bytes_contains;
  type.slots.iterate = bytes_iterate;
  type.slots.binary = bytes_binary;
  type.slots.reflected = bytes_reflected;
  type.slots.operators = {"+ * %", "* %", "+ *"};
  type.slots.compare = bytes_compare;
  add_bytes_search_methods(type);
  add_bytes_split_methods(type);
  add_bytes_text_methods(type);
}

const NativeRow kBytesMethods[] = {
    {"__bytes__(self, /)",
     [](const Parameters& p) {
       bool exact = type_of(p[0]) == &Bytes::type_object();
       return exact ? p[0] : Value(make<Bytes>(std::string(to_bytes(p[0]))));
     },
     "The same bytes, of class bytes itself."},
};

}  // namespace

Type& Bytes::type_object() {
  static bool ready = false;
  static Type& type = new_type("bytes", Type::object_type());
  if (ready) return type;
  ready = true;
  type.instance_layout = Layout::kBytes;
  type.doc = "An unchangeable sequence of bytes.";
  fill_common(type);
  type.slots.repr = bytes_repr;
  type.slots.hash = bytes_hash;
  type.slots.construct = bytes_construct;
  type.add(kBytesMethods);
  offer_buffer(type, {describe_bytes, place_of_bytes, bytes_length, nullptr});
  return type;
}

Type& ByteArray::type_object() {
  static bool ready = false;
  static Type& type = new_type("bytearray", Type::object_type());
  if (ready) return type;
  ready = true;
  type.instance_layout = Layout::kByteArray;
  type.doc = "A changeable sequence of bytes.";
  fill_common(type);
  type.slots.repr = bytearray_repr;
  type.slots.hash = nullptr;
  type.slots.set_item = bytearray_set_item;
  type.slots.inplace = bytearray_inplace;
  type.slots.construct = bytearray_construct;
  type.slots.initialize = bytearray_initialize;
  offer_buffer(type,
               {describe_bytes, place_of_bytes, bytes_length,
                [](const Value& value, int change) { value.as<ByteArray>()->exports += change; }});
  add_bytearray_methods(type);
  return type;
}

}  // namespace strider::lang
