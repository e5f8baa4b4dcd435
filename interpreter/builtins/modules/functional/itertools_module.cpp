// The module itertools: its list of names, and the iterators that need no input iterator's state.
#include "interpreter/builtins/modules/functional/itertools.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/runtime/value/value_rows.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

class Count : public Iterator {
 public:
  Count(Type* type, const Value& start, const Value& step)
      : Iterator(type), present_(start), step_(step) {}
  bool advance(Value& item) override {
    item = present_;
    std::int64_t sum;
    if (present_.is_int() && step_.is_int() &&
        !__builtin_add_overflow(present_.as_int(), step_.as_int(), &sum))
      present_ = Value::integer(sum);
    else
      present_ = binary(BinaryOperator::kAdd, present_, step_);
    return true;
  }
  void traverse(Visitor& visitor) override {
    visitor.visit(present_);
    visitor.visit(step_);
  }
  Value reduced() override { return rebuilt_by(Value(type()), {present_, step_}); }
  void clear_references() override { present_ = Value::none(); }
  std::string text() const {
    bool plain = step_.is_int() && step_.as_int() == 1;
    return fmt::format("count({}{})", repr_text(present_),
                       plain ? std::string() : ", " + repr_text(step_));
  }

 private:
  Value present_, step_;
};

Value construct_count(Type* cls, const Arguments& arguments) {
  static const Signature signature("count(start=0, step=1)");
  Value slots[2];
  bind_constructor(signature, arguments, slots);
  for (const Value& number : slots)
    if (!is_integer(number) && !type_of(number)->slots.to_float &&
        !type_of(number)->slots.to_index && !number.has_layout(Layout::kComplex))
      raise(errors::TypeError, "a number is required");
  return make_iterator<Count>(cls, slots[0], slots[1]);
}

class Cycle : public RebuiltIterator {
 public:
  Cycle(Type* type, const Value& iterable) : RebuiltIterator(type), source_(iterate(iterable)) {}
  bool advance(Value& item) override {
    if (!source_.is_empty()) {
      if (next(source_, item)) {
        if (!knows_all_) saved_.push_back(item);
        return true;
      }
      source_ = Value();
    }
    if (saved_.empty()) return false;
    item = saved_[index_];
    if (++index_ == saved_.size()) index_ = 0;
    return true;
  }
  void traverse(Visitor& visitor) override {
    visitor.visit(source_);
    for (const Value& each : saved_) visitor.visit(each);
  }
  void clear_references() override { saved_.clear(); }
  Value reduced() override {
    Value source = source_;
    bool again = source.is_empty();
    if (again) {
      auto from = saved_.begin() + static_cast<std::ptrdiff_t>(index_);
      source = iterate(make_list(Values(from, saved_.end())));
    }
    return rebuilt({source}, make_tuple({make_list(Values(saved_.begin(), saved_.end())),
                                         Value::boolean(again || knows_all_)}));
  }
  void set_state(const Value& state) override {
    std::span<const Value> items = state_items(state, 2, 2);
    if (!is_list(items[0]))
      raise(errors::TypeError, "Expected list, got {}", type_name(items[0]));
    knows_all_ = to_int64(items[1]) != 0;
    saved_ = items[0].as<List>()->items;
  }

 private:
  Value source_;
  Values saved_;
  std::size_t index_ = 0;
  bool knows_all_ = false;  // what the source gives is among those saved
};

Value construct_cycle(Type* cls, const Arguments& arguments) {
  static const Signature signature("cycle(iterable, /)");
  Value slots[1];
  bind_constructor(signature, arguments, slots);
  return make_iterator<Cycle>(cls, slots[0]);
}

class Repeat : public Iterator {
 public:
  Repeat(Type* type, const Value& object, std::int64_t times)
      : Iterator(type), object_(object), left_(times) {}
  bool advance(Value& item) override {
    if (left_ == 0) return false;
    if (left_ > 0) --left_;
    item = object_;
    return true;
  }
  bool append_rest(Values& items) override {
    if (left_ < 0) return false;
    auto count = static_cast<std::size_t>(std::exchange(left_, 0));
    reserve_more(items, count);
    items.resize(items.size() + count, object_);
    return true;
  }
  std::int64_t remaining() const override { return left_; }
  Value reduced() override {
    Values arguments{object_};
    if (left_ >= 0) arguments.push_back(Value::integer(left_));
    return rebuilt_by(Value(type()), std::move(arguments));
  }
  void traverse(Visitor& visitor) override { visitor.visit(object_); }
  void clear_references() override { object_ = Value::none(); }
  std::string text() const {
    return fmt::format("repeat({}{})", repr_text(object_),
                       left_ < 0 ? std::string() : fmt::format(", {}", left_));
  }

 private:
  Value object_;
  std::int64_t left_;  // negative: for ever
};

Value construct_repeat(Type* cls, const Arguments& arguments) {
  static const Signature signature("repeat(object, times=<none>)");
  Value slots[2];
  bind_constructor(signature, arguments, slots);
  std::int64_t times = slots[1].is_empty() ? -1 : std::max<std::int64_t>(0, to_int64(slots[1]));
  return make_iterator<Repeat>(cls, slots[0], times);
}

const NativeRow kFunctions[] = {
    {"tee(iterable, n=2, /)", tee, "Several independent iterators over one iterable."},
};

const ConstantRow kTypes[] = {
    {"count", [] { return Value(&count_type()); }},
    {"cycle", [] { return Value(&cycle_type()); }},
    {"repeat", [] { return Value(&repeat_type()); }},
    {"accumulate", [] { return Value(&accumulate_type()); }},
    {"chain", [] { return Value(&chain_type()); }},
    {"compress", [] { return Value(&compress_type()); }},
    {"dropwhile", [] { return Value(&dropwhile_type()); }},
    {"filterfalse", [] { return Value(&filterfalse_type()); }},
    {"takewhile", [] { return Value(&takewhile_type()); }},
    {"starmap", [] { return Value(&starmap_type()); }},
    {"islice", [] { return Value(&islice_type()); }},
    {"groupby", [] { return Value(&groupby_type()); }},
    {"pairwise", [] { return Value(&pairwise_type()); }},
    {"zip_longest", [] { return Value(&zip_longest_type()); }},
    {"product", [] { return Value(&product_type()); }},
    {"permutations", [] { return Value(&permutations_type()); }},
    {"combinations", [] { return Value(&combinations_type()); }},
    {"combinations_with_replacement", [] { return Value(&combinations_with_replacement_type()); }},
};

template <class T>
Value repr_of(const Value& self) {
  return make_str(self.as<T>()->text());
}

}  // namespace

Type& count_type() {
  static Type& type = *[] {
    Type& made = make_itertools_type<construct_count>("count");
    made.slots.repr = repr_of<Count>;
    return &made;
  }();
  return type;
}

Type& cycle_type() {
  static Type& type = with_state(make_itertools_type<construct_cycle>("cycle"));
  return type;
}

Type& repeat_type() {
  static Type& type = *[] {
    Type& made = make_itertools_type<construct_repeat>("repeat");
    made.slots.repr = repr_of<Repeat>;
    return &made;
  }();
  return type;
}

const NativeModule kItertoolsModule = {"itertools", "Iterators that build on iterators.",
                                       kFunctions, kTypes};

}  // namespace strider::lang
