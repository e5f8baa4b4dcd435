// Packed texts as memory: what arrays of them do without making objects.
#include "interpreter/builtins/numpy/texts/packed_elements.h"

#include <algorithm>
#include <cstring>

#include "interpreter/builtins/numpy/texts/text_operands.h"

namespace strider::lang {

using nd::DType;
using text_rows::Rows;
using namespace boxed_parts;

namespace {

bool holds_wide(const Type* dtype_class) { return dtype_class == boxed().text_dtype; }

std::size_t count_of(const nd::Array& array) { return static_cast<std::size_t>(array.size()); }

Rows rows_in(const nd::Array& memory, std::size_t width, std::size_t count, bool wide) {
  return {memory.data(), width, count, wide};
}

}  // namespace

Value pool_item(const Value& pool, std::int64_t place) {
  auto index = static_cast<std::size_t>(place);
  if (is_text_pool(pool))
    return index < text_pool_of(pool).size() ? text_pool_of(pool).item(index) : Value();
  if (!is_list(pool)) return {};
  const Values& items = pool.as<List>()->items;
  return index < items.size() ? items[index] : Value();
}

bool lie_together(const nd::Array& places, std::size_t& first) {
  if (places.size() == 0 || !places.is_c_contiguous()) return false;
  const auto* all = places.as<std::int64_t>();
  first = static_cast<std::size_t>(all[0]);
  return all[places.size() - 1] == all[0] + places.size() - 1 &&
         (places.size() < 3 || all[1] == all[0] + 1);
}

TextPool* packed_pool_of(const Value& self) {
  if (!is_boxed(self)) return nullptr;
  const Value* pool = boxed_part(self, BoxedPart::kPool);
  bool packed = pool && is_text_pool(*pool) && text_pool_of(*pool).is_packed();
  return packed ? &text_pool_of(*pool) : nullptr;
}

bool PackedTexts::read_packed(const Value& self) {
  TextPool* pool = packed_pool_of(self);
  if (!pool) return false;
  const nd::Array& places = places_of(self);
  dtype = dtype_of(self);
  shape = places.shape();
  memory = pool->memory();
  rows = pool->rows();
  std::size_t first = 0;
  if (is_whole(self)) return align(), true;
  if (lie_together(places, first) && first + count_of(places) <= rows.count) {
    rows.bytes += first * rows.width;
    rows.count = count_of(places);
    return align(), true;
  }
  nd::Array order = places.contiguous(DType::kInt64);
  nd::Array picked = text_memory(count_of(order), rows.width);
  if (!text_rows::gather(rows, order.as<std::int64_t>(), count_of(order), picked.mutable_data()))
    return false;
  rows = rows_in(picked, rows.width, count_of(order), rows.wide);
  memory = std::move(picked);
  return true;
}

void PackedTexts::align() {
  if (!rows.wide || reinterpret_cast<std::uintptr_t>(rows.bytes) % 4 == 0) return;
  nd::Array aligned = text_memory(rows.count, rows.width);
  std::memcpy(aligned.mutable_data(), rows.bytes, rows.count * rows.width);
  rows.bytes = aligned.data();
  memory = std::move(aligned);
}

bool PackedTexts::read(const Value& value) {
  if (read_packed(value)) return true;
  Texts texts;
  if (is_list(value) || !read_texts(value, texts) || texts.items.empty()) return false;
  bool wide = holds_wide(texts.kind);
  auto width = static_cast<std::size_t>(letters_of(texts)) * (wide ? 4 : 1);
  memory = text_memory(texts.items.size(), width);
  std::byte* row = memory.mutable_data();
  for (const Value& item : texts.items) {
    std::string_view text;
    if (!view_text(item, text)) return false;
    text_rows::write(text, wide, row, width);
    row += width;
  }
  rows = rows_in(memory, width, texts.items.size(), wide);
  dtype = texts.dtype;
  shape = texts.shape;
  return true;
}

Value make_packed(nd::Array memory, const nd::Dims& shape, const Value& dtype) {
  auto width = static_cast<std::size_t>(item_size(dtype));
  bool wide = holds_wide(type_of(dtype));
  Ref<TextPool> pool = make<TextPool>(std::move(memory), width, wide);
  if (pool->size() <= TextPool::kFew) return make_boxed(pool->all(), shape, dtype);
  return make_boxed_over(Value(pool), shape, dtype);
}

Value copy_packed(const Value& self) {
  if (!packed_pool_of(self)) return {};
  PackedTexts texts;
  if (!texts.read_packed(self)) return {};
  nd::Array memory = text_memory(texts.rows.count, texts.rows.width);
  std::memcpy(memory.mutable_data(), texts.rows.bytes, texts.rows.count * texts.rows.width);
  return make_packed(std::move(memory), texts.shape, texts.dtype);
}

Value pick_packed(const Value& self, const nd::Array& places) {
  TextPool* pool = packed_pool_of(self);
  if (!pool) return {};
  nd::Array order = places.contiguous(DType::kInt64);
  nd::Array memory = text_memory(count_of(order), pool->width());
  if (!text_rows::gather(pool->rows(), order.as<std::int64_t>(), count_of(order),
                         memory.mutable_data()))
    return {};
  return make_packed(std::move(memory), order.shape(), dtype_of(self));
}

Value take_packed(const Value& self, const nd::Array& key) {
  TextPool* pool = packed_pool_of(self);
  if (!pool || !is_whole(self) || places_of(self).rank() != 1 || key.rank() == 0) return {};
  if (key.dtype() != DType::kInt64) return {};
  nd::Array order = key.contiguous();
  const auto* given = order.as<std::int64_t>();
  auto size = static_cast<std::int64_t>(pool->size());
  std::int64_t least = 0;
  for (std::int64_t i = 0; i < order.size(); ++i) least = std::min(least, given[i]);
  if (least < 0) {  // counted from the end
    nd::Array turned = nd::Array::empty(order.shape(), DType::kInt64);
    auto* places = turned.mutable_as<std::int64_t>();
    for (std::int64_t i = 0; i < order.size(); ++i)
      places[i] = given[i] < 0 ? given[i] + size : given[i];
    order = std::move(turned);
  }
  return pick_packed(self, order);
}

// --- Storing ---

namespace {

// A value's elements, none of which lie in the pool; false where it is not of the pool's kind.
bool read_given(const TextPool& pool, const Value& value, PackedTexts& given) {
  if (!given.read(value) || given.rows.wide != pool.is_wide()) return false;
  if (!given.memory.same_storage(pool.memory())) return true;
  nd::Array apart = text_memory(given.rows.count, given.rows.width);
  std::memcpy(apart.mutable_data(), given.rows.bytes, given.rows.count * given.rows.width);
  given.rows.bytes = apart.data();
  given.memory = std::move(apart);
  return true;
}

}  // namespace

bool store_packed(const Value& self, const nd::Array& targets, const Value& value) {
  TextPool* pool = packed_pool_of(self);
  PackedTexts given;
  if (!pool || !read_given(*pool, value, given)) return false;
  if (given.rows.count != 1 && given.shape != targets.shape()) return false;
  nd::Array order = targets.contiguous(DType::kInt64);
  return text_rows::scatter(given.rows, order.as<std::int64_t>(), count_of(order),
                            pool->mutable_rows(), pool->width(), pool->size());
}

bool fill_packed(const Value& self, const Value& value) {
  TextPool* pool = packed_pool_of(self);
  PackedTexts given;
  if (!pool || !is_whole(self) || !read_given(*pool, value, given)) return false;
  if (given.rows.count != 1) {
    if (given.shape != places_of(self).shape()) return false;
    text_rows::change_width(given.rows, pool->mutable_rows(), pool->width());
    return true;
  }
  if (pool->size() == 0) return true;
  text_rows::change_width(given.rows, pool->mutable_rows(), pool->width());
  text_rows::repeat(pool->rows().bytes, pool->width(), pool->size(), pool->mutable_rows());
  return true;
}

// --- Joining ---

Value join_packed(std::span<const Value> arrays, const Value& dtype) {
  auto width = static_cast<std::size_t>(item_size(dtype));
  bool wide = holds_wide(type_of(dtype));
  if (type_of(dtype) == boxed().object_dtype || width == 0) return {};
  if (std::none_of(arrays.begin(), arrays.end(), packed_pool_of)) return {};
  std::size_t total = 0;
  for (const Value& each : arrays) total += count_of(places_of(each));
  nd::Array memory = text_memory(total, width);
  std::byte* place = memory.mutable_data();
  for (const Value& each : arrays) {
    PackedTexts texts;
    if (count_of(places_of(each)) == 0) continue;
    if (!texts.read(each) || texts.rows.wide != wide) return {};
    text_rows::change_width(texts.rows, place, width);
    place += texts.rows.count * width;
  }
  return make_packed(std::move(memory), nd::Dims{static_cast<std::int64_t>(total)}, dtype);
}

// --- Comparison ---

namespace {

// Two operands of one kind and shape, or one of which repeats, and one of them packed.
struct PackedPair {
  PackedTexts first, second;
  nd::Dims shape;

  bool read(const Value& a, const Value& b) {
    if (!first.read(a) || !second.read(b) || first.rows.wide != second.rows.wide) return false;
    bool plain = first.shape == second.shape || first.repeats() || second.repeats();
    shape = first.shape.size() >= second.shape.size() ? first.shape : second.shape;
    return plain && shape.size() > 0 && first.rows.count && second.rows.count;
  }
  // Brings a repeated element to the other's width, where it fits.
  void match() {
    for (auto [one, other] : {std::pair(&first, &second), std::pair(&second, &first)}) {
      if (!one->repeats() || one->rows.width >= other->rows.width) continue;
      nd::Array row = text_memory(1, other->rows.width);
      text_rows::change_width(one->rows, row.mutable_data(), other->rows.width);
      one->rows = rows_in(row, other->rows.width, 1, one->rows.wide);
      one->memory = std::move(row);
    }
  }
};

template <class Says>
void order_rows(const Rows& a, const Rows& b, bool* results, Says says) {
  std::size_t count = std::max(a.count, b.count);
  std::size_t a_step = a.count == 1 ? 0 : a.width, b_step = b.count == 1 ? 0 : b.width;
  for (std::size_t i = 0; i < count; ++i)
    results[i] = says(
        text_rows::order(a.bytes + i * a_step, a.width, b.bytes + i * b_step, b.width, a.wide));
}

bool compare_rows(nd::Op op, const Rows& a, const Rows& b, bool* results) {
  switch (op) {
    case nd::Op::kEqual:
    case nd::Op::kNotEqual:
      text_rows::equal(a, b, results);
      if (op == nd::Op::kNotEqual)
        for (std::size_t i = 0; i < std::max(a.count, b.count); ++i) results[i] = !results[i];
      return true;
    case nd::Op::kLess:
      return order_rows(a, b, results, [](int order) { return order < 0; }), true;
    case nd::Op::kLessEqual:
      return order_rows(a, b, results, [](int order) { return order <= 0; }), true;
    case nd::Op::kGreater:
      return order_rows(a, b, results, [](int order) { return order > 0; }), true;
    case nd::Op::kGreaterEqual:
      return order_rows(a, b, results, [](int order) { return order >= 0; }), true;
    default:
      return false;
  }
}

}  // namespace

Value compare_packed(nd::Op op, const Value& first, const Value& second) {
  if (!packed_pool_of(first) && !packed_pool_of(second)) return {};
  PackedPair pair;
  if (!pair.read(first, second)) return {};
  pair.match();
  nd::Array made = nd::Array::empty(pair.shape, DType::kBool);
  if (!compare_rows(op, pair.first.rows, pair.second.rows, made.mutable_as<bool>())) return {};
  return wrap(std::move(made));
}

Value add_packed(const Value& first, const Value& second) {
  if (!packed_pool_of(first) && !packed_pool_of(second)) return {};
  PackedPair pair;
  if (!pair.read(first, second)) return {};
  const Rows &a = pair.first.rows, &b = pair.second.rows;
  std::size_t width = a.width + b.width, count = std::max(a.count, b.count);
  nd::Array memory = text_memory(count, width);
  text_rows::add(a, b, memory.mutable_data());
  Value dtype = text_dtype(a.wide ? *boxed().text_dtype : *boxed().bytes_dtype,
                           static_cast<std::int64_t>(a.wide ? width / 4 : width));
  return make_packed(std::move(memory), pair.shape, dtype);
}

// --- Choice ---

Value choose_packed(const nd::Array& holds, const Value& first, const Value& second) {
  if (count_of(holds) <= TextPool::kFew) return {};
  PackedTexts a, b;
  if (!a.read(first) || !b.read(second) || a.rows.wide != b.rows.wide) return {};
  for (const PackedTexts* each : {&a, &b})
    if (!each->repeats() && each->shape != holds.shape()) return {};
  std::size_t width = std::max(a.rows.width, b.rows.width);
  for (PackedTexts* each : {&a, &b}) {
    if (each->rows.width == width) continue;
    nd::Array wider = text_memory(each->rows.count, width);
    text_rows::change_width(each->rows, wider.mutable_data(), width);
    each->rows = rows_in(wider, width, each->rows.count, each->rows.wide);
    each->memory = std::move(wider);
  }
  nd::Array made = text_memory(count_of(holds), width), conditions = holds.contiguous();
  text_rows::choose(conditions.as<bool>(), count_of(holds), a.rows, b.rows, made.mutable_data());
  bool wide = a.rows.wide;
  Value dtype = text_dtype(wide ? *boxed().text_dtype : *boxed().bytes_dtype,
                           static_cast<std::int64_t>(a.rows.wide ? width / 4 : width));
  return make_packed(std::move(made), holds.shape(), dtype);
}

}  // namespace strider::lang
