// Tuple and List, and the index and slice arithmetic that all sequences share.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "interpreter/runtime/memory/collector.h"
#include "interpreter/runtime/value/value.h"
#include "interpreter/runtime/value/values.h"

namespace strider::lang {

// Its items stand in the same block of memory, behind the object: see make_tuple_of().
class Tuple : public Container {
 public:
  // `place`: memory behind the object for `size` items, which become Empty; the maker fills them.
  // A null type: tuple itself.
  Tuple(Value* place, std::size_t size, Type* type);
  ~Tuple() override;
  static void operator delete(Tuple* tuple, std::destroying_delete_t);
  static Type& type_object();
  // Of class tuple itself, not of a subclass.
  bool is_exact() const { return flags_ & 1; }
  std::size_t size() const { return size_; }
  const Value& operator[](std::size_t index) const { return items_[index]; }
  std::span<const Value> items() const { return {items_, size_}; }
  // For whoever makes the tuple, before anybody else sees it.
  Value* places() { return items_; }
  void traverse(Visitor& visitor) override;
  void clear_references() override;

 private:
  Value* const items_;
  const std::size_t size_;
};

// A tuple of C++ class T (Tuple or derived) with `size` Empty items.
template <class T = Tuple>
Ref<T> make_tuple_of(std::size_t size, Type* type = nullptr) {
  void* memory = pool::allocate(sizeof(T) + size * sizeof(Value));
  auto* place = reinterpret_cast<Value*>(static_cast<char*>(memory) + sizeof(T));
  return Ref<T>(::new (memory) T(place, size, type));
}

class List : public Container {
 public:
  explicit List(Values items = {}, Type* type = nullptr);
  static Type& type_object();
  // Of class list itself, not of a subclass.
  bool is_exact() const { return flags_ & 1; }
  std::size_t size() const { return items.size(); }
  void traverse(Visitor& visitor) override;
  void clear_references() override;
  Values items;
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

Ref<Tuple> make_tuple(Values&& items);
Ref<Tuple> make_tuple(std::span<const Value> items);
inline Ref<Tuple> make_tuple(const Values& items) {
  return make_tuple(std::span<const Value>(items));
}
inline Ref<Tuple> make_tuple(std::span<Value> items) {
  return make_tuple(std::span<const Value>(items));
}
inline Ref<Tuple> make_tuple(std::initializer_list<Value> items) {
  return make_tuple(std::span<const Value>(items.begin(), items.size()));
}
// (first, second)
Ref<Tuple> make_pair(Value first, Value second);
// An instance of `type`, which is tuple or a subclass of it.
Ref<Tuple> make_tuple_instance(Type* type, std::span<const Value> items);

// The tuples that an iterator gives one after the other: as long as nobody kept the last one, it is
// filled anew.
class TupleStream {
 public:
  // Whether next() will give the last tuple again, with its items.
  bool reuses(std::size_t size) const {
    return last_ && last_->references() == 1 && last_->size() == size;
  }
  // A tuple of `size` items for the iterator to fill: Empty ones, or those of last time.
  Ref<Tuple> next(std::size_t size) {
    if (!reuses(size)) last_ = make_tuple_of(size);
    return last_;
  }
  Ref<Tuple> next_pair(Value first, Value second) {
    Ref<Tuple> tuple = next(2);
    tuple->places()[0] = std::move(first);
    tuple->places()[1] = std::move(second);
    return tuple;
  }
  void traverse(Visitor& visitor) const { visitor.visit(last_); }

 private:
  Ref<Tuple> last_;
};

Ref<Tuple> empty_tuple();
Ref<List> make_list(Values items = {});
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
