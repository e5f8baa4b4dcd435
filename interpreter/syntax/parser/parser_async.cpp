// Asynchronous functions and `except*`, written as generators and plain statements over helpers
// whose names begin with a dot (found by the builtins, in stdlib/_asynchronous.npx and
// stdlib/_exceptiongroups.npx), so that the tree knows nothing of them. Two of the names tell the
// evaluator more: the last decorator, what calls give; and `.awaited`, what an `await` iterates.
#include "interpreter/syntax/parser/parser_state.h"

namespace strider::syntax {
namespace {

const Stmt* find_leaving(Body body, bool in_loop);

// The first statement in any of some bodies that leaves them.
const Stmt* find_leaving_in(std::initializer_list<Body> bodies, bool in_loop) {
  for (Body body : bodies)
    if (const Stmt* found = find_leaving(body, in_loop)) return found;
  return nullptr;
}

const Stmt* find_leaving(const Stmt* statement, bool in_loop) {
  switch (statement->kind) {
    case Kind::kReturn:
      return statement;
    case Kind::kBreak:
    case Kind::kContinue:
      return in_loop ? nullptr : statement;
    case Kind::kIf:
      return find_leaving_in({node_as<If>(statement)->body, node_as<If>(statement)->orelse},
                             in_loop);
    case Kind::kWith:
      return find_leaving(node_as<With>(statement)->body, in_loop);
    case Kind::kFor:
      if (const Stmt* found = find_leaving(node_as<For>(statement)->body, true)) return found;
      return find_leaving(node_as<For>(statement)->orelse, in_loop);
    case Kind::kWhile:
      if (const Stmt* found = find_leaving(node_as<While>(statement)->body, true)) return found;
      return find_leaving(node_as<While>(statement)->orelse, in_loop);
    case Kind::kTry: {
      auto* attempt = node_as<Try>(statement);
      for (const ExceptHandler* handler : attempt->handlers)
        if (const Stmt* found = find_leaving(handler->body, in_loop)) return found;
      return find_leaving_in({attempt->body, attempt->orelse, attempt->finalbody}, in_loop);
    }
    case Kind::kMatch:
      for (const MatchCase* each : node_as<Match>(statement)->cases)
        if (const Stmt* found = find_leaving(each->body, in_loop)) return found;
      return nullptr;
    default:
      return nullptr;
  }
}

// The first statement that leaves a block before its end: return, or break and continue of a loop
// around it; null if there is none.
const Stmt* find_leaving(Body body, bool in_loop) {
  for (const Stmt* statement : body)
    if (const Stmt* found = find_leaving(statement, in_loop)) return found;
  return nullptr;
}

}  // namespace

// A node that no program can write. It suspends only if a part of it does, wherever it is said to
// stand.
template <class T>
T* Parser::make_hidden(uint32_t start) {
  auto* node = make<T>(start);
  node->has_walrus_or_yield = false;
  return node;
}

Name* Parser::hidden_name(std::string_view text, ExprContext context) {
  auto* name = make_hidden<Name>(begin());
  name->id = tree_.names.intern_copy(text, tree_.arena);
  name->ctx = context;
  return name;
}

Name* Parser::hidden_variable() {
  return hidden_name(".v" + std::to_string(++hidden_count_), ExprContext::kStore);
}

Name* Parser::read(const Name* variable) { return hidden_name(variable->id, ExprContext::kLoad); }

Expr* Parser::call_hidden(uint32_t start, std::string_view helper,
                          std::initializer_list<Expr*> arguments) {
  ExprBuilder args;
  auto* call = make_hidden<Call>(start);
  for (Expr* argument : arguments) {
    args.push(argument);
    call->has_walrus_or_yield |= argument->has_walrus_or_yield;
  }
  call->func = hidden_name(helper, ExprContext::kLoad);
  call->args = finish(args);
  return call;
}

Expr* Parser::suspended(uint32_t start, Expr* iterated) {
  note_effect();
  ++waits_;
  auto* node = make<YieldFrom>(start);
  node->value = iterated;
  node->awaits = true;
  return node;
}

Stmt* Parser::hidden_assignment(uint32_t start, Expr* target, Expr* value) {
  auto* assign = make<Assign>(start);
  assign->targets = tree_.arena.copy(&target, 1);
  assign->value = value;
  return assign;
}

Stmt* Parser::expression_statement(uint32_t start, Expr* value) {
  auto* statement = make<ExprStmt>(start);
  statement->value = value;
  return statement;
}

Body Parser::joined(std::initializer_list<Stmt*> first, Body rest) {
  SequenceBuilder<Stmt*> statements;
  for (Stmt* statement : first) statements.push(statement);
  for (Stmt* statement : rest) statements.push(statement);
  return finish(statements);
}

// Several statements as one.
Stmt* Parser::group(uint32_t start, Body statements, bool runs) {
  auto* test = make_hidden<Constant>(start);
  test->value.type = runs ? ConstantType::kTrue : ConstantType::kFalse;
  auto* statement = make<If>(start);
  statement->test = test;
  statement->body = statements;
  return statement;
}

void Parser::require_async(const char* what, Span span) {
  if (!in_async_) fail(std::string(what) + " outside async function", span);
}

Expr* Parser::parse_await() {
  uint32_t start = begin();
  Nesting nesting(*this);
  advance();
  Expr* value = parse_primary();
  if (!in_function_) fail("'await' outside function", from(start));
  require_async("'await'", from(start));
  return suspended(start, call_hidden(start, ".awaited", {value}));
}

Stmt* Parser::parse_async(Sequence<Expr*> decorators) {
  uint32_t start = begin();
  advance();
  if (at(TokenKind::kDef)) return parse_async_function(start, decorators);
  if (!decorators.empty()) fail_invalid_syntax();
  if (at(TokenKind::kFor)) {
    require_async("'async for'", {start, token().span.end});
    return finish_async_for(start, node_as<For>(parse_for()));
  }
  if (!at(TokenKind::kWith)) fail_invalid_syntax();
  require_async("'async with'", {start, token().span.end});
  auto* with = node_as<With>(parse_with());
  return finish_async_with(start, with->items, 0, with->body);
}

// A generator under a decorator by whose name its calls are coroutines or asynchronous generators.
Stmt* Parser::parse_async_function(uint32_t start, Sequence<Expr*> decorators) {
  bool outer_yields = std::exchange(yields_, false);
  auto* function = node_as<FunctionDef>(parse_function({}, true));
  const char* decorator = yields_ ? ".asyncgenerator" : ".coroutine";
  yields_ = outer_yields;
  ExprBuilder all;
  for (Expr* each : decorators) all.push(each);
  all.push(hidden_name(decorator, ExprContext::kLoad));
  function->decorator_list = finish(all);
  note_effect();
  auto* yield = make<Yield>(start);
  yield->value = nullptr;
  Stmt* statement = expression_statement(start, yield);
  SequenceBuilder<Stmt*> body;
  for (Stmt* each : function->body) body.push(each);
  body.push(group(start, tree_.arena.copy(&statement, 1), false));
  function->body = finish(body);
  function->span.begin = start;
  return function;
}

// while (yield from .step(iteration)): target = iteration.value; …
// iteration = None: what was iterated goes when the loop ends.
Stmt* Parser::finish_async_for(uint32_t start, For* loop) {
  Name* iteration = hidden_variable();
  auto* value = make_hidden<Attribute>(start);
  value->value = read(iteration);
  value->attr = tree_.names.intern("value");
  Stmt* store = hidden_assignment(start, loop->target, value);
  auto* steps = make<While>(start);
  steps->test = suspended(start, call_hidden(start, ".step", {read(iteration)}));
  steps->body = joined({store}, loop->body);
  steps->orelse = loop->orelse;
  Stmt* begin_iteration =
      hidden_assignment(start, iteration, call_hidden(start, ".iteration", {loop->iter}));
  Stmt* forget =
      hidden_assignment(start, hidden_name(iteration->id, ExprContext::kStore), make_none(start));
  return group(start, joined({begin_iteration, steps, forget}, {}), true);
}

// try: … except BaseException as e: if not (yield from .leave(entered, e)): raise
// finally: yield from .finish(entered)
Stmt* Parser::finish_async_with(uint32_t start, Sequence<WithItem*> items, size_t first,
                                Body body) {
  WithItem* item = items[first];
  if (first + 1 < items.size()) {
    Stmt* inner = finish_async_with(start, items, first + 1, body);
    body = tree_.arena.copy(&inner, 1);
  }
  Name* entered = hidden_variable();
  Stmt* prepare =
      hidden_assignment(start, entered, call_hidden(start, ".entered", {item->context_expr}));
  Expr* value = suspended(start, call_hidden(start, ".enter", {read(entered)}));
  Stmt* enter = item->optional_vars ? hidden_assignment(start, item->optional_vars, value)
                                    : expression_statement(start, value);
  Name* caught = hidden_variable();
  auto* unless = make<UnaryOp>(start);
  unless->op = UnaryOperator::kNot;
  unless->operand = suspended(start, call_hidden(start, ".leave", {read(entered), read(caught)}));
  auto* again = make<If>(start);
  again->test = unless;
  Stmt* raise = make_raise(start);
  again->body = tree_.arena.copy(&raise, 1);
  Stmt* finish_with =
      expression_statement(start, suspended(start, call_hidden(start, ".finish", {read(entered)})));
  Stmt* checks = again;
  auto* statement = make<Try>(start);
  statement->body = body;
  statement->handlers = catch_everything(start, caught, tree_.arena.copy(&checks, 1));
  statement->finalbody = tree_.arena.copy(&finish_with, 1);
  return group(start, joined({prepare, enter, statement}, {}), true);
}

Stmt* Parser::make_raise(uint32_t start) {
  auto* raise = make<Raise>(start);
  raise->exc = raise->cause = nullptr;
  return raise;
}

Sequence<ExceptHandler*> Parser::catch_everything(uint32_t start, const Name* caught, Body body) {
  auto* handler = make<ExceptHandler>(start);
  handler->type = hidden_name("BaseException", ExprContext::kLoad);
  handler->name = caught->id;
  handler->body = body;
  return tree_.arena.copy(&handler, 1);
}

// One handler takes everything; each `except* T as name` is `if group.takes(T): name = group.taken;
// …`, whose errors are collected, and at the end what nobody took is raised.
Sequence<ExceptHandler*> Parser::finish_star_handlers(
    uint32_t start, const SequenceBuilder<ExceptHandler*, 4>& handlers) {
  Name* caught = hidden_variable();
  Name* parts = hidden_variable();
  SequenceBuilder<Stmt*> body;
  body.push(hidden_assignment(start, parts, call_hidden(start, ".parts", {read(caught)})));
  for (ExceptHandler* each : finish(handlers)) {
    if (const Stmt* leaving = find_leaving(each->body, false))
      fail("'break', 'continue' and 'return' cannot appear in an except* block", leaving->span);
    uint32_t at = each->span.begin;
    SequenceBuilder<Stmt*> steps;
    if (!each->name.empty())
      steps.push(hidden_assignment(at, hidden_name(each->name, ExprContext::kStore),
                                   call_hidden(at, ".taken", {read(parts)})));
    Name* failure = hidden_variable();
    Stmt* keep = expression_statement(at, call_hidden(at, ".failed", {read(parts), read(failure)}));
    auto* attempt = make<Try>(at);
    attempt->body = each->body;
    attempt->handlers = catch_everything(at, failure, tree_.arena.copy(&keep, 1));
    steps.push(attempt);
    if (!each->name.empty()) push_removal(steps, at, each->name);
    auto* taken = make<If>(at);
    taken->test = call_hidden(at, ".takes", {read(parts), each->type});
    taken->body = finish(steps);
    body.push(taken);
  }
  body.push(expression_statement(start, call_hidden(start, ".rest", {read(parts)})));
  return catch_everything(start, caught, finish(body));
}

// `name = None; del name`: the body may have deleted it.
void Parser::push_removal(SequenceBuilder<Stmt*>& steps, uint32_t start, std::string_view name) {
  steps.push(hidden_assignment(start, hidden_name(name, ExprContext::kStore), make_none(start)));
  auto* removal = make<Delete>(start);
  Expr* target = hidden_name(name, ExprContext::kDel);
  removal->targets = tree_.arena.copy(&target, 1);
  steps.push(removal);
}

Expr* Parser::make_none(uint32_t start) {
  auto* none = make_hidden<Constant>(start);
  none->value.type = ConstantType::kNone;
  return none;
}

}  // namespace strider::syntax
