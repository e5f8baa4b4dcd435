// Lowering of statements that yield within expressions, where all parts are evaluated in turn: what
// comes before a yield is evaluated first and kept. It knows no statements but those it is given.
#include "interpreter/evaluator/lowering/lowering.h"
#include "interpreter/evaluator/settling.h"

namespace strider::lang {

using syntax::Kind;
using syntax::node_as;
using syntax::node_if;

namespace {

using Parts = std::vector<const syntax::Expr*>;

bool may_suspend(const syntax::Expr* node) { return node && node->has_walrus_or_yield; }

// Adds expressions of which all are evaluated: none is a star's.
bool add_all(syntax::Sequence<syntax::Expr*> nodes, Parts& parts) {
  for (const syntax::Expr* each : nodes) {
    if (!each || each->kind == Kind::kStarred) return false;
    parts.push_back(each);
  }
  return true;
}

// Adds the first of several; whether no other one, which may be left out, yields.
bool add_first(const syntax::Expr* first, syntax::Sequence<syntax::Expr*> all, Parts& parts) {
  parts.push_back(first);
  for (const syntax::Expr* each : all)
    if (each != first && may_suspend(each)) return false;
  return true;
}

bool add_call(const syntax::Call* node, Parts& parts) {
  auto* name = node_if<syntax::Name>(node->func);
  bool is_own = name && name->id == ".awaited";  // no variable
  if (!is_own) parts.push_back(node->func);
  if (!add_all(node->args, parts)) return false;
  for (const syntax::Keyword* each : node->keywords) {
    if (each->arg.empty()) return false;
    parts.push_back(each->value);
  }
  return true;
}

bool add_items(const syntax::Dict* node, Parts& parts) {
  for (std::size_t i = 0; i < node->values.size(); ++i) {
    if (!node->keys[i]) return false;
    parts.push_back(node->keys[i]);
    parts.push_back(node->values[i]);
  }
  return true;
}

bool add_comparison(const syntax::Compare* node, Parts& parts) {
  parts.push_back(node->left);
  return add_first(node->comparators[0], node->comparators, parts);
}

bool add_choice(const syntax::IfExp* node, Parts& parts) {
  parts.push_back(node->test);
  return !may_suspend(node->body) && !may_suspend(node->orelse);
}

bool add_formatted(const syntax::FormattedValue* node, Parts& parts) {
  parts.push_back(node->value);
  return !may_suspend(node->format_spec);
}

// The parts that an expression evaluates one after another, and always; false if there are others
// that yield.
bool parts_in_turn(const syntax::Expr* node, Parts& parts) {
  switch (node->kind) {
    case Kind::kBinOp:
      parts = {node_as<syntax::BinOp>(node)->left, node_as<syntax::BinOp>(node)->right};
      return true;
    case Kind::kUnaryOp:
      parts = {node_as<syntax::UnaryOp>(node)->operand};
      return true;
    case Kind::kAttribute:
      parts = {node_as<syntax::Attribute>(node)->value};
      return true;
    case Kind::kSubscript:
      parts = {node_as<syntax::Subscript>(node)->value, node_as<syntax::Subscript>(node)->slice};
      return true;
    case Kind::kNamedExpr:
      parts = {node_as<syntax::NamedExpr>(node)->value};
      return true;
    case Kind::kBoolOp: {
      const auto& values = node_as<syntax::BoolOp>(node)->values;
      return add_first(values[0], values, parts);
    }
    case Kind::kIfExp:
      return add_choice(node_as<syntax::IfExp>(node), parts);
    case Kind::kCompare:
      return add_comparison(node_as<syntax::Compare>(node), parts);
    case Kind::kCall:
      return add_call(node_as<syntax::Call>(node), parts);
    case Kind::kFormattedValue:
      return add_formatted(node_as<syntax::FormattedValue>(node), parts);
    case Kind::kJoinedStr:
      return add_all(node_as<syntax::JoinedStr>(node)->values, parts);
    case Kind::kList:
      return add_all(node_as<syntax::List>(node)->elts, parts);
    case Kind::kTuple:
      return add_all(node_as<syntax::Tuple>(node)->elts, parts);
    case Kind::kSet:
      return add_all(node_as<syntax::Set>(node)->elts, parts);
    case Kind::kDict:
      return add_items(node_as<syntax::Dict>(node), parts);
    default:
      return false;
  }
}

bool is_yield(const syntax::Expr* node) {
  return node->kind == Kind::kYield || node->kind == Kind::kYieldFrom;
}

const syntax::Expr* yielded(const syntax::Expr* node) {
  auto* from = node_if<syntax::YieldFrom>(node);
  return from ? from->value : node_as<syntax::Yield>(node)->value;
}

}  // namespace

bool can_settle(const syntax::Expr* node) {
  check_stack("maximum recursion depth exceeded during compilation");
  if (!may_suspend(node)) return true;
  if (is_yield(node)) return can_settle(yielded(node));
  Parts parts;
  if (!parts_in_turn(node, parts)) return false;
  for (const syntax::Expr* each : parts)
    if (!can_settle(each)) return false;
  return true;
}

// Adds what has to be done before an expression is evaluated; `kept`: all of it is done before.
void Lowering::settle(const syntax::Expr* node, bool kept, std::vector<Statement*>& before) {
  if (!node) return;
  check_stack("maximum recursion depth exceeded during compilation");
  bool yields = may_suspend(node) && is_yield(node);
  if (may_suspend(node) && !yields) {
    Parts parts;
    parts_in_turn(node, parts);
    std::size_t last = parts.size();
    while (last > 0 && !may_suspend(parts[last - 1])) --last;
    for (std::size_t i = 0; i < last; ++i) settle(parts[i], i + 1 < last, before);
  }
  if (yields) settle(yielded(node), false, before);
  if ((!kept && !yields) || node->kind == Kind::kConstant) return;
  int point = code->resume_points++;
  before.push_back(
      yields ? yield_statement(node, make_kept_target(*code, node->span, point), node->span)
             : make_keep(*code, node->span, point, expression(node)));
  settled_[node] = make_kept(*code, node->span, point);
}

// A statement of which one expression yields within.
Statement* Lowering::settled_statement(const syntax::Stmt* node, const syntax::Expr* value) {
  std::vector<Statement*> parts;
  settle(value, false, parts);
  parts.push_back(settled_rest(node));
  settled_.clear();
  return make_settled_block(*code, node->span, std::move(parts));
}

Statement* Lowering::settled_while(const syntax::While* node) {
  std::vector<Statement*> parts;
  settle(node->test, false, parts);
  int point = code->resume_points++;
  parts.push_back(make_keep(*code, node->test->span, point, expression(node->test)));
  settled_.clear();
  Statement* ask = make_settled_block(*code, node->span, std::move(parts));
  Statement* body = resumable_block(node->body);
  return make_settled_while(*code, node->span, point, ask, body, resumable_block(node->orelse));
}

}  // namespace strider::lang
