// Lowering of modules, functions, classes and generator expressions: everything with a frame of its
// own.
#include <algorithm>

#include "interpreter/evaluator/lowering/lowering.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

using syntax::node_as;
using syntax::node_if;

namespace {

bool is_function(const syntax::Scope& scope) {
  return scope.type != syntax::ScopeType::kModule && scope.type != syntax::ScopeType::kClass;
}

}  // namespace

void Lowering::take_scope(const syntax::Scope& scope, std::string_view name) {
  scope_ = &scope;
  code->name = intern(name);
  code->qualified_name =
      scope.qualified_name.empty() ? std::string(name) : std::string(scope.qualified_name);
  code->source = source_;
  for (syntax::Identifier each : scope.local_names) code->local_names.push_back(intern(each));
  for (syntax::Identifier each : scope.cell_names) code->cell_names.push_back(intern(each));
  code->own_cells = static_cast<int>(scope.cell_names.size());
  code->visible_locals = scope.visible_locals;
  for (const syntax::FreeVariable& each : scope.free_names) {
    code->cell_names.push_back(intern(each.name));
    code->free_sources.push_back(each.parent_cell);
  }
  code->parameter_cells.assign(scope.parameter_cells.begin(), scope.parameter_cells.end());
  code->is_generator = scope.is_generator;
  code->is_function = is_function(scope);
  for (const syntax::Scope* around = scope.parent; around; around = around->parent)
    code->is_nested |= code->is_function && is_function(*around);
  code->class_cell = scope.class_cell;
}

std::unique_ptr<Lowering> Lowering::inner(const syntax::Scope& scope, std::string_view name) {
  LoweringMode mode = mode_ == LoweringMode::kExpression ? LoweringMode::kModule : mode_;
  auto lowering = std::make_unique<Lowering>(source_, mode, in_namespace_);
  lowering->take_scope(scope, name);
  code->inner.push_back(lowering->code);
  return lowering;
}

void Lowering::take_parameters(const syntax::Arguments& arguments) {
  ParameterLayout& p = code->parameters;
  for (const syntax::Arg* each : arguments.posonlyargs) p.names.push_back(intern(each->arg));
  for (const syntax::Arg* each : arguments.args) p.names.push_back(intern(each->arg));
  for (const syntax::Arg* each : arguments.kwonlyargs) p.names.push_back(intern(each->arg));
  p.positional_only = static_cast<int>(arguments.posonlyargs.size());
  p.positional = p.positional_only + static_cast<int>(arguments.args.size());
  p.keyword_only = static_cast<int>(arguments.kwonlyargs.size());
  p.default_count = static_cast<int>(arguments.defaults.size());
  int next = p.positional + p.keyword_only;
  if (arguments.vararg) p.var_args_slot = next++;
  if (arguments.kwarg) p.var_keywords_slot = next++;
  p.simple = p.keyword_only == 0 && !arguments.vararg && !arguments.kwarg;
}

void Lowering::take_docstring(const syntax::Body& body) {
  if (body.empty() || Interpreter::current().optimize > 1) return;
  auto* first = node_if<syntax::ExprStmt>(body[0]);
  auto* text = first ? node_if<syntax::Constant>(first->value) : nullptr;
  if (text && text->value.type == syntax::ConstantType::kStr)
    code->doc = make_str(text->value.text);
}

namespace {

// The value of a body that is one return statement, perhaps behind a docstring; else null.
const syntax::Expr* returned_value(const syntax::Body& body) {
  bool documented = body.size() == 2 && node_if<syntax::ExprStmt>(body[0]) &&
                    node_if<syntax::Constant>(node_as<syntax::ExprStmt>(body[0])->value);
  if (body.size() != 1 && !documented) return nullptr;
  auto* statement = node_if<syntax::Return>(body[body.size() - 1]);
  return statement ? statement->value : nullptr;
}

// Where a definition begins with its decorators; the one that makes it async stands behind it.
std::uint32_t first_offset(syntax::Sequence<syntax::Expr*> decorators, Span definition) {
  return decorators.empty() ? definition.begin
                            : std::min(decorators[0]->span.begin, definition.begin);
}

// The decorator of an async function, which the parser has put behind the others, stands for a
// property of its code.
Pauses async_kind(syntax::Sequence<syntax::Expr*> decorators) {
  auto* last =
      decorators.empty() ? nullptr : node_if<syntax::Name>(decorators[decorators.size() - 1]);
  if (last && last->id == ".coroutine") return Pauses::kCoroutine;
  return last && last->id == ".asyncgenerator" ? Pauses::kAsyncGenerator : Pauses::kGenerator;
}

}  // namespace

// A function's text from the start of the line of its name to its last statement.
Span Lowering::definition_span(const syntax::Body& body, Span name) const {
  std::uint32_t begin = source_->line_start(name.begin);
  return {begin, body.empty() ? name.end : body[body.size() - 1]->span.end};
}

Node* Lowering::function(const syntax::Scope& scope, std::string_view name,
                         const syntax::Arguments& arguments, const syntax::Body* body,
                         const syntax::Expr* value, const syntax::Expr* returns, Span span,
                         syntax::Sequence<syntax::Expr*> decorators) {
  std::unique_ptr<Lowering> lowering = inner(scope, name);
  lowering->take_parameters(arguments);
  lowering->code->definition = body ? definition_span(*body, span) : span;
  lowering->code->begin = first_offset(decorators, lowering->code->definition);
  lowering->code->pauses = async_kind(decorators);
  lowering->code->awaitable = lowering->code->pauses == Pauses::kCoroutine;
  if (body) {
    lowering->take_docstring(*body);
    if (const syntax::Expr* returned = scope.is_generator ? nullptr : returned_value(*body))
      lowering->code->expression = lowering->expression(returned);
    else if (!lowering->lower_resumable(*body))
      lowering->code->body = lowering->block(*body);
  } else {
    lowering->code->expression = lowering->expression(value);
  }
  FunctionParts parts;
  parts.body = lowering->code;
  parts.defaults = expressions(arguments.defaults);
  for (const syntax::Expr* each : arguments.kw_defaults)
    parts.keyword_defaults.push_back(optional(each));
  // `*args: *Ts` is annotated by the only item of Ts.
  auto annotation_of = [&](const syntax::Expr* annotation) {
    auto* starred = node_if<syntax::Starred>(annotation);
    if (!starred) return expression(annotation);
    Node* items = make_tuple_display(*code, starred->span, {{expression(starred->value), true}});
    Node* first = make_constant(*code, starred->span, Value::integer(0));
    return make_item(*code, starred->span, items, first, true);
  };
  auto annotate = [&](const syntax::Arg* arg) {
    if (arg && arg->annotation)
      parts.annotations.emplace_back(intern(arg->arg), annotation_of(arg->annotation));
  };
  for (const syntax::Arg* each : arguments.posonlyargs) annotate(each);
  for (const syntax::Arg* each : arguments.args) annotate(each);
  annotate(arguments.vararg);
  for (const syntax::Arg* each : arguments.kwonlyargs) annotate(each);
  annotate(arguments.kwarg);
  if (returns) parts.annotations.emplace_back(intern("return"), expression(returns));
  return make_function(*code, span, std::move(parts));
}

Node* Lowering::class_definition(const syntax::ClassDef* node) {
  std::unique_ptr<Lowering> lowering = inner(*node->scope, node->name);
  lowering->take_docstring(node->body);
  lowering->code->definition = definition_span(node->body, node->span);
  lowering->code->begin = first_offset(node->decorator_list, lowering->code->definition);
  lowering->code->body = lowering->block(node->body);
  return make_class_definition(*code, node->span, lowering->code, intern(node->name),
                               call_arguments(node->bases, node->keywords));
}

Node* Lowering::decorated(syntax::Sequence<syntax::Expr*> decorators, Node* value) {
  Nodes functions;
  std::size_t count = decorators.size() - (async_kind(decorators) != Pauses::kGenerator);
  for (std::size_t i = 0; i < count; ++i) functions.push_back(expression(decorators[i]));
  for (std::size_t i = count; i-- > 0;)
    value = make_call(*code, decorators[i]->span, functions[i],
                      {{CallArgument::Kind::kPositional, value}}, false);
  return value;
}

Node* Lowering::generator_expression(const syntax::GeneratorExp* node) {
  std::unique_ptr<Lowering> lowering = inner(*node->scope, "<genexpr>");
  lowering->code->definition = node->span;
  lowering->code->begin = node->span.begin;
  std::vector<ComprehensionClause> loops;
  for (std::size_t i = 0; i < node->generators.size(); ++i) {
    const syntax::Comprehension* each = node->generators[i];
    Node* iterable = i == 0 ? make_outer_iterator(*lowering->code, each->iter->span)
                            : lowering->walked(each->iter);
    Target* loop_target = lowering->target(each->target);
    loops.push_back({loop_target, iterable, lowering->expressions(each->ifs)});
  }
  Node* element = lowering->expression(node->elt);
  lowering->code->body =
      Block({lowering->resumable_clauses(std::move(loops), element, node->span)});
  lowering->code->resumable = true;
  return make_generator_expression(*code, node->span, lowering->code,
                                   walked(node->generators[0]->iter));
}

void Lowering::lower_body(const syntax::Body& body) {
  if (mode_ == LoweringMode::kCell && !body.empty()) last_of_cell_ = body[body.size() - 1];
  code->body = block(body);
}

std::shared_ptr<const Code> lower_module(const syntax::Tree& tree, LoweringMode mode,
                                         bool in_namespace) {
  Lowering lowering(tree.source, mode, in_namespace);
  lowering.take_scope(*tree.module->scope, "<module>");
  lowering.take_docstring(tree.module->body);
  if (mode == LoweringMode::kExpression)
    lowering.code->expression =
        lowering.expression(node_as<syntax::ExprStmt>(tree.module->body[0])->value);
  else
    lowering.lower_body(tree.module->body);
  return lowering.code;
}

}  // namespace strider::lang
