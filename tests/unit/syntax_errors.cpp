// Messages and places of syntax errors: those of Python 3.11.
#include <doctest/doctest.h>

#include "syntax_support.h"

using namespace strider::syntax::test;

namespace {

struct Broken {
  const char* text;
  const char* message;
};

void check_all(std::initializer_list<Broken> cases) {
  for (const Broken& broken : cases) {
    CAPTURE(broken.text);
    CHECK(error(broken.text) == std::string(broken.message));
  }
}

}  // namespace

TEST_CASE("brackets") {
  check_all({
      {"x = (1,\ny = 2\n", "SyntaxError 1:5 '(' was never closed"},
      {"x = 1)\n", "SyntaxError 1:6 unmatched ')'"},
      {"x = (1]\n",
       "SyntaxError 1:7 closing parenthesis ']' does not match opening parenthesis '('"},
      {"x = [1 2]\n", "SyntaxError 1:6 invalid syntax. Perhaps you forgot a comma?"},
      {"f(a b)\n", "SyntaxError 1:3 invalid syntax. Perhaps you forgot a comma?"},
  });
}

TEST_CASE("blocks") {
  check_all({
      {"if x\n  y\n", "SyntaxError 1:5 expected ':'"},
      {"if x:\ny\n",
       "IndentationError 2:1 expected an indented block after 'if' statement on line 1"},
      {"def f():\n",
       "IndentationError 1:10 expected an indented block after function definition "
       "on line 1"},
      {"x\n  y\n", "IndentationError 2:2 unexpected indent"},
      {"if x:\n    y\n  z\n",
       "IndentationError 3:4 unindent does not match any outer indentation level"},
      {"if x:\n        y\n\tz\n",
       "TabError 3:1 inconsistent use of tabs and spaces in indentation"},
      {"class C\n  x\n", "SyntaxError 1:8 expected ':'"},
      {"def f:\n  x\n", "SyntaxError 1:6 expected '('"},
      {"try:\n  x\ny\n", "SyntaxError 3:1 expected 'except' or 'finally' block"},
  });
}

TEST_CASE("targets") {
  check_all({
      {"1 = x\n",
       "SyntaxError 1:1 cannot assign to literal here. Maybe you meant '==' instead of "
       "'='?"},
      {"f() = 1\n",
       "SyntaxError 1:1 cannot assign to function call here. Maybe you meant '==' "
       "instead of '='?"},
      {"None = 1\n", "SyntaxError 1:1 cannot assign to None"},
      {"(a, 1) = x\n", "SyntaxError 1:5 cannot assign to literal"},
      {"if x = 3: pass\n",
       "SyntaxError 1:4 invalid syntax. Maybe you meant '==' or ':=' instead of '='?"},
      {"f() += 1\n",
       "SyntaxError 1:1 'function call' is an illegal expression for augmented assignment"},
      {"del f()\n", "SyntaxError 1:5 cannot delete function call"},
      {"for 1 in x: pass\n", "SyntaxError 1:5 cannot assign to literal"},
      {"(a, b): int\n", "SyntaxError 1:1 only single target (not tuple) can be annotated"},
      {"*a = x\n", "SyntaxError 1:1 starred assignment target must be in a list or tuple"},
      {"(x.y := 1)\n", "SyntaxError 1:2 cannot use assignment expressions with attribute"},
      {"x = *a\n", "SyntaxError 1:5 can't use starred expression here"},
  });
}

TEST_CASE("calls and parameters") {
  check_all({
      {"f(a=1, 2)\n", "SyntaxError 1:9 positional argument follows keyword argument"},
      {"f(**a, b)\n", "SyntaxError 1:9 positional argument follows keyword argument unpacking"},
      {"f(x for x in y, 1)\n", "SyntaxError 1:3 Generator expression must be parenthesized"},
      {"f(a.b=1)\n",
       "SyntaxError 1:3 expression cannot contain assignment, perhaps you meant "
       "\"==\"?"},
      {"f(a=1, a=2)\n", "SyntaxError 1:8 keyword argument repeated: a"},
      {"def f(a=1, b): pass\n", "SyntaxError 1:12 non-default argument follows default argument"},
      {"def f(*): pass\n", "SyntaxError 1:7 named arguments must follow bare *"},
      {"def f(a, a): pass\n", "SyntaxError 1:10 duplicate argument 'a' in function definition"},
  });
}

TEST_CASE("words of other days and places") {
  check_all({
      {"print x\n",
       "SyntaxError 1:1 Missing parentheses in call to 'print'. Did you mean print(...)?"},
      {"x = await y\n", "SyntaxError 1:5 'await' outside function"},
      {"def f(): await y\n", "SyntaxError 1:10 'await' outside async function"},
      {"try: pass\nexcept* E: pass\nexcept F: pass\n",
       "SyntaxError 3:1 cannot have both 'except' and 'except*' on the same 'try'"},
      {"x = a ? b\n", "SyntaxError 1:7 invalid syntax"},
      {"x = “a”\n", "SyntaxError 1:5 invalid character '“' (U+201C)"},
      {"x =\xC2\xA0"
       "1\n",
       "SyntaxError 1:4 invalid non-printable character U+00A0"},
      {"x = a if b\n", "SyntaxError 1:5 expected 'else' after 'if' expression"},
  });
}

TEST_CASE("names and flow") {
  check_all({
      {"return 1\n", "SyntaxError 1:1 'return' outside function"},
      {"break\n", "SyntaxError 1:1 'break' outside loop"},
      {"while 1:\n  def f():\n    continue\n", "SyntaxError 3:5 'continue' not properly in loop"},
      {"yield 1\n", "SyntaxError 1:1 'yield' outside function"},
      {"def f(): return [(yield) for x in y]\n",
       "SyntaxError 1:19 'yield' inside list comprehension"},
      {"nonlocal x\n", "SyntaxError 1:1 nonlocal declaration not allowed at module level"},
      {"def f():\n  x = 1\n  global x\n",
       "SyntaxError 3:3 name 'x' is assigned to before global declaration"},
      {"def f():\n  print(x)\n  global x\n",
       "SyntaxError 3:3 name 'x' is used prior to global declaration"},
      {"def f(x):\n  global x\n", "SyntaxError 2:3 name 'x' is parameter and global"},
      {"def f():\n  nonlocal x\n", "SyntaxError 2:3 no binding for nonlocal 'x' found"},
      {"[x := 1 for x in y]\n",
       "SyntaxError 1:2 assignment expression cannot rebind comprehension "
       "iteration variable 'x'"},
      {"try: pass\nexcept: pass\nexcept E: pass\n",
       "SyntaxError 2:1 default 'except:' must be "
       "last"},
      {"def f():\n  from a import *\n", "SyntaxError 2:3 import * only allowed at module level"},
  });
}

TEST_CASE("patterns") {
  check_all({
      {"match x:\n case a: pass\n case b: pass\n",
       "SyntaxError 2:7 name capture 'a' makes remaining patterns unreachable"},
      {"match x:\n case [a, a]: pass\n",
       "SyntaxError 2:11 multiple assignments to name 'a' in "
       "pattern"},
      {"match x:\n case [1, a] | 2: pass\n",
       "SyntaxError 2:7 alternative patterns bind different "
       "names"},
      {"match x:\n case A(b=1, 2): pass\n",
       "SyntaxError 2:14 positional patterns follow keyword patterns"},
  });
}

TEST_CASE("bytes that are no text") {
  CHECK(error("x = 1 # \xff\n") ==
        "SyntaxError 1:9 Non-UTF-8 code starting with '\\xff' in file test.npx on line 1, but no "
        "encoding declared; see https://peps.python.org/pep-0263/ for details");
  CHECK(error(std::string("x = \0 1", 7)) ==
        "SyntaxError 1:5 source code cannot contain null bytes");
}
