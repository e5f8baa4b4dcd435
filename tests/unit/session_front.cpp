// What a front sees of a session: values, output, questions, errors, display.
#include "session_support.h"

using namespace strider;
using namespace strider::testing;

TEST_CASE("values of entries go to the front and are kept as _ and Out") {
  FrontedSession s;
  CHECK(s.run("1 + 1") == Calls{"value 1 2"});
  CHECK(s.run("x = 5") == Calls{});
  CHECK(s.run("x, _") == Calls{"value 3 (5, 2)"});
  CHECK(s.run("Out[1] + Out[3][0], In[2]") == Calls{"value 4 (7, 'x = 5')"});
  CHECK(s.run("None") == Calls{});
  CHECK(s.run("__") == Calls{"value 6 (5, 2)"});
  CHECK(s.last.number == 6);
  CHECK(s.session.entry_count() == 6);
}

TEST_CASE("a semicolon silences a value") {
  FrontedSession s;
  CHECK(s.run("7;") == Calls{});
  CHECK(s.run("7; 8") == Calls{"value 2 7", "value 2 8"});
  CHECK(s.run("7 ;  # seven") == Calls{});
  CHECK(s.run("'a;'") == Calls{"value 4 'a;'"});
}

TEST_CASE("a cell shows its last value, a prompt each") {
  FrontedSession s;
  EntryOptions cell;
  cell.last_value = true;
  CHECK(s.run("1\n2\n3", cell) == Calls{"value 1 3"});
  CHECK(s.run("1\n2\nx = 3", cell) == Calls{});
  CHECK(s.run("if True:\n    4", cell) == Calls{});
  CHECK(s.run("for i in range(2):\n    i\n") == Calls{"value 4 0", "value 4 1"});
}

TEST_CASE("a silent entry shows nothing, counts nothing, changes what it says") {
  FrontedSession s;
  EntryOptions silent;
  silent.silent = true;
  CHECK(s.run("y = 3\ny", silent) == Calls{});
  CHECK(s.session.entry_count() == 0);
  CHECK(s.session.history().tail(10).empty());
  CHECK(s.run("y") == Calls{"value 1 3"});
}

TEST_CASE("printed text comes in order with values and errors tell their parts") {
  FrontedSession s;
  CHECK(s.run("print('a')\n1") == Calls{"out a\n", "value 1 1"});
  CHECK(s.run("import sys; print('e', file=sys.stderr)") == Calls{"err e\n"});
  CHECK(s.run("{}['k']") == Calls{});
  CHECK(s.last.status == Outcome::Status::kError);
  CHECK(s.last.kind == "KeyError");
  CHECK(s.last.message == "'k'");
  CHECK(s.last.traceback.find("<input-3>") != std::string::npos);
  CHECK(s.run("1 +") == Calls{});
  CHECK(s.last.kind == "SyntaxError");
  CHECK(s.run("2") == Calls{"value 5 2"});
}

TEST_CASE("input asks the front") {
  FrontedSession s;
  s.front.answers = {"Ada", "secret"};
  CHECK(s.run("name = input('Name? ')\nname") == Calls{"ask Name? ", "value 1 'Ada'"});
  CHECK(s.run("import _front; _front.ask_hidden('Password: ')") ==
        Calls{"ask hidden Password: ", "value 2 'secret'"});
  CHECK(s.run("input()") == Calls{"ask "});
  CHECK(s.last.kind == "EOFError");
}

TEST_CASE("display, update and clear reach the front") {
  FrontedSession s;
  s.run("from IPython.display import display, clear_output, HTML");
  CHECK(s.run("h = display(1, display_id='one'); h.update(2)\n"
              "clear_output(); clear_output(True)") ==
        Calls{"display one 1", "update one 2", "clear", "clear later"});
  s.run("display(HTML('<b>x</b>'))");
  REQUIRE(s.front.shown.find("text/html"));
  CHECK(*s.front.shown.find("text/html") == "<b>x</b>");
  s.run("import numpy as np; display(np.ones((2, 3)))");
  REQUIRE(s.front.shown.find("text/html"));
  CHECK(s.front.shown.find("text/html")->find("float64 (2, 3), 48 B, cpu") != std::string::npos);
}

TEST_CASE("a value whose text fails is an error, and the session goes on") {
  FrontedSession s;
  s.run("class Bad:\n    def __repr__(self):\n        raise ValueError('no text')\n");
  CHECK(s.run("Bad()") == Calls{});
  CHECK(s.last.kind == "ValueError");
  CHECK(s.run("3") == Calls{"value 3 3"});
}

TEST_CASE("evaluate gives forms and changes nothing") {
  FrontedSession s;
  s.run("x = 4");
  Evaluation found = s.session.evaluate("x * 2");
  REQUIRE(found.value.find("text/plain"));
  CHECK(*found.value.find("text/plain") == "8");
  CHECK(s.session.evaluate("nope").outcome.kind == "NameError");
  CHECK(s.session.entry_count() == 1);
  CHECK(s.front.take() == Calls{});
}

TEST_CASE("commands are entries") {
  FrontedSession s;
  CHECK(s.run("%pwd;") == Calls{});
  CHECK(s.run("%%capture got\nprint(5)") == Calls{});
  CHECK(s.run("got.stdout") == Calls{"value 3 '5\\n'"});
  CHECK(s.run("!echo hi") == Calls{"out hi\n"});
  CHECK(s.run("lines = !printf 'a\\nb\\n'\nlines") == Calls{"value 5 ['a', 'b']"});
  Calls paged = s.run("len?");
  REQUIRE(paged.size() == 1);
  CHECK(paged[0].starts_with("page Signature:  len(obj, /)"));
  s.run("%nothing");
  CHECK(s.last.kind == "UsageError");
}
