// Statements of generators that yield only between whole statements: on a yield they return to the
// caller and note where they were; resumed, they go back there. Such generators need no stack of
// their own.
#include "interpreter/evaluator/delegation.h"
#include "interpreter/evaluator/frames/generator.h"
#include "interpreter/evaluator/handling.h"
#include "interpreter/evaluator/iteration.h"
#include "interpreter/evaluator/nodes.h"
#include "interpreter/evaluator/settling.h"

namespace strider::lang {
namespace {

// Lets go of what a resume point holds when its statement ends, in whatever way; not on a yield.
class Held {
 public:
  explicit Held(Value& value) : value_(value) {}
  ~Held() {
    if (!stays) value_ = Value();
  }
  Held(const Held&) = delete;
  bool stays = false;

 private:
  Value& value_;
};

// `yield value` or `target = yield value`.
class YieldStatement final : public Statement {
 public:
  YieldStatement(Node* value, Target* target) : value_(value), target_(target) {}
  Flow execute(Frame& frame) const override {
    frame.at = this;
    if (frame.resuming) {
      frame.resuming = false;
      if (target_)
        target_->assign(frame, frame.generator->take_sent());
      else
        frame.generator->drop_sent();
      return Flow::kNext;
    }
    frame.result = value_.evaluate(frame);
    return Flow::kYield;
  }

 private:
  Operand value_;
  Target* target_;
};

// Keeps a value for the statement whose resume point this is.
class KeptValue final : public Target {
 public:
  explicit KeptValue(int point) : point_(point) {}
  void assign(Frame& frame, Value value) const override {
    frame.resume_points[point_].iterator = std::move(value);
  }
  void erase(Frame&) const override {}

 private:
  int point_;
};

class KeepStatement final : public Statement {
 public:
  KeepStatement(int point, Node* value) : point_(point), value_(value) {}
  Flow execute(Frame& frame) const override {
    frame.resume_points[point_].iterator = value_.evaluate(frame);
    return Flow::kNext;
  }

 private:
  int point_;
  Operand value_;
};

class KeptNode final : public Node {
 public:
  explicit KeptNode(int point) : point_(point) {}
  Value evaluate(Frame& frame) const override {
    return std::exchange(frame.resume_points[point_].iterator, Value());
  }

 private:
  int point_;
};

// `yield from iterable`, `target = yield from iterable` or `return (yield from iterable)`.
class YieldFromStatement final : public Statement {
 public:
  YieldFromStatement(int point, Node* iterable, bool awaits, Target* target, bool returns)
      : point_(point), iterable_(iterable), awaits_(awaits), target_(target), returns_(returns) {}
  Flow execute(Frame& frame) const override {
    Value& inner = frame.resume_points[point_].iterator;
    Held held(inner);
    Value sent = Value::none(), result;
    Ref<Exception> thrown;
    bool ended = false;
    if (frame.resuming) {
      frame.resuming = false;
      frame.at = this;
      ended = frame.generator->take_ended(result, thrown);
      if (!ended) thrown = frame.generator->take_thrown();
      if (!ended && !thrown) sent = frame.generator->take_sent();
    } else {
      Value iterable = iterable_->evaluate(frame);
      frame.at = this;
      inner = delegate_of(frame, iterable, awaits_);
    }
    Generator::Delegation delegation(*frame.generator, inner);
    if (ended && thrown) return raise_flow(frame, thrown);
    if (thrown && thrown->type()->is_subclass_of(&errors::GeneratorExit())) {
      delegate_close(Value(inner));
      return raise_flow(frame, thrown);
    }
    if (!ended) delegation.waits = delegate_step(Value(inner), sent, thrown, frame.result, result);
    held.stays = delegation.waits;
    if (delegation.waits) return Flow::kYield;
    inner = Value();
    frame.result = returns_ ? std::move(result) : Value();
    if (returns_) return Flow::kReturn;
    if (target_) target_->assign(frame, std::move(result));
    return Flow::kNext;
  }

 private:
  int point_;
  Node* iterable_;
  bool awaits_;
  Target* target_;
  bool returns_;
};

class ResumableBlock final : public Statement {
 public:
  ResumableBlock(int point, std::vector<Statement*> statements, bool tells)
      : point_(point), tells_(tells), statements_(std::move(statements)) {}
  Flow execute(Frame& frame) const override {
    std::size_t position = frame.resuming ? frame.resume_points[point_].position : 0;
    for (; position < statements_.size(); ++position) {
      if (tells_) tell_if_watched(frame, statements_[position]);
      Flow flow = statements_[position]->execute(frame);
      if (flow == Flow::kNext) continue;
      if (flow == Flow::kYield) frame.resume_points[point_].position = position;
      return flow;
    }
    return Flow::kNext;
  }

 private:
  int point_;
  bool tells_;  // a watcher, of each statement
  std::vector<Statement*> statements_;
};

class ResumableIf final : public Statement {
 public:
  ResumableIf(int point, std::vector<std::pair<Node*, Statement*>> branches, Statement* otherwise)
      : point_(point), branches_(std::move(branches)), otherwise_(otherwise) {}
  Flow execute(Frame& frame) const override {
    std::size_t chosen = frame.resuming ? frame.resume_points[point_].position : choose(frame);
    const Statement* body = chosen < branches_.size() ? branches_[chosen].second : otherwise_;
    tell_if_watched(frame, body);
    Flow flow = body->execute(frame);
    if (flow == Flow::kYield) frame.resume_points[point_].position = chosen;
    return flow;
  }

 private:
  std::size_t choose(Frame& frame) const {
    for (std::size_t i = 0; i < branches_.size(); ++i) {
      frame.at = branches_[i].first;
      tell_if_watched(frame, branches_[i].first);
      if (branches_[i].first->test(frame)) return i;
    }
    return branches_.size();
  }
  int point_;
  std::vector<std::pair<Node*, Statement*>> branches_;
  Statement* otherwise_;
};

// Where a loop was when it yielded.
constexpr std::size_t kInBody = 0;
constexpr std::size_t kInElse = 1;

class ResumableWhile final : public Statement {
 public:
  ResumableWhile(int point, Node* test, Statement* body, Statement* otherwise)
      : point_(point), test_(test), body_(body), otherwise_(otherwise) {}
  Flow execute(Frame& frame) const override {
    bool in_else = frame.resuming && frame.resume_points[point_].position == kInElse;
    while (!in_else && (frame.resuming || passes(frame))) {
      tell_if_watched(frame, body_);
      Flow flow = body_->execute(frame);
      if (flow == Flow::kBreak) return Flow::kNext;
      if (flow == Flow::kYield) frame.resume_points[point_].position = kInBody;
      if (flow == Flow::kYield || flow == Flow::kReturn || flow == Flow::kRaise) return flow;
      poll_attention(*frame.interpreter);
    }
    Flow flow = otherwise_->execute(frame);
    if (flow == Flow::kYield) frame.resume_points[point_].position = kInElse;
    return flow;
  }

 private:
  bool passes(Frame& frame) const {
    frame.at = test_;
    tell_if_watched(frame, test_);
    return test_->test(frame);
  }
  int point_;
  Node* test_;
  Statement* body_;
  Statement* otherwise_;
};

// A loop whose test suspends: `while (yield from iterable):`, as an `async for` is.
class AskingWhile final : public Statement {
 public:
  // `ask` keeps the test's value for the resume point.
  AskingWhile(int point, Statement* ask, Statement* body, Statement* otherwise)
      : point_(point), ask_(ask), body_(body), otherwise_(otherwise) {}
  Flow execute(Frame& frame) const override {
    ResumePoint& point = frame.resume_points[point_];
    std::size_t position = frame.resuming ? point.position : kInTest;
    for (;;) {
      Flow flow = run_part(frame, position);
      if (flow == Flow::kYield) point.position = position;
      if (flow == Flow::kBreak && position == kInBody) return Flow::kNext;
      if (flow == Flow::kYield || flow == Flow::kReturn || flow == Flow::kRaise) return flow;
      if (position == kInElse) return flow;
      if (position == kInBody) {
        poll_attention(*frame.interpreter);
        position = kInTest;
      } else {
        position = truth(std::exchange(point.iterator, Value())) ? kInBody : kInElse;
      }
    }
  }

 private:
  static constexpr std::size_t kInTest = 2;

  Flow run_part(Frame& frame, std::size_t position) const {
    const Statement* part = position == kInTest ? ask_ : position == kInBody ? body_ : otherwise_;
    tell_if_watched(frame, part);
    return part->execute(frame);
  }

  int point_;
  Statement* ask_;
  Statement* body_;
  Statement* otherwise_;
};

class ResumableFor final : public Statement {
 public:
  ResumableFor(int point, Target* target, Node* iterable, Statement* body, Statement* otherwise)
      : point_(point), target_(target), iterable_(iterable), body_(body), otherwise_(otherwise) {}

  Flow execute(Frame& frame) const override {
    ResumePoint& point = frame.resume_points[point_];
    Held held(point.iterator);
    bool in_else = frame.resuming && point.position == kInElse;
    if (!frame.resuming) {
      Value iterable = iterable_->evaluate(frame);
      frame.at = this;
      point.iterator = iterate(iterable);
    }
    while (!in_else && (frame.resuming || advance(frame, point))) {
      tell_if_watched(frame, body_);
      Flow flow = body_->execute(frame);
      if (flow == Flow::kYield) {
        point.position = kInBody;
        held.stays = true;
        return flow;
      }
      if (flow == Flow::kBreak || flow == Flow::kReturn || flow == Flow::kRaise)
        return flow == Flow::kBreak ? Flow::kNext : flow;
    }
    point.iterator = Value();
    Flow flow = otherwise_->execute(frame);
    if (flow == Flow::kYield) point.position = kInElse;
    return flow;
  }

 private:
  bool advance(Frame& frame, ResumePoint& point) const {
    poll_attention(*frame.interpreter);
    tell_if_watched(frame, this);
    frame.at = this;
    if (point.iterator.has_layout(Layout::kIterator)) {
      auto& iterator = *point.iterator.as<Iterator>();
      if (target_->slot >= 0) return iterator.advance(frame.locals[target_->slot]);
      if (auto* parts = matching_parts(*target_, iterator)) {
        Value values[kMostParts];
        return advance_in_parts(frame, *parts, iterator, values);
      }
    }
    Value item;
    if (!next(point.iterator, item)) return false;
    bind(frame, *target_, std::move(item));
    return true;
  }
  int point_;
  Target* target_;
  Node* iterable_;
  Statement* body_;
  Statement* otherwise_;
};

}  // namespace

Statement* make_yield_statement(Code& code, Span span, Node* value, Target* target) {
  if (!value) value = make_constant(code, span, Value::none());
  return code.make<YieldStatement>(span, value, target);
}
Statement* make_yield_from_statement(Code& code, Span span, Node* iterable, bool awaits,
                                     Target* target) {
  code.delegates = true;
  return code.make<YieldFromStatement>(span, code.resume_points++, iterable, awaits, target, false);
}
Statement* make_yield_from_return(Code& code, Span span, Node* iterable, bool awaits) {
  code.delegates = true;
  return code.make<YieldFromStatement>(span, code.resume_points++, iterable, awaits, nullptr, true);
}
Statement* make_resumable_block(Code& code, Span span, std::vector<Statement*> statements) {
  if (statements.size() == 1) return statements[0];
  return code.make<ResumableBlock>(span, code.resume_points++, std::move(statements), true);
}
Target* make_kept_target(Code& code, Span span, int point) {
  return code.make<KeptValue>(span, point);
}
Statement* make_keep(Code& code, Span span, int point, Node* value) {
  return code.make<KeepStatement>(span, point, value);
}
Node* make_kept(Code& code, Span span, int point) { return code.make<KeptNode>(span, point); }
Statement* make_settled_block(Code& code, Span span, std::vector<Statement*> parts) {
  return code.make<ResumableBlock>(span, code.resume_points++, std::move(parts), false);
}
Statement* make_settled_while(Code& code, Span span, int point, Statement* ask, Statement* body,
                              Statement* otherwise) {
  return code.make<AskingWhile>(span, point, ask, body, otherwise);
}
Statement* make_resumable_if(Code& code, Span span,
                             std::vector<std::pair<Node*, Statement*>> branches,
                             Statement* otherwise) {
  return code.make<ResumableIf>(span, code.resume_points++, std::move(branches), otherwise);
}
Statement* make_resumable_while(Code& code, Span span, Node* test, Statement* body,
                                Statement* otherwise) {
  return code.make<ResumableWhile>(span, code.resume_points++, test, body, otherwise);
}
Statement* make_asking_while(Code& code, Span span, Node* iterable, bool awaits, Statement* body,
                             Statement* otherwise) {
  int point = code.resume_points++;
  Target* kept = make_kept_target(code, span, point);
  Statement* ask = make_yield_from_statement(code, span, iterable, awaits, kept);
  return make_settled_while(code, span, point, ask, body, otherwise);
}
Statement* make_resumable_for(Code& code, Span span, Target* target, Node* iterable,
                              Statement* body, Statement* otherwise) {
  return code.make<ResumableFor>(span, code.resume_points++, target, iterable, body, otherwise);
}

}  // namespace strider::lang
