// Set and FrozenSet: hash tables of values. Probing, growth and so iteration order follow CPython's
// setobject, so that small-integer sets print in the same order.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/runtime/collector.h"
#include "interpreter/runtime/value.h"

namespace strider::lang {

class Set : public Container {
 public:
  struct Entry {
    Value key;  // Empty: free or deleted
    std::int64_t hash = 0;
  };

  explicit Set(bool frozen = false, Type* type = nullptr);
  static Type& set_type();
  static Type& frozenset_type();

  std::size_t size() const { return used_; }
  bool contains(const Value& key) const;
  bool add(const Value& key);    // false if it was there
  bool erase(const Value& key);  // false if it was not
  void clear();
  const std::vector<Entry>& entries() const { return table_; }  // skip Empty keys
  std::int64_t hash() const;                                    // of a frozenset; order-independent

  void traverse(Visitor& visitor) override;
  void clear_references() override;

 private:
  std::vector<Entry> table_;
  std::size_t used_ = 0;
  std::size_t filled_ = 0;  // used and deleted
};

Ref<Set> make_set();
inline bool is_set(const Value& value) {
  return value.has_layout(Layout::kSet) || value.has_layout(Layout::kFrozenSet);
}

}  // namespace strider::lang
