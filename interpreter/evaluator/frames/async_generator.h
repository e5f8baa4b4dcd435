// Asynchronous generators: generators whose values are told from what they wait for, and the steps
// by which they are driven.
#pragma once

#include "interpreter/evaluator/frames/awaitable.h"

namespace strider::lang {

// What an asynchronous generator yields; all else that comes out of it is waited for.
class AsyncValue final : public Container {
 public:
  explicit AsyncValue(const Value& value)
      : Container(Layout::kOther, &type_object()), item(value) {}
  static Type& type_object();
  void traverse(Visitor& visitor) override { visitor.visit(item); }
  void clear_references() override { item = Value(); }
  Value item;
};

// One step, to be awaited: __anext__() and asend(), athrow() or aclose().
class AsyncStep final : public Awaitable {
 public:
  enum class Does : std::uint8_t { kSend, kThrow, kClose };

  // `sent` is handed in by kSend, `thrown` raised by kThrow.
  AsyncStep(const Value& generator, Does does, const Value& sent, const Ref<Exception>& thrown);
  static Type& sending_type();
  static Type& throwing_type();
  bool advance(const Value& sent, const Ref<Exception>& thrown, Value& item,
               Value& result) override;
  // As advance(); but nothing is raised where the generator ends: `ended` tells it.
  bool advance_or_end(const Value& sent, const Ref<Exception>& thrown, Value& item, Value& result,
                      bool& ended);
  void close() override { state_ = State::kEnded; }
  void traverse(Visitor& visitor) override;
  void clear_references() override {
    sent_ = Value();
    thrown_ = nullptr;
  }

 private:
  enum class State : std::uint8_t { kCreated, kBegun, kEnded };

  void check();
  void begin(const Value& sent);
  bool is_settled(Value& item, Value& result);
  void end(const Exception* failure);

  Ref<Generator> generator_;
  Does does_;
  State state_ = State::kCreated;
  Value sent_;
  Ref<Exception> thrown_;
};

// What __anext__() of an asynchronous generator gives.
Value next_step(const Value& generator);

}  // namespace strider::lang
