// Binary and unary operators, and augmented assignment.
#include "interpreter/evaluator/arithmetic.h"

#include "interpreter/evaluator/attribute_cache.h"
#include "interpreter/evaluator/dict_items.h"
#include "interpreter/evaluator/nodes.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

template <BinaryOperator kOp>
constexpr bool kDivides =
    kOp == BinaryOperator::kDiv || kOp == BinaryOperator::kFloorDiv || kOp == BinaryOperator::kMod;

bool is_zero(const Value& value) {
  return (value.is_int() && value.as_int() == 0) || (value.is_float() && value.as_float() == 0);
}

// The operation in general; Empty where a number is divided by zero (see Node::attempt).
template <BinaryOperator kOp>
Value attempt_binary(const Value& left, const Value& right) {
  if constexpr (kDivides<kOp>)
    if (is_zero(right) && (left.is_int() || left.is_float()))
      return fail_message(errors::ZeroDivisionError(),
                          zero_division_message(kOp, left.is_int() && right.is_int()));
  return binary(kOp, left, right);
}

template <BinaryOperator kOp>
class BinaryNode final : public Node {
 public:
  BinaryNode(Node* left, Node* right) : left_(left), right_(right) {
    attempts = kDivides<kOp> || left->attempts || right->attempts;
  }
  Value evaluate(Frame& frame) const override {
    Value left_scratch, right_scratch;
    const Value& left = left_.peek(frame, left_scratch);
    Value result = compute(frame, left, right_.peek(frame, right_scratch));
    if constexpr (kDivides<kOp>) land(frame, result);
    return result;
  }
  Value attempt(Frame& frame) const override {
    Value left_scratch, right_scratch;
    const Value* left = left_.attempt_peek(frame, left_scratch);
    const Value* right = left ? right_.attempt_peek(frame, right_scratch) : nullptr;
    return right ? compute(frame, *left, *right) : Value();
  }

 private:
  [[gnu::always_inline]] Value compute(Frame& frame, const Value& left, const Value& right) const {
    Value result;
    if (!fast_binary<kOp>(left, right, result)) {
      frame.at = this;
      result.fill(attempt_binary<kOp>(left, right));
    }
    return result;
  }
  Operand left_;
  Operand right_;
};

// The same for variables and constants, where plain numbers need no further call.
template <BinaryOperator kOp>
class DirectBinaryNode final : public Node {
 public:
  DirectBinaryNode(Node* left, Node* right) : left_(left), right_(right) {
    attempts = kDivides<kOp>;
  }
  Value evaluate(Frame& frame) const override {
    Value result;
    if (fast_binary<kOp>(left_.direct(frame), right_.direct(frame), result)) return result;
    if constexpr (kDivides<kOp>) return landed(frame, general(frame));
    return general(frame);
  }
  Value attempt(Frame& frame) const override {
    Value result;
    if (fast_binary<kOp>(left_.direct(frame), right_.direct(frame), result)) return result;
    return general(frame);
  }

 private:
  [[gnu::noinline]] Value general(Frame& frame) const {
    Value left_scratch, right_scratch;
    const Value& left = left_.peek(frame, left_scratch);
    const Value& right = right_.peek(frame, right_scratch);
    frame.at = this;
    return attempt_binary<kOp>(left, right);
  }
  Operand left_;
  Operand right_;
};

// The same when the right operand may rebind the variable that the left one reads.
template <BinaryOperator kOp>
class CarefulBinaryNode final : public Node {
 public:
  CarefulBinaryNode(Node* left, Node* right) : left_(left), right_(right) {}
  Value evaluate(Frame& frame) const override {
    Value left = left_->evaluate(frame);
    Value right = right_->evaluate(frame);
    frame.at = this;
    return binary(kOp, left, right);
  }

 private:
  Node* left_;
  Node* right_;
};

// Many operators of one level, evaluated in a loop: their nesting would exhaust the stack.
class ChainNode final : public Node {
 public:
  ChainNode(Node* first, std::vector<ChainLink> links) : first_(first), links_(std::move(links)) {}
  Value evaluate(Frame& frame) const override {
    Value result = first_->evaluate(frame);
    for (const ChainLink& link : links_) {
      Value right = link.operand->evaluate(frame);
      frame.at = this;
      result = binary(link.op, result, right);
    }
    return result;
  }

 private:
  Node* first_;
  std::vector<ChainLink> links_;
};

class UnaryNode final : public Node {
 public:
  UnaryNode(UnaryOperator op, Node* operand) : op_(op), operand_(operand) {}
  Value evaluate(Frame& frame) const override {
    Value scratch;
    const Value& operand = operand_.peek(frame, scratch);
    if (op_ == UnaryOperator::kUSub) {
      if (operand.is_float()) return Value::real(-operand.as_float());
      if (operand.is_int() && operand.as_int() != INT64_MIN)
        return Value::integer(-operand.as_int());
    }
    frame.at = this;
    return unary(op_, operand);
  }

 private:
  UnaryOperator op_;
  Operand operand_;
};

// What stands on the right has no other reference if and only if nobody sees it any more: whoever
// has it from a variable holds one more (`shown`), so that slots may take a temporary apart.
template <BinaryOperator kOp>
Value augmented(Frame& frame, const NodeBase* at, const Value& left, const Value& right) {
  Value result;
  if (fast_binary<kOp>(left, right, result)) return result;
  frame.at = at;
  return inplace(kOp, left, right);
}

template <BinaryOperator kOp>
class AugmentedLocal final : public Statement {
 public:
  AugmentedLocal(int slot, Name name, Node* value) : slot_(slot), name_(name), value_(value) {}
  Flow execute(Frame& frame) const override {
    if (value_.is_direct()) {
      Value result;
      if (fast_binary<kOp>(frame.locals[slot_], value_.direct(frame), result)) {
        frame.locals[slot_] = std::move(result);
        return Flow::kNext;
      }
    }
    return execute_generally(frame);
  }

 private:
  [[gnu::noinline]] Flow execute_generally(Frame& frame) const {
    Value scratch;
    const Value& right = value_.peek(frame, scratch);
    Value& left = frame.locals[slot_];
    if (left.is_empty()) [[unlikely]] {
      frame.at = this;
      raise(errors::UnboundLocalError,
            "cannot access local variable '{}' where it is not associated with a value",
            text_of(name_));
    }
    if (kOp == BinaryOperator::kAdd && append_text(left, right)) return Flow::kNext;
    Value shown = &right == &scratch ? Value() : right;
    frame.locals[slot_] = augmented<kOp>(frame, this, left, right);
    return Flow::kNext;
  }

  // s += t grows a long text in place while the variable is its only owner.
  static bool append_text(Value& left, const Value& right) {
    if (!is_str(left) || !is_str(right)) return false;
    auto* text = left.as<Str>();
    if (text->references() != 1 || !text->is_long() || !text->is_exact() || text->is_interned())
      return false;
    if (text == right.object()) return false;
    static_cast<LongStr*>(text)->append(text_of(right));
    return true;
  }
  int slot_;
  Name name_;
  Operand value_;
};

template <BinaryOperator kOp>
class AugmentedName final : public Statement {
 public:
  AugmentedName(Node* read, Target* write, Node* value)
      : read_(read), write_(write), value_(value) {}
  Flow execute(Frame& frame) const override {
    Value left = read_->evaluate(frame);
    Value right = value_->evaluate(frame);
    write_->assign(frame, augmented<kOp>(frame, this, left, right));
    return Flow::kNext;
  }

 private:
  Node* read_;
  Target* write_;
  Node* value_;
};

template <BinaryOperator kOp>
class AugmentedAttribute final : public Statement {
 public:
  AugmentedAttribute(Node* object, Name name, Node* value)
      : object_(object), reader_(name), writer_(name), value_(value) {}
  Flow execute(Frame& frame) const override {
    Value object = object_.evaluate(frame);
    Value left = reader_.read(frame, this, object);
    Value scratch;
    const Value& right = value_.peek(frame, scratch);
    Value shown = &right == &scratch ? Value() : right;
    writer_.write(frame, this, object, augmented<kOp>(frame, this, left, right));
    return Flow::kNext;
  }

 private:
  Operand object_;
  mutable AttributeReader reader_;
  mutable AttributeWriter writer_;
  Operand value_;
};

// Where list[i] stands, for a plain list and a small index in range; else null.
inline Value* list_place(const Value& object, const Value& key) {
  if (!key.is_int() || !object.has_layout(Layout::kList)) return nullptr;
  auto* list = object.as<List>();
  auto index = static_cast<std::uint64_t>(key.as_int());
  bool plain = list->is_exact() && index < list->items.size();
  return plain ? &list->items[index] : nullptr;
}

template <BinaryOperator kOp>
class AugmentedItem final : public Statement {
 public:
  AugmentedItem(Node* object, Node* key, Node* value) : object_(object), key_(key), value_(value) {}
  Flow execute(Frame& frame) const override {
    Value object = object_.evaluate(frame);
    Value key = key_.evaluate(frame);
    if (Value* place = list_place(object, key)) {
      Value left = *place;
      Value right = value_.evaluate(frame);
      Value result = augmented<kOp>(frame, this, left, right);
      place = list_place(object, key);  // the right side may have changed the list
      if (place)
        *place = std::move(result);
      else
        set_item(object, key, result);
      return Flow::kNext;
    }
    frame.at = this;
    Value left =
        is_plain_dict(object) ? attempt_item(*object.as<Dict>(), key) : get_item(object, key);
    if (left.is_empty()) return Flow::kRaise;
    Value right = value_.evaluate(frame);
    Value result = augmented<kOp>(frame, this, left, right);
    frame.at = this;
    set_item(object, key, result);
    return Flow::kNext;
  }

 private:
  Operand object_;
  Operand key_;
  Operand value_;
};

// Calls make<kOp>() for the operator given at run time.
template <template <BinaryOperator> class Kind, class Base, class... Args>
Base* make_for_operator(Code& code, Span span, BinaryOperator op, Args... args) {
  switch (op) {
#define STRIDER_BINARY(name, symbol, precedence) \
  case BinaryOperator::k##name:                  \
    return code.make<Kind<BinaryOperator::k##name>>(span, args...);
#include "interpreter/syntax/tree/ast.def"
  }
  __builtin_unreachable();
}

}  // namespace

Node* make_binary(Code& code, Span span, BinaryOperator op, Node* left, Node* right, bool stable) {
  if (Operand(left).is_direct() && Operand(right).is_direct())
    return make_for_operator<DirectBinaryNode, Node>(code, span, op, left, right);
  if (stable) return make_for_operator<BinaryNode, Node>(code, span, op, left, right);
  return make_for_operator<CarefulBinaryNode, Node>(code, span, op, left, right);
}

Node* make_binary_chain(Code& code, Span span, Node* first, std::vector<ChainLink> links) {
  return code.make<ChainNode>(span, first, std::move(links));
}

Node* make_unary(Code& code, Span span, UnaryOperator op, Node* operand) {
  return code.make<UnaryNode>(span, op, operand);
}

Statement* make_augmented_local(Code& code, Span span, BinaryOperator op, int slot, Name name,
                                Node* value) {
  return make_for_operator<AugmentedLocal, Statement>(code, span, op, slot, name, value);
}
Statement* make_augmented_name(Code& code, Span span, BinaryOperator op, Node* read, Target* write,
                               Node* value) {
  return make_for_operator<AugmentedName, Statement>(code, span, op, read, write, value);
}
Statement* make_augmented_attribute(Code& code, Span span, BinaryOperator op, Node* object,
                                    Name name, Node* value) {
  return make_for_operator<AugmentedAttribute, Statement>(code, span, op, object, name, value);
}
Statement* make_augmented_item(Code& code, Span span, BinaryOperator op, Node* object, Node* key,
                               Node* value) {
  return make_for_operator<AugmentedItem, Statement>(code, span, op, object, key, value);
}

}  // namespace strider::lang
