// Lowering of generators whose yields stand between whole statements; others keep a stack of their
// own.
#include "interpreter/evaluator/lowering/lowering.h"

namespace strider::lang {

using syntax::Kind;
using syntax::node_as;
using syntax::node_if;

namespace {

bool may_suspend(const syntax::Expr* node) { return node && node->has_walrus_or_yield; }

bool any_suspends(syntax::Sequence<syntax::Expr*> nodes) {
  for (const syntax::Expr* node : nodes)
    if (may_suspend(node)) return true;
  return false;
}

bool body_suspends(syntax::Body body);

// Whether a yield may happen inside the statement (a walrus counts: better safe than wrong).
bool suspends(const syntax::Stmt* node) {
  switch (node->kind) {
    case Kind::kExprStmt:
      return may_suspend(node_as<syntax::ExprStmt>(node)->value);
    case Kind::kReturn:
      return may_suspend(node_as<syntax::Return>(node)->value);
    case Kind::kDelete:
      return any_suspends(node_as<syntax::Delete>(node)->targets);
    case Kind::kAssign: {
      auto* each = node_as<syntax::Assign>(node);
      return any_suspends(each->targets) || may_suspend(each->value);
    }
    case Kind::kAugAssign: {
      auto* each = node_as<syntax::AugAssign>(node);
      return may_suspend(each->target) || may_suspend(each->value);
    }
    case Kind::kAnnAssign:
      return may_suspend(node_as<syntax::AnnAssign>(node)->value);
    case Kind::kRaise: {
      auto* each = node_as<syntax::Raise>(node);
      return may_suspend(each->exc) || may_suspend(each->cause);
    }
    case Kind::kAssert: {
      auto* each = node_as<syntax::Assert>(node);
      return may_suspend(each->test) || may_suspend(each->msg);
    }
    case Kind::kIf: {
      auto* each = node_as<syntax::If>(node);
      return may_suspend(each->test) || body_suspends(each->body) || body_suspends(each->orelse);
    }
    case Kind::kWhile: {
      auto* each = node_as<syntax::While>(node);
      return may_suspend(each->test) || body_suspends(each->body) || body_suspends(each->orelse);
    }
    case Kind::kFor: {
      auto* each = node_as<syntax::For>(node);
      return may_suspend(each->iter) || may_suspend(each->target) || body_suspends(each->body) ||
             body_suspends(each->orelse);
    }
    case Kind::kPass:
    case Kind::kBreak:
    case Kind::kContinue:
    case Kind::kGlobal:
    case Kind::kNonlocal:
    case Kind::kImport:
    case Kind::kImportFrom:
      return false;
    default:
      return true;  // try, with, match, nested definitions: not looked into
  }
}

bool body_suspends(syntax::Body body) {
  for (const syntax::Stmt* each : body)
    if (suspends(each)) return true;
  return false;
}

// `yield x` or `yield from x`, where x itself does not suspend.
bool is_plain_yield(const syntax::Expr* value) {
  if (auto* yield = node_if<syntax::Yield>(value)) return !may_suspend(yield->value);
  auto* from = node_if<syntax::YieldFrom>(value);
  return from && !may_suspend(from->value);
}

bool is_plain_delegation(const syntax::Expr* value) {
  return node_if<syntax::YieldFrom>(value) && is_plain_yield(value);
}

bool is_resumable(syntax::Body body);

bool is_resumable(const syntax::Stmt* node) {
  if (!suspends(node)) return true;
  switch (node->kind) {
    case Kind::kExprStmt:
      return is_plain_yield(node_as<syntax::ExprStmt>(node)->value);
    case Kind::kAssign: {
      auto* each = node_as<syntax::Assign>(node);
      return each->targets.size() == 1 && !any_suspends(each->targets) &&
             is_plain_yield(each->value);
    }
    case Kind::kIf: {
      auto* each = node_as<syntax::If>(node);
      return !may_suspend(each->test) && is_resumable(each->body) && is_resumable(each->orelse);
    }
    case Kind::kReturn:
      return is_plain_delegation(node_as<syntax::Return>(node)->value);
    case Kind::kWhile: {
      auto* each = node_as<syntax::While>(node);
      return (!may_suspend(each->test) || is_plain_delegation(each->test)) &&
             is_resumable(each->body) && is_resumable(each->orelse);
    }
    case Kind::kFor: {
      auto* each = node_as<syntax::For>(node);
      return !may_suspend(each->iter) && !may_suspend(each->target) && is_resumable(each->body) &&
             is_resumable(each->orelse);
    }
    default:
      return false;
  }
}

bool is_resumable(syntax::Body body) {
  for (const syntax::Stmt* each : body)
    if (!is_resumable(each)) return false;
  return true;
}

}  // namespace

bool Lowering::lower_resumable(syntax::Body body) {
  check_stack("maximum recursion depth exceeded during compilation");
  if (!code->is_generator || !is_resumable(body)) return false;
  code->body = Block({resumable_block(body)});
  code->resumable = true;
  return true;
}

Statement* Lowering::resumable_block(syntax::Body body) {
  std::vector<Statement*> statements;
  Span span = body.empty() ? Span() : body[0]->span;
  for (const syntax::Stmt* each : body)
    if (Statement* lowered = suspends(each) ? resumable(each) : statement(each))
      statements.push_back(lowered);
  return make_resumable_block(*code, span, std::move(statements));
}

// `yield value`, `yield from value`, or either assigned to a target (which may be null).
Statement* Lowering::yield_statement(const syntax::Expr* yielding, const syntax::Expr* assigned,
                                     Span span) {
  auto* from = node_if<syntax::YieldFrom>(yielding);
  Node* value = from ? expression(from->value) : optional(node_as<syntax::Yield>(yielding)->value);
  Target* place = assigned ? target(assigned) : nullptr;
  if (from) return make_yield_from_statement(*code, span, value, from->awaits, place);
  return make_yield_statement(*code, span, value, place);
}

Statement* Lowering::resumable(const syntax::Stmt* node) {
  check_stack("maximum recursion depth exceeded during compilation");
  Span span = node->span;
  switch (node->kind) {
    case Kind::kExprStmt:
      return yield_statement(node_as<syntax::ExprStmt>(node)->value, nullptr, span);
    case Kind::kReturn: {
      auto* from = node_as<syntax::YieldFrom>(node_as<syntax::Return>(node)->value);
      return make_yield_from_return(*code, span, expression(from->value), from->awaits);
    }
    case Kind::kAssign: {
      auto* each = node_as<syntax::Assign>(node);
      return yield_statement(each->value, each->targets[0], span);
    }
    case Kind::kIf: {
      auto* each = node_as<syntax::If>(node);
      Node* test = expression(each->test);
      Statement* body = resumable_block(each->body);
      return make_resumable_if(*code, span, {{test, body}}, resumable_block(each->orelse));
    }
    case Kind::kWhile: {
      auto* each = node_as<syntax::While>(node);
      if (may_suspend(each->test)) {
        auto* asked = node_as<syntax::YieldFrom>(each->test);
        Node* iterable = expression(asked->value);
        Statement* body = resumable_block(each->body);
        return make_asking_while(*code, span, iterable, asked->awaits, body,
                                 resumable_block(each->orelse));
      }
      Node* test = expression(each->test);
      Statement* body = resumable_block(each->body);
      return make_resumable_while(*code, span, test, body, resumable_block(each->orelse));
    }
    default:
      break;
  }
  auto* loop = node_as<syntax::For>(node);
  Node* iterable = walked(loop->iter);
  Target* loop_target = target(loop->target);
  Statement* body = resumable_block(loop->body);
  return make_resumable_for(*code, span, loop_target, iterable, body,
                            resumable_block(loop->orelse));
}

// for … in …: if …: for … in …: yield element
Statement* Lowering::resumable_clauses(std::vector<ComprehensionClause> loops, Node* element,
                                       Span span) {
  Statement* inner = make_yield_statement(*code, span, element, nullptr);
  for (std::size_t i = loops.size(); i-- > 0;) {
    const ComprehensionClause& clause = loops[i];
    for (std::size_t j = clause.conditions.size(); j-- > 0;)
      inner = make_resumable_if(*code, span, {{clause.conditions[j], inner}},
                                make_jump(*code, span, Flow::kNext));
    inner = make_resumable_for(*code, span, clause.target, clause.iterable, inner,
                               make_jump(*code, span, Flow::kNext));
  }
  return inner;
}

}  // namespace strider::lang
