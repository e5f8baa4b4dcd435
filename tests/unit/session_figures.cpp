// Figures appear at a front by themselves: when an entry ends, or at show(), once.
#include "session_support.h"

using namespace strider;
using namespace strider::testing;

namespace {

const std::string kFigure = "display  <Figure size 640x480 with 1 Axes>";

}  // namespace

TEST_CASE("open figures are shown when an entry ends, and are closed") {
  FrontedSession s;
  CHECK(s.run("import matplotlib.pyplot as plt; lines = plt.plot([1, 2])") == Calls{kFigure});
  const std::string* image = s.front.shown.find("image/png");
  REQUIRE(image);
  CHECK(image->starts_with("iVBORw0KGgo"));
  CHECK(s.run("plt.get_fignums()") == Calls{"value 2 []"});
  CHECK(s.run("lines = plt.plot([2, 1]); 1 / 0") == Calls{kFigure});
  CHECK(s.last.kind == "ZeroDivisionError");
}

TEST_CASE("show() shows figures in their place among what is printed") {
  FrontedSession s;
  CHECK(
      s.run("import matplotlib.pyplot as plt\nlines = plt.plot([1])\nplt.show()\nprint('then')") ==
      Calls{kFigure, "out then\n"});
}

TEST_CASE("a front that shows no images leaves figures open") {
  FrontedSession s;
  s.front.rich = false;
  CHECK(s.run("import matplotlib.pyplot as plt; lines = plt.plot([1, 2])") == Calls{});
  CHECK(s.run("plt.get_fignums()") == Calls{"value 2 [1]"});
}
