// Descriptors, as PyObject_AsFileDescriptor of CPython takes them.
#include "interpreter/builtins/modules/os/descriptor.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

#include "interpreter/evaluator/frames/threads.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"

namespace strider::lang {

int to_c_int(const Value& value) {
  std::int64_t number = to_int64(value);
  if (number > INT_MAX || number < INT_MIN)
    raise(errors::OverflowError, "Python int too large to convert to C int");
  return static_cast<int>(number);
}

int to_descriptor(const Value& value) {
  Value number = value;
  if (!value.is_int()) number = find_attribute(value, intern("fileno"));
  if (number.is_empty())
    raise(errors::TypeError, "argument must be an int, or have a fileno() method.");
  if (!value.is_int()) number = call(number);
  int descriptor = to_c_int(number);
  if (descriptor < 0)
    raise(errors::ValueError, "file descriptor cannot be a negative integer ({})", descriptor);
  return descriptor;
}

id_t to_identity(const Value& value, const char* kind) {
  std::int64_t number = to_int64(value);
  if (number < -1) raise(errors::OverflowError, "{} is less than minimum", kind);
  if (number > UINT_MAX) raise(errors::OverflowError, "{} is greater than maximum", kind);
  return static_cast<id_t>(number);
}

std::int64_t moved_bytes(int descriptor, short events, const std::function<std::int64_t()>& move) {
  Interpreter& interpreter = Interpreter::current();
  for (;;) {
    wait_for_descriptor(interpreter, descriptor, events);
    std::int64_t moved = move();
    if (moved >= 0) return moved;
    if (errno != EINTR) raise_os_error(errno);
    poll_interrupt(interpreter);
  }
}

std::int64_t written_bytes(int descriptor, std::string_view bytes) {
  Interpreter& interpreter = Interpreter::current();
  struct stat status;
  bool whole = fstat(descriptor, &status) != 0 || S_ISREG(status.st_mode);
  std::int64_t total = 0;
  for (;;) {
    // A signal's handler may have begun the thread that reads.
    bool in_pieces = !whole && bytes.size() > PIPE_BUF && has_other_threads(interpreter);
    wait_for_descriptor(interpreter, descriptor, POLLOUT);
    std::int64_t written =
        ::write(descriptor, bytes.data(), in_pieces ? std::size_t(PIPE_BUF) : bytes.size());
    if (written < 0 && errno == EINTR) {
      poll_interrupt(interpreter);
      continue;
    }
    if (written < 0 && total == 0) raise_os_error(errno);
    total += std::max<std::int64_t>(written, 0);
    if (written < 0 || !in_pieces) return total;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace strider::lang
