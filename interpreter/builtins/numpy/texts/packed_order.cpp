// Packed texts sorted, and numbers read from them.
#include <cstring>
#include <optional>

#include "interpreter/builtins/numpy/elements/quick_order.h"
#include "interpreter/builtins/numpy/texts/packed_elements.h"

namespace strider::lang {

using nd::DType;
using text_rows::Views;

bool TextViews::read(const Value& value) {
  if (packed_.read_packed(value)) return read_rows(packed_.rows);
  if (is_text_pool(value) && text_pool_of(value).is_packed())
    return read_rows(text_pool_of(value).rows());
  if (!boxed_parts::is_plain(value) && !is_text_pool(value) && !is_list(value)) return false;
  std::span<const Value> items;
  if (boxed_parts::is_plain(value)) {
    if (!boxed_parts::holds_texts(value)) return false;
    items = boxed_items(value, kept_);
  } else {
    items = is_text_pool(value) ? std::span<const Value>(text_pool_of(value).items().data(),
                                                         text_pool_of(value).size())
                                : items_of(value);
  }
  if (items.empty() || !view_texts(items, own_)) return false;
  wide_ = is_str(items[0]);
  return true;
}

bool TextViews::read_rows(const text_rows::Rows& rows) {
  wide_ = rows.wide;
  packed_views_.emplace(rows);
  return packed_views_->complete();
}

nd::Array order_packed(const Value& self) {
  TextViews texts;
  if (!packed_pool_of(self) || !texts.read(self)) return {};
  return order_of_views(texts.all());
}

nd::Array quick_order_packed(const Value& self) {
  TextViews texts;
  if (!packed_pool_of(self) || !texts.read(self)) return {};
  const auto& views = texts.all();
  return left_by_quicksort(order_of_views(views), [&](std::int64_t a, std::int64_t b) {
    return views[static_cast<std::size_t>(a)] == views[static_cast<std::size_t>(b)];
  });
}

bool sort_packed(const Value& self) {
  TextPool* pool = packed_pool_of(self);
  PackedTexts texts;
  nd::Array order = pool ? order_packed(self) : nd::Array();
  if (!order || !texts.read_packed(self)) return false;
  nd::Array sorted = text_memory(texts.rows.count, texts.rows.width);
  auto count = static_cast<std::size_t>(order.size());
  if (!text_rows::gather(texts.rows, order.as<std::int64_t>(), count, sorted.mutable_data()))
    return false;
  nd::Array places = boxed_parts::places_of(self).contiguous(DType::kInt64);
  text_rows::Rows rows{sorted.data(), texts.rows.width, count, texts.rows.wide};
  return text_rows::scatter(rows, places.as<std::int64_t>(), count, pool->mutable_rows(),
                            pool->width(), pool->size());
}

}  // namespace strider::lang
