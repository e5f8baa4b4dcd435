// Starting programs: what happens in the new process before the program takes its place.
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <strider/nd/device.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/builtins/modules/os/descriptor.h"
#include "interpreter/builtins/modules/processes/spawned_programs.h"
#include "interpreter/builtins/streams.h"
#include "interpreter/evaluator/frames/threads.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// Where a start failed.
enum class Step : int { kNone, kSetting, kFolder, kCall, kProgram };

struct Failure {
  Step step = Step::kNone;
  int error = 0;
};

// What a new process does, prepared so that it need not allocate memory: it may share this one's.
struct Start {
  std::vector<std::string> programs, words, variables;
  std::vector<char*> given, named;  // words and variables as exec takes them
  bool inherits_variables = false;
  int sources[3] = {-1, -1, -1};  // what become its standard streams; -1: what they are here
  bool closes = false;
  std::vector<int> kept;  // sorted; nothing else from 3 on is left open
  std::string folder;
  bool enters = false, restores = false, session = false;
  std::int64_t group = -1, mask = -1, user_id = -1, group_id = -1;
  std::vector<gid_t> groups;
  bool sets_groups = false;
  Value call;  // Empty: nothing is called
  sigset_t signals;
};

bool place_streams(const Start& start) {
  int sources[3];
  for (int number = 0; number < 3; ++number) {
    sources[number] = start.sources[number];
    bool in_the_way = sources[number] >= 0 && sources[number] < 3 && sources[number] != number;
    if (in_the_way) sources[number] = fcntl(sources[number], F_DUPFD_CLOEXEC, 3);
    if (in_the_way && sources[number] < 0) return false;
  }
  for (int number = 0; number < 3; ++number) {
    if (sources[number] == number && fcntl(number, F_SETFD, 0) < 0) return false;
    bool given = sources[number] != -1 && sources[number] != number;
    if (given && dup2(sources[number], number) < 0) return false;
  }
  return true;
}

void close_from_to(unsigned first, unsigned last) {
  if (first > last || close_range(first, last, 0) == 0) return;
  auto limit = static_cast<unsigned>(std::max(sysconf(_SC_OPEN_MAX), 256L));
  for (unsigned each = first; each <= last && each < limit; ++each) close(static_cast<int>(each));
}

void close_others(const Start& start, int report) {
  unsigned next = 3;
  auto pass = [&](int kept) {
    if (kept < static_cast<int>(next)) return;
    if (kept > static_cast<int>(next)) close_from_to(next, static_cast<unsigned>(kept) - 1);
    next = static_cast<unsigned>(kept) + 1;
  };
  bool reported = false;
  for (int kept : start.kept) {
    if (!reported && report < kept) {
      pass(report);
      reported = true;
    }
    pass(kept);
  }
  if (!reported) pass(report);
  close_from_to(next, ~0U);
}

bool take_identity(const Start& start) {
  if (start.session && setsid() < 0) return false;
  if (start.group >= 0 && setpgid(0, static_cast<pid_t>(start.group)) < 0) return false;
  if (start.sets_groups && setgroups(start.groups.size(), start.groups.data()) < 0) return false;
  auto group_id = static_cast<gid_t>(start.group_id);
  if (start.group_id >= 0 && setregid(group_id, group_id) < 0) return false;
  auto user_id = static_cast<uid_t>(start.user_id);
  return start.user_id < 0 || setreuid(user_id, user_id) == 0;
}

// Handlers would run in the memory of this process as long as the new one shares it.
void forget_handlers() {
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action;
    if (sigaction(number, nullptr, &action) == 0 && action.sa_handler != SIG_IGN &&
        action.sa_handler != SIG_DFL)
      signal(number, SIG_DFL);
  }
}

bool call_what_was_asked(const Value& call_before) {
  try {
    call(call_before);
    flush_standard_streams();
    return true;
  } catch (const Raised&) {
    return false;
  }
}

// What was wrong with the first program that is there is told, or that there is none.
int replace_this(const Start& start) {
  char* const* env = start.inherits_variables ? environ : start.named.data();
  int told = 0;
  for (const std::string& program : start.programs) {
    execve(program.c_str(), start.given.data(), env);
    bool absent = errno == ENOENT || errno == ENOTDIR;
    if (told == 0 || (!absent && (told == ENOENT || told == ENOTDIR))) told = errno;
  }
  return told;
}

Failure become(const Start& start, int report) {
  for (int kept : start.kept)
    if (fcntl(kept, F_SETFD, 0) < 0) return {Step::kSetting, errno};
  if (!place_streams(start)) return {Step::kSetting, errno};
  if (start.enters && chdir(start.folder.c_str()) < 0) return {Step::kFolder, errno};
  if (start.mask >= 0) umask(static_cast<mode_t>(start.mask));
  if (start.restores)
    for (int number : {SIGPIPE, SIGXFSZ}) signal(number, SIG_DFL);
  if (start.call.is_empty()) forget_handlers();
  sigprocmask(SIG_SETMASK, &start.signals, nullptr);
  if (!take_identity(start)) return {Step::kSetting, errno};
  if (!start.call.is_empty() && !call_what_was_asked(start.call)) return {Step::kCall, 0};
  if (start.closes) close_others(start, report);
  return {Step::kProgram, replace_this(start)};
}

// A number that is no descriptor of the standard streams, so that none of them covers it.
int beyond_streams(int descriptor) {
  if (descriptor > 2) return descriptor;
  int other = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  close(descriptor);
  return other;
}

// Where nothing of the program is called and nobody changes: who a process is would be set for all
// threads whose memory it shares.
bool may_share_memory(const Start& start) {
  return start.call.is_empty() && start.user_id < 0 && start.group_id < 0 && !start.sets_groups;
}

[[gnu::noinline]] pid_t fork_for(const Start& start, int report) {
  pid_t process = may_share_memory(start) ? vfork() : fork();
  if (process != 0) return process;
  if (!start.call.is_empty()) {
    nd::use_device({nd::DeviceChoice::Kind::kHost, 0});
    Interpreter& interpreter = Interpreter::current();
    if (interpreter.threads) interpreter.threads->keep_current_only();
  }
  Failure failure = become(start, report);
  while (write(report, &failure, sizeof failure) < 0 && errno == EINTR) {
  }
  _exit(255);
}

// The number of the process; `failure` tells what went wrong in it.
pid_t run_start(Start& start, Failure& failure) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) raise_os_error(errno);
  for (int& end : ends) end = beyond_streams(end);
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &start.signals);
  pid_t process = fork_for(start, ends[1]);
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &start.signals, nullptr);
  close(ends[1]);
  ssize_t got = 0;
  while (process > 0 && (got = read(ends[0], &failure, sizeof failure)) < 0 && errno == EINTR) {
  }
  close(ends[0]);
  if (process < 0) raise_os_error(error);
  if (got == static_cast<ssize_t>(sizeof failure)) {
    while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  return process;
}

void read_settings(Start& start, const Value& settings) {
  auto item = [&](std::int64_t number) { return get_item(settings, Value::integer(number)); };
  start.restores = truth(item(0));
  start.session = truth(item(1));
  start.group = to_int64(item(2));
  start.mask = to_int64(item(3));
  start.user_id = to_int64(item(4));
  start.group_id = to_int64(item(5));
  start.sets_groups = !item(6).is_none();
  if (start.sets_groups) {
    Iteration groups(item(6));
    Value group;
    while (groups.next(group)) start.groups.push_back(static_cast<gid_t>(to_int64(group)));
  }
  if (!item(7).is_none()) start.call = item(7);
}

}  // namespace

Value spawn_program(const Parameters& p) {
  require_outside();
  Start start;
  start.programs = path_texts_of(p[0]);
  start.words = path_texts_of(p[1]);
  start.inherits_variables = p[2].is_none();
  if (!start.inherits_variables) start.variables = variables_of(p[2]);
  for (std::int64_t number = 0; number < 3; ++number)
    start.sources[number] = to_c_int(get_item(p[3], Value::integer(number)));
  start.closes = !p[4].is_none();
  if (start.closes) {
    Iteration kept(p[4]);
    Value descriptor;
    while (kept.next(descriptor)) start.kept.push_back(to_c_int(descriptor));
    std::sort(start.kept.begin(), start.kept.end());
  }
  start.enters = !p[5].is_none();
  if (start.enters) start.folder = path_text(p[5]);
  read_settings(start, p[6]);
  start.given = words_of(start.words);
  start.named = words_of(start.variables);
  flush_standard_streams();
  Failure failure;
  pid_t process = run_start(start, failure);
  return make_tuple({Value::integer(process), Value::integer(static_cast<int>(failure.step)),
                     Value::integer(failure.error)});
}

}  // namespace strider::lang
