// for and while.
#include "interpreter/evaluator/iteration.h"
#include "interpreter/evaluator/nodes.h"

namespace strider::lang {
namespace {

class ForStatement final : public Statement {
 public:
  ForStatement(Target* target, Node* iterable, Block body, Block otherwise)
      : target_(target),
        iterable_(iterable),
        body_(std::move(body)),
        otherwise_(std::move(otherwise)) {}

  Flow execute(Frame& frame) const override {
    Value iterable = iterable_->evaluate(frame);
    Flow flow = Flow::kNext;
    for_each_item(frame, this, *target_, iterable, [&] {
      flow = body_.execute(frame);
      if (flow != Flow::kNext && flow != Flow::kContinue) return false;
      if (frame.watched) [[unlikely]]
        tell_line(frame, *this, true);
      return true;
    });
    if (flow == Flow::kReturn || flow == Flow::kRaise) return flow;
    collect_cycles_if_due();
    if (flow == Flow::kBreak) return Flow::kNext;
    return otherwise_.execute(frame);
  }

 private:
  Target* target_;
  Node* iterable_;
  Block body_;
  Block otherwise_;
};

class WhileStatement final : public Statement {
 public:
  WhileStatement(Node* test, Block body, Block otherwise)
      : test_(test), body_(std::move(body)), otherwise_(std::move(otherwise)) {}
  Flow execute(Frame& frame) const override {
    for (;;) {
      frame.at = test_;
      if (!test_->test(frame)) break;
      Flow flow = body_.execute(frame);
      if (flow == Flow::kReturn || flow == Flow::kRaise) return flow;
      if (flow == Flow::kBreak) return Flow::kNext;
      poll_attention(*frame.interpreter);
      if (frame.watched) [[unlikely]]
        tell_line(frame, *test_);
    }
    collect_cycles_if_due();
    return otherwise_.execute(frame);
  }

 private:
  Node* test_;
  Block body_;
  Block otherwise_;
};

}  // namespace

Statement* make_for(Code& code, Span span, Target* target, Node* iterable, Block body,
                    Block otherwise) {
  return code.make<ForStatement>(span, target, iterable, std::move(body), std::move(otherwise));
}
Statement* make_while(Code& code, Span span, Node* test, Block body, Block otherwise) {
  return code.make<WhileStatement>(span, test, std::move(body), std::move(otherwise));
}

}  // namespace strider::lang
