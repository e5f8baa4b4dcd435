// Checks of the arguments of native functions, with the messages of functions written in C.
#pragma once

#include <span>
#include <string_view>

#include "interpreter/runtime/call/call.h"

namespace strider::lang {

// A call of a function or method, without self.
struct NamedCall {
  NamedCall(const NativeFunction& function, const Arguments& given);
  NamedCall(std::string_view function_name, const Signature& signature, const Arguments& given);
  std::string_view name;
  std::span<const Parameter> parameters;
  Arguments arguments;
  bool all_named = false;  // also those parameters that callers cannot name here
};

// What positions may and must fill.
struct PositionalCounts {
  std::size_t least = 0, most = 0;
};
constexpr std::size_t kUnlimited = ~std::size_t{0};
PositionalCounts count_positional(std::span<const Parameter> parameters);
// The first required parameter that a call does not give; as many as there are: none.
std::size_t first_missing(const NamedCall& call);
// The first keyword that no parameter takes; null: none.
const KeywordArgument* first_unknown(const NamedCall& call);

// TypeError where built-in functions would refuse the count of arguments or a keyword:
// "list.append() takes exactly one argument (0 given)".
void check_native_arguments(const NativeFunction& function, const Arguments& arguments);
// The same for a method that was found on an object before it was called, whose type it names.
void check_bound_arguments(const NativeFunction& method, const Arguments& arguments);
// The messages of functions that read their arguments by names.
void check_named_arguments(const NamedCall& call);
// Those of functions that read positions alone.
void check_parsed_arguments(const NamedCall& call);
// Those of functions written in Python.
void check_written_arguments(const NamedCall& call);
// Binds what a constructor of a built-in type is given.
void bind_constructor(const Signature& signature, const Arguments& arguments, Value* slots);

// Checks functions of NumPy, which has several manners; without one, the signature does.
using ArgumentCheck = void (*)(const NativeFunction& function, const Arguments& arguments);
void set_numpy_argument_check(ArgumentCheck check);

}  // namespace strider::lang
