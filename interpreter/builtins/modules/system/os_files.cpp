// os: functions of files, folders and descriptors.
#include "interpreter/builtins/modules/system/os_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <pty.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdlib>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/builtins/modules/system/struct_sequence.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value check(int status, const std::string& path) {
  if (status != 0) raise_os_error(errno, path);
  return Value::none();
}

// A path or the folder "." when absent.
std::string folder_text(const Value& path) { return path.is_none() ? "." : path_text(path); }

// An error that names two paths: [Errno 2] No such file or directory: 'a' -> 'b'.
[[noreturn]] void raise_two_paths(const std::string& from, const std::string& to) {
  try {
    raise_os_error(errno, from);
  } catch (const Raised& raised) {
    Exception& exception = *raised.exception;
    std::span<const Value> given = exception.args->items();
    Values args(given.begin(), given.end());
    args.push_back(Value::none());
    args.emplace_back(make_str(to));
    exception.args = make_tuple(std::move(args));
    throw;
  }
}

Value os_getcwd(const Parameters&) {
  char buffer[PATH_MAX];
  if (!getcwd(buffer, sizeof buffer)) raise_os_error(errno);
  return make_str(buffer);
}

// A path, or the name that the system gives what a descriptor is open for.
std::string path_or_descriptor(const Value& value) {
  return is_integer(value) ? fmt::format("/proc/self/fd/{}", to_int64(value)) : path_text(value);
}

Value os_chdir(const Parameters& p) {
  std::string path = path_or_descriptor(p[0]);
  return check(chdir(path.c_str()), path);
}

Value os_listdir(const Parameters& p) {
  std::string path = is_integer(p[0]) ? path_or_descriptor(p[0]) : folder_text(p[0]);
  DIR* folder = opendir(path.c_str());
  if (!folder) raise_os_error(errno, path);
  Values names;
  bool as_bytes = is_bytes_like(p[0]);
  while (dirent* entry = readdir(folder)) {
    std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    names.push_back(as_bytes ? Value(make<Bytes>(std::string(name))) : Value(make_str(name)));
  }
  closedir(folder);
  return make_list(std::move(names));
}

Value os_mkdir(const Parameters& p) {
  std::string path = path_text(p[0]);
  return check(mkdir(path.c_str(), static_cast<mode_t>(to_int64(p[1]))), path);
}

Value os_rmdir(const Parameters& p) {
  std::string path = path_text(p[0]);
  return check(rmdir(path.c_str()), path);
}

Value os_remove(const Parameters& p) {
  std::string path = path_text(p[0]);
  return check(unlink(path.c_str()), path);
}

Value os_rename(const Parameters& p) {
  std::string from = path_text(p[0]), to = path_text(p[1]);
  if (rename(from.c_str(), to.c_str()) != 0) raise_two_paths(from, to);
  return Value::none();
}

Value os_link(const Parameters& p) {
  std::string from = path_text(p[0]), to = path_text(p[1]);
  if (link(from.c_str(), to.c_str()) != 0) raise_two_paths(from, to);
  return Value::none();
}

Value os_symlink(const Parameters& p) {
  std::string from = path_text(p[0]), to = path_text(p[1]);
  if (symlink(from.c_str(), to.c_str()) != 0) raise_two_paths(from, to);
  return Value::none();
}

Value os_readlink(const Parameters& p) {
  std::string path = path_text(p[0]);
  char buffer[PATH_MAX];
  ssize_t size = readlink(path.c_str(), buffer, sizeof buffer);
  if (size < 0) raise_os_error(errno, path);
  return make_str(std::string_view(buffer, static_cast<std::size_t>(size)));
}

Value os_chmod(const Parameters& p) {
  std::string path = path_or_descriptor(p[0]);
  return check(chmod(path.c_str(), static_cast<mode_t>(to_int64(p[1]))), path);
}

Value os_access(const Parameters& p) {
  return Value::boolean(access(path_text(p[0]).c_str(), static_cast<int>(to_int64(p[1]))) == 0);
}

Value os_truncate(const Parameters& p) {
  if (is_integer(p[0])) {
    if (ftruncate(static_cast<int>(to_int64(p[0])), to_int64(p[1])) != 0) raise_os_error(errno);
    return Value::none();
  }
  std::string path = path_text(p[0]);
  return check(truncate(path.c_str(), to_int64(p[1])), path);
}

timespec time_of(const Value& seconds) {
  double whole = std::floor(to_double(seconds));
  return {static_cast<time_t>(whole),
          static_cast<long>(std::round((to_double(seconds) - whole) * 1e9))};
}

timespec time_of_nanoseconds(const Value& value) {
  std::int64_t total = to_int64(value);
  std::int64_t rest = ((total % 1000000000) + 1000000000) % 1000000000;
  return {(total - rest) / 1000000000, rest};
}

// utime(path, times=None, *, ns=…): access and modification time.
Value os_utime(const Parameters& p) {
  std::string path = path_or_descriptor(p[0]);
  if (p[1].is_none() && p[2].is_empty())
    return check(utimensat(AT_FDCWD, path.c_str(), nullptr, 0), path);
  Ref<Tuple> pair = to_tuple(p[2].is_empty() ? p[1] : p[2]);
  if (pair->size() != 2)
    raise(errors::TypeError, "utime: 'times' must be either a tuple of two ints or None");
  timespec times[2];
  for (std::size_t i = 0; i < 2; ++i)
    times[i] = p[2].is_empty() ? time_of((*pair)[i]) : time_of_nanoseconds((*pair)[i]);
  return check(utimensat(AT_FDCWD, path.c_str(), times, 0), path);
}

Value os_statvfs(const Parameters& p) {
  static constexpr const char* kFields[] = {"f_bsize",  "f_frsize", "f_blocks", "f_bfree",
                                            "f_bavail", "f_files",  "f_ffree",  "f_favail",
                                            "f_flag",   "f_namemax"};
  static StructSequenceType type("statvfs_result", "os", kFields, 10);
  std::string path = path_or_descriptor(p[0]);
  struct statvfs status;
  if (statvfs(path.c_str(), &status) != 0) raise_os_error(errno, path);
  Values values;
  for (std::uint64_t number :
       {status.f_bsize, status.f_frsize, status.f_blocks, status.f_bfree, status.f_bavail,
        status.f_files, status.f_ffree, status.f_favail, status.f_flag, status.f_namemax})
    values.push_back(from_uint64(number));
  return type.make(std::move(values));
}

// --- Descriptors ---

int descriptor_of(const Value& value) { return static_cast<int>(to_int64(value)); }

Value os_open(const Parameters& p) {
  std::string path = path_text(p[0]);
  int descriptor = open(path.c_str(), static_cast<int>(to_int64(p[1])) | O_CLOEXEC,
                        static_cast<mode_t>(to_int64(p[2])));
  if (descriptor < 0) raise_os_error(errno, path);
  return Value::integer(descriptor);
}

Value os_close(const Parameters& p) {
  if (close(descriptor_of(p[0])) != 0) raise_os_error(errno);
  return Value::none();
}

Value os_read(const Parameters& p) {
  std::int64_t size = to_int64(p[1]);
  if (size < 0) raise_os_error(EINVAL);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  ssize_t got = read(descriptor_of(p[0]), bytes.data(), bytes.size());
  if (got < 0) raise_os_error(errno);
  bytes.resize(static_cast<std::size_t>(got));
  return make<Bytes>(std::move(bytes));
}

Value os_write(const Parameters& p) {
  std::string_view bytes = to_bytes(p[1]);
  ssize_t written = write(descriptor_of(p[0]), bytes.data(), bytes.size());
  if (written < 0) raise_os_error(errno);
  return Value::integer(written);
}

Value os_lseek(const Parameters& p) {
  off_t position = lseek(descriptor_of(p[0]), to_int64(p[1]), static_cast<int>(to_int64(p[2])));
  if (position < 0) raise_os_error(errno);
  return Value::integer(position);
}

Value os_dup(const Parameters& p) {
  int copy = dup(descriptor_of(p[0]));
  if (copy < 0) raise_os_error(errno);
  return Value::integer(copy);
}

Value os_pipe(const Parameters&) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) raise_os_error(errno);
  return make_tuple({Value::integer(ends[0]), Value::integer(ends[1])});
}

// The ends of a new terminal: what a program drives it by, and what runs in it.
Value os_openpty(const Parameters&) {
  int ends[2];
  if (openpty(&ends[0], &ends[1], nullptr, nullptr, nullptr) != 0) raise_os_error(errno);
  for (int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  return make_tuple({Value::integer(ends[0]), Value::integer(ends[1])});
}

Value os_isatty(const Parameters& p) { return Value::boolean(isatty(descriptor_of(p[0])) == 1); }

Value os_fsync(const Parameters& p) {
  Value file = p[0];
  if (!is_integer(file)) file = call_method(file, intern("fileno"));
  if (fsync(descriptor_of(file)) != 0) raise_os_error(errno);
  return Value::none();
}

// The path with all links followed; of missing files, the part that exists.
Value os_real_path(const Parameters& p) {
  char buffer[PATH_MAX];
  std::string path = path_text(p[0]);
  const char* resolved = realpath(path.c_str(), buffer);
  return resolved ? Value(make_str(resolved)) : Value::none();
}

}  // namespace

const NativeRow kFileFunctions[] = {
    {"getcwd()", outside<os_getcwd>, "The present folder."},
    {"chdir(path)", outside<os_chdir>, "Changes the present folder."},
    {"listdir(path=None)", outside<os_listdir>, "The names in a folder."},
    {"scandir(path=None)", outside<os_scandir>, "The entries of a folder, with their kinds."},
    {"stat(path, *, follow_symlinks=True)", outside<os_stat>, "Facts about a file."},
    {"lstat(path)", outside<os_lstat>, "Facts about a file; links are not followed."},
    {"fstat(fd)", outside<os_fstat>, "Facts about an open file."},
    {"statvfs(path)", outside<os_statvfs>, "Facts about a file system."},
    {"mkdir(path, mode=511)", outside<os_mkdir>, "Makes a folder."},
    {"rmdir(path)", outside<os_rmdir>, "Removes an empty folder."},
    {"remove(path)", outside<os_remove>, "Removes a file."},
    {"unlink(path)", outside<os_remove>, "Removes a file."},
    {"rename(src, dst)", outside<os_rename>, "Renames a file or folder."},
    {"replace(src, dst)", outside<os_rename>, "Renames, replacing what is there."},
    {"link(src, dst)", outside<os_link>, "Gives a file a second name."},
    {"symlink(src, dst, target_is_directory=False)", outside<os_symlink>, "Makes a symbolic link."},
    {"readlink(path)", outside<os_readlink>, "What a symbolic link says."},
    {"chmod(path, mode)", outside<os_chmod>, "Sets a file's mode."},
    {"access(path, mode)", outside<os_access>, "Whether the process may use a file."},
    {"truncate(path, length)", outside<os_truncate>, "Sets a file's size."},
    {"ftruncate(fd, length, /)", outside<os_truncate>, "Sets an open file's size."},
    {"utime(path, times=None, *, ns=<none>)", outside<os_utime>, "Sets a file's times."},
    {"open(path, flags, mode=511)", outside<os_open>, "Opens a descriptor."},
    {"close(fd)", outside<os_close>, "Closes a descriptor."},
    {"read(fd, length, /)", outside<os_read>, "Reads from a descriptor."},
    {"write(fd, data, /)", outside<os_write>, "Writes to a descriptor."},
    {"lseek(fd, position, how, /)", outside<os_lseek>, "Moves a descriptor."},
    {"dup(fd, /)", outside<os_dup>, "A copy of a descriptor."},
    {"pipe()", outside<os_pipe>, "Two connected descriptors."},
    {"openpty()", outside<os_openpty>, "The two descriptors of a new terminal."},
    {"isatty(fd, /)", outside<os_isatty>, "Whether a descriptor is a terminal."},
    {"fsync(fd)", outside<os_fsync>, "Brings an open file to the disk."},
    {"_real_path(path, /)", outside<os_real_path>,
     "The path without links; None if nothing is there."},
};
const std::size_t kFileFunctionCount = std::size(kFileFunctions);

}  // namespace strider::lang
