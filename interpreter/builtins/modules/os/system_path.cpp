// Paths as functions of os take them.
#include "interpreter/builtins/modules/os/system_path.h"

#include <fcntl.h>

#include <climits>
#include <cstring>

#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

int descriptor_in(const Value& value) {
  std::int64_t number = to_int64(value);
  if (number > INT_MAX) raise(errors::OverflowError, "fd is greater than maximum");
  if (number < INT_MIN) raise(errors::OverflowError, "fd is less than minimum");
  return static_cast<int>(number);
}

const char* kinds_in_words(int kinds) {
  bool open = kinds & SystemPath::kDescriptor, nothing = kinds & SystemPath::kNothing;
  return open && nothing ? "string, bytes, os.PathLike, integer or None"
         : open          ? "string, bytes, os.PathLike or integer"
         : nothing       ? "string, bytes, os.PathLike or None"
                         : "string, bytes or os.PathLike";
}

}  // namespace

SystemPath::SystemPath(const char* function, const Value& path, int kinds, const Value& folder,
                       const char* argument)
    : told_(path), folder_(AT_FDCWD) {
  if (!folder.is_none() && !folder.is_empty()) {
    if (!is_integer(folder))
      raise(errors::TypeError, "argument should be integer or None, not {}", type_name(folder));
    folder_ = descriptor_in(folder);
  }
  if (path.is_none() && kinds & kNothing) {
    text_ = ".";
    return;
  }
  if (is_integer(path) && kinds & kDescriptor) {
    descriptor_ = descriptor_in(path);
    if (has_folder())
      raise(errors::ValueError, "{}: can't specify dir_fd without matching path", function);
    if (descriptor_ < 0) fail(EBADF);
    return;
  }
  if (is_str(path) || is_bytes_like(path)) {
    if (!is_str(path) && !is_bytes(path))
      call_method(import_module("warnings"), intern("warn"),
                  Value(make_str(fmt::format("{}: {} should be {}, not {}", function, argument,
                                             kinds_in_words(kinds), type_name(path)))),
                  Value(&errors::DeprecationWarning()));
    in_bytes_ = !is_str(path);
    if (in_bytes_)
      text_.assign(to_bytes(path));
    else
      text_ = system_bytes(text_of(path));
    if (text_.find('\0') != text_.npos) raise(errors::ValueError, "embedded null byte");
    return;
  }
  Value method = find_special(path, names().fspath);
  if (method.is_empty())
    raise(errors::TypeError, "{}: {} should be {}, not {}", function, argument,
          kinds_in_words(kinds), type_name(path));
  told_ = call(method);
  if (!is_str(told_) && !is_bytes(told_))
    raise(errors::TypeError, "expected {}.__fspath__() to return str or bytes, not {}",
          type_name(path), type_name(told_));
  in_bytes_ = !is_str(told_);
  text_ = path_text(told_);
}

bool SystemPath::has_folder() const { return folder_ != AT_FDCWD; }

void SystemPath::fail(int error) const {
  if (told_.is_none()) raise_os_error(error);
  try {
    raise_os_error(error, text_);
  } catch (const Raised& raised) {
    std::span<const Value> given = raised.exception->args->items();
    raised.exception->args = make_tuple({given[0], given[1], told_});
    throw;
  }
}

Value SystemPath::failed(int error) const {
  if (told_.is_none()) fail(error);
  Value made = call(Value(&errors::OSError()), Value::integer(error),
                    Value(make_str(std::strerror(error))), told_);
  return fail_exception(made.as<Exception>());
}

void SystemPath::fail(int error, const SystemPath& other) const {
  try {
    raise_os_error(error, text_);
  } catch (const Raised& raised) {
    std::span<const Value> given = raised.exception->args->items();
    raised.exception->args = make_tuple({given[0], given[1], told_, Value::none(), other.told_});
    throw;
  }
}

}  // namespace strider::lang
