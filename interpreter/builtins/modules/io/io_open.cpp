// open(): checks of the arguments, then the file object that fits the mode.
#include "interpreter/builtins/modules/io/io_open.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/builtins/modules/io/io_binary.h"
#include "interpreter/builtins/modules/io/io_text.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

struct Mode {
  char action = 0;  // r w a x
  bool update = false, text = false, binary = false;
};

Mode parse_mode(const std::string& text) {
  Mode mode;
  std::string seen;
  for (char c : text) {
    if (seen.find(c) != seen.npos || std::string_view("rwaxbt+U").find(c) == std::string_view::npos)
      raise(errors::ValueError, "invalid mode: '{}'", text);
    seen += c;
    if (c == '+') {
      mode.update = true;
    } else if (c == 't') {
      mode.text = true;
    } else if (c == 'b') {
      mode.binary = true;
    } else if (c == 'U') {
      raise(errors::ValueError, "invalid mode: '{}'", text);
    } else {
      if (mode.action)
        raise(errors::ValueError, "must have exactly one of create/read/write/append mode");
      mode.action = c;
    }
  }
  if (mode.text && mode.binary)
    raise(errors::ValueError, "can't have text and binary mode at once");
  if (!mode.action)
    raise(errors::ValueError,
          "Must have exactly one of create/read/write/append mode and at most one plus");
  return mode;
}

void check_binary_arguments(const OpenRequest& request) {
  if (!request.encoding.is_none())
    raise(errors::ValueError, "binary mode doesn't take an encoding argument");
  if (!request.errors.is_none())
    raise(errors::ValueError, "binary mode doesn't take an errors argument");
  if (!request.newline.is_none())
    raise(errors::ValueError, "binary mode doesn't take a newline argument");
}

int open_flags(const Mode& mode) {
  int flags = O_CLOEXEC;
  flags |= mode.update ? O_RDWR : mode.action == 'r' ? O_RDONLY : O_WRONLY;
  if (mode.action == 'w') flags |= O_CREAT | O_TRUNC;
  if (mode.action == 'x') flags |= O_CREAT | O_EXCL;
  if (mode.action == 'a') flags |= O_CREAT | O_APPEND;
  return flags;
}

[[noreturn]] void raise_open_error(int error, const Value& file) {
  if (is_str(file)) raise_os_error(error, text_of(file));
  raise_os_error(error, is_integer(file) ? str_text(file) : path_text(file));
}

int open_path(const OpenRequest& request, const Mode& mode) {
  std::string path = path_text(request.file);
  if (!request.opener.is_none()) {
    Value opened = call(request.opener, request.file, Value::integer(open_flags(mode)));
    if (!is_integer(opened)) raise(errors::TypeError, "expected integer from opener");
    std::int64_t descriptor = to_int64(opened);
    if (descriptor < 0) raise(errors::ValueError, "opener returned {}", descriptor);
    if (descriptor > INT_MAX)
      raise(errors::OverflowError, "Python int too large to convert to C int");
    if (::fcntl(static_cast<int>(descriptor), F_GETFD) < 0) raise_open_error(EBADF, request.file);
    return static_cast<int>(descriptor);
  }
  int descriptor;
  do {
    descriptor = ::open(path.c_str(), open_flags(mode), 0666);
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) raise_open_error(errno, request.file);
  return descriptor;
}

int open_descriptor(const OpenRequest& request, const Mode& mode) {
  if (!is_integer(request.file)) return open_path(request, mode);
  std::int64_t descriptor = to_int64(request.file);
  if (descriptor < 0) raise(errors::ValueError, "negative file descriptor");
  if (descriptor > INT32_MAX || ::fcntl(static_cast<int>(descriptor), F_GETFD) < 0)
    raise_open_error(EBADF, request.file);
  return static_cast<int>(descriptor);
}

Type& binary_type(const Mode& mode, bool buffered) {
  if (!buffered) return file_io_type();
  if (mode.update) return buffered_random_type();
  return mode.action == 'r' ? buffered_reader_type() : buffered_writer_type();
}

// The mode that a binary file reports: "rb", "wb", "rb+" (also for w+), …
std::string reported_mode(const Mode& mode) {
  char action = mode.action == 'w' && mode.update ? 'r' : mode.action;
  return std::string(1, action) + (mode.update ? "b+" : "b");
}

Ref<DescriptorFile> open_binary(const OpenRequest& request, const Mode& mode, bool buffered) {
  require_outside();
  bool given = is_integer(request.file);
  if (!given && !request.close_descriptor)
    raise(errors::ValueError, "Cannot use closefd=False with file name");
  int descriptor = open_descriptor(request, mode);
  struct stat status;
  if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    if (!given) ::close(descriptor);
    raise_open_error(EISDIR, request.file);
  }
  DescriptorFile::Access access{mode.update || mode.action == 'r',
                                mode.update || mode.action != 'r', mode.action == 'a', buffered,
                                request.close_descriptor};
  auto file = make_instance<DescriptorFile>(&binary_type(mode, buffered), descriptor, access,
                                            request.file, reported_mode(mode));
  if (mode.action == 'a' && file->seekable()) file->seek(0, SEEK_END);
  return file;
}

Value builtin_open(const Parameters& p) {
  OpenRequest request;
  request.file = p[0];
  request.mode = std::string(to_text(p[1], "open() argument 'mode'"));
  request.buffering = to_int64(p[2]);
  request.encoding = p[3];
  request.errors = p[4];
  request.newline = p[5];
  request.close_descriptor = truth(p[6]);
  request.opener = p[7];
  return open_file(request);
}

}  // namespace

Value open_file(const OpenRequest& request) {
  Mode mode = parse_mode(request.mode);
  if (mode.binary) {
    check_binary_arguments(request);
    if (request.buffering == 1)
      call_method(import_module("warnings"), intern("warn"),
                  Value(make_str("line buffering (buffering=1) isn't supported in binary mode, the "
                                 "default buffer size will be used")),
                  Value(&errors::RuntimeWarning()));
    Ref<DescriptorFile> file = open_binary(request, mode, request.buffering != 0);
    if (request.buffering > 1) file->keep_at_most(static_cast<std::size_t>(request.buffering));
    return file;
  }
  if (request.buffering == 0) raise(errors::ValueError, "can't have unbuffered text I/O");
  TextSettings settings = read_text_settings(request.encoding, request.errors, request.newline);
  settings.by_line = request.buffering == 1;
  Ref<DescriptorFile> binary = open_binary(request, mode, true);
  Ref<TextFile> text = make_instance<TextFile>(&text_io_wrapper_type(), Value(binary), settings);
  text->mode = request.mode;
  return text;
}

const NativeRow kOpenFunctions[] = {
    {"open(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None, closefd=True, "
     "opener=None)",
     builtin_open, "Opens a file."},
};
const std::size_t kOpenFunctionCount = std::size(kOpenFunctions);

}  // namespace strider::lang
