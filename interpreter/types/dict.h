// Dict: a hash table that keeps insertion order. Entries stand in one vector; a table of indices
// finds them (Raymond Hettinger's compact dict).
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/runtime/collector.h"
#include "interpreter/runtime/name.h"
#include "interpreter/runtime/value.h"

namespace strider::lang {

class Dict : public Container {
 public:
  struct Entry {
    Value key;  // Empty: deleted
    Value value;
    std::int64_t hash;
  };

  explicit Dict(Type* type = nullptr);
  static Type& type_object();

  std::size_t size() const { return used_; }
  // The value's place or null; valid until the dict changes. TypeError for unhashable keys.
  Value* find(const Value& key);
  Value* find(Name name);  // fast path for interned strings
  // Inserts or overwrites.
  void set(const Value& key, const Value& value);
  void set(Name name, const Value& value);
  // The place of the key's value, inserted as Empty if new (the caller fills it).
  Value& slot(const Value& key);
  bool erase(const Value& key);
  void clear();
  void reserve(std::size_t count);

  // Walking: entries in insertion order; skip those whose key is Empty.
  const std::vector<Entry>& entries() const { return entries_; }
  Entry& entry(std::size_t index) { return entries_[index]; }
  // Changes when a key is added or removed (not when a value is overwritten).
  std::uint64_t keys_version() const { return keys_version_; }
  // Index of the entry of `name`, or -1: sites cache it and compare entry(index).key.
  std::ptrdiff_t find_index(Name name);

  void traverse(Visitor& visitor) override;
  void clear_references() override;

 private:
  std::ptrdiff_t find_index(const Value& key, std::int64_t hash);
  void insert_new(const Value& key, const Value& value, std::int64_t hash);
  void rebuild(std::size_t wanted);

  std::vector<Entry> entries_;
  std::vector<std::int32_t> table_;  // -1 free, -2 deleted, else entry index
  std::size_t used_ = 0;
  std::uint64_t keys_version_ = 0;
};

Ref<Dict> make_dict();
inline bool is_dict(const Value& value) { return value.has_layout(Layout::kDict); }

}  // namespace strider::lang
