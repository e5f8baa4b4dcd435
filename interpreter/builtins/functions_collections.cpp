// Built-in functions over iterables: all, any, iter, next, max, min, sorted, sum.
#include "interpreter/builtins/functions.h"
#include "interpreter/evaluator/frames/awaitable.h"
#include "interpreter/runtime/call/key_function.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/sequences/list_methods.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

template <bool kStopAt>
Value any_or_all(const Parameters& p) {
  Iteration items(p[0]);
  Value item;
  while (items.next(item))
    if (truth(item) == kStopAt) return Value::boolean(kStopAt);
  return Value::boolean(!kStopAt);
}

// iter(function, sentinel)
class CallIterator final : public Iterator {
 public:
  CallIterator(const Value& function, const Value& sentinel)
      : Iterator(type()), function_(function), sentinel_(sentinel) {}
  bool advance(Value& item) override {
    if (function_.is_empty()) return false;
    try {
      item = call(function_);
      if (!equal(item, sentinel_)) return true;
    } catch (const Raised& raised) {
      if (!raised.exception->type()->is_subclass_of(&errors::StopIteration())) throw;
    }
    function_ = Value();
    return false;
  }
  Value reduced() override {
    if (function_.is_empty()) return rebuilt_by("iter", {Value(make_tuple(Values()))});
    return rebuilt_by("iter", {function_, sentinel_});
  }
  void traverse(Visitor& visitor) override {
    visitor.visit(function_);
    visitor.visit(sentinel_);
  }
  void clear_references() override { function_ = sentinel_ = Value(); }

 private:
  static Type* type() {
    static Type* made = make_iterator_type("callable_iterator");
    return made;
  }
  Value function_, sentinel_;
};

Value builtin_iter(const Parameters& p) {
  if (!p.has(1)) return iterate(p[0]);
  if (!is_callable(p[0])) raise(errors::TypeError, "iter(v, w): v must be callable");
  return make<CallIterator>(p[0], p[1]);
}

Value builtin_next(const Parameters& p) {
  // What may end with a value is asked by its __next__, so that StopIteration keeps that.
  Type* type = type_of(p[0]);
  if (!type->slots.next) raise(errors::TypeError, "'{}' object is not an iterator", type->name());
  bool has_result =
      type->has(Type::kUserDefined) || p[0].has_layout(Layout::kGenerator) || awaitable_of(p[0]);
  if (!p.has(1) && has_result) return call(find_special(p[0], names().next));
  Value item;
  if (next(p[0], item)) return item;
  if (p.has(1)) return p[1];
  return fail_message(errors::StopIteration(), "");
}

// Whether a key is beyond the best one so far.
template <CompareOperator kOp>
bool beats(const Value& key, const Value& best) {
  constexpr bool kGreatest = kOp == CompareOperator::kGt;
  if (key.is_int() && best.is_int())
    return kGreatest ? key.as_int() > best.as_int() : key.as_int() < best.as_int();
  if (key.is_float() && best.is_float())
    return kGreatest ? key.as_float() > best.as_float() : key.as_float() < best.as_float();
  return truth(compare(kOp, key, best));
}

template <CompareOperator kOp>
Value extreme(const Parameters& p, const char* name) {
  std::span<const Value> given = p[0].as<Tuple>()->items();
  if (given.empty()) raise(errors::TypeError, "{} expected at least 1 argument, got 0", name);
  if (given.size() > 1 && p.has(2))
    raise(errors::TypeError, "Cannot specify a default for {}() with multiple positional arguments",
          name);
  Iteration items(given.size() == 1 ? given[0] : p[0]);
  bool keyed = !p[1].is_none();
  KeyFunction key_of(p[1]);
  Value item, best, best_key;
  while (items.next(item)) {
    Value key = keyed ? key_of(item) : item;
    if (best.is_empty() || beats<kOp>(key, best_key)) {
      best = item;
      best_key = key;
    }
  }
  if (!best.is_empty()) return best;
  if (p.has(2)) return p[2];
  raise(errors::ValueError, "{}() arg is an empty sequence", name);
}

Value builtin_max(const Parameters& p) { return extreme<CompareOperator::kGt>(p, "max"); }
Value builtin_min(const Parameters& p) { return extreme<CompareOperator::kLt>(p, "min"); }

Value builtin_sorted(const Parameters& p) {
  Value list = to_list(p[0]);
  sort_list(*list.as<List>(), p[1], truth(p[2]));
  return list;
}

Value builtin_sum(const Parameters& p) {
  if (is_str(p[1])) raise(errors::TypeError, "sum() can't sum strings [use ''.join(seq) instead]");
  if (p[1].has_layout(Layout::kBytes))
    raise(errors::TypeError, "sum() can't sum bytes [use b''.join(seq) instead]");
  if (p[1].has_layout(Layout::kByteArray))
    raise(errors::TypeError, "sum() can't sum bytearray [use b''.join(seq) instead]");
  Iteration items(p[0]);
  Value total = p[1], item;
  while (items.next(item)) {
    std::int64_t sum;
    if (total.is_int() && item.is_int() &&
        !__builtin_add_overflow(total.as_int(), item.as_int(), &sum))
      total = Value::integer(sum);
    else if (total.is_float() && item.is_float())
      total = Value::real(total.as_float() + item.as_float());
    else
      total = binary(BinaryOperator::kAdd, total, item);
  }
  return total;
}

}  // namespace

const NativeRow kCollectionFunctions[] = {
    {"all(iterable, /)", any_or_all<false>, "Whether every item is true."},
    {"any(iterable, /)", any_or_all<true>, "Whether some item is true."},
    {"iter(object, sentinel=<none>, /)", builtin_iter, "An iterator over the object."},
    {"next(iterator, default=<none>, /)", builtin_next, "The next item of an iterator."},
    {"max(*values, key=None, default=<none>)", builtin_max, "The largest item."},
    {"min(*values, key=None, default=<none>)", builtin_min, "The smallest item."},
    {"sorted(iterable, /, *, key=None, reverse=False)", builtin_sorted, "A new sorted list."},
    {"sum(iterable, /, start=0)", builtin_sum, "The sum of the items."},
};
const std::size_t kCollectionFunctionCount = std::size(kCollectionFunctions);

}  // namespace strider::lang
