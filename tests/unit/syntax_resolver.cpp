// Storage of names and frame layouts.
#include <doctest/doctest.h>

#include "syntax_support.h"

using namespace strider::syntax;
using namespace strider::syntax::test;

namespace {

std::string bindings(const std::string& text) {
  Tree tree = parse_text(text);
  resolve(tree);
  return dump(tree, {.spans = false, .bindings = true});
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("module names are global") {
  CHECK(has(bindings("x = y"), "Name(id='x', ctx=Store(), global)"));
  CHECK(has(bindings("import a.b"), "alias(name='a.b', asname=None, global)"));
}

TEST_CASE("parameters come first, then locals") {
  CHECK(scopes("def f(a, /, b, *c, d, **e):\n  x = a\n") ==
        "module \nfunction f |parameters a b d c e |locals x\n");
  CHECK(has(bindings("def f(a):\n  b = a\n"), "Name(id='b', ctx=Store(), local1)"));
}

TEST_CASE("captured variables are cells, passed down frame by frame") {
  CHECK(scopes("def f(a):\n  b = 1\n  def g():\n    return lambda: (a, b)\n") ==
        "module \n"
        "function f |parameters a |locals g |cells a b\n"
        "function f.<locals>.g |free a<0 b<1\n"
        "lambda f.<locals>.g.<locals>.<lambda> |free a<0 b<1\n");
}

TEST_CASE("captured parameters move from slot to cell") {
  Tree tree = parse_text("def f(a, b):\n  return lambda: b\n");
  resolve(tree);
  const Scope& scope = *tree.scopes[1];
  REQUIRE(scope.parameter_cells.size() == 1);
  CHECK(scope.parameter_cells[0].slot == 1);
  CHECK(scope.parameter_cells[0].cell == 0);
}

TEST_CASE("nonlocal and global reach out") {
  CHECK(has(bindings("def f():\n  x = 1\n  def g():\n    nonlocal x\n    x = 2\n"),
            "Name(id='x', ctx=Store(), free0)"));
  CHECK(has(bindings("def f():\n  global x\n  x = 2\n"), "Name(id='x', ctx=Store(), global)"));
}

TEST_CASE("class names look into the class, then into the captured cell") {
  std::string text = bindings("def f(x):\n  class C:\n    y = x\n    def m(self): return y\n");
  CHECK(has(text, "Name(id='y', ctx=Store(), class)"));
  CHECK(has(text, "Name(id='x', ctx=Load(), class0)"));
  CHECK(has(text, "Name(id='y', ctx=Load(), global)"));
}

TEST_CASE("super captures the class") {
  CHECK(scopes("class C:\n  def m(self):\n    return super().m()\n") ==
        "module \n"
        "class C |cells __class__\n"
        "function C.m |parameters self |free __class__<0 |class-cell 0\n");
}

TEST_CASE("comprehensions live in hidden slots that siblings share") {
  CHECK(scopes("def f(a):\n  b = [x for x in a]\n  return {y for y in b}\n") ==
        "module \nfunction f |parameters a |locals b |hidden x\n");
  CHECK(scopes("[x for x in [[y for y in z] for z in a]]\n") == "module  |hidden z y\n");
  CHECK(scopes("[[x for x in y] for y in a]\n") == "module  |hidden y x\n");
}

TEST_CASE("comprehension variables that a lambda captures are hidden cells") {
  CHECK(scopes("def f(a):\n  return [lambda: x for x in a]\n") ==
        "module \n"
        "function f |parameters a |hidden-cells x\n"
        "lambda f.<locals>.<listcomp>.<locals>.<lambda> |free x<0\n");
}

TEST_CASE("a comprehension in a class does not see the class") {
  std::string text = bindings("class C:\n  a = 1\n  b = [a for _ in a]\n");
  CHECK(has(text, "ListComp(elt=Name(id='a', ctx=Load(), global)"));
  CHECK(has(text, "iter=Name(id='a', ctx=Load(), class)"));
}

TEST_CASE("a comprehension shares the variables of its frame") {
  CHECK(has(bindings("def f(a, b):\n  return [b for x in a]\n"),
            "ListComp(elt=Name(id='b', ctx=Load(), local1)"));
}

TEST_CASE("walrus in a comprehension assigns outside") {
  CHECK(scopes("def f(a):\n  return [y := x for x in a]\n") ==
        "module \nfunction f |parameters a |locals y |hidden x\n");
  CHECK(scopes("def f(a):\n  return list(y := x for x in a)\n") ==
        "module \n"
        "function f |parameters a |cells y\n"
        "generator f.<locals>.<genexpr> |parameters .0 |locals x |free y<0 |generator\n");
}

TEST_CASE("yield makes a generator") {
  CHECK(scopes("def f():\n  yield 1\n") == "module \nfunction f |generator\n");
  CHECK(has(scopes("f = lambda: (yield)\n"), "lambda <lambda> |generator"));
}

TEST_CASE("private names are mangled") {
  Tree tree = parse_text("class _C:\n  __x = 1\n  def f(self): return self.__y, __x__\n");
  resolve(tree);
  auto* definition = node_as<ClassDef>(tree.module->body[0]);
  auto* assign = node_as<Assign>(definition->body[0]);
  CHECK(node_as<Name>(assign->targets[0])->binding.name == "_C__x");
  auto* method = node_as<FunctionDef>(definition->body[1]);
  auto* result = node_as<Tuple>(node_as<Return>(method->body[0])->value);
  CHECK(node_as<Attribute>(result->elts[0])->attr == "_C__y");
  CHECK(node_as<Name>(result->elts[1])->binding.name == "__x__");
}

TEST_CASE("equal names share one address") {
  Tree tree = parse_text("x = x");
  auto* assign = node_as<Assign>(tree.module->body[0]);
  CHECK(node_as<Name>(assign->targets[0])->id.data() == node_as<Name>(assign->value)->id.data());
}
