// Small modules of the system: gc and errno.
#include <cerrno>

#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/collector.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value switch_collection(bool on) {
  set_automatic_collection(on);
  return Value::none();
}

const NativeRow kGcFunctions[] = {
    {"collect(generation=2)",
     [](const Parameters&) { return Value::integer(static_cast<std::int64_t>(collect_cycles())); },
     "Frees unreachable cycles; returns how many objects went."},
    {"enable()", [](const Parameters&) { return switch_collection(true); },
     "Switches automatic collection on."},
    {"disable()", [](const Parameters&) { return switch_collection(false); },
     "Switches automatic collection off."},
    {"isenabled()",
     [](const Parameters&) {
       bool on = set_automatic_collection(true);
       set_automatic_collection(on);
       return Value::boolean(on);
     },
     "Whether automatic collection is on."},
    {"freeze()", [](const Parameters&) { return Value::none(); }, "Nothing."},
};

struct ErrorRow {
  const char* name;
  int number;
};

constexpr ErrorRow kErrors[] = {
    {"EPERM", EPERM},
    {"ENOENT", ENOENT},
    {"ESRCH", ESRCH},
    {"EINTR", EINTR},
    {"EIO", EIO},
    {"ENXIO", ENXIO},
    {"E2BIG", E2BIG},
    {"ENOEXEC", ENOEXEC},
    {"EBADF", EBADF},
    {"ECHILD", ECHILD},
    {"EAGAIN", EAGAIN},
    {"ENOMEM", ENOMEM},
    {"EACCES", EACCES},
    {"EFAULT", EFAULT},
    {"EBUSY", EBUSY},
    {"EEXIST", EEXIST},
    {"EXDEV", EXDEV},
    {"ENODEV", ENODEV},
    {"ENOTDIR", ENOTDIR},
    {"EISDIR", EISDIR},
    {"EINVAL", EINVAL},
    {"ENFILE", ENFILE},
    {"EMFILE", EMFILE},
    {"ENOTTY", ENOTTY},
    {"EFBIG", EFBIG},
    {"ENOSPC", ENOSPC},
    {"ESPIPE", ESPIPE},
    {"EROFS", EROFS},
    {"EMLINK", EMLINK},
    {"EPIPE", EPIPE},
    {"EDOM", EDOM},
    {"ERANGE", ERANGE},
    {"EDEADLK", EDEADLK},
    {"ENAMETOOLONG", ENAMETOOLONG},
    {"ENOSYS", ENOSYS},
    {"ENOTEMPTY", ENOTEMPTY},
    {"ELOOP", ELOOP},
    {"ETIMEDOUT", ETIMEDOUT},
    {"ECONNREFUSED", ECONNREFUSED},
    {"ECONNRESET", ECONNRESET},
    {"EALREADY", EALREADY},
    {"EINPROGRESS", EINPROGRESS},
    {"EOVERFLOW", EOVERFLOW},
    {"ENOTSUP", ENOTSUP},
};

Value find_error(Name name) {
  for (const ErrorRow& row : kErrors)
    if (text_of(name) == row.name) return Value::integer(row.number);
  return Value();
}

void list_errors(std::vector<std::string_view>& names) {
  for (const ErrorRow& row : kErrors) names.push_back(row.name);
}

const ConstantRow kErrnoConstants[] = {
    {"errorcode",
     [] {
       Ref<Dict> codes = make_dict();
       for (const ErrorRow& row : kErrors)
         codes->set(Value::integer(row.number), Value(make_str(row.name)));
       return Value(codes);
     }},
};

}  // namespace

const NativeModule kGcModule = {"gc", "The collector of cycles.", kGcFunctions, {}};
const NativeModule kErrnoModule = {
    "errno", "Numbers of system errors.", {}, kErrnoConstants, find_error, list_errors};

}  // namespace strider::lang
