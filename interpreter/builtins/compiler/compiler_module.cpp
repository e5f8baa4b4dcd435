// The module _compiler: texts in LLVM's language as code that works on numbers and on arrays'
// elements. What the texts are about is npx (stdlib/_loops).
#include <strider/nd/array.h>

#include <bit>
#include <stdexcept>

#include "interpreter/builtins/compiler/compiled_code.h"
#include "interpreter/builtins/compiler/shared_turns.h"
#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/random/random_objects.h"
#include "interpreter/builtins/plugin_file.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

const compiler::Library& plugin() {
  static const auto opened = open_plugin<compiler::Library>(
      "libstrider_compiler.so", compiler::kEntry, "LLVM", compiler::kContract, STRIDER_VERSION);
  if (!opened.offer) raise(errors::ImportError, "loops cannot be compiled: {}", opened.reason);
  return *opened.offer;
}

Value compile(const Parameters& p) {
  try {
    return make<CodeObject>(
        plugin().compile(std::string(text_of(p[0])), std::string(text_of(p[1]))));
  } catch (const std::runtime_error& error) {
    raise(errors::ValueError, "{}", error.what());
  }
}

Value key_of(const Parameters& p) {
  std::string key;
  Iteration values(p[0]);
  for (Value each; values.next(each);)
    if (!describe_kind(key, each)) return Value::none();
  return make_str(key);
}

// What code calls to draw from a state; nothing is thrown, since code checks what it asks for.
double draw_real(void* state) {
  return static_cast<nd::random::LegacyState*>(state)->bits->next_double();
}
double draw_normal(void* state) {
  return *nd::random::legacy_standard_normal(*static_cast<nd::random::LegacyState*>(state))
              .as<double>();
}
// low <= number < high
std::int64_t draw_whole(void* state, std::int64_t low, std::int64_t high) {
  auto number = [](std::int64_t value) { return nd::Array::scalar(nd::Scalar(value)); };
  return *nd::random::randint(*static_cast<nd::random::LegacyState*>(state), number(low),
                              number(high), {})
              .as<std::int64_t>();
}

Value draws(const Parameters& p) {
  if (!is_exactly(p[0], RandomStateObject::type_object()))
    raise(errors::TypeError, "a RandomState is wanted");
  auto address = [](auto* pointer) { return Value::integer(std::bit_cast<std::int64_t>(pointer)); };
  return make_tuple({address(&p[0].as<RandomStateObject>()->state), address(&draw_real),
                     address(&draw_normal), address(&draw_whole)});
}

const NativeRow kFunctions[] = {
    {"compile(text, name, /)", outside<compile>,
     "Compiles a text; ImportError where there is no compiler, ValueError where it is wrong."},
    {"draws(state, /)", draws,
     "Addresses of a RandomState, and of what draws from it a float64, a normal one, a whole "
     "number of a range."},
    {"key_of(values, /)", key_of,
     "A text that is the same for values of the same kinds; None where some are of no kind that "
     "code takes."},
    {"address(array, /)",
     [](const Parameters& p) {
       if (!is_array(p[0])) raise(errors::TypeError, "an array is wanted");
       return Value::integer(std::bit_cast<std::int64_t>(array_of(p[0]).expose()));
     },
     "Where an array's elements are, and stay as long as it lives."},
    {"share_address()",
     [](const Parameters&) { return Value::integer(std::bit_cast<std::int64_t>(&share_turns)); },
     "The address of what runs turns of a loop on several threads."},
    {"language_version()",
     [](const Parameters&) { return Value::integer(plugin().language_version()); },
     "The version of LLVM."},
    {"interrupt_address()",
     [](const Parameters&) {
       return Value::integer(
           std::bit_cast<std::int64_t>(&Interpreter::current().interrupt_requested));
     },
     "Where a byte is set when somebody interrupts."},
};

}  // namespace

const ConstantRow kConstants[] = {
    {"Forms", [] { return Value(Ref<Type>(&compiled_forms_type())); }},
};

const NativeModule kCompilerModule = {"_compiler", "Texts in LLVM's language as code.", kFunctions,
                                      kConstants};

}  // namespace strider::lang
