// The messages that built-in functions give for wrong arguments.
#include "interpreter/runtime/call/native_arguments.h"

#include <algorithm>
#include <string>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/type/type.h"

namespace strider::lang {
namespace {

std::string qualified(const NativeFunction& function) {
  std::string prefix = function.owner() ? function.owner()->qualified_name + "." : "";
  return prefix + std::string(function.name());
}

constexpr std::size_t kUnlimited = ~std::size_t{0};

struct Counts {
  std::size_t least = 0, most = 0;  // positional arguments
  bool named_positional = false, named = false;
};

Counts count_parameters(const Signature& signature) {
  Counts counts;
  bool unlimited = false;
  for (const Parameter& parameter : signature.parameters()) {
    bool named_positional = parameter.kind == Parameter::Kind::kPositional;
    bool positional = named_positional || parameter.kind == Parameter::Kind::kPositionalOnly;
    counts.most += positional;
    counts.least += positional && parameter.required;
    counts.named_positional |= named_positional;
    unlimited |= parameter.kind == Parameter::Kind::kVarArgs;
    counts.named |= named_positional || parameter.kind == Parameter::Kind::kKeywordOnly ||
                    parameter.kind == Parameter::Kind::kVarKeywords;
  }
  if (unlimited) counts.most = kUnlimited;
  return counts;
}

// Methods and class methods get what they are called on as their first argument.
bool skips_first(const NativeFunction& function) {
  return function.owner() &&
         !std::string_view(function.row().signature).starts_with("staticmethod ");
}

const char* plural(std::size_t count) { return count == 1 ? "" : "s"; }

[[noreturn]] void raise_unexpected_count(const NativeFunction& function, std::size_t least,
                                         std::size_t most, std::size_t given) {
  const char* bound = least == most ? "" : given < least ? "at least " : "at most ";
  std::size_t wanted = given < least ? least : most;
  raise(errors::TypeError, "{} expected {}{} argument{}, got {}", function.name(), bound, wanted,
        plural(wanted), given);
}

// Functions whose parameters have no names for callers.
[[noreturn]] void raise_positional_count(const NativeFunction& function, std::size_t least,
                                         std::size_t most, std::size_t given) {
  if (most == 0)
    raise(errors::TypeError, "{}() takes no arguments ({} given)", qualified(function), given);
  if (least == 1 && most == 1)
    raise(errors::TypeError, "{}() takes exactly one argument ({} given)", qualified(function),
          given);
  raise_unexpected_count(function, least, most, given);
}

[[noreturn]] void raise_too_many(const NativeFunction& function, std::size_t least,
                                 std::size_t most, std::size_t given) {
  if (most == 0) raise(errors::TypeError, "{}() takes no positional arguments", function.name());
  raise(errors::TypeError, "{}() takes {} {} argument{} ({} given)", function.name(),
        least == most ? "exactly" : "at most", most, plural(most), given);
}

bool is_given(const Parameter& parameter, const Arguments& arguments) {
  for (const KeywordArgument& keyword : arguments.named())
    if (keyword.name == parameter.name) return true;
  return false;
}

void check_keywords(const NativeFunction& function, const Arguments& arguments) {
  for (const KeywordArgument& keyword : arguments.named()) {
    bool known = false;
    for (const Parameter& parameter : function.signature().parameters()) {
      if (parameter.kind == Parameter::Kind::kVarKeywords) return;
      known |= parameter.name == keyword.name && parameter.kind != Parameter::Kind::kPositionalOnly;
    }
    if (!known)
      raise(errors::TypeError, "'{}' is an invalid keyword argument for {}()",
            text_of(keyword.name), function.name());
  }
}

void check_missing(const NativeFunction& function, const Arguments& arguments, std::size_t self) {
  auto parameters = function.signature().parameters();
  for (std::size_t i = arguments.count; i < parameters.size(); ++i) {
    if (!parameters[i].required || is_given(parameters[i], arguments)) continue;
    raise(errors::TypeError, "{}() missing required argument '{}' (pos {})", function.name(),
          text_of(parameters[i].name), i - self + 1);
  }
}

}  // namespace

void check_native_arguments(const NativeFunction& function, const Arguments& arguments) {
  if (function.module.starts_with("numpy")) return;
  if (function.owner() && function.owner()->module.starts_with("numpy")) return;
  Counts counts = count_parameters(function.signature());
  std::size_t self = skips_first(function);
  if (self > 0 && arguments.count == 0)
    raise(errors::TypeError, "unbound method {}() needs an argument", qualified(function));
  std::size_t least = counts.least - std::min(self, counts.least);
  std::size_t most = counts.most == kUnlimited ? kUnlimited : counts.most - self;
  std::size_t given = arguments.count - self;
  if (!counts.named) {
    if (arguments.keyword_count > 0)
      raise(errors::TypeError, "{}() takes no keyword arguments", qualified(function));
    if (given < least || given > most) raise_positional_count(function, least, most, given);
    return;
  }
  bool unnamed = most > 0 && !counts.named_positional;
  if (unnamed && (given < least || given > most))
    raise_unexpected_count(function, least, most, given);
  if (given > most) raise_too_many(function, least, most, given);
  check_keywords(function, arguments);
  if (given < least) check_missing(function, arguments, self);
}

}  // namespace strider::lang
