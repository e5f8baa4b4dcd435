// The module _compiler: texts in LLVM's language as code that works on numbers and on arrays'
// elements. What the texts are about is npx (stdlib/_loops).
#include <strider/nd/array.h>

#include <bit>
#include <complex>
#include <stdexcept>

#include "compiler/compiler.h"
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
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

const compiler::Library& plugin() {
  static const auto opened = open_plugin<compiler::Library>(
      "libstrider_compiler.so", compiler::kEntry, "LLVM", compiler::kContract, STRIDER_VERSION);
  if (!opened.offer) raise(errors::ImportError, "loops cannot be compiled: {}", opened.reason);
  return *opened.offer;
}

class CodeObject final : public Object {
 public:
  explicit CodeObject(std::unique_ptr<compiler::Code> code)
      : Object(Layout::kOther, &type_object()), code(std::move(code)) {}
  static Type& type_object();
  std::unique_ptr<compiler::Code> code;
};

Value compile(const Parameters& p) {
  try {
    return make<CodeObject>(
        plugin().compile(std::string(text_of(p[0])), std::string(text_of(p[1]))));
  } catch (const std::runtime_error& error) {
    raise(errors::ValueError, "{}", error.what());
  }
}

constexpr std::size_t kFacts = 4;  // words before the results: the status, and numbers of a message
// Code is told in the second word how far the stack may grow; so much is left for what it calls.
constexpr std::size_t kCallReserve = 128 << 10;

std::uint64_t lowest_stack() {
  std::size_t left = stack_left();
  return left == 0 ? 0
                   : std::bit_cast<std::uint64_t>(__builtin_frame_address(0)) - left + kCallReserve;
}

// What a value looks like, for the choice among compiled forms: i int, d float, b bool, c complex,
// n None, tuples in parentheses, other numbers and arrays by their element type. False for all
// else.
bool describe(std::string& key, const Value& value) {
  if (value.is_bool()) return key += 'b', true;
  if (value.is_int()) return key += 'i', true;
  if (value.is_float()) return key += 'd', true;
  if (value.is_none()) return key += 'n', true;
  if (is_numpy_scalar(value)) {
    key += 's';
    key += static_cast<char>('A' + static_cast<int>(scalar_dtype(value)));
    return true;
  }
  if (is_array(value)) {
    if (is_subclass_array(value)) return false;
    const nd::Array& array = array_of(value);
    key += {static_cast<char>('A' + static_cast<int>(array.dtype())),
            static_cast<char>('0' + array.rank()), array.is_c_contiguous() ? 'C' : 'A',
            array.writeable() ? 'w' : 'r'};
    return true;
  }
  if (is_exactly(value, Complex::type_object())) return key += 'c', true;
  if (!is_exactly(value, Tuple::type_object())) return false;
  key += '(';
  for (const Value& each : value.as<Tuple>()->items())
    if (!describe(key, each)) return false;
  key += ')';
  return true;
}

Value key_of(const Parameters& p) {
  std::string key;
  Iteration values(p[0]);
  for (Value each; values.next(each);)
    if (!describe(key, each)) return Value::none();
  return make_str(key);
}

std::complex<double> to_complex(const Value& value) {
  Value plain = is_numpy_scalar(value) ? to_python(scalar_of(value)) : value;
  if (is_exactly(plain, Complex::type_object())) return plain.as<Complex>()->value;
  return to_double(plain);
}

// The words of values, in the order of their letters: those of describe(), and r for arrays, w for
// arrays that are written to.
class Words {
 public:
  Words(std::string_view letters, std::size_t before) : words(before), letters_(letters) {}
  void add(const Value& value) {
    char letter = next();
    if (letter == '(') {
      for (const Value& each : tuple_of(value).items()) add(each);
      next();  // )
    } else if (letter == 'd') {
      words.push_back(std::bit_cast<std::uint64_t>(to_double(value)));
    } else if (letter == 'b') {
      words.push_back(truth(value));
    } else if (letter == 'i') {
      words.push_back(static_cast<std::uint64_t>(to_int64(value)));
    } else if (letter == 'c') {
      std::complex<double> number = to_complex(value);
      words.push_back(std::bit_cast<std::uint64_t>(number.real()));
      words.push_back(std::bit_cast<std::uint64_t>(number.imag()));
    } else if (letter != 'n') {
      add_array(value, letter == 'w');
    }
  }
  std::vector<std::uint64_t> words;

 private:
  char next() {
    if (at_ == letters_.size()) raise(errors::ValueError, "there are more values than letters");
    return letters_[at_++];
  }
  static const Tuple& tuple_of(const Value& value) {
    if (!is_exactly(value, Tuple::type_object())) raise(errors::TypeError, "a tuple is wanted");
    return *value.as<Tuple>();
  }
  // Its first element's address, its extents and its strides in bytes.
  void add_array(const Value& value, bool for_writing) {
    if (!is_array(value)) raise(errors::TypeError, "an array is wanted");
    const nd::Array& array = array_of(value);
    words.push_back(
        std::bit_cast<std::uint64_t>(for_writing ? array.mutable_data() : array.data()));
    for (std::int64_t extent : array.shape()) words.push_back(static_cast<std::uint64_t>(extent));
    for (std::int64_t stride : array.strides()) words.push_back(static_cast<std::uint64_t>(stride));
  }

  std::string_view letters_;
  std::size_t at_ = 0;
};

// The value that letters make of words, both of which go on.
Value value_of(const char*& letter, const std::uint64_t*& word) {
  switch (*letter++) {
    case 'd':
      return Value::real(std::bit_cast<double>(*word++));
    case 'b':
      return Value::boolean(*word++ != 0);
    case 'i':
      return Value::integer(static_cast<std::int64_t>(*word++));
    case 'c':
      word += 2;
      return make_complex({std::bit_cast<double>(word[-2]), std::bit_cast<double>(word[-1])});
    case '(': {
      Values items;
      while (*letter != ')') items.push_back(value_of(letter, word));
      ++letter;
      return make_tuple(std::move(items));
    }
    default:
      return Value::none();
  }
}

std::size_t word_count(std::string_view letters) {
  std::size_t count = 0;
  for (char letter : letters)
    count += letter == 'c' ? 2 : letter == 'i' || letter == 'd' || letter == 'b';
  return count;
}

Value run(const Parameters& p) {
  std::string_view results = text_of(p[3]);
  Words given(text_of(p[2]), kFacts + word_count(results));
  Iteration values(p[1]);
  for (Value each; values.next(each);) given.add(each);
  std::vector<std::uint64_t>& words = given.words;
  words[1] = lowest_stack();
  p[0].as<CodeObject>()->code->run(words.data());
  if (words[0] != 0) {
    auto fact = [&](int i) {
      return Value::integer(static_cast<std::int64_t>(words[static_cast<std::size_t>(i)]));
    };
    return call(p[4], fact(0), fact(1), fact(2), fact(3));
  }
  const std::uint64_t* word = words.data() + kFacts;
  std::string letters(results);  // ends with a zero
  const char* letter = letters.c_str();
  return value_of(letter, word);
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

const NativeRow kMethods[] = {
    {"run(self, values, letters, results, failed, /)", run,
     "What it makes of values; letters tell their kinds, results that of what comes out. Where its "
     "status is not 0, "
     "what failed(status, and three numbers) makes of that."},
};

Type& CodeObject::type_object() {
  static Type& type = *[] {
    Type& made = make_module_type("Code", "_compiler");
    made.add(kMethods);
    return &made;
  }();
  return type;
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

const NativeModule kCompilerModule = {
    "_compiler", "Texts in LLVM's language as code.", kFunctions, {}};

}  // namespace strider::lang
