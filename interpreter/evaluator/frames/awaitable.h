// Awaitable: an iterator that an `await` drives step by step, with what is sent and thrown; and the
// two of them that stand for coroutines and for the iteration of an `async for`.
#pragma once

#include "interpreter/evaluator/frames/generator.h"

namespace strider::lang {

class Awaitable : public Container {
 public:
  explicit Awaitable(Type* type) : Container(Layout::kOther, type) {}
  // Runs to the next thing that is waited for (see delegate_step()); false at the end, with the
  // result.
  virtual bool advance(const Value& sent, const Ref<Exception>& thrown, Value& item,
                       Value& result) = 0;
  virtual void close() = 0;
  // A type of awaitables by this name.
  static Type& make_type(const char* name);
};

// The awaitable that a value is, or null.
Awaitable* awaitable_of(const Value& value);
// What `await value` iterates: a coroutine, an awaitable, or what its class has for that.
Value awaited(const Value& value);

// What `coroutine.__await__()` gives.
class CoroutineWrapper final : public Awaitable {
 public:
  explicit CoroutineWrapper(const Value& coroutine)
      : Awaitable(&type_object()), coroutine_(coroutine) {}
  static Type& type_object();
  bool advance(const Value& sent, const Ref<Exception>& thrown, Value& item,
               Value& result) override;
  void close() override { coroutine_.as<Generator>()->close(); }
  void traverse(Visitor& visitor) override { visitor.visit(coroutine_); }
  void clear_references() override {}

 private:
  Value coroutine_;
};

// The steps of an `async for`, one after the other. A step's result is whether there was a value.
class AsyncIteration final : public Awaitable {
 public:
  // TypeError if it cannot be iterated asynchronously.
  explicit AsyncIteration(const Value& iterable);
  static Type& type_object();
  // Asks for the next value, to be waited for.
  void begin_step();
  const Value& value() const { return value_; }
  bool advance(const Value& sent, const Ref<Exception>& thrown, Value& item,
               Value& result) override;
  void close() override;
  void traverse(Visitor& visitor) override;
  void clear_references() override { iterator_ = value_ = waited_ = Value(); }

 private:
  bool wait(const Value& sent, const Ref<Exception>& thrown, Value& item, Value& value,
            bool& ended);

  Value iterator_, value_;
  Value waited_;  // empty: the iterator has ended
};

}  // namespace strider::lang
