// Lines, columns and carets of source texts.
#include <doctest/doctest.h>

#include "interpreter/syntax/source.h"

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

TEST_CASE("a span over several lines is cut at its first") {
  Source source("f", "f(1,\n  2)\n");
  CHECK(source.caret_lines({0, 9}, 0) == "f(1,\n^^^^");
}

TEST_CASE("a place at the end of the text has a caret") {
  Source source("f", "x +");
  CHECK(source.caret_lines({3, 3}, 0) == "x +\n   ^");
}
