// Lines and columns of source texts, and marks under lines.
#include <doctest/doctest.h>

#include "interpreter/syntax/marks.h"
#include "interpreter/syntax/source.h"

using strider::syntax::marked_line;
using strider::syntax::marks_under;
using strider::syntax::Position;
using strider::syntax::Source;

TEST_CASE("lines end at newline, return and both together") {
  Source source("f", "a\nb\r\nc\rd\n");
  CHECK(source.line_count() == 4);
  CHECK(source.line_text(2) == "b");
  CHECK(source.line_text(3) == "c");
  CHECK(source.line_text(4) == "d");
  CHECK(source.line_of(5) == 3);
}

TEST_CASE("columns count characters, not bytes") {
  Source source("f", "x = 'é' + y");
  Position place = source.position(11);
  CHECK(place.line == 1);
  CHECK(place.column == 11);
}

TEST_CASE("carets stand under the span of a stripped line") {
  Source source("f", "if x:\n    y = a + b  \n");
  CHECK(source.caret_lines({14, 19}) == "    y = a + b\n        ^^^^^");
  CHECK(source.caret_lines({14, 19}, 0) == "y = a + b\n    ^^^^^");
}

namespace {

// The line of marks for the part of a one-line program.
std::string marks(std::string_view line, std::string_view part) {
  return marks_under(line, line.find(part), line.find(part) + part.size(), true);
}

}  // namespace

TEST_CASE("carets stand under what failed of a stripped line") {
  Source source("f", "if x:\n    y = f(a)  \n");
  CHECK(marked_line(source, {14, 18}) == "    y = f(a)\n        ^^^^");
  CHECK(marked_line(source, {10, 18}) == "    y = f(a)");
}

TEST_CASE("an operator has carets, its operands tildes") {
  CHECK(marks("y = a + b", "a + b") == "    ~~^~~");
  CHECK(marks("a//b", "a//b") == "~^^~");
  CHECK(marks("(a + b) * c", "(a + b) * c") == "~~~~~~~~^~~");
  CHECK(marks("a+(b)", "a+(b)") == "~^^~~");
  CHECK(marks("z = -a", "-a") == "    ^^");
  CHECK(marks("z = a < b", "a < b") == "    ^^^^^");
  CHECK(marks("x += 1", "x += 1").empty());
}

TEST_CASE("an index has carets with its brackets") {
  CHECK(marks("x = a[0][1]", "a[0][1]") == "    ~~~~^^^");
  CHECK(marks("d['é'] = 1", "d['é']") == "~^^^^^");
  CHECK(marks("f(a[0])", "f(a[0])").empty());
}

TEST_CASE("a span over several lines is marked to the end of its first") {
  Source source("f", "x = f(1,\n  2)\n");
  CHECK(marked_line(source, {4, 13}) == "    x = f(1,\n        ^^^^");
}
