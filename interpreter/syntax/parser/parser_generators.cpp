// Generator expressions. One that waits inside is written as a call of a helper of
// stdlib/_asynchronous.npx, which is given the outermost iterable and a function that makes a list
// of what one of its items leads to.
#include "interpreter/syntax/parser/parser_state.h"

namespace strider::syntax {

// Reads the clauses behind an element. `waits_before`: waits_ before the element was read.
Expr* Parser::parse_generator(uint32_t start, Expr* element, int waits_before) {
  int waits_of_element = waits_ - waits_before;
  uint32_t clause_start = begin();
  bool is_async = take(TokenKind::kAsync);
  Expr* target = parse_clause_target();
  int before = waits_;
  Expr* iter = parse_disjunction();
  int outside = waits_ - before;  // the outermost iterable is found by the frame around
  bool was_async = std::exchange(in_async_, in_function_ || is_async);
  SequenceBuilder<Comprehension*, 4> clauses;
  clauses.push(make_clause(clause_start, target, iter));
  while (at_comprehension()) clauses.push(parse_comprehension_clause());
  in_async_ = was_async;
  bool waits = waits_of_element > 0 || waits_ > before + outside;
  waits_ = waits_before + outside;
  auto* generator = make<GeneratorExp>(start);
  generator->elt = element;
  generator->generators = finish(clauses);
  return waits || is_async ? asynchronous_generator(start, is_async, generator) : generator;
}

// .generated(iter, lambda item: [element for target in (item,) …]); .mapped(…) of what is
// iterated without waiting.
Expr* Parser::asynchronous_generator(uint32_t start, bool is_async, GeneratorExp* generator) {
  Comprehension* first = generator->generators[0];
  Expr* iter = first->iter;
  Name* item = hidden_variable();
  Expr* only = read(item);
  auto* items = make<Tuple>(start);
  items->elts = tree_.arena.copy(&only, 1);
  first->iter = items;
  auto* list = make<ListComp>(start);
  list->elt = generator->elt;
  list->generators = generator->generators;
  auto* parameter = make<Arg>(start);
  parameter->arg = item->id;
  parameter->annotation = nullptr;
  auto* parameters = make<Arguments>(start);
  parameters->args = tree_.arena.copy(&parameter, 1);
  auto* function = make<Lambda>(start);
  function->args = parameters;
  function->body = list;
  return call_hidden(start, is_async ? ".generated" : ".mapped", {iter, function});
}

}  // namespace strider::syntax
