// Generators: pausing and resuming, exceptions in and out.
#include "interpreter/evaluator/frames/generator.h"

#include "interpreter/evaluator/frames/frame_object.h"
#include "interpreter/evaluator/frames/function.h"
#include "interpreter/runtime/call/stack_limit.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/memory/ending.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::size_t kGeneratorStack = 512 * 1024;

// Leaves a body that nobody will resume. No program can catch it.
struct Abandoned {};

// StopIteration must not leak out of a body (PEP 479), nor StopAsyncIteration out of that of an
// asynchronous generator.
Ref<Exception> convert_stop(const Ref<Exception>& exception, const Generator::Kind& kind) {
  const Type& type = *exception->type();
  bool is_stop = type.is_subclass_of(&errors::StopIteration());
  bool is_async_stop =
      &kind == &Generator::kAsyncGenerator && type.is_subclass_of(&errors::StopAsyncIteration());
  if (!is_stop && !is_async_stop) return exception;
  Value message = make_str(
      fmt::format("{} raised {}", kind.name, is_stop ? "StopIteration" : "StopAsyncIteration"));
  Ref<Exception> converted =
      make<Exception>(&errors::RuntimeError(), make_tuple(std::span<const Value>(&message, 1)));
  converted->cause = exception;
  converted->context = exception;
  converted->suppress_context = true;
  return converted;
}

Type& type_for(Pauses pauses) {
  if (pauses == Pauses::kCoroutine) return Generator::coroutine_type();
  return pauses == Pauses::kAsyncGenerator ? Generator::async_type() : Generator::type_object();
}

void check_depth(const Interpreter& interpreter) {
  if (interpreter.depth >= interpreter.recursion_limit)
    raise_message(errors::RecursionError(), "maximum recursion depth exceeded");
}

}  // namespace

constexpr Generator::Kind Generator::kPlain = {"generator", nullptr};
constexpr Generator::Kind Generator::kCoroutine = {"coroutine", "coroutine"};
constexpr Generator::Kind Generator::kAsyncGenerator = {"async generator", nullptr};

Generator::Generator(std::shared_ptr<const Code> code, const Ref<Dict>& globals,
                     const std::vector<Ref<Cell>>& closure, Value* locals)
    : Container(Layout::kGenerator, &type_for(code->pauses)),
      code_(std::move(code)),
      globals_(globals),
      locals_(std::make_move_iterator(locals),
              std::make_move_iterator(locals + code_->local_names.size())),
      cells_(code_->cell_names.size()) {
  set_up_cells(*code_, closure, locals_.data(), cells_.data());
  frame_.locals = locals_.data();
  frame_.cells = cells_.data();
  frame_.globals = globals_.get();
  frame_.code = code_.get();
  frame_.generator = this;
  if (code_->pauses == Pauses::kCoroutine) kind_ = &kCoroutine;
  if (code_->pauses == Pauses::kAsyncGenerator) kind_ = &kAsyncGenerator;
  resume_points_.resize(static_cast<std::size_t>(code_->resume_points));
  frame_.resume_points = resume_points_.data();
}

Generator::~Generator() {
  if (frame_.object) retire_frame(frame_);
  if (has_more_to_do()) fiber_.release();  // nobody is left to unwind it
}

bool Generator::has_more_to_do() const {
  return state_ == State::kPaused && !(code_->resumable && !code_->delegates);
}

void Generator::end() {
  RaisedAside aside;
  try {
    close();
  } catch (const Raised& raised) {
    report_unraisable(*raised.exception, Value(this));
  }
  if (state_ == State::kPaused) abandon();
}

bool end_generator(Object& object) {
  auto& generator = static_cast<Generator&>(object);
  if (generator.hand_over()) return true;
  bool never_awaited = generator.is_never_awaited();
  if (!(never_awaited || generator.has_more_to_do()) || !Interpreter::exists()) return false;
  never_awaited ? generator.warn_never_awaited() : generator.end();
  return true;
}

bool Generator::hand_over() {
  bool due = !async.finalizer.is_empty() && state_ == State::kPaused && !async.closed;
  if (!due || !Interpreter::exists()) return false;
  Value finalizer = std::exchange(async.finalizer, Value());
  RaisedAside aside;
  try {
    call(finalizer, Value(this));
  } catch (const Raised& raised) {
    report_unraisable(*raised.exception, finalizer);
  }
  return true;
}

std::string Generator::said(std::string_view what) const {
  return fmt::format("{} {}", kind_->name, what);
}

void Generator::refuse_reuse() const {
  if (!kind_->ended) return;
  raise_message(errors::RuntimeError(),
                fmt::format("cannot reuse already awaited {}", kind_->ended));
}

void Generator::warn_never_awaited() {
  used_ = true;  // so it is said once
  if (!Interpreter::exists()) return;
  RaisedAside aside;
  try {
    const Value& builtins = Interpreter::current().builtins_module;
    call(get_attribute(builtins, intern(".never_awaited")), qualified_name());
  } catch (const Raised& raised) {
    report_unraisable(*raised.exception, Value(this));
  }
}

void Generator::begin_awaiting() {
  if (used_ && !delegate().is_none())
    raise_message(errors::RuntimeError(), "coroutine is being awaited already");
  used_ = true;
}

bool Generator::resume(const Value& sent, Value& item) {
  used_ = true;
  if (state_ == State::kRunning) raise_message(errors::ValueError(), said("already executing"));
  if (state_ == State::kFinished) {
    refuse_reuse();
    return false;
  }
  if (state_ == State::kCreated && !sent.is_none())
    raise_message(errors::TypeError(),
                  fmt::format("can't send non-None value to a just-started {}", kind_->name));
  sent_ = sent;
  return run(item);
}

bool Generator::throw_in(const Ref<Exception>& exception, Value& item) {
  used_ = true;
  if (state_ == State::kRunning) raise_message(errors::ValueError(), said("already executing"));
  if (state_ != State::kPaused) {
    if (state_ == State::kFinished) refuse_reuse();
    state_ = State::kFinished;
    finish();
    throw Raised{exception};
  }
  thrown_ = exception;
  return run(item);
}

void Generator::close() {
  used_ = true;
  if (state_ == State::kRunning) raise_message(errors::ValueError(), said("already executing"));
  bool nothing_to_unwind = code_->resumable && !code_->delegates;
  if (state_ == State::kCreated || nothing_to_unwind) state_ = State::kFinished;
  if (state_ == State::kFinished) return finish();
  Value item;
  try {
    if (!throw_in(make<Exception>(&errors::GeneratorExit(), empty_tuple()), item)) return;
  } catch (const Raised& raised) {
    Type* type = raised.exception->type();
    if (!type->is_subclass_of(&errors::GeneratorExit()) &&
        !type->is_subclass_of(&errors::StopIteration()))
      throw;
    return;
  }
  raise_message(errors::RuntimeError(), said("ignored GeneratorExit"));
}

bool Generator::run(Value& item) {
  if (code_->resumable) return step(item);
  Interpreter& interpreter = Interpreter::current();
  check_depth(interpreter);
  if (!fiber_) fiber_ = std::make_unique<Fiber>([this] { run_body(); }, kGeneratorStack);
  switch_to_fiber(interpreter);
  if (!fiber_->finished()) {
    state_ = State::kPaused;
    item = std::move(yielded_);
    return true;
  }
  state_ = State::kFinished;
  Ref<Exception> failure = std::move(failure_);
  finish();
  if (failure) throw Raised{failure};
  return false;
}

void Generator::abandon() {
  abandoned_ = true;
  if (fiber_) switch_to_fiber(Interpreter::current());
  state_ = State::kFinished;
  finish();
}

void Generator::switch_to_fiber(Interpreter& interpreter) {
  ++interpreter.depth;
  frame_.interpreter = &interpreter;
  frame_.caller = interpreter.frame;
  Ref<Exception> outer_handled = interpreter.handled;
  handled_outside_ = outer_handled;
  if (handled_) interpreter.handled = handled_;
  Frame* outer_frame = interpreter.frame;
  if (state_ == State::kPaused) interpreter.frame = &frame_;
  state_ = State::kRunning;
  fiber_->resume();
  handled_outside_ = nullptr;
  interpreter.frame = outer_frame;
  frame_.caller = nullptr;
  interpreter.handled = outer_handled;
  --interpreter.depth;
}

// A resumable body runs on the caller's stack up to its next yield.
bool Generator::step(Value& item) {
  if (stack_is_low(kMinimumStack)) [[unlikely]]
    return run_on_new_stack([&] { return Value::boolean(step(item)); }).as_bool();
  if (!frame_.interpreter) frame_.interpreter = &Interpreter::current();
  Interpreter& interpreter = *frame_.interpreter;
  check_depth(interpreter);
  if (!delegate_.is_empty() && may_pass_on(interpreter) && pass_on(interpreter, item)) return true;
  frame_.resuming = state_ == State::kPaused;
  frame_.caller = std::exchange(interpreter.frame, &frame_);
  state_ = State::kRunning;
  ++interpreter.depth;
  Flow flow = Flow::kNext;
  Ref<Exception> failure;
  try {
    if (is_watched(interpreter)) [[unlikely]]
      tell_begin(frame_);
    flow = code_->body.execute(frame_);
    if (flow == Flow::kRaise) failure = take_raised(interpreter);
    if (!failure && is_watched(interpreter)) [[unlikely]]
      tell_end(frame_, frame_.result.is_empty() ? Value::none() : frame_.result);
  } catch (const std::exception&) {
    failure = caught_exception();
  } catch (const Raised& raised) {
    failure = raised.exception;
  }
  if (failure && is_watched(interpreter)) [[unlikely]]
    failure = tell_raise(frame_, failure);
  --interpreter.depth;
  interpreter.frame = std::exchange(frame_.caller, nullptr);
  if (failure) flow = Flow::kRaise;
  if (flow != Flow::kYield) return end_step(failure);
  state_ = State::kPaused;
  item = std::move(frame_.result);
  return true;
}

// Whether the body waits, by `yield from`, in a generator that runs on the same stack.
bool Generator::may_pass_on(const Interpreter& interpreter) const {
  if (state_ != State::kPaused || thrown_ || handles || kind_ != &kPlain) return false;
  if (is_watched(interpreter)) return false;
  if (!delegate_.has_layout(Layout::kGenerator)) return false;
  const auto* inner = delegate_.as<Generator>();
  return inner->state_ == State::kPaused && inner->code_->resumable && inner->kind_ == &kPlain;
}

// Resumes that generator. False: it has ended, and the body goes on.
bool Generator::pass_on(Interpreter& interpreter, Value& item) {
  Ref<Generator> inner(delegate_.as<Generator>());
  inner->sent_ = std::move(sent_);
  frame_.caller = std::exchange(interpreter.frame, &frame_);
  state_ = State::kRunning;
  ++interpreter.depth;
  try {
    delegate_ended_ = !inner->step(item);
  } catch (const Raised& raised) {
    delegate_ended_ = true;
    delegate_failure_ = raised.exception;
  }
  --interpreter.depth;
  interpreter.frame = std::exchange(frame_.caller, nullptr);
  state_ = State::kPaused;
  return !delegate_ended_;
}

bool Generator::take_ended(Value& result, Ref<Exception>& failure) {
  if (!std::exchange(delegate_ended_, false)) return false;
  failure = std::move(delegate_failure_);
  result = delegate_.as<Generator>()->result();
  return true;
}

// The body has returned or raised: false, or the exception.
bool Generator::end_step(const Ref<Exception>& failure) {
  state_ = State::kFinished;
  if (failure) {
    add_traceback_entry(frame_, *failure);
    finish();
    throw Raised{convert_stop(failure, *kind_)};
  }
  result_ = frame_.result.is_empty() ? Value::none() : std::move(frame_.result);
  finish();
  return false;
}

Value Generator::take_sent() {
  if (thrown_) {
    Ref<Exception> exception = std::move(thrown_);
    throw Raised{exception};
  }
  return sent_.is_empty() ? Value::none() : std::move(sent_);
}

void Generator::run_body() {
  try {
    result_ = run_frame(frame_);
  } catch (Raised& raised) {
    failure_ = convert_stop(raised.exception, *kind_);
  } catch (const Abandoned&) {
  }
}

void Generator::finish() {
  if (frame_.object) retire_frame(frame_);
  fiber_.reset();
  for (Value& local : locals_) local = Value();
  for (Ref<Cell>& cell : cells_) cell = nullptr;
  for (ResumePoint& point : resume_points_) point.iterator = Value();
  handled_ = handled_outside_ = nullptr;
}

Value Generator::yield_value(Value&& value) {
  yielded_ = std::move(value);
  Interpreter& interpreter = *frame_.interpreter;
  handled_ = handlers_ == 0 ? nullptr : interpreter.handled;
  if (is_watched(interpreter)) [[unlikely]]
    tell_end(frame_, Value(yielded_));
  fiber_->pause();
  if (abandoned_) throw Abandoned();
  if (is_watched(interpreter)) [[unlikely]]
    tell_begin(frame_);
  if (thrown_) {
    Ref<Exception> exception = std::move(thrown_);
    if (handled_) link_context(*exception);
    throw Raised{exception};
  }
  return std::move(sent_);
}

void Generator::traverse(Visitor& visitor) {
  visitor.visit(globals_);
  if (frame_.object) visitor.visit(Ref<FrameObject>(frame_.object));
  for (const Value& local : locals_) visitor.visit(local);
  for (const Ref<Cell>& cell : cells_) visitor.visit(cell);
  for (const ResumePoint& point : resume_points_) visitor.visit(point.iterator);
  if (handled_) visitor.visit(handled_);
  visitor.visit(delegate_);
  visitor.visit(result_);
  visitor.visit(async.finalizer);
}

void Generator::clear_references() {
  if (state_ == State::kFinished) result_ = Value::none();
  if (state_ == State::kCreated || (code_->resumable && state_ == State::kPaused)) {
    state_ = State::kFinished;
    finish();
  }
}

Value make_generator(Function& function, Value* locals) {
  Ref<Generator> made = make<Generator>(function.code, function.globals, function.closure, locals);
  if (function.name != text_of(function.code->name)) made->rename(make_str(function.name));
  if (function.qualified_name != function.code->qualified_name)
    made->rename_qualified(make_str(function.qualified_name));
  return made;
}

}  // namespace strider::lang
