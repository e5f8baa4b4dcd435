// Expressions and targets of the resolver's walk. Chains that nest to the left are walked in a
// loop.
#include <algorithm>
#include <unordered_set>

#include "interpreter/syntax/resolver/resolver_state.h"

namespace strider::syntax {

namespace {

// The operand an expression starts with, where such nesting is unlimited.
Expr* left_operand(Expr* expression) {
  switch (expression->kind) {
    case Kind::kBinOp:
      return node_as<BinOp>(expression)->left;
    case Kind::kAttribute:
      return node_as<Attribute>(expression)->value;
    case Kind::kSubscript:
      return node_as<Subscript>(expression)->value;
    case Kind::kCall:
      return node_as<Call>(expression)->func;
    default:
      return nullptr;
  }
}

}  // namespace

void Resolver::visit(Expr* expression) {
  SequenceBuilder<Expr*, 16> chain;
  while (Expr* left = left_operand(expression)) {
    chain.push(expression);
    expression = left;
  }
  visit_leaf(expression);
  for (size_t i = chain.size(); i > 0; --i) visit_rest(chain[i - 1]);
}

// What follows the left operand.
void Resolver::visit_rest(Expr* expression) {
  switch (expression->kind) {
    case Kind::kBinOp:
      return visit(node_as<BinOp>(expression)->right);
    case Kind::kAttribute: {
      auto* attribute = node_as<Attribute>(expression);
      attribute->attr = mangle(attribute->attr);
      if (attribute->ctx == ExprContext::kStore) {
        check_assignable(attribute->attr, attribute->span);
      }
      return;
    }
    case Kind::kSubscript:
      return visit(node_as<Subscript>(expression)->slice);
    default:
      return visit_call_rest(node_as<Call>(expression));
  }
}

void Resolver::visit_call_rest(Call* call) {
  visit_elements(call->args);
  visit_keywords(call->keywords);
}

void Resolver::visit_keywords(Sequence<Keyword*> keywords) {
  std::unordered_set<const char*> seen;
  for (Keyword* keyword : keywords) {
    if (!keyword->arg.empty()) {
      check_assignable(keyword->arg, keyword->span);
      if (keywords.size() > 1 && !seen.insert(keyword->arg.data()).second) {
        fail("keyword argument repeated: " + std::string(keyword->arg), keyword->span);
      }
    }
    visit(keyword->value);
  }
}

void Resolver::visit_leaf(Expr* expression) {
  switch (expression->kind) {
    case Kind::kName:
      return use(node_as<Name>(expression));
    case Kind::kBoolOp:
      for (Expr* value : node_as<BoolOp>(expression)->values) visit(value);
      return;
    case Kind::kNamedExpr:
      return visit_named(node_as<NamedExpr>(expression));
    case Kind::kUnaryOp:
      return visit(node_as<UnaryOp>(expression)->operand);
    case Kind::kLambda:
      return visit_lambda(node_as<Lambda>(expression));
    case Kind::kIfExp: {
      auto* choice = node_as<IfExp>(expression);
      visit(choice->test);
      visit(choice->body);
      return visit(choice->orelse);
    }
    case Kind::kDict: {
      auto* dict = node_as<Dict>(expression);
      for (size_t i = 0; i < dict->values.size(); ++i) {
        visit_optional(dict->keys[i]);
        visit(dict->values[i]);
      }
      return;
    }
    case Kind::kSet:
      return visit_elements(node_as<Set>(expression)->elts);
    case Kind::kList:
      return visit_elements(node_as<List>(expression)->elts);
    case Kind::kTuple:
      return visit_elements(node_as<Tuple>(expression)->elts);
    case Kind::kListComp:
      return visit_comprehension(node_as<ListComp>(expression), "list comprehension");
    case Kind::kSetComp:
      return visit_comprehension(node_as<SetComp>(expression), "set comprehension");
    case Kind::kDictComp:
      return visit_comprehension(node_as<DictComp>(expression), "dict comprehension");
    case Kind::kGeneratorExp:
      return visit_generator(node_as<GeneratorExp>(expression));
    case Kind::kYield:
      return visit_yield(expression, node_as<Yield>(expression)->value);
    case Kind::kYieldFrom:
      if (node_as<YieldFrom>(expression)->awaits)
        return visit_await(node_as<YieldFrom>(expression));
      return visit_yield(expression, node_as<YieldFrom>(expression)->value);
    case Kind::kCompare: {
      auto* compare = node_as<Compare>(expression);
      visit(compare->left);
      for (Expr* value : compare->comparators) visit(value);
      return;
    }
    case Kind::kFormattedValue: {
      auto* field = node_as<FormattedValue>(expression);
      visit(field->value);
      return visit_optional(field->format_spec);
    }
    case Kind::kJoinedStr:
      for (Expr* value : node_as<JoinedStr>(expression)->values) visit(value);
      return;
    case Kind::kStarred:
      fail("can't use starred expression here", expression->span);
    case Kind::kSlice: {
      auto* slice = node_as<Slice>(expression);
      visit_optional(slice->lower);
      visit_optional(slice->upper);
      return visit_optional(slice->step);
    }
    default:
      return;
  }
}

void Resolver::visit_elements(Sequence<Expr*> elements) {
  for (Expr* element : elements) visit_element(element);
}

// An element of a display or call: a star is allowed.
void Resolver::visit_element(Expr* element) {
  auto* starred = node_if<Starred>(element);
  visit(starred ? starred->value : element);
}

void Resolver::visit_targets(Sequence<Expr*> elements) {
  for (Expr* element : elements) visit_target(element);
}

// Elements of a display target; one of them may have a star.
void Resolver::visit_target_elements(Sequence<Expr*> elements) {
  bool star_seen = false;
  for (Expr* element : elements) {
    auto* starred = node_if<Starred>(element);
    if (starred && star_seen) fail("multiple starred expressions in assignment", element->span);
    star_seen |= starred != nullptr;
    visit_target(starred ? starred->value : element);
  }
}

void Resolver::visit_target(Expr* target) {
  switch (target->kind) {
    case Kind::kName: {
      auto* name = node_as<Name>(target);
      return assign(name->id, name->binding, name->span, name->ctx);
    }
    case Kind::kTuple:
      return visit_target_elements(node_as<Tuple>(target)->elts);
    case Kind::kList:
      return visit_target_elements(node_as<List>(target)->elts);
    case Kind::kStarred:
      fail("starred assignment target must be in a list or tuple", target->span);
    default:
      return visit(target);
  }
}

void Resolver::visit_named(NamedExpr* named) {
  if (context_.iterables > 0) {
    fail("assignment expression cannot be used in a comprehension iterable expression",
         named->span);
  }
  visit(named->value);
  BlockType type = context_.block->type;
  bool inside = type == BlockType::kComprehension || type == BlockType::kGenerator;
  if (inside) {
    assign_from_comprehension(named->target);
  } else {
    assign(named->target->id, named->target->binding, named->target->span);
  }
}

// `:=` in a comprehension assigns in the nearest block around that is none.
void Resolver::assign_from_comprehension(Name* target) {
  Identifier name = mangle(target->id);
  check_assignable(name, target->span);
  Block* block = context_.block;
  for (; block->type == BlockType::kComprehension || block->type == BlockType::kGenerator;
       block = block->parent) {
    Symbol* found = table_.symbol(block, name);
    if (found->iteration) {
      fail("assignment expression cannot rebind comprehension iteration variable '" +
               std::string(name) + "'",
           target->span);
    }
    found->named = true;
  }
  if (block->type == BlockType::kClass) {
    fail("assignment expression within a comprehension cannot be used in a class body",
         target->span);
  }
  Symbol* variable = table_.symbol(block, name);
  variable->assigned = true;
  table_.add_use(target->binding, table_.symbol(context_.block, name));
}

// Comprehensions share the frame of the function around them, so they may wait there. That it is
// an async function, the parser has seen to.
void Resolver::visit_await(YieldFrom* expression) {
  const Block* block = context_.block->frame;
  block->scope->is_generator = true;
  visit(expression->value);
}

void Resolver::visit_yield(Expr* expression, Expr* value) {
  const Block* block = context_.block;
  switch (block->type) {
    case BlockType::kComprehension:
      fail(std::string("'yield' inside ") + context_.comprehension, expression->span);
    case BlockType::kGenerator:
      fail("'yield' inside generator expression", expression->span);
    case BlockType::kModule:
    case BlockType::kClass:
      fail("'yield' outside function", expression->span);
    default:
      break;
  }
  block->scope->is_generator = true;
  if (value) visit(value);
}

}  // namespace strider::syntax
