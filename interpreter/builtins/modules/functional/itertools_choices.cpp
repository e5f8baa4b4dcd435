// itertools: products, permutations and combinations.
#include <numeric>

#include "interpreter/builtins/modules/functional/itertools.h"
#include "interpreter/runtime/call/native_arguments.h"

namespace strider::lang {
namespace {

class Product : public RebuiltIterator {
 public:
  Product(Type* type, std::vector<Ref<Tuple>> pools)
      : RebuiltIterator(type), pools_(std::move(pools)), indices_(pools_.size(), 0) {
    for (const Ref<Tuple>& pool : pools_) ended_ = ended_ || pool->size() == 0;
  }
  bool advance(Value& item) override {
    if (!move_on()) return false;
    // The items before the last one that moved on are those of the tuple before.
    bool reuses = row_is_current_ && stream_.reuses(pools_.size());
    row_is_current_ = true;
    Ref<Tuple> row = stream_.next(pools_.size());
    for (std::size_t i = reuses ? changed_ : 0; i < pools_.size(); ++i)
      row->places()[i] = (*pools_[i])[indices_[i]];
    item = std::move(row);
    return true;
  }
  std::size_t part_count() const override { return pools_.size(); }
  bool advance_parts(Value* parts) override {
    if (!move_on()) return false;
    row_is_current_ = false;
    for (std::size_t i = 0; i < pools_.size(); ++i) parts[i] = (*pools_[i])[indices_[i]];
    return true;
  }
  void traverse(Visitor& visitor) override {
    for (const Ref<Tuple>& pool : pools_) visitor.visit(pool);
    stream_.traverse(visitor);
  }
  void clear_references() override {
    ended_ = true;
    pools_.clear();
  }
  Value reduced() override {
    if (ended_) return rebuilt({Value(make_tuple(Values()))});
    Values pools(pools_.begin(), pools_.end());
    return rebuilt(std::move(pools), started_ ? Value(as_places(indices_)) : Value());
  }
  void set_state(const Value& state) override {
    if (ended_) return;
    std::vector<std::size_t> sizes;
    for (const Ref<Tuple>& pool : pools_) sizes.push_back(pool->size());
    indices_ = places_in(state, sizes);
    started_ = true;
  }

 private:
  bool move_on() {
    if (ended_ || (started_ && !step())) {
      ended_ = true;
      return false;
    }
    return started_ = true;
  }
  bool step() {
    for (std::size_t i = pools_.size(); i-- > 0;) {
      changed_ = i;
      if (++indices_[i] < pools_[i]->size()) return true;
      indices_[i] = 0;
    }
    return false;
  }
  std::vector<Ref<Tuple>> pools_;
  std::vector<std::size_t> indices_;
  TupleStream stream_;
  std::size_t changed_ = 0;      // the first place that the last step changed
  bool row_is_current_ = false;  // the stream's tuple is of the last step
  bool started_ = false, ended_ = false;
};

Value construct_product(Type* cls, const Arguments& arguments) {
  static const Signature signature("product(*iterables, repeat=1)");
  Value slots[2];
  bind_constructor(signature, arguments, slots);
  std::int64_t repeat = to_int64(slots[1]);
  if (repeat < 0) raise(errors::ValueError, "repeat argument cannot be negative");
  std::vector<Ref<Tuple>> once, pools;
  for (const Value& iterable : arguments.positional()) once.push_back(to_tuple(iterable));
  if (!once.empty() && repeat > static_cast<std::int64_t>(100000000 / once.size()))
    raise(errors::MemoryError, "too many pools");
  if (once.empty()) repeat = 0;
  for (std::int64_t i = 0; i < repeat; ++i) pools.insert(pools.end(), once.begin(), once.end());
  return make_iterator<Product>(cls, std::move(pools));
}

// The shared part of permutations and combinations: chosen indices into one pool.
class Selection : public RebuiltIterator {
 public:
  bool advance(Value& item) override {
    if (!move_on()) return false;
    bool reuses = row_is_current_ && stream_.reuses(count_);
    row_is_current_ = true;
    Ref<Tuple> row = stream_.next(count_);
    for (std::size_t i = reuses ? changed_ : 0; i < count_; ++i)
      row->places()[i] = (*pool_)[indices_[i]];
    item = std::move(row);
    return true;
  }
  std::size_t part_count() const override { return count_; }
  bool advance_parts(Value* parts) override {
    if (!move_on()) return false;
    row_is_current_ = false;
    for (std::size_t i = 0; i < count_; ++i) parts[i] = (*pool_)[indices_[i]];
    return true;
  }
  void traverse(Visitor& visitor) override {
    visitor.visit(pool_);
    stream_.traverse(visitor);
  }
  void clear_references() override { ended_ = true; }
  Value reduced() override {
    return rebuilt(arguments(), started_ && !ended_ ? Value(as_places(indices_)) : Value());
  }
  void set_state(const Value& state) override {
    indices_ = places_in(state, limits(count_));
    started_ = true;
  }

 protected:
  Selection(Type* type, const Ref<Tuple>& pool, std::size_t count)
      : RebuiltIterator(type), pool_(pool), count_(count) {}
  // What the iterator is rebuilt of: one without items where it has ended.
  Values arguments() const {
    Value pool = ended_ ? Value(make_tuple(Values())) : Value(pool_);
    return {pool, Value::integer(static_cast<std::int64_t>(count_))};
  }
  // How large each index can be, and one.
  std::vector<std::size_t> limits(std::size_t size) const {
    return std::vector<std::size_t>(size, pool_->size());
  }
  // Moves to the next selection and sets changed_; false at the end.
  virtual bool step() = 0;

  Ref<Tuple> pool_;
  std::size_t count_;
  TupleStream stream_;
  std::size_t changed_ = 0;      // the first place that the last step changed
  bool row_is_current_ = false;  // the stream's tuple is of the last step
  std::vector<std::size_t> indices_;
  bool started_ = false, ended_ = false;

 private:
  bool move_on() {
    if (ended_ || (started_ && !step())) {
      ended_ = true;
      return false;
    }
    return started_ = true;
  }
};

class Permutations : public Selection {
 public:
  Permutations(Type* type, const Ref<Tuple>& pool, std::size_t count)
      : Selection(type, pool, count) {
    ended_ = count > pool->size();
    if (ended_) return;
    indices_.resize(pool->size());
    std::iota(indices_.begin(), indices_.end(), 0);
    for (std::size_t i = 0; i < count; ++i) cycles_.push_back(pool->size() - i);
  }
  Value reduced() override {
    if (!started_ || ended_) return rebuilt(arguments());
    Value places = as_places(indices_), cycles = as_places(cycles_);
    return rebuilt(arguments(), make_tuple({places, cycles}));
  }
  void set_state(const Value& state) override {
    std::span<const Value> items = state_items(state, 2, 2);
    indices_ = places_in(items[0], limits(pool_->size()));
    std::vector<std::size_t> most;
    for (std::size_t i = 0; i < count_; ++i) most.push_back(pool_->size() - i + 1);
    cycles_ = places_in(items[1], most);
    started_ = true;
  }

 private:
  bool step() override {
    for (std::size_t i = count_; i-- > 0;) {
      changed_ = i;
      if (--cycles_[i] > 0) {
        std::swap(indices_[i], indices_[indices_.size() - cycles_[i]]);
        return true;
      }
      std::rotate(indices_.begin() + static_cast<std::ptrdiff_t>(i),
                  indices_.begin() + static_cast<std::ptrdiff_t>(i) + 1, indices_.end());
      cycles_[i] = indices_.size() - i;
    }
    return false;
  }
  std::vector<std::size_t> cycles_;
};

class Combinations : public Selection {
 public:
  Combinations(Type* type, const Ref<Tuple>& pool, std::size_t count)
      : Selection(type, pool, count) {
    ended_ = count > pool->size();
    if (ended_) return;
    indices_.resize(count);
    std::iota(indices_.begin(), indices_.end(), 0);
  }

 private:
  bool step() override {
    std::size_t i = count_;
    while (i > 0 && indices_[i - 1] == i - 1 + pool_->size() - count_) --i;
    if (i == 0) return false;
    changed_ = i - 1;
    ++indices_[i - 1];
    for (; i < count_; ++i) indices_[i] = indices_[i - 1] + 1;
    return true;
  }
};

class CombinationsWithReplacement : public Selection {
 public:
  CombinationsWithReplacement(Type* type, const Ref<Tuple>& pool, std::size_t count)
      : Selection(type, pool, count) {
    ended_ = count > 0 && pool->size() == 0;
    if (!ended_) indices_.assign(count, 0);
  }

 private:
  bool step() override {
    std::size_t i = count_;
    while (i > 0 && indices_[i - 1] == pool_->size() - 1) --i;
    if (i == 0) return false;
    changed_ = i - 1;
    std::fill(indices_.begin() + static_cast<std::ptrdiff_t>(i) - 1, indices_.end(),
              indices_[i - 1] + 1);
    return true;
  }
};

std::size_t selection_size(const Value& value) {
  std::int64_t count = to_int64(value);
  if (count < 0) raise(errors::ValueError, "r must be non-negative");
  if (count > 1000000000) raise(errors::MemoryError, "r is too large");
  return static_cast<std::size_t>(count);
}

template <class T>
Value construct_combinations(Type* cls, const Arguments& arguments) {
  static const Signature signature(std::string(plain_name(builtin_behind(*cls))) + "(iterable, r)");
  Value slots[2];
  bind_constructor(signature, arguments, slots);
  Ref<Tuple> pool = to_tuple(slots[0]);
  return make_iterator<T>(cls, pool, selection_size(slots[1]));
}

Value construct_permutations(Type* cls, const Arguments& arguments) {
  static const Signature signature("permutations(iterable, r=None)");
  Value slots[2];
  bind_constructor(signature, arguments, slots);
  Ref<Tuple> pool = to_tuple(slots[0]);
  if (slots[1].is_none()) return make_iterator<Permutations>(cls, pool, pool->size());
  if (!slots[1].is_int()) raise(errors::TypeError, "Expected int as r");
  return make_iterator<Permutations>(cls, pool, selection_size(slots[1]));
}

}  // namespace

Type& product_type() {
  static Type& type = with_state(make_itertools_type<construct_product>("product"));
  return type;
}

Type& permutations_type() {
  static Type& type = with_state(make_itertools_type<construct_permutations>("permutations"));
  return type;
}

Type& combinations_type() {
  static Type& type =
      with_state(make_itertools_type<construct_combinations<Combinations>>("combinations"));
  return type;
}

Type& combinations_with_replacement_type() {
  static Type& type =
      with_state(make_itertools_type<construct_combinations<CombinationsWithReplacement>>(
          "combinations_with_replacement"));
  return type;
}

}  // namespace strider::lang
