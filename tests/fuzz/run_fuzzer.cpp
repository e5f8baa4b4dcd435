// libFuzzer target for the whole way from text to effects: lexer, parser, resolver, evaluator.
// Files and processes are out of reach of the program; time and recursion are limited.
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "interpreter/session/session.h"

namespace {

constexpr const char* kPrelude =
    "import sys, builtins\n"
    "for name in ('os', 'io', 'shutil', 'pathlib', 'tempfile', 'glob', 'gzip', 'time'):\n"
    "    sys.modules[name] = None\n"
    "builtins.open = builtins.input = None\n"
    "sys.setrecursionlimit(150)\n"
    "class Null:\n"
    "    def write(self, text): return len(text)\n"
    "    def flush(self): pass\n"
    "sys.stdout = sys.stderr = Null()\n";

strider::Session* running = nullptr;

void stop(int) {
  if (running) running->interrupt();
}

void limit_time(int milliseconds) {
  itimerval timer = {};
  timer.it_value.tv_usec = milliseconds * 1000;
  timer.it_interval.tv_usec = milliseconds * 1000;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  std::string folder = "/tmp/strider-fuzz-" + std::string(6, 'X');
  if (!mkdtemp(folder.data()) || chdir(folder.c_str()) != 0) std::abort();
  signal(SIGALRM, stop);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 4096) return 0;
  strider::Session session(strider::SessionOptions{});
  session.run("prelude", kPrelude);
  running = &session;
  limit_time(500);
  session.run("fuzz", std::string(reinterpret_cast<const char*>(data), size));
  limit_time(0);
  running = nullptr;
  return 0;
}
