// The messages that built-in functions give for wrong arguments.
#include "interpreter/runtime/call/native_arguments.h"

#include <algorithm>
#include <string>

#include "interpreter/runtime/call/call_forms.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/type/slot_arguments.h"
#include "interpreter/runtime/type/type.h"

namespace strider::lang {
namespace {

ArgumentCheck numpy_check = nullptr;

// Methods and class methods get what they are called on as their first argument.
bool skips_first(const NativeFunction& function) {
  return function.owner() &&
         !std::string_view(function.row().signature).starts_with("staticmethod ");
}

Arguments without_first(Arguments arguments, std::size_t count) {
  arguments.values += count;
  arguments.count -= count;
  return arguments;
}

// The module that CPython keeps a module's functions in, where that is another one.
std::string_view home_of(std::string_view module) {
  constexpr std::pair<std::string_view, std::string_view> kHomes[] = {
      {"os", "posix"},       {"operator", "_operator"}, {"stat", "_stat"},
      {"struct", "_struct"}, {"heapq", "_heapq"},       {"weakref", "_weakref"},
      {"locale", "_locale"}, {"csv", "_csv"},           {"bisect", "_bisect"},
      {"json", "_json"}};
  for (const auto& [name, home] : kHomes)
    if (module == name) return home;
  return module;
}

// "list.append", "math.sqrt", "len"
std::string qualified(const NativeFunction& function, std::string_view owner) {
  if (!owner.empty()) return fmt::format("{}.{}", owner, function.name());
  bool told = !function.module.empty() && function.module != "builtins";
  return told ? fmt::format("{}.{}", home_of(function.module), function.name())
              : std::string(function.name());
}

const char* plural(std::size_t count) { return count == 1 ? "" : "s"; }

// Functions whose parameters have no names for callers. Calls that are right make no texts.
template <class FullName>
void check_positional_count(std::string_view name, FullName&& full_name, PositionalCounts counts,
                            std::size_t given, bool unpacked = false) {
  auto [least, most] = counts;
  if (given >= least && given <= most) return;
  if (most == 0) raise(errors::TypeError, "{}() takes no arguments ({} given)", full_name(), given);
  if (least == 1 && most == 1 && !unpacked)
    raise(errors::TypeError, "{}() takes exactly one argument ({} given)", full_name(), given);
  const char* bound = least == most ? "" : given < least ? "at least " : "at most ";
  std::size_t wanted = given < least ? least : most;
  raise(errors::TypeError, "{} expected {}{} argument{}, got {}", name, bound, wanted,
        plural(wanted), given);
}

// Methods that CPython makes of slots are checked as those are.
bool stands_for_slot(const NativeFunction& method, const Arguments& arguments) {
  if (!skips_first(method)) return false;
  std::optional<SlotCounts> counts = slot_counts(method.name());
  if (!counts) return false;
  if (arguments.count == 0)
    raise(errors::TypeError, "descriptor '{}' of '{}' object needs an argument", method.name(),
          method.owner()->name());
  check_slot_arguments(method.name(), *counts, without_first(arguments, 1));
  return true;
}

bool is_of_numpy(const NativeFunction& function) {
  return function.module.starts_with("numpy") ||
         (function.owner() && function.owner()->module.starts_with("numpy"));
}

bool has_names(std::span<const Parameter> parameters) {
  for (const Parameter& parameter : parameters)
    if (parameter.kind != Parameter::Kind::kPositionalOnly &&
        parameter.kind != Parameter::Kind::kVarArgs)
      return true;
  return false;
}

// "'a', 'b', and 'c'"
std::string listed(std::span<const Parameter> parameters) {
  std::string text;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    bool last = i + 1 == parameters.size();
    if (i > 0) text += !last ? ", " : parameters.size() == 2 ? " and " : ", and ";
    text += fmt::format("'{}'", text_of(parameters[i].name));
  }
  return text;
}

// Native here, but written in Python there.
bool is_written(const NativeFunction& function) {
  if (function.module == "json" || function.module == "re") return true;
  return function.module == "os" && is_one_of(" fsdecode fsencode getenv ", function.name());
}

// Read by PyArg_ParseTuple, which words counts in its own way.
bool is_parsed(const NativeFunction& function) {
  if (function.owner())
    return is_one_of(" str bytes bytearray ", function.owner()->name()) &&
           is_one_of(" count endswith find index rfind rindex startswith ", function.name());
  return function.module == "time" &&
         is_one_of(
             " clock_getres clock_gettime clock_gettime_ns ctime get_clock_info gmtime"
             " localtime strftime ",
             function.name());
}

// Functions that take their positions out of a tuple before they read names.
bool unpacks_first(const NativeFunction& function) {
  std::string_view name = function.name();
  return function.module == "builtins" && (name == "sorted" || name == "max" || name == "min");
}

void check_arguments(const NativeFunction& function, const Arguments& arguments,
                     std::string_view owner) {
  if (stands_for_slot(function, arguments)) return;
  if (is_of_numpy(function)) {
    if (numpy_check) numpy_check(function, arguments);
    return;
  }
  if (skips_first(function) && arguments.count == 0)
    raise(errors::TypeError, "unbound method {}() needs an argument", qualified(function, owner));
  NamedCall call(function, arguments);
  if (is_written(function)) return check_written_arguments(call);
  if (is_parsed(function)) return check_parsed_arguments(call);
  if (unpacks_first(function))
    check_positional_count(
        function.name(), [] { return ""; }, count_positional(call.parameters),
        call.arguments.count, true);
  if (has_names(call.parameters)) return check_named_arguments(call);
  auto full_name = [&] { return qualified(function, owner); };
  if (arguments.keyword_count > 0)
    raise(errors::TypeError, "{}() takes no keyword arguments", full_name());
  check_positional_count(function.name(), full_name, count_positional(call.parameters),
                         call.arguments.count);
}

}  // namespace

NamedCall::NamedCall(const NativeFunction& function, const Arguments& given)
    : name(function.name()), parameters(function.signature().parameters()), arguments(given) {
  std::size_t self = skips_first(function);
  parameters = parameters.subspan(std::min(self, parameters.size()));
  arguments = without_first(given, std::min(self, given.count));
}

NamedCall::NamedCall(std::string_view function_name, const Signature& signature,
                     const Arguments& given)
    : name(function_name), parameters(signature.parameters()), arguments(given) {}

PositionalCounts count_positional(std::span<const Parameter> parameters) {
  PositionalCounts counts;
  for (const Parameter& parameter : parameters) {
    if (parameter.kind == Parameter::Kind::kVarArgs) return {counts.least, kUnlimited};
    if (parameter.kind > Parameter::Kind::kPositional) break;
    ++counts.most;
    counts.least += parameter.required;
  }
  return counts;
}

std::size_t first_missing(const NamedCall& call) {
  for (std::size_t i = call.arguments.count; i < call.parameters.size(); ++i) {
    const Parameter& parameter = call.parameters[i];
    if (!parameter.required || parameter.kind == Parameter::Kind::kVarArgs) continue;
    auto is_it = [&](const KeywordArgument& keyword) { return keyword.name == parameter.name; };
    if (!std::ranges::any_of(call.arguments.named(), is_it)) return i;
  }
  return call.parameters.size();
}

const KeywordArgument* first_unknown(const NamedCall& call) {
  for (const KeywordArgument& keyword : call.arguments.named()) {
    bool known = false;
    for (const Parameter& parameter : call.parameters)
      known |=
          parameter.kind == Parameter::Kind::kVarKeywords ||
          (parameter.name == keyword.name && parameter.kind != Parameter::Kind::kPositionalOnly);
    if (!known) return &keyword;
  }
  return nullptr;
}

void check_named_arguments(const NamedCall& call) {
  auto [least, most] = count_positional(call.parameters);
  std::size_t given = call.arguments.count, named = call.arguments.keyword_count, unnamed = 0;
  bool open = most == kUnlimited;
  for (const Parameter& parameter : call.parameters) {
    unnamed +=
        parameter.kind == Parameter::Kind::kPositionalOnly && parameter.required && !call.all_named;
    open |= parameter.kind == Parameter::Kind::kVarKeywords;
  }
  if (!open && given + named > call.parameters.size())
    raise(errors::TypeError, "{}() takes at most {} {}argument{} ({} given)", call.name,
          call.parameters.size(), given == 0 ? "keyword " : "", plural(call.parameters.size()),
          given + named);
  if (given > most && most == 0)
    raise(errors::TypeError, "{}() takes no positional arguments", call.name);
  if (given > most)
    raise(errors::TypeError, "{}() takes {} {} positional argument{} ({} given)", call.name,
          least < most ? "at most" : "exactly", most, plural(most), given);
  if (given < unnamed)
    raise(errors::TypeError, "{}() takes {} {} positional argument{} ({} given)", call.name,
          unnamed < most ? "at least" : "exactly", unnamed, plural(unnamed), given);
  if (std::size_t missing = first_missing(call); missing < call.parameters.size())
    raise(errors::TypeError, "{}() missing required argument '{}' (pos {})", call.name,
          text_of(call.parameters[missing].name), missing + 1);
  if (const KeywordArgument* unknown = first_unknown(call))
    raise(errors::TypeError, "'{}' is an invalid keyword argument for {}()", text_of(unknown->name),
          call.name);
}

void check_written_arguments(const NamedCall& call) {
  auto [least, most] = count_positional(call.parameters);
  std::size_t given = call.arguments.count;
  if (const KeywordArgument* unknown = first_unknown(call))
    raise(errors::TypeError, "{}() got an unexpected keyword argument '{}'", call.name,
          text_of(unknown->name));
  if (given > most)
    raise(errors::TypeError, "{}() takes {}{} positional argument{} but {} {} given", call.name,
          least == most ? "" : fmt::format("from {} to ", least), most,
          least == most ? plural(most) : "s", given, given == 1 ? "was" : "were");
  if (given < least && call.arguments.keyword_count == 0)
    raise(errors::TypeError, "{}() missing {} required positional argument{}: {}", call.name,
          least - given, plural(least - given),
          listed(call.parameters.subspan(given, least - given)));
}

void check_parsed_arguments(const NamedCall& call) {
  if (call.arguments.keyword_count > 0)
    raise(errors::TypeError, "{}() takes no keyword arguments", call.name);
  auto [least, most] = count_positional(call.parameters);
  std::size_t given = call.arguments.count;
  if (given >= least && given <= most) return;
  if (most == 0) raise(errors::TypeError, "function takes exactly 0 arguments ({} given)", given);
  std::size_t wanted = given < least ? least : most;
  raise(errors::TypeError, "{}() takes {} {} argument{} ({} given)", call.name,
        least == most   ? "exactly"
        : given < least ? "at least"
                        : "at most",
        wanted, plural(wanted), given);
}

void bind_constructor(const Signature& signature, const Arguments& arguments, Value* slots) {
  if (arguments.keyword_count > 0 || !signature.takes_plainly(arguments.count)) {
    NamedCall call(signature.function_name(), signature, arguments);
    if (has_names(call.parameters)) {
      check_named_arguments(call);
    } else {
      if (arguments.keyword_count > 0)
        raise(errors::TypeError, "{}() takes no keyword arguments", call.name);
      auto name = [&] { return call.name; };
      check_positional_count(call.name, name, count_positional(call.parameters), arguments.count,
                             true);
    }
  }
  signature.bind(arguments, slots);
}

void check_native_arguments(const NativeFunction& function, const Arguments& arguments) {
  check_once(function, arguments, [&] {
    const Type* owner = function.owner();
    check_arguments(function, arguments,
                    owner ? std::string_view(owner->qualified_name) : std::string_view());
  });
}

void check_bound_arguments(const NativeFunction& method, const Arguments& arguments) {
  if (!method.owner()) return check_native_arguments(method, arguments);
  check_once(method, arguments, [&] {
    const Value& self = arguments.values[0];
    bool of_class = std::string_view(method.row().signature).starts_with("classmethod ");
    const Type* type = of_class && self.has_layout(Layout::kType) ? self.as<Type>() : type_of(self);
    check_arguments(method, arguments, type->qualified_name);
  });
}

void set_numpy_argument_check(ArgumentCheck check) { numpy_check = check; }

}  // namespace strider::lang
