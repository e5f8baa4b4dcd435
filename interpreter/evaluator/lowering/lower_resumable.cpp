// Lowering of generators whose yields stand between whole statements, or within such as are
// evaluated in turn (lower_settled); others keep a stack of their own.
#include "interpreter/evaluator/lowering/lowering.h"
#include "interpreter/evaluator/settling.h"

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
bool try_suspends(const syntax::Try* node);
bool with_suspends(const syntax::With* node);

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
    case Kind::kTry:
      return try_suspends(node_as<syntax::Try>(node));
    case Kind::kWith:
      return with_suspends(node_as<syntax::With>(node));
    case Kind::kPass:
    case Kind::kBreak:
    case Kind::kContinue:
    case Kind::kGlobal:
    case Kind::kNonlocal:
    case Kind::kImport:
    case Kind::kImportFrom:
      return false;
    default:
      return true;  // match, nested definitions: not looked into
  }
}

bool try_suspends(const syntax::Try* node) {
  for (const syntax::ExceptHandler* each : node->handlers)
    if (may_suspend(each->type) || body_suspends(each->body)) return true;
  return body_suspends(node->body) || body_suspends(node->orelse) || body_suspends(node->finalbody);
}

bool enters_suspending(const syntax::With* node) {
  for (const syntax::WithItem* each : node->items)
    if (may_suspend(each->context_expr) || may_suspend(each->optional_vars)) return true;
  return false;
}

bool with_suspends(const syntax::With* node) {
  return enters_suspending(node) || body_suspends(node->body);
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

// A variable that nobody else changes while a generator is left.
bool is_local(const syntax::Expr* target) {
  auto* name = node_if<syntax::Name>(target);
  return name && name->binding.storage == syntax::Storage::kLocal;
}

bool is_resumable(syntax::Body body);

bool try_is_resumable(const syntax::Try* node) {
  for (const syntax::ExceptHandler* each : node->handlers)
    if (may_suspend(each->type) || !is_resumable(each->body)) return false;
  return is_resumable(node->body) && is_resumable(node->orelse) && is_resumable(node->finalbody);
}

bool is_resumable(const syntax::Stmt* node) {
  if (!suspends(node)) return true;
  switch (node->kind) {
    case Kind::kExprStmt:
      return can_settle(node_as<syntax::ExprStmt>(node)->value);
    case Kind::kReturn:
      return can_settle(node_as<syntax::Return>(node)->value);
    case Kind::kAssign: {
      auto* each = node_as<syntax::Assign>(node);
      return !any_suspends(each->targets) && can_settle(each->value);
    }
    case Kind::kAugAssign: {
      auto* each = node_as<syntax::AugAssign>(node);
      return is_local(each->target) && can_settle(each->value);
    }
    case Kind::kIf: {
      auto* each = node_as<syntax::If>(node);
      return can_settle(each->test) && is_resumable(each->body) && is_resumable(each->orelse);
    }
    case Kind::kWhile: {
      auto* each = node_as<syntax::While>(node);
      return can_settle(each->test) && is_resumable(each->body) && is_resumable(each->orelse);
    }
    case Kind::kFor: {
      auto* each = node_as<syntax::For>(node);
      return can_settle(each->iter) && !may_suspend(each->target) && is_resumable(each->body) &&
             is_resumable(each->orelse);
    }
    case Kind::kTry:
      return try_is_resumable(node_as<syntax::Try>(node));
    case Kind::kWith: {
      auto* each = node_as<syntax::With>(node);
      return !enters_suspending(each) && is_resumable(each->body);
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
Statement* Lowering::yield_statement(const syntax::Expr* yielding, Target* place, Span span) {
  auto* from = node_if<syntax::YieldFrom>(yielding);
  Node* value = from ? expression(from->value) : optional(node_as<syntax::Yield>(yielding)->value);
  if (from) return make_yield_from_statement(*code, span, value, from->awaits, place);
  return make_yield_statement(*code, span, value, place);
}

Statement* Lowering::resumable(const syntax::Stmt* node) {
  check_stack("maximum recursion depth exceeded during compilation");
  switch (node->kind) {
    case Kind::kExprStmt: {
      const syntax::Expr* value = node_as<syntax::ExprStmt>(node)->value;
      return is_plain_yield(value) ? yield_statement(value, nullptr, node->span)
                                   : settled_statement(node, value);
    }
    case Kind::kReturn:
      return resumable_return(node_as<syntax::Return>(node));
    case Kind::kAssign: {
      auto* each = node_as<syntax::Assign>(node);
      return each->targets.size() == 1 && is_plain_yield(each->value)
                 ? yield_statement(each->value, target(each->targets[0]), node->span)
                 : settled_statement(node, each->value);
    }
    case Kind::kAugAssign:
      return settled_statement(node, node_as<syntax::AugAssign>(node)->value);
    case Kind::kIf: {
      const syntax::Expr* test = node_as<syntax::If>(node)->test;
      return may_suspend(test) ? settled_statement(node, test) : settled_rest(node);
    }
    case Kind::kWhile:
      return resumable_while(node_as<syntax::While>(node));
    case Kind::kTry:
      return resumable_try(node_as<syntax::Try>(node));
    case Kind::kWith:
      return resumable_with(node_as<syntax::With>(node), 0);
    default:
      break;
  }
  const syntax::Expr* iterable = node_as<syntax::For>(node)->iter;
  return may_suspend(iterable) ? settled_statement(node, iterable) : settled_rest(node);
}

Statement* Lowering::resumable_return(const syntax::Return* node) {
  if (!is_plain_delegation(node->value)) return settled_statement(node, node->value);
  auto* from = node_as<syntax::YieldFrom>(node->value);
  return make_yield_from_return(*code, node->span, expression(from->value), from->awaits);
}

Statement* Lowering::resumable_while(const syntax::While* node) {
  bool asks = is_plain_delegation(node->test);
  if (may_suspend(node->test) && !asks) return settled_while(node);
  auto* asked = asks ? node_as<syntax::YieldFrom>(node->test) : nullptr;
  Node* test = expression(asks ? asked->value : node->test);
  Statement* body = resumable_block(node->body);
  Statement* otherwise = resumable_block(node->orelse);
  return asks ? make_asking_while(*code, node->span, test, asked->awaits, body, otherwise)
              : make_resumable_while(*code, node->span, test, body, otherwise);
}

Statement* Lowering::resumable_try(const syntax::Try* node) {
  Statement* whole = resumable_block(node->body);
  if (!node->handlers.empty()) {
    std::vector<ResumableHandler> handlers;
    for (const syntax::ExceptHandler* each : node->handlers) {
      Node* type = optional(each->type);
      Target* name = each->name.empty() ? nullptr : store(each->binding, each->span);
      handlers.push_back({type, name, resumable_block(each->body)});
    }
    whole = make_resumable_except(*code, node->span, whole, std::move(handlers),
                                  resumable_block(node->orelse));
  }
  if (node->finalbody.empty()) return whole;
  return make_resumable_finally(*code, node->span, whole, resumable_block(node->finalbody));
}

// From one of the managers on.
Statement* Lowering::resumable_with(const syntax::With* node, std::size_t first) {
  if (first == node->items.size()) return resumable_block(node->body);
  const syntax::WithItem* item = node->items[first];
  Node* manager = expression(item->context_expr);
  Target* name = item->optional_vars ? target(item->optional_vars) : nullptr;
  return make_resumable_with(*code, node->span, {manager, name}, resumable_with(node, first + 1));
}

// A statement whose expressions do not yield, or no more.
Statement* Lowering::settled_rest(const syntax::Stmt* node) {
  if (auto* choice = node_if<syntax::If>(node)) {
    Node* test = expression(choice->test);
    Statement* body = resumable_block(choice->body);
    return make_resumable_if(*code, node->span, {{test, body}}, resumable_block(choice->orelse));
  }
  auto* loop = node_if<syntax::For>(node);
  if (!loop) return statement(node);
  Node* iterable = walked(loop->iter);
  Target* loop_target = target(loop->target);
  Statement* body = resumable_block(loop->body);
  return make_resumable_for(*code, node->span, loop_target, iterable, body,
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
