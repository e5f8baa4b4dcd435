// The module os: names and constants, the environment and the process.
#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/builtins/modules/os/descriptor.h"
#include "interpreter/builtins/modules/os/os_descriptors.h"
#include "interpreter/builtins/modules/os/os_files.h"
#include "interpreter/builtins/modules/os/struct_sequence.h"
#include "interpreter/builtins/modules/processes/os_processes.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/builtins/streams.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/text/str.h"

extern char** environ;

namespace strider::lang {
namespace {

// os.environ: a dict of texts; what is set here is set for the process too.
Value environ_repr(const Value& self) {
  return make_str("environ(" + std::string(text_of(Dict::type_object().slots.repr(self))) + ")");
}

// A name or value as the system takes it.
std::string environ_text(const Value& value) {
  if (!is_str(value)) raise(errors::TypeError, "str expected, not {}", type_name(value));
  std::string text = system_bytes(text_of(value));
  if (text.find('\0') != text.npos) raise(errors::ValueError, "embedded null byte");
  return text;
}

// A name, unless it is none.
std::string checked_name(std::string name) {
  if (name.empty()) raise_os_error(EINVAL);
  if (name.find('=') != name.npos) raise(errors::ValueError, "illegal environment variable name");
  return name;
}

std::string environ_name(const Value& value) { return checked_name(environ_text(value)); }

// A name or value as it is kept: a plain text, of whatever class the program's is.
Value kept_text(const Value& value) { return system_text(environ_text(value)); }

void environ_set_item(const Value& self, const Value& key, const Value& value) {
  require_outside();
  if (value.is_empty()) {
    unsetenv(environ_text(key).c_str());
    return Dict::type_object().slots.set_item(self, kept_text(key), value);
  }
  std::string name = environ_name(key), text = environ_text(value);
  setenv(name.c_str(), text.c_str(), 1);
  Dict::type_object().slots.set_item(self, system_text(name), system_text(text));
}

Value environ_get_item(const Value& self, const Value& key) {
  return Dict::type_object().slots.get_item(self, kept_text(key));
}

// Sets all that a mapping or pairs hold, one by one.
void environ_take(const Value& self, const Value& given, const Value& named) {
  Ref<Dict> taken = make_dict();
  if (!given.is_empty()) call_method(taken, intern("update"), given);
  if (!named.is_empty()) call_method(taken, intern("update"), named);
  for (const Dict::Entry& entry : taken->entries())
    if (!entry.key.is_empty()) environ_set_item(self, entry.key, entry.value);
}

Value environ_pop(const Parameters& p) {
  const Value* found = p[0].as<Dict>()->find(kept_text(p[1]));
  if (!found && p[2].is_empty()) raise_value(errors::KeyError(), p[1]);
  if (!found) return p[2];
  Value value = *found;
  environ_set_item(p[0], p[1], Value());
  return value;
}

Value environ_pop_item(const Parameters& p) {
  Values keys = to_list(p[0])->items;
  if (keys.empty()) raise(errors::KeyError, "popitem(): dictionary is empty");
  Value value = *p[0].as<Dict>()->find(keys[0]);
  environ_set_item(p[0], keys[0], Value());
  return make_tuple({keys[0], value});
}

Value environ_clear(const Parameters& p) {
  Ref<List> names = to_list(p[0]);
  for (const Value& name : names->items) environ_set_item(p[0], name, Value());
  return Value::none();
}

Value environ_set_default(const Parameters& p) {
  Value name = kept_text(p[1]);
  if (!p[0].as<Dict>()->find(name)) environ_set_item(p[0], name, p[2]);
  return *p[0].as<Dict>()->find(name);
}

const NativeRow kEnvironMethods[] = {
    {"update(self, other=<none>, /, **named)",
     [](const Parameters& p) {
       environ_take(p[0], p[1], p[2]);
       return Value::none();
     },
     "Sets several variables."},
    {"setdefault(self, key, value, /)", environ_set_default, "Sets a variable that is not there."},
    {"pop(self, key, default=<none>, /)", environ_pop, "Removes a variable; gives its value."},
    {"popitem(self)", environ_pop_item, "Removes any variable; gives its name and value."},
    {"clear(self)", environ_clear, "Removes all variables."},
    {"encodekey(self, value, /)",
     [](const Parameters& p) { return Value(make<Bytes>(environ_text(p[1]))); },
     "A name as bytes."},
    {"decodekey(self, value, /)", [](const Parameters& p) { return system_text(to_bytes(p[1])); },
     "A name as text."},
};

Type& environ_type() {
  static Type& type = *[] {
    Type& made = make_module_type("_Environ", "os", Dict::type_object());
    made.set_name("_Environ");  // a class written in Python there
    made.add(kEnvironMethods);
    made.slots.repr = environ_repr;
    made.slots.inplace = [](BinaryOperator op, const Value& self, const Value& other) {
      if (op != BinaryOperator::kBitOr) return Value();
      environ_take(self, other, Value());
      return self;
    };
    made.slots.get_item = environ_get_item;
    made.slots.set_item = environ_set_item;
    // What is set meanwhile disturbs nobody who goes through the names.
    made.slots.iterate = [](const Value& self) {
      Ref<List> names = make_list();
      for (const Dict::Entry& entry : self.as<Dict>()->entries())
        if (!entry.key.is_empty()) names->items.push_back(entry.key);
      return iterate(names);
    };
    return &made;
  }();
  return type;
}

Value make_environ() {
  Ref<Dict> variables = make<Dict>(&environ_type());
  for (char** entry = environ; entry && *entry; ++entry) {
    std::string_view text = *entry;
    std::size_t equals = text.find('=', 1);
    if (equals == text.npos) continue;
    variables->set(system_text(text.substr(0, equals)), system_text(text.substr(equals + 1)));
  }
  return variables;
}

Value os_getenv(const Parameters& p) {
  Value variables = get_attribute(import_module("os"), intern("environ"));
  environ_text(p[0]);
  const Value* found = variables.as<Dict>()->find(p[0]);
  return found ? *found : p[1];
}

Value os_putenv(const Parameters& p) {
  std::string name = path_text(p[0]), value = path_text(p[1]);
  setenv(checked_name(name).c_str(), value.c_str(), 1);
  return Value::none();
}

Value os_unsetenv(const Parameters& p) {
  unsetenv(checked_name(path_text(p[0])).c_str());
  return Value::none();
}

Value os_urandom(const Parameters& p) {
  std::int64_t size = to_int64(p[0]);
  if (size < 0) raise(errors::ValueError, "negative argument not allowed");
  std::string bytes(static_cast<std::size_t>(size), '\0');
  for (std::size_t done = 0; done < bytes.size();) {
    ssize_t got = getrandom(bytes.data() + done, bytes.size() - done, 0);
    if (got < 0 && errno != EINTR) raise_os_error(errno);
    if (got > 0) done += static_cast<std::size_t>(got);
  }
  return make<Bytes>(std::move(bytes));
}

const StructSequenceType& uname_result_type() {
  static constexpr const char* kFields[] = {"sysname", "nodename", "release", "version", "machine"};
  static StructSequenceType type("uname_result", "posix", kFields, 5);
  return type;
}

Value os_uname(const Parameters&) {
  utsname names;
  uname(&names);
  return uname_result_type().make({Value(make_str(names.sysname)), Value(make_str(names.nodename)),
                                   Value(make_str(names.release)), Value(make_str(names.version)),
                                   Value(make_str(names.machine))});
}

const StructSequenceType& times_result_type() {
  static constexpr const char* kFields[] = {"user", "system", "children_user", "children_system",
                                            "elapsed"};
  static StructSequenceType type("times_result", "posix", kFields, 5);
  return type;
}

Value os_times(const Parameters&) {
  tms used;
  clock_t elapsed = times(&used);
  auto seconds = [ticks = static_cast<double>(sysconf(_SC_CLK_TCK))](clock_t count) {
    return Value::real(static_cast<double>(count) / ticks);
  };
  return times_result_type().make({seconds(used.tms_utime), seconds(used.tms_stime),
                                   seconds(used.tms_cutime), seconds(used.tms_cstime),
                                   seconds(elapsed)});
}

StructSequenceType& terminal_size_type() {
  static constexpr const char* kFields[] = {"columns", "lines"};
  static StructSequenceType type("terminal_size", "os", kFields, 2);
  return type;
}

Value os_get_terminal_size(const Parameters& p) {
  winsize size;
  if (ioctl(to_c_int(p[0]), TIOCGWINSZ, &size) != 0) raise_os_error(errno);
  return terminal_size_type().make({Value::integer(size.ws_col), Value::integer(size.ws_row)});
}

Value os_cpu_count(const Parameters&) { return Value::integer(sysconf(_SC_NPROCESSORS_ONLN)); }

Value os_sched_getaffinity(const Parameters& p) {
  cpu_set_t processors;
  if (sched_getaffinity(to_c_int(p[0]), sizeof processors, &processors) != 0) raise_os_error(errno);
  Values numbers;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &processors)) numbers.push_back(Value::integer(i));
  return call(get_attribute(import_module("builtins"), intern("set")),
              Value(make_list(std::move(numbers))));
}

Value os_getloadavg(const Parameters&) {
  double loads[3];
  if (getloadavg(loads, 3) != 3) raise(errors::OSError, "Load averages are unobtainable");
  return make_tuple({Value::real(loads[0]), Value::real(loads[1]), Value::real(loads[2])});
}

Value os_exit(const Parameters& p) { _exit(to_c_int(p[0])); }

Value os_kill(const Parameters& p) {
  flush_standard_streams();
  if (kill(to_c_int(p[0]), to_c_int(p[1])) != 0) raise_os_error(errno);
  poll_interrupt(Interpreter::current());  // which it may have been
  return Value::none();
}

Value os_strerror(const Parameters& p) { return make_str(std::strerror(to_c_int(p[0]))); }

Value os_fspath(const Parameters& p) {
  if (is_str(p[0]) || is_bytes(p[0])) return p[0];
  Value method = find_special(p[0], names().fspath);
  Value path = method.is_empty() ? p[0] : call(method);
  if (is_str(path) || is_bytes(path)) return path;
  return make_str(path_text(p[0]));  // which says what is wrong with it
}

Value os_fsencode(const Parameters& p) {
  Value path = os_fspath(p);
  return is_bytes(path) ? path : Value(make<Bytes>(system_bytes(text_of(path))));
}

Value os_fsdecode(const Parameters& p) {
  Value path = os_fspath(p);
  return is_str(path) ? path : system_text(path.as<Bytes>()->bytes());
}

template <auto kFunction>
Value number_of(const Parameters&) {
  return Value::integer(static_cast<std::int64_t>(kFunction()));
}

Value os_umask(const Parameters& p) {
  return Value::integer(umask(static_cast<mode_t>(to_c_int(p[0]))));
}

const NativeRow kFunctions[] = {
    {"getenv(key, default=None)", os_getenv, "An environment variable."},
    {"putenv(name, value, /)", outside<os_putenv>, "Sets an environment variable of the process."},
    {"unsetenv(name, /)", outside<os_unsetenv>, "Removes an environment variable of the process."},
    {"urandom(size, /)", os_urandom, "Random bytes from the system."},
    {"getrandom(size, flags=0)", os_urandom, "Random bytes from the system."},
    {"uname()", os_uname, "Names of the system."},
    {"times()", os_times, "Processor times used."},
    {"get_terminal_size(fd=1, /)", outside<os_get_terminal_size>,
     "Columns and lines of the terminal."},
    {"cpu_count()", os_cpu_count, "Number of processors."},
    {"sched_getaffinity(pid, /)", os_sched_getaffinity, "The processors that may be used."},
    {"getloadavg()", os_getloadavg, "Load averages."},
    {"getpid()", number_of<getpid>, "The process's number."},
    {"getppid()", number_of<getppid>, "The parent's number."},
    {"getuid()", number_of<getuid>, "The user's number."},
    {"geteuid()", number_of<geteuid>, "The effective user's number."},
    {"getgid()", number_of<getgid>, "The group's number."},
    {"getegid()", number_of<getegid>, "The effective group's number."},
    {"umask(mask, /)", outside<os_umask>, "Sets the mask of new files' modes."},
    {"_exit(status)", outside<os_exit>, "Ends the process at once."},
    {"kill(pid, signal, /)", outside<os_kill>, "Sends a signal."},
    {"strerror(code, /)", os_strerror, "The text of an error number."},
    {"fspath(path)", os_fspath, "The text or bytes of a path."},
    {"fsencode(filename)", os_fsencode, "A path as bytes."},
    {"fsdecode(filename)", os_fsdecode, "A path as text."},
};

Value text(const char* value) { return make_str(value); }

const ConstantRow kConstants[] = {
    {"environ", make_environ},
    {"name", [] { return text("posix"); }},
    {"sep", [] { return text("/"); }},
    {"altsep", [] { return Value::none(); }},
    {"extsep", [] { return text("."); }},
    {"pathsep", [] { return text(":"); }},
    {"linesep", [] { return text("\n"); }},
    {"curdir", [] { return text("."); }},
    {"pardir", [] { return text(".."); }},
    {"devnull", [] { return text("/dev/null"); }},
    {"defpath", [] { return text("/bin:/usr/bin"); }},
    {"error", [] { return Value(&errors::OSError()); }},
    {"F_OK", [] { return Value::integer(F_OK); }},
    {"R_OK", [] { return Value::integer(R_OK); }},
    {"W_OK", [] { return Value::integer(W_OK); }},
    {"X_OK", [] { return Value::integer(X_OK); }},
    {"O_RDONLY", [] { return Value::integer(O_RDONLY); }},
    {"O_WRONLY", [] { return Value::integer(O_WRONLY); }},
    {"O_RDWR", [] { return Value::integer(O_RDWR); }},
    {"O_CREAT", [] { return Value::integer(O_CREAT); }},
    {"O_EXCL", [] { return Value::integer(O_EXCL); }},
    {"O_TRUNC", [] { return Value::integer(O_TRUNC); }},
    {"O_APPEND", [] { return Value::integer(O_APPEND); }},
    {"SEEK_SET", [] { return Value::integer(SEEK_SET); }},
    {"SEEK_CUR", [] { return Value::integer(SEEK_CUR); }},
    {"SEEK_END", [] { return Value::integer(SEEK_END); }},
};

// Functions of files, classes, and what is written in npx: os.path, walk, makedirs.
Value find_more(Name name) {
  Value found = make_native_function(std::span(kFileFunctions, kFileFunctionCount), name, "posix");
  if (found.is_empty())
    found = make_native_function(std::span(kPathFunctions, kPathFunctionCount), name, "posix");
  if (found.is_empty())
    found =
        make_native_function(std::span(kProcessFunctions, kProcessFunctionCount), name, "posix");
  if (found.is_empty())
    found = make_native_function(std::span(kDescriptorFunctions, kDescriptorFunctionCount), name,
                                 "posix");
  if (found.is_empty())
    found =
        make_native_function(std::span(kWaitingFunctions, kWaitingFunctionCount), name, "posix");
  std::string_view wanted = text_of(name);
  if (found.is_empty()) found = waiting_constant(wanted);
  if (found.is_empty()) found = process_constant(wanted);
  if (found.is_empty()) found = descriptor_constant(wanted);
  if (!found.is_empty()) return found;
  if (wanted == "fork") return get_attribute(import_module("_forks"), name);
  if (wanted == "terminal_size") return Value(&terminal_size_type().type());
  if (wanted == "times_result") return Value(&times_result_type().type());
  if (wanted == "uname_result") return Value(&uname_result_type().type());
  if (wanted == "path") return import_module("posixpath");
  if (wanted == "stat_result") return Value(&stat_result_type());
  if (wanted == "statvfs_result") return Value(&statvfs_result_type());
  if (wanted == "_Environ") return Value(&environ_type());
  if (wanted == "DirEntry") return Value(&directory_entry_type());
  if (wanted.starts_with("supports_")) return find_attribute(import_module("_ossupport"), name);
  if (wanted.starts_with("__")) return Value();
  for (const char* known : {"walk", "fwalk", "makedirs", "removedirs", "renames", "PathLike",
                            "fdopen", "popen", "system", "waitstatus_to_exitcode"})
    if (wanted == known) return get_attribute(import_module("_oswalk"), name);
  for (const char* known :
       {"execl",    "execle",          "execlp",   "execlpe",       "execv",           "execvp",
        "execvpe",  "spawnl",          "spawnle",  "spawnlp",       "spawnlpe",        "spawnv",
        "spawnve",  "spawnvp",         "spawnvpe", "get_exec_path", "getcwdb",         "getenvb",
        "environb", "device_encoding", "wait3",    "wait4",         "register_at_fork"})
    if (wanted == known) return get_attribute(import_module("_osprocesses"), name);
  return Value();
}

void list_more(std::vector<std::string_view>& names) {
  list_function_names(std::span(kFileFunctions, kFileFunctionCount), names);
  list_function_names(std::span(kPathFunctions, kPathFunctionCount), names);
  list_function_names(std::span(kWaitingFunctions, kWaitingFunctionCount), names);
  list_function_names(std::span(kProcessFunctions, kProcessFunctionCount), names);
  list_function_names(std::span(kDescriptorFunctions, kDescriptorFunctionCount), names);
  names.insert(names.end(), {"path", "walk", "makedirs", "removedirs", "renames", "PathLike",
                             "fdopen", "stat_result", "DirEntry"});
}

}  // namespace

const NativeModule kOsModule = {"os",       "Files, folders, the environment and the process.",
                                kFunctions, kConstants,
                                find_more,  list_more};

}  // namespace strider::lang
