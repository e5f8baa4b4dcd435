// os: functions of descriptors and file systems; those that take paths stand in os_paths.
#include "interpreter/builtins/modules/os/os_files.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/builtins/modules/os/descriptor.h"
#include "interpreter/builtins/modules/os/struct_sequence.h"
#include "interpreter/builtins/modules/os/system_path.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value os_getcwd(const Parameters&) {
  char buffer[PATH_MAX];
  if (!getcwd(buffer, sizeof buffer)) raise_os_error(errno);
  return system_text(buffer);
}

StructSequenceType& statvfs_type() {
  static constexpr const char* kFields[] = {"f_bsize",  "f_frsize",  "f_blocks", "f_bfree",
                                            "f_bavail", "f_files",   "f_ffree",  "f_favail",
                                            "f_flag",   "f_namemax", "f_fsid"};
  static StructSequenceType type("statvfs_result", "os", kFields, 10);
  return type;
}

Value os_statvfs(const Parameters& p) {
  SystemPath path("statvfs", p[0], SystemPath::kDescriptor);
  struct statvfs status;
  int failed =
      path.is_open() ? fstatvfs(path.descriptor(), &status) : statvfs(path.name(), &status);
  if (failed) path.fail(errno);
  Values values;
  for (std::uint64_t number : {status.f_bsize, status.f_frsize, status.f_blocks, status.f_bfree,
                               status.f_bavail, status.f_files, status.f_ffree, status.f_favail,
                               status.f_flag, status.f_namemax, status.f_fsid})
    values.push_back(from_uint64(number));
  return statvfs_type().make(std::move(values));
}

// --- Descriptors ---

Value os_close(const Parameters& p) {
  if (close(to_c_int(p[0])) != 0) raise_os_error(errno);
  return Value::none();
}

Value os_ftruncate(const Parameters& p) {
  if (ftruncate(to_c_int(p[0]), to_int64(p[1])) != 0) raise_os_error(errno);
  return Value::none();
}

Value os_read(const Parameters& p) {
  std::int64_t size = to_int64(p[1]);
  if (size < 0) raise_os_error(EINVAL);
  ReadBytes bytes(static_cast<std::size_t>(size));
  int descriptor = to_c_int(p[0]);
  std::int64_t got =
      moved_bytes(descriptor, POLLIN, [&] { return read(descriptor, bytes.data(), bytes.room()); });
  return make<Bytes>(bytes.first(got));
}

Value os_write(const Parameters& p) {
  HeldBuffer held(p[1]);
  return Value::integer(written_bytes(to_c_int(p[0]), to_bytes(p[1])));
}

Value os_lseek(const Parameters& p) {
  off_t position = lseek(to_c_int(p[0]), to_int64(p[1]), to_c_int(p[2]));
  if (position < 0) raise_os_error(errno);
  return Value::integer(position);
}

Value os_dup(const Parameters& p) {
  int copy = fcntl(to_c_int(p[0]), F_DUPFD_CLOEXEC, 0);
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

Value os_isatty(const Parameters& p) { return Value::boolean(isatty(to_c_int(p[0])) == 1); }

Value os_fsync(const Parameters& p) {
  Value file = p[0];
  if (!is_integer(file)) file = call_method(file, intern("fileno"));
  if (fsync(to_c_int(file)) != 0) raise_os_error(errno);
  return Value::none();
}

// The path with all links followed; of missing files, the part that exists.
Value os_real_path(const Parameters& p) {
  char buffer[PATH_MAX];
  std::string path = path_text(p[0]);
  const char* resolved = realpath(path.c_str(), buffer);
  return resolved ? system_text(resolved) : Value::none();
}

}  // namespace

Type& statvfs_result_type() { return statvfs_type().type(); }

const NativeRow kFileFunctions[] = {
    {"getcwd()", outside<os_getcwd>, "The present folder."},
    {"fstatvfs(fd, /)", outside<os_statvfs>, "Facts about the file system of an open file."},
    {"fstat(fd)", outside<os_fstat>, "Facts about an open file."},
    {"statvfs(path)", outside<os_statvfs>, "Facts about a file system."},
    {"ftruncate(fd, length, /)", outside<os_ftruncate>, "Sets an open file's size."},
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
