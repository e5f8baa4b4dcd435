// reversed: from __reversed__, or by index from the last item to the first.
#include <algorithm>

#include "interpreter/builtins/functions.h"
#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

class Reversed final : public Iterator {
 public:
  Reversed(Type* type, const Value& sequence)
      : Iterator(type), sequence_(sequence), left_(length(sequence)) {}
  bool advance(Value& item) override {
    if (left_ <= 0) return false;
    if (is_exactly(sequence_, List::type_object())) return advance_in_list(item);
    try {
      item = get_item(sequence_, Value::integer(--left_));
    } catch (const Raised& raised) {
      if (!raised.exception->type()->is_subclass_of(&errors::IndexError())) throw;
      left_ = 0;
      return false;
    }
    return true;
  }
  std::int64_t remaining() const override {
    if (left_ <= 0) return 0;
    return length(sequence_) < left_ ? 0 : left_;
  }
  Value reduced() override {
    if (left_ <= 0) return rebuilt_by(Value(type()), {Value(make_tuple(Values()))});
    Values parts{Value(type()), make_tuple({sequence_}), Value::integer(left_ - 1)};
    return make_tuple(std::move(parts));
  }
  void set_place(std::int64_t place) override {
    left_ = std::clamp<std::int64_t>(place, -1, length(sequence_) - 1) + 1;
  }
  void traverse(Visitor& visitor) override { visitor.visit(sequence_); }
  void clear_references() override { sequence_ = Value::none(); }

 private:
  bool advance_in_list(Value& item) {
    const Values& items = sequence_.as<List>()->items;
    auto index = static_cast<std::size_t>(--left_);
    if (index < items.size()) {
      item = items[index];
      return true;
    }
    left_ = 0;
    return false;
  }

  Value sequence_;
  std::int64_t left_;
};

Value construct_reversed(Type* cls, const Arguments& arguments) {
  static const Signature signature("reversed(sequence, /)");
  Value slots[1];
  bind_constructor(signature, arguments, slots);
  Value method = find_special(slots[0], names().reversed);
  if (!method.is_empty() && !method.is_none()) return call(method);
  const Slots& type = type_of(slots[0])->slots;
  if (method.is_none() || !type.get_item || !type.length)
    raise(errors::TypeError, "'{}' object is not reversible", type_name(slots[0]));
  return make<Reversed>(cls, slots[0]);
}

}  // namespace

Type& reversed_type() {
  static Type& type = *[] {
    Type* made = make_iterator_type("reversed");
    made->slots.construct = construct_reversed;
    made->slots.initialize = [](const Value&, const Arguments&) {};
    return made;
  }();
  return type;
}

}  // namespace strider::lang
