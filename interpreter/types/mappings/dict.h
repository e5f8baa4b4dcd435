// Dict: a hash table that keeps insertion order. Entries stand in one vector; a table of indices
// finds them (Raymond Hettinger's compact dict).
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/runtime/memory/collector.h"
#include "interpreter/runtime/value/name.h"
#include "interpreter/runtime/value/value.h"

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
  // As find() and set() where the hash is known.
  Value* find(const Value& key, std::int64_t hash);
  void set(const Value& key, const Value& value, std::int64_t hash);
  // Sets all of another dict's items.
  void update(const Dict& other);
  // Removes the last item; a (key, value) tuple. Not for empty dicts.
  Value pop_last();
  void clear();
  void reserve(std::size_t count);

  // Walking: entries in insertion order; skip those whose key is Empty.
  using Entries = std::vector<Entry, pool::Allocator<Entry>>;
  const Entries& entries() const { return entries_; }
  Entry& entry(std::size_t index) { return entries_[index]; }
  // Changes when a key is added or removed or entries move (not when a value is overwritten). But
  // for 0, of a new dict, no other dict ever has the same.
  std::uint64_t keys_version() const { return keys_version_; }
  // Index of the entry of `name`, or -1: sites cache it and compare entry(index).key.
  std::ptrdiff_t find_index(Name name);

  void traverse(Visitor& visitor) override;
  void clear_references() override;

 private:
  static constexpr std::int32_t kFree = -1, kDeleted = -2;

  std::ptrdiff_t find_index(const Value& key, std::int64_t hash);
  std::ptrdiff_t find_exact_str(const Str& key, std::int64_t hash) const;
  std::ptrdiff_t find_integer(std::int64_t key, std::int64_t hash);
  std::ptrdiff_t find_general(const Value& key, std::int64_t hash);
  template <class Matches>
  std::ptrdiff_t probe(std::int64_t hash, Matches matches) const;
  std::size_t table_place(std::int64_t hash, std::int32_t content) const;
  Value& insert_new(const Value& key, const Value& value, std::int64_t hash);
  void erase_entry(std::size_t index);
  void rebuild(std::size_t wanted);

  Entries entries_;
  // kFree, kDeleted, else entry index; empty: no items yet
  std::vector<std::int32_t, pool::Allocator<std::int32_t>> table_;
  std::size_t used_ = 0;
  std::size_t filled_ = 0;     // places of the table not free: used and deleted
  std::size_t usable_ = 0;     // places that may be filled before the table must be rebuilt
  bool has_odd_keys_ = false;  // some key is neither a plain number nor of class str itself
  std::uint64_t keys_version_ = 0;
};

Ref<Dict> make_dict();
inline bool is_dict(const Value& value) { return value.has_layout(Layout::kDict); }

}  // namespace strider::lang
