// enumerate, zip, map, filter.
#include "interpreter/builtins/functions.h"
#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/runtime/call/stack_array.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/error/stopping.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/iterator_class.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

class Enumerate : public Iterator {
 public:
  Enumerate(Type* type, const Value& iterable, const Value& start)
      : Iterator(type), items_(iterate(iterable)), count_(start) {}
  bool advance(Value& item) override {
    Value parts[2];
    if (!advance_parts(parts)) return false;
    item = stream_.next_pair(std::move(parts[0]), std::move(parts[1]));
    return true;
  }
  std::size_t part_count() const override { return 2; }
  bool advance_parts(Value* parts) override {
    if (!next(items_, parts[1])) return false;
    parts[0] = count_;
    if (count_.is_int() && count_.as_int() < INT64_MAX)
      count_ = Value::integer(count_.as_int() + 1);
    else
      count_ = binary(BinaryOperator::kAdd, count_, Value::integer(1));
    return true;
  }
  Value reduced() override { return rebuilt_by(Value(type()), {items_, count_}); }
  void traverse(Visitor& visitor) override {
    visitor.visit(items_);
    stream_.traverse(visitor);
  }
  void clear_references() override { items_ = Value::none(); }

 private:
  Value items_, count_;
  TupleStream stream_;
};

// The shared part of zip and map: several iterators advanced together.
class Parallel : public Iterator {
 public:
  void traverse(Visitor& visitor) override {
    for (const Value& each : iterators_) visitor.visit(each);
  }
  void clear_references() override { iterators_.clear(); }

 protected:
  Value reduced() override { return rebuilt_by(Value(type()), iterators_); }
  Parallel(Type* type, std::span<const Value> iterables) : Iterator(type) {
    for (const Value& iterable : iterables) iterators_.push_back(iterate(iterable));
  }
  Values iterators_;
};

class Zip : public Parallel {
 public:
  Zip(Type* type, std::span<const Value> iterables, bool strict)
      : Parallel(type, iterables), strict_(strict) {}
  bool advance(Value& item) override {
    if (iterators_.empty()) return false;
    Ref<Tuple> row = stream_.next(iterators_.size());
    for (std::size_t i = 0; i < row->size(); ++i) {
      Value each;
      if (!next(iterators_[i], each)) {
        if (strict_) check_all_ended(i);
        return false;
      }
      row->places()[i] = std::move(each);
    }
    item = std::move(row);
    return true;
  }
  Value reduced() override {
    return strict_ ? rebuilt_by(Value(type()), iterators_, 1) : Parallel::reduced();
  }
  void set_place(std::int64_t strict) override { strict_ = strict != 0; }
  std::size_t part_count() const override { return iterators_.size(); }
  bool advance_parts(Value* parts) override {
    for (std::size_t i = 0; i < iterators_.size(); ++i) {
      if (next(iterators_[i], parts[i])) continue;
      if (strict_) check_all_ended(i);
      return false;
    }
    return true;
  }
  void traverse(Visitor& visitor) override {
    Parallel::traverse(visitor);
    stream_.traverse(visitor);
  }

 private:
  void check_all_ended(std::size_t ended) {
    auto others = [](std::size_t count) {
      return count == 1 ? std::string(" 1") : fmt::format("s 1-{}", count);
    };
    if (ended > 0)
      raise(errors::ValueError, "zip() argument {} is shorter than argument{}", ended + 1,
            others(ended));
    Value extra;
    for (std::size_t i = 1; i < iterators_.size(); ++i)
      if (next(iterators_[i], extra))
        raise(errors::ValueError, "zip() argument {} is longer than argument{}", i + 1, others(i));
  }
  TupleStream stream_;
  bool strict_;
};

class Map : public Parallel {
 public:
  Map(Type* type, const Value& function, std::span<const Value> iterables)
      : Parallel(type, iterables), function_(function) {}
  bool advance(Value& item) override {
    return unless_stopped([&] { return step(item); });
  }
  Value reduced() override {
    Values arguments{function_};
    arguments.insert(arguments.end(), iterators_.begin(), iterators_.end());
    return rebuilt_by(Value(type()), std::move(arguments));
  }
  void traverse(Visitor& visitor) override {
    Parallel::traverse(visitor);
    visitor.visit(function_);
  }

 private:
  bool step(Value& item) {
    if (iterators_.empty()) return false;
    if (iterators_.size() == 1) {
      Value argument;
      if (!next(iterators_[0], argument)) return false;
      item = call(function_, Arguments(&argument, 1));
      return true;
    }
    std::size_t count = iterators_.size();
    if (count > kFewArguments) return step_of(Values(count).data(), count, item);
    STRIDER_STACK_ARRAY(Value, row, static_cast<int>(count));
    return step_of(row.data(), count, item);
  }
  bool step_of(Value* row, std::size_t count, Value& item) {
    for (std::size_t i = 0; i < count; ++i)
      if (!next(iterators_[i], row[i])) return false;
    item = call(function_, Arguments(row, count));
    return true;
  }
  static constexpr std::size_t kFewArguments = 8;
  Value function_;
};

class Filter : public Iterator {
 public:
  Filter(Type* type, const Value& function, const Value& iterable)
      : Iterator(type), function_(function), items_(iterate(iterable)) {}
  bool advance(Value& item) override {
    return unless_stopped([&] { return step(item); });
  }
  Value reduced() override { return rebuilt_by(Value(type()), {function_, items_}); }
  void traverse(Visitor& visitor) override {
    visitor.visit(function_);
    visitor.visit(items_);
  }
  void clear_references() override { items_ = Value::none(); }

 private:
  bool step(Value& item) {
    while (next(items_, item))
      if (truth(function_.is_none() ? item : call(function_, item))) return true;
    return false;
  }
  Value function_, items_;
};

Value construct_enumerate(Type* cls, const Arguments& arguments) {
  static const Signature signature("enumerate(iterable, start=0)");
  Value slots[2];
  bind_constructor(signature, arguments, slots);
  if (!is_integer(slots[1])) slots[1] = Value::integer(to_int64(slots[1]));
  return make_iterator<Enumerate>(cls, slots[0], slots[1]);
}

Value construct_zip(Type* cls, const Arguments& arguments) {
  static const Signature signature("zip(*iterables, strict=False)");
  Value slots[2];
  bind_constructor(signature, arguments, slots);
  for (std::size_t i = 0; i < arguments.count; ++i)
    if (!type_of(arguments.values[i])->slots.iterate &&
        !type_of(arguments.values[i])->slots.get_item)
      raise(errors::TypeError, "'{}' object is not iterable", type_name(arguments.values[i]));
  return make_iterator<Zip>(cls, arguments.positional(), truth(slots[1]));
}

Value construct_map(Type* cls, const Arguments& arguments) {
  if (arguments.count < 2) raise(errors::TypeError, "map() must have at least two arguments.");
  return make_iterator<Map>(cls, arguments.values[0], arguments.positional().subspan(1));
}

Value construct_filter(Type* cls, const Arguments& arguments) {
  if (arguments.count != 2)
    raise(errors::TypeError, "filter expected 2 arguments, got {}", arguments.count);
  return make_iterator<Filter>(cls, arguments.values[0], arguments.values[1]);
}

}  // namespace

Type& enumerate_type() {
  static Type& type = *[] {
    Type& made = make_iterator_class<construct_enumerate>("enumerate");
    make_subscriptable(made);
    return &made;
  }();
  return type;
}
Type& zip_type() {
  static Type& type = make_iterator_class<construct_zip>("zip");
  return type;
}
Type& map_type() {
  static Type& type = make_iterator_class<construct_map>("map");
  return type;
}
Type& filter_type() {
  static Type& type = make_iterator_class<construct_filter>("filter");
  return type;
}

}  // namespace strider::lang
