// The part of os that works on processes.
#include "interpreter/builtins/modules/processes/os_processes.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/builtins/modules/os/descriptor.h"
#include "interpreter/builtins/modules/os/system_path.h"
#include "interpreter/builtins/modules/processes/spawned_programs.h"
#include "interpreter/builtins/streams.h"
#include "interpreter/evaluator/frames/threads.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// What a call of the system gave; OSError for -1.
template <class Number>
Value checked(Number result) {
  if (result == static_cast<Number>(-1)) raise_os_error(errno);
  return Value::integer(static_cast<std::int64_t>(result));
}

Value done(int result) {
  if (result < 0) raise_os_error(errno);
  return Value::none();
}

Value wait_for(pid_t process, int options) {
  int status = 0;
  Interpreter& interpreter = Interpreter::current();
  bool patient = !(options & WNOHANG);
  for (;;) {
    bool others = patient && has_other_threads(interpreter);
    pid_t ended = waitpid(process, &status, others ? options | WNOHANG : options);
    if (ended > 0 || (ended == 0 && !patient))
      return make_tuple({Value::integer(ended), Value::integer(status)});
    if (ended < 0 && errno != EINTR) raise_os_error(errno);
    if (ended == 0)
      wait_a_little(interpreter);
    else
      poll_interrupt(interpreter);
  }
}

Value os_wait(const Parameters&) { return wait_for(-1, 0); }
Value os_waitpid(const Parameters& p) { return wait_for(to_c_int(p[0]), to_c_int(p[1])); }

// Puts another program in this one's place; `env` None: with its environment.
Value replace_process(const Value& path, const Value& arguments, const Value& env,
                      bool shows_path) {
  std::string program = path_text(path);
  std::vector<std::string> texts = path_texts_of(arguments), variables;
  if (texts.empty()) raise(errors::ValueError, "execv() arg 2 must not be empty");
  if (texts[0].empty()) raise(errors::ValueError, "execv() arg 2 first element cannot be empty");
  if (!env.is_none()) variables = variables_of(env);
  for (const std::string& variable : variables)
    if (variable[0] == '=') raise(errors::ValueError, "illegal environment variable name");
  flush_standard_streams();
  std::vector<char*> given = words_of(texts), named = words_of(variables);
  execvpe(program.c_str(), given.data(), env.is_none() ? environ : named.data());
  if (shows_path) raise_os_error(errno, program);
  raise_os_error(errno);
}

Value os_execve(const Parameters& p) {
  if (is_integer(p[0])) {
    SystemPath open("execve", p[0], SystemPath::kDescriptor);
    std::string place = fmt::format("/proc/self/fd/{}", open.descriptor());
    return replace_process(make_str(place), p[1], p[2], true);
  }
  std::string path = path_text(p[0]);  // no search: a name alone is a file of this folder
  if (path.find('/') == path.npos) path = "./" + path;
  return replace_process(make_str(path), p[1], p[2], true);
}
Value os_execvpe(const Parameters& p) { return replace_process(p[0], p[1], p[2], false); }

Value os_getpriority(const Parameters& p) {
  errno = 0;
  int priority = getpriority(static_cast<__priority_which_t>(to_c_int(p[0])),
                             static_cast<id_t>(to_c_int(p[1])));
  if (priority == -1 && errno) raise_os_error(errno);
  return Value::integer(priority);
}

Value os_setpriority(const Parameters& p) {
  return done(setpriority(static_cast<__priority_which_t>(to_c_int(p[0])),
                          static_cast<id_t>(to_c_int(p[1])), to_c_int(p[2])));
}

Value os_nice(const Parameters& p) {
  errno = 0;
  int priority = nice(to_c_int(p[0]));
  if (priority == -1 && errno) raise_os_error(errno);
  return Value::integer(priority);
}

Value os_sched_setaffinity(const Parameters& p) {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  Iteration numbers(p[1]);
  Value number;
  while (numbers.next(number)) {
    if (to_c_int(number) < 0) raise(errors::ValueError, "negative CPU number");
    CPU_SET(static_cast<std::size_t>(to_c_int(number)), &processors);
  }
  return done(sched_setaffinity(to_c_int(p[0]), sizeof processors, &processors));
}

struct Limit {
  const char* name;
  int number;
};

constexpr Limit kLimits[] = {
    {"SC_ARG_MAX", _SC_ARG_MAX},
    {"SC_CHILD_MAX", _SC_CHILD_MAX},
    {"SC_CLK_TCK", _SC_CLK_TCK},
    {"SC_OPEN_MAX", _SC_OPEN_MAX},
    {"SC_PAGESIZE", _SC_PAGESIZE},
    {"SC_PAGE_SIZE", _SC_PAGESIZE},
    {"SC_PHYS_PAGES", _SC_PHYS_PAGES},
    {"SC_AVPHYS_PAGES", _SC_AVPHYS_PAGES},
    {"SC_NPROCESSORS_CONF", _SC_NPROCESSORS_CONF},
    {"SC_NPROCESSORS_ONLN", _SC_NPROCESSORS_ONLN},
    {"SC_HOST_NAME_MAX", _SC_HOST_NAME_MAX},
    {"SC_LOGIN_NAME_MAX", _SC_LOGIN_NAME_MAX},
    {"SC_LINE_MAX", _SC_LINE_MAX},
    {"SC_LEVEL1_DCACHE_SIZE", _SC_LEVEL1_DCACHE_SIZE},
    {"SC_LEVEL1_DCACHE_LINESIZE", _SC_LEVEL1_DCACHE_LINESIZE},
    {"SC_LEVEL2_CACHE_SIZE", _SC_LEVEL2_CACHE_SIZE},
    {"SC_LEVEL3_CACHE_SIZE", _SC_LEVEL3_CACHE_SIZE},
};

Value os_sysconf(const Parameters& p) {
  if (!is_str(p[0])) return Value::integer(sysconf(to_c_int(p[0])));
  for (const Limit& limit : kLimits)
    if (text_of(p[0]) == limit.name) return Value::integer(sysconf(limit.number));
  raise(errors::ValueError, "unrecognized configuration name");
}

Value os_usage(const Parameters& p) {
  rusage used;
  if (getrusage(static_cast<__rusage_who_t>(to_c_int(p[0])), &used) != 0) raise_os_error(errno);
  return told_usage(used);
}

Value os_get_limit(const Parameters& p) {
  rlimit limit;
  if (getrlimit(static_cast<__rlimit_resource_t>(to_c_int(p[0])), &limit) != 0)
    raise(errors::ValueError, "invalid resource specified");
  return make_tuple({Value::integer(static_cast<std::int64_t>(limit.rlim_cur)),
                     Value::integer(static_cast<std::int64_t>(limit.rlim_max))});
}

Value os_set_limit(const Parameters& p) {
  rlimit limit{static_cast<rlim_t>(to_int64(p[1])), static_cast<rlim_t>(to_int64(p[2]))};
  if (setrlimit(static_cast<__rlimit_resource_t>(to_c_int(p[0])), &limit) == 0)
    return Value::none();
  if (errno == EINVAL) raise(errors::ValueError, "current limit exceeds maximum limit");
  if (errno == EPERM) raise(errors::ValueError, "not allowed to raise maximum limit");
  raise_os_error(errno);
}

Value os_confstr(const Parameters& p) {
  if (to_text(p[0], "name") != "CS_GNU_LIBC_VERSION" && to_text(p[0], "name") != "CS_PATH")
    raise(errors::ValueError, "unrecognized configuration name");
  char text[256];
  int name = text_of(p[0]) == "CS_PATH" ? _CS_PATH : _CS_GNU_LIBC_VERSION;
  std::size_t size = confstr(name, text, sizeof text);
  return size > 0 ? Value(make_str(std::string_view(text, size - 1))) : Value::none();
}

Value os_getlogin(const Parameters&) {
  const char* name = getlogin();
  if (!name) raise_os_error(errno ? errno : ENOTTY);
  return make_str(name);
}

Value os_getgroups(const Parameters&) {
  gid_t groups[1024];
  int count = getgroups(1024, groups);
  if (count < 0) raise_os_error(errno);
  Values numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(Value::integer(groups[i]));
  return make_list(std::move(numbers));
}

Value os_ttyname(const Parameters& p) {
  const char* name = ttyname(to_c_int(p[0]));
  if (!name) raise_os_error(errno);
  return make_str(name);
}

Value os_pread(const Parameters& p) {
  if (to_int64(p[1]) < 0) raise_os_error(EINVAL);
  ReadBytes bytes(static_cast<std::size_t>(to_int64(p[1])));
  ssize_t got = pread(to_c_int(p[0]), bytes.data(), bytes.room(), to_int64(p[2]));
  if (got < 0) raise_os_error(errno);
  return make<Bytes>(bytes.first(got));
}

Value os_pwrite(const Parameters& p) {
  std::string_view bytes = to_bytes(p[1]);
  return checked(pwrite(to_c_int(p[0]), bytes.data(), bytes.size(), to_int64(p[2])));
}

Value os_dup2(const Parameters& p) {
  return checked(dup3(to_c_int(p[0]), to_c_int(p[1]), truth(p[2]) ? 0 : O_CLOEXEC));
}

template <auto kTest>
Value status_flag(const Parameters& p) {
  return Value::boolean(kTest(to_c_int(p[0])));
}

template <auto kPart>
Value status_part(const Parameters& p) {
  return Value::integer(kPart(to_c_int(p[0])));
}

constexpr Limit kConstants[] = {
    {"WNOHANG", WNOHANG},
    {"WUNTRACED", WUNTRACED},
    {"WCONTINUED", WCONTINUED},
    {"P_WAIT", 0},
    {"P_NOWAIT", 1},
    {"P_NOWAITO", 1},
    {"PRIO_PROCESS", PRIO_PROCESS},
    {"PRIO_PGRP", PRIO_PGRP},
    {"PRIO_USER", PRIO_USER},
    {"SCHED_OTHER", SCHED_OTHER},
    {"SCHED_FIFO", SCHED_FIFO},
    {"SCHED_RR", SCHED_RR},
    {"SCHED_BATCH", SCHED_BATCH},
    {"SCHED_IDLE", SCHED_IDLE},
    {"EX_OK", EX_OK},
    {"EX_USAGE", EX_USAGE},
    {"EX_DATAERR", EX_DATAERR},
    {"EX_NOINPUT", EX_NOINPUT},
    {"EX_UNAVAILABLE", EX_UNAVAILABLE},
    {"EX_SOFTWARE", EX_SOFTWARE},
    {"EX_OSERR", EX_OSERR},
    {"EX_OSFILE", EX_OSFILE},
    {"EX_CANTCREAT", EX_CANTCREAT},
    {"EX_IOERR", EX_IOERR},
    {"EX_TEMPFAIL", EX_TEMPFAIL},
    {"EX_NOPERM", EX_NOPERM},
    {"EX_CONFIG", EX_CONFIG},
    {"O_NONBLOCK", O_NONBLOCK},
    {"O_NDELAY", O_NDELAY},
    {"O_SYNC", O_SYNC},
    {"O_CLOEXEC", O_CLOEXEC},
    {"O_DIRECTORY", O_DIRECTORY},
    {"O_NOFOLLOW", O_NOFOLLOW},
    {"O_NOCTTY", O_NOCTTY},
    {"O_DSYNC", O_DSYNC},
    {"O_ACCMODE", O_ACCMODE},
    {"NGROUPS_MAX", 65536},
    {"TMP_MAX", 238328},
};

}  // namespace

Value told_usage(const rusage& used) {
  Values values;
  for (const timeval& time : {used.ru_utime, used.ru_stime})
    values.push_back(
        Value::real(static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6));
  for (long count :
       {used.ru_maxrss, used.ru_ixrss, used.ru_idrss, used.ru_isrss, used.ru_minflt, used.ru_majflt,
        used.ru_nswap, used.ru_inblock, used.ru_oublock, used.ru_msgsnd, used.ru_msgrcv,
        used.ru_nsignals, used.ru_nvcsw, used.ru_nivcsw})
    values.push_back(Value::integer(count));
  return make_tuple(std::move(values));
}

const NativeRow kProcessFunctions[] = {
    {"wait()", outside<os_wait>, "Waits for any child; its number and its status."},
    {"waitpid(pid, options, /)", outside<os_waitpid>, "Waits for a child; its number and status."},
    {"WIFEXITED(status)", status_flag<[](int s) { return WIFEXITED(s); }>,
     "Whether a process ended by itself."},
    {"WIFSIGNALED(status)", status_flag<[](int s) { return WIFSIGNALED(s); }>,
     "Whether a signal ended a process."},
    {"WIFSTOPPED(status)", status_flag<[](int s) { return WIFSTOPPED(s); }>,
     "Whether a process was stopped."},
    {"WCOREDUMP(status, /)", status_flag<[](int s) { return WCOREDUMP(s); }>,
     "Whether a process left its memory in a file."},
    {"WEXITSTATUS(status)", status_part<[](int s) { return WEXITSTATUS(s); }>,
     "The exit status of a process."},
    {"WTERMSIG(status)", status_part<[](int s) { return WTERMSIG(s); }>,
     "The signal that ended a process."},
    {"WSTOPSIG(status)", status_part<[](int s) { return WSTOPSIG(s); }>,
     "The signal that stopped a process."},
    {"execve(path, argv, env)", outside<os_execve>, "Puts another program in this one's place."},
    {"_execvpe(file, args, env, /)", outside<os_execvpe>,
     "Puts another program, looked for in PATH, in this one's place."},
    {"abort()", outside<[](const Parameters&) -> Value { std::abort(); }>,
     "Ends the process by SIGABRT."},
    {"killpg(pgid, signal, /)",
     outside<[](const Parameters& p) { return done(killpg(to_c_int(p[0]), to_c_int(p[1]))); }>,
     "Sends a signal to a group of processes."},
    {"nice(increment, /)", outside<os_nice>, "Adds to the process's niceness; gives the new one."},
    {"getpriority(which, who)", os_getpriority, "The priority of processes."},
    {"setpriority(which, who, priority)", outside<os_setpriority>,
     "Sets the priority of processes."},
    {"sched_setaffinity(pid, mask, /)", outside<os_sched_setaffinity>,
     "Sets the processors that may be used."},
    {"sched_yield()", [](const Parameters&) { return done(sched_yield()); },
     "Lets other processes run."},
    {"getpgid(pid)", [](const Parameters& p) { return checked(getpgid(to_c_int(p[0]))); },
     "The group of a process."},
    {"getpgrp()", [](const Parameters&) { return checked(getpgrp()); },
     "The group of this process."},
    {"getsid(pid, /)", [](const Parameters& p) { return checked(getsid(to_c_int(p[0]))); },
     "The session of a process."},
    {"setsid()", outside<[](const Parameters&) { return done(setsid()); }>, "Begins a session."},
    {"setpgid(pid, pgrp, /)",
     outside<[](const Parameters& p) { return done(setpgid(to_c_int(p[0]), to_c_int(p[1]))); }>,
     "Puts a process into a group."},
    {"getlogin()", os_getlogin, "The user's name at the terminal."},
    {"getgroups()", os_getgroups, "The groups of the user."},
    {"ttyname(fd, /)", os_ttyname, "The terminal's file of a descriptor."},
    {"sysconf(name, /)", os_sysconf, "A limit or measure of the system."},
    {"_usage(who, /)", os_usage, "What processes have used."},
    {"_get_limit(resource, /)", os_get_limit, "The limits of a resource."},
    {"_set_limit(resource, soft, hard, /)", outside<os_set_limit>,
     "Sets the limits of a resource."},
    {"confstr(name, /)", os_confstr, "A text about the system."},
    {"sync()", outside<[](const Parameters&) { return ::sync(), Value::none(); }>,
     "Has everything written to disks."},
    {"pread(fd, length, offset, /)", outside<os_pread>, "Reads bytes at a place."},
    {"pwrite(fd, buffer, offset, /)", outside<os_pwrite>, "Writes bytes at a place."},
    {"dup2(fd, fd2, inheritable=True)", outside<os_dup2>,
     "Makes one descriptor mean another's file."},
    {"fdatasync(fd)", outside<[](const Parameters& p) { return done(fdatasync(to_c_int(p[0]))); }>,
     "Has a file's content written to disk."},
    {"fchdir(fd)", outside<[](const Parameters& p) { return done(fchdir(to_c_int(p[0]))); }>,
     "Goes to an open folder."},
    {"fchmod(fd, mode)", outside<[](const Parameters& p) {
       return done(fchmod(to_c_int(p[0]), static_cast<mode_t>(to_c_int(p[1]))));
     }>,
     "Sets the mode of an open file."},
};
const std::size_t kProcessFunctionCount = std::size(kProcessFunctions);

Value process_constant(std::string_view name) {
  for (const Limit& each : kConstants)
    if (name == each.name) return Value::integer(each.number);
  if (name != "sysconf_names") return Value();
  Ref<Dict> names = make_dict();
  for (const Limit& each : kLimits)
    names->set(Value(make_str(each.name)), Value::integer(each.number));
  return names;
}

}  // namespace strider::lang
