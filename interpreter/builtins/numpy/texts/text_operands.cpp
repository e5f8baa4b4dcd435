// Reads arrays, lists and single texts alike.
#include "interpreter/builtins/numpy/texts/text_operands.h"

#include <algorithm>

namespace strider::lang {
namespace {

using namespace boxed_parts;

bool is_plain_item(const Value& item, bool texts) {
  if (texts) return is_exact_text(item) && !text_of(item).ends_with('\0');
  return is_exactly(item, Bytes::type_object()) && !item.as<Bytes>()->bytes().ends_with('\0');
}

// A text without the class that numpy's scalars have; Empty for what is neither text nor bytes.
Value plain_text(const Value& value) {
  const Type* type = type_of(value);
  if (is_str(value)) {
    if (value.as<Str>()->is_exact()) return value;
    return type == boxed().text ? Value(make_str(text_of(value))) : Value();
  }
  if (!is_bytes(value)) return {};
  if (type == &Bytes::type_object()) return value;
  return type == boxed().bytes ? make<Bytes>(std::string(value.as<Bytes>()->bytes())) : Value();
}

bool read_single(const Value& value, Texts& made) {
  made.one = plain_text(value);
  if (made.one.is_empty()) return false;
  bool texts = is_str(made.one);
  if (!is_plain_item(made.one, texts)) return false;
  made.kind = texts ? boxed().text_dtype : boxed().bytes_dtype;
  made.items = {&made.one, 1};
  return true;
}

bool read_list(std::span<const Value> items, Texts& made) {
  if (items.empty() || !items[0].is_object()) return false;
  bool texts = is_str(items[0]);
  for (const Value& item : items)
    if (!item.is_object() || !is_plain_item(item, texts)) return false;
  made.kind = texts ? boxed().text_dtype : boxed().bytes_dtype;
  made.items = items;
  made.shape = nd::Dims{static_cast<std::int64_t>(items.size())};
  return true;
}

}  // namespace

std::int64_t Texts::packed_length(std::size_t place) const {
  std::string_view text = packed->all()[place];
  bool bytes = packed->is_ascii() || !are_texts();
  return bytes ? static_cast<std::int64_t>(text.size()) : count_code_points(text);
}

bool Texts::is_packed_ascii(std::size_t place) const {
  return !are_texts() || packed->is_ascii() || is_ascii_text(packed->all()[place]);
}

std::span<const Value> Texts::unpack() {
  if (!packed) return items;
  kept.reserve(packed->all().size() + 1);
  for (std::string_view text : packed->all())
    kept.push_back(are_texts() ? Value(make_str(text)) : Value(make<Bytes>(std::string(text))));
  items = {kept.data(), kept.size()};
  packed.reset();
  return items;
}

namespace {

struct StringsClass {
  const Type* type = nullptr;
  const Object* unset = nullptr;
};
StringsClass& strings_class() {
  static StringsClass& told = *new StringsClass;
  return told;
}

}  // namespace

Value tell_strings(const Parameters& p) {
  strings_class() = {p[0].as<Type>(), p[1].object()};
  return Value::none();
}

bool is_strings_dtype(const Value& dtype) {
  static const Name missing = intern("_missing"), coerce = intern("coerce");
  if (!dtype.is_object() || type_of(dtype) != strings_class().type) return false;
  const Value *none = boxed_attribute(dtype, missing), *turns = boxed_attribute(dtype, coerce);
  return none && none->is_object() && none->object() == strings_class().unset && turns &&
         turns->is_bool() && turns->as_bool();
}

bool is_strings(const Value& array) {
  if (!strings_class().type || !is_boxed(array) || !knows_boxed_classes()) return false;
  const Value *dtype = boxed_part(array, BoxedPart::kDType),
              *places = boxed_part(array, BoxedPart::kPlaces),
              *pool = boxed_part(array, BoxedPart::kPool);
  return dtype && places && pool && is_array(*places) && is_list(*pool) && is_strings_dtype(*dtype);
}

bool fits_strings(const Value& item) {
  constexpr char kBeginsSurrogate = '\xed';
  return item.is_object() && is_exact_text(item) &&
         (item.as<Str>()->is_ascii() ||
          text_of(item).find(kBeginsSurrogate) == std::string_view::npos);
}

bool read_all_texts(const Value& value, Texts& made) {
  if (!is_strings(value)) return read_texts(value, made);
  made.dtype = dtype_of(value);
  made.kind = boxed().text_dtype;
  made.loose = made.any_length = true;
  made.shape = places_of(value).shape();
  made.items = boxed_items(value, made.kept);
  return made.items.data() != nullptr;
}

bool read_texts(const Value& value, Texts& made) {
  if (!value.is_object()) return false;
  if (is_plain(value) && holds_texts(value)) {
    made.dtype = dtype_of(value);
    made.kind = type_of(made.dtype);
    made.shape = places_of(value).shape();
    if (packed_pool_of(value)) {
      made.packed = std::make_unique<TextViews>();
      return made.packed->read(value);
    }
    const Value& pool = pool_of(value);
    made.loose = is_text_pool(pool) && text_pool_of(pool).width() == 0;
    made.items = boxed_items(value, made.kept);
    return made.items.data() != nullptr;
  }
  return is_list(value) ? read_list(value.as<List>()->items, made) : read_single(value, made);
}

namespace {

std::int64_t longest_in(const Texts& texts) {
  if (!texts.packed) return longest_of(texts.items);
  std::int64_t most = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) most = std::max(most, texts.length(i));
  return most;
}

}  // namespace

std::int64_t letters_of(const Texts& texts) {
  if (texts.dtype.is_empty()) return std::max<std::int64_t>(longest_in(texts), 1);
  return item_size(texts.dtype) / (texts.kind == boxed().text_dtype ? 4 : 1);
}

Value dtype_of_texts(const Texts& texts) {
  return texts.dtype.is_empty() ? text_dtype(*texts.kind, letters_of(texts)) : texts.dtype;
}

bool read_integers(const Value& value, Integers& made) {
  if (value.is_int()) {
    made.one = value.as_int();
    return true;
  }
  if (!is_array(value) || is_subclass_array(value)) return false;
  const nd::Array& array = array_of(value);
  if (!nd::is_integer(array.dtype()) || array.dtype() == nd::DType::kUInt64) return false;
  made.array = array.contiguous(nd::DType::kInt64);
  made.shape = made.array.shape();
  made.numbers = made.array.as<std::int64_t>();
  return made.shape.size() > 0;
}

std::int64_t longest_of(std::span<const Value> items) {
  std::int64_t most = 0;
  for (const Value& item : items) {
    if (!is_plain_item(item, is_str(item))) return -1;
    most = std::max(most, length_of_text(item));
  }
  return most;
}

}  // namespace strider::lang
