// Compiled code and the words of 64 bits that it takes and gives.
#include "interpreter/builtins/compiler/compiled_code.h"

#include <strider/nd/array.h>

#include <bit>
#include <complex>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::size_t kFacts = 4;  // words before the results: the status, and numbers of a message
// Code is told in the second word how far the stack may grow; so much is left for what it calls.
constexpr std::size_t kCallReserve = 128 << 10;

std::uint64_t lowest_stack() {
  std::size_t left = stack_left();
  return left == 0 ? 0
                   : std::bit_cast<std::uint64_t>(__builtin_frame_address(0)) - left + kCallReserve;
}

std::complex<double> to_complex(const Value& value) {
  Value plain = is_numpy_scalar(value) ? to_python(scalar_of(value)) : value;
  if (is_exactly(plain, Complex::type_object())) return plain.as<Complex>()->value;
  return to_double(plain);
}

// The words of values, in the order of their letters: those of describe_kind(), and r for arrays, w
// for arrays that are written to.
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
Value value_of(std::string_view& letters, const std::uint64_t*& word) {
  char letter = letters.empty() ? 'n' : letters.front();
  letters.remove_prefix(!letters.empty());
  switch (letter) {
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
      while (!letters.empty() && letters.front() != ')') items.push_back(value_of(letters, word));
      letters.remove_prefix(!letters.empty());
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

}  // namespace

// What a value looks like, for the choice among compiled forms: i int, d float, b bool, c complex,
// n None, tuples in parentheses, other numbers and arrays by their element type. False for all
// else.
bool describe_kind(std::string& key, const Value& value) {
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
    if (!describe_kind(key, each)) return false;
  key += ')';
  return true;
}

Value run_code(const compiler::Code& code, std::span<const Value> values, std::string_view letters,
               std::string_view results, const Value& failed) {
  Words given(letters, kFacts + word_count(results));
  for (const Value& each : values) given.add(each);
  std::vector<std::uint64_t>& words = given.words;
  words[1] = lowest_stack();
  code.run(words.data());
  if (words[0] != 0) {
    auto fact = [&](std::size_t i) { return Value::integer(static_cast<std::int64_t>(words[i])); };
    return call(failed, fact(0), fact(1), fact(2), fact(3));
  }
  const std::uint64_t* word = words.data() + kFacts;
  return value_of(results, word);
}

namespace {

Value run(const Parameters& p) {
  std::vector<Value> given;
  Iteration values(p[1]);
  for (Value each; values.next(each);) given.push_back(each);
  return run_code(*p[0].as<CodeObject>()->code, given, text_of(p[2]), text_of(p[3]), p[4]);
}

const NativeRow kMethods[] = {
    {"run(self, values, letters, results, failed, /)", run,
     "What it makes of values; letters tell their kinds, results that of what comes out. Where its "
     "status is not 0, "
     "what failed(status, and three numbers) makes of that."},
};

}  // namespace

Type& CodeObject::type_object() {
  static Type& type = *[] {
    Type& made = make_module_type("Code", "_compiler");
    made.add(kMethods);
    return &made;
  }();
  return type;
}

}  // namespace strider::lang
