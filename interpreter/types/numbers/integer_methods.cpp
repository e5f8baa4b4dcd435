// The methods of int.
#include "interpreter/types/numbers/integer_methods.h"

#include <algorithm>

#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/integer_limbs.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

namespace mp = boost::multiprecision;

namespace {

Value self_as_int(const Parameters& parameters) { return exact_int(parameters[0]); }

Value bit_length_of(const Parameters& parameters) {
  return Value::integer(bit_length(exact_int(parameters[0])));
}

Value absolute(const Parameters& parameters) {
  Value value = exact_int(parameters[0]);
  if (!integer_is_negative(value)) return value;
  return integer_binary(BinaryOperator::kSub, Value::integer(0), value);
}

Value bit_count(const Parameters& parameters) {
  return Value::integer(count_set_bits(*IntegerView(exact_int(parameters[0]))));
}

Value as_integer_ratio(const Parameters& parameters) {
  return make_tuple({exact_int(parameters[0]), Value::integer(1)});
}

bool is_little_endian(const Value& order) {
  std::string_view text = to_text(order, "byteorder");
  if (text == "little") return true;
  if (text != "big") raise(errors::ValueError, "byteorder must be either 'little' or 'big'");
  return false;
}

[[noreturn]] void raise_too_big() { raise(errors::OverflowError, "int too big to convert"); }

Value int_to_bytes(const Parameters& parameters) {
  Integer value = to_integer(parameters[0]);
  std::int64_t length = to_int64(parameters[1]);
  bool little = is_little_endian(parameters[2]), is_signed = truth(parameters[3]);
  if (length < 0) raise(errors::ValueError, "length argument must be non-negative");
  if (value < 0 && !is_signed)
    raise(errors::OverflowError, "can't convert negative int to unsigned");
  if (length > (std::int64_t{1} << 40)) raise_message(errors::MemoryError(), "");
  Integer span = value < 0 ? Integer(-value - 1) : value;
  std::int64_t bits = span == 0 ? 0 : static_cast<std::int64_t>(mp::msb(span)) + 1;
  if (bits + (is_signed && (length > 0 || value != 0) ? 1 : 0) > length * 8) raise_too_big();
  // The bytes of a negative number are those of its complement, flipped.
  std::string bytes = bytes_of_magnitude(span);
  bytes.resize(static_cast<std::size_t>(length));
  if (value < 0)
    for (char& byte : bytes) byte = static_cast<char>(~byte);
  if (!little) std::reverse(bytes.begin(), bytes.end());
  return make<Bytes>(std::move(bytes));
}

std::string bytes_from(const Value& value) {
  if (is_bytes_like(value)) return std::string(to_bytes(value));
  std::string bytes;
  Iteration iteration(value);
  Value item;
  while (iteration.next(item)) {
    std::int64_t byte = to_int64(item);
    if (byte < 0 || byte > 255) raise(errors::ValueError, "bytes must be in range(0, 256)");
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

Value int_from_bytes(const Parameters& parameters) {
  bool little = is_little_endian(parameters[2]), is_signed = truth(parameters[3]);
  if (is_str(parameters[1])) raise(errors::TypeError, "cannot convert 'str' object to bytes");
  Value method = find_special(parameters[1], names().bytes);
  std::string bytes = bytes_from(method.is_empty() ? parameters[1] : call(method));
  if (!little) std::reverse(bytes.begin(), bytes.end());
  Integer value = integer_of_bytes(bytes);
  if (is_signed && !bytes.empty() && bytes.back() & 0x80) value -= Integer(1) << (bytes.size() * 8);
  Value result = from_integer(std::move(value));
  const Value& cls = parameters[0];
  return cls.is_object() && cls.object() == &int_type() ? result : call(cls, result);
}

Value round_int(const Parameters& parameters) {
  if (!parameters.has(1)) return exact_int(parameters[0]);
  return round_integer(exact_int(parameters[0]), to_clamped_index(parameters[1]));
}

Value divmod_of(const Value& left, const Value& right) {
  if (!is_integer(left) || !is_integer(right)) return not_implemented();
  auto [quotient, remainder] = integer_divmod(left, right);
  return make_tuple({quotient, remainder});
}

Value divmod_int(const Parameters& parameters) { return divmod_of(parameters[0], parameters[1]); }
Value rdivmod_int(const Parameters& parameters) { return divmod_of(parameters[1], parameters[0]); }

Value new_arguments(const Parameters& parameters) { return make_tuple({exact_int(parameters[0])}); }

constexpr NativeRow kMethods[] = {
    {"bit_length(self, /)", bit_length_of, "Number of bits necessary to represent self in binary."},
    {"bit_count(self, /)", bit_count, "Number of ones in the binary form of the absolute value."},
    {"__abs__(self, /)", absolute, "The absolute value."},
    {"conjugate(self, /)", self_as_int, "Returns self, the complex conjugate of any int."},
    {"as_integer_ratio(self, /)", as_integer_ratio, "The pair (self, 1)."},
    {"to_bytes(self, /, length=1, byteorder='big', *, signed=False)", int_to_bytes,
     "Return an array of bytes representing an integer."},
    {"classmethod from_bytes(cls, bytes, byteorder='big', *, signed=False)", int_from_bytes,
     "Return the integer represented by the given array of bytes."},
    {"__round__(self, ndigits=<none>, /)", round_int, "Rounds half to even."},
    {"__trunc__(self, /)", self_as_int, "Returns itself."},
    {"__floor__(self, /)", self_as_int, "Returns itself."},
    {"__ceil__(self, /)", self_as_int, "Returns itself."},
    {"__divmod__(self, value, /)", divmod_int, "Return divmod(self, value)."},
    {"__rdivmod__(self, value, /)", rdivmod_int, "Return divmod(value, self)."},
    {"__getnewargs__(self, /)", new_arguments, "The arguments that make a copy."},
};

constexpr PropertyRow kProperties[] = {
    {"real", exact_int, nullptr, "The real part: the number itself."},
    {"imag", [](const Value&) { return Value::integer(0); }, nullptr, "The imaginary part: 0."},
    {"numerator", exact_int, nullptr, "The numerator of the number in lowest terms."},
    {"denominator", [](const Value&) { return Value::integer(1); }, nullptr,
     "The denominator of the number in lowest terms."},
};

}  // namespace

void add_integer_methods(Type& type) {
  type.add(kMethods);
  type.add(kProperties);
}

}  // namespace strider::lang
