// What the loops over boxed elements share: lists as operands of any length, arrays of results.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/runtime/program/module.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

extern const NativeModule kElementListsModule;
extern const NativeModule kElementOrderModule;
extern const NativeModule kElementTextsModule;
extern const NativeModule kElementTimesModule;

// The items of a list or a tuple; TypeError for others.
std::span<const Value> items_of(const Value& list);

// Items of which the first one repeats where there is one.
class RepeatedItems {
 public:
  explicit RepeatedItems(const Value& list) : items_(items_of(list)) {}
  std::size_t size() const { return items_.size(); }
  const Value& operator[](std::size_t i) const { return items_[items_.size() == 1 ? 0 : i]; }

 private:
  std::span<const Value> items_;
};

// How many results lists of these lengths give; ValueError where they do not go together.
std::size_t common_size(std::size_t first, std::size_t second);

inline bool is_exact_text(const Value& value) {
  return is_str(value) && value.as<Str>()->is_exact();
}

// Views of the elements where all are texts, or all are bytes; empty otherwise. Bytes of UTF-8 are
// ordered as the code points that they stand for.
bool view_texts(std::span<const Value> items, std::vector<std::string_view>& views);

// quicken(array, text_dtype, bytes_dtype, object_dtype, text, bytes, known, make_dtype, objects):
// these classes are those of boxed arrays, which are subscripted, compared and copied natively from
// now on; known has dtypes by the texts that named them, make_dtype(class, length) makes those of
// texts, objects is that of objects.
Value quicken(const Parameters& p);
// quicken_time_arrays(array, moment_dtype, span_dtype, dtypes): the same of arrays of times, for
// reading, and of their operators; dtypes are those made so far, by kind and unit.
Value quicken_time_arrays(const Parameters& p);
// quicken_records(array, record, dtype, attribute_array, attribute_record): the same of arrays of
// records, and of fields of single ones.
Value quicken_records(const Parameters& p);
// show_records(array): the records of an array of the class that quicken_records() was told.
Value show_records(const Parameters& p);
// shape_of(array), rank_of(array), size_of(array): of an array that has places.
Value shape_of_boxed(const Parameters& p);
Value rank_of_boxed(const Parameters& p);
Value size_of_boxed(const Parameters& p);
// address(array): where the memory of a native array begins; None of others.
Value address_of(const Parameters& p);
// show_items(array): the scalars of an array of texts or bytes, as a list.
Value show_items(const Parameters& p);
// show_times(counts, cls, unit): the scalars of an array of counts.
Value show_times(const Parameters& p);

// The numbers, float64 or int64, that plain decimal texts or bytes stand for; a null array where
// one is written otherwise.
nd::Array read_plain_numbers(std::span<const Value> items, nd::DType dtype);
nd::Array read_plain_numbers(const std::vector<std::string_view>& texts, nd::DType dtype);

// The places of texts in ascending order; of equal ones the first comes first.
std::vector<std::uint32_t> order_texts(const std::vector<std::string_view>& views);

// The same as an array of int64; quicker where many are alike.
nd::Array order_of_views(const std::vector<std::string_view>& views);

// Negative, zero or positive, as their bytes are ordered.
int order_of(std::string_view a, std::string_view b);

}  // namespace strider::lang
