// itertools: iterators that pass on, skip or transform the items of others.
#include "interpreter/builtins/modules/functional/itertools.h"
#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/runtime/error/stopping.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

// An iterator over the items of one other, with a function of the user's.
class Filtering : public RebuiltIterator {
 public:
  Filtering(Type* type, const Value& function, const Value& iterable)
      : RebuiltIterator(type), function_(function), source_(iterate(iterable)) {}
  void traverse(Visitor& visitor) override {
    visitor.visit(function_);
    visitor.visit(source_);
  }
  void clear_references() override { source_ = Value::none(); }
  Value reduced() override { return rebuilt({function_, source_}); }
  void set_state(const Value&) override {}

 protected:
  bool accepts(const Value& item) { return truth(call(function_, item)); }
  Value function_, source_;
};

class DropWhile : public Filtering {
 public:
  using Filtering::Filtering;
  Value reduced() override { return rebuilt({function_, source_}, Value::boolean(started_)); }
  void set_state(const Value& state) override { started_ = truth(state); }
  bool advance(Value& item) override {
    return unless_stopped([&] { return step(item); });
  }

 private:
  bool step(Value& item) {
    while (next(source_, item)) {
      if (started_) return true;
      if (accepts(item)) continue;
      return started_ = true;
    }
    return false;
  }
  bool started_ = false;
};

class TakeWhile : public Filtering {
 public:
  using Filtering::Filtering;
  Value reduced() override { return rebuilt({function_, source_}, Value::boolean(stopped_)); }
  void set_state(const Value& state) override { stopped_ = truth(state); }
  bool advance(Value& item) override {
    return unless_stopped([&] { return step(item); });
  }

 private:
  bool step(Value& item) {
    if (stopped_ || !next(source_, item)) return false;
    if (accepts(item)) return true;
    stopped_ = true;
    return false;
  }
  bool stopped_ = false;
};

class FilterFalse : public Filtering {
 public:
  using Filtering::Filtering;
  bool advance(Value& item) override {
    return unless_stopped([&] { return step(item); });
  }

 private:
  bool step(Value& item) {
    while (next(source_, item))
      if (!(function_.is_none() ? truth(item) : accepts(item))) return true;
    return false;
  }
};

class StarMap : public Filtering {
 public:
  using Filtering::Filtering;
  bool advance(Value& item) override {
    return unless_stopped([&] { return step(item); });
  }

 private:
  bool step(Value& item) {
    Value row;
    if (!next(source_, row)) return false;
    Ref<Tuple> arguments = is_tuple(row) ? Ref<Tuple>(row.as<Tuple>()) : to_tuple(row);
    item = call(function_, Arguments(arguments->items()));
    return true;
  }
};

template <class T>
Value construct_filtering(Type* cls, const Arguments& arguments) {
  static const Signature signature(std::string(plain_name(builtin_behind(*cls))) +
                                   "(function, iterable, /)");
  Value slots[2];
  bind_constructor(signature, arguments, slots);
  return make_iterator<T>(cls, slots[0], slots[1]);
}

class Compress : public RebuiltIterator {
 public:
  Compress(Type* type, const Value& data, const Value& selectors)
      : RebuiltIterator(type), data_(iterate(data)), selectors_(iterate(selectors)) {}
  bool advance(Value& item) override {
    Value selector;
    while (next(data_, item) && next(selectors_, selector))
      if (truth(selector)) return true;
    return false;
  }
  void traverse(Visitor& visitor) override {
    visitor.visit(data_);
    visitor.visit(selectors_);
  }
  void clear_references() override { data_ = selectors_ = Value::none(); }
  Value reduced() override { return rebuilt({data_, selectors_}); }
  void set_state(const Value&) override {}

 private:
  Value data_, selectors_;
};

Value construct_compress(Type* cls, const Arguments& arguments) {
  static const Signature signature("compress(data, selectors)");
  Value slots[2];
  bind_constructor(signature, arguments, slots);
  return make_iterator<Compress>(cls, slots[0], slots[1]);
}

class Accumulate : public RebuiltIterator {
 public:
  Accumulate(Type* type, const Value& iterable, const Value& function, const Value& initial)
      : RebuiltIterator(type), source_(iterate(iterable)), function_(function), initial_(initial) {}
  bool advance(Value& item) override {
    if (!initial_.is_none()) {
      total_ = std::move(initial_);
      initial_ = Value::none();
      item = total_;
      return true;
    }
    Value value;
    if (!next(source_, value)) return false;
    std::int64_t sum;
    if (total_.is_empty())
      total_ = value;
    else if (function_.is_none() && total_.is_int() && value.is_int() &&
             !__builtin_add_overflow(total_.as_int(), value.as_int(), &sum))
      total_ = Value::integer(sum);
    else
      total_ = function_.is_none() ? binary(BinaryOperator::kAdd, total_, value)
                                   : call(function_, total_, value);
    item = total_;
    return true;
  }
  void traverse(Visitor& visitor) override {
    for (const Value* each : {&source_, &function_, &initial_, &total_}) visitor.visit(*each);
  }
  void clear_references() override { source_ = total_ = Value::none(); }
  Value reduced() override {
    if (!initial_.is_none()) return rebuilt({behind(initial_), function_}, Value::none());
    if (total_.is_empty() || !total_.is_none())
      return rebuilt({source_, function_}, total_.is_empty() ? Value::none() : total_);
    // A total that is None, which is no state: it is given once more, and left out.
    Value again = call(Value(type()), behind(total_), function_);
    return make_tuple({Value(&islice_type()),
                       Value(make_tuple({again, Value::integer(1), Value::none()}))});
  }
  void set_state(const Value& state) override { total_ = state.is_none() ? Value() : state; }

 private:
  // What the source gives, behind one more item.
  Value behind(const Value& item) const {
    Value first = make_list({item});
    return call(Value(&chain_type()), first, source_);
  }
  Value source_, function_, initial_, total_;
};

Value construct_accumulate(Type* cls, const Arguments& arguments) {
  static const Signature signature("accumulate(iterable, func=None, *, initial=None)");
  Value slots[3];
  bind_constructor(signature, arguments, slots);
  return make_iterator<Accumulate>(cls, slots[0], slots[1], slots[2]);
}

class Chain : public RebuiltIterator {
 public:
  Chain(Type* type, const Value& iterables) : RebuiltIterator(type), sources_(iterate(iterables)) {}
  bool advance(Value& item) override {
    while (find_source()) {
      if (next(active_, item)) return true;
      active_ = Value();
    }
    return false;
  }
  bool append_rest(Values& items) override {
    while (find_source()) {
      lang::append_rest(items, active_);
      active_ = Value();
    }
    return true;
  }
  void traverse(Visitor& visitor) override {
    visitor.visit(sources_);
    visitor.visit(active_);
  }
  void clear_references() override { sources_ = active_ = Value(); }
  Value reduced() override {
    if (sources_.is_empty()) return rebuilt({});
    Values state{sources_};
    if (!active_.is_empty()) state.push_back(active_);
    return rebuilt({}, make_tuple(std::move(state)));
  }
  void set_state(const Value& state) override {
    std::span<const Value> items = state_items(state, 1, 2);
    for (const Value& each : items)
      if (!each.has_layout(Layout::kIterator) && !type_of(each)->slots.next)
        raise(errors::TypeError, "Arguments must be iterators.");
    sources_ = items[0];
    active_ = items.size() > 1 ? items[1] : Value();
  }

 private:
  // Whether there is one that items come from.
  bool find_source() {
    if (sources_.is_empty() || !active_.is_empty()) return !sources_.is_empty();
    Value iterable;
    if (next(sources_, iterable))
      active_ = iterate(iterable);
    else
      sources_ = Value();
    return !sources_.is_empty();
  }

  Value sources_, active_;
};

Value construct_chain(Type* cls, const Arguments& arguments) {
  if (arguments.keyword_count) raise(errors::TypeError, "chain() takes no keyword arguments");
  return make_iterator<Chain>(cls, Value(make_tuple(arguments.positional())));
}

const NativeRow kChainMethods[] = {
    {"classmethod from_iterable(cls, iterable, /)",
     [](const Parameters& p) { return Value(make<Chain>(&chain_type(), p[1])); },
     "A chain over the iterables that one iterable gives."},
};

class ISlice : public RebuiltIterator {
 public:
  ISlice(Type* type, const Value& iterable, std::int64_t start, std::int64_t stop,
         std::int64_t step)
      : RebuiltIterator(type),
        source_(iterate(iterable)),
        wanted_(start),
        stop_(stop),
        step_(step) {}
  bool advance(Value& item) override {
    if (source_.is_empty()) return false;
    std::int64_t goal = stop_ >= 0 && wanted_ >= stop_ ? stop_ : wanted_ + 1;
    while (seen_ < goal) {
      if (!next(source_, item)) return finish();
      ++seen_;
    }
    if (stop_ >= 0 && wanted_ >= stop_) return finish();
    wanted_ += step_;
    if (wanted_ < 0) wanted_ = INT64_MAX - 1;
    return true;
  }
  void traverse(Visitor& visitor) override { visitor.visit(source_); }
  void clear_references() override { source_ = Value(); }
  Value reduced() override {
    if (source_.is_empty()) {
      Value nothing = iterate(make_list(Values()));
      return rebuilt({nothing, Value::integer(0)}, Value::integer(0));
    }
    Value stop = stop_ < 0 ? Value::none() : Value::integer(stop_);
    return rebuilt({source_, Value::integer(wanted_), stop, Value::integer(step_)},
                   Value::integer(seen_));
  }
  void set_state(const Value& state) override { seen_ = to_int64(state); }

 private:
  bool finish() {
    source_ = Value();
    return false;
  }
  Value source_;
  std::int64_t seen_ = 0;  // items taken from the source
  std::int64_t wanted_;    // index of the next item to give
  std::int64_t stop_;      // negative: none
  std::int64_t step_;
};

std::int64_t slice_bound(const Value& value, std::int64_t absent, std::int64_t least,
                         const char* message) {
  if (value.is_none()) return absent;
  std::int64_t bound;
  if (!try_index(value, bound) || bound < least) raise(errors::ValueError, "{}", message);
  return bound;
}

Value construct_islice(Type* cls, const Arguments& arguments) {
  constexpr const char* kBounds =
      "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.";
  if (arguments.count < 2 || arguments.count > 4)
    raise(errors::TypeError, "islice expected at {} arguments, got {}",
          arguments.count < 2 ? "least 2" : "most 4", arguments.count);
  const Value* values = arguments.values;
  if (arguments.count == 2) {
    std::int64_t stop = slice_bound(
        values[1], -1, 0,
        "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.");
    return make_iterator<ISlice>(cls, values[0], 0, stop, 1);
  }
  std::int64_t start = slice_bound(values[1], 0, 0, kBounds);
  std::int64_t stop =
      slice_bound(values[2], -1, 0,
                  "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.");
  std::int64_t step = 1;
  if (arguments.count == 4)
    step = slice_bound(values[3], 1, 1, "Step for islice() must be a positive integer or None.");
  return make_iterator<ISlice>(cls, values[0], start, stop, step);
}

}  // namespace

Type& accumulate_type() {
  static Type& type = with_state(make_itertools_type<construct_accumulate>("accumulate"));
  return type;
}

Type& chain_type() {
  static Type& type = *[] {
    Type& made = make_itertools_type<construct_chain>("chain");
    make_subscriptable(made);
    made.add(kChainMethods);
    with_state(made);
    return &made;
  }();
  return type;
}

Type& compress_type() {
  static Type& type = with_state(make_itertools_type<construct_compress>("compress"));
  return type;
}

Type& dropwhile_type() {
  static Type& type = with_state(make_itertools_type<construct_filtering<DropWhile>>("dropwhile"));
  return type;
}

Type& filterfalse_type() {
  static Type& type = make_itertools_type<construct_filtering<FilterFalse>>("filterfalse");
  return type;
}

Type& takewhile_type() {
  static Type& type = with_state(make_itertools_type<construct_filtering<TakeWhile>>("takewhile"));
  return type;
}

Type& starmap_type() {
  static Type& type = make_itertools_type<construct_filtering<StarMap>>("starmap");
  return type;
}

Type& islice_type() {
  static Type& type = with_state(make_itertools_type<construct_islice>("islice"));
  return type;
}

}  // namespace strider::lang
