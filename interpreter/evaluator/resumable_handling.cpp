// `try` and `with` in generators that go back to where they were: they keep what they handle, and
// how a block is left, while the generator is left within.
#include "interpreter/evaluator/handling.h"
#include "interpreter/evaluator/settling.h"

namespace strider::lang {
namespace {

// Runs a part of a statement, of which watchers are told.
Flow told(Frame& frame, const Statement* part) {
  tell_if_watched(frame, part);
  return part->execute(frame);
}

// A generator is left, or goes on, where it handles an exception: what is thrown into it then has
// that one behind it.
void pause_handling(Frame& frame) { frame.generator->handles = true; }
void go_on_with(Frame& frame) {
  frame.generator->handles = false;
  if (frame.generator->thrown()) link_context(*frame.generator->thrown());
}

// try: …, except …: …, else: …
class ResumableExcept final : public Statement {
 public:
  ResumableExcept(int point, Statement* body, std::vector<ResumableHandler> handlers,
                  Statement* otherwise)
      : point_(point), body_(body), handlers_(std::move(handlers)), otherwise_(otherwise) {}

  Flow execute(Frame& frame) const override {
    std::size_t place = frame.resuming ? frame.resume_points[point_].position : kInBody;
    if (place >= kInHandlers) return go_on_handling(frame, place);
    if (place == kInElse) return paused_in(frame, kInElse, told(frame, otherwise_));
    Flow flow = Flow::kNext;
    Ref<Exception> failure = catch_exception(frame, flow, [&] { return told(frame, body_); });
    if (failure) return handle(frame, failure);
    if (flow != Flow::kNext) return paused_in(frame, kInBody, flow);
    return paused_in(frame, kInElse, told(frame, otherwise_));
  }

 private:
  static constexpr std::size_t kInBody = 0, kInElse = 1, kInHandlers = 2;

  Flow paused_in(Frame& frame, std::size_t place, Flow flow) const {
    if (flow == Flow::kYield) frame.resume_points[point_].position = place;
    return flow;
  }

  Flow handle(Frame& frame, const Ref<Exception>& failure) const {
    Handling handling(frame, failure);
    for (std::size_t i = 0; i < handlers_.size(); ++i) {
      if (!takes(frame, handlers_[i], *failure)) continue;
      if (handlers_[i].target) handlers_[i].target->assign(frame, Value(failure));
      return run_handler(frame, i, failure);
    }
    return raise_flow(frame, failure);
  }

  static bool takes(Frame& frame, const ResumableHandler& handler, const Exception& failure) {
    if (!handler.type) return true;
    if (frame.watched) tell_line(frame, *handler.type);
    Value type = handler.type->evaluate(frame);
    frame.at = handler.type;
    return matches(failure, type);
  }

  Flow go_on_handling(Frame& frame, std::size_t place) const {
    Value kept = std::exchange(frame.resume_points[point_].iterator, Value());
    Ref<Exception> failure(kept.as<Exception>());
    Handling handling(frame, failure);
    go_on_with(frame);
    return run_handler(frame, place - kInHandlers, failure);
  }

  // `except E as name` deletes the name at the end, however the block ends.
  Flow run_handler(Frame& frame, std::size_t index, const Ref<Exception>& failure) const {
    const ResumableHandler& handler = handlers_[index];
    Flow flow = Flow::kNext;
    Ref<Exception> again = catch_exception(frame, flow, [&] { return told(frame, handler.body); });
    if (!again && flow == Flow::kYield) {
      frame.resume_points[point_].iterator = Value(failure);
      pause_handling(frame);
      return paused_in(frame, kInHandlers + index, flow);
    }
    if (handler.target) {
      handler.target->assign(frame, Value::none());
      handler.target->erase(frame);
    }
    return again ? raise_flow(frame, again) : flow;
  }

  int point_;
  Statement* body_;
  std::vector<ResumableHandler> handlers_;
  Statement* otherwise_;
};

// try: …, finally: …
class ResumableFinally final : public Statement {
 public:
  ResumableFinally(int point, int kept, Statement* body, Statement* finalizer)
      : point_(point), kept_(kept), body_(body), finalizer_(finalizer) {}

  Flow execute(Frame& frame) const override {
    ResumePoint& point = frame.resume_points[point_];
    if (frame.resuming && point.position == kInFinalizer) return go_on_finishing(frame);
    Flow flow = Flow::kNext;
    Ref<Exception> failure = catch_exception(frame, flow, [&] { return told(frame, body_); });
    if (!failure && flow == Flow::kYield) {
      point.position = kInBody;
      return flow;
    }
    return finish(frame, failure, flow, std::move(frame.result));
  }

 private:
  static constexpr std::size_t kInBody = 0, kInFinalizer = 1;

  Flow go_on_finishing(Frame& frame) const {
    ResumePoint& kept = frame.resume_points[kept_];
    Value failed = std::exchange(frame.resume_points[point_].iterator, Value());
    Ref<Exception> failure;
    if (!failed.is_empty()) failure = failed.as<Exception>();
    return finish(frame, failure, static_cast<Flow>(kept.position),
                  std::exchange(kept.iterator, Value()));
  }

  // Runs the finalizer, which may return, too; else goes on as the body left: with an exception, or
  // by a flow with its result.
  Flow finish(Frame& frame, const Ref<Exception>& failure, Flow flow, Value result) const {
    Flow final_flow = run_finalizer(frame, failure);
    if (final_flow == Flow::kYield) {
      ResumePoint& point = frame.resume_points[point_];
      point.position = kInFinalizer;
      point.iterator = failure ? Value(failure) : Value();
      frame.resume_points[kept_] = {static_cast<std::size_t>(flow), std::move(result)};
    }
    if (final_flow != Flow::kNext) return final_flow;
    if (failure) return raise_flow(frame, failure);
    frame.result = std::move(result);
    return flow;
  }

  Flow run_finalizer(Frame& frame, const Ref<Exception>& failure) const {
    if (!failure) return told(frame, finalizer_);
    Handling handling(frame, failure);
    if (frame.resuming) go_on_with(frame);
    Flow flow = told(frame, finalizer_);
    if (flow == Flow::kYield) pause_handling(frame);
    return flow;
  }

  int point_;
  int kept_;  // how the body was left: the flow and its result
  Statement* body_;
  Statement* finalizer_;
};

// with manager as target: …
class ResumableWith final : public Statement {
 public:
  ResumableWith(int point, int kept, const WithPart& part, Statement* body)
      : point_(point), kept_(kept), part_(part), body_(body) {}

  Flow execute(Frame& frame) const override {
    Value entered;
    if (!frame.resuming) entered = enter(frame);
    Flow flow = Flow::kNext;
    Ref<Exception> failure = catch_exception(frame, flow, [&] {
      if (!entered.is_empty() && part_.target) part_.target->assign(frame, std::move(entered));
      return told(frame, body_);
    });
    if (!failure && flow == Flow::kYield) return flow;
    TypesMethod exit(std::exchange(frame.resume_points[point_].iterator, Value()),
                     std::exchange(frame.resume_points[kept_].iterator, Value()));
    if (failure) return leave_failed(frame, *this, exit, failure);
    leave_entered(frame, *this, exit);
    return flow;
  }

 private:
  Value enter(Frame& frame) const {
    Value manager = part_.manager->evaluate(frame);
    frame.at = this;
    Entry entry = enter_manager(manager);
    frame.resume_points[point_].iterator = entry.exit.function();
    frame.resume_points[kept_].iterator = entry.exit.self();
    return std::move(entry.entered);
  }

  int point_, kept_;  // the function that leaves, and what it is called with
  WithPart part_;
  Statement* body_;
};

}  // namespace

Statement* make_resumable_except(Code& code, Span span, Statement* body,
                                 std::vector<ResumableHandler> handlers, Statement* otherwise) {
  code.delegates = true;
  return code.make<ResumableExcept>(span, code.resume_points++, body, std::move(handlers),
                                    otherwise);
}
Statement* make_resumable_finally(Code& code, Span span, Statement* body, Statement* finalizer) {
  code.delegates = true;
  int point = code.resume_points++, kept = code.resume_points++;
  return code.make<ResumableFinally>(span, point, kept, body, finalizer);
}
Statement* make_resumable_with(Code& code, Span span, const WithPart& part, Statement* body) {
  code.delegates = true;
  int point = code.resume_points++, kept = code.resume_points++;
  return code.make<ResumableWith>(span, point, kept, part, body);
}

}  // namespace strider::lang
