// Arrays of texts and bytes whose elements lie packed: read, copied, picked, stored, joined and
// compared as memory. Every function gives Empty, or false, for all others.
#pragma once

#include <strider/nd/ops.h>

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/builtins/numpy/elements/boxed_parts.h"
#include "interpreter/builtins/numpy/texts/text_pool.h"

namespace strider::lang {

// The pool of an array of texts of numpy's own class where it is packed; null for others.
TextPool* packed_pool_of(const Value& self);

// Elements in C order: of a packed array, or of what goes with one: a single text, an array of few.
struct PackedTexts {
  PackedTexts() = default;
  PackedTexts(const PackedTexts&) = delete;

  bool read_packed(const Value& self);
  // Arrays of texts of any form, and single plain texts.
  bool read(const Value& value);
  bool repeats() const { return rows.count == 1 && shape.size() == 0; }

  text_rows::Rows rows;
  nd::Array memory;  // where they lie
  nd::Dims shape;
  Value dtype;  // Empty of a single text

 private:
  void align();  // moves characters of four bytes to where they may stand
};

// An item of a list or of a pool of texts; Empty where there is none.
Value pool_item(const Value& pool, std::int64_t place);
// Whether the places of a view follow one upon the other, so that its elements lie together.
bool lie_together(const nd::Array& places, std::size_t& first);
// The array of elements that lie in memory, of the width of its dtype; few become objects.
Value make_packed(nd::Array memory, const nd::Dims& shape, const Value& dtype);

Value copy_packed(const Value& self);
// The elements at places in the pool.
Value pick_packed(const Value& self, const nd::Array& places);
// array[key] of an array of one axis that is no view, by whole numbers.
Value take_packed(const Value& self, const nd::Array& key);
// array[key] = value
bool store_packed(const Value& self, const nd::Array& targets, const Value& value);
bool fill_packed(const Value& self, const Value& value);
// Arrays of one kind, of which one at least is packed, one after the other along a line.
Value join_packed(std::span<const Value> arrays, const Value& dtype);
// Pairs of texts joined, where an operand is packed.
Value add_packed(const Value& first, const Value& second);
// A comparison, where an operand is packed.
Value compare_packed(nd::Op op, const Value& first, const Value& second);
// where(holds, first, second)
Value choose_packed(const nd::Array& holds, const Value& first, const Value& second);

// The places of the elements in ascending order, of a line; a null array of others.
nd::Array order_packed(const Value& self);
nd::Array quick_order_packed(const Value& self);
// Sorts a line in place.
bool sort_packed(const Value& self);

// Views of texts, or of bytes: of the elements of an array, a pool, or a list.
class TextViews {
 public:
  TextViews() = default;
  TextViews(const TextViews&) = delete;
  // False of others, and of nothing.
  bool read(const Value& value);
  bool are_texts() const { return wide_; }
  // Whether all texts are, where they were packed.
  bool is_ascii() const { return packed_views_ && packed_views_->is_ascii(); }
  const std::vector<std::string_view>& all() const {
    return packed_views_ ? packed_views_->all() : own_;
  }

 private:
  bool read_rows(const text_rows::Rows& rows);
  bool wide_ = false;
  PackedTexts packed_;
  Values kept_;
  std::vector<std::string_view> own_;
  std::optional<text_rows::Views> packed_views_;
};

}  // namespace strider::lang
