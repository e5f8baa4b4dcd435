// Shapes of statements.
#include <doctest/doctest.h>

#include "syntax_support.h"

using namespace strider::syntax;
using namespace strider::syntax::test;

namespace {

template <class T>
const T* first_as(const Tree& tree) {
  return node_as<T>(tree.module->body[0]);
}

}  // namespace

TEST_CASE("assignments of all kinds") {
  CHECK(statement("a = b, c = d") ==
        "Assign(targets=[Name(id='a', ctx=Store()), Tuple(elts=[Name(id='b', ctx=Store()), "
        "Name(id='c', ctx=Store())], ctx=Store())], value=Name(id='d', ctx=Load()))");
  CHECK(statement("a[0] @= b") ==
        "AugAssign(target=Subscript(value=Name(id='a', ctx=Load()), slice=Constant(value=Int(0)), "
        "ctx=Store()), op=MatMult(), value=Name(id='b', ctx=Load()))");
  CHECK(statement("a: int = 1").find("simple=1") != std::string::npos);
  CHECK(statement("(a): int").find("simple=0") != std::string::npos);
}

TEST_CASE("statements may share a line") {
  Tree tree = parse_text("a = 1; b = 2;\nif x: y; z\n");
  REQUIRE(tree.module->body.size() == 3);
  CHECK(node_as<If>(tree.module->body[2])->body.size() == 2);
}

TEST_CASE("elif nests in orelse") {
  Tree tree = parse_text("if a:\n  b\nelif c:\n  d\nelse:\n  e\n");
  const If* outer = first_as<If>(tree);
  REQUIRE(outer->orelse.size() == 1);
  const If* inner = node_as<If>(outer->orelse[0]);
  CHECK(inner->orelse.size() == 1);
  CHECK(tree.source->text(inner->span).substr(0, 4) == "elif");
}

TEST_CASE("imports") {
  CHECK(statement("import a.b as c, d") ==
        "Import(names=[alias(name='a.b', asname='c'), alias(name='d', asname=None)])");
  CHECK(statement("from ... import (a as b, c,)") ==
        "ImportFrom(module=None, names=[alias(name='a', asname='b'), alias(name='c', "
        "asname=None)], level=3)");
}

TEST_CASE("with items may stand in parentheses") {
  CHECK(first_as<With>(parse_text("with (a as b, c): pass"))->items.size() == 2);
  CHECK(first_as<With>(parse_text("with (a, b) as c: pass"))->items.size() == 1);
  CHECK(first_as<With>(parse_text("with (a), b: pass"))->items.size() == 2);
  CHECK(first_as<With>(parse_text("with (yield a): pass"))->items.size() == 1);
}

TEST_CASE("try holds handlers, else and finally") {
  Tree tree = parse_text("try:\n a\nexcept A as e:\n b\nexcept:\n c\nelse:\n d\nfinally:\n e\n");
  const Try* statement = first_as<Try>(tree);
  CHECK(statement->handlers.size() == 2);
  CHECK(statement->handlers[0]->name == "e");
  CHECK(statement->orelse.size() == 1);
  CHECK(statement->finalbody.size() == 1);
}

TEST_CASE("functions keep decorators, annotations and docstrings") {
  Tree tree = parse_text("@d\ndef f(a: int, *b: str, c=1) -> float:\n  'doc'\n  return a\n");
  const FunctionDef* function = first_as<FunctionDef>(tree);
  CHECK(function->decorator_list.size() == 1);
  CHECK(function->args->args[0]->annotation != nullptr);
  CHECK(function->returns != nullptr);
  const auto* doc = node_as<ExprStmt>(function->body[0]);
  CHECK(node_as<Constant>(doc->value)->value.text == "doc");
}

TEST_CASE("match is a statement only before a block of cases") {
  CHECK(first_as<Match>(parse_text("match x, y:\n case [a, *b] | {'k': 1, **c}: pass\n")));
  CHECK(first_as<ExprStmt>(parse_text("match(x)\n")));
  CHECK(first_as<Assign>(parse_text("match = 1\n")));
  CHECK(first_as<AnnAssign>(parse_text("match: int = 1\n")));
}

TEST_CASE("patterns of all kinds") {
  CHECK(statement("match x:\n case A.b(1, c=_) as d if e: pass") ==
        "Match(subject=Name(id='x', ctx=Load()), cases=[match_case(pattern=MatchAs(pattern="
        "MatchClass(cls=Attribute(value=Name(id='A', ctx=Load()), attr='b', ctx=Load()), "
        "patterns=[MatchValue(value=Constant(value=Int(1)))], kwd_attrs=['c'], "
        "kwd_patterns=[MatchAs(pattern=None, name=None)]), name='d'), guard=Name(id='e', "
        "ctx=Load()), body=[Pass()])])");
}

TEST_CASE("odd line ends, form feeds and a byte order mark are fine") {
  CHECK(parse_text("\xEF\xBB\xBFx = 1\r\ny = 2\rz = 3").module->body.size() == 3);
  CHECK(parse_text("x\n\f\ny\n").module->body.size() == 2);
  CHECK(parse_text("if x:\n\ty\n\n  # comment\n\tz\n").module->body.size() == 1);
  CHECK(parse_text("x = 1 + \\\n  2\n").module->body.size() == 1);
}

TEST_CASE("one interactive statement") {
  CHECK(parse_text("a; b\n", Mode::kSingle).module->body.size() == 2);
  CHECK(error("a\nb\n", Mode::kSingle) ==
        "SyntaxError 2:1 multiple statements found while compiling a single statement");
}

TEST_CASE("an expression does not start with blanks, which eval takes away") {
  CHECK_THROWS_WITH_AS(expression("  \tx"), "unexpected indent", SyntaxError);
  CHECK_THROWS_WITH_AS(expression("\n x"), "unexpected indent", SyntaxError);
  CHECK(expression("(\n x)") == "Name(id='x', ctx=Load())");
  CHECK(error("x = 1", Mode::kEval) == "SyntaxError 1:3 invalid syntax");
}
