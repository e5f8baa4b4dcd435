// Targets: which expressions can be assigned to or deleted, and marking them as such.
#include "interpreter/syntax/parser/parser_state.h"

namespace strider::syntax {

// Marks an expression that require_target accepted, elements of displays included.
void Parser::set_context(Expr* target, ExprContext context) {
  switch (target->kind) {
    case Kind::kName:
      node_as<Name>(target)->ctx = context;
      break;
    case Kind::kAttribute:
      node_as<Attribute>(target)->ctx = context;
      break;
    case Kind::kSubscript:
      node_as<Subscript>(target)->ctx = context;
      break;
    case Kind::kStarred: {
      auto* starred = node_as<Starred>(target);
      starred->ctx = context;
      set_context(starred->value, context);
      break;
    }
    case Kind::kTuple: {
      auto* tuple = node_as<Tuple>(target);
      tuple->ctx = context;
      for (Expr* element : tuple->elts) set_context(element, context);
      break;
    }
    case Kind::kList: {
      auto* list = node_as<List>(target);
      list->ctx = context;
      for (Expr* element : list->elts) set_context(element, context);
      break;
    }
    default:
      break;
  }
}

// The part of a target that is none, or null.
Expr* Parser::find_invalid_target(Expr* target, Use use) const {
  auto find_in = [&](Sequence<Expr*> elements) -> Expr* {
    for (Expr* element : elements) {
      if (Expr* bad = find_invalid_target(element, use)) return bad;
    }
    return nullptr;
  };
  switch (target->kind) {
    case Kind::kName:
    case Kind::kAttribute:
    case Kind::kSubscript:
      return nullptr;
    case Kind::kTuple:
      return find_in(node_as<Tuple>(target)->elts);
    case Kind::kList:
      return find_in(node_as<List>(target)->elts);
    case Kind::kStarred:
      if (use == Use::kDelete) return target;
      return find_invalid_target(node_as<Starred>(target)->value, use);
    default:
      return target;
  }
}

void Parser::require_target(Expr* target, Use use) {
  Expr* bad = find_invalid_target(target, use);
  if (!bad) return;
  const char* verb = use == Use::kDelete ? "cannot delete " : "cannot assign to ";
  fail(verb + describe_expression(bad), bad->span);
}

// Targets of `for`: like a tuple, but `in` ends it.
Expr* Parser::parse_target_list() {
  uint32_t start = begin();
  Expr* first = parse_target();
  return parse_tuple_tail(start, first, &Parser::parse_target);
}

Expr* Parser::parse_target() { return at(TokenKind::kStar) ? parse_starred() : parse_binary(0); }

}  // namespace strider::syntax
