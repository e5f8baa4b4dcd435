// Functions, classes, lambdas and comprehensions of the resolver's walk: what opens a block.
#include "interpreter/syntax/resolver/resolver_state.h"

namespace strider::syntax {

namespace {

void collect_result(ListComp* node, SequenceBuilder<Expr*, 2>& parts) { parts.push(node->elt); }
void collect_result(SetComp* node, SequenceBuilder<Expr*, 2>& parts) { parts.push(node->elt); }
void collect_result(DictComp* node, SequenceBuilder<Expr*, 2>& parts) {
  parts.push(node->key);
  parts.push(node->value);
}

std::string_view block_name(Kind kind) {
  if (kind == Kind::kListComp) return "<listcomp>";
  return kind == Kind::kSetComp ? "<setcomp>" : "<dictcomp>";
}

}  // namespace

// Opens a block inside the current one and moves into it.
Block* Resolver::enter_block(BlockType type, std::string_view name) {
  context_.block = table_.add_block(type, context_.block, name);
  if (type != BlockType::kComprehension) context_.loops = 0;
  return context_.block;
}

void Resolver::visit_defaults(const Arguments* args) {
  for (Expr* value : args->defaults) visit(value);
  for (Expr* value : args->kw_defaults) visit_optional(value);
}

void Resolver::visit_annotation(const Arg* arg) {
  if (arg && arg->annotation) visit_element(arg->annotation);
}

void Resolver::visit_annotations(const Arguments* args) {
  for (const Arg* arg : args->posonlyargs) visit_annotation(arg);
  for (const Arg* arg : args->args) visit_annotation(arg);
  visit_annotation(args->vararg);
  for (const Arg* arg : args->kwonlyargs) visit_annotation(arg);
  visit_annotation(args->kwarg);
}

void Resolver::add_parameter(Arg* arg) {
  check_assignable(arg->arg, arg->span);
  arg->arg = mangle(arg->arg);
  Symbol* found = symbol(arg->arg);
  if (found->parameter) {
    fail("duplicate argument '" + std::string(arg->arg) + "' in function definition", arg->span);
  }
  found->parameter = true;
  context_.block->parameters.push_back(found);
  table_.add_use(arg->binding, found);
}

void Resolver::add_parameters(const Arguments* args) {
  for (Arg* arg : args->posonlyargs) add_parameter(arg);
  for (Arg* arg : args->args) add_parameter(arg);
  for (Arg* arg : args->kwonlyargs) add_parameter(arg);
  if (args->vararg) add_parameter(args->vararg);
  if (args->kwarg) add_parameter(args->kwarg);
}

// What is global has a name of its own, which begins those of what is in it.
static void rename(Block& block, std::string_view name) {
  block.qualified_name = name;
  block.scope->qualified_name = name;
}

void Resolver::visit_function(FunctionDef* function) {
  for (Expr* decorator : function->decorator_list) visit(decorator);
  visit_defaults(function->args);
  visit_annotations(function->args);
  visit_optional(function->returns);
  assign(function->name, function->binding, function->name_span);
  Inside inside(*this);
  bool global = symbol(function->name)->global;
  Block* block = enter_block(BlockType::kFunction, function->name);
  if (global) rename(*block, function->name);
  function->scope = block->scope;
  add_parameters(function->args);
  visit_body(function->body);
}

void Resolver::visit_lambda(Lambda* lambda) {
  visit_defaults(lambda->args);
  Inside inside(*this);
  lambda->scope = enter_block(BlockType::kLambda, "<lambda>")->scope;
  add_parameters(lambda->args);
  visit(lambda->body);
}

void Resolver::visit_class(ClassDef* definition) {
  for (Expr* decorator : definition->decorator_list) visit(decorator);
  visit_elements(definition->bases);
  visit_keywords(definition->keywords);
  assign(definition->name, definition->binding, definition->name_span);
  Inside inside(*this);
  bool global = symbol(definition->name)->global;
  Block* block = enter_block(BlockType::kClass, definition->name);
  if (global) rename(*block, definition->name);
  definition->scope = block->scope;
  context_.class_name = definition->name;
  visit_body(definition->body);
}

void Resolver::visit_iterable(Expr* iterable) {
  ++context_.iterables;
  visit(iterable);
  --context_.iterables;
}

// Marks the names of a `for` target, so that `:=` cannot assign to them.
void Resolver::mark_iteration(Expr* target) {
  switch (target->kind) {
    case Kind::kName: {
      Symbol* found = symbol(node_as<Name>(target)->id);
      if (found->named) {
        fail("comprehension inner loop cannot rebind assignment expression target '" +
                 std::string(found->name) + "'",
             target->span);
      }
      found->iteration = true;
      return;
    }
    case Kind::kTuple:
      for (Expr* element : node_as<Tuple>(target)->elts) mark_iteration(element);
      return;
    case Kind::kList:
      for (Expr* element : node_as<List>(target)->elts) mark_iteration(element);
      return;
    case Kind::kStarred:
      return mark_iteration(node_as<Starred>(target)->value);
    default:
      return;
  }
}

// The clauses of a comprehension but for the first iterable, which belongs to the block around.
void Resolver::visit_clauses(Sequence<Comprehension*> clauses) {
  for (Comprehension* clause : clauses) {
    if (clause != clauses.front()) visit_iterable(clause->iter);
    mark_iteration(clause->target);
    visit_target(clause->target);
    for (Expr* condition : clause->ifs) visit(condition);
  }
}

template <class T>
void Resolver::visit_comprehension(T* comprehension, const char* what) {
  visit_iterable(comprehension->generators.front()->iter);
  Inside inside(*this);
  Block* block = enter_block(BlockType::kComprehension, block_name(comprehension->kind));
  block->slots = &comprehension->slots;
  context_.comprehension = what;
  visit_clauses(comprehension->generators);
  SequenceBuilder<Expr*, 2> results;
  collect_result(comprehension, results);
  for (size_t i = 0; i < results.size(); ++i) visit(results[i]);
}

template void Resolver::visit_comprehension(ListComp*, const char*);
template void Resolver::visit_comprehension(SetComp*, const char*);
template void Resolver::visit_comprehension(DictComp*, const char*);

void Resolver::visit_generator(GeneratorExp* generator) {
  visit_iterable(generator->generators.front()->iter);
  Inside inside(*this);
  Block* block = enter_block(BlockType::kGenerator, "<genexpr>");
  generator->scope = block->scope;
  Symbol* iterator = symbol(tree_.names.intern(".0"));
  iterator->parameter = true;
  block->parameters.push_back(iterator);
  visit_clauses(generator->generators);
  visit(generator->elt);
}

}  // namespace strider::syntax
