// What the operators of the language do with text.
#include <new>

#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/codec.h"
#include "interpreter/types/text/search.h"
#include "interpreter/types/text/str.h"
#include "interpreter/types/text/str_methods.h"

namespace strider::lang {
namespace {

const Str& str_of(const Value& value) { return *value.as<Str>(); }

// Walks text by code points, without looking from the start each time.
class StrIterator final : public Iterator {
 public:
  explicit StrIterator(Str* text)
      : Iterator(type()), text_(text), bytes_(text->text()), characters_(&ascii_character('\0')) {}
  bool advance(Value& item) override {
    if (offset_ < bytes_.size() && static_cast<signed char>(bytes_[offset_]) >= 0) {
      item = characters_[static_cast<unsigned char>(bytes_[offset_++])];
      return true;
    }
    return advance_beyond(item);
  }
  bool advance_beyond(Value& item) {
    if (!text_) return false;
    std::string_view text = text_->text();
    if (offset_ >= text.size()) {
      clear_references();
      return false;
    }
    std::size_t start = offset_;
    decode_code_point(text, offset_);
    item = make_str(text.substr(start, offset_ - start));
    return true;
  }
  std::int64_t remaining() const override {
    return text_ ? count_code_points(text_->text().substr(offset_)) : 0;
  }
  Value reduced() override {
    if (!text_) return rebuilt_by("iter", {Value(make_str(""))});
    std::string_view read = text_->text().substr(0, offset_);
    return rebuilt_by("iter", {Value(text_)}, count_code_points(read));
  }
  void set_place(std::int64_t place) override {
    for (Value item; place > 0 && advance(item); --place) {
    }
  }
  void traverse(Visitor&) override {}
  void clear_references() override {
    text_ = nullptr;
    bytes_ = {};
  }

 private:
  static Type* type() {
    static Type* type = make_iterator_type("str_iterator");
    return type;
  }
  Ref<Str> text_;
  std::string_view bytes_;      // while there is a text
  const Ref<Str>* characters_;  // those of ASCII
  std::size_t offset_ = 0;
};

Value str_repr(const Value& self) { return make_str(quote(text_of(self))); }

Value str_str(const Value& self) {
  if (str_of(self).is_exact()) return self;
  return make_str(text_of(self));
}

Value str_format(const Value& self, const Value& spec) {
  if (text_of(spec).empty()) return str(self);
  return make_str(format_str(text_of(self), text_of(spec), type_name(self)));
}

std::int64_t str_hash(const Value& self) { return str_of(self).hash(); }
std::int64_t str_length(const Value& self) { return str_of(self).size(); }

Value get_slice(const Value& self, const Slice& slice) {
  const Str& text = str_of(self);
  SliceBounds bounds = resolve_slice(slice, text.size());
  if (bounds.step == 1) {
    if (bounds.count == text.size() && text.is_exact()) return self;
    return make_str(slice_text(text, bounds.start, bounds.start + bounds.count), bounds.count);
  }
  std::string result;
  if (text.is_ascii()) {
    result.resize(static_cast<std::size_t>(bounds.count));
    std::string_view characters = text.text();
    std::int64_t index = bounds.start;
    for (char& character : result) {
      character = characters[static_cast<std::size_t>(index)];
      index += bounds.step;
    }
    return make_str(std::move(result), bounds.count);
  }
  result.reserve(static_cast<std::size_t>(bounds.count));
  for (std::int64_t i = 0; i < bounds.count; ++i) {
    std::int64_t index = bounds.start + i * bounds.step;
    result += slice_text(text, index, index + 1);
  }
  return make_str(std::move(result), bounds.count);
}

Value str_get_item(const Value& self, const Value& key) {
  const Str& text = str_of(self);
  if (key.has_layout(Layout::kSlice)) return get_slice(self, *key.as<Slice>());
  std::int64_t index;
  if (key.is_int())
    index = key.as_int();
  else if (!try_index(key, index))
    raise(errors::TypeError, "string indices must be integers, not '{}'", type_name(key));
  if (index < 0) index += text.size();
  if (index < 0 || index >= text.size()) raise(errors::IndexError, "string index out of range");
  if (text.is_ascii()) return ascii_character(text.text()[static_cast<std::size_t>(index)]);
  return make_str(slice_text(text, index, index + 1));
}

bool str_contains(const Value& self, const Value& item) {
  if (!is_str(item))
    raise(errors::TypeError, "'in <string>' requires string as left operand, not {}",
          type_name(item));
  return find_part(text_of(self), text_of(item)) != std::string_view::npos;
}

Value str_iterate(const Value& self) { return make<StrIterator>(self.as<Str>()); }

Value concatenate(const Value& self, const Value& other) {
  if (!is_str(other)) {
    Value result = try_reflected(BinaryOperator::kAdd, self, other);
    if (!result.is_empty()) return result;
    raise(errors::TypeError, "can only concatenate str (not \"{}\") to str", type_name(other));
  }
  std::string_view left = text_of(self), right = text_of(other);
  if (right.empty() && str_of(self).is_exact()) return self;
  if (left.empty() && str_of(other).is_exact()) return other;
  std::string text;
  text.reserve(left.size() + right.size());
  text.append(left).append(right);
  return make_str(std::move(text), str_of(self).size() + str_of(other).size());
}

Value repeat(const Value& self, const Value& times) {
  std::string_view text = text_of(self);
  Value product = product_of_factor(self, times);
  if (!product.is_empty()) return product;
  std::size_t count;
  if (!repetition_count(times, text.size(), count)) refuse_repetition(times);
  if (text.size() == 1) return make_str(std::string(count, text[0]));
  std::size_t size = text.size() * count;
  std::string result;
  result.reserve(size);
  if (size) result = text;
  while (result.size() < size) result.append(result, 0, size - result.size());
  return make_str(std::move(result), self.as<Str>()->size() * static_cast<std::int64_t>(count));
}

Value str_binary(BinaryOperator op, const Value& self, const Value& other) {
  if (op == BinaryOperator::kAdd) return concatenate(self, other);
  if (op == BinaryOperator::kMult) return repeat(self, other);
  if (op == BinaryOperator::kMod) return make_str(format_percent(text_of(self), other));
  return Value();
}

Value str_reflected(BinaryOperator op, const Value& self, const Value& other) {
  std::size_t count;
  if (op != BinaryOperator::kMult || !repetition_count(other, 1, count)) return Value();
  return repeat(self, other);
}

Value str_compare(CompareOperator op, const Value& self, const Value& other) {
  if (!is_str(other)) return Value();
  std::string_view left = text_of(self), right = text_of(other);
  if (op == CompareOperator::kEq) return Value::boolean(left == right);
  if (op == CompareOperator::kNotEq) return Value::boolean(left != right);
  return order_result(op, left.compare(right));
}

Value decoded(const Value& object, const Value& encoding, const Value& errors) {
  if (is_str(object)) raise(errors::TypeError, "decoding str is not supported");
  if (!is_bytes_like(object) && !find_buffer(object))
    raise(errors::TypeError, "decoding to str: need a bytes-like object, {} found",
          type_name(object));
  return make_str(decode_bytes(to_bytes(object), encoding, errors));
}

// str(object=''), str(bytes, encoding, errors); str() of a subclass copies the text into it.
Value str_construct(Type* cls, const Arguments& arguments) {
  static const Signature& signature =
      *new Signature("str(object=<none>, encoding=<none>, errors=<none>)");
  Value result;
  if (arguments.count == 1 && arguments.keyword_count == 0) {
    if (arguments.values[0].is_int() && cls == &Str::type_object())
      return make_decimal(arguments.values[0].as_int());
    result = str(arguments.values[0]);
  } else {
    Value slots[3];
    bind_constructor(signature, arguments, slots);
    bool plain = slots[1].is_empty() && slots[2].is_empty();
    if (slots[0].is_empty())
      result = make_str("");  // whatever it would be decoded by
    else
      result = plain ? Value(str(slots[0])) : decoded(slots[0], slots[1], slots[2]);
  }
  if (cls == &Str::type_object()) return result;
  return make_instance<LongStr>(cls, std::string(text_of(result)));
}

void define_str(Type& type) {
  type.instance_layout = Layout::kStr;
  type.set(Type::kSubclassable);
  type.doc = "Text: an unchangeable sequence of characters.";
  type.slots.repr = str_repr;
  type.slots.str = str_str;
  type.slots.format = str_format;
  type.slots.hash = str_hash;
  type.slots.length = str_length;
  type.slots.get_item = str_get_item;
  type.slots.contains = str_contains;
  type.slots.iterate = str_iterate;
  type.slots.binary = str_binary;
  type.slots.reflected = str_reflected;
  type.slots.operators = {"+ * %", "* %", ""};
  type.slots.compare = str_compare;
  type.slots.construct = str_construct;
  add_str_search_methods(type);
  add_str_split_methods(type);
  add_str_case_methods(type);
  add_str_layout_methods(type);
}

}  // namespace

// The address is known before the type is built: building it makes names, which are Strs.
Type& Str::type_object() {
  alignas(Type) static unsigned char storage[sizeof(Type)];
  static bool started = false;
  Type* type = reinterpret_cast<Type*>(storage);
  if (!started) [[unlikely]] {
    started = true;
    Type* base = &Type::object_type();
    ::new (storage) Type("str", base);
    type->retain();
    define_str(*type);
  }
  return *type;
}

}  // namespace strider::lang
