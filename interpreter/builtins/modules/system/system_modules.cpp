// Small modules of the system: gc, errno, and what traceback needs of the parser.
#include <cerrno>

#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/collector.h"
#include "interpreter/runtime/protocol.h"
#include "interpreter/syntax/marks.h"
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

// Where a number of characters of a text ends, in bytes.
std::size_t byte_place(std::string_view text, std::int64_t characters) {
  std::size_t place = 0;
  for (; place < text.size(); ++place) {
    bool starts = (static_cast<unsigned char>(text[place]) & 0xC0) != 0x80;
    if (starts && characters-- <= 0) break;
  }
  return place;
}

const NativeRow kTracebackFunctions[] = {
    {"marks_under(line, begin, end, ends_here, /)",
     [](const Parameters& p) {
       std::string_view line = text_of(p[0]);
       return Value(make_str(syntax::marks_under(line, byte_place(line, p[1].as_int()),
                                                 byte_place(line, p[2].as_int()), truth(p[3]))));
     },
     "Marks under what failed of a line, by its columns."},
};

}  // namespace

const NativeModule kGcModule = {"gc", "The collector of cycles.", kGcFunctions, {}};
const NativeModule kErrnoModule = {
    "errno", "Numbers of system errors.", {}, kErrnoConstants, find_error, list_errors};
const NativeModule kTracebackModule = {
    "_traceback", "What the module traceback needs of the parser.", kTracebackFunctions, {}};

}  // namespace strider::lang
