// What an isolated session refuses, how a program is stopped, how much its arrays may take.
#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "interpreter/session/session.h"

using strider::Outcome;
using strider::Session;
using strider::SessionOptions;

namespace {

constexpr const char* kRefusal = "PermissionError: not allowed in an isolated session";

SessionOptions isolated() {
  SessionOptions options;
  options.isolated = true;
  return options;
}

std::string error_of(const char* text) {
  Session session(isolated());
  return session.run("test", text).error;
}

// Runs the program and stops it after some milliseconds.
Outcome::Status stopped(const char* text) {
  Session session(isolated());
  std::thread watch([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    session.stop();
  });
  Outcome outcome = session.run("test", text);
  watch.join();
  return outcome.status;
}

}  // namespace

TEST_CASE("An isolated program reaches no files") {
  CHECK(error_of("open('/etc/passwd')") == kRefusal);
  CHECK(error_of("open(0)") == kRefusal);
  CHECK(error_of("import io; io.FileIO('/tmp/x', 'w')") == kRefusal);
  CHECK(error_of("import pathlib; pathlib.Path('/etc/passwd').read_text()") == kRefusal);
  CHECK(error_of("import os; os.listdir('/')") == kRefusal);
  CHECK(error_of("import os; os.write(1, b'x')") == kRefusal);
  CHECK(error_of("import numpy as np; np.load('/etc/passwd')") == kRefusal);
  CHECK(error_of("import numpy as np; np.zeros(3).tofile('/tmp/x')") == kRefusal);
  CHECK(error_of("import sys; sys.path.append('/tmp'); import any_file_there") ==
        "ModuleNotFoundError: No module named 'any_file_there'");
}

TEST_CASE("An isolated program does not touch its process") {
  CHECK(error_of("import os; os._exit(3)") == kRefusal);
  CHECK(error_of("import os; os.kill(os.getpid(), 9)") == kRefusal);
  CHECK(error_of("import os; os.environ['HOME'] = '/'") == kRefusal);
  CHECK(error_of("import time; time.sleep(1000)") == kRefusal);
  CHECK(error_of("input()") == "EOFError: EOF when reading a line");
}

TEST_CASE("An isolated program computes") {
  CHECK(error_of("import numpy as np, io, json, os.path\n"
                 "io.BytesIO(b'1')\nassert os.path.join('a', 'b') == 'a/b'\n"
                 "assert not os.path.exists('/')\nassert np.arange(3).sum() == 3") == "");
}

TEST_CASE("A stopped program cannot go on") {
  CHECK(stopped("while True: pass") == Outcome::Status::kInterrupted);
  CHECK(stopped("while True:\n  try:\n    while True: pass\n  except: pass") ==
        Outcome::Status::kInterrupted);
  CHECK(stopped("def f():\n  try:\n    while True: pass\n  finally: f()\nf()") !=
        Outcome::Status::kOk);
}

TEST_CASE("A program runs again after another was stopped") {
  Session session({});
  session.stop();
  session.run("test", "while True: pass");
  CHECK(session.run("test", "for i in range(10): pass").status == Outcome::Status::kOk);
}

TEST_CASE("Arrays beyond the limit are refused") {
  const char* text = "import numpy as np\na = np.ones(100000)\nb = np.ones(1000000)";
  SessionOptions small;
  small.array_memory = 1 << 20;
  CHECK(Session(small).run("test", text).error.find("Unable to allocate") != std::string::npos);
  const char* twice =
      "import numpy as np\na = np.zeros(100000)\na[0] = 1\nb = np.zeros(100000)\nb[0] = 1";
  CHECK(Session(small).run("test", twice).error.find("; arrays use ") != std::string::npos);
  CHECK(Session({}).run("test", text).error == "");
}
