// Iterators over tuples and lists; lists may change meanwhile.
#include "interpreter/types/sequences/sequence_iterator.h"

#include <algorithm>

#include "interpreter/runtime/value/value_rows.h"
#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

class TupleIterator final : public Iterator {
 public:
  explicit TupleIterator(Tuple* tuple) : Iterator(type()), tuple_(tuple) {}
  bool advance(Value& item) override {
    if (!tuple_) return false;
    if (index_ < tuple_->size()) {
      item = (*tuple_)[index_++];
      return true;
    }
    tuple_ = nullptr;
    return false;
  }
  bool append_rest(Values& items) override {
    if (!tuple_) return true;
    append_values(items, tuple_->items().subspan(index_));
    tuple_ = nullptr;
    return true;
  }
  std::int64_t remaining() const override {
    return tuple_ ? static_cast<std::int64_t>(tuple_->size() - index_) : 0;
  }
  Value reduced() override {
    if (!tuple_) return rebuilt_by("iter", {Value(make_tuple(Values()))});
    return rebuilt_by("iter", {Value(tuple_)}, static_cast<std::int64_t>(index_));
  }
  void set_place(std::int64_t place) override { index_ = std::max<std::int64_t>(place, 0); }
  void traverse(Visitor& visitor) override { visitor.visit(tuple_); }
  void clear_references() override { tuple_ = nullptr; }

 private:
  static Type* type() {
    static Type* type = make_iterator_type("tuple_iterator");
    return type;
  }
  Ref<Tuple> tuple_;
  std::size_t index_ = 0;
};

class ListIterator final : public Iterator {
 public:
  explicit ListIterator(List* list) : Iterator(type()), list_(list) {}
  bool advance(Value& item) override {
    if (!list_) return false;
    if (index_ < list_->items.size()) {
      item = list_->items[index_++];
      return true;
    }
    list_ = nullptr;
    return false;
  }
  bool append_rest(Values& items) override {
    if (!list_) return true;
    if (&items == &list_->items) return false;  // what is added is still to come
    std::span<const Value> all = list_->items;
    append_values(items, all.subspan(std::min(index_, all.size())));
    list_ = nullptr;
    return true;
  }
  std::int64_t remaining() const override {
    if (!list_ || index_ > list_->size()) return 0;
    return static_cast<std::int64_t>(list_->size() - index_);
  }
  Value reduced() override {
    if (!list_) return rebuilt_by("iter", {Value(make_list(Values()))});
    return rebuilt_by("iter", {Value(list_)}, static_cast<std::int64_t>(index_));
  }
  void set_place(std::int64_t place) override { index_ = std::max<std::int64_t>(place, 0); }
  void traverse(Visitor& visitor) override { visitor.visit(list_); }
  void clear_references() override { list_ = nullptr; }

 private:
  static Type* type() {
    static Type* type = make_iterator_type("list_iterator");
    return type;
  }
  Ref<List> list_;
  std::size_t index_ = 0;
};

class ListReverseIterator final : public Iterator {
 public:
  explicit ListReverseIterator(List* list)
      : Iterator(type()), list_(list), left_(static_cast<std::int64_t>(list->size())) {}
  bool advance(Value& item) override {
    if (!list_) return false;
    if (left_ > 0 && left_ <= static_cast<std::int64_t>(list_->size())) {
      item = list_->items[static_cast<std::size_t>(--left_)];
      return true;
    }
    list_ = nullptr;
    return false;
  }
  bool append_rest(Values& items) override {
    if (list_ && &items == &list_->items) return false;  // the row moves while it grows
    if (list_ && left_ > 0 && left_ <= static_cast<std::int64_t>(list_->size())) {
      std::size_t before = items.size(), count = static_cast<std::size_t>(left_);
      reserve_more(items, count);
      items.resize(before + count);
      copy_steps(list_->items.begin() + left_ - 1, -1, count, items.begin() + before);
    }
    left_ = 0;
    list_ = nullptr;
    return true;
  }
  std::int64_t remaining() const override { return list_ ? left_ : 0; }
  Value reduced() override {
    if (!list_) return rebuilt_by("iter", {Value(make_list(Values()))});
    return rebuilt_by("reversed", {Value(list_)}, std::max<std::int64_t>(left_ - 1, 0));
  }
  void set_place(std::int64_t place) override {
    if (!list_) return;
    left_ = std::clamp<std::int64_t>(place, -1, static_cast<std::int64_t>(list_->size()) - 1) + 1;
  }
  void traverse(Visitor& visitor) override { visitor.visit(list_); }
  void clear_references() override { list_ = nullptr; }

 private:
  static Type* type() {
    static Type* type = make_iterator_type("list_reverseiterator");
    return type;
  }
  Ref<List> list_;
  std::int64_t left_;
};

}  // namespace

Value make_tuple_iterator(const Value& tuple) { return make<TupleIterator>(tuple.as<Tuple>()); }
Value make_list_iterator(const Value& list) { return make<ListIterator>(list.as<List>()); }
Value make_list_reverse_iterator(const Value& list) {
  return make<ListReverseIterator>(list.as<List>());
}

}  // namespace strider::lang
