// Completion, inspection, completeness and history.
#include <algorithm>

#include "session_support.h"

using namespace strider;
using namespace strider::testing;

namespace {

Calls complete(FrontedSession& s, const std::string& text) {
  return texts_of(s.session.complete(text, text.size()));
}

bool offers(const Calls& texts, const std::string& wanted) {
  return std::find(texts.begin(), texts.end(), wanted) != texts.end();
}

}  // namespace

TEST_CASE("names, attributes and modules are completed") {
  FrontedSession s;
  s.run("import numpy as np\nvalue_one = 1\nvalue_two = np.ones((64, 128), np.float32)");
  CHECK(complete(s, "value_") == Calls{"value_one", "value_two"});
  CHECK(complete(s, "x = value_t") == Calls{"value_two"});
  CHECK(complete(s, "np.linalg.sol") == Calls{"solve"});
  CHECK(complete(s, "value_two.resh") == Calls{"reshape"});
  
  CHECK(offers(complete(s, "import nump"), "numpy"));
  CHECK(complete(s, "from math import sq") == Calls{"sqrt"});
  CHECK(complete(s, "'abc'.upp") == Calls{"upper"});
  CHECK(complete(s, "unknown.thing") == Calls{});
  CHECK(offers(complete(s, "whi"), "while"));
  Completions found = s.session.complete("y = value_tw", 12);
  CHECK(found.start == 4);
  CHECK(found.end == 12);
  REQUIRE(found.items.size() == 1);
  CHECK(found.items[0].detail == "(64, 128) float32");
}

TEST_CASE("keyword arguments, element types, keys, paths and commands are completed") {
  FrontedSession s;
  s.run("import numpy as np\nd = {'alpha': 1, 'beta': 2}\ndef f(a, long_name=1): pass");
  CHECK(complete(s, "np.zeros(3, dt") == Calls{"dtype="});
  CHECK(offers(complete(s, "f(1, lo"), "long_name="));
  CHECK(complete(s, "np.zeros(3, dtype='float3") == Calls{"float32"});
  CHECK(complete(s, "d['al") == Calls{"alpha"});
  CHECK(complete(s, "%timei") == Calls{"timeit"});
  TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("inner"));
  CHECK(complete(s, "open('" + folder.file("in")) == Calls{folder.file("inner") + "/"});
}

TEST_CASE("completion and inspection run nothing") {
  FrontedSession s;
  s.run("class Trap:\n    @property\n    def loud(self):\n        print('ran')\n        return []\n"
        "    def __getattr__(self, name):\n        print('asked')\n        raise AttributeError\n"
        "t = Trap()");
  CHECK(complete(s, "t.lo") == Calls{"loud"});
  complete(s, "t.loud.app");
  s.session.inspect("t.loud", 6, 0);
  s.session.inspect("t.other", 7, 0);
  CHECK(s.front.take() == Calls{});
}

TEST_CASE("inspection tells what is known") {
  FrontedSession s;
  s.run("import numpy as np\na = np.ones(100000) * 2\n"
        "def area(width, height=2):\n    '''Width by height.'''\n    return width * height\n");
  auto text = [&](const std::string& code, std::size_t cursor, int detail = 0) {
    Inspection found = s.session.inspect(code, cursor, detail);
    const std::string* plain = found.text.find("text/plain");
    return plain ? *plain : std::string();
  };
  CHECK(text("a", 1).find("(100000,)") != std::string::npos);
  CHECK(text("a", 1).find("Pending:    yes") != std::string::npos);
  CHECK(text("area", 2).find("Width by height.") != std::string::npos);
  CHECK(text("area(3, ", 8).find("area(width, height=2)") != std::string::npos);
CHECK(text("area", 2, 1).find("return width * height") != std::string::npos);
  CHECK(text("np.sum", 6).find("Signature:") != std::string::npos);
  CHECK_FALSE(s.session.inspect("nothing", 3, 0).found);
}

TEST_CASE("is_complete knows statements and commands") {
  FrontedSession s;
  int indent = 0;
  using Completeness = Session::Completeness;
  CHECK(s.session.is_complete("x = 1") == Completeness::kComplete);
  CHECK(s.session.is_complete("for i in x:", &indent) == Completeness::kIncomplete);
  CHECK(indent == 4);
  CHECK(s.session.is_complete("x = )") == Completeness::kInvalid);
  CHECK(s.session.is_complete("%timeit x + 1") == Completeness::kComplete);
  CHECK(s.session.is_complete("!ls") == Completeness::kComplete);
  CHECK(s.session.is_complete("len?") == Completeness::kComplete);
  CHECK(s.session.is_complete("%%bash\nls") == Completeness::kIncomplete);
  CHECK(s.session.is_complete("%%bash\nls\n") == Completeness::kComplete);
  CHECK(s.session.is_complete("x = '''%pwd") == Completeness::kIncomplete);
}

TEST_CASE("history is kept across sessions, side by side") {
  TemporaryFolder folder;
  std::string file = folder.file("state/history");
  {
    FrontedSession first(file);
    first.run("a = 1\nb = 'x\\\\n'");
    first.run("a");
    FrontedSession second(file);
    second.run("c = 2");
    first.run("a + 1");
    CHECK(first.session.history().session() == 1);
    CHECK(second.session.history().session() == 2);
  }
  FrontedSession third(file);
  third.run("print(1)");
  std::vector<HistoryEntry> all = third.session.history().tail(10);
  REQUIRE(all.size() == 5);
  CHECK(all[0].input == "a = 1\nb = 'x\\\\n'");
  CHECK(all[4].input == "print(1)");
  CHECK(third.session.history().session() == 3);
  CHECK(third.session.history().range(-1, 1, 100).size() == 1);
  CHECK(third.session.history().range(1, 2, 4).size() == 2);
  CHECK(third.session.history().search("a*", 10, false).size() == 3);
  CHECK(third.session.history().search("*1*", 2, true).size() == 2);
}

TEST_CASE("a history that cannot be written loses nothing of the session") {
  FrontedSession s("/proc/nowhere/history");
  s.run("x = 1");
  CHECK(s.session.history().tail(5).size() == 1);
}
