// raise, try, with. Handlers run outside C++ catch blocks, so that a generator may pause inside
// them.
#include "interpreter/evaluator/handling.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

class RaiseStatement final : public Statement {
 public:
  RaiseStatement(Node* exception, Node* cause) : exception_(exception), cause_(cause) {}
  Flow execute(Frame& frame) const override {
    if (!exception_) {
      frame.at = this;
      if (!frame.interpreter->handled)
        raise(errors::RuntimeError, "No active exception to reraise");
      return raise_flow(frame, frame.interpreter->handled);
    }
    Value given = exception_->evaluate(frame);
    frame.at = this;
    Ref<Exception> exception = make_exception(given, Value::none());
    if (cause_) set_cause(frame, *exception);
    link_context(*exception);
    note_again(frame, *exception);
    return raise_flow(frame, exception);
  }

 private:
  // An exception that this frame has a line of already gets another: of where it is raised again.
  static void note_again(const Frame& frame, Exception& exception) {
    if (exception.traceback.empty() || exception.traceback.back().frame != &frame) return;
    exception.traceback.back().frame = nullptr;
    add_traceback_entry(frame, exception);
  }
  void set_cause(Frame& frame, Exception& exception) const {
    Value cause = cause_->evaluate(frame);
    frame.at = this;
    exception.suppress_context = true;
    if (cause.is_none()) {
      exception.cause = nullptr;
      return;
    }
    if (!cause.has_layout(Layout::kException) && !cause.has_layout(Layout::kType))
      raise(errors::TypeError, "exception causes must derive from BaseException");
    exception.cause = make_exception(cause, Value::none());
  }
  Node* exception_;
  Node* cause_;
};

class TryStatement final : public Statement {
 public:
  TryStatement(Block body, std::vector<Handler> handlers, Block otherwise, Block finalizer)
      : body_(std::move(body)),
        handlers_(std::move(handlers)),
        otherwise_(std::move(otherwise)),
        finalizer_(std::move(finalizer)) {}

  Flow execute(Frame& frame) const override {
    if (finalizer_.empty()) return execute_handled(frame);
    Flow flow = Flow::kNext;
    Ref<Exception> failure = catch_exception(frame, flow, [&] { return execute_handled(frame); });
    Value result = std::move(frame.result);  // kept aside: the finalizer may return, too
    Flow final_flow;
    if (failure) {
      Handling handling(frame, failure);
      final_flow = finalizer_.execute(frame);
    } else {
      final_flow = finalizer_.execute(frame);
    }
    if (final_flow != Flow::kNext) return final_flow;
    if (failure) return raise_flow(frame, failure);
    frame.result = std::move(result);
    return flow;
  }

 private:
  Flow execute_handled(Frame& frame) const {
    if (handlers_.empty()) return body_.execute(frame);
    Flow flow = Flow::kNext;
    Ref<Exception> failure = catch_exception(frame, flow, [&] { return body_.execute(frame); });
    if (!failure) return flow == Flow::kNext ? otherwise_.execute(frame) : flow;
    return handle(frame, failure);
  }

  Flow handle(Frame& frame, const Ref<Exception>& failure) const {
    Handling handling(frame, failure);
    for (const Handler& handler : handlers_) {
      if (handler.type) {
        if (frame.watched) tell_line(frame, *handler.type);
        Value type = handler.type->evaluate(frame);
        frame.at = handler.type;
        if (!matches(*failure, type)) continue;
      }
      return run_handler(frame, handler, failure);
    }
    return raise_flow(frame, failure);
  }

  // `except E as name` deletes the name at the end, however the block ends.
  static Flow run_handler(Frame& frame, const Handler& handler, const Ref<Exception>& failure) {
    if (!handler.target) return handler.body.execute(frame);
    handler.target->assign(frame, Value(failure));
    Flow flow = Flow::kNext;
    Ref<Exception> again =
        catch_exception(frame, flow, [&] { return handler.body.execute(frame); });
    handler.target->assign(frame, Value::none());
    handler.target->erase(frame);
    if (again) return raise_flow(frame, again);
    return flow;
  }

  Block body_;
  std::vector<Handler> handlers_;
  Block otherwise_;
  Block finalizer_;
};

class WithStatement final : public Statement {
 public:
  WithStatement(std::vector<WithPart> parts, Block body)
      : parts_(std::move(parts)), body_(std::move(body)) {}
  Flow execute(Frame& frame) const override { return enter(frame, 0); }

 private:
  Flow enter(Frame& frame, std::size_t index) const {
    if (index == parts_.size()) return body_.execute(frame);
    const WithPart& part = parts_[index];
    Value manager = part.manager->evaluate(frame);
    frame.at = this;
    Entry entry = enter_manager(manager);
    Flow flow = Flow::kNext;
    Ref<Exception> failure = catch_exception(frame, flow, [&] {
      if (part.target) part.target->assign(frame, entry.entered);
      return enter(frame, index + 1);
    });
    if (failure) return leave_failed(frame, *this, entry.exit, failure);
    leave_entered(frame, *this, entry.exit);
    return flow;
  }

  std::vector<WithPart> parts_;
  Block body_;
};

}  // namespace

Entry enter_manager(const Value& manager) {
  TypesMethod enter(manager, names().enter), exit(manager, names().exit);
  if (enter.is_missing() || exit.is_missing())
    raise(errors::TypeError, "'{}' object does not support the context manager protocol{}",
          type_name(manager), enter.is_missing() ? "" : " (missed __exit__ method)");
  Value entered = enter();
  return {std::move(exit), std::move(entered)};
}

Flow leave_failed(Frame& frame, const NodeBase& statement, const TypesMethod& exit,
                  const Ref<Exception>& failure) {
  Handling handling(frame, failure);
  frame.at = &statement;
  if (frame.watched) tell_line(frame, statement);
  Value swallow = exit(Value(failure->type()), Value(failure), traceback_object(*failure));
  if (!truth(swallow)) return raise_flow(frame, failure);
  frame.result = Value();
  return Flow::kNext;
}

void leave_entered(Frame& frame, const NodeBase& statement, const TypesMethod& exit) {
  Value result = std::move(frame.result);
  frame.at = &statement;
  if (frame.watched) tell_line(frame, statement);
  exit(Value::none(), Value::none(), Value::none());
  frame.result = std::move(result);
}

Statement* make_raise(Code& code, Span span, Node* exception, Node* cause) {
  return code.make<RaiseStatement>(span, exception, cause);
}
Statement* make_try(Code& code, Span span, Block body, std::vector<Handler> handlers,
                    Block otherwise, Block finalizer) {
  return code.make<TryStatement>(span, std::move(body), std::move(handlers), std::move(otherwise),
                                 std::move(finalizer));
}
Statement* make_with(Code& code, Span span, std::vector<WithPart> parts, Block body) {
  return code.make<WithStatement>(span, std::move(parts), std::move(body));
}

}  // namespace strider::lang
