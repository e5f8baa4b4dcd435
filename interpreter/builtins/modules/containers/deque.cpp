// deque: the type and its operators.
#include "interpreter/builtins/modules/containers/deque.h"

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/runtime/call/recursion.h"
#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Deque& deque_of(const Value& value) { return *value.as<Deque>(); }
bool is_deque(const Value& value) { return is_instance(value, Deque::type_object()); }

class DequeIterator final : public Iterator {
 public:
  DequeIterator(Deque* deque, bool reversed)
      : Iterator(type()), deque_(deque), version_(deque->version), reversed_(reversed) {}
  bool advance(Value& item) override {
    if (!deque_) return false;
    if (deque_->version != version_) {
      deque_ = nullptr;
      raise(errors::RuntimeError, "deque mutated during iteration");
    }
    if (index_ == deque_->items.size()) {
      deque_ = nullptr;
      return false;
    }
    item = deque_->items[reversed_ ? deque_->items.size() - 1 - index_ : index_];
    ++index_;
    return true;
  }
  bool append_rest(Values& rest) override {
    for (Value item; DequeIterator::advance(item);) rest.push_back(std::move(item));
    return true;
  }
  std::int64_t remaining() const override {
    return deque_ ? deque_->size() - static_cast<std::int64_t>(index_) : 0;
  }
  Value reduced() override {
    std::string_view function = reversed_ ? "reversed" : "iter";
    if (!deque_) return rebuilt_by(function, {Value(make_tuple(Values()))});
    return rebuilt_by(function, {Value(deque_)}, static_cast<std::int64_t>(index_));
  }
  void set_place(std::int64_t place) override {
    if (deque_)
      index_ = static_cast<std::size_t>(std::clamp<std::int64_t>(place, 0, deque_->size()));
  }
  void traverse(Visitor& visitor) override { visitor.visit(deque_); }
  void clear_references() override { deque_ = nullptr; }

 private:
  static Type* type() {
    static Type* type = make_iterator_type("_deque_iterator");
    return type;
  }
  Ref<Deque> deque_;
  std::uint64_t version_;
  std::size_t index_ = 0;
  bool reversed_;
};

Value deque_iterate(const Value& self) { return make<DequeIterator>(self.as<Deque>(), false); }

Value deque_repr(const Value& self) {
  ReprGuard guard(self.object());
  if (guard.inside()) return make_str("[...]");
  check_stack("maximum recursion depth exceeded while getting the repr of an object");
  const Deque& deque = deque_of(self);
  std::string text = std::string(plain_name(*type_of(self))) + "([";
  append_reprs(text, {deque.items.begin(), deque.items.end()});
  text += ']';
  if (deque.greatest_length >= 0) text += fmt::format(", maxlen={}", deque.greatest_length);
  return make_str(text + ")");
}

std::int64_t deque_length(const Value& self) { return deque_of(self).size(); }

Value& place_of(const Value& self, const Value& key) {
  std::int64_t index;
  if (!try_index(key, index))
    raise(errors::TypeError, "sequence index must be integer, not '{}'", type_name(key));
  Deque& deque = deque_of(self);
  if (index < 0) index += deque.size();
  if (index < 0 || index >= deque.size()) raise(errors::IndexError, "deque index out of range");
  return deque.items[static_cast<std::size_t>(index)];
}

Value deque_get_item(const Value& self, const Value& key) { return place_of(self, key); }

void deque_set_item(const Value& self, const Value& key, const Value& value) {
  Value& place = place_of(self, key);
  if (!value.is_empty()) {
    place = value;
    return;
  }
  Deque& deque = deque_of(self);
  ++deque.version;
  Value old = place;
  auto found = deque.items.begin();
  while (&*found != &place) ++found;
  deque.items.erase(found);
}

bool deque_contains(const Value& self, const Value& item) {
  Deque& deque = deque_of(self);
  std::uint64_t version = deque.version;
  for (std::size_t i = 0; i < deque.items.size(); ++i) {
    Value each = deque.items[i];
    if (equal(each, item)) return true;
    if (deque.version != version) raise(errors::RuntimeError, "deque mutated during iteration");
  }
  return false;
}

Value repeated(const Value& self, const Value& count_value) {
  std::size_t count;
  const Deque& deque = deque_of(self);
  if (!repetition_count(count_value, deque.items.size(), count)) return Value();
  Ref<Deque> result = make_deque_like(deque);
  for (std::size_t i = 0; i < count; ++i)
    for (const Value& item : deque.items) result->append(item);
  return result;
}

Value deque_binary(BinaryOperator op, const Value& self, const Value& other) {
  if (op == BinaryOperator::kMult) return repeated(self, other);
  if (op != BinaryOperator::kAdd) return Value();
  if (!is_deque(other))
    raise(errors::TypeError, "can only concatenate deque (not \"{}\") to deque", type_name(other));
  Ref<Deque> result = make_deque_like(deque_of(self));
  extend_deque(*result, self);
  extend_deque(*result, other);
  return result;
}

Value deque_reflected(BinaryOperator op, const Value& self, const Value& other) {
  return op == BinaryOperator::kMult ? repeated(self, other) : Value();
}

Value deque_inplace(BinaryOperator op, const Value& self, const Value& other) {
  if (op == BinaryOperator::kAdd) {
    extend_deque(deque_of(self), other);
    return self;
  }
  if (op != BinaryOperator::kMult) return Value();
  Value result = repeated(self, other);
  if (result.is_empty()) return result;
  deque_of(self).items.swap(deque_of(result).items);
  ++deque_of(self).version;
  return self;
}

Value deque_compare(CompareOperator op, const Value& self, const Value& other) {
  if (!is_deque(other)) return Value();
  const Deque &left = deque_of(self), &right = deque_of(other);
  return compare_items(op, {left.items.begin(), left.items.end()},
                       {right.items.begin(), right.items.end()});
}

Value deque_construct(Type* cls, const Arguments&) { return make_instance<Deque>(cls); }

std::int64_t length_limit(const Value& value) {
  if (value.is_none()) return -1;
  std::int64_t limit;
  if (!try_index(value, limit)) raise(errors::TypeError, "an integer is required");
  if (limit < 0) raise(errors::ValueError, "maxlen must be non-negative");
  return limit;
}

void deque_initialize(const Value& self, const Arguments& arguments) {
  static const Signature signature("deque(iterable=<none>, maxlen=None)");
  Value slots[2];
  bind_constructor(signature, arguments, slots);
  Deque& deque = deque_of(self);
  deque.greatest_length = length_limit(slots[1]);
  ++deque.version;
  std::deque<Value>().swap(deque.items);  // what goes may run code that looks at the deque
  if (!slots[0].is_empty()) extend_deque(deque, slots[0]);
}

const PropertyRow kDequeProperties[] = {
    {"maxlen",
     [](const Value& self) {
       std::int64_t limit = deque_of(self).greatest_length;
       return limit < 0 ? Value::none() : Value::integer(limit);
     },
     nullptr, "The greatest length, or None."},
};

const NativeRow kIterationMethods[] = {
    {"__reversed__(self, /)",
     [](const Parameters& p) { return Value(make<DequeIterator>(p[0].as<Deque>(), true)); },
     "An iterator from the last item to the first."},
    {"classmethod __class_getitem__(cls, item, /)", class_getitem, "See PEP 585."},
};

void set_slots(Slots& slots) {
  slots.repr = deque_repr;
  slots.hash = nullptr;
  slots.length = deque_length;
  slots.get_item = deque_get_item;
  slots.set_item = deque_set_item;
  slots.contains = deque_contains;
  slots.iterate = deque_iterate;
  slots.binary = deque_binary;
  slots.reflected = deque_reflected;
  slots.inplace = deque_inplace;
  slots.operators = {"+ *", "*", "+ *"};
  slots.compare = deque_compare;
  slots.construct = deque_construct;
  slots.initialize = deque_initialize;
}

}  // namespace

void Deque::append(const Value& item) {
  ++version;
  items.push_back(item);
  if (greatest_length >= 0 && size() > greatest_length) {
    Value dropped = std::move(items.front());
    items.pop_front();
  }
}

bool Deque::append_all(std::span<const Value> more) {
  auto most = static_cast<std::size_t>(greatest_length);
  if (greatest_length >= 0 && !items.empty()) return false;
  if (greatest_length >= 0 && more.size() > most) more = more.last(most);
  ++version;
  items.insert(items.end(), more.begin(), more.end());
  return true;
}

void Deque::append_left(const Value& item) {
  ++version;
  items.push_front(item);
  if (greatest_length >= 0 && size() > greatest_length) {
    Value dropped = std::move(items.back());
    items.pop_back();
  }
}

void Deque::rotate(std::int64_t count) {
  if (size() < 2) return;
  ++version;
  count %= size();
  for (; count > 0; --count) {
    items.push_front(std::move(items.back()));
    items.pop_back();
  }
  for (; count < 0; ++count) {
    items.push_back(std::move(items.front()));
    items.pop_front();
  }
}

void Deque::traverse(Visitor& visitor) {
  for (const Value& item : items) visitor.visit(item);
}

Ref<Deque> make_deque_like(const Deque& other) {
  Ref<Deque> result = make_instance<Deque>(other.type());
  result->greatest_length = other.greatest_length;
  return result;
}

void extend_deque(Deque& self, const Value& iterable) {
  if (iterable.is_object() && iterable.object() == &self) {
    for (const Value& item : Values(self.items.begin(), self.items.end())) self.append(item);
    return;
  }
  if (type_of(iterable) == &List::type_object() && self.append_all(iterable.as<List>()->items))
    return;
  Iteration items(iterable);
  Value item;
  while (items.next(item)) self.append(item);
}

Type& Deque::type_object() {
  static Type& type = *[] {
    Type& made = make_module_type("deque", "collections");
    made.doc = "A sequence that grows and shrinks quickly at both ends.";
    made.set(Type::kSubclassable);
    made.set(Type::kSequencePattern);
    set_slots(made.slots);
    made.add(std::span(kDequeMethods, kDequeMethodCount));
    made.add(kIterationMethods);
    made.add(kDequeProperties);
    return &made;
  }();
  return type;
}

}  // namespace strider::lang
