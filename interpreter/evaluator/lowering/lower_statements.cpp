// Lowering of statements.
#include "interpreter/evaluator/lowering/lowering.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

using syntax::Kind;
using syntax::node_as;
using syntax::node_if;

namespace {

// Several statements that stand where one is expected.
class GroupStatement final : public Statement {
 public:
  explicit GroupStatement(Block block) : block_(std::move(block)) {}
  Flow execute(Frame& frame) const override { return block_.execute(frame); }

 private:
  Block block_;
};

}  // namespace

Block Lowering::block(syntax::Body body) {
  std::vector<Statement*> statements;
  for (const syntax::Stmt* each : body)
    if (Statement* lowered = statement(each)) statements.push_back(lowered);
  return Block(std::move(statements));
}

Statement* Lowering::sequence(std::vector<Statement*> statements, Span span) {
  if (statements.size() == 1) return statements[0];
  return code->make<GroupStatement>(span, Block(std::move(statements)));
}

namespace {

bool has_star(syntax::Sequence<syntax::Expr*> elements) {
  for (const syntax::Expr* element : elements)
    if (element->kind == Kind::kStarred) return true;
  return false;
}

// The comparison that decides a test last, which is what failed assertions show, as in CPython;
// null: a test without one.
const syntax::Expr* last_comparison(const syntax::Expr* test) {
  if (test->kind == Kind::kCompare) return test;
  if (auto* unary = node_if<syntax::UnaryOp>(test))
    return unary->op == syntax::UnaryOperator::kNot ? last_comparison(unary->operand) : nullptr;
  const syntax::Expr* last = nullptr;
  auto look_at = [&last](const syntax::Expr* part) {
    if (const syntax::Expr* found = last_comparison(part)) last = found;
  };
  if (auto* joined = node_if<syntax::BoolOp>(test))
    for (const syntax::Expr* value : joined->values) look_at(value);
  if (auto* chosen = node_if<syntax::IfExp>(test))
    for (const syntax::Expr* part : {chosen->test, chosen->body, chosen->orelse}) look_at(part);
  return last;
}

// Whether a tuple of values meets a tuple of as many targets, none of them starred.
bool is_parallel(const syntax::Assign* node) {
  constexpr std::size_t kMostOnStack = 16;
  auto* values = node_if<syntax::Tuple>(node->value);
  auto* targets = node->targets.size() == 1 ? node_if<syntax::Tuple>(node->targets[0]) : nullptr;
  return values && targets && values->elts.size() == targets->elts.size() &&
         values->elts.size() <= kMostOnStack && !values->elts.empty() && !has_star(values->elts) &&
         !has_star(targets->elts) && !node->value->has_walrus_or_yield;
}

}  // namespace

Statement* Lowering::assignment(const syntax::Assign* node) {
  std::vector<Target*> targets;
  if (is_parallel(node)) {
    Nodes values = expressions(node_as<syntax::Tuple>(node->value)->elts);
    for (const syntax::Expr* part : node_as<syntax::Tuple>(node->targets[0])->elts)
      targets.push_back(target(part));
    return make_parallel_assignment(*code, node->span, std::move(targets), values);
  }
  Node* value = expression(node->value);
  for (const syntax::Expr* part : node->targets) targets.push_back(target(part));
  return make_assignment(*code, node->span, std::move(targets), value);
}

Statement* Lowering::augmented(const syntax::AugAssign* node) {
  Span span = node->span;
  if (auto* attribute = node_if<syntax::Attribute>(node->target))
    return make_augmented_attribute(*code, span, node->op, expression(attribute->value),
                                    intern(attribute->attr), expression(node->value));
  if (auto* subscript = node_if<syntax::Subscript>(node->target))
    return make_augmented_item(*code, span, node->op, expression(subscript->value),
                               expression(subscript->slice), expression(node->value));
  const syntax::Binding& binding = node_as<syntax::Name>(node->target)->binding;
  bool stable = !node->value->has_walrus_or_yield;
  if (binding.storage == syntax::Storage::kLocal && stable)
    return make_augmented_local(*code, span, node->op, binding.slot, intern(binding.name),
                                expression(node->value));
  return make_augmented_name(*code, span, node->op, load(binding, node->target->span),
                             store(binding, node->target->span), expression(node->value));
}

Statement* Lowering::annotated(const syntax::AnnAssign* node) {
  std::vector<Statement*> parts;
  if (node->value)
    parts.push_back(
        make_assignment(*code, node->span, {target(node->target)}, expression(node->value)));
  bool in_function = scope_->type == syntax::ScopeType::kFunction;
  auto* name = node_if<syntax::Name>(node->target);
  if (name && node->simple && !in_function) {
    code->annotates = true;
    parts.push_back(make_annotation(*code, node->span, intern(name->binding.name),
                                    expression(node->annotation)));
  }
  if (parts.empty()) return nullptr;
  return sequence(std::move(parts), node->span);
}

// if … elif … else: the chain may be long, so it is walked in a loop.
Statement* Lowering::branches(const syntax::If* node) {
  std::vector<std::pair<Node*, Block>> result;
  const syntax::If* each = node;
  for (;;) {
    Node* test = expression(each->test);
    result.emplace_back(test, block(each->body));
    auto* next = each->orelse.size() == 1 ? node_if<syntax::If>(each->orelse[0]) : nullptr;
    if (!next) break;
    each = next;
  }
  return make_if(*code, node->span, std::move(result), block(each->orelse));
}

Statement* Lowering::try_statement(const syntax::Try* node) {
  Block body = block(node->body);
  std::vector<Handler> handlers;
  for (const syntax::ExceptHandler* each : node->handlers) {
    Node* type = optional(each->type);
    Target* name = each->name.empty() ? nullptr : store(each->binding, each->span);
    handlers.push_back({type, name, block(each->body), each->span});
  }
  Block otherwise = block(node->orelse);
  return make_try(*code, node->span, std::move(body), std::move(handlers), std::move(otherwise),
                  block(node->finalbody));
}

Statement* Lowering::import(const syntax::Import* node) {
  std::vector<Statement*> parts;
  for (const syntax::Alias* alias : node->names)
    parts.push_back(make_import(*code, node->span, std::string(alias->name), alias->asname.empty(),
                                store(alias->binding, alias->span)));
  return sequence(std::move(parts), node->span);
}

Statement* Lowering::import_from(const syntax::ImportFrom* node) {
  std::string module(node->module);
  if (node->names.size() == 1 && node->names[0]->name == "*")
    return make_import_star(*code, node->span, module, node->level);
  std::vector<std::pair<Name, Target*>> imported;
  for (const syntax::Alias* alias : node->names)
    imported.emplace_back(intern(alias->name), store(alias->binding, alias->span));
  return make_import_from(*code, node->span, module, node->level, std::move(imported));
}

Statement* Lowering::match(const syntax::Match* node) {
  Node* subject = expression(node->subject);
  std::vector<MatchBranch> result;
  for (const syntax::MatchCase* each : node->cases) {
    PatternNode* lowered = pattern(each->pattern);
    Node* guard = optional(each->guard);
    result.push_back({lowered, guard, block(each->body)});
  }
  return make_match(*code, node->span, subject, std::move(result));
}

namespace {

// Whether a `;` stands behind a place, and nothing but a comment behind it on its line.
bool ends_silently(std::string_view rest) {
  std::size_t next = rest.find_first_not_of(" \t");
  if (next == rest.npos || rest[next] != ';') return false;
  std::size_t behind = rest.find_first_not_of(" \t", next + 1);
  return behind == rest.npos || std::string_view("\r\n#").find(rest[behind]) != rest.npos;
}

}  // namespace

// Whether an expression statement outside of functions and classes shows its value.
bool Lowering::shows_value(const syntax::Stmt* node) const {
  if (mode_ == LoweringMode::kInteractive) return true;
  if (mode_ != LoweringMode::kPrompt && node != last_of_cell_) return false;
  return !ends_silently(source_->text().substr(node->span.end));
}

Statement* Lowering::statement(const syntax::Stmt* node) {
  check_stack("maximum recursion depth exceeded during compilation");
  Span span = node->span;
  switch (node->kind) {
    case Kind::kExprStmt: {
      const syntax::Expr* value = node_as<syntax::ExprStmt>(node)->value;
      if (scope_->type == syntax::ScopeType::kModule && shows_value(node))
        return make_display_statement(*code, span, expression(value));
      if (value->kind == Kind::kConstant) return nullptr;
      return make_expression_statement(*code, span, expression(value));
    }
    case Kind::kAssign:
      return assignment(node_as<syntax::Assign>(node));
    case Kind::kAugAssign:
      return augmented(node_as<syntax::AugAssign>(node));
    case Kind::kAnnAssign:
      return annotated(node_as<syntax::AnnAssign>(node));
    case Kind::kReturn:
      return make_return(*code, span, optional(node_as<syntax::Return>(node)->value));
    case Kind::kDelete: {
      std::vector<Target*> targets;
      for (const syntax::Expr* part : node_as<syntax::Delete>(node)->targets)
        targets.push_back(target(part));
      return make_delete(*code, span, std::move(targets));
    }
    case Kind::kIf:
      return branches(node_as<syntax::If>(node));
    case Kind::kFor: {
      auto* each = node_as<syntax::For>(node);
      Node* iterable = walked(each->iter);
      Target* loop_target = target(each->target);
      Block body = block(each->body);
      return make_for(*code, span, loop_target, iterable, std::move(body), block(each->orelse));
    }
    case Kind::kWhile: {
      auto* each = node_as<syntax::While>(node);
      Node* test = expression(each->test);
      Block body = block(each->body);
      return make_while(*code, span, test, std::move(body), block(each->orelse));
    }
    case Kind::kFunctionDef: {
      auto* each = node_as<syntax::FunctionDef>(node);
      Node* value = function(*each->scope, each->name, *each->args, &each->body, nullptr,
                             each->returns, each->name_span, each->decorator_list);
      value = decorated(each->decorator_list, value);
      return make_assignment(*code, span, {store(each->binding, each->name_span)}, value);
    }
    case Kind::kClassDef: {
      auto* each = node_as<syntax::ClassDef>(node);
      Node* value = decorated(each->decorator_list, class_definition(each));
      return make_assignment(*code, span, {store(each->binding, each->name_span)}, value);
    }
    case Kind::kWith: {
      auto* each = node_as<syntax::With>(node);
      std::vector<WithPart> parts;
      for (const syntax::WithItem* item : each->items) {
        Node* manager = expression(item->context_expr);
        parts.push_back({manager, item->optional_vars ? target(item->optional_vars) : nullptr});
      }
      return make_with(*code, span, std::move(parts), block(each->body));
    }
    case Kind::kRaise: {
      auto* each = node_as<syntax::Raise>(node);
      return make_raise(*code, span, optional(each->exc), optional(each->cause));
    }
    case Kind::kTry:
      return try_statement(node_as<syntax::Try>(node));
    case Kind::kAssert: {
      auto* each = node_as<syntax::Assert>(node);
      check_assertion(each);
      if (Interpreter::current().optimize > 0) return make_jump(*code, span, Flow::kNext);
      const syntax::Expr* compared = last_comparison(each->test);
      return make_assert(*code, span, expression(each->test), optional(each->msg),
                         compared ? compared->span : span);
    }
    case Kind::kImport:
      return import(node_as<syntax::Import>(node));
    case Kind::kImportFrom:
      return import_from(node_as<syntax::ImportFrom>(node));
    case Kind::kMatch:
      return match(node_as<syntax::Match>(node));
    case Kind::kBreak:
      return make_jump(*code, span, Flow::kBreak);
    case Kind::kContinue:
      return make_jump(*code, span, Flow::kContinue);
    case Kind::kPass:  // does nothing, but a debugger may stop there
      return make_jump(*code, span, Flow::kNext);
    default:
      return nullptr;  // global and nonlocal did their work in the resolver
  }
}

}  // namespace strider::lang
