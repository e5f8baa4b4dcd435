// Deep nesting is an error, long chains are not; nothing overflows the stack.
#include <doctest/doctest.h>

#include "syntax_support.h"

using namespace strider::syntax::test;

namespace {

std::string repeat(const std::string& text, int count) {
  std::string repeated;
  for (int i = 0; i < count; ++i) repeated += text;
  return repeated;
}

constexpr int kMany = 100000;

}  // namespace

TEST_CASE("brackets nest 200 deep, a million are an error") {
  CHECK(error(repeat("(", 200) + "1" + repeat(")", 200)) == "none");
  CHECK(error(repeat("(", 1000000)) == "SyntaxError 1:201 too many nested parentheses");
  CHECK(error(repeat("[{", 200)) == "SyntaxError 1:201 too many nested parentheses");
}

TEST_CASE("other nesting is limited too") {
  const std::string message = "expression is nested too deeply";
  CHECK(error(repeat("-", kMany) + "1").find(message) != std::string::npos);
  CHECK(error(repeat("not ", kMany) + "1").find(message) != std::string::npos);
  CHECK(error(repeat("lambda: ", kMany) + "1").find(message) != std::string::npos);
  CHECK(error(repeat("1**", kMany) + "1").find(message) != std::string::npos);
  CHECK(error(repeat("a if b else ", kMany) + "c").find(message) != std::string::npos);
}

TEST_CASE("blocks nest a hundred deep") {
  std::string text;
  for (int i = 0; i < 120; ++i) text += std::string(static_cast<size_t>(i), ' ') + "if x:\n";
  CHECK(error(text) == "IndentationError 101:101 too many levels of indentation");
}

TEST_CASE("long chains are read, resolved and freed in a loop") {
  CHECK(error("x = 1" + repeat("+1", kMany)) == "none");
  CHECK(error("x = a" + repeat(".b", kMany)) == "none");
  CHECK(error("x = f" + repeat("()", kMany)) == "none");
  CHECK(error("x = f" + repeat("[0]", kMany)) == "none");
  CHECK(error("if a: b\n" + repeat("elif a: b\n", kMany)) == "none");
  CHECK(error("x = " + repeat("a and ", kMany) + "b") == "none");
  CHECK(error(repeat("a = ", kMany) + "b") == "none");
}

TEST_CASE("long displays take linear time") {
  CHECK(error("x = [" + repeat("1, ", kMany) + "]") == "none");
  CHECK(error("x = {" + repeat("a: 1, ", kMany) + "}") == "none");
}

TEST_CASE("f-strings nest to a limit") {
  CHECK(error("f'{x:{y:{z}}}'") == "SyntaxError 1:15 f-string: expressions nested too deeply");
  CHECK(error(repeat("f'{", 1000) + "1" + repeat("}'", 1000)) != "none");
}
