// Iterators over the keys, values or items of a dict.
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/value/value_rows.h"
#include "interpreter/types/mappings/dict_view.h"
#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

Type* iterator_type(DictPart part, bool reversed) {
  static Type* const types[] = {
      make_iterator_type("dict_keyiterator"),
      make_iterator_type("dict_valueiterator"),
      make_iterator_type("dict_itemiterator"),
      make_iterator_type("dict_reversekeyiterator"),
      make_iterator_type("dict_reversevalueiterator"),
      make_iterator_type("dict_reverseitemiterator"),
  };
  return types[static_cast<int>(part) + (reversed ? 3 : 0)];
}

class DictIterator final : public Iterator {
 public:
  DictIterator(Dict* dict, DictPart part, bool reversed)
      : Iterator(iterator_type(part, reversed)),
        dict_(dict),
        size_(dict->size()),
        left_(dict->size()),
        index_(reversed ? dict->entries().size() : first_entry(*dict)),
        part_(part),
        reversed_(reversed) {}

  bool advance(Value& item) override {
    const Dict::Entry* entry = next_entry();
    if (!entry) return false;
    if (part_ == DictPart::kItems)
      item = stream_.next_pair(entry->key, entry->value);
    else
      item = part_ == DictPart::kKeys ? entry->key : entry->value;
    return true;
  }
  bool append_rest(Values& items) override {
    if (!reversed_ && part_ != DictPart::kItems && dict_ && dict_->size() == size_ && index_ == 0) {
      append_parts(items);
      return true;
    }
    while (const Dict::Entry* entry = next_entry())
      if (part_ == DictPart::kItems)
        items.push_back(make_pair(entry->key, entry->value));
      else
        items.push_back(part_ == DictPart::kKeys ? entry->key : entry->value);
    return true;
  }
  std::size_t part_count() const override { return part_ == DictPart::kItems ? 2 : 0; }
  bool advance_parts(Value* parts) override {
    const Dict::Entry* entry = next_entry();
    if (!entry) return false;
    parts[0] = entry->key;
    parts[1] = entry->value;
    return true;
  }
  std::int64_t remaining() const override {
    return dict_ && dict_->size() == size_ ? static_cast<std::int64_t>(left_) : 0;
  }
  Value reduced() override {
    Ref<Dict> dict = dict_;
    std::size_t left = left_, index = index_;
    Values items;
    for (Value item; advance(item);) items.push_back(std::move(item));
    dict_ = dict;
    left_ = left;
    index_ = index;
    return rebuilt_by("iter", {make_list(std::move(items))});
  }
  void traverse(Visitor& visitor) override {
    visitor.visit(dict_);
    stream_.traverse(visitor);
  }
  void clear_references() override { dict_ = nullptr; }

 private:
  // Adds all keys, or all values, of a dict that nobody has begun to walk through.
  void append_parts(Values& items) {
    std::size_t before = items.size();
    reserve_more(items, size_);
    items.resize(before + size_);
    Value* place = items.begin() + before;
    for (const Dict::Entry& entry : dict_->entries())
      if (!entry.key.is_empty())
        ::new (place++) Value(part_ == DictPart::kKeys ? entry.key : entry.value);
    left_ = 0;
    dict_ = nullptr;
  }
  // Null at the end, where the dict is let go.
  const Dict::Entry* next_entry() {
    if (!dict_) return nullptr;
    if (dict_->size() != size_) {
      size_ = ~std::size_t{0};  // the error stays
      raise(errors::RuntimeError, "dictionary changed size during iteration");
    }
    const Dict::Entry* entry = find_next();
    if (entry)
      --left_;
    else
      dict_ = nullptr;
    return entry;
  }

  const Dict::Entry* find_next() {
    const auto& entries = dict_->entries();
    if (reversed_) {
      if (left_ == 0) return nullptr;
      if (index_ > entries.size()) index_ = entries.size();
      while (index_ > 0)
        if (!entries[--index_].key.is_empty()) return &entries[index_];
      return nullptr;
    }
    while (index_ < entries.size() && entries[index_].key.is_empty()) ++index_;
    if (index_ == entries.size()) return nullptr;
    if (left_ == 0) raise(errors::RuntimeError, "dictionary keys changed during iteration");
    return &entries[index_++];
  }

  Ref<Dict> dict_;
  TupleStream stream_;
  std::size_t size_, left_, index_;
  DictPart part_;
  bool reversed_;
};

}  // namespace

Value make_dict_iterator(const Value& dict, DictPart part, bool reversed) {
  return make<DictIterator>(dict.as<Dict>(), part, reversed);
}

}  // namespace strider::lang
