// Arrays of texts, bytes and objects as arrays of others of these, of numbers, and as bytes.
#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include "interpreter/builtins/numpy/elements/boxed_parts.h"
#include "interpreter/builtins/numpy/elements/element_answers.h"
#include "interpreter/builtins/numpy/texts/packed_elements.h"
#include "interpreter/builtins/numpy/texts/text_maker.h"

namespace strider::lang {
namespace {

using nd::DType;
using namespace boxed_parts;

// --- Texts ---

// Text as bytes, or bytes as text, where all are of ASCII; Empty for others.
Value turned(const Value& item, bool to_texts) {
  std::string_view text;
  if (!view_text(item, text) || !is_ascii_text(text)) return {};
  return to_texts ? Value(make_str(text)) : Value(make<Bytes>(std::string(text)));
}

// The items as texts, or as bytes, of no more characters; none where npx has to see to one.
std::optional<Values> as_texts(std::span<const Value> items, bool texts, std::int64_t length) {
  Values made;
  made.reserve(items.size());
  for (const Value& item : items) {
    if (!item.is_object()) return {};
    bool text = is_exact_text(item);
    if (!text && !is_exactly(item, Bytes::type_object())) return {};
    Value one = text == texts ? item : turned(item, texts);
    if (one.is_empty()) return {};
    made.push_back(cut_text(one, length));
  }
  return made;
}

// Items as an array of texts or bytes with room for so many characters; Empty where npx has to see
// to one.
Value array_of(std::span<const Value> items, bool texts, std::int64_t length,
               const nd::Dims& shape) {
  if (items.size() > TextPool::kFew) {
    TextMaker made(texts ? boxed().text_dtype : boxed().bytes_dtype, items.size());
    for (const Value& item : items) {
      std::string_view text;
      if (!item.is_object() || !view_text(item, text)) return {};
      if (is_str(item) != texts && !is_ascii_text(text)) return {};
      while (text.ends_with('\0')) text.remove_suffix(1);
      made.add(text, length_of_text(item));
    }
    return made.array(shape,
                      text_dtype(texts ? *boxed().text_dtype : *boxed().bytes_dtype, length));
  }
  std::optional<Values> made = as_texts(items, texts, length);
  if (!made) return {};
  return make_boxed(std::move(*made), shape,
                    text_dtype(texts ? *boxed().text_dtype : *boxed().bytes_dtype, length));
}

// What a dtype, or a class, says of texts: which kind, and the room, zero where it names none.
struct Wanted {
  bool texts = false, bytes = false;
  std::int64_t length = 0;

  explicit Wanted(const Value& value) {
    const bool is_class = value.has_layout(Layout::kType);
    texts = is_class && value.as<Type>() == &Str::type_object();
    bytes = is_class && value.as<Type>() == &Bytes::type_object();
    if (is_class) return;
    Value dtype = read_boxed_dtype(value);
    if (dtype.is_empty()) return;
    texts = type_of(dtype) == boxed().text_dtype;
    bytes = type_of(dtype) == boxed().bytes_dtype;
    length = item_size(dtype) / (texts ? 4 : 1);
  }
  explicit operator bool() const { return texts || bytes; }
};

// --- Numbers ---

// Objects that are numbers as float64; a null array where others are among them.
nd::Array as_floats(std::span<const Value> items) {
  nd::Array made =
      nd::Array::empty(nd::Dims{static_cast<std::int64_t>(items.size())}, DType::kFloat64);
  auto* numbers = made.mutable_as<double>();
  for (const Value& item : items) {
    if (!item.is_int() && !item.is_float() && !item.is_bool()) return {};
    *numbers++ = item.is_float() ? item.as_float() : static_cast<double>(item.as_int());
  }
  return made;
}

Value as_numbers(const Value& self, std::span<const Value> items, DType dtype) {
  bool objects = !holds_texts(self);
  if (dtype != DType::kFloat64 && (objects || dtype != DType::kInt64)) return {};
  nd::Array made = objects ? as_floats(items) : read_plain_numbers(items, dtype);
  return made ? wrap(made.reshape(places_of(self).shape())) : Value();
}

// Packed elements in a dtype of texts or bytes with room for so many characters.
Value convert_packed(const Value& self, bool texts, std::int64_t length) {
  PackedTexts given;
  if (!given.read_packed(self)) return {};
  auto width = static_cast<std::size_t>(length) * (texts ? 4 : 1);
  nd::Array memory = text_memory(given.rows.count, width);
  if (texts == given.rows.wide)
    text_rows::change_width(given.rows, memory.mutable_data(), width);
  else if (texts ? !text_rows::widen(given.rows, memory.mutable_data(), width)
                 : !text_rows::narrow(given.rows, memory.mutable_data(), width))
    return {};
  return make_packed(std::move(memory), given.shape,
                     text_dtype(texts ? *boxed().text_dtype : *boxed().bytes_dtype, length));
}

Value packed_as_numbers(const Value& self, DType dtype) {
  TextViews texts;
  if ((dtype != DType::kFloat64 && dtype != DType::kInt64) || !texts.read(self)) return {};
  nd::Array made = read_plain_numbers(texts.all(), dtype);
  return made ? wrap(made.reshape(places_of(self).shape())) : Value();
}

Value convert(const Value& self, const Value& wanted) {
  if (packed_pool_of(self)) {
    if (std::optional<DType> dtype = read_native_dtype(wanted))
      return packed_as_numbers(self, *dtype);
    if (Wanted texts(wanted); texts) {
      std::int64_t own = item_size(dtype_of(self));
      if (dtype_class(self) == boxed().text_dtype) own /= 4;
      return convert_packed(self, texts.texts, texts.length ? texts.length : own);
    }
  }
  Elements elements(self);
  if (!elements) return {};
  if (std::optional<DType> dtype = read_native_dtype(wanted))
    return as_numbers(self, elements.items, *dtype);
  const nd::Dims& shape = places_of(self).shape();
  if (Wanted texts(wanted); texts && holds_texts(self)) {
    std::int64_t own = item_size(dtype_of(self));
    if (dtype_class(self) == boxed().text_dtype) own /= 4;
    return array_of(elements.items, texts.texts, texts.length ? texts.length : own, shape);
  }
  Value dtype = read_boxed_dtype(wanted);
  if (dtype.is_empty() || type_of(dtype) != boxed().object_dtype) return {};
  return make_boxed(Values(elements.items.begin(), elements.items.end()), shape, dtype);
}

// --- Bytes ---

// A text as code points of four bytes each in as many bytes; what is left stays as it is.
void write_code_points(std::string_view text, char* place, char* end) {
  if (is_ascii_text(text)) {
    std::size_t count =
        std::min(text.size(), static_cast<std::size_t>(end - place) / sizeof(char32_t));
    for (std::size_t i = 0; i < count; ++i) {
      auto point = static_cast<char32_t>(text[i]);
      std::memcpy(place + i * sizeof point, &point, sizeof point);
    }
    return;
  }
  for (std::size_t at = 0; at < text.size() && place < end; place += sizeof(char32_t)) {
    char32_t point = decode_code_point(text, at);
    std::memcpy(place, &point, sizeof point);
  }
}

}  // namespace

Value cut_text(const Value& item, std::int64_t length) {
  if (length_of_text(item) <= length) return item;
  std::string_view text =
      is_str(item) ? slice_text(*item.as<Str>(), 0, length)
                   : item.as<Bytes>()->bytes().substr(0, static_cast<std::size_t>(length));
  while (text.ends_with('\0')) text.remove_suffix(1);
  return is_str(item) ? Value(make_str(text)) : Value(make<Bytes>(std::string(text)));
}

Value convert_boxed(const Parameters& p) {
  bool usual = is_plain(p[0]) && is_text(p[2], "K") && is_text(p[3], "unsafe") && p[5].is_bool() &&
               p[5].as_bool();
  Value made = usual ? convert(p[0], p[1]) : Value();
  return made.is_empty() ? call_general(*boxed().array, "astype", p) : made;
}

Value make_texts(std::span<const Value> items, const Value& dtype) {
  Wanted wanted(dtype);
  for (const Value& item : items)
    if (!item.is_object() || !(is_str(item) || is_bytes(item))) return {};
  std::int64_t longest = longest_of(items);
  if (!wanted || longest < 0) return {};
  std::int64_t length = wanted.length ? wanted.length : std::max<std::int64_t>(longest, 1);
  return array_of(items, wanted.texts, length, nd::Dims{static_cast<std::int64_t>(items.size())});
}

namespace {

// Numbers as digits in packed memory.
Value decimal(std::int64_t number, bool text) {
  Ref<Str> digits = make_decimal(number);
  return text ? Value(digits) : Value(make<Bytes>(std::string(digits->text())));
}

Value packed_decimals(std::span<const std::int64_t> numbers, const nd::Dims& shape,
                      const Value& dtype) {
  auto width = static_cast<std::size_t>(item_size(dtype));
  nd::Array memory = text_memory(numbers.size(), width);
  std::byte* row = memory.mutable_data();
  for (std::int64_t number : numbers) {
    char digits[24];
    char* end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    text_rows::write({digits, end}, type_of(dtype) == boxed().text_dtype, row, width);
    row += width;
  }
  return make_packed(std::move(memory), shape, dtype);
}

}  // namespace

Value numbers_as_texts(const Value& self, const Value& dtype) {
  if (!knows_boxed_classes()) return {};
  Wanted wanted(dtype);
  if (!wanted || !is_array(self) || is_subclass_array(self)) return {};
  const nd::Array& given = lang::array_of(self);
  std::int64_t digits = 0;  // and a sign
  switch (given.dtype()) {
    case DType::kInt8:
      digits = 4;
      break;
    case DType::kInt16:
      digits = 6;
      break;
    case DType::kInt32:
      digits = 11;
      break;
    case DType::kInt64:
      digits = 21;
      break;
    default:
      return {};
  }
  nd::Array numbers = given.contiguous(DType::kInt64);
  std::int64_t length = wanted.length ? wanted.length : digits;
  Value kind = text_dtype(wanted.texts ? *boxed().text_dtype : *boxed().bytes_dtype, length);
  const auto* all = numbers.as<std::int64_t>();
  if (numbers.size() > static_cast<std::int64_t>(TextPool::kFew))
    return packed_decimals({all, static_cast<std::size_t>(numbers.size())}, given.shape(), kind);
  Values made;
  made.reserve(static_cast<std::size_t>(numbers.size()));
  for (std::int64_t i = 0; i < numbers.size(); ++i)
    made.push_back(cut_text(decimal(all[i], wanted.texts), length));
  return make_boxed(std::move(made), given.shape(), kind);
}

bool write_text(const Value& item, char* place, std::size_t width) {
  std::string_view text;
  if (!view_text(item, text)) return false;
  if (is_str(item))
    write_code_points(text, place, place + width);
  else
    std::copy_n(text.data(), std::min(text.size(), width), place);
  return true;
}

Value bytes_boxed(const Parameters& p) {
  const Value& self = p[0];
  bool usual = is_plain(self) && holds_texts(self) && is_text(p[1], "C");
  PackedTexts packed;
  if (usual && packed.read_packed(self))
    return make<Bytes>(std::string(reinterpret_cast<const char*>(packed.rows.bytes),
                                   packed.rows.count * packed.rows.width));
  Elements elements(self);
  if (!usual || !elements) return call_general(*boxed().array, "tobytes", p);
  auto width = static_cast<std::size_t>(item_size(dtype_of(self)));
  std::string bytes(elements.items.size() * width, '\0');
  for (std::size_t i = 0; i < elements.items.size(); ++i) {
    if (!write_text(elements.items[i], bytes.data() + i * width, width))
      return call_general(*boxed().array, "tobytes", p);
  }
  return make<Bytes>(std::move(bytes));
}

}  // namespace strider::lang
