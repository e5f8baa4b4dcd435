// Generator: a paused run of a function that yields or awaits. Its body runs on a fiber of its own,
// unless it only pauses between statements.
#pragma once

#include <memory>
#include <vector>

#include "interpreter/evaluator/frames/function.h"
#include "interpreter/evaluator/frames/stack.h"
#include "interpreter/evaluator/node.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

class Generator final : public Container {
 public:
  // Takes over the bound arguments in `locals`.
  Generator(std::shared_ptr<const Code> code, const Ref<Dict>& globals,
            const std::vector<Ref<Cell>>& closure, Value* locals);
  ~Generator() override;
  static Type& type_object();
  static Type& coroutine_type();  // of what async functions without yields give
  static Type& async_type();      // of what those with yields give

  // Runs to the next yield, handing in what `yield` gives there. False when the body has returned;
  // the returned value is then in result().
  bool resume(const Value& sent, Value& item);
  // As resume(None).
  bool advance(Value& item) {
    if (code_->resumable && state_ == State::kPaused) [[likely]]
      return step(item);
    return resume(Value::none(), item);
  }
  // As resume, but raises the exception at the yield.
  bool throw_in(const Ref<Exception>& exception, Value& item);
  // Raises GeneratorExit inside; RuntimeError if the body yields again.
  void close();
  const Value& result() const { return result_; }
  bool finished() const { return state_ == State::kFinished; }
  bool running() const { return state_ == State::kRunning; }
  bool paused() const { return state_ == State::kPaused; }
  // Its function's names, unless a program has given it others.
  Value name() const { return name_.is_empty() ? Value(code_->name) : name_; }
  Value qualified_name() const {
    return qualified_name_.is_empty() ? Value(make_str(code_->qualified_name)) : qualified_name_;
  }
  // Of an asynchronous generator: whether a step of it is under way, whether it was closed, whether
  // it has begun, and what is given the generator when nobody else has it, until that is done.
  struct {
    bool runs = false;
    bool closed = false;
    bool begun = false;
    Value finalizer;
  } async;
  // Gives it to the finalizer; false if there is none, or nothing to finalize.
  bool hand_over();
  // An `await` takes the coroutine, unless another one waits in it.
  void begin_awaiting();
  // What messages call it, and how they call one that ended and must not be resumed, if so.
  struct Kind {
    const char* name;
    const char* ended;
  };
  static const Kind kPlain, kCoroutine, kAsyncGenerator;
  void rename(const Value& name) { name_ = name; }
  void rename_qualified(const Value& name) { qualified_name_ = name; }
  const std::shared_ptr<const Code>& code() const { return code_; }
  Frame& frame() { return frame_; }
  // What the caller was handling when it resumed this.
  const Ref<Exception>& handled_outside() const { return handled_outside_; }
  // The body begins to handle an exception; whether what is handled around that is the caller's.
  bool enter_handler() { return fiber_ && handlers_++ == 0; }
  void leave_handler() {
    if (fiber_) --handlers_;
  }

  // On the fiber: hands out a value, waits, returns what was sent or raises what was thrown. The
  // value does not stay on the fiber's stack, where the collector would not see it.
  Value yield_value(Value&& value);
  // In a resumable body: what was sent; raises what was thrown.
  Value take_sent();
  // The same where nothing takes what was sent.
  void drop_sent() {
    if (thrown_) take_sent();
    sent_ = Value();
  }
  // What was thrown, or null.
  Ref<Exception> take_thrown() { return std::move(thrown_); }
  const Ref<Exception>& thrown() const { return thrown_; }
  bool handles = false;  // a resumable body was left where it handles an exception

  // Whether it is a coroutine that nobody has waited for.
  bool is_never_awaited() const {
    return kind_ == &kCoroutine && !used_ && state_ == State::kCreated;
  }
  void warn_never_awaited();
  // Whether a paused body has `finally` blocks or the like before it.
  bool has_more_to_do() const;
  // Runs them; what fails there is reported, a body that goes on nevertheless is left.
  void end();

  void traverse(Visitor& visitor) override;
  void clear_references() override;

  // Whether the generator that the body waits in has ended without going through the body: then
  // what it returned or, if it failed, why.
  bool take_ended(Value& result, Ref<Exception>& failure);

  // The iterator that the body has handed on to by `yield from`; None while it runs.
  Value delegate() const { return running() || delegate_.is_empty() ? Value::none() : delegate_; }
  // Tells of that as long as it lives, unless the body waits in it.
  class Delegation {
   public:
    Delegation(Generator& generator, const Value& inner) : generator_(generator) {
      generator_.delegate_ = inner;
    }
    ~Delegation() {
      if (!waits) generator_.delegate_ = Value();
    }
    Delegation(const Delegation&) = delete;
    bool waits = false;

   private:
    Generator& generator_;
  };

 private:
  enum class State : std::uint8_t { kCreated, kPaused, kRunning, kFinished };
  bool run(Value& item);
  bool step(Value& item);
  bool may_pass_on(const Interpreter& interpreter) const;
  bool pass_on(Interpreter& interpreter, Value& item);
  bool end_step(const Ref<Exception>& failure);
  void run_body();
  void switch_to_fiber(Interpreter& interpreter);
  // Ends a paused body that refuses to end: what it holds is let go, none of its code runs.
  void abandon();
  void finish();
  std::string said(std::string_view what) const;  // of itself
  void refuse_reuse() const;                      // RuntimeError where the kind says so

  std::shared_ptr<const Code> code_;
  Ref<Dict> globals_;
  Values locals_;
  std::vector<Ref<Cell>> cells_;
  std::vector<ResumePoint> resume_points_;
  Frame frame_;
  std::unique_ptr<Fiber> fiber_;
  State state_ = State::kCreated;
  const Kind* kind_ = &kPlain;
  bool abandoned_ = false;
  bool delegate_ended_ = false;
  bool used_ = false;  // somebody has resumed or awaited it, thrown into it or closed it
  Value sent_, yielded_, result_ = Value::none();
  Value name_, qualified_name_, delegate_;
  Ref<Exception> thrown_, failure_, delegate_failure_;
  int handlers_ = 0;        // in which the body is
  Ref<Exception> handled_;  // by the paused body itself
  Ref<Exception> handled_outside_;
};

inline bool is_coroutine(const Value& value) {
  return value.has_layout(Layout::kGenerator) &&
         value.object()->type() == &Generator::coroutine_type();
}

// What a call of a function with yields or awaits gives.
Value make_generator(Function& function, Value* locals);

}  // namespace strider::lang
