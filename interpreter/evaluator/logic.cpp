// Comparisons, and, or, not, conditional expressions.
#include "interpreter/evaluator/nodes.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

bool is_exact_text(const Value& value) { return is_str(value) && value.as<Str>()->is_exact(); }

// Whether two texts are equal; of interned ones there is one object each.
bool is_same_text(const Str& a, const Str& b) {
  if (&a == &b) return true;
  return !(a.is_interned() && b.is_interned()) && a.text() == b.text();
}

template <CompareOperator kOp, class T>
bool ordered(T a, T b) {
  if constexpr (kOp == CompareOperator::kEq) return a == b;
  if constexpr (kOp == CompareOperator::kNotEq) return a != b;
  if constexpr (kOp == CompareOperator::kLt) return a < b;
  if constexpr (kOp == CompareOperator::kLtE) return a <= b;
  if constexpr (kOp == CompareOperator::kGt) return a > b;
  return a >= b;
}

// True and `result` set when the answer needs no call.
template <CompareOperator kOp>
bool fast_compare(const Value& left, const Value& right, bool& result) {
  if constexpr (kOp == CompareOperator::kIs || kOp == CompareOperator::kIsNot) {
    if (left.is_empty() || right.is_empty()) return false;
    result = is_same(left, right) == (kOp == CompareOperator::kIs);
    return true;
  } else if constexpr (kOp <= CompareOperator::kGtE) {
    if (left.is_int() && right.is_int()) {
      result = ordered<kOp>(left.as_int(), right.as_int());
      return true;
    }
    if (left.is_float() && right.is_float()) {
      result = ordered<kOp>(left.as_float(), right.as_float());
      return true;
    }
    if constexpr (kOp == CompareOperator::kEq || kOp == CompareOperator::kNotEq) {
      if (is_exact_text(left) && is_exact_text(right)) {
        bool same = is_same_text(*left.as<Str>(), *right.as<Str>());
        result = same == (kOp == CompareOperator::kEq);
        return true;
      }
    }
  }
  return false;
}

template <CompareOperator kOp>
class CompareNode final : public Node {
 public:
  CompareNode(Node* left, Node* right) : left_(left), right_(right) {}
  Value evaluate(Frame& frame) const override {
    Value left_scratch, right_scratch;
    const Value& left = left_.peek(frame, left_scratch);
    const Value& right = right_.peek(frame, right_scratch);
    bool result;
    if (fast_compare<kOp>(left, right, result)) return Value::boolean(result);
    frame.at = this;
    return compare(kOp, left, right);
  }
  bool test(Frame& frame) const override {
    Value left_scratch, right_scratch;
    const Value& left = left_.peek(frame, left_scratch);
    const Value& right = right_.peek(frame, right_scratch);
    bool result;
    if (fast_compare<kOp>(left, right, result)) return result;
    frame.at = this;
    return truth(compare(kOp, left, right));
  }

 private:
  Operand left_;
  Operand right_;
};

// The same for variables and constants.
template <CompareOperator kOp>
class DirectCompareNode final : public Node {
 public:
  DirectCompareNode(Node* left, Node* right) : left_(left), right_(right) {}
  Value evaluate(Frame& frame) const override {
    bool result;
    if (fast_compare<kOp>(left_.direct(frame), right_.direct(frame), result))
      return Value::boolean(result);
    return general(frame);
  }
  bool test(Frame& frame) const override {
    bool result;
    if (fast_compare<kOp>(left_.direct(frame), right_.direct(frame), result)) return result;
    return general_test(frame);
  }

 private:
  [[gnu::noinline]] Value general(Frame& frame) const {
    Value left_scratch, right_scratch;
    const Value& left = left_.peek(frame, left_scratch);
    const Value& right = right_.peek(frame, right_scratch);
    frame.at = this;
    return compare(kOp, left, right);
  }
  [[gnu::noinline]] bool general_test(Frame& frame) const { return truth(general(frame)); }
  Operand left_;
  Operand right_;
};

// What fast_compare decides, of an operator that is known only now.
bool decide_order(CompareOperator op, const Value& left, const Value& right, bool& result) {
  switch (op) {
    case CompareOperator::kEq:
      return fast_compare<CompareOperator::kEq>(left, right, result);
    case CompareOperator::kNotEq:
      return fast_compare<CompareOperator::kNotEq>(left, right, result);
    case CompareOperator::kLt:
      return fast_compare<CompareOperator::kLt>(left, right, result);
    case CompareOperator::kLtE:
      return fast_compare<CompareOperator::kLtE>(left, right, result);
    case CompareOperator::kGt:
      return fast_compare<CompareOperator::kGt>(left, right, result);
    case CompareOperator::kGtE:
      return fast_compare<CompareOperator::kGtE>(left, right, result);
    default:
      return false;
  }
}

// a < b < c: each operand evaluated once, stopping at the first that fails.
class CompareChainNode final : public Node {
 public:
  CompareChainNode(std::vector<CompareOperator> ops, const Nodes& operands)
      : ops_(std::move(ops)), operands_(operands.begin(), operands.end()) {}
  Value evaluate(Frame& frame) const override {
    Value left = operands_[0].evaluate(frame);
    for (std::size_t i = 0;; ++i) {
      Value right = operands_[i + 1].evaluate(frame);
      bool last = i + 1 == ops_.size(), holds;
      if (decide_order(ops_[i], left, right, holds)) [[likely]] {
        if (last || !holds) return Value::boolean(holds);
      } else {
        frame.at = this;
        Value result = compare(ops_[i], left, right);
        if (last || !truth(result)) return result;
      }
      left = std::move(right);
    }
  }
  bool test(Frame& frame) const override {
    Value result = evaluate(frame);
    return result.is_bool() ? result.as_bool() : truth(result);
  }

 private:
  std::vector<CompareOperator> ops_;
  std::vector<Operand> operands_;
};

template <bool kStopAt>
class BoolNode final : public Node {
 public:
  explicit BoolNode(Nodes operands) : operands_(std::move(operands)) {}
  Value evaluate(Frame& frame) const override {
    for (std::size_t i = 0; i + 1 < operands_.size(); ++i) {
      Value value = operands_[i]->evaluate(frame);
      frame.at = this;
      if (truth(value) == kStopAt) return value;
    }
    return operands_.back()->evaluate(frame);
  }
  bool test(Frame& frame) const override {
    for (const Node* operand : operands_)
      if (operand->test(frame) == kStopAt) return kStopAt;
    return !kStopAt;
  }

 private:
  Nodes operands_;
};

class NotNode final : public Node {
 public:
  explicit NotNode(Node* operand) : operand_(operand) {}
  Value evaluate(Frame& frame) const override { return Value::boolean(test(frame)); }
  bool test(Frame& frame) const override {
    frame.at = this;
    return !operand_->test(frame);
  }

 private:
  Node* operand_;
};

class ConditionalNode final : public Node {
 public:
  ConditionalNode(Node* test, Node* then, Node* otherwise)
      : test_(test), then_(then), otherwise_(otherwise) {}
  Value evaluate(Frame& frame) const override {
    frame.at = this;
    return (test_->test(frame) ? then_ : otherwise_)->evaluate(frame);
  }

 private:
  Node* test_;
  Node* then_;
  Node* otherwise_;
};

}  // namespace

namespace {

template <template <CompareOperator> class Kind>
Node* make_for_compare(Code& code, Span span, CompareOperator op, Node* left, Node* right) {
  switch (op) {
#define STRIDER_COMPARE(name, symbol) \
  case CompareOperator::k##name:      \
    return code.make<Kind<CompareOperator::k##name>>(span, left, right);
#include "interpreter/syntax/tree/ast.def"
  }
  __builtin_unreachable();
}

}  // namespace

Node* make_compare(Code& code, Span span, CompareOperator op, Node* left, Node* right,
                   bool stable) {
  if (Operand(left).is_direct() && Operand(right).is_direct())
    return make_for_compare<DirectCompareNode>(code, span, op, left, right);
  if (!stable)
    return make_compare_chain(code, span, std::vector<CompareOperator>{op}, Nodes{left, right});
  return make_for_compare<CompareNode>(code, span, op, left, right);
}

Node* make_compare_chain(Code& code, Span span, std::vector<CompareOperator> ops, Nodes operands) {
  return code.make<CompareChainNode>(span, std::move(ops), std::move(operands));
}
Node* make_and(Code& code, Span span, Nodes operands) {
  return code.make<BoolNode<false>>(span, std::move(operands));
}
Node* make_or(Code& code, Span span, Nodes operands) {
  return code.make<BoolNode<true>>(span, std::move(operands));
}
Node* make_not(Code& code, Span span, Node* operand) { return code.make<NotNode>(span, operand); }
Node* make_conditional(Code& code, Span span, Node* test, Node* then, Node* otherwise) {
  return code.make<ConditionalNode>(span, test, then, otherwise);
}

}  // namespace strider::lang
