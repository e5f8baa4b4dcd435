// Entries as programs, their colours, and the history of several sessions.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "interpreter/session/entry.h"
#include "interpreter/session/highlight.h"
#include "interpreter/session/history.h"

using namespace strider;

namespace {

bool is_call_of(const std::string& entry, const std::string& function) {
  return program_of_entry(entry).find("('run',))." + function + "(") != std::string::npos;
}

// The inks of a text, each with its piece: "k:for".
std::vector<std::string> inks(std::string_view text) {
  std::vector<std::string> found;
  for (const InkSpan& span : ink_spans(text)) {
    std::string letter(1, "pknscdm"[static_cast<int>(span.ink)]);
    found.push_back(letter + ":" + std::string(text.substr(span.begin, span.end - span.begin)));
  }
  return found;
}

using Inks = std::vector<std::string>;

// A folder that goes with the test.
struct Folder {
  std::string path;
  Folder() {
    char name[] = "/tmp/strider-history-XXXXXX";
    path = mkdtemp(name);
  }
  ~Folder() { std::filesystem::remove_all(path); }
};

std::vector<std::string> inputs(const std::vector<HistoryEntry>& entries) {
  std::vector<std::string> texts;
  for (const HistoryEntry& entry : entries) texts.push_back(entry.input);
  return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("commands stand where statements start") {
  CHECK(is_call_of("%time f()", "run"));
  CHECK(is_call_of("  %time f()", "run"));
  CHECK(is_call_of("x = %time f()", "run"));
  CHECK(is_call_of("!ls", "shell"));
  CHECK(is_call_of("x = !ls", "capture"));
  CHECK(is_call_of("np.sum?", "explain_name"));
  CHECK(is_call_of("?np", "explain_name"));
  CHECK(is_call_of("%time?", "explain_name"));
  CHECK(is_call_of("!echo why?", "shell"));
  CHECK(is_call_of("%time f('?')", "run"));
  CHECK(is_call_of("np.*sum*?", "explain_name"));
  CHECK(is_call_of("%%bash\necho", "run_cell"));
  CHECK(is_call_of("for i in x:\n    %cd a", "run"));
}

TEST_CASE("other texts stay as they are") {
  for (const char* text :
       {"a %time", "x = a %b", "'%time'", "f(1,\n%time)", "'''\n%time\n'''", "a != b", "a \\\n%b",
        "# what?", "x = '!ls'", "% b", "%", "f('why?')", "1 ?"}) {
    CAPTURE(text);
    CHECK(program_of_entry(text) == text);
  }
}

TEST_CASE("a program has as many lines as its entry") {
  std::string made = program_of_entry("a = 1\n%time f('\\n')\nb = 2");
  CHECK(std::count(made.begin(), made.end(), '\n') == 2);
  CHECK(made.ends_with("\nb = 2"));
}

TEST_CASE("calls that commands became are known") {
  CHECK(is_command_call(program_of_entry("%time f()")));
  CHECK(is_command_call(program_of_entry("x = !ls")));
  CHECK(!is_command_call("f()"));
}

TEST_CASE("inks of program text") {
  CHECK(inks("for i in 12: f('a')  # end") == Inks{"k:for", "k:in", "n:12", "s:'a'", "c:# end"});
  CHECK(inks("def area(w): pass") == Inks{"k:def", "d:area", "k:pass"});
  CHECK(inks("x = 'open") == Inks{"s:'open"});
  CHECK(inks("f(  # why 'this'\n2)") == Inks{"c:# why 'this'", "n:2"});
  CHECK(inks("%timeit 1 + x") == Inks{"m:%timeit", "n:1"});
  CHECK(inks("!ls 1") == Inks{"m:!ls"});
  CHECK(inks("").empty());
  CHECK(inks("größe = 'ö' ") == Inks{"s:'ö'"});
}

TEST_CASE("inks of any broken text are in order and inside of it") {
  for (std::string_view text :
       {"'''a\nb", "\"", "f(]", "$ 'x'", "\x80\xff", "\xff", "a\xff", "\xe6\x97", "'\xe6\x97",
        "1__0 'a", "if x:\n a\n  b", "#", "x = f'{a", "\\", "%", "!"}) {
    std::size_t at = 0;
    for (const InkSpan& span : ink_spans(text)) {
      CHECK(span.begin >= at);
      CHECK(span.end > span.begin);
      CHECK(span.end <= text.size());
      at = span.end;
    }
  }
}

TEST_CASE("colours of a traceback leave its text") {
  std::string text =
      "Traceback (most recent call last):\n  File \"a.npx\", line 1, in <module>\n    f(1)\n"
      "    ^^^^\nValueError: one\n  two\nlast: line\n";
  std::string made = colour_traceback(text), plain;
  for (std::size_t at = 0; at < made.size(); ++at) {
    if (made[at] == '\x1b')
      at = made.find('m', at);
    else
      plain += made[at];
  }
  CHECK(plain == text);
  CHECK(made.find("\x1b[1;31mValueError\x1b[0m: one\n  two\nlast: line") != made.npos);
}

TEST_CASE("history is kept from session to session") {
  Folder folder;
  std::string file = folder.path + "/deep/history";
  {
    History first(file);
    first.add(1, "a = 1");
    first.add(2, "def f():\n    return 'a\\n'");
    first.set_output(2, "shown");
    CHECK(first.range(0, 2, 3).front().output == "shown");
  }
  History second(file);
  CHECK(second.session() == 2);
  CHECK(inputs(second.tail(10)) == Texts{"a = 1", "def f():\n    return 'a\\n'"});
  second.add(1, "b = 2");
  CHECK(inputs(second.range(-1, 1, 2)) == Texts{"a = 1"});
  CHECK(inputs(second.range(0, 1, 9)) == Texts{"b = 2"});
  CHECK(inputs(second.search("*= ?", 10, false)) == Texts{"a = 1", "b = 2"});
  auto mode = std::filesystem::status(file).permissions();
  CHECK((mode & std::filesystem::perms::group_read) == std::filesystem::perms::none);
}

TEST_CASE("sessions side by side have numbers of their own") {
  Folder folder;
  std::string file = folder.path + "/history";
  History one(file), other(file);
  one.add(1, "one");
  other.add(1, "other");
  one.add(2, "again");
  History third(file);
  CHECK(inputs(third.tail(10)) == Texts{"one", "other", "again"});
  CHECK(inputs(third.range(-1, 1, 9)) == Texts{"other"});
  CHECK(inputs(third.range(-2, 1, 9)) == Texts{"one", "again"});
}

TEST_CASE("a broken or unreachable history is as good as none") {
  Folder folder;
  std::string file = folder.path + "/history";
  std::ofstream(file) << "no numbers\n1\tx\ty\n\n2\t1\tgood\n\xff\xfe\n";
  CHECK(inputs(History(file).tail(10)) == Texts{"good"});
  History nowhere("/proc/nothing/history");
  nowhere.add(1, "kept here");
  CHECK(inputs(nowhere.tail(10)) == Texts{"kept here"});
}
