// The module operator: the operators of the language as functions, and the getters
// itemgetter, attrgetter and methodcaller.
#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/functional/operator_getters.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

template <BinaryOperator kOperator>
Value binary_function(const Parameters& p) {
  return binary(kOperator, p[0], p[1]);
}

template <BinaryOperator kOperator>
Value inplace_function(const Parameters& p) {
  return inplace(kOperator, p[0], p[1]);
}

template <UnaryOperator kOperator>
Value unary_function(const Parameters& p) {
  return unary(kOperator, p[0]);
}

template <CompareOperator kOperator>
Value compare_function(const Parameters& p) {
  return compare(kOperator, p[0], p[1]);
}

Value operator_index(const Parameters& p) {
  if (is_integer(p[0])) return p[0];
  Value method = find_special(p[0], names().index);
  if (method.is_empty())
    raise(errors::TypeError, "'{}' object cannot be interpreted as an integer", type_name(p[0]));
  Value result = call(method);
  if (!is_integer(result))
    raise(errors::TypeError, "__index__ returned non-int (type {})", type_name(result));
  return result;
}

Value operator_concat(const Parameters& p) {
  if (!type_of(p[0])->slots.get_item || is_dict_like(p[0]))
    raise(errors::TypeError, "'{}' object can't be concatenated", type_name(p[0]));
  return binary(BinaryOperator::kAdd, p[0], p[1]);
}

Value operator_iconcat(const Parameters& p) {
  if (!type_of(p[0])->slots.get_item || is_dict_like(p[0]))
    raise(errors::TypeError, "'{}' object can't be concatenated", type_name(p[0]));
  return inplace(BinaryOperator::kAdd, p[0], p[1]);
}

Value operator_count_of(const Parameters& p) {
  std::int64_t count = 0;
  Iteration items(p[0]);
  Value item;
  while (items.next(item)) count += equal(item, p[1]);
  return Value::integer(count);
}

Value operator_index_of(const Parameters& p) {
  Iteration items(p[0]);
  Value item;
  for (std::int64_t index = 0; items.next(item); ++index)
    if (equal(item, p[1])) return Value::integer(index);
  raise(errors::ValueError, "sequence.index(x): x not in sequence");
}

Value operator_length_hint(const Parameters& p) {
  if (!p[1].is_int())
    raise(errors::TypeError, "'{}' object cannot be interpreted as an integer", type_name(p[1]));
  if (type_of(p[0])->slots.length) return Value::integer(length(p[0]));
  Value hint = find_special(p[0], names().length_hint);
  if (hint.is_empty()) return p[1];
  Value result;
  try {
    result = call(hint);
  } catch (const Raised& raised) {
    if (!raised.exception->type()->is_subclass_of(&errors::TypeError())) throw;
    return p[1];
  }
  if (identical(result, not_implemented())) return p[1];
  if (!is_integer(result))
    raise(errors::TypeError, "__length_hint__ must be an integer, not {}", type_name(result));
  std::int64_t length = to_int64(result);
  if (length < 0) raise(errors::ValueError, "__length_hint__() should return >= 0");
  return Value::integer(length);
}

// The public names: of functions and types.
Value all_names();

Value operator_call(const Parameters& p) {
  ArgumentList arguments;
  arguments.append_all(Arguments(p[1].as<Tuple>()->items()));
  append_keywords(arguments, p[2]);
  return call(p[0], arguments);
}

Value delete_item_function(const Parameters& p) {
  delete_item(p[0], p[1]);
  return Value::none();
}

Value set_item_function(const Parameters& p) {
  set_item(p[0], p[1], p[2]);
  return Value::none();
}

using B = BinaryOperator;
using C = CompareOperator;
using U = UnaryOperator;

const NativeRow kFunctions[] = {
    {"abs(a, /)",
     [](const Parameters& p) {
       return call(get_attribute(import_builtins(), intern("abs")), p[0]);
     },
     "abs(a)"},
    {"add(a, b, /)", binary_function<B::kAdd>, "a + b"},
    {"sub(a, b, /)", binary_function<B::kSub>, "a - b"},
    {"mul(a, b, /)", binary_function<B::kMult>, "a * b"},
    {"truediv(a, b, /)", binary_function<B::kDiv>, "a / b"},
    {"floordiv(a, b, /)", binary_function<B::kFloorDiv>, "a // b"},
    {"mod(a, b, /)", binary_function<B::kMod>, "a % b"},
    {"pow(a, b, /)", binary_function<B::kPow>, "a ** b"},
    {"matmul(a, b, /)", binary_function<B::kMatMult>, "a @ b"},
    {"and_(a, b, /)", binary_function<B::kBitAnd>, "a & b"},
    {"or_(a, b, /)", binary_function<B::kBitOr>, "a | b"},
    {"xor(a, b, /)", binary_function<B::kBitXor>, "a ^ b"},
    {"lshift(a, b, /)", binary_function<B::kLShift>, "a << b"},
    {"rshift(a, b, /)", binary_function<B::kRShift>, "a >> b"},
    {"iadd(a, b, /)", inplace_function<B::kAdd>, "a += b"},
    {"isub(a, b, /)", inplace_function<B::kSub>, "a -= b"},
    {"imul(a, b, /)", inplace_function<B::kMult>, "a *= b"},
    {"itruediv(a, b, /)", inplace_function<B::kDiv>, "a /= b"},
    {"ifloordiv(a, b, /)", inplace_function<B::kFloorDiv>, "a //= b"},
    {"imod(a, b, /)", inplace_function<B::kMod>, "a %= b"},
    {"ipow(a, b, /)", inplace_function<B::kPow>, "a **= b"},
    {"imatmul(a, b, /)", inplace_function<B::kMatMult>, "a @= b"},
    {"iand(a, b, /)", inplace_function<B::kBitAnd>, "a &= b"},
    {"ior(a, b, /)", inplace_function<B::kBitOr>, "a |= b"},
    {"ixor(a, b, /)", inplace_function<B::kBitXor>, "a ^= b"},
    {"ilshift(a, b, /)", inplace_function<B::kLShift>, "a <<= b"},
    {"irshift(a, b, /)", inplace_function<B::kRShift>, "a >>= b"},
    {"neg(a, /)", unary_function<U::kUSub>, "-a"},
    {"pos(a, /)", unary_function<U::kUAdd>, "+a"},
    {"inv(a, /)", unary_function<U::kInvert>, "~a"},
    {"invert(a, /)", unary_function<U::kInvert>, "~a"},
    {"not_(a, /)", [](const Parameters& p) { return Value::boolean(!truth(p[0])); }, "not a"},
    {"truth(a, /)", [](const Parameters& p) { return Value::boolean(truth(p[0])); }, "bool(a)"},
    {"is_(a, b, /)", [](const Parameters& p) { return Value::boolean(identical(p[0], p[1])); },
     "a is b"},
    {"is_not(a, b, /)", [](const Parameters& p) { return Value::boolean(!identical(p[0], p[1])); },
     "a is not b"},
    {"lt(a, b, /)", compare_function<C::kLt>, "a < b"},
    {"le(a, b, /)", compare_function<C::kLtE>, "a <= b"},
    {"eq(a, b, /)", compare_function<C::kEq>, "a == b"},
    {"ne(a, b, /)", compare_function<C::kNotEq>, "a != b"},
    {"gt(a, b, /)", compare_function<C::kGt>, "a > b"},
    {"ge(a, b, /)", compare_function<C::kGtE>, "a >= b"},
    {"index(a, /)", operator_index, "a as an integer, through __index__"},
    {"concat(a, b, /)", operator_concat, "a + b, for sequences"},
    {"iconcat(a, b, /)", operator_iconcat, "a += b, for sequences"},
    {"contains(a, b, /)", [](const Parameters& p) { return Value::boolean(contains(p[0], p[1])); },
     "b in a"},
    {"countOf(a, b, /)", operator_count_of, "How often b occurs in a."},
    {"indexOf(a, b, /)", operator_index_of, "Where b first occurs in a."},
    {"getitem(a, b, /)", [](const Parameters& p) { return get_item(p[0], p[1]); }, "a[b]"},
    {"setitem(a, b, c, /)", set_item_function, "a[b] = c"},
    {"delitem(a, b, /)", delete_item_function, "del a[b]"},
    {"length_hint(obj, default=0, /)", operator_length_hint, "An estimate of len(obj)."},
    {"call(obj, /, *args, **kwargs)", operator_call, "obj(*args, **kwargs)"},
};

const ConstantRow kTypes[] = {
    {"__all__", all_names},
    {"itemgetter", [] { return Value(&item_getter_type()); }},
    {"attrgetter", [] { return Value(&attribute_getter_type()); }},
    {"methodcaller", [] { return Value(&method_caller_type()); }},
};

Value all_names() {
  Values all;
  for (const NativeRow& row : kFunctions) {
    std::string_view signature = row.signature;
    all.emplace_back(make_str(signature.substr(0, signature.find('('))));
  }
  for (const ConstantRow& row : kTypes)
    if (std::string_view(row.name) != "__all__") all.emplace_back(make_str(row.name));
  return make_list(std::move(all));
}

// __add__ and its kin are the same functions under the names of the methods.
Value find_dunder(Name name) {
  std::string_view text = text_of(name);
  if (text.size() < 5 || !text.starts_with("__") || !text.ends_with("__")) return Value();
  std::string plain(text.substr(2, text.size() - 4));
  if (plain == "and" || plain == "or" || plain == "not") plain += '_';
  for (const NativeRow& row : kFunctions) {
    std::string_view signature = row.signature;
    if (signature.substr(0, signature.find('(')) == plain)
      return get_attribute(import_module("operator"), intern(plain));
  }
  return Value();
}

}  // namespace

const NativeModule kOperatorModule = {"operator", "The operators of the language as functions.",
                                      kFunctions, kTypes, find_dunder};

}  // namespace strider::lang
