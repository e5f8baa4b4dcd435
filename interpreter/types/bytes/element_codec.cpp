// Elements read and written through memory that need not be aligned.
#include "interpreter/types/bytes/element_codec.h"

#include <cstring>
#include <limits>

#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr const char* kTooLong = "Python int too large to convert to C long";
constexpr const char* kTooLongUnsigned = "Python int too large to convert to C unsigned long";
constexpr const char* kNegative = "can't convert negative value to unsigned int";

template <class T>
T load(const char* place) {
  T value;
  std::memcpy(&value, place, sizeof(T));
  return value;
}

template <class T>
void store(char* place, T value) {
  std::memcpy(place, &value, sizeof(T));
}

Value exact_integer(const Value& value) {
  if (!is_integer(value) && !type_of(value)->slots.to_index)
    raise(errors::TypeError, "'{}' object cannot be interpreted as an integer", type_name(value));
  return exact_int(is_integer(value) ? value : type_of(value)->slots.to_index(value));
}

// Integers that fit `T`; `kind` names it where they do not.
template <class T>
void store_small(char* place, const Value& value, const char* kind) {
  Value number = exact_integer(value);
  if (!number.is_int()) raise(errors::OverflowError, "{}", kTooLong);
  if (number.as_int() < std::numeric_limits<T>::min())
    raise(errors::OverflowError, "{} is less than minimum", kind);
  if (number.as_int() > std::numeric_limits<T>::max())
    raise(errors::OverflowError, "{} is greater than maximum", kind);
  store(place, static_cast<T>(number.as_int()));
}

void store_signed(char* place, const Value& value, const char* error) {
  Value number = exact_integer(value);
  if (!number.is_int()) raise(errors::OverflowError, "{}", error);
  store(place, number.as_int());
}

template <class T>
void store_unsigned(char* place, const Value& value, const char* negative, const char* large) {
  Value number = exact_integer(value);
  if (integer_is_negative(number)) raise(errors::OverflowError, "{}", negative);
  Integer integer = to_integer(number);
  if (integer > std::numeric_limits<std::uint64_t>::max())
    raise(errors::OverflowError, "{}", large);
  if (integer > std::numeric_limits<T>::max())
    raise(errors::OverflowError, "unsigned int is greater than maximum");
  store(place, static_cast<T>(integer));
}

double real_number(const Value& value) {
  if (!is_float(value) && !is_integer(value) && !type_of(value)->slots.to_float &&
      !type_of(value)->slots.to_index)
    raise(errors::TypeError, "must be real number, not {}", type_name(value));
  return to_double(value);
}

void store_character(char* place, const Value& value) {
  constexpr const char* kError = "array item must be unicode character";
  if (!is_str(value) || count_code_points(text_of(value)) != 1)
    raise(errors::TypeError, "{}", kError);
  std::size_t offset = 0;
  store(place, decode_code_point(text_of(value), offset));
}

void store_byte(char* place, const Value& value) {
  if (!is_bytes(value) || to_bytes(value).size() != 1)
    raise(errors::TypeError, "memoryview: invalid type for format 'c'");
  *place = to_bytes(value)[0];
}

}  // namespace

int element_size(char code) {
  switch (code) {
    case '?':
    case 'b':
    case 'B':
    case 'c':
      return 1;
    case 'h':
    case 'H':
      return 2;
    case 'i':
    case 'I':
    case 'f':
    case 'u':
      return 4;
    case 'l':
    case 'L':
    case 'q':
    case 'Q':
    case 'n':
    case 'N':
    case 'd':
      return 8;
    default:
      return 0;
  }
}

Value read_element(const char* place, char code) {
  switch (code) {
    case '?':
      return Value::boolean(*place != 0);
    case 'c':
      return make<Bytes>(std::string(1, *place));
    case 'b':
      return Value::integer(load<std::int8_t>(place));
    case 'B':
      return Value::integer(load<std::uint8_t>(place));
    case 'h':
      return Value::integer(load<std::int16_t>(place));
    case 'H':
      return Value::integer(load<std::uint16_t>(place));
    case 'i':
      return Value::integer(load<std::int32_t>(place));
    case 'I':
      return Value::integer(load<std::uint32_t>(place));
    case 'L':
    case 'Q':
    case 'N':
      return from_uint64(load<std::uint64_t>(place));
    case 'f':
      return Value::real(load<float>(place));
    case 'd':
      return Value::real(load<double>(place));
    case 'u': {
      std::string text;
      append_code_point(text, load<char32_t>(place));
      return make_str(text);
    }
    default:
      return Value::integer(load<std::int64_t>(place));
  }
}

void write_element(char* place, char code, const Value& value) {
  switch (code) {
    case '?':
      return store(place, static_cast<std::uint8_t>(truth(value)));
    case 'c':
      return store_byte(place, value);
    case 'b':
      return store_small<std::int8_t>(place, value, "signed char");
    case 'B':
      return store_small<std::uint8_t>(place, value, "unsigned byte integer");
    case 'h':
      return store_small<std::int16_t>(place, value, "signed short integer");
    case 'H':
      return store_small<std::uint16_t>(place, value, "unsigned short");
    case 'i':
      return store_small<std::int32_t>(place, value, "signed integer");
    case 'I':
      return store_unsigned<std::uint32_t>(place, value, kNegative, kTooLongUnsigned);
    case 'L':
    case 'N':
      return store_unsigned<std::uint64_t>(place, value, kNegative, kTooLongUnsigned);
    case 'Q':
      return store_unsigned<std::uint64_t>(place, value, "can't convert negative int to unsigned",
                                           "int too big to convert");
    case 'f':
      return store(place, static_cast<float>(real_number(value)));
    case 'd':
      return store(place, real_number(value));
    case 'u':
      return store_character(place, value);
    case 'q':
      return store_signed(place, value, "int too big to convert");
    default:
      return store_signed(place, value, kTooLong);
  }
}

}  // namespace strider::lang
