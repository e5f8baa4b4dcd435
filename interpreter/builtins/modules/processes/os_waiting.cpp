// The part of os that waits for processes in other ways, moves bytes in pieces, changes identities
// and asks the scheduler.
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/os/descriptor.h"
#include "interpreter/builtins/modules/os/struct_sequence.h"
#include "interpreter/builtins/modules/os/system_path.h"
#include "interpreter/builtins/modules/processes/os_processes.h"
#include "interpreter/evaluator/frames/threads.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value done(std::int64_t result) {
  if (result < 0) raise_os_error(errno);
  return Value::none();
}

Value checked(std::int64_t result) {
  if (result < 0) raise_os_error(errno);
  return Value::integer(result);
}

// Calls `look` until it says something other than "nothing yet" (0), while others have their turns.
template <class Look>
std::int64_t waited(bool patient, const Look& look) {
  Interpreter& interpreter = Interpreter::current();
  for (;;) {
    bool others = patient && has_other_threads(interpreter);
    std::int64_t found = look(!patient || others);
    if (found > 0 || (found == 0 && !others)) return found;
    if (found < 0 && errno != EINTR) raise_os_error(errno);
    found == 0 ? wait_a_little(interpreter) : poll_interrupt(interpreter);
  }
}

// (number, status, what the process used as a tuple)
Value os_wait4(const Parameters& p) {
  int status = 0, options = to_c_int(p[1]);
  rusage used = {};
  std::int64_t ended = waited(!(options & WNOHANG), [&](bool at_once) {
    return wait4(to_c_int(p[0]), &status, options | (at_once ? WNOHANG : 0), &used);
  });
  return make_tuple({Value::integer(ended), Value::integer(status), told_usage(used)});
}

Value os_waitid(const Parameters& p) {
  static constexpr const char* kFields[] = {"si_pid", "si_uid", "si_signo", "si_status", "si_code"};
  static StructSequenceType type("waitid_result", "os", kFields, 5);
  siginfo_t told = {};
  int options = to_c_int(p[2]);
  waited(!(options & WNOHANG), [&](bool at_once) -> std::int64_t {
    told.si_pid = 0;
    int result = waitid(static_cast<idtype_t>(to_c_int(p[0])), static_cast<id_t>(to_c_int(p[1])),
                        &told, options | (at_once ? WNOHANG : 0));
    return result < 0 ? -1 : told.si_pid;
  });
  if (told.si_pid == 0) return Value::none();
  return type.make({Value::integer(told.si_pid), Value::integer(told.si_uid),
                    Value::integer(told.si_signo), Value::integer(told.si_status),
                    Value::integer(told.si_code)});
}

// The memory of several buffers, kept in place as long as this lives.
class Pieces {
 public:
  Pieces(const Value& buffers, bool writing) {
    Iteration each(buffers);
    Value buffer;
    while (each.next(buffer)) {
      const BufferOffer* offer = find_buffer(buffer);
      if (!offer || (writing && !offer->describe(buffer).writable))
        raise(errors::TypeError, "{}, not '{}'",
              writing ? "read-write bytes-like object expected" : "a bytes-like object is required",
              type_name(buffer));
      held_.push_back(std::make_unique<HeldBuffer>(buffer));
      std::size_t size = buffer_bytes(buffer, *offer).size();
      parts_.push_back({offer->place(buffer, writing), size});
    }
  }
  const iovec* data() const { return parts_.data(); }
  int count() const { return static_cast<int>(std::min<std::size_t>(parts_.size(), IOV_MAX)); }

 private:
  std::vector<std::unique_ptr<HeldBuffer>> held_;
  std::vector<iovec> parts_;
};

Value os_readv(const Parameters& p) {
  Pieces pieces(p[1], true);
  int descriptor = to_c_int(p[0]);
  return Value::integer(moved_bytes(
      descriptor, POLLIN, [&] { return readv(descriptor, pieces.data(), pieces.count()); }));
}

Value os_preadv(const Parameters& p) {
  Pieces pieces(p[1], true);
  return checked(
      preadv2(to_c_int(p[0]), pieces.data(), pieces.count(), to_int64(p[2]), to_c_int(p[3])));
}

Value os_pwritev(const Parameters& p) {
  Pieces pieces(p[1], false);
  return checked(
      pwritev2(to_c_int(p[0]), pieces.data(), pieces.count(), to_int64(p[2]), to_c_int(p[3])));
}

Value os_copy_file_range(const Parameters& p) {
  off64_t from = p[3].is_none() ? 0 : to_int64(p[3]), to = p[4].is_none() ? 0 : to_int64(p[4]);
  std::int64_t count = to_int64(p[2]);
  if (count < 0) raise(errors::ValueError, "negative value for 'count' not allowed");
  return checked(copy_file_range(to_c_int(p[0]), p[3].is_none() ? nullptr : &from, to_c_int(p[1]),
                                 p[4].is_none() ? nullptr : &to, static_cast<std::size_t>(count),
                                 0));
}

Value os_eventfd_read(const Parameters& p) {
  eventfd_t value = 0;
  int descriptor = to_c_int(p[0]);
  moved_bytes(descriptor, POLLIN, [&] { return eventfd_read(descriptor, &value); });
  return from_uint64(value);
}

Value os_setgroups(const Parameters& p) {
  std::vector<gid_t> groups;
  Iteration each(p[0]);
  Value group;
  while (each.next(group)) groups.push_back(to_identity(group, "gid"));
  return done(setgroups(groups.size(), groups.data()));
}

int policy_limit(const Value& policy, int (*limit)(int)) {
  int found = limit(to_c_int(policy));
  if (found < 0) raise_os_error(errno);
  return found;
}

StructSequenceType& parameters_type() {
  static constexpr const char* kFields[] = {"sched_priority"};
  static StructSequenceType type("sched_param", "posix", kFields, 1);
  return type;
}

sched_param parameters_of(const Value& value) {
  sched_param parameters = {};
  parameters.sched_priority = to_c_int(get_attribute(value, intern("sched_priority")));
  return parameters;
}

Value os_sched_getparam(const Parameters& p) {
  sched_param parameters;
  if (sched_getparam(to_c_int(p[0]), &parameters) != 0) raise_os_error(errno);
  return parameters_type().make({Value::integer(parameters.sched_priority)});
}

Value os_sched_rr_get_interval(const Parameters& p) {
  timespec interval;
  if (sched_rr_get_interval(to_c_int(p[0]), &interval) != 0) raise_os_error(errno);
  return Value::real(static_cast<double>(interval.tv_sec) +
                     1e-9 * static_cast<double>(interval.tv_nsec));
}

struct PathLimit {
  const char* name;
  int number;
};

constexpr PathLimit kPathLimits[] = {
    {"PC_LINK_MAX", _PC_LINK_MAX},         {"PC_MAX_CANON", _PC_MAX_CANON},
    {"PC_MAX_INPUT", _PC_MAX_INPUT},       {"PC_NAME_MAX", _PC_NAME_MAX},
    {"PC_PATH_MAX", _PC_PATH_MAX},         {"PC_PIPE_BUF", _PC_PIPE_BUF},
    {"PC_NO_TRUNC", _PC_NO_TRUNC},         {"PC_CHOWN_RESTRICTED", _PC_CHOWN_RESTRICTED},
    {"PC_VDISABLE", _PC_VDISABLE},         {"PC_SYNC_IO", _PC_SYNC_IO},
    {"PC_FILESIZEBITS", _PC_FILESIZEBITS},
};

int path_limit_of(const Value& name) {
  if (!is_str(name)) return to_c_int(name);
  for (const PathLimit& limit : kPathLimits)
    if (text_of(name) == limit.name) return limit.number;
  raise(errors::ValueError, "unrecognized configuration name");
}

Value os_pathconf(const Parameters& p) {
  SystemPath path("pathconf", p[0], SystemPath::kDescriptor);
  int limit = path_limit_of(p[1]);
  errno = 0;
  long found = path.is_open() ? fpathconf(path.descriptor(), limit) : pathconf(path.name(), limit);
  if (found < 0 && errno) path.fail(errno);
  return Value::integer(found);
}

constexpr PathLimit kConstants[] = {
    {"P_PID", P_PID},
    {"P_PGID", P_PGID},
    {"P_ALL", P_ALL},
    {"P_PIDFD", 3},
    {"CLD_EXITED", CLD_EXITED},
    {"CLD_KILLED", CLD_KILLED},
    {"CLD_DUMPED", CLD_DUMPED},
    {"CLD_TRAPPED", CLD_TRAPPED},
    {"CLD_STOPPED", CLD_STOPPED},
    {"CLD_CONTINUED", CLD_CONTINUED},
    {"EFD_CLOEXEC", EFD_CLOEXEC},
    {"EFD_NONBLOCK", EFD_NONBLOCK},
    {"EFD_SEMAPHORE", EFD_SEMAPHORE},
    {"RWF_DSYNC", RWF_DSYNC},
    {"RWF_HIPRI", RWF_HIPRI},
    {"RWF_SYNC", RWF_SYNC},
    {"RWF_NOWAIT", RWF_NOWAIT},
    {"RWF_APPEND", RWF_APPEND},
    {"SCHED_RESET_ON_FORK", SCHED_RESET_ON_FORK},
    {"EX_NOUSER", 67},
    {"EX_NOHOST", 68},
    {"EX_PROTOCOL", 76},
};

}  // namespace

const NativeRow kWaitingFunctions[] = {
    {"_wait4(pid, options, /)", outside<os_wait4>,
     "Waits for a child; its number, its status and what it used."},
    {"waitid(idtype, id, options, /)", outside<os_waitid>,
     "Waits for what happens to children; None where nothing did."},
    {"WIFCONTINUED(status)",
     [](const Parameters& p) { return Value::boolean(WIFCONTINUED(to_c_int(p[0]))); },
     "Whether a process went on after it was stopped."},
    {"readv(fd, buffers, /)", outside<os_readv>, "Reads into several buffers."},
    {"preadv(fd, buffers, offset, flags=0, /)", outside<os_preadv>,
     "Reads at a place into several buffers."},
    {"pwritev(fd, buffers, offset, flags=0, /)", outside<os_pwritev>,
     "Writes several buffers at a place."},
    {"copy_file_range(src, dst, count, offset_src=None, offset_dst=None)",
     outside<os_copy_file_range>, "Copies bytes from file to file within the system."},
    {"eventfd(initval, flags=524288)", outside<[](const Parameters& p) {
       return checked(eventfd(static_cast<unsigned>(to_int64(p[0])), to_c_int(p[1])));
     }>,
     "A descriptor that counts."},
    {"eventfd_read(fd)", outside<os_eventfd_read>, "Takes what such a descriptor has counted."},
    {"eventfd_write(fd, value)", outside<[](const Parameters& p) {
       return done(eventfd_write(to_c_int(p[0]), static_cast<eventfd_t>(to_int64(p[1]))));
     }>,
     "Adds to such a descriptor."},
    {"pidfd_open(pid, flags=0)", outside<[](const Parameters& p) {
       return checked(
           syscall(SYS_pidfd_open, to_c_int(p[0]), static_cast<unsigned>(to_c_int(p[1]))));
     }>,
     "A descriptor that is ready when a process has ended."},
    {"setgroups(groups, /)", outside<os_setgroups>, "Sets the further groups of the user."},
    {"initgroups(username, gid, /)", outside<[](const Parameters& p) {
       std::string user(to_text(p[0], "initgroups() argument 1"));
       return done(initgroups(user.c_str(), to_identity(p[1], "gid")));
     }>,
     "Sets the further groups as they are known for a user."},
    {"setreuid(ruid, euid, /)", outside<[](const Parameters& p) {
       return done(setreuid(to_identity(p[0], "uid"), to_identity(p[1], "uid")));
     }>,
     "Sets the real and the effective user."},
    {"setregid(rgid, egid, /)", outside<[](const Parameters& p) {
       return done(setregid(to_identity(p[0], "gid"), to_identity(p[1], "gid")));
     }>,
     "Sets the real and the effective group."},
    {"setresuid(ruid, euid, suid, /)", outside<[](const Parameters& p) {
       return done(
           setresuid(to_identity(p[0], "uid"), to_identity(p[1], "uid"), to_identity(p[2], "uid")));
     }>,
     "Sets the real, the effective and the saved user."},
    {"setresgid(rgid, egid, sgid, /)", outside<[](const Parameters& p) {
       return done(
           setresgid(to_identity(p[0], "gid"), to_identity(p[1], "gid"), to_identity(p[2], "gid")));
     }>,
     "Sets the real, the effective and the saved group."},
    {"setpgrp()", outside<[](const Parameters&) { return done(setpgrp()); }>,
     "Makes the process the leader of a group."},
    {"chroot(path)", outside<[](const Parameters& p) {
       SystemPath path("chroot", p[0]);
       if (chroot(path.name()) != 0) path.fail(errno);
       return Value::none();
     }>,
     "Makes a folder the root of the process."},
    {"sched_get_priority_max(policy)",
     [](const Parameters& p) { return checked(policy_limit(p[0], sched_get_priority_max)); },
     "The highest priority of a policy."},
    {"sched_get_priority_min(policy)",
     [](const Parameters& p) { return checked(policy_limit(p[0], sched_get_priority_min)); },
     "The lowest priority of a policy."},
    {"sched_getscheduler(pid, /)",
     [](const Parameters& p) { return checked(sched_getscheduler(to_c_int(p[0]))); },
     "The policy by which a process gets its turns."},
    {"sched_setscheduler(pid, policy, param, /)", outside<[](const Parameters& p) {
       sched_param parameters = parameters_of(p[2]);
       return done(sched_setscheduler(to_c_int(p[0]), to_c_int(p[1]), &parameters));
     }>,
     "Sets the policy by which a process gets its turns."},
    {"sched_getparam(pid, /)", os_sched_getparam, "The priority of a process in its policy."},
    {"sched_setparam(pid, param, /)", outside<[](const Parameters& p) {
       sched_param parameters = parameters_of(p[1]);
       return done(sched_setparam(to_c_int(p[0]), &parameters));
     }>,
     "Sets the priority of a process in its policy."},
    {"sched_rr_get_interval(pid, /)", os_sched_rr_get_interval, "The length of a turn in seconds."},
    {"pathconf(path, name)", os_pathconf, "A limit of a file system."},
    {"fpathconf(fd, name, /)", os_pathconf, "A limit of the file system of an open file."},
};
const std::size_t kWaitingFunctionCount = std::size(kWaitingFunctions);

Value waiting_constant(std::string_view name) {
  for (const PathLimit& each : kConstants)
    if (name == each.name) return Value::integer(each.number);
  if (name == "sched_param") return Value(&parameters_type().type());
  if (name != "pathconf_names") return Value();
  Ref<Dict> names = make_dict();
  for (const PathLimit& each : kPathLimits)
    names->set(Value(make_str(each.name)), Value::integer(each.number));
  return names;
}

}  // namespace strider::lang
