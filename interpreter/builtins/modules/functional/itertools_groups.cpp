// itertools: iterators that look at several items or inputs at once.
#include <deque>

#include "interpreter/builtins/modules/functional/itertools.h"
#include "interpreter/runtime/call/native_arguments.h"

namespace strider::lang {
namespace {

class GroupBy : public Iterator {
 public:
  GroupBy(Type* type, const Value& iterable, const Value& function)
      : Iterator(type), source_(iterate(iterable)), function_(function) {}
  bool advance(Value& item) override {
    Value parts[2];
    if (!advance_parts(parts)) return false;
    item = make_pair(std::move(parts[0]), std::move(parts[1]));
    return true;
  }
  std::size_t part_count() const override { return 2; }
  bool advance_parts(Value* parts) override;
  // The next item of the group with this key; false at its end.
  bool advance_group(const Value& key, std::uint64_t group, Value& item) {
    if (group != group_) return false;
    if (value_.is_empty()) {
      if (!step()) return false;
    }
    if (!is_key(key) || value_.is_empty()) return false;
    item = std::move(value_);
    value_ = Value();
    return true;
  }
  void traverse(Visitor& visitor) override {
    for (const Value* each : {&source_, &function_, &key_, &value_, &target_}) visitor.visit(*each);
  }
  void clear_references() override { source_ = key_ = value_ = target_ = Value::none(); }

 private:
  // Whether the item at hand has this key. Its __eq__ may move this groupby on.
  bool is_key(const Value& key) const {
    Value wanted = key, current = key_;
    return equal(wanted, current);
  }
  bool step() {
    Value value;
    if (!next(source_, value)) return false;
    key_ = function_.is_none() ? value : call(function_, value);
    value_ = value;
    return true;
  }

  Value source_, function_, key_, value_, target_;
  std::uint64_t group_ = 0;
};

// The items of one group; ends when its groupby moves on.
class Grouper final : public Iterator {
 public:
  Grouper(const Ref<GroupBy>& parent, const Value& key, std::uint64_t group)
      : Iterator(type()), parent_(parent), key_(key), group_(group) {}
  bool advance(Value& item) override { return parent_->advance_group(key_, group_, item); }
  void traverse(Visitor& visitor) override {
    visitor.visit(parent_);
    visitor.visit(key_);
  }
  void clear_references() override { key_ = Value::none(); }

 private:
  static Type* type() {
    static Type* type = make_iterator_type("_grouper");
    return type;
  }
  Ref<GroupBy> parent_;
  Value key_;
  std::uint64_t group_;
};

bool GroupBy::advance_parts(Value* parts) {
  ++group_;
  while (value_.is_empty() || (!target_.is_empty() && is_key(target_))) {
    value_ = Value();
    if (!step()) return false;
  }
  target_ = key_;
  parts[0] = key_;
  parts[1] = make<Grouper>(Ref<GroupBy>(this), key_, group_);
  return true;
}

Value construct_groupby(Type* cls, const Arguments& arguments) {
  static const Signature signature("groupby(iterable, key=None)");
  Value slots[2];
  bind_constructor(signature, arguments, slots);
  return make_iterator<GroupBy>(cls, slots[0], slots[1]);
}

class Pairwise : public Iterator {
 public:
  Pairwise(Type* type, const Value& iterable) : Iterator(type), source_(iterate(iterable)) {}
  bool advance(Value& item) override {
    Value parts[2];
    if (!advance_parts(parts)) return false;
    item = stream_.next_pair(std::move(parts[0]), std::move(parts[1]));
    return true;
  }
  std::size_t part_count() const override { return 2; }
  bool advance_parts(Value* parts) override {
    if (previous_.is_empty() && !next(source_, previous_)) return false;
    if (!next(source_, parts[1])) return false;
    parts[0] = std::exchange(previous_, parts[1]);
    return true;
  }
  void traverse(Visitor& visitor) override {
    visitor.visit(source_);
    visitor.visit(previous_);
    stream_.traverse(visitor);
  }
  void clear_references() override { source_ = previous_ = Value::none(); }

 private:
  Value source_, previous_;
  TupleStream stream_;
};

Value construct_pairwise(Type* cls, const Arguments& arguments) {
  static const Signature signature("pairwise(iterable, /)");
  Value slots[1];
  bind_constructor(signature, arguments, slots);
  return make_iterator<Pairwise>(cls, slots[0]);
}

class ZipLongest : public RebuiltIterator {
 public:
  ZipLongest(Type* type, std::span<const Value> iterables, const Value& fill)
      : RebuiltIterator(type), fill_(fill), active_(iterables.size()) {
    for (const Value& iterable : iterables) iterators_.push_back(iterate(iterable));
  }
  bool advance(Value& item) override {
    if (active_ == 0) return false;
    Ref<Tuple> row = stream_.next(iterators_.size());
    for (std::size_t i = 0; i < row->size(); ++i) {
      Value value;
      if (!iterators_[i].is_empty() && !next(iterators_[i], value)) {
        iterators_[i] = Value();
        value = Value();
        if (--active_ == 0) return false;
      }
      row->places()[i] = value.is_empty() ? fill_ : std::move(value);
    }
    item = std::move(row);
    return true;
  }
  void traverse(Visitor& visitor) override {
    stream_.traverse(visitor);
    visitor.visit(fill_);
    for (const Value& each : iterators_) visitor.visit(each);
  }
  void clear_references() override { iterators_.clear(); }
  Value reduced() override {
    Values sources;
    for (const Value& each : iterators_)
      sources.push_back(each.is_empty() ? Value(make_tuple(Values())) : each);
    return rebuilt(std::move(sources), fill_);
  }
  void set_state(const Value& state) override { fill_ = state; }

 private:
  Values iterators_;
  Value fill_;
  TupleStream stream_;
  std::size_t active_;
};

Value construct_zip_longest(Type* cls, const Arguments& arguments) {
  static const Signature signature("zip_longest(*iterables, fillvalue=None)");
  Value slots[2];
  bind_constructor(signature, arguments, slots);
  return make_iterator<ZipLongest>(cls, arguments.positional(), slots[1]);
}

// What the branches of one tee share: the source and the items that some branch has yet to see.
class TeeSource final : public Container {
 public:
  explicit TeeSource(const Value& iterator)
      : Container(Layout::kOther, &Type::object_type()), iterator_(iterator) {}
  bool item_at(std::int64_t position, Value& item) {
    if (position < first_ + static_cast<std::int64_t>(items_.size())) {
      item = items_[static_cast<std::size_t>(position - first_)];
      return true;
    }
    if (running_) raise(errors::RuntimeError, "cannot re-enter the tee iterator");
    Running running(running_);
    if (!strider::lang::next(iterator_, item)) return false;
    items_.push_back(item);
    return true;
  }
  // A branch moved on from this position.
  void left(std::int64_t position) {
    if (position == first_) drop_seen();
  }
  void add(const std::int64_t* position) { positions_.push_back(position); }
  void remove(const std::int64_t* position) {
    std::erase(positions_, position);
    drop_seen();
  }
  void drop_seen() {
    std::int64_t least = INT64_MAX;
    for (const std::int64_t* position : positions_) least = std::min(least, *position);
    while (!items_.empty() && first_ < least) {
      items_.pop_front();
      ++first_;
    }
  }
  void traverse(Visitor& visitor) override {
    visitor.visit(iterator_);
    for (const Value& each : items_) visitor.visit(each);
  }
  void clear_references() override { items_.clear(); }

 private:
  // Marks that the source is asked, as long as it lives.
  class Running {
   public:
    explicit Running(bool& flag) : flag_(flag) { flag_ = true; }
    ~Running() { flag_ = false; }
    Running(const Running&) = delete;

   private:
    bool& flag_;
  };

  Value iterator_;
  bool running_ = false;  // the source is asked for an item, which may ask a branch
  std::deque<Value> items_;
  std::int64_t first_ = 0;  // position of items_.front()
  std::vector<const std::int64_t*> positions_;
};

class TeeBranch final : public Iterator {
 public:
  TeeBranch(const Ref<TeeSource>& source, std::int64_t position)
      : Iterator(&type()), source_(source), position_(position) {
    source_->add(&position_);
  }
  ~TeeBranch() override { source_->remove(&position_); }
  static Type& type();
  bool advance(Value& item) override {
    if (!source_->item_at(position_, item)) return false;
    source_->left(position_++);
    return true;
  }
  Value copy() const { return make<TeeBranch>(source_, position_); }
  void traverse(Visitor& visitor) override { visitor.visit(source_); }
  void clear_references() override {}

 private:
  Ref<TeeSource> source_;
  std::int64_t position_;
};

const NativeRow kTeeMethods[] = {
    {"__copy__(self, /)", [](const Parameters& p) { return p[0].as<TeeBranch>()->copy(); },
     "An independent iterator at the same place."},
};

Type& TeeBranch::type() {
  static Type& type = *[] {
    Type* made = make_iterator_type("_tee");
    place_in_module(*made, "itertools");
    made->add(kTeeMethods);
    return made;
  }();
  return type;
}

}  // namespace

Value tee(const Parameters& p) {
  std::int64_t count = to_int64(p[1]);
  if (count < 0) raise(errors::ValueError, "n must be >= 0");
  Value source = iterate(p[0]);
  Values branches;
  if (count > 0) {
    if (source.is_object() && source.object()->type() == &TeeBranch::type())
      branches.push_back(source);
    else
      branches.emplace_back(make<TeeBranch>(make<TeeSource>(source), 0));
  }
  while (static_cast<std::int64_t>(branches.size()) < count)
    branches.push_back(branches[0].as<TeeBranch>()->copy());
  return make_tuple(std::move(branches));
}

Type& groupby_type() {
  static Type& type = make_itertools_type<construct_groupby>("groupby");
  return type;
}

Type& pairwise_type() {
  static Type& type = make_itertools_type<construct_pairwise>("pairwise");
  return type;
}

Type& zip_longest_type() {
  static Type& type = with_state(make_itertools_type<construct_zip_longest>("zip_longest"));
  return type;
}

}  // namespace strider::lang
