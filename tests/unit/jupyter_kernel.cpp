// The notebook kernel's parts that need no sockets: what is sent when, which cells are dropped.
#include <doctest/doctest.h>

#include "jupyter-kernel/aborting.h"
#include "jupyter-kernel/outbox.h"
#include "jupyter-kernel/text.h"

using namespace strider::jupyter;  // NOLINT
using namespace std::chrono_literals;
using Kind = Outgoing::Kind;

namespace {

const Moment kStart = Moment{} + 1h;
const auto kParent = std::make_shared<const Json>(Json::object());

Outgoing item(Kind kind, const std::string& id = "", bool waits = false) {
  Outgoing made;
  made.kind = kind;
  made.id = id;
  made.waits = waits;
  return made;
}

// What is due, in letters: texts as they are, Display, Update with its id, Clear, Barrier.
std::string taken(Outbox& outbox, Moment now) {
  std::string found;
  while (std::optional<Outgoing> next = outbox.take(now)) {
    switch (next->kind) {
      case Kind::kText:
        found += "[" + next->text + "]";
        break;
      case Kind::kUpdate:
        found += "U" + next->id;
        break;
      default:
        found += next->kind == Kind::kDisplay ? "D" : next->kind == Kind::kClear ? "C" : "B";
    }
  }
  return found;
}

Json header(const char* date, const char* session = "s") {
  return {{"date", date}, {"session", session}};
}

}  // namespace

TEST_CASE("texts join until they are due") {
  Outbox outbox;
  outbox.add_text("stdout", "a", kParent, kStart);
  CHECK(taken(outbox, kStart).empty());
  outbox.add_text("stdout", "b", kParent, kStart + 1ms);
  CHECK(taken(outbox, kStart + 3ms) == "[ab]");
  outbox.add_text("stdout", "c", kParent, kStart + 4ms);
  CHECK(taken(outbox, kStart + 40ms).empty());
  CHECK(taken(outbox, kStart + 60ms) == "[c]");
  CHECK(outbox.is_empty());
}

TEST_CASE("a barrier sends what is before it, in order") {
  Outbox outbox;
  outbox.add_text("stdout", "a", kParent, kStart);
  outbox.add_text("stderr", "b", kParent, kStart);
  outbox.add(item(Kind::kUpdate, "x"));
  outbox.add(item(Kind::kUpdate, "x"));
  outbox.add(item(Kind::kBarrier));
  outbox.add_text("stdout", "later", kParent, kStart);
  CHECK(taken(outbox, kStart) == "[a][b]UxB");
  CHECK(taken(outbox, kStart + 60ms) == "[later]");
}

TEST_CASE("each display is updated at most every 50 ms") {
  Outbox outbox;
  std::string sent;
  for (int ms = 0; ms < 500; ++ms) {
    outbox.add(item(Kind::kUpdate, "x"));
    sent += taken(outbox, kStart + ms * 1ms);
  }
  CHECK(sent.size() / 2 == 10);
}

TEST_CASE("what a clear takes away at once is left out") {
  Outbox outbox;
  outbox.add(item(Kind::kClear, "", true));
  CHECK(taken(outbox, kStart) == "C");
  for (int i = 0; i < 100; ++i) {
    outbox.add(item(Kind::kDisplay));
    outbox.add(item(Kind::kClear, "", true));
  }
  outbox.add_text("stdout", "last", kParent, kStart);
  outbox.add(item(Kind::kBarrier));
  CHECK(taken(outbox, kStart) == "C[last]B");
}

TEST_CASE("what stands before a waiting clear stays until something follows") {
  Outbox outbox;
  outbox.add_text("stdout", "a", kParent, kStart);
  outbox.add(item(Kind::kClear, "", true));
  outbox.add(item(Kind::kBarrier));
  CHECK(taken(outbox, kStart) == "[a]CB");
}

TEST_CASE("bytes are counted until they are taken") {
  Outbox outbox;
  outbox.add_text("stdout", "12345", kParent, kStart);
  CHECK(outbox.bytes() == 5);
  taken(outbox, kStart + 1s);
  CHECK(outbox.bytes() == 0);
}

TEST_CASE("dates are read with their fractions and offsets") {
  CHECK(parse_date("1970-01-01T00:00:01.5Z")->microseconds == 1'500'000);
  CHECK(parse_date("1970-01-01T01:00:00+01:00")->microseconds == 0);
  CHECK(parse_date("1970-01-01T00:00:00.123456Z")->precise);
  CHECK_FALSE(parse_date("1970-01-01T00:00:00.123Z")->precise);
  CHECK_FALSE(parse_date("yesterday"));
}

TEST_CASE("only what was sent before the failure could be seen is dropped") {
  Failure failure;
  CHECK_FALSE(failure.precedes_reply(header("2026-01-01T00:00:00.000000Z")));
  failure.note(header("2026-01-01T00:00:00.000000Z"), 100ms);
  CHECK(*failure.precedes_reply(header("2026-01-01T00:00:00.050000Z")));
  CHECK_FALSE(*failure.precedes_reply(header("2026-01-01T00:00:00.150000Z")));
  CHECK_FALSE(failure.precedes_reply(header("2026-01-01T00:00:00.050000Z", "other")));
  CHECK_FALSE(failure.precedes_reply(header("")));
}

TEST_CASE("positions are counted in code points") {
  CHECK(byte_of("aé😀b", 3) == 7);
  CHECK(byte_of("aé", -1) == 3);
  CHECK(byte_of("aé", 9) == 3);
  CHECK(code_point_of("aé😀b", 7) == 3);
  CHECK(lines_of("a\n\nb\n") == std::vector<std::string>{"a", "", "b"});
}
