// NestedSequence: lists of lists (and what looks like them) measured and copied into an array.
// Knows nothing of views: its results are new memory.
#pragma once

#include <strider/nd/array.h>

#include <optional>
#include <vector>

#include "interpreter/runtime/value/value.h"
#include "interpreter/runtime/value/values.h"

namespace strider::lang {

// Whether a 0-d array is of a class with a __float__ of its own, which then decides what number is
// stored for it.
bool converts_itself(const Value& value);

class NestedSequence {
 public:
  explicit NestedSequence(const Value& value) : value_(value) {}
  // The array of all leaves. Without `dtype` the type all leaves promote to; float64 when empty.
  nd::Array to_array(std::optional<nd::DType> dtype);

 private:
  void measure(const Value& value, int depth);
  void measure_leaf(const Value& value, int depth);
  void measure_array(const nd::Array& array, int depth);
  void measure_length(std::int64_t length, int depth);
  void limit_depth(int depth);
  void promote(nd::DType dtype);
  void fill(const Value& value, int depth, std::byte* target);
  void fill_items(const Value& sequence, int depth, std::byte* target);
  void fill_array(const nd::Array& array, int depth, std::byte* target);
  std::int64_t step_at(int depth) const;

  Value value_;
  Values converted_;  // what other objects became, in order of appearance
  std::size_t cursor_ = 0;
  Values pending_;  // leaves that a device computes
  nd::Dims shape_;
  int max_depth_ = nd::kMaxRank;
  bool depth_fixed_ = false;
  bool ragged_ = false;
  std::optional<nd::DType> found_;
  std::optional<nd::DType> wanted_;
  nd::Array result_;
};

}  // namespace strider::lang
