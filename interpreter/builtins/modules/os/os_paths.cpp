// os: functions of files and folders that are named by paths.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cmath>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/builtins/modules/os/descriptor.h"
#include "interpreter/builtins/modules/os/os_files.h"
#include "interpreter/builtins/modules/os/system_path.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using enum SystemPath::Kinds;

Value done(int status, const SystemPath& path) {
  if (status != 0) path.fail(errno);
  return Value::none();
}

Value done(int status, const SystemPath& from, const SystemPath& to) {
  if (status != 0) from.fail(errno, to);
  return Value::none();
}

mode_t mode_of(const Value& value) { return static_cast<mode_t>(to_c_int(value)); }

// Nothing can be asked of a link by a descriptor.
void check_links(const char* function, const SystemPath& path, bool follow) {
  if (path.is_open() && !follow)
    raise(errors::ValueError, "{}: cannot use fd and follow_symlinks together", function);
}

Value os_chdir(const Parameters& p) {
  SystemPath path("chdir", p[0], kDescriptor);
  return done(path.is_open() ? fchdir(path.descriptor()) : chdir(path.name()), path);
}

Value os_listdir(const Parameters& p) {
  SystemPath path("listdir", p[0], kDescriptor | kNothing);
  DIR* folder = open_folder(path);
  Values names;
  while (dirent* entry = readdir(folder)) {
    std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    names.push_back(path.in_bytes() ? Value(make<Bytes>(std::string(name))) : system_text(name));
  }
  closedir(folder);
  return make_list(std::move(names));
}

Value os_mkdir(const Parameters& p) {
  SystemPath path("mkdir", p[0], kPath, p[2]);
  return done(mkdirat(path.folder(), path.name(), mode_of(p[1])), path);
}

Value os_rmdir(const Parameters& p) {
  SystemPath path("rmdir", p[0], kPath, p[1]);
  return done(unlinkat(path.folder(), path.name(), AT_REMOVEDIR), path);
}

Value remove_file(const char* function, const Parameters& p) {
  SystemPath path(function, p[0], kPath, p[1]);
  return done(unlinkat(path.folder(), path.name(), 0), path);
}

Value os_remove(const Parameters& p) { return remove_file("remove", p); }
Value os_unlink(const Parameters& p) { return remove_file("unlink", p); }

Value rename_file(const char* function, const Parameters& p) {
  SystemPath from(function, p[0], kPath, p[2], "src"), to(function, p[1], kPath, p[3], "dst");
  return done(renameat(from.folder(), from.name(), to.folder(), to.name()), from, to);
}

Value os_rename(const Parameters& p) { return rename_file("rename", p); }
Value os_replace(const Parameters& p) { return rename_file("replace", p); }

// Links themselves are linked to unless something is asked for that the plain call cannot do.
Value os_link(const Parameters& p) {
  SystemPath from("link", p[0], kPath, p[2], "src"), to("link", p[1], kPath, p[3], "dst");
  bool plain = !from.has_folder() && !to.has_folder();
  int flags = !plain && truth(p[4]) ? AT_SYMLINK_FOLLOW : 0;
  return done(linkat(from.folder(), from.name(), to.folder(), to.name(), flags), from, to);
}

Value os_symlink(const Parameters& p) {
  SystemPath from("symlink", p[0], kPath, Value::none(), "src");
  SystemPath to("symlink", p[1], kPath, p[3], "dst");
  return done(symlinkat(from.name(), to.folder(), to.name()), from, to);
}

Value os_readlink(const Parameters& p) {
  SystemPath path("readlink", p[0], kPath, p[1]);
  char buffer[PATH_MAX];
  ssize_t size = readlinkat(path.folder(), path.name(), buffer, sizeof buffer);
  if (size < 0) path.fail(errno);
  std::string_view text(buffer, static_cast<std::size_t>(size));
  return path.in_bytes() ? Value(make<Bytes>(std::string(text))) : system_text(text);
}

Value os_chmod(const Parameters& p) {
  bool follow = truth(p[3]);
  SystemPath path("chmod", p[0], kDescriptor, p[2]);
  check_links("chmod", path, follow);
  if (path.is_open()) return done(fchmod(path.descriptor(), mode_of(p[1])), path);
  int flags = follow ? 0 : AT_SYMLINK_NOFOLLOW;
  int status = fchmodat(path.folder(), path.name(), mode_of(p[1]), flags);
  if (status != 0 && !follow && errno == EOPNOTSUPP)
    raise(errors::NotImplementedError, "chmod: follow_symlinks unavailable on this platform");
  return done(status, path);
}

Value change_owner(const SystemPath& path, const Parameters& p, bool follow) {
  uid_t user = to_identity(p[1], "uid");
  gid_t group = to_identity(p[2], "gid");
  if (path.is_open()) return done(fchown(path.descriptor(), user, group), path);
  int flags = follow ? 0 : AT_SYMLINK_NOFOLLOW;
  return done(fchownat(path.folder(), path.name(), user, group, flags), path);
}

Value os_chown(const Parameters& p) {
  SystemPath path("chown", p[0], kDescriptor, p[3]);
  check_links("chown", path, truth(p[4]));
  return change_owner(path, p, truth(p[4]));
}

Value os_lchown(const Parameters& p) { return change_owner({"lchown", p[0]}, p, false); }

Value os_access(const Parameters& p) {
  SystemPath path("access", p[0], kPath, p[2]);
  int flags = (truth(p[3]) ? AT_EACCESS : 0) | (truth(p[4]) ? 0 : AT_SYMLINK_NOFOLLOW);
  int mode = to_c_int(p[1]);
  return Value::boolean(faccessat(path.folder(), path.name(), mode, flags) == 0);
}

Value os_truncate(const Parameters& p) {
  SystemPath path("truncate", p[0], kDescriptor);
  std::int64_t size = to_int64(p[1]);
  return done(path.is_open() ? ftruncate(path.descriptor(), size) : truncate(path.name(), size),
              path);
}

timespec time_of(const Value& seconds) {
  if (is_integer(seconds)) return {to_int64(seconds), 0};
  double given = to_double(seconds), whole = std::floor(given);
  auto rest = static_cast<long>(std::floor((given - whole) * 1e9));
  return {static_cast<time_t>(whole), rest};
}

timespec time_of_nanoseconds(const Value& value) {
  std::int64_t total = to_int64(value);
  std::int64_t rest = ((total % 1000000000) + 1000000000) % 1000000000;
  return {(total - rest) / 1000000000, rest};
}

// Access and modification time as given; false: they are those of now.
bool read_times(const Value& seconds, const Value& nanoseconds, timespec (&times)[2]) {
  bool exact = !nanoseconds.is_empty();
  if (exact && !seconds.is_none())
    raise(errors::ValueError, "utime: you may specify either 'times' or 'ns' but not both");
  const Value& given = exact ? nanoseconds : seconds;
  if (!exact && given.is_none()) return false;
  if (!is_tuple(given) || given.as<Tuple>()->size() != 2)
    raise(errors::TypeError, "{}",
          exact ? "utime: 'ns' must be a tuple of two ints"
                : "utime: 'times' must be either a tuple of two ints or None");
  for (std::size_t each = 0; each < 2; ++each) {
    const Value& value = (*given.as<Tuple>())[each];
    times[each] = exact ? time_of_nanoseconds(value) : time_of(value);
  }
  return true;
}

Value os_utime(const Parameters& p) {
  timespec times[2];
  bool given = read_times(p[1], p[2], times);
  SystemPath path("utime", p[0], kDescriptor, p[3]);
  check_links("utime", path, truth(p[4]));
  if (path.is_open()) return done(futimens(path.descriptor(), given ? times : nullptr), path);
  int flags = truth(p[4]) ? 0 : AT_SYMLINK_NOFOLLOW;
  return done(utimensat(path.folder(), path.name(), given ? times : nullptr, flags), path);
}

Value os_open(const Parameters& p) {
  SystemPath path("open", p[0], kPath, p[3]);
  int flags = to_c_int(p[1]) | O_CLOEXEC, descriptor;
  do {
    descriptor = openat(path.folder(), path.name(), flags, mode_of(p[2]));
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) path.fail(errno);
  return Value::integer(descriptor);
}

Value os_mknod(const Parameters& p) {
  SystemPath path("mknod", p[0], kPath, p[3]);
  auto device = static_cast<dev_t>(to_int64(p[2]));
  return done(mknodat(path.folder(), path.name(), mode_of(p[1]), device), path);
}

Value os_mkfifo(const Parameters& p) {
  SystemPath path("mkfifo", p[0], kPath, p[2]);
  return done(mkfifoat(path.folder(), path.name(), mode_of(p[1])), path);
}

}  // namespace

DIR* open_folder(const SystemPath& path) {
  DIR* folder;
  if (path.is_open()) {
    int copy = fcntl(path.descriptor(), F_DUPFD_CLOEXEC, 0);
    folder = copy < 0 ? nullptr : fdopendir(copy);
    int error = errno;
    if (!folder && copy >= 0) close(copy);
    if (!folder) raise_os_error(error);
    rewinddir(folder);
    return folder;
  }
  folder = opendir(path.name());
  if (!folder && path.text() == ".") raise_os_error(errno);
  if (!folder) path.fail(errno);
  return folder;
}

const NativeRow kPathFunctions[] = {
    {"chdir(path)", outside<os_chdir>, "Changes the present folder."},
    {"listdir(path=None)", outside<os_listdir>, "The names in a folder."},
    {"scandir(path=None)", outside<os_scandir>, "The entries of a folder, with their kinds."},
    {"stat(path, *, dir_fd=None, follow_symlinks=True)", outside<os_stat>, "Facts about a file."},
    {"lstat(path, *, dir_fd=None)", outside<os_lstat>,
     "Facts about a file; links are not followed."},
    {"mkdir(path, mode=511, *, dir_fd=None)", outside<os_mkdir>, "Makes a folder."},
    {"rmdir(path, *, dir_fd=None)", outside<os_rmdir>, "Removes an empty folder."},
    {"remove(path, *, dir_fd=None)", outside<os_remove>, "Removes a file."},
    {"unlink(path, *, dir_fd=None)", outside<os_unlink>, "Removes a file."},
    {"rename(src, dst, *, src_dir_fd=None, dst_dir_fd=None)", outside<os_rename>,
     "Renames a file or folder."},
    {"replace(src, dst, *, src_dir_fd=None, dst_dir_fd=None)", outside<os_replace>,
     "Renames, replacing what is there."},
    {"link(src, dst, *, src_dir_fd=None, dst_dir_fd=None, follow_symlinks=True)", outside<os_link>,
     "Gives a file a second name."},
    {"symlink(src, dst, target_is_directory=False, *, dir_fd=None)", outside<os_symlink>,
     "Makes a symbolic link."},
    {"readlink(path, *, dir_fd=None)", outside<os_readlink>, "What a symbolic link says."},
    {"chmod(path, mode, *, dir_fd=None, follow_symlinks=True)", outside<os_chmod>,
     "Sets a file's mode."},
    {"chown(path, uid, gid, *, dir_fd=None, follow_symlinks=True)", outside<os_chown>,
     "Sets the owner of a file."},
    {"lchown(path, uid, gid)", outside<os_lchown>, "Sets the owner of a link itself."},
    {"access(path, mode, *, dir_fd=None, effective_ids=False, follow_symlinks=True)",
     outside<os_access>, "Whether the process may use a file."},
    {"truncate(path, length)", outside<os_truncate>, "Sets a file's size."},
    {"utime(path, times=None, *, ns=<none>, dir_fd=None, follow_symlinks=True)", outside<os_utime>,
     "Sets a file's times."},
    {"open(path, flags, mode=511, *, dir_fd=None)", outside<os_open>, "Opens a descriptor."},
    {"mknod(path, mode=384, device=0, *, dir_fd=None)", outside<os_mknod>,
     "Makes a file of a kind."},
    {"mkfifo(path, mode=438, *, dir_fd=None)", outside<os_mkfifo>, "Makes a named pipe."},
};
const std::size_t kPathFunctionCount = std::size(kPathFunctions);

}  // namespace strider::lang
