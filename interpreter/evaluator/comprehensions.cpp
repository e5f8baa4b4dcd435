// Comprehensions run inside their frame; generator expressions and yield.
#include "interpreter/evaluator/delegation.h"
#include "interpreter/evaluator/frames/awaitable.h"
#include "interpreter/evaluator/iteration.h"
#include "interpreter/evaluator/nodes.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/sets/set.h"

namespace strider::lang {
namespace {

bool passes(Frame& frame, const Nodes& conditions) {
  for (const Node* condition : conditions)
    if (!condition->test(frame)) return false;
  return true;
}

// Runs `body` for every combination of the clauses from `depth` on.
template <class Body>
void run_clauses(Frame& frame, const NodeBase* at, const std::vector<ComprehensionClause>& clauses,
                 std::size_t depth, const Body& body) {
  const ComprehensionClause& clause = clauses[depth];
  Value iterable = clause.iterable->evaluate(frame);
  for_each_item(frame, at, *clause.target, iterable, [&] {
    if (!passes(frame, clause.conditions)) return true;
    if (depth + 1 == clauses.size())
      body();
    else
      run_clauses(frame, at, clauses, depth + 1, body);
    return true;
  });
}

// Gives the comprehension fresh cells and clears its hidden variables at the end.
class HiddenVariables {
 public:
  HiddenVariables(Frame& frame, const ComprehensionParts& parts) : frame_(frame), parts_(parts) {
    for (int cell : parts.hidden_cells) frame.cells[cell] = make<Cell>();
  }
  ~HiddenVariables() {
    for (int slot : parts_.hidden_locals) frame_.locals[slot] = Value();
  }

 private:
  Frame& frame_;
  const ComprehensionParts& parts_;
};

class ListComprehension final : public Node {
 public:
  ListComprehension(ComprehensionParts parts, Node* element)
      : parts_(std::move(parts)), element_(element) {}
  Value evaluate(Frame& frame) const override {
    Ref<List> list = make_list();
    HiddenVariables hidden(frame, parts_);
    run_clauses(frame, this, parts_.clauses, 0,
                [&] { list->items.push_back(element_.evaluate(frame)); });
    return list;
  }

 private:
  ComprehensionParts parts_;
  Operand element_;
};

class SetComprehension final : public Node {
 public:
  SetComprehension(ComprehensionParts parts, Node* element)
      : parts_(std::move(parts)), element_(element) {}
  Value evaluate(Frame& frame) const override {
    Ref<Set> set = make_set();
    HiddenVariables hidden(frame, parts_);
    run_clauses(frame, this, parts_.clauses, 0, [&] {
      Value item = element_.evaluate(frame);
      frame.at = this;
      set->add(item);
    });
    return set;
  }

 private:
  ComprehensionParts parts_;
  Operand element_;
};

class DictComprehension final : public Node {
 public:
  DictComprehension(ComprehensionParts parts, Node* key, Node* value)
      : parts_(std::move(parts)), key_(key), value_(value) {}
  Value evaluate(Frame& frame) const override {
    Ref<Dict> dict = make_dict();
    HiddenVariables hidden(frame, parts_);
    run_clauses(frame, this, parts_.clauses, 0, [&] {
      Value key = key_.evaluate(frame);
      Value value = value_.evaluate(frame);
      frame.at = this;
      dict->set(key, value);
    });
    return dict;
  }

 private:
  ComprehensionParts parts_;
  Operand key_;
  Operand value_;
};

class GeneratorExpression final : public Node {
 public:
  GeneratorExpression(std::shared_ptr<const Code> body, Node* iterable)
      : body_(std::move(body)), iterable_(iterable) {}
  Value evaluate(Frame& frame) const override {
    Values locals(body_->local_names.size());
    Value iterable = iterable_->evaluate(frame);
    frame.at = this;
    locals[0] = iterate(iterable);
    std::vector<Ref<Cell>> captured;
    for (int source : body_->free_sources) captured.push_back(frame.cells[source]);
    return make<Generator>(body_, Ref<Dict>(frame.globals), captured, locals.data());
  }

 private:
  std::shared_ptr<const Code> body_;
  Node* iterable_;
};

class OuterIterator final : public Node {
 public:
  Value evaluate(Frame& frame) const override { return frame.locals[0]; }
};

class YieldNode final : public Node {
 public:
  explicit YieldNode(Node* value) : value_(value) {}
  Value evaluate(Frame& frame) const override {
    Value value = value_ ? value_->evaluate(frame) : Value::none();
    frame.at = this;
    return frame.generator->yield_value(std::move(value));
  }

 private:
  Node* value_;
};

// Delegates to another iterator: values, sent values and thrown exceptions pass through (PEP 380).
class YieldFromNode final : public Node {
 public:
  YieldFromNode(Node* iterable, bool awaits) : iterable_(iterable), awaits_(awaits) {}
  Value evaluate(Frame& frame) const override {
    Value iterable = iterable_->evaluate(frame);
    frame.at = this;
    Value inner = delegate_of(frame, iterable, awaits_);
    Generator::Delegation delegation(*frame.generator, inner);
    Value sent = Value::none();
    Ref<Exception> thrown;
    for (;;) {
      Value item, result;
      if (!delegate_step(inner, sent, thrown, item, result)) return result;
      thrown = nullptr;
      try {
        sent = frame.generator->yield_value(std::move(item));
      } catch (const Raised& raised) {
        thrown = raised.exception;
      }
      frame.at = this;
      if (thrown && thrown->type()->is_subclass_of(&errors::GeneratorExit())) {
        delegate_close(inner);
        throw Raised{thrown};
      }
    }
  }

 private:
  Node* iterable_;
  bool awaits_;
};

// What `await value` iterates.
class AwaitedNode final : public Node {
 public:
  explicit AwaitedNode(Node* value) : value_(value) {}
  Value evaluate(Frame& frame) const override {
    Value value = value_->evaluate(frame);
    frame.at = this;
    return awaited(value);
  }

 private:
  Node* value_;
};

}  // namespace

Node* make_list_comprehension(Code& code, Span span, ComprehensionParts parts, Node* element) {
  return code.make<ListComprehension>(span, std::move(parts), element);
}
Node* make_set_comprehension(Code& code, Span span, ComprehensionParts parts, Node* element) {
  return code.make<SetComprehension>(span, std::move(parts), element);
}
Node* make_dict_comprehension(Code& code, Span span, ComprehensionParts parts, Node* key,
                              Node* value) {
  return code.make<DictComprehension>(span, std::move(parts), key, value);
}
Node* make_generator_expression(Code& code, Span span, std::shared_ptr<const Code> body,
                                Node* iterable) {
  return code.make<GeneratorExpression>(span, std::move(body), iterable);
}
Node* make_yield(Code& code, Span span, Node* value) { return code.make<YieldNode>(span, value); }
Node* make_yield_from(Code& code, Span span, Node* iterable, bool awaits) {
  return code.make<YieldFromNode>(span, iterable, awaits);
}
Node* make_awaited(Code& code, Span span, Node* value) {
  return code.make<AwaitedNode>(span, value);
}
Node* make_outer_iterator(Code& code, Span span) { return code.make<OuterIterator>(span); }

}  // namespace strider::lang
