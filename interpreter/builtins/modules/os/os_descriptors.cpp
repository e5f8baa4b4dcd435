// The part of os that works on descriptors, devices, extended attributes and identities.
#include "interpreter/builtins/modules/os/os_descriptors.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <grp.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/builtins/modules/os/descriptor.h"
#include "interpreter/builtins/modules/os/system_path.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::size_t kAttributeSize = 65536;  // of an extended attribute at most

Value checked(std::int64_t result) {
  if (result < 0) raise_os_error(errno);
  return Value::integer(result);
}

Value done(std::int64_t result) {
  if (result < 0) raise_os_error(errno);
  return Value::none();
}

Value os_pipe2(const Parameters& p) {
  int ends[2];
  if (pipe2(ends, to_c_int(p[0])) != 0) raise_os_error(errno);
  return make_tuple({Value::integer(ends[0]), Value::integer(ends[1])});
}

Value os_closerange(const Parameters& p) {
  for (int each = std::max(to_c_int(p[0]), 0); each < to_c_int(p[1]); ++each) close(each);
  return Value::none();
}

// Sets or clears a flag of a descriptor, which `get` and `set` are asked for.
Value set_flag(int descriptor, int get, int set, int flag, bool wanted) {
  int flags = fcntl(descriptor, get);
  if (flags < 0) raise_os_error(errno);
  return done(fcntl(descriptor, set, wanted ? flags | flag : flags & ~flag));
}

bool has_flag(int descriptor, int get, int flag) {
  int flags = fcntl(descriptor, get);
  if (flags < 0) raise_os_error(errno);
  return flags & flag;
}

Value os_set_blocking(const Parameters& p) {
  return set_flag(to_c_int(p[0]), F_GETFL, F_SETFL, O_NONBLOCK, !truth(p[1]));
}

Value os_set_inheritable(const Parameters& p) {
  return set_flag(to_c_int(p[0]), F_GETFD, F_SETFD, FD_CLOEXEC, !truth(p[1]));
}

Value os_writev(const Parameters& p) {
  std::vector<iovec> pieces;
  Values kept;
  Iteration buffers(p[1]);
  Value buffer;
  while (buffers.next(buffer)) {
    std::string_view bytes = to_bytes(buffer);
    kept.push_back(buffer);
    pieces.push_back({const_cast<char*>(bytes.data()), bytes.size()});
  }
  return checked(writev(to_c_int(p[0]), pieces.data(), static_cast<int>(pieces.size())));
}

Value os_sendfile(const Parameters& p) {
  off_t offset = p[2].is_none() ? 0 : to_int64(p[2]);
  return checked(sendfile(to_c_int(p[0]), to_c_int(p[1]), p[2].is_none() ? nullptr : &offset,
                          static_cast<std::size_t>(to_int64(p[3]))));
}

Value os_memfd_create(const Parameters& p) {
  return checked(memfd_create(std::string(to_text(p[0], "name")).c_str(),
                              static_cast<unsigned>(to_int64(p[1]))));
}

Value os_posix_fallocate(const Parameters& p) {
  if (int error = posix_fallocate(to_c_int(p[0]), to_int64(p[1]), to_int64(p[2])))
    raise_os_error(error);
  return Value::none();
}

Value os_posix_fadvise(const Parameters& p) {
  if (int error = posix_fadvise(to_c_int(p[0]), to_int64(p[1]), to_int64(p[2]), to_c_int(p[3])))
    raise_os_error(error);
  return Value::none();
}

// A file whose extended attributes are asked for; links are followed unless that is not wanted.
struct Attributed {
  Attributed(const char* function, const Value& given, bool wanted, int kinds = 0)
      : path(function, given, SystemPath::kDescriptor | kinds), follow(wanted) {
    if (path.is_open() && !follow)
      raise(errors::ValueError, "{}: cannot use fd and follow_symlinks together", function);
  }
  // Calls whichever of the three functions fits.
  template <class Open, class Path, class Link, class... Rest>
  auto call(Open open, Path plain, Link link, Rest... rest) const {
    return path.is_open() ? open(path.descriptor(), rest...)
                          : (follow ? plain : link)(path.name(), rest...);
  }
  Value done(int status) const {
    if (status != 0) path.fail(errno);
    return Value::none();
  }
  SystemPath path;
  bool follow;
};

Value os_getxattr(const Parameters& p) {
  Attributed file("getxattr", p[0], truth(p[2]));
  std::string name = path_text(p[1]), bytes(kAttributeSize, '\0');
  ssize_t size =
      file.call(fgetxattr, getxattr, lgetxattr, name.c_str(), bytes.data(), bytes.size());
  if (size < 0) file.path.fail(errno);
  bytes.resize(static_cast<std::size_t>(size));
  return Value(make<Bytes>(std::move(bytes)));
}

Value os_setxattr(const Parameters& p) {
  Attributed file("setxattr", p[0], truth(p[4]));
  std::string name = path_text(p[1]);
  std::string_view bytes = to_bytes(p[2]);
  return file.done(file.call(fsetxattr, setxattr, lsetxattr, name.c_str(), bytes.data(),
                             bytes.size(), to_c_int(p[3])));
}

Value os_removexattr(const Parameters& p) {
  Attributed file("removexattr", p[0], truth(p[2]));
  std::string name = path_text(p[1]);
  return file.done(file.call(fremovexattr, removexattr, lremovexattr, name.c_str()));
}

Value os_listxattr(const Parameters& p) {
  Attributed file("listxattr", p[0], truth(p[1]), SystemPath::kNothing);
  std::string bytes(kAttributeSize, '\0');
  ssize_t size = file.call(flistxattr, listxattr, llistxattr, bytes.data(), bytes.size());
  if (size < 0) file.path.fail(errno);
  Values names;
  for (std::size_t at = 0; at < static_cast<std::size_t>(size); at = bytes.find('\0', at) + 1)
    names.push_back(system_text(bytes.c_str() + at));
  return make_list(std::move(names));
}

Value os_getresuid(const Parameters&) {
  uid_t real = 0, effective = 0, saved = 0;
  if (getresuid(&real, &effective, &saved) != 0) raise_os_error(errno);
  return make_tuple({Value::integer(real), Value::integer(effective), Value::integer(saved)});
}

Value os_getresgid(const Parameters&) {
  gid_t real = 0, effective = 0, saved = 0;
  if (getresgid(&real, &effective, &saved) != 0) raise_os_error(errno);
  return make_tuple({Value::integer(real), Value::integer(effective), Value::integer(saved)});
}

Value os_getgrouplist(const Parameters& p) {
  std::string user(to_text(p[0], "user"));
  std::vector<gid_t> groups(64);
  int count = static_cast<int>(groups.size());
  auto own = static_cast<gid_t>(to_int64(p[1]));
  while (getgrouplist(user.c_str(), own, groups.data(), &count) < 0) {
    groups.resize(std::max<std::size_t>(static_cast<std::size_t>(count), 2 * groups.size()));
    count = static_cast<int>(groups.size());
  }
  Values found;
  groups.resize(static_cast<std::size_t>(count));
  for (gid_t each : groups) found.push_back(Value::integer(each));
  return make_list(std::move(found));
}

dev_t device_of(const Value& value) {
  std::int64_t number = to_int64(value);
  if (number < 0) raise(errors::OverflowError, "can't convert negative int to unsigned");
  return static_cast<dev_t>(number);
}

unsigned part_of_device(const Value& value) {
  dev_t number = device_of(value);
  if (number > 0xffffffff) raise(errors::OverflowError, "Python int too large to convert to C int");
  return static_cast<unsigned>(number);
}

template <int (*kSet)(id_t)>
Value set_identity(const Parameters& p) {
  return done(kSet(to_identity(p[0], "uid")));
}

struct Constant {
  const char* name;
  std::int64_t number;
};

#define STRIDER_CONSTANT(name) \
  Constant { #name, static_cast < std::int64_t>(name) }

constexpr Constant kConstants[] = {
    STRIDER_CONSTANT(F_LOCK),
    STRIDER_CONSTANT(F_TEST),
    STRIDER_CONSTANT(F_TLOCK),
    STRIDER_CONSTANT(F_ULOCK),
    STRIDER_CONSTANT(O_ASYNC),
    STRIDER_CONSTANT(O_DIRECT),
    STRIDER_CONSTANT(O_FSYNC),
    STRIDER_CONSTANT(O_LARGEFILE),
    STRIDER_CONSTANT(O_NOATIME),
    STRIDER_CONSTANT(O_PATH),
    STRIDER_CONSTANT(O_RSYNC),
    STRIDER_CONSTANT(O_TMPFILE),
    STRIDER_CONSTANT(GRND_NONBLOCK),
    STRIDER_CONSTANT(GRND_RANDOM),
    STRIDER_CONSTANT(MFD_CLOEXEC),
    STRIDER_CONSTANT(MFD_ALLOW_SEALING),
    STRIDER_CONSTANT(POSIX_FADV_NORMAL),
    STRIDER_CONSTANT(POSIX_FADV_SEQUENTIAL),
    STRIDER_CONSTANT(POSIX_FADV_RANDOM),
    STRIDER_CONSTANT(POSIX_FADV_WILLNEED),
    STRIDER_CONSTANT(POSIX_FADV_DONTNEED),
    STRIDER_CONSTANT(POSIX_FADV_NOREUSE),
    STRIDER_CONSTANT(RTLD_LAZY),
    STRIDER_CONSTANT(RTLD_NOW),
    STRIDER_CONSTANT(RTLD_GLOBAL),
    STRIDER_CONSTANT(RTLD_LOCAL),
    STRIDER_CONSTANT(RTLD_NODELETE),
    STRIDER_CONSTANT(RTLD_NOLOAD),
    STRIDER_CONSTANT(RTLD_DEEPBIND),
    STRIDER_CONSTANT(SEEK_DATA),
    STRIDER_CONSTANT(SEEK_HOLE),
    STRIDER_CONSTANT(ST_RDONLY),
    STRIDER_CONSTANT(ST_NOSUID),
    STRIDER_CONSTANT(ST_NODEV),
    STRIDER_CONSTANT(ST_NOEXEC),
    STRIDER_CONSTANT(WEXITED),
    STRIDER_CONSTANT(WNOWAIT),
    STRIDER_CONSTANT(WSTOPPED),
    STRIDER_CONSTANT(XATTR_CREATE),
    STRIDER_CONSTANT(XATTR_REPLACE),
    {"XATTR_SIZE_MAX", kAttributeSize},
};

#undef STRIDER_CONSTANT

}  // namespace

const NativeRow kDescriptorFunctions[] = {
    {"pipe2(flags, /)", outside<os_pipe2>, "Two connected descriptors with flags."},
    {"closerange(fd_low, fd_high, /)", outside<os_closerange>, "Closes descriptors."},
    {"lockf(fd, command, length, /)", outside<[](const Parameters& p) {
       return done(lockf(to_c_int(p[0]), to_c_int(p[1]), to_int64(p[2])));
     }>,
     "Locks, unlocks or tests a part of a file."},
    {"get_blocking(fd, /)", outside<[](const Parameters& p) {
       return Value::boolean(!has_flag(to_c_int(p[0]), F_GETFL, O_NONBLOCK));
     }>,
     "Whether reading and writing wait."},
    {"set_blocking(fd, blocking, /)", outside<os_set_blocking>,
     "Sets whether reading and writing wait."},
    {"get_inheritable(fd, /)", outside<[](const Parameters& p) {
       return Value::boolean(!has_flag(to_c_int(p[0]), F_GETFD, FD_CLOEXEC));
     }>,
     "Whether programs that are started have a descriptor, too."},
    {"set_inheritable(fd, inheritable, /)", outside<os_set_inheritable>,
     "Sets whether programs that are started have a descriptor, too."},
    {"major(device, /)", [](const Parameters& p) { return Value::integer(major(device_of(p[0]))); },
     "The kind of a device."},
    {"minor(device, /)", [](const Parameters& p) { return Value::integer(minor(device_of(p[0]))); },
     "Which device of its kind it is."},
    {"makedev(major, minor, /)",
     [](const Parameters& p) {
       return Value::integer(
           static_cast<std::int64_t>(makedev(part_of_device(p[0]), part_of_device(p[1]))));
     },
     "The number of a device."},
    {"fchown(fd, uid, gid)", outside<[](const Parameters& p) {
       return done(fchown(to_c_int(p[0]), to_identity(p[1], "uid"), to_identity(p[2], "gid")));
     }>,
     "Sets the owner of an open file."},
    {"writev(fd, buffers, /)", outside<os_writev>, "Writes several pieces."},
    {"sendfile(out_fd, in_fd, offset, count)", outside<os_sendfile>,
     "Copies bytes between descriptors."},
    {"memfd_create(name, flags=1)", outside<os_memfd_create>, "A file in memory."},
    {"posix_fallocate(fd, offset, length, /)", outside<os_posix_fallocate>,
     "Has room on the disk kept for a file."},
    {"posix_fadvise(fd, offset, length, advice, /)", outside<os_posix_fadvise>,
     "Tells how a file will be read."},
    {"getxattr(path, attribute, *, follow_symlinks=True)", outside<os_getxattr>,
     "An extended attribute of a file."},
    {"setxattr(path, attribute, value, flags=0, *, follow_symlinks=True)", outside<os_setxattr>,
     "Sets an extended attribute of a file."},
    {"removexattr(path, attribute, *, follow_symlinks=True)", outside<os_removexattr>,
     "Removes an extended attribute of a file."},
    {"listxattr(path=None, *, follow_symlinks=True)", outside<os_listxattr>,
     "The names of a file's extended attributes."},
    {"getresuid()", os_getresuid, "The real, the effective and the saved user."},
    {"getresgid()", os_getresgid, "The real, the effective and the saved group."},
    {"getgrouplist(user, group, /)", os_getgrouplist, "The groups of a user."},
    {"setuid(uid, /)", outside<set_identity<[](id_t id) { return setuid(id); }>>, "Sets the user."},
    {"setgid(gid, /)", outside<set_identity<[](id_t id) { return setgid(id); }>>,
     "Sets the group."},
    {"seteuid(euid, /)", outside<set_identity<[](id_t id) { return seteuid(id); }>>,
     "Sets the effective user."},
    {"setegid(egid, /)", outside<set_identity<[](id_t id) { return setegid(id); }>>,
     "Sets the effective group."},
    {"ctermid()", [](const Parameters&) { return Value(make_str("/dev/tty")); },
     "The terminal's file."},
    {"tcgetpgrp(fd, /)",
     outside<[](const Parameters& p) { return checked(tcgetpgrp(to_c_int(p[0]))); }>,
     "The processes that a terminal listens to."},
    {"tcsetpgrp(fd, pgid, /)",
     outside<[](const Parameters& p) { return done(tcsetpgrp(to_c_int(p[0]), to_c_int(p[1]))); }>,
     "Sets which processes a terminal listens to."},
};
const std::size_t kDescriptorFunctionCount = std::size(kDescriptorFunctions);

Value descriptor_constant(std::string_view name) {
  for (const Constant& each : kConstants)
    if (name == each.name) return Value::integer(each.number);
  return Value();
}

}  // namespace strider::lang
