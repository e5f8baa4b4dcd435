// Dict as data: the hash table. What the language can do with it stands in dict_type.cpp.
#include "interpreter/types/mappings/dict.h"

#include <algorithm>
#include <optional>

#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict_view.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::size_t kSmallestTable = 8;

std::size_t usable_of(std::size_t table_size) { return table_size * 2 / 3; }

bool is_exact_str(const Value& key) { return is_str(key) && key.as<Str>()->is_exact(); }

std::int64_t hash_of(const Value& key) {
  if (is_exact_str(key)) return key.as<Str>()->hash();
  return hash(key);
}

std::uint64_t next_version() {
  static constinit std::uint64_t latest = 0;
  return ++latest;
}

// The dict, if any, whose next new key goes before all others.
constinit const Dict* filled_from_front = nullptr;

class FillingFromFront {
 public:
  explicit FillingFromFront(const Dict& dict) { filled_from_front = &dict; }
  ~FillingFromFront() { filled_from_front = nullptr; }
  FillingFromFront(const FillingFromFront&) = delete;
  FillingFromFront& operator=(const FillingFromFront&) = delete;
};

// A dead entry in the first place knows, as its hash, a place before which all are dead.
void note_first(Dict& dict, std::size_t place) {
  dict.entry(0).hash = static_cast<std::int64_t>(place);
}

// Steps through the places where a key with this hash may stand, all of the table in the end.
class Probe {
 public:
  Probe(std::int64_t hash, std::size_t table_size)
      : mask_(table_size - 1),
        rest_(static_cast<std::size_t>(hash)),
        place_(static_cast<std::size_t>(hash) & mask_) {}
  std::size_t place() const { return place_; }
  void step() {
    rest_ >>= 5;
    place_ = (place_ * 5 + rest_ + 1) & mask_;
  }

 private:
  std::size_t mask_, rest_, place_;
};

}  // namespace

Dict::Dict(Type* type) : Container(Layout::kDict, type ? type : &type_object()) {}

Ref<Dict> make_dict() { return make<Dict>(); }

template <class Matches>
std::ptrdiff_t Dict::probe(std::int64_t hash, Matches matches) const {
  if (used_ == 0) return -1;
  for (Probe probe(hash, table_.size());; probe.step()) {
    std::int32_t index = table_[probe.place()];
    if (index == kFree) return -1;
    if (index >= 0 && matches(entries_[static_cast<std::size_t>(index)])) return index;
  }
}

std::ptrdiff_t Dict::find_exact_str(const Str& key, std::int64_t hash) const {
  return probe(hash, [&](const Entry& entry) {
    if (entry.key.is_object() && entry.key.object() == &key) return true;
    if (entry.hash != hash) return false;
    if (is_exact_str(entry.key)) return entry.key.as<Str>()->text() == key.text();
    return false;
  });
}

// -1 when an entry of the same hash needs more than a glance: not -1 but kDeleted then.
std::ptrdiff_t Dict::find_integer(std::int64_t key, std::int64_t hash) {
  bool unsure = false;
  std::ptrdiff_t found = probe(hash, [&](const Entry& entry) {
    if (entry.hash != hash) return false;
    if (entry.key.is_int()) return entry.key.as_int() == key;
    return unsure = true;
  });
  return unsure ? kDeleted : found;
}

// Comparing may run code that changes this very dict: then the search starts again, unless it goes
// on from the same key.
std::ptrdiff_t Dict::find_general(const Value& key, std::int64_t hash) {
  if (used_ == 0) return -1;
  for (Probe probe(hash, table_.size());;) {
    std::int32_t index = table_[probe.place()];
    if (index == kFree) return -1;
    if (index >= 0 && entries_[static_cast<std::size_t>(index)].hash == hash) {
      std::size_t size = table_.size();
      Value candidate = entries_[static_cast<std::size_t>(index)].key;
      bool same = equal(candidate, key);
      if (used_ == 0) return -1;
      bool stays = size == table_.size() && table_[probe.place()] == index &&
                   identical(entries_[static_cast<std::size_t>(index)].key, candidate);
      if (stays && same) return index;
      if (!stays) {
        probe = Probe(hash, table_.size());
        continue;
      }
    }
    probe.step();
  }
}

std::ptrdiff_t Dict::find_index(const Value& key, std::int64_t hash) {
  if (is_exact_str(key)) {
    std::ptrdiff_t found = find_exact_str(*key.as<Str>(), hash);
    // Only an instance of a subclass of str could be equal to it and not be found above.
    return found >= 0 || !has_odd_keys_ ? found : find_general(key, hash);
  }
  if (key.is_int()) {
    std::ptrdiff_t found = find_integer(key.as_int(), hash);
    if (found != kDeleted) return found;
  }
  return find_general(key, hash);
}

Value* Dict::find(const Value& key, std::int64_t hash) {
  std::ptrdiff_t index = find_index(key, hash);
  return index < 0 ? nullptr : &entries_[static_cast<std::size_t>(index)].value;
}

Value* Dict::find(const Value& key) { return find(key, hash_of(key)); }

std::ptrdiff_t Dict::find_index(Name name) {
  std::int64_t hash = name->hash();
  std::ptrdiff_t found = find_exact_str(*name, hash);
  return found >= 0 || !has_odd_keys_ ? found : find_general(Value(name), hash);
}

Value* Dict::find(Name name) {
  std::ptrdiff_t index = find_index(name);
  return index < 0 ? nullptr : &entries_[static_cast<std::size_t>(index)].value;
}

void Dict::set(const Value& key, const Value& value, std::int64_t hash) {
  std::ptrdiff_t index = find_index(key, hash);
  if (index < 0) {
    insert_new(key, value, hash);
    return;
  }
  Value old = std::move(entries_[static_cast<std::size_t>(index)].value);
  entries_[static_cast<std::size_t>(index)].value = value;
}

void Dict::set(const Value& key, const Value& value) { set(key, value, hash_of(key)); }

void Dict::set(Name name, const Value& value) { set(Value(name), value, name->hash()); }

Value& Dict::slot(const Value& key) {
  std::int64_t hash = hash_of(key);
  std::ptrdiff_t index = find_index(key, hash);
  if (index >= 0) return entries_[static_cast<std::size_t>(index)].value;
  return insert_new(key, Value(), hash);
}

// The first place on the path of `hash` that holds `content`.
std::size_t Dict::table_place(std::int64_t hash, std::int32_t content) const {
  Probe probe(hash, table_.size());
  while (table_[probe.place()] != content) probe.step();
  return probe.place();
}

Value& Dict::insert_new(const Value& key, const Value& value, std::int64_t hash) {
  Entry entry{key, value, hash};  // key and value may be references into this dict
  bool in_front = filled_from_front == this;
  if (filled_ >= usable_ || (in_front && first_entry(*this) == 0)) rebuild(used_ * 2 + 1);
  std::size_t place = table_place(hash, kFree);
  if (is_str(entry.key) ? !entry.key.as<Str>()->is_exact() : entry.key.is_object())
    has_odd_keys_ = true;
  std::size_t index = in_front ? first_entry(*this) - 1 : entries_.size();
  if (in_front) {
    note_first(*this, index);
    entries_[index] = std::move(entry);
  } else {
    entries_.push_back(std::move(entry));
  }
  table_[place] = static_cast<std::int32_t>(index);
  ++filled_;
  ++used_;
  keys_version_ = next_version();
  return entries_[index].value;
}

// The entry's content dies last, when the dict is whole again.
void Dict::erase_entry(std::size_t index) {
  Entry& entry = entries_[index];
  table_[table_place(entry.hash, static_cast<std::int32_t>(index))] = kDeleted;
  Value key = std::move(entry.key), value = std::move(entry.value);
  if (index == 0) note_first(*this, 1);
  --used_;
  keys_version_ = next_version();
  while (!entries_.empty() && entries_.back().key.is_empty()) entries_.pop_back();
  if (used_ == 0 && filled_ * 2 >= usable_) {
    std::fill(table_.begin(), table_.end(), kFree);
    filled_ = 0;
  }
}

bool Dict::erase(const Value& key) {
  std::ptrdiff_t index = find_index(key, hash_of(key));
  if (index < 0) return false;
  erase_entry(static_cast<std::size_t>(index));
  return true;
}

void Dict::clear() {
  Entries entries;
  entries.swap(entries_);
  table_.clear();
  used_ = filled_ = usable_ = 0;
  has_odd_keys_ = false;
  keys_version_ = next_version();
}

void Dict::reserve(std::size_t count) {
  if (count > usable_) rebuild(count);
}

// Drops deleted entries and makes room for `wanted` items; where they come from the front, as many
// dead entries stay there.
void Dict::rebuild(std::size_t wanted) {
  wanted = std::max(wanted, used_ + 1);
  std::size_t size = kSmallestTable;
  while (usable_of(size) < wanted) size *= 2;
  if (used_ != entries_.size())
    std::erase_if(entries_, [](const Entry& entry) { return entry.key.is_empty(); });
  std::size_t room = filled_from_front == this ? usable_of(size) - used_ : 0;
  if (room) {
    entries_.insert(entries_.begin(), room, Entry{});
    note_first(*this, room);
  }
  table_.assign(size, kFree);
  keys_version_ = next_version();  // entries have moved
  usable_ = usable_of(size);
  filled_ = used_;
  entries_.reserve(usable_);
  for (std::size_t i = room; i < entries_.size(); ++i)
    table_[table_place(entries_[i].hash, kFree)] = static_cast<std::int32_t>(i);
}

std::size_t first_entry(Dict& dict) {
  const Dict::Entries& entries = dict.entries();
  if (entries.empty() || !entries[0].key.is_empty()) return 0;
  auto place = static_cast<std::size_t>(entries[0].hash);
  while (place < entries.size() && entries[place].key.is_empty()) ++place;
  note_first(dict, place);
  return place;
}

Value pop_first(Dict& dict) {
  const Dict::Entry& first = dict.entry(first_entry(dict));
  Ref<Tuple> pair = make_tuple({first.key, first.value});
  dict.erase(Value((*pair)[0]));
  return pair;
}

bool move_to_end(Dict& dict, const Value& key, bool last) {
  Value* place = dict.find(key);
  if (!place) return false;
  std::size_t end = last ? dict.entries().size() - 1 : first_entry(dict);
  if (place == &dict.entry(end).value) return true;
  Value value = *place;
  dict.erase(key);
  std::optional<FillingFromFront> filling;
  if (!last) filling.emplace(dict);
  dict.slot(key) = std::move(value);
  return true;
}

void Dict::update(const Dict& other) {
  if (&other == this) return;
  bool as_it_is = entries_.empty() && other.entries_.size() == other.used_ &&
                  other.filled_ == other.used_;  // nothing was deleted of it
  if (as_it_is && other.used_ > 0) {
    entries_.reserve(other.usable_);
    entries_ = other.entries_;
    table_ = other.table_;
    used_ = other.used_;
    filled_ = other.filled_;
    usable_ = other.usable_;
    has_odd_keys_ = other.has_odd_keys_;
    keys_version_ = next_version();
    return;
  }
  reserve(std::max(used_, other.used_));
  for (std::size_t i = 0; i < other.entries_.size(); ++i) {
    Entry entry = other.entries_[i];
    if (!entry.key.is_empty()) set(entry.key, entry.value, entry.hash);
  }
}

void Dict::traverse(Visitor& visitor) {
  for (const Entry& entry : entries_) {
    visitor.visit(entry.key);
    visitor.visit(entry.value);
  }
}

void Dict::clear_references() { clear(); }

}  // namespace strider::lang
