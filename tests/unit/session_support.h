// A front that writes down what it is told, for tests of Session.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <deque>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/session/session.h"

namespace strider::testing {

// Each call is a line: "out a\n" of printed text, "value 1 7", "display id 7", "update id 8",
// "clear", "page …"; values by their plain text.
class RecordingFront : public Front {
 public:
  std::vector<std::string> calls;
  std::deque<std::string> answers;  // to ask()
  bool rich = true;

  bool owns_streams() const override { return true; }
  void write(Stream stream, std::string_view text) override {
    std::string_view name = stream == Stream::kOutput ? "out " : "err ";
    bool goes_on = !calls.empty() && calls.back().starts_with(name);
    if (goes_on)
      calls.back() += text;
    else
      calls.push_back(std::string(name) + std::string(text));
  }
  std::optional<std::string> ask(const std::string& prompt, bool hidden) override {
    calls.push_back((hidden ? "ask hidden " : "ask ") + prompt);
    if (answers.empty()) return std::nullopt;
    std::string answer = answers.front();
    answers.pop_front();
    return answer;
  }
  void show(const MimeBundle& value, int number) override {
    calls.push_back("value " + std::to_string(number) + " " + plain(value));
  }
  void display(const MimeBundle& value, const std::string& id) override {
    calls.push_back("display " + id + " " + plain(value));
    shown = value;
  }
  void update(const MimeBundle& value, const std::string& id) override {
    calls.push_back("update " + id + " " + plain(value));
  }
  void clear(bool wait) override { calls.push_back(wait ? "clear later" : "clear"); }
  void page(const MimeBundle& text) override { calls.push_back("page " + plain(text)); }
  bool shows(std::string_view) const override { return rich; }

  std::vector<std::string> take() { return std::exchange(calls, {}); }

  MimeBundle shown;  // by display() last

 private:
  static std::string plain(const MimeBundle& value) {
    const std::string* text = value.find("text/plain");
    return text ? *text : "(no text)";
  }
};

// A session that shows its values to a recording front.
struct FrontedSession {
  explicit FrontedSession(std::string history_file = {})
      : session(options(front, std::move(history_file))) {}

  // Runs an entry and gives what the front was told.
  std::vector<std::string> run(std::string_view text, EntryOptions how = {}) {
    last = session.execute(text, how);
    return front.take();
  }

  RecordingFront front;
  Session session;
  Outcome last;

 private:
  static SessionOptions options(RecordingFront& front, std::string history_file) {
    SessionOptions made;
    made.front = &front;
    made.device = "cpu";
    made.history_file = std::move(history_file);
    return made;
  }
};

using Calls = std::vector<std::string>;

inline std::vector<std::string> texts_of(const Completions& completions) {
  std::vector<std::string> texts;
  for (const Completions::Item& item : completions.items) texts.push_back(item.text);
  return texts;
}

// A folder that goes with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    char name[] = "/tmp/strider-test-XXXXXX";
    path_ = mkdtemp(name);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace strider::testing
