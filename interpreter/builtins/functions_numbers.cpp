// Built-in functions of numbers: abs, bin, chr, divmod, hex, oct, ord, pow, round.
#include <cmath>

#include "interpreter/builtins/functions.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value builtin_abs(const Parameters& p) {
  if (p[0].is_float()) return Value::real(std::fabs(p[0].as_float()));
  if (p[0].is_int() && p[0].as_int() != INT64_MIN) return Value::integer(std::abs(p[0].as_int()));
  const Value* method = type_of(p[0])->lookup(names().abs_);
  if (method && method->has_layout(Layout::kNativeFunction))
    return method->as<NativeFunction>()->invoke(Arguments(&p[0], 1));
  if (method && method->has_layout(Layout::kFunction)) return call(Value(*method), p[0]);
  if (method) return call(find_special(p[0], names().abs_));
  if (is_integer(p[0])) {
    Integer value = to_integer(p[0]);
    return from_integer(value < 0 ? Integer(-value) : value);
  }
  if (p[0].has_layout(Layout::kComplex)) return Value::real(std::abs(p[0].as<Complex>()->value));
  raise(errors::TypeError, "bad operand type for abs(): '{}'", type_name(p[0]));
}

Value index_of(const Value& value) {
  if (is_integer(value)) return exact_int(value);
  if (auto* slot = type_of(value)->slots.to_index) return exact_int(slot(value));
  raise(errors::TypeError, "'{}' object cannot be interpreted as an integer", type_name(value));
}

template <int kBase>
Value in_base(const Parameters& p) {
  constexpr const char* kPrefix = kBase == 2 ? "0b" : kBase == 8 ? "0o" : "0x";
  std::string text = integer_text(index_of(p[0]), kBase);
  text.insert(text[0] == '-' ? 1 : 0, kPrefix);
  auto size = static_cast<std::int64_t>(text.size());
  return make_str(std::move(text), size);
}

Value builtin_chr(const Parameters& p) {
  std::int64_t code = to_int64(p[0]);
  if (code < 0 || code > 0x10ffff) raise(errors::ValueError, "chr() arg not in range(0x110000)");
  std::string text;
  append_code_point(text, static_cast<char32_t>(code));
  return make_str(std::move(text));
}

Value builtin_ord(const Parameters& p) {
  if (is_str(p[0])) {
    auto* text = p[0].as<Str>();
    if (text->size() != 1)
      raise(errors::TypeError, "ord() expected a character, but string of length {} found",
            text->size());
    std::size_t offset = 0;
    return Value::integer(decode_code_point(text->text(), offset));
  }
  if (p[0].has_layout(Layout::kBytes) || p[0].has_layout(Layout::kByteArray)) {
    std::string_view bytes = to_bytes(p[0]);
    if (bytes.size() != 1)
      raise(errors::TypeError, "ord() expected a character, but string of length {} found",
            bytes.size());
    return Value::integer(static_cast<unsigned char>(bytes[0]));
  }
  raise(errors::TypeError, "ord() expected string of length 1, but {} found", type_name(p[0]));
}

Value builtin_divmod(const Parameters& p) {
  auto plain = [](const Value& v) { return v.is_int() || v.has_layout(Layout::kBigInt); };
  if (plain(p[0]) && plain(p[1])) {
    auto [quotient, remainder] = integer_divmod(p[0], p[1]);
    return make_pair(quotient, remainder);
  }
  Value method = find_special(p[0], intern("__divmod__"));
  if (!method.is_empty() && !is_integer(p[0]) && !p[0].is_float()) {
    Value result = call(method, p[1]);
    if (!identical(result, not_implemented())) return result;
  }
  Value reflected = find_special(p[1], names().rdivmod);
  if (!reflected.is_empty() && !is_integer(p[1]) && !p[1].is_float()) {
    Value result = call(reflected, p[0]);
    if (!identical(result, not_implemented())) return result;
  }
  auto number = [](const Value& v) {
    return is_integer(v) || v.is_float() || v.has_layout(Layout::kFloatBox);
  };
  if (!number(p[0]) || !number(p[1]))
    raise(errors::TypeError, "unsupported operand type(s) for divmod(): '{}' and '{}'",
          type_name(p[0]), type_name(p[1]));
  bool real = is_float(p[0]) || is_float(p[1]);
  if (real && !truth(p[1])) raise(errors::ZeroDivisionError, "float divmod()");
  Value quotient = binary(BinaryOperator::kFloorDiv, p[0], p[1]);
  return make_tuple({quotient, binary(BinaryOperator::kMod, p[0], p[1])});
}

// pow(base, exponent, modulus)
Value modular_power(const Value& base_value, const Value& exponent_value,
                    const Value& modulus_value) {
  for (const Value* each : {&base_value, &exponent_value, &modulus_value})
    if (each->has_layout(Layout::kComplex)) raise(errors::ValueError, "complex modulo");
  if (!is_integer(base_value) || !is_integer(exponent_value) || !is_integer(modulus_value))
    raise(errors::TypeError, "pow() 3rd argument not allowed unless all arguments are integers");
  return integer_power_modulo(base_value, exponent_value, modulus_value);
}

Value builtin_pow(const Parameters& p) {
  if (p[2].is_none()) return binary(BinaryOperator::kPow, p[0], p[1]);
  static const Name name = intern("__pow__");
  const Value* method = type_of(p[0])->lookup(name);
  if (method && method->has_layout(Layout::kFunction)) {
    Value result = call(find_special(p[0], name), p[1], p[2]);
    if (!identical(result, not_implemented())) return result;
  }
  return modular_power(p[0], p[1], p[2]);
}

Value builtin_round(const Parameters& p) {
  bool whole = !p.has(1) || p[1].is_none();
  if (whole && p[0].is_int()) return p[0];
  if (whole && p[0].is_float()) return integer_from_double(std::nearbyint(p[0].as_float()));
  Value method = find_special(p[0], names().round);
  if (method.is_empty())
    raise(errors::TypeError, "type {} doesn't define __round__ method", type_name(p[0]));
  return whole ? call(method) : call(method, p[1]);
}

}  // namespace

const NativeRow kNumberFunctions[] = {
    {"abs(x, /)", builtin_abs, "The absolute value."},
    {"bin(number, /)", in_base<2>, "The integer in binary."},
    {"oct(number, /)", in_base<8>, "The integer in octal."},
    {"hex(number, /)", in_base<16>, "The integer in hexadecimal."},
    {"chr(i, /)", builtin_chr, "The character with a code point."},
    {"ord(c, /)", builtin_ord, "The code point of a character."},
    {"divmod(x, y, /)", builtin_divmod, "Quotient and remainder."},
    {"pow(base, exp, mod=None)", builtin_pow, "base**exp, modulo mod if given."},
    {"round(number, ndigits=<none>)", builtin_round,
     "Rounds to a number of decimals, half to even."},
};
const std::size_t kNumberFunctionCount = std::size(kNumberFunctions);

}  // namespace strider::lang
