// Packs and unpacks, and what the operators of the language do with pools.
#include "interpreter/builtins/numpy/texts/text_pool.h"

#include <algorithm>
#include <limits>

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/elements/element_lists.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/sequences/sequence_iterator.h"
#include "interpreter/types/support.h"

namespace strider::lang {

using nd::DType;
using text_rows::Rows;

namespace {

std::string_view content_of(const Value& item) {
  if (item.is_object()) {
    if (is_str(item)) return text_of(item);
    if (is_bytes(item)) return item.as<Bytes>()->bytes();
  }
  raise(errors::TypeError, "an element of an array of texts is {}", type_name(item));
}

// The bytes of all texts.
template <class Items>
std::size_t content_in(const Items& items) {
  std::size_t content = 0;
  for (const Value& item : items) content += content_of(item).size();
  return content;
}

// As the shape of bytes; ValueError where nobody could count them.
nd::Dims text_memory_shape(std::size_t count, std::size_t width) {
  constexpr std::size_t kMost = std::numeric_limits<std::int64_t>::max();
  if (width && count > kMost / width)
    raise(errors::ValueError,
          "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible "
          "size.");
  return nd::Dims{static_cast<std::int64_t>(count * width)};
}

}  // namespace

nd::Array text_memory(std::size_t count, std::size_t width) {
  return nd::Array::empty(text_memory_shape(count, width), DType::kUInt8);
}

Value text_of_row(const std::byte* row, std::size_t width, bool wide) {
  std::size_t letters = text_rows::length(row, width, wide);
  if (!wide) return make<Bytes>(std::string(reinterpret_cast<const char*>(row), letters));
  if (letters == 0) return make_str("");
  if (letters == 1) {
    char single;
    if (text_rows::narrow(row, 1, &single)) return Value(ascii_character(single));
  } else {
    StrMaker maker(letters, static_cast<std::int64_t>(letters));
    if (text_rows::narrow(row, letters, maker.place())) return Value(maker.take());
  }
  std::string text;
  if (!text_rows::append(row, letters, text))
    raise(errors::ValueError, "character is not in range [U+0000; U+10ffff]");
  return make_str(std::move(text), static_cast<std::int64_t>(letters));
}

bool TextPool::packs(std::size_t count, std::size_t content, std::size_t width, bool wide) {
  constexpr double kSpread = 64;
  if (count <= kFew || width == 0) return false;
  double full = static_cast<double>(count) * static_cast<double>(width);
  return full <= kSpread * static_cast<double>(content * (wide ? 4 : 1) + 16 * count);
}

namespace {

// An element as memory would give it back, which does not end with zeros.
Value without_end(const Value& item) {
  if (!is_str(item) && !is_bytes(item)) return item;
  std::string_view text = content_of(item);
  if (!text.ends_with('\0')) return item;
  while (text.ends_with('\0')) text.remove_suffix(1);
  return is_str(item) ? Value(make_str(text)) : Value(make<Bytes>(std::string(text)));
}

}  // namespace

TextPool::TextPool(Values items, std::size_t width, bool wide)
    : Object(Layout::kOther, &type_object()), width_(width), wide_(wide), items_(std::move(items)) {
  if (items_.size() > kFew && packs(items_.size(), content_in(items_), width, wide)) pack();
}

TextPool::TextPool(nd::Array memory, std::size_t width, bool wide)
    : Object(Layout::kOther, &type_object()),
      width_(width),
      count_(static_cast<std::size_t>(memory.size()) / width),
      wide_(wide),
      memory_(std::move(memory)) {}

Rows TextPool::rows() const { return {memory_.data(), width_, count_, wide_}; }

namespace {

nd::Array packed(std::span<const Value> items, std::size_t width, bool wide) {
  nd::Array memory = text_memory(items.size(), width);
  std::byte* row = memory.mutable_data();
  for (const Value& item : items) {
    text_rows::write(content_of(item), wide, row, width);
    row += width;
  }
  return memory;
}

}  // namespace

Ref<TextPool> TextPool::of(std::span<const Value> items, std::size_t width, bool wide) {
  if (items.size() > kFew && packs(items.size(), content_in(items), width, wide))
    return make<TextPool>(packed(items, width, wide), width, wide);
  Values kept(items.begin(), items.end());
  if (width > 0) {
    for (Value& item : kept) item = without_end(item);
  }
  return make<TextPool>(std::move(kept), width, wide);
}

Ref<TextPool> TextPool::repeated(const Value& item, std::size_t count, std::size_t width,
                                 bool wide) {
  if (!width || count <= kFew) return make<TextPool>(Values(count, item), width, wide);
  std::string_view text = content_of(item);
  if (text.empty()) {
    nd::Array memory = nd::Array::zeros(text_memory_shape(count, width), DType::kUInt8);
    return make<TextPool>(std::move(memory), width, wide);
  }
  nd::Array row = text_memory(1, width), memory = text_memory(count, width);
  text_rows::write(text, wide, row.mutable_data(), width);
  text_rows::repeat(row.data(), width, count, memory.mutable_data());
  return make<TextPool>(std::move(memory), width, wide);
}

bool TextPool::pack() {
  if (is_packed()) return true;
  if (!width_) return false;
  nd::Array memory = packed({items_.data(), items_.size()}, width_, wide_);
  count_ = items_.size();
  memory_ = std::move(memory);
  items_.clear();
  return true;
}

Value TextPool::item(std::size_t i) const {
  return is_packed() ? text_of_row(rows().row(i), width_, wide_) : items_[i];
}

void TextPool::set_item(std::size_t i, const Value& item) {
  if (is_packed())
    text_rows::write(content_of(item), wide_, mutable_rows() + i * width_, width_);
  else
    Value replaced = std::exchange(items_[i], item);  // which dies when the row is whole
}

Values TextPool::all() const {
  if (!is_packed()) return items_;
  Values made;
  made.reserve(count_);
  Rows all = rows();
  for (std::size_t i = 0; i < count_; ++i) made.push_back(text_of_row(all.row(i), width_, wide_));
  return made;
}

Values TextPool::at(std::span<const std::int64_t> places) const {
  Values made;
  made.reserve(places.size() + 1);
  for (std::int64_t place : places) {
    if (static_cast<std::uint64_t>(place) >= size()) raise(errors::IndexError, "no such place");
    made.push_back(item(static_cast<std::size_t>(place)));
  }
  return made;
}

namespace {

std::int64_t pool_length(const Value& self) {
  return static_cast<std::int64_t>(text_pool_of(self).size());
}

Value pool_get_item(const Value& self, const Value& key) {
  TextPool& pool = text_pool_of(self);
  if (key.has_layout(Layout::kSlice)) return get_item(Value(make_list(pool.all())), key);
  std::int64_t index = index_of_key(key, "list"), size = pool_length(self);
  if (index < 0) index += size;
  if (index < 0 || index >= size) raise(errors::IndexError, "list index out of range");
  return pool.item(static_cast<std::size_t>(index));
}

// A slice is of all elements.
void pool_set_item(const Value& self, const Value& key, const Value& value) {
  TextPool& pool = text_pool_of(self);
  if (key.has_layout(Layout::kSlice)) {
    Ref<List> items = to_list(value);
    if (items->size() != pool.size())
      raise(errors::ValueError, "{} items for {} elements", items->size(), pool.size());
    for (std::size_t i = 0; i < pool.size(); ++i) pool.set_item(i, items->items[i]);
    return;
  }
  std::int64_t index = index_of_key(key, "list"), size = pool_length(self);
  if (index < 0) index += size;
  if (value.is_empty() || index < 0 || index >= size)
    raise(errors::IndexError, "list assignment index out of range");
  pool.set_item(static_cast<std::size_t>(index), value);
}

Value pool_iterate(const Value& self) {
  return make_list_iterator(Value(make_list(text_pool_of(self).all())));
}

}  // namespace

Type& TextPool::type_object() {
  static Type& type = []() -> Type& {
    Type& made = new_type("text_pool", Type::object_type());
    made.slots.length = pool_length;
    made.slots.get_item = pool_get_item;
    made.slots.set_item = pool_set_item;
    made.slots.iterate = pool_iterate;
    return made;
  }();
  return type;
}

Value make_text_pool(const Parameters& p) {
  auto width = static_cast<std::size_t>(to_int64(p[1]));
  bool wide = truth(p[2]);
  if (!is_text_pool(p[0])) return TextPool::of(items_of(p[0]), width, wide);
  TextPool& pool = text_pool_of(p[0]);
  bool objects = pool.width() == 0;  // which are to stay so
  if (pool.is_wide() == wide && (objects || pool.width() == width)) return p[0];
  if (!pool.is_packed() || !width || pool.is_wide() != wide)
    return make<TextPool>(pool.all(), width, wide);
  nd::Array memory = text_memory(pool.size(), width);
  text_rows::change_width(pool.rows(), memory.mutable_data(), width);
  return make<TextPool>(std::move(memory), width, wide);
}

Value repeated_texts(const Parameters& p) {
  return TextPool::repeated(p[0], static_cast<std::size_t>(to_int64(p[1])),
                            static_cast<std::size_t>(to_int64(p[2])), truth(p[3]));
}

Value make_text_pool_over(const Parameters& p) {
  auto width = static_cast<std::size_t>(to_int64(p[1]));
  return make<TextPool>(to_array(p[0]).contiguous(DType::kUInt8), width, truth(p[2]));
}

Value packed_memory(const Parameters& p) {
  if (!is_text_pool(p[0])) return Value::none();
  TextPool& pool = text_pool_of(p[0]);
  if (!(truth(p[1]) ? pool.pack() : pool.is_packed())) return Value::none();
  return wrap(pool.memory());
}

}  // namespace strider::lang
