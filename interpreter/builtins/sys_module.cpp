// The module sys.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cfloat>
#include <climits>
#include <deque>
#include <filesystem>

#include "interpreter/builtins/functions.h"
#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/builtins/modules/os/struct_sequence.h"
#include "interpreter/builtins/modules/system/library_names.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/builtins/streams.h"
#include "interpreter/builtins/unraisable.h"
#include "interpreter/builtins/watching/program_watcher.h"
#include "interpreter/evaluator/frames/frame_object.h"
#include "interpreter/evaluator/frames/function.h"
#include "interpreter/evaluator/frames/threads.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/object_size.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/objects/namespace.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/sets/set.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// A tuple is the arguments of the exception, as CPython has it.
Value sys_exit(const Parameters& p) {
  if (!is_tuple(p[0])) raise_value(errors::SystemExit(), p[0]);
  throw Raised{make_exception(Value(&errors::SystemExit()), p[0])};
}

Value sys_exc_info(const Parameters&) {
  const Ref<Exception>& handled = Interpreter::current().handled;
  if (!handled) return make_tuple({Value::none(), Value::none(), Value::none()});
  return make_tuple({Value(handled->type()), Value(handled), traceback_object(*handled)});
}

Value sys_exception(const Parameters&) {
  const Ref<Exception>& handled = Interpreter::current().handled;
  return handled ? Value(handled) : Value::none();
}

Value sys_getrecursionlimit(const Parameters&) {
  return Value::integer(Interpreter::current().recursion_limit);
}

Value sys_get_int_max_str_digits(const Parameters&) {
  return Value::integer(static_cast<std::int64_t>(Interpreter::current().most_digits));
}

Value sys_set_int_max_str_digits(const Parameters& p) {
  std::int64_t digits = to_int64(p[0]);
  if (digits != 0 && digits < 640)
    raise(errors::ValueError, "maxdigits must be 0 or larger than 640");
  Interpreter::current().most_digits = static_cast<std::size_t>(digits);
  return Value::none();
}

Value sys_setrecursionlimit(const Parameters& p) {
  std::int64_t limit = to_int64(p[0]);
  if (limit < 1) raise(errors::ValueError, "recursion limit must be greater or equal than 1");
  Interpreter& interpreter = Interpreter::current();
  if (limit <= interpreter.depth)
    raise(errors::RecursionError,
          "cannot set the recursion limit to {} at the recursion depth {}: the limit is too low",
          limit, interpreter.depth);
  interpreter.recursion_limit = static_cast<int>(std::min<std::int64_t>(limit, INT_MAX));
  return Value::none();
}

Value sys_getsizeof(const Parameters& p) {
  Value size = call(find_special(p[0], intern("__sizeof__")));
  if (!size.is_int()) {
    if (!p[1].is_empty()) return p[1];
    raise(errors::TypeError, "an integer is required (got type {})", type_name(size));
  }
  if (size.as_int() < 0) raise(errors::ValueError, "__sizeof__() should return >= 0");
  return Value::integer(size.as_int() + collector_head(p[0]));
}

Value sys_getrefcount(const Parameters& p) {
  return Value::integer(p[0].is_object() ? p[0].object()->references() : 1000000000);
}

Value sys_intern(const Parameters& p) {
  to_text(p[0], "intern() argument");
  return Value(intern(p[0].as<Str>()));
}

Value sys_getframe(const Parameters& p) {
  std::int64_t depth = to_int64(p[0]);
  Frame* frame = Interpreter::current().frame;
  for (; frame && depth > 0; --depth) frame = frame->caller;
  if (!frame) raise(errors::ValueError, "call stack is not deep enough");
  return describe_frame(frame);
}

// excepthook(class, exception, traceback): what happens to exceptions that nobody handles.
Value sys_excepthook(const Parameters& p) {
  if (is_instance(p[1], errors::BaseException()))
    write_to(standard_error(), format_traceback(*p[1].as<Exception>()));
  return Value::none();
}

Value sys_displayhook(const Parameters& p) {
  display_value(p[0]);
  return Value::none();
}

// What the environment's PYTHONBREAKPOINT names is called, pdb.set_trace by default; "0": nothing.
Value sys_breakpointhook(const Parameters& p) {
  const char* chosen = std::getenv("PYTHONBREAKPOINT");
  std::string name = chosen && *chosen ? chosen : "pdb.set_trace";
  if (name == "0") return Value::none();
  std::size_t dot = name.rfind('.');
  Value module = import_module(dot == name.npos ? "builtins" : name.substr(0, dot));
  Value hook = get_attribute(module, intern(dot == name.npos ? name : name.substr(dot + 1)));
  return call_collected(hook, p);
}

Value sys_setswitchinterval(const Parameters& p) {
  double seconds = to_double(p[0]);
  if (!(seconds > 0)) raise(errors::ValueError, "switch interval must be strictly positive");
  own_threads(Interpreter::current()).set_turn(seconds);
  return Value::none();
}

const NativeRow kFunctions[] = {
    {"__excepthook__(exctype, value, traceback, /)", sys_excepthook,
     "Writes the report of an exception that nobody handles."},
    {"__breakpointhook__(*args, **kws)", sys_breakpointhook,
     "Starts the debugger, or what PYTHONBREAKPOINT names."},
    {"__displayhook__(object, /)", sys_displayhook, "Shows the value of an entry."},
    {"__unraisablehook__(unraisable, /)", sys_unraisablehook,
     "Writes the report of an exception that nobody can be given."},
    {"settrace(function, /)", set_tracer,
     "Sets what is called when a function of this thread begins, comes to a line, raises or ends."},
    {"setprofile(function, /)", set_profiler,
     "Sets what is called when a function of this thread begins or ends."},
    {"gettrace()", get_tracer, "What settrace has set, or None."},
    {"getprofile()", get_profiler, "What setprofile has set, or None."},
    {"is_finalizing()", [](const Parameters&) { return Value::boolean(false); },
     "Whether the program is ending."},
    {"audit(event, /, *args)", [](const Parameters&) { return Value::none(); },
     "Tells nobody: no hooks can be added."},
    {"getswitchinterval()",
     [](const Parameters&) { return Value::real(own_threads(Interpreter::current()).turn()); },
     "How many seconds a thread runs before others do."},
    {"setswitchinterval(interval, /)", sys_setswitchinterval,
     "Sets how many seconds a thread runs before others do."},
    {"exit(status=None, /)", sys_exit, "Leaves the program by raising SystemExit."},
    {"exc_info()", sys_exc_info, "Class, instance and traceback of the exception being handled."},
    {"exception()", sys_exception, "The exception being handled, or None."},
    {"get_int_max_str_digits()", sys_get_int_max_str_digits,
     "How many digits the decimal text of an integer may have."},
    {"set_int_max_str_digits(maxdigits)", sys_set_int_max_str_digits,
     "Sets how many digits the decimal text of an integer may have; 0: any number."},
    {"getrecursionlimit()", sys_getrecursionlimit, "How deep calls may nest."},
    {"setrecursionlimit(limit, /)", sys_setrecursionlimit, "Sets how deep calls may nest."},
    {"getsizeof(object, default=<none>)", sys_getsizeof, "Bytes of memory, roughly."},
    {"getrefcount(object, /)", sys_getrefcount, "How many references there are."},
    {"_getframe(depth=0, /)", sys_getframe, "The running function, or one of its callers."},
    {"intern(string, /)", sys_intern, "The one shared object with this text."},
    {"getdefaultencoding()", [](const Parameters&) { return Value(make_str("utf-8")); }, "utf-8."},
    {"getfilesystemencodeerrors()",
     [](const Parameters&) { return Value(make_str("surrogateescape")); },
     "How names of files that are no text are kept."},
    {"getfilesystemencoding()", [](const Parameters&) { return Value(make_str("utf-8")); },
     "utf-8."},
};

Value make_texts(const std::vector<std::string>& texts) {
  Values values;
  for (const std::string& text : texts) values.emplace_back(system_text(text));
  return make_list(std::move(values));
}

// An object with attributes, such as sys.implementation.
Value make_record(std::initializer_list<std::pair<const char*, Value>> fields) {
  Ref<SimpleNamespace> record = make<SimpleNamespace>();
  for (const auto& [name, value] : fields) record->attributes()->set(intern(name), value);
  return record;
}

// A tuple with named fields, such as sys.float_info. Its type stays until the process ends.
Value make_fields(const char* name, std::span<const char* const> fields, Values values) {
  static auto* types = new std::deque<StructSequenceType>;
  return types->emplace_back(name, "sys", fields, fields.size()).make(std::move(values));
}

Value make_float_info() {
  static constexpr const char* kFields[] = {"max",     "max_exp",    "max_10_exp", "min",
                                            "min_exp", "min_10_exp", "dig",        "mant_dig",
                                            "epsilon", "radix",      "rounds"};
  return make_fields(
      "float_info", kFields,
      {Value::real(DBL_MAX), Value::integer(DBL_MAX_EXP), Value::integer(DBL_MAX_10_EXP),
       Value::real(DBL_MIN), Value::integer(DBL_MIN_EXP), Value::integer(DBL_MIN_10_EXP),
       Value::integer(DBL_DIG), Value::integer(DBL_MANT_DIG), Value::real(DBL_EPSILON),
       Value::integer(FLT_RADIX), Value::integer(1)});
}

Value make_int_info() {
  static constexpr const char* kFields[] = {"bits_per_digit", "sizeof_digit",
                                            "default_max_str_digits", "str_digits_check_threshold"};
  return make_fields(
      "int_info", kFields,
      {Value::integer(30), Value::integer(4), Value::integer(4300), Value::integer(640)});
}

Value make_hash_info() {
  static constexpr const char* kFields[] = {"width",     "modulus",   "inf",       "nan",   "imag",
                                            "algorithm", "hash_bits", "seed_bits", "cutoff"};
  return make_fields(
      "hash_info", kFields,
      {Value::integer(64), Value::integer((std::int64_t{1} << 61) - 1), Value::integer(314159),
       Value::integer(0), Value::integer(1000003), Value(make_str("siphash13")), Value::integer(64),
       Value::integer(128), Value::integer(0)});
}

Value make_thread_info() {
  static constexpr const char* kFields[] = {"name", "lock", "version"};
  return make_fields("thread_info", kFields,
                     {Value(make_str("pthread")), Value(make_str("semaphore")), Value::none()});
}

// The Python whose behaviour the tests are held against.
constexpr int kPatch = 7;
constexpr const char* kVersion = "3.11.7 (strider)";
constexpr std::int64_t kHexVersion = 0x030b00f0 | kPatch << 8;

Value make_version_info() {
  static constexpr const char* kFields[] = {"major", "minor", "micro", "releaselevel", "serial"};
  return make_fields("version_info", kFields,
                     {Value::integer(3), Value::integer(11), Value::integer(kPatch),
                      Value(make_str("final")), Value::integer(0)});
}

Value make_flags() {
  static constexpr const char* kFields[] = {"debug",
                                            "inspect",
                                            "interactive",
                                            "optimize",
                                            "dont_write_bytecode",
                                            "no_user_site",
                                            "no_site",
                                            "ignore_environment",
                                            "verbose",
                                            "bytes_warning",
                                            "quiet",
                                            "hash_randomization",
                                            "isolated",
                                            "dev_mode",
                                            "utf8_mode",
                                            "warn_default_encoding",
                                            "safe_path",
                                            "int_max_str_digits"};
  Values values(std::size(kFields), Value::integer(0));
  values[3] = Value::integer(Interpreter::current().optimize);
  values[13] = values[16] = Value::boolean(false);
  values.back() = Value::integer(4300);
  return make_fields("flags", kFields, std::move(values));
}

Value make_executable() {
  std::error_code error;
  return make_str(std::filesystem::read_symlink("/proc/self/exe", error).string());
}

Value make_native_names() {
  Values modules;
  for (std::string_view name : built_in_names()) modules.emplace_back(make_str(name));
  return make_tuple(std::move(modules));
}

Value make_library_names() {
  Ref<Set> modules = make<Set>(true);
  for (std::string_view name : library_names()) modules->add(Value(make_str(name)));
  return modules;
}

// A list of those that importlib.machinery has.
Value standard_finders(std::string_view name) {
  return call(get_attribute(import_module("importlib.machinery"), intern(name)));
}

// What sys has of the module _asynchronous.
template <int kGets>
Value asynchronous() {
  Name name = intern(kGets ? "get_asyncgen_hooks" : "set_asyncgen_hooks");
  return get_attribute(import_module("_asynchronous"), name);
}

bool is_open(int descriptor) { return fcntl(descriptor, F_GETFD) >= 0; }

// Which descriptors whoever started the program left it; asked before anything is opened.
const bool kOpenAtStart[] = {is_open(STDIN_FILENO), is_open(STDOUT_FILENO), is_open(STDERR_FILENO)};

bool is_usable(int descriptor) { return kOpenAtStart[descriptor] || stream_front(); }

template <int kDescriptor>
Value standard_stream() {
  if (!is_usable(kDescriptor)) return Value::none();
  return make<StandardStream>(kDescriptor, kDescriptor == STDOUT_FILENO ? "<stdout>" : "<stderr>");
}

Value standard_input() {
  return is_usable(STDIN_FILENO) ? Value(make<StandardInput>()) : Value::none();
}

const ConstantRow kConstants[] = {
    {"argv", [] { return make_texts(Interpreter::current().arguments); }},
    {"path", [] { return Value(Interpreter::current().search_path); }},
    {"modules", [] { return Value(Interpreter::current().modules); }},
    {"stdout", standard_stream<STDOUT_FILENO>},
    {"stderr", standard_stream<STDERR_FILENO>},
    {"__stdout__", standard_stream<STDOUT_FILENO>},
    {"__stderr__", standard_stream<STDERR_FILENO>},
    {"stdin", standard_input},
    {"version", [] { return Value(make_str(kVersion)); }},
    {"version_info", make_version_info},
    {"hexversion", [] { return Value::integer(kHexVersion); }},
    {"implementation",
     [] {
       return make_record({{"name", Value(make_str("strider"))},
                           {"cache_tag", Value(make_str("strider-311"))},
                           {"version", make_version_info()},
                           {"hexversion", Value::integer(kHexVersion)}});
     }},
    {"platform", [] { return Value(make_str("linux")); }},
    {"byteorder", [] { return Value(make_str("little")); }},
    {"maxsize", [] { return Value::integer(INT64_MAX); }},
    {"maxunicode", [] { return Value::integer(0x10ffff); }},
    {"float_info", make_float_info},
    {"int_info", make_int_info},
    {"hash_info", make_hash_info},
    {"thread_info", make_thread_info},
    {"float_repr_style", [] { return Value(make_str("short")); }},
    {"executable", make_executable},
    {"prefix", [] { return Value(make_str("/usr")); }},
    {"displayhook", [] { return get_attribute(import_module("sys"), intern("__displayhook__")); }},
    {"breakpointhook",
     [] { return get_attribute(import_module("sys"), intern("__breakpointhook__")); }},
    {"excepthook", [] { return get_attribute(import_module("sys"), intern("__excepthook__")); }},
    {"unraisablehook",
     [] { return get_attribute(import_module("sys"), intern("__unraisablehook__")); }},
    {"base_prefix", [] { return Value(make_str("/usr")); }},
    {"exec_prefix", [] { return Value(make_str("/usr")); }},
    {"base_exec_prefix", [] { return Value(make_str("/usr")); }},
    {"platlibdir", [] { return Value(make_str("lib")); }},
    {"abiflags", [] { return Value(make_str("")); }},
    {"api_version", [] { return Value::integer(1013); }},
    {"copyright", [] { return Value(make_str("")); }},
    {"orig_argv", [] { return make_texts(Interpreter::current().arguments); }},
    {"meta_path", [] { return standard_finders("_finders"); }},
    {"path_hooks", [] { return standard_finders("_hooks"); }},
    {"path_importer_cache", [] { return Value(make_dict()); }},
    {"pycache_prefix", [] { return Value::none(); }},
    {"builtin_module_names", make_native_names},
    {"stdlib_module_names", make_library_names},
    {"flags", make_flags},
    {"_xoptions", []() -> Value { return make_dict(); }},
    {"warnoptions", [] { return make_texts(Interpreter::current().warning_filters); }},
    {"dont_write_bytecode", [] { return Value::boolean(true); }},
    {"get_asyncgen_hooks", asynchronous<1>},
    {"set_asyncgen_hooks", asynchronous<0>},
};

}  // namespace

const NativeModule kSysModule = {"sys", "The interpreter's own settings and streams.", kFunctions,
                                 kConstants};

}  // namespace strider::lang
