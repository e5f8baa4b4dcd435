// Set as data: open addressing with short linear runs. The order of iteration is CPython's.
#include "interpreter/types/sets/set.h"

#include <algorithm>

#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::size_t kSmallestTable = 8;
constexpr std::size_t kLinearProbes = 9;
constexpr std::size_t kLargeSet = 50000;

std::int64_t hash_of(const Value& key) {
  if (is_str(key) && key.as<Str>()->is_exact()) return key.as<Str>()->hash();
  return hash(key);
}

bool is_exact_str(const Value& key) { return is_str(key) && key.as<Str>()->is_exact(); }

// The places where a key may stand: a short linear run, then a jump, and so on.
class Probe {
 public:
  Probe(std::int64_t hash, std::size_t table_size)
      : mask_(table_size - 1), rest_(static_cast<std::size_t>(hash)), start_(rest_ & mask_) {
    begin_run();
  }
  std::size_t place() const { return place_; }
  void step() {
    if (left_ > 0) {
      --left_;
      ++place_;
      return;
    }
    rest_ >>= 5;
    start_ = (start_ * 5 + 1 + rest_) & mask_;
    begin_run();
  }

 private:
  void begin_run() {
    place_ = start_;
    left_ = start_ + kLinearProbes <= mask_ ? kLinearProbes : 0;
  }
  std::size_t mask_, rest_, start_, place_ = 0, left_ = 0;
};

}  // namespace

Set::Set(bool frozen, Type* type)
    : Container(frozen ? Layout::kFrozenSet : Layout::kSet, type     ? type
                                                            : frozen ? &frozenset_type()
                                                                     : &set_type()) {}

Ref<Set> make_set() { return make<Set>(); }

// `deleted`: the last place on the way
// whose key was deleted, as CPython uses it again. Comparing may change the set: the search then
// starts again, unless it goes on from the same key.
Set::Entry* Set::search(const Value& key, std::int64_t hash, Entry** deleted) const {
  for (Probe probe(hash, table_.size());;) {
    Entry& entry = table_[probe.place()];
    if (entry.key.is_empty()) {
      if (!is_dummy(entry)) return &entry;
      if (deleted) *deleted = &entry;
    } else if (entry.hash == hash) {
      if (identical(entry.key, key)) return &entry;
      bool texts = is_exact_str(key) && is_exact_str(entry.key);
      if (texts && text_of(key) == text_of(entry.key)) return &entry;
      bool same = false;
      std::uint64_t version = version_;
      bool stays = texts || compare_key(entry.key, key, probe.place(), same);
      if (same && stays) return &table_[probe.place()];
      if (version != version_ && deleted) *deleted = nullptr;
      if (!stays) {
        probe = Probe(hash, table_.size());
        continue;
      }
    }
    probe.step();
  }
}

// Whether the key at a place equals another one. False where comparing has put something else
// there: the search for the other one has to start again.
bool Set::compare_key(Value candidate, const Value& key, std::size_t place, bool& same) const {
  std::size_t size = table_.size();
  same = equal(candidate, key);
  if (size == table_.size() && identical(table_[place].key, candidate)) return true;
  if (table_.empty()) table_.resize(kSmallestTable);
  return false;
}

bool Set::contains(const Value& key) const { return contains(key, hash_of(key)); }

// Comparing may change both sets, so places are counted and keys are held.
void Set::intersect(const Set& other, Set& result) const {
  for (std::size_t i = 0; used_ > 0 && i < other.table_.size(); ++i) {
    Entry entry = other.table_[i];
    if (!entry.key.is_empty() && !find_entry(entry.key, entry.hash)->key.is_empty())
      result.add(entry.key, entry.hash);
  }
}

bool Set::add(const Value& key) { return add(key, hash_of(key)); }

bool Set::add(const Value& key, std::int64_t hash) {
  if (table_.empty()) table_.resize(kSmallestTable);
  Entry* deleted = nullptr;
  Entry* entry = find_entry(key, hash, &deleted);
  if (!entry->key.is_empty()) return false;
  if (deleted) entry = deleted;
  entry->key = key;
  entry->hash = hash;
  ++used_;
  ++version_;
  hash_ = -1;
  if (deleted) return true;
  ++filled_;
  if (filled_ * 5 >= (table_.size() - 1) * 3) resize(used_ > kLargeSet ? used_ * 2 : used_ * 4);
  return true;
}

bool Set::erase(const Value& key) { return erase(key, hash_of(key)); }

bool Set::erase(const Value& key, std::int64_t hash) {
  if (used_ == 0) return false;
  Entry* entry = find_entry(key, hash);
  if (entry->key.is_empty()) return false;
  Value dropped = std::move(entry->key);
  entry->hash = kDummyHash;
  --used_;
  ++version_;
  hash_ = -1;
  return true;
}

Value Set::pop() {
  finger_ &= table_.size() - 1;
  while (table_[finger_].key.is_empty()) finger_ = (finger_ + 1) & (table_.size() - 1);
  Entry& entry = table_[finger_++];
  Value result = std::move(entry.key);
  entry.hash = kDummyHash;
  --used_;
  ++version_;
  hash_ = -1;
  return result;
}

void Set::clear() {
  std::vector<Entry> dropped;
  dropped.swap(table_);
  used_ = filled_ = finger_ = 0;
  ++version_;
  hash_ = -1;
}

// For keys known to be new, in a table without deleted entries.
void Set::insert_clean(Value key, std::int64_t hash) {
  Probe probe(hash, table_.size());
  while (!table_[probe.place()].key.is_empty()) probe.step();
  Entry& entry = table_[probe.place()];
  entry.key = std::move(key);
  entry.hash = hash;
}

void Set::resize(std::size_t wanted) {
  std::size_t size = kSmallestTable;
  while (size <= wanted) size *= 2;
  std::vector<Entry> old(size);
  old.swap(table_);
  for (Entry& entry : old)
    if (!entry.key.is_empty()) insert_clean(std::move(entry.key), entry.hash);
  filled_ = used_;
  ++version_;
}

void Set::exchange(Set& other) {
  table_.swap(other.table_);
  std::swap(used_, other.used_);
  std::swap(filled_, other.filled_);
  hash_ = other.hash_ = -1;
  ++version_;
  ++other.version_;
}

void Set::drop_deleted() {
  if (!table_.empty() && filled_ - used_ > (table_.size() - 1) / 4)
    resize(used_ > kLargeSet ? used_ * 2 : used_ * 4);
}

void Set::update(const Set& other) {
  if (&other == this || other.used_ == 0) return;
  if (table_.empty()) table_.resize(kSmallestTable);
  if ((filled_ + other.used_) * 5 >= (table_.size() - 1) * 3) resize((used_ + other.used_) * 2);
  if (filled_ > 0) {
    for (std::size_t i = 0; i < other.table_.size(); ++i) {
      Entry entry = other.table_[i];
      if (!entry.key.is_empty()) add(entry.key, entry.hash);
    }
    return;
  }
  if (table_.size() == other.table_.size() && other.filled_ == other.used_) {
    table_ = other.table_;
  } else {
    for (const Entry& entry : other.table_)
      if (!entry.key.is_empty()) insert_clean(entry.key, entry.hash);
  }
  used_ = filled_ = other.used_;
  ++version_;
  hash_ = -1;
}

void Set::update(const Value& iterable) {
  if (is_set(iterable)) return update(*iterable.as<Set>());
  if (is_dict(iterable) && iterable.object()->type() == &Dict::type_object()) {
    const Dict& dict = *iterable.as<Dict>();
    if (table_.empty()) table_.resize(kSmallestTable);
    if ((filled_ + dict.size()) * 5 >= (table_.size() - 1) * 3) resize((used_ + dict.size()) * 2);
    for (std::size_t i = 0; i < dict.entries().size(); ++i) {
      Dict::Entry entry = dict.entries()[i];
      if (!entry.key.is_empty()) add(entry.key, entry.hash);
    }
    return;
  }
  Iteration iteration(iterable);
  Value item;
  while (iteration.next(item)) add(item);
}

std::int64_t Set::hash() const {
  if (hash_ != -1) return hash_;
  std::uint64_t state = 0;
  for (const Entry& entry : table_) {
    if (entry.key.is_empty()) continue;
    auto bits = static_cast<std::uint64_t>(entry.hash);
    state ^= ((bits ^ 89869747u) ^ (bits << 16)) * 3644798167u;
  }
  state ^= (used_ + 1) * 1927868237u;
  state ^= (state >> 11) ^ (state >> 25);
  state = state * 69069u + 907133923u;
  hash_ = state == ~std::uint64_t{0} ? 590923713 : static_cast<std::int64_t>(state);
  return hash_;
}

void Set::traverse(Visitor& visitor) {
  for (const Entry& entry : table_) visitor.visit(entry.key);
}

void Set::clear_references() { clear(); }

}  // namespace strider::lang
