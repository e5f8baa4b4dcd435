// Small modules of the system: gc, errno, what the library needs of the parser.
#include <algorithm>
#include <cerrno>

#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/memory/collector.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
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

Value give_none(const Parameters&) { return Value::none(); }

Value three_numbers(int first, int second, int third) {
  return make_tuple({Value::integer(first), Value::integer(second), Value::integer(third)});
}

Value gather(const Value& objects, std::vector<Value> (*find)(const Value&)) {
  Values all;
  for (const Value& object : objects.as<Tuple>()->items())
    for (Value& each : find(object)) all.push_back(std::move(each));
  return make_list(std::move(all));
}

const ConstantRow kGcConstants[] = {
    {"garbage", [] { return Value(make_list()); }},
    {"callbacks", [] { return Value(make_list()); }},
    {"DEBUG_STATS", [] { return Value::integer(1); }},
    {"DEBUG_COLLECTABLE", [] { return Value::integer(2); }},
    {"DEBUG_UNCOLLECTABLE", [] { return Value::integer(4); }},
    {"DEBUG_SAVEALL", [] { return Value::integer(32); }},
    {"DEBUG_LEAK", [] { return Value::integer(38); }},
};

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
    {"freeze()", give_none, "Nothing."},
    {"unfreeze()", give_none, "Nothing."},
    {"get_threshold()", [](const Parameters&) { return three_numbers(700, 10, 10); },
     "Numbers that CPython begins with; containers are counted in another manner here."},
    {"set_threshold(threshold0, threshold1=10, threshold2=10, /)", give_none,
     "Nothing: the collector has a measure of its own."},
    {"get_count()", [](const Parameters&) { return three_numbers(0, 0, 0); },
     "Zeros: containers are not counted by generations."},
    {"get_stats()", [](const Parameters&) { return Value(make_list()); }, "An empty list."},
    {"get_debug()", [](const Parameters&) { return Value::integer(0); }, "0."},
    {"set_debug(flags, /)", give_none, "Nothing: the collector has nothing to say."},
    {"get_objects(generation=None)",
     [](const Parameters& p) {
       if (!p[0].is_none()) {  // one of three; here they are one
         std::int64_t generation = to_int64(p[0]);
         if (generation < -1) raise(errors::ValueError, "generation parameter cannot be negative");
         if (generation > 2)
           raise(errors::ValueError,
                 "generation parameter must be less than the number of available generations (3)");
       }
       std::vector<Value> all = tracked_containers();
       return Value(make_list(Values(all.begin(), all.end())));
     },
     "All objects that may be part of a cycle."},
    {"get_referents(*objs)", [](const Parameters& p) { return gather(p[0], held_by); },
     "What the objects hold directly."},
    {"get_referrers(*objs)", [](const Parameters& p) { return gather(p[0], holders_of); },
     "The objects that hold one of these directly."},
    {"is_finalized(obj, /)", [](const Parameters&) { return Value::boolean(false); }, "False."},
    {"get_freeze_count()", [](const Parameters&) { return Value::integer(0); }, "0."},
    {"is_tracked(obj, /)",
     [](const Parameters& p) {
       return Value::boolean(p[0].is_object() && p[0].object()->is_container());
     },
     "Whether the value is an object that may be part of a cycle."},
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
    {"EWOULDBLOCK", EWOULDBLOCK},
    {"EADDRINUSE", EADDRINUSE},
    {"EADDRNOTAVAIL", EADDRNOTAVAIL},
    {"EAFNOSUPPORT", EAFNOSUPPORT},
    {"ECANCELED", ECANCELED},
    {"ECONNABORTED", ECONNABORTED},
    {"EDESTADDRREQ", EDESTADDRREQ},
    {"EDQUOT", EDQUOT},
    {"EHOSTUNREACH", EHOSTUNREACH},
    {"EILSEQ", EILSEQ},
    {"EISCONN", EISCONN},
    {"EMSGSIZE", EMSGSIZE},
    {"ENETDOWN", ENETDOWN},
    {"ENETUNREACH", ENETUNREACH},
    {"ENOBUFS", ENOBUFS},
    {"ENODATA", ENODATA},
    {"ENOLCK", ENOLCK},
    {"ENOTBLK", ENOTBLK},
    {"ENOTCONN", ENOTCONN},
    {"ENOTSOCK", ENOTSOCK},
    {"EOPNOTSUPP", EOPNOTSUPP},
    {"EPROTO", EPROTO},
    {"ESTALE", ESTALE},
    {"ETXTBSY", ETXTBSY},
    {"ELNRNG", ELNRNG},
    {"EUNATCH", EUNATCH},
    {"ECHRNG", ECHRNG},
    {"EL2NSYNC", EL2NSYNC},
    {"EL3HLT", EL3HLT},
    {"EL3RST", EL3RST},
    {"ENOCSI", ENOCSI},
    {"EL2HLT", EL2HLT},
    {"EBADE", EBADE},
    {"EBADR", EBADR},
    {"EXFULL", EXFULL},
    {"ENOANO", ENOANO},
    {"EBADRQC", EBADRQC},
    {"EBADSLT", EBADSLT},
    {"EBFONT", EBFONT},
    {"ENOSTR", ENOSTR},
    {"ETIME", ETIME},
    {"ENOSR", ENOSR},
    {"ENONET", ENONET},
    {"ENOPKG", ENOPKG},
    {"EREMOTE", EREMOTE},
    {"ENOLINK", ENOLINK},
    {"EADV", EADV},
    {"ESRMNT", ESRMNT},
    {"ECOMM", ECOMM},
    {"EMULTIHOP", EMULTIHOP},
    {"EDOTDOT", EDOTDOT},
    {"EBADMSG", EBADMSG},
    {"ENOTUNIQ", ENOTUNIQ},
    {"EBADFD", EBADFD},
    {"EREMCHG", EREMCHG},
    {"ELIBACC", ELIBACC},
    {"ELIBBAD", ELIBBAD},
    {"ELIBSCN", ELIBSCN},
    {"ELIBMAX", ELIBMAX},
    {"ELIBEXEC", ELIBEXEC},
    {"ERESTART", ERESTART},
    {"ESTRPIPE", ESTRPIPE},
    {"EUSERS", EUSERS},
    {"ENOPROTOOPT", ENOPROTOOPT},
    {"EPROTONOSUPPORT", EPROTONOSUPPORT},
    {"ESOCKTNOSUPPORT", ESOCKTNOSUPPORT},
    {"EPFNOSUPPORT", EPFNOSUPPORT},
    {"ENETRESET", ENETRESET},
    {"ESHUTDOWN", ESHUTDOWN},
    {"ETOOMANYREFS", ETOOMANYREFS},
    {"EHOSTDOWN", EHOSTDOWN},
    {"EUCLEAN", EUCLEAN},
    {"ENOTNAM", ENOTNAM},
    {"ENAVAIL", ENAVAIL},
    {"EISNAM", EISNAM},
    {"EREMOTEIO", EREMOTEIO},
    {"ENOMSG", ENOMSG},
    {"EIDRM", EIDRM},
    {"EDEADLOCK", EDEADLOCK},
    {"EPROTOTYPE", EPROTOTYPE},
    {"EOWNERDEAD", EOWNERDEAD},
    {"ENOTRECOVERABLE", ENOTRECOVERABLE},
    {"EKEYEXPIRED", EKEYEXPIRED},
    {"EKEYREJECTED", EKEYREJECTED},
    {"EKEYREVOKED", EKEYREVOKED},
    {"EMEDIUMTYPE", EMEDIUMTYPE},
    {"ENOKEY", ENOKEY},
    {"ENOMEDIUM", ENOMEDIUM},
    {"ERFKILL", ERFKILL},
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
         if (!codes->find(Value::integer(row.number)))
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
       std::string_view line = to_text(p[0], "marks_under() argument 1");
       std::size_t begin = byte_place(line, to_int64(p[1])), end = byte_place(line, to_int64(p[2]));
       return Value(make_str(syntax::marks_under(line, begin, std::max(begin, end), truth(p[3]))));
     },
     "Marks under what failed of a line, by its columns."},
};

}  // namespace

const NativeModule kGcModule = {"gc", "The collector of cycles.", kGcFunctions, kGcConstants};
const NativeModule kErrnoModule = {
    "errno", "Numbers of system errors.", {}, kErrnoConstants, find_error, list_errors};
const NativeModule kTracebackModule = {
    "_traceback", "What the module traceback needs of the parser.", kTracebackFunctions, {}};

}  // namespace strider::lang
