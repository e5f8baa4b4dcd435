// The module _processes: runs commands of the system's shell and hands over what they print as it
// comes. An interrupt ends the command and what it has started.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/builtins/modules/processes/spawned_programs.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/builtins/streams.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr int kPatience = 50;  // milliseconds between looks at the interrupt flag

// A command in a process group of its own; gone, with its group, when this goes.
class ShellCommand {
 public:
  // `with_errors`: what it writes as errors comes with the rest.
  ShellCommand(const std::string& text, bool with_errors) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) raise_os_error(errno);
    output_ = ends[0];
    int error = start(text, ends[1], with_errors);
    close(ends[1]);
    if (error) raise_os_error(error);
  }
  ~ShellCommand() {
    if (output_ >= 0) close(output_);
    if (process_ <= 0) return;
    kill(-process_, SIGKILL);
    wait();
  }
  ShellCommand(const ShellCommand&) = delete;

  // The next piece of output; empty at its end.
  std::string read() {
    char chunk[8192];
    for (;;) {
      poll_interrupt(Interpreter::current());
      pollfd ready = {output_, POLLIN, 0};
      int count = poll(&ready, 1, kPatience);
      if (count == 0 || (count < 0 && errno == EINTR)) continue;
      ssize_t got = ::read(output_, chunk, sizeof chunk);
      if (got < 0 && errno == EINTR) continue;
      return std::string(chunk, got > 0 ? static_cast<std::size_t>(got) : 0);
    }
  }

  // The status as the system's wait gives it.
  int wait() {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
    return status;
  }

 private:
  int start(const std::string& text, int output, bool with_errors) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    if (with_errors) posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    sigset_t reset;
    sigemptyset(&reset);
    sigaddset(&reset, SIGINT);
    sigaddset(&reset, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &reset);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    char shell[] = "sh", option[] = "-c";
    std::string copy = text;
    char* words[] = {shell, option, copy.data(), nullptr};
    int error = posix_spawn(&process_, "/bin/sh", &files, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
  }

  int output_ = -1;
  pid_t process_ = 0;
};

// The bytes of `pending` up to the last whole character, as text.
Value take_text(std::string& pending, bool all) {
  std::size_t end = pending.size();
  if (!all)
    for (std::size_t back = 1; back <= std::min<std::size_t>(3, pending.size()); ++back) {
      auto byte = static_cast<unsigned char>(pending[pending.size() - back]);
      if (byte < 0x80) break;
      std::size_t length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 0;
      if (length > back) end = pending.size() - back;
      if (length) break;
    }
  Value bytes = make<Bytes>(pending.substr(0, end));
  pending.erase(0, end);
  return call_method(bytes, intern("decode"), Value(make_str("utf-8")), Value(make_str("replace")));
}

Value run_shell(const Parameters& p) {
  require_outside();
  flush_standard_streams();
  ShellCommand command(std::string(to_text(p[0], "a command")), truth(p[2]));
  std::string pending;
  for (std::string piece = command.read(); !piece.empty(); piece = command.read()) {
    pending += piece;
    call(p[1], take_text(pending, false));
  }
  if (!pending.empty()) call(p[1], take_text(pending, true));
  return Value::integer(command.wait());
}

// Commands are to end by a closed pipe, which this process survives.
class UsualPipeSignal {
 public:
  UsualPipeSignal() : former_(signal(SIGPIPE, SIG_DFL)) {}
  ~UsualPipeSignal() { signal(SIGPIPE, former_); }
  UsualPipeSignal(const UsualPipeSignal&) = delete;

 private:
  void (*former_)(int);
};

// Ctrl-C goes to the command alone.
Value run_attached(const Parameters& p) {
  require_outside();
  std::string command = path_text(p[0]);
  flush_standard_streams();
  UsualPipeSignal usual;
  return Value::integer(std::system(command.c_str()));
}

const NativeRow kFunctions[] = {
    {"run_attached(command, /)", run_attached,
     "Runs a command on the streams of this process; returns the wait status."},
    {"run_shell(command, write, with_errors=True, /)", run_shell,
     "Runs a command and calls write(text) with what it prints; returns the wait status."},
    {"spawn(programs, words, env, streams, kept, folder, settings, /)", spawn_program,
     "Starts a program; returns its number, and where that failed."},
    {"exchange(input, data, output, errors, seconds, /)", exchange_bytes,
     "Writes to a program while its outputs are read."},
};

}  // namespace

const NativeModule kProcessesModule = {"_processes", "Commands of the system.", kFunctions, {}};

}  // namespace strider::lang
