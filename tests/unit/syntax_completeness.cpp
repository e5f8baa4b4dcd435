// When a prompt should ask for more.
#include <doctest/doctest.h>

#include <string>

#include "interpreter/syntax/completeness.h"

using namespace strider::syntax;

namespace {

std::string judge(const std::string& text) {
  Completeness verdict = is_complete(text);
  switch (verdict.state) {
    case CompletenessState::kComplete:
      return "complete";
    case CompletenessState::kInvalid:
      return "invalid";
    default:
      return "incomplete " + std::to_string(verdict.indent);
  }
}

}  // namespace

TEST_CASE("whole statements are complete") {
  CHECK(judge("x = 1") == "complete");
  CHECK(judge("") == "complete");
  CHECK(judge("# comment") == "complete");
  CHECK(judge("f(1,\n  2)") == "complete");
}

TEST_CASE("open brackets, strings, blocks and backslashes ask for more") {
  CHECK(judge("f(1,") == "incomplete 0");
  CHECK(judge("x = '''abc") == "incomplete 0");
  CHECK(judge("x = 1 + \\") == "incomplete 0");
  CHECK(judge("if x:") == "incomplete 4");
  CHECK(judge("@decorator") == "incomplete 0");
  CHECK(judge("try:\n    x") == "incomplete 4");
  CHECK(judge("def f():\n    try:\n        x") == "incomplete 8");
}

TEST_CASE("a block goes on until a blank line") {
  CHECK(judge("for i in x:\n    print(i)") == "incomplete 4");
  CHECK(judge("for i in x:\n    print(i)\n") == "complete");
  CHECK(judge("def f():\n    return 1") == "incomplete 0");
  CHECK(judge("if x: y") == "incomplete 0");
}

TEST_CASE("what more text cannot repair is invalid") {
  CHECK(judge("x = )") == "invalid");
  CHECK(judge("x = 'abc") == "invalid");
  CHECK(judge("1 = x") == "invalid");
  CHECK(judge("x = ") == "invalid");
  CHECK(judge("return") == "invalid");
}
