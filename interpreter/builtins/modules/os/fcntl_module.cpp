// The module fcntl: locks on files, flags of descriptors, and what devices are asked and told.
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/os/descriptor.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::size_t kRoom = 1024;  // bytes that a call may read and write

Value lock_file(const Parameters& p) {
  if (flock(to_descriptor(p[0]), to_c_int(p[1])) != 0) raise_os_error(errno);
  return Value::none();
}

// lockf(fd, cmd, len, start, whence)
Value lock_range(const Parameters& p) {
  std::int64_t command = to_int64(p[1]);
  struct flock range = {};
  range.l_type = command & LOCK_UN ? F_UNLCK : command & LOCK_EX ? F_WRLCK : F_RDLCK;
  range.l_len = to_int64(p[2]);
  range.l_start = to_int64(p[3]);
  range.l_whence = static_cast<short>(to_int64(p[4]));
  if (fcntl(to_descriptor(p[0]), command & LOCK_NB ? F_SETLK : F_SETLKW, &range) != 0)
    raise_os_error(errno);
  return Value::none();
}

// Bytes that a call reads and writes; what they are afterwards.
template <class Call>
Value with_bytes(std::string_view bytes, const char* name, Call call) {
  std::array<char, kRoom> room = {};
  if (bytes.size() > room.size()) raise(errors::ValueError, "{} string arg too long", name);
  std::memcpy(room.data(), bytes.data(), bytes.size());
  if (call(room.data()) < 0) raise_os_error(errno);
  return make<Bytes>(std::string(room.data(), bytes.size()));
}

bool holds_bytes(const Value& value) { return is_str(value) || is_bytes_like(value); }

std::string_view bytes_in(const Value& value) {
  return is_str(value) ? text_of(value) : to_bytes(value);
}

Value control(const Parameters& p) {
  int descriptor = to_descriptor(p[0]);
  auto command = to_c_int(p[1]);
  if (holds_bytes(p[2]))
    return with_bytes(bytes_in(p[2]), "fcntl",
                      [&](char* room) { return fcntl(descriptor, command, room); });
  int result = fcntl(descriptor, command, static_cast<long>(to_int64(p[2])));
  if (result < 0) raise_os_error(errno);
  return Value::integer(result);
}

// ioctl(fd, request, arg, mutate_flag): memory that can be changed is, unless it shall not be.
Value ask_device(const Parameters& p) {
  int descriptor = to_descriptor(p[0]);
  auto request = static_cast<unsigned long>(static_cast<unsigned int>(to_int64(p[1])));
  auto call = [&](auto argument) { return ioctl(descriptor, request, argument); };
  const BufferOffer* offer = is_str(p[2]) ? nullptr : find_buffer(p[2]);
  if (!offer && !holds_bytes(p[2])) {
    int result = call(to_int64(p[2]));
    if (result < 0) raise_os_error(errno);
    return Value::integer(result);
  }
  if (!offer || !truth(p[3]) || !offer->describe(p[2]).writable)
    return with_bytes(bytes_in(p[2]), "ioctl", call);
  // Some devices write more than they are given room for in what is small.
  std::size_t size = buffer_bytes(p[2], *offer).size();
  std::array<char, kRoom> room = {};
  char* memory = offer->place(p[2], true);
  if (size <= room.size()) std::memcpy(room.data(), memory, size);
  int result = call(size <= room.size() ? room.data() : memory);
  if (result < 0) raise_os_error(errno);
  if (size <= room.size()) std::memcpy(memory, room.data(), size);
  return Value::integer(result);
}

template <auto kNumber>
Value number() {
  return Value::integer(static_cast<std::int64_t>(kNumber));
}

const NativeRow kFunctions[] = {
    {"flock(fd, operation, /)", outside<lock_file>, "Locks or unlocks a file."},
    {"lockf(fd, cmd, len=0, start=0, whence=0, /)", outside<lock_range>,
     "Locks or unlocks a part of a file."},
    {"fcntl(fd, cmd, arg=0, /)", outside<control>, "Asks or sets what a descriptor does."},
    {"ioctl(fd, request, arg=0, mutate_flag=True, /)", outside<ask_device>,
     "Asks or tells a device something."},
};

#define STRIDER_NUMBER(name) \
  { #name, number < name> }
const ConstantRow kConstants[] = {
    STRIDER_NUMBER(DN_ACCESS),    STRIDER_NUMBER(DN_ATTRIB),    STRIDER_NUMBER(DN_CREATE),
    STRIDER_NUMBER(DN_DELETE),    STRIDER_NUMBER(DN_MODIFY),    STRIDER_NUMBER(DN_MULTISHOT),
    STRIDER_NUMBER(DN_RENAME),    STRIDER_NUMBER(FASYNC),       STRIDER_NUMBER(FD_CLOEXEC),
    STRIDER_NUMBER(F_ADD_SEALS),  STRIDER_NUMBER(F_DUPFD),      STRIDER_NUMBER(F_DUPFD_CLOEXEC),
    STRIDER_NUMBER(F_EXLCK),      STRIDER_NUMBER(F_GETFD),      STRIDER_NUMBER(F_GETFL),
    STRIDER_NUMBER(F_GETLEASE),   STRIDER_NUMBER(F_GETLK),      STRIDER_NUMBER(F_GETLK64),
    STRIDER_NUMBER(F_GETOWN),     STRIDER_NUMBER(F_GETPIPE_SZ), STRIDER_NUMBER(F_GETSIG),
    STRIDER_NUMBER(F_GET_SEALS),  STRIDER_NUMBER(F_NOTIFY),     STRIDER_NUMBER(F_OFD_GETLK),
    STRIDER_NUMBER(F_OFD_SETLK),  STRIDER_NUMBER(F_OFD_SETLKW), STRIDER_NUMBER(F_RDLCK),
    STRIDER_NUMBER(F_SEAL_GROW),  STRIDER_NUMBER(F_SEAL_SEAL),  STRIDER_NUMBER(F_SEAL_SHRINK),
    STRIDER_NUMBER(F_SEAL_WRITE), STRIDER_NUMBER(F_SETFD),      STRIDER_NUMBER(F_SETFL),
    STRIDER_NUMBER(F_SETLEASE),   STRIDER_NUMBER(F_SETLK),      STRIDER_NUMBER(F_SETLK64),
    STRIDER_NUMBER(F_SETLKW),     STRIDER_NUMBER(F_SETLKW64),   STRIDER_NUMBER(F_SETOWN),
    STRIDER_NUMBER(F_SETPIPE_SZ), STRIDER_NUMBER(F_SETSIG),     STRIDER_NUMBER(F_SHLCK),
    STRIDER_NUMBER(F_UNLCK),      STRIDER_NUMBER(F_WRLCK),      STRIDER_NUMBER(LOCK_EX),
    STRIDER_NUMBER(LOCK_MAND),    STRIDER_NUMBER(LOCK_NB),      STRIDER_NUMBER(LOCK_READ),
    STRIDER_NUMBER(LOCK_RW),      STRIDER_NUMBER(LOCK_SH),      STRIDER_NUMBER(LOCK_UN),
    STRIDER_NUMBER(LOCK_WRITE),
};
#undef STRIDER_NUMBER

}  // namespace

const NativeModule kFcntlModule = {"fcntl", "Locks and flags of files.", kFunctions, kConstants};

}  // namespace strider::lang
