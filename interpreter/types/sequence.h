// Tuple and List, and the index and slice arithmetic that all sequences share.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "interpreter/runtime/collector.h"
#include "interpreter/runtime/value.h"

namespace strider::lang {

class Tuple : public Container {
 public:
  explicit Tuple(std::vector<Value> items, Type* type = nullptr);
  static Type& type_object();
  std::size_t size() const { return items_.size(); }
  const Value& operator[](std::size_t index) const { return items_[index]; }
  std::span<const Value> items() const { return items_; }
  const std::vector<Value>& vector() const { return items_; }
  void traverse(Visitor& visitor) override;
  void clear_references() override;

 private:
  std::vector<Value> items_;
};

class List : public Container {
 public:
  explicit List(std::vector<Value> items = {}, Type* type = nullptr);
  static Type& type_object();
  std::size_t size() const { return items.size(); }
  void traverse(Visitor& visitor) override;
  void clear_references() override;
  std::vector<Value> items;
};

class Slice : public Object {
 public:
  Slice(Value start, Value stop, Value step);
  static Type& type_object();
  const Value start, stop, step;  // anything; None when absent
};

class Range : public Object {
 public:
  Range(std::int64_t start, std::int64_t stop, std::int64_t step);
  static Type& type_object();
  const std::int64_t start, stop, step;
  std::int64_t size() const;
};

Ref<Tuple> make_tuple(std::vector<Value> items);
Ref<Tuple> make_tuple(std::span<const Value> items);
inline Ref<Tuple> make_tuple(std::span<Value> items) {
  return make_tuple(std::span<const Value>(items));
}
Ref<Tuple> empty_tuple();
Ref<List> make_list(std::vector<Value> items = {});
inline bool is_tuple(const Value& value) { return value.has_layout(Layout::kTuple); }
inline bool is_list(const Value& value) { return value.has_layout(Layout::kList); }

// A slice resolved against a length: positions start, start+step, … (count of them).
struct SliceBounds {
  std::int64_t start, stop, step, count;
};
// slice.indices(length); ValueError "slice step cannot be zero".
SliceBounds resolve_slice(const Slice& slice, std::int64_t length);
// A key as an index into `length` items, negative ones from the end. IndexError "list index out of
// range".
std::size_t resolve_index(const Value& key, std::size_t length, const char* type_name);

}  // namespace strider::lang
