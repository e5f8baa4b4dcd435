// Shapes of expressions.
#include <doctest/doctest.h>

#include "syntax_support.h"

using namespace strider::syntax::test;

namespace {

// The dump without the contexts, which most of these tests do not look at.
std::string shape(const std::string& text) {
  std::string dumped = expression(text);
  for (const std::string noise : {", ctx=Load()", "value=", "id="}) {
    for (size_t at; (at = dumped.find(noise)) != std::string::npos;) dumped.erase(at, noise.size());
  }
  return dumped;
}

}  // namespace

TEST_CASE("operators bind by precedence and associate") {
  CHECK(shape("a + b * c") ==
        "BinOp(left=Name('a'), op=Add(), right=BinOp(left=Name('b'), op=Mult(), "
        "right=Name('c')))");
  CHECK(shape("a - b - c") ==
        "BinOp(left=BinOp(left=Name('a'), op=Sub(), right=Name('b')), op=Sub(), "
        "right=Name('c'))");
  CHECK(shape("a ** b ** c") ==
        "BinOp(left=Name('a'), op=Pow(), right=BinOp(left=Name('b'), op=Pow(), "
        "right=Name('c')))");
  CHECK(shape("-a ** -b") ==
        "UnaryOp(op=USub(), operand=BinOp(left=Name('a'), op=Pow(), right=UnaryOp(op=USub(), "
        "operand=Name('b'))))");
}

TEST_CASE("comparisons chain") {
  CHECK(shape("a < b is not c not in d") ==
        "Compare(left=Name('a'), ops=[Lt(), IsNot(), NotIn()], comparators=[Name('b'), Name('c'), "
        "Name('d')])");
  CHECK(shape("not a == b") ==
        "UnaryOp(op=Not(), operand=Compare(left=Name('a'), ops=[Eq()], comparators=[Name('b')]))");
}

TEST_CASE("and, or and conditions") {
  CHECK(shape("a or b and c or d") ==
        "BoolOp(op=Or(), values=[Name('a'), BoolOp(op=And(), values=[Name('b'), Name('c')]), "
        "Name('d')])");
  CHECK(shape("a if b else c if d else e") ==
        "IfExp(test=Name('b'), body=Name('a'), orelse=IfExp(test=Name('d'), body=Name('c'), "
        "orelse=Name('e')))");
}

TEST_CASE("displays and their stars") {
  CHECK(shape("()") == "Tuple(elts=[])");
  CHECK(shape("(a,)") == "Tuple(elts=[Name('a')])");
  CHECK(shape("[*a, b]") == "List(elts=[Starred(Name('a')), Name('b')])");
  CHECK(shape("{a, b}") == "Set(elts=[Name('a'), Name('b')])");
  CHECK(shape("{a: b, **c}") == "Dict(keys=[Name('a'), None], values=[Name('b'), Name('c')])");
  CHECK(shape("{}") == "Dict(keys=[], values=[])");
}

TEST_CASE("comprehensions") {
  CHECK(expression("[x for x in a if b for y in c]") ==
        "ListComp(elt=Name(id='x', ctx=Load()), generators=[comprehension(target=Name(id='x', "
        "ctx=Store()), iter=Name(id='a', ctx=Load()), ifs=[Name(id='b', ctx=Load())]), "
        "comprehension(target=Name(id='y', ctx=Store()), iter=Name(id='c', ctx=Load()), "
        "ifs=[])])");
  CHECK(expression("{k: v for k, v in a}").substr(0, 8) == "DictComp");
  CHECK(expression("{x for x in a}").substr(0, 7) == "SetComp");
  CHECK(expression("f(x for x in a)").find("args=[GeneratorExp") != std::string::npos);
}

TEST_CASE("calls take every kind of argument") {
  CHECK(shape("f(a, *b, c=d, **e)") ==
        "Call(func=Name('f'), args=[Name('a'), Starred(Name('b'))], keywords=[keyword(arg='c', "
        "Name('d')), keyword(arg=None, Name('e'))])");
}

TEST_CASE("subscripts slice in several dimensions") {
  CHECK(shape("a[1:, ::2, ...]") ==
        "Subscript(Name('a'), slice=Tuple(elts=[Slice(lower=Constant(Int(1)), upper=None, "
        "step=None), Slice(lower=None, upper=None, step=Constant(Int(2))), Constant(Ellipsis)]))");
}

TEST_CASE("lambdas take every kind of parameter") {
  CHECK(shape("lambda a, /, b=1, *, c, **d: a") ==
        "Lambda(args=arguments(posonlyargs=[arg(arg='a', annotation=None)], args=[arg(arg='b', "
        "annotation=None)], vararg=None, kwonlyargs=[arg(arg='c', annotation=None)], "
        "kw_defaults=[None], kwarg=arg(arg='d', annotation=None), defaults=[Constant(Int(1))]), "
        "body=Name('a'))");
}

TEST_CASE("expressions know whether they hold a walrus or a yield") {
  auto tree = parse_text("x + (y := 1)\nx + y\n(lambda: (yield))\nz", strider::syntax::Mode::kFile);
  auto flag = [&](size_t line) {
    auto* statement = strider::syntax::node_as<strider::syntax::ExprStmt>(tree.module->body[line]);
    return statement->value->has_walrus_or_yield;
  };
  CHECK(flag(0));
  CHECK_FALSE(flag(1));
  CHECK(flag(2));
  CHECK_FALSE(flag(3));
}
