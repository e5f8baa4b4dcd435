// The messages of NumPy's functions for wrong arguments, by how NumPy reads them.
#include "interpreter/builtins/numpy/argument_manners.h"

#include <vector>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/type/type.h"

namespace strider::lang {
namespace {

// Read by npy_parse_arguments, which counts positions from zero.
constexpr std::string_view kFastMethods =
    " astype argmax argmin argsort argpartition copy dot flatten partition ravel searchsorted sort"
    " squeeze take trace view reduce accumulate reduceat ";
constexpr std::string_view kFastFunctions =
    " array asarray asanyarray ascontiguousarray asfortranarray empty zeros from_dlpack ";
// Read by PyArg_ParseTupleAndKeywords, as most of CPython's functions.
constexpr std::string_view kNamedMethods =
    " byteswap compress cumprod cumsum diagonal getfield put repeat round setfield setflags tobytes"
    " tofile ";
constexpr std::string_view kNamedFunctions = " frombuffer fromfile fromiter fromstring frompyfunc ";
// Read by PyArg_ParseTuple, which knows no names.
constexpr std::string_view kUnnamedMethods =
    " fill nonzero swapaxes item tolist conj conjugate transpose at ";

// Methods that NumPy hands on to functions written in Python.
struct HandedOn {
  std::string_view name;
  const char* signature;
};
constexpr HandedOn kHandedOn[] = {
    {"all", "_all(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True)"},
    {"any", "_any(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True)"},
    {"clip", "_clip(a, min=None, max=None, out=None, **kwargs)"},
    {"dump", "_dump(self, file, protocol=2)"},
    {"dumps", "_dumps(self, protocol=2)"},
    {"max", "_amax(a, axis=None, out=None, keepdims=False, initial=None, where=True)"},
    {"mean", "_mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True)"},
    {"min", "_amin(a, axis=None, out=None, keepdims=False, initial=None, where=True)"},
    {"prod", "_prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=1, where=True)"},
    {"std",
     "_std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None,"
     " correction=None)"},
    {"sum", "_sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=0, where=True)"},
    {"var",
     "_var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None,"
     " correction=None)"},
};

bool is_one_of(std::string_view names, std::string_view name) {
  return names.find(fmt::format(" {} ", name)) != names.npos;
}

const char* plural(std::size_t count) { return count == 1 ? "" : "s"; }

[[noreturn]] void raise_unexpected(const NamedCall& call, const KeywordArgument& keyword) {
  raise(errors::TypeError, "{}() got an unexpected keyword argument '{}'", call.name,
        text_of(keyword.name));
}

void check_fast(const NamedCall& call) {
  auto [least, most] = count_positional(call.parameters);
  std::size_t given = call.arguments.count;
  if (given > most)
    raise(errors::TypeError, "{}() takes {}{} positional argument{} but {} {} given", call.name,
          least == most ? "" : fmt::format("from {} to ", least), most,
          least == most ? plural(most) : "s", given, given == 1 ? "was" : "were");
  if (const KeywordArgument* unknown = first_unknown(call)) raise_unexpected(call, *unknown);
  std::size_t missing = first_missing(call);
  if (missing < call.parameters.size())
    raise(errors::TypeError, "{}() missing required argument '{}' (pos {})", call.name,
          text_of(call.parameters[missing].name), missing);
}

void check_compiled(const NamedCall& call) {
  if (const KeywordArgument* unknown = first_unknown(call)) raise_unexpected(call, *unknown);
  auto [least, most] = count_positional(call.parameters);
  std::size_t given = call.arguments.count, missing = first_missing(call);
  bool lacks = missing < least;
  if (!lacks && given <= most) return;
  std::size_t wanted = lacks ? least : most;
  raise(errors::TypeError, "{}() takes {} {} positional argument{} ({} given)", call.name,
        least == most ? "exactly"
        : lacks       ? "at least"
                      : "at most",
        wanted, plural(wanted), lacks ? missing : given);
}

// Raises what the function written in Python would.
void check_handed_on(std::string_view name, const Arguments& arguments) {
  for (const HandedOn& row : kHandedOn) {
    if (row.name != name) continue;
    Signature signature(row.signature);
    std::vector<Value> slots(signature.parameters().size());
    signature.bind(arguments, slots.data());
  }
}

void check_method(const NativeFunction& method, const Arguments& arguments) {
  std::string_view name = method.name();
  NamedCall call(method, arguments);
  call.all_named = true;
  if (is_one_of(kFastMethods, name)) return check_fast(call);
  if (is_one_of(kNamedMethods, name)) return check_named_arguments(call);
  if (is_one_of(kUnnamedMethods, name)) return check_parsed_arguments(call);
  check_handed_on(name, arguments);
}

bool is_random(const NativeFunction& function) {
  if (function.module.starts_with("numpy.random")) return true;
  return function.owner() && function.owner()->module.starts_with("numpy.random");
}

void check(const NativeFunction& function, const Arguments& arguments) {
  if (is_random(function)) return check_compiled(NamedCall(function, arguments));
  if (function.owner()) return check_method(function, arguments);
  NamedCall call(function, arguments);
  if (function.module != "numpy") return check_written_arguments(call);
  if (is_one_of(kFastFunctions, function.name())) return check_fast(call);
  if (is_one_of(kNamedFunctions, function.name())) return check_named_arguments(call);
  check_written_arguments(call);
}

}  // namespace

void install_argument_manners() { set_numpy_argument_check(check); }

void bind_compiled(const Signature& signature, const Arguments& arguments, Value* slots) {
  check_compiled(NamedCall("__init__", signature, arguments));
  signature.bind(arguments, slots);
}

}  // namespace strider::lang
