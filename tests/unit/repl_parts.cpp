// The prompt's parts without a terminal: texts that are edited, pasted, recalled and measured.
#include <doctest/doctest.h>

#include <clocale>

#include "interpreter/repl/characters.h"
#include "interpreter/repl/choices.h"
#include "interpreter/repl/edit_buffer.h"
#include "interpreter/repl/output_place.h"
#include "interpreter/repl/pasted.h"
#include "interpreter/repl/recall.h"

using namespace strider;

namespace {

// The text with a bar at the cursor.
std::string state(const EditBuffer& buffer) {
  std::string text = buffer.text();
  return text.insert(buffer.cursor(), "|");
}

EditBuffer buffer_of(std::string text) {
  std::setlocale(LC_CTYPE, "C.UTF-8");
  EditBuffer buffer;
  buffer.reset(std::move(text));
  return buffer;
}

}  // namespace

TEST_CASE("the cursor goes by characters, words and lines") {
  EditBuffer buffer = buffer_of("first line\nzweite größe\n日本");
  buffer.move_left();
  CHECK(state(buffer) == "first line\nzweite größe\n日|本");
  CHECK(buffer.move_up());
  CHECK(state(buffer) == "first line\nz|weite größe\n日本");
  buffer.move_line_end();
  buffer.move_word_left();
  CHECK(state(buffer) == "first line\nzweite |größe\n日本");
  buffer.move_word_right();
  CHECK(buffer.move_up());
  CHECK(state(buffer) == "first line|\nzweite größe\n日本");
  CHECK(!buffer.move_up());
  CHECK(buffer.move_down());
  CHECK(buffer.move_down());
  CHECK(!buffer.move_down());
  buffer.move_begin();
  buffer.move_left();
  CHECK(buffer.cursor() == 0);
}

TEST_CASE("marks stay with their letter") {
  EditBuffer buffer = buffer_of("ne\u0301");
  buffer.move_left();
  CHECK(state(buffer) == "n|e\u0301");
  buffer.move_right();
  buffer.erase_left();
  CHECK(state(buffer) == "n|");
}

TEST_CASE("backspace in an indent goes to the stop before") {
  EditBuffer buffer = buffer_of("if x:\n        ");
  buffer.erase_left();
  CHECK(state(buffer) == "if x:\n    |");
  buffer.type(" ");
  buffer.erase_left();
  CHECK(state(buffer) == "if x:\n    |");
  buffer.erase_left();
  buffer.erase_left();
  CHECK(state(buffer) == "if x:|");
}

TEST_CASE("what is killed comes back") {
  EditBuffer buffer = buffer_of("one two\nthree");
  buffer.move_up();
  CHECK(state(buffer) == "one t|wo\nthree");
  buffer.kill_to_line_end();
  CHECK(state(buffer) == "one t|\nthree");
  buffer.kill_to_line_end();
  CHECK(state(buffer) == "one t|three");
  buffer.kill_word_left();
  buffer.yank();
  CHECK(state(buffer) == "one t|three");
  buffer.kill_to_line_begin();
  CHECK(state(buffer) == "|three");
  buffer.kill_word_right();
  CHECK(state(buffer) == "|");
}

TEST_CASE("edits are taken back, typed characters together") {
  EditBuffer buffer = buffer_of("");
  for (const char* letter : {"a", "b", " ", "c"}) buffer.type(letter);
  buffer.insert("xyz");
  buffer.undo();
  CHECK(state(buffer) == "ab c|");
  buffer.undo();
  CHECK(state(buffer) == "ab|");
  buffer.undo();
  buffer.undo();
  CHECK(state(buffer) == "|");
}

TEST_CASE("two characters are exchanged") {
  EditBuffer buffer = buffer_of("abß");
  buffer.transpose();
  CHECK(state(buffer) == "aßb|");
  buffer.move_begin();
  buffer.transpose();
  CHECK(state(buffer) == "|aßb");
}

TEST_CASE("pasted programs") {
  CHECK(program_of_paste("a = 1\nb = 2") == "a = 1\nb = 2");
  CHECK(program_of_paste("    if a:\n        b\n\n    c\n") == "if a:\n    b\n\nc\n");
  CHECK(program_of_paste(">>> a = 1\n>>> for i in a:\n...     b\n...\n1\n2\n>>> c") ==
        "a = 1\nfor i in a:\n    b\n\nc");
  CHECK(program_of_paste("  one line") == "  one line");
  CHECK(program_of_paste("\n\n") == "\n\n");
}

TEST_CASE("entries are recalled") {
  Recall recall;
  recall.begin({"a = 1", "b = 2", "b = 2", "a = 3"}, "");
  CHECK(recall.older() == "a = 3");
  CHECK(recall.older() == "b = 2");
  CHECK(recall.older() == "a = 1");
  CHECK(!recall.older());
  CHECK(recall.newer() == "b = 2");
  CHECK(recall.newer() == "a = 3");
  CHECK(recall.newer() == "");
  CHECK(!recall.newer());
  recall.begin({"a = 1", "b = 2", "a = 3"}, "a");
  CHECK(recall.older() == "a = 3");
  CHECK(recall.older() == "a = 1");
  CHECK(!recall.older());
  recall.newer();
  CHECK(recall.newer() == "a");
}

TEST_CASE("entries are searched") {
  Recall recall;
  recall.begin({"alpha", "beta", "alphabet"}, "");
  CHECK(recall.search_older("alp", false) == "alphabet");
  CHECK(recall.search_older("alpha", false) == "alphabet");
  CHECK(recall.search_older("alpha", true) == "alpha");
  CHECK(!recall.search_older("alpha", true));
  CHECK(recall.search_newer("bet") == "beta");
}

TEST_CASE("widths") {
  std::setlocale(LC_CTYPE, "C.UTF-8");
  CHECK(width_of("abc") == 3);
  CHECK(width_of("日本") == 4);
  CHECK(width_of("e\u0301") == 1);
  CHECK(width_of("\x1b[1mab\x1b[0m") == 2);
  CHECK(width_of("\xff\x01") == 3);
  CHECK(fitting("日本x", 3) == "日");
}

TEST_CASE("where printing leaves the cursor") {
  OutputPlace place;
  place.advance("ab\ncd", 10);
  CHECK(place.row() == 1);
  CHECK(place.column() == 2);
  CHECK(place.line() == "cd");
  place.advance("\rxyz\x1b[31m!\x1b[0m", 10);
  CHECK(place.column() == 4);
  CHECK(place.known());
  place.advance(std::string(17, '-'), 10);
  CHECK(place.row() == 3);
  place.advance("\x1b[2A", 10);
  CHECK(!place.known());
}

TEST_CASE("choices are listed with details or in columns") {
  std::setlocale(LC_CTYPE, "C.UTF-8");
  Choices choices;
  Completions found;
  found.items = {{"grid", "instance", "(2, 3) float64"}, {"grip", "function", "grip(x)"}};
  choices.set(found);
  CHECK(choices.common_beginning() == "gri");
  CHECK(choices.turn(40, 10) ==
        std::vector<std::string>{"  grid  (2, 3) float64", "  grip  grip(x)"});
  found.items.clear();
  for (int i = 10; i < 40; ++i) found.items.push_back({"name" + std::to_string(i), "", ""});
  choices.set(found);
  std::vector<std::string> first = choices.turn(40, 4), second = choices.turn(40, 4);
  CHECK(first.size() == 4);
  CHECK(first.front().starts_with("name10  "));
  CHECK(first.back() == "(1-12 of 30; Tab: more)");
  CHECK(second.front().starts_with("name22  "));
}
