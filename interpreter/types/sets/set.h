// Set and FrozenSet: hash tables of values. Probing, growth and so iteration order follow CPython's
// setobject, so that small-integer sets print in the same order.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/runtime/memory/collector.h"
#include "interpreter/runtime/type/slots.h"
#include "interpreter/runtime/value/value.h"

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
  bool contains(const Value& key, std::int64_t hash) const {
    return used_ > 0 && !find_entry(key, hash)->key.is_empty();
  }
  // Adds to `result` the keys that both have, those of `other` as they are there.
  void intersect(const Set& other, Set& result) const;
  bool add(const Value& key);  // false if it was there
  bool add(const Value& key, std::int64_t hash);
  bool erase(const Value& key);  // false if it was not
  bool erase(const Value& key, std::int64_t hash);
  void clear();
  // Adds all items of any iterable; sets and dicts without hashing again.
  void update(const Value& iterable);
  void update(const Set& other);
  // Takes over the items of another set in their order; that one gets those that were here.
  void exchange(Set& other);
  // Makes the table smaller where more than a quarter of it are places of deleted keys.
  void drop_deleted();
  // Removes and returns some item. Not for empty sets.
  Value pop();
  const std::vector<Entry>& entries() const { return table_; }  // skip Empty keys
  std::int64_t hash() const;                                    // of a frozenset; order-independent

  void traverse(Visitor& visitor) override;
  void clear_references() override;

 private:
  bool is_dummy(const Entry& entry) const { return entry.hash == kDummyHash; }
  // The entry of the key, or the free entry where it would go; most are where they are looked for
  // first.
  Entry* find_entry(const Value& key, std::int64_t hash, Entry** deleted = nullptr) const {
    Entry& first = table_[static_cast<std::size_t>(hash) & (table_.size() - 1)];
    if (first.key.is_empty() ? !is_dummy(first) : first.hash == hash && identical(first.key, key))
      return &first;
    return search(key, hash, deleted);
  }
  Entry* search(const Value& key, std::int64_t hash, Entry** deleted) const;
  bool compare_key(Value candidate, const Value& key, std::size_t place, bool& same) const;
  void insert_clean(Value key, std::int64_t hash);
  void resize(std::size_t wanted);

  static constexpr std::int64_t kDummyHash = -1;  // no hash is -1
  mutable std::vector<Entry> table_;
  std::size_t used_ = 0;
  std::size_t filled_ = 0;  // used and deleted
  std::size_t finger_ = 0;  // where pop() goes on searching
  mutable std::int64_t hash_ = -1;
  std::uint64_t version_ = 0;  // changes when a key is added or removed
};

Ref<Set> make_set();
// left OP right of two sets for | & - ^; the result has left's kind. Empty for other operators.
Value set_binary(BinaryOperator op, const Value& left, const Value& right);
inline bool is_set(const Value& value) {
  return value.has_layout(Layout::kSet) || value.has_layout(Layout::kFrozenSet);
}

}  // namespace strider::lang
