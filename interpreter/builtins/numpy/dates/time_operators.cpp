// Counts of one unit are combined in plain loops; operands of two units are brought to the finer
// one first.
#include "interpreter/builtins/numpy/dates/time_operators.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/dates/unit_change.h"
#include "interpreter/builtins/numpy/ufunc/operators.h"
#include "interpreter/runtime/type/dunder.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using nd::DType;
using nd::Op;

constexpr Count kFused = 16384;  // elements from which fused loops are worth it

enum class Kind : std::uint8_t { kMoment, kSpan, kNumber };

// A count, or an array of counts, and what they count.
struct Operand {
  Kind kind = Kind::kNumber;
  Count count = 0;
  nd::Array array;  // null: one count
  Value unit;       // a text; Empty for numbers
  TimeUnit index = TimeUnit::kOther;
};

bool is_count_type(DType dtype) { return nd::is_integer(dtype) && dtype != DType::kUInt64; }

bool read_time_array(const Value& value, Operand& made) {
  const Value* counts = boxed_attribute(value, boxed().places);
  const Value* dtype = boxed_attribute(value, boxed().dtype);
  const Value* unit = dtype ? boxed_attribute(*dtype, boxed().unit) : nullptr;
  if (!counts || !is_array(*counts) || !unit || !is_str(*unit)) return false;
  if (type_of(*dtype) != boxed().moment_dtype && type_of(*dtype) != boxed().span_dtype)
    return false;
  made.kind = type_of(*dtype) == boxed().moment_dtype ? Kind::kMoment : Kind::kSpan;
  made.array = array_of(*counts);
  made.unit = *unit;
  return made.array.size() < kFused;
}

bool read_time(const Value& value, Operand& made) {
  const Value* count = boxed_attribute(value, boxed().scalar_count);
  const Value* unit = boxed_attribute(value, boxed().scalar_unit);
  if (!count || !count->is_int() || !unit || !is_str(*unit)) return false;
  made.kind = type_of(value) == boxed().moment ? Kind::kMoment : Kind::kSpan;
  made.count = count->as_int();
  made.unit = *unit;
  return true;
}

bool read_operand(const Value& value, Operand& made) {
  if (is_time_array(value)) return read_time_array(value, made);
  if (is_time_scalar(value)) return read_time(value, made);
  if (value.is_int()) {
    made.count = value.as_int();
    return true;
  }
  if (is_array(value) && !is_subclass_array(value)) {
    made.array = array_of(value);
    return is_count_type(made.array.dtype()) && made.array.size() < kFused;
  }
  if (!is_numpy_scalar(value) || is_pending_scalar(value)) return false;
  if (!is_count_type(scalar_dtype(value))) return false;
  made.count = settled_scalar(value).as(DType::kInt64).get<Count>();
  return true;
}

// Two operands whose counts are of one unit.
struct Pair {
  Operand first, second;
  Value unit;
  TimeUnit index = TimeUnit::kOther;
  bool are(Kind a, Kind b) const { return first.kind == a && second.kind == b; }
};

bool convert(Operand& operand, TimeUnit wanted) {
  if (operand.kind == Kind::kNumber || operand.index == wanted) return true;
  bool moments = operand.kind == Kind::kMoment;
  auto change = moments ? convert_moment : convert_span;
  if (!operand.array) return change(operand.count, operand.index, wanted, operand.count);
  operand.array = operand.array.copy(nd::Order::kC);
  std::span counts(operand.array.mutable_as<Count>(),
                   static_cast<std::size_t>(operand.array.size()));
  return change_units(counts, moments, operand.index, wanted);
}

bool share_unit(Pair& pair) {
  Operand &a = pair.first, &b = pair.second;
  pair.unit = a.kind == Kind::kNumber ? b.unit : a.unit;
  if (a.kind == Kind::kNumber || b.kind == Kind::kNumber) return true;
  if (identical(a.unit, b.unit) || text_of(a.unit) == text_of(b.unit)) return true;
  a.index = read_time_unit(text_of(a.unit));
  b.index = read_time_unit(text_of(b.unit));
  if (a.index == TimeUnit::kOther || b.index == TimeUnit::kOther) return false;
  pair.unit = a.index < b.index ? b.unit : a.unit;
  TimeUnit finer = std::max(a.index, b.index);
  return convert(a, finer) && convert(b, finer);
}

// The counts of an operand at every point of a result, or one for all of them.
class Side {
 public:
  Side(const Operand& operand, const nd::Dims& shape) : one_(operand.count) {
    if (!operand.array) return;
    single_ = operand.array.size() == 1;
    bool fits = single_ || operand.array.shape() == shape;
    array_ = (fits ? operand.array : operand.array.broadcast_to(shape)).contiguous(DType::kInt64);
    counts_ = array_.as<Count>();
  }
  Side(const Side&) = delete;
  const Count* counts() const { return counts_; }
  bool single() const { return single_; }
  nd::Operand operand() const { return array_ ? nd::Operand(array_) : nd::Scalar(one_); }
  // Looks at every count: nothing branches.
  bool misses_any(Count size) const {
    int missing = 0;
    for (Count i = 0, end = single_ ? 1 : size; i < end; ++i) missing |= counts_[i] == kNoTime;
    return missing != 0;
  }
  template <class Predicate>
  bool any(Count size, Predicate holds) const {
    return std::any_of(counts_, counts_ + (single_ ? std::min<Count>(size, 1) : size), holds);
  }

 private:
  Count one_;
  nd::Array array_;
  const Count* counts_ = &one_;
  bool single_ = true;
};

// The sides of a pair and the shape of what they give.
struct Sides {
  explicit Sides(const Pair& pair)
      : shape(common_shape(pair)),
        is_array(pair.first.array || pair.second.array),
        first(pair.first, shape),
        second(pair.second, shape) {
    for (Count extent : shape) size *= extent;
  }
  static nd::Dims common_shape(const Pair& pair) {
    const nd::Array &a = pair.first.array, &b = pair.second.array;
    if (!a || !b) return a ? a.shape() : b ? b.shape() : nd::Dims();
    if (a.shape() == b.shape()) return a.shape();
    nd::Dims shapes[] = {a.shape(), b.shape()};
    return nd::broadcast_shapes(shapes);
  }
  nd::Dims shape;
  bool is_array;
  Count size = 1;
  Side first, second;
};

// What a function gives for every pair: an array, or one result where there are no axes.
template <class Result>
struct Made {
  nd::Array array;
  Result one{};
};

template <class Result, class Function>
Made<Result> for_pairs(const Sides& sides, Function function) {
  const Count *x = sides.first.counts(), *y = sides.second.counts();
  if (sides.shape.size() == 0) return {{}, function(*x, *y)};
  nd::Array made = nd::Array::empty(sides.shape, nd::dtype_of<Result>);
  Result* results = made.template mutable_as<Result>();
  Count size = sides.size;
  if (sides.first.single() && size)
    for (Count i = 0, one = x[0]; i < size; ++i)
      results[i] = function(one, y[sides.second.single() ? 0 : i]);
  else if (sides.second.single() && size)
    for (Count i = 0, other = y[0]; i < size; ++i) results[i] = function(x[i], other);
  else
    for (Count i = 0; i < size; ++i) results[i] = function(x[i], y[i]);
  return {made, {}};
}

bool neither_missing(Count a, Count b) {
  return static_cast<int>(a != kNoTime) & static_cast<int>(b != kNoTime);
}

using Unsigned = std::uint64_t;
Count wrapping_sum(Count a, Count b) {
  return static_cast<Count>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
}
Count wrapping_difference(Count a, Count b) {
  return static_cast<Count>(static_cast<Unsigned>(a) - static_cast<Unsigned>(b));
}
Count wrapping_product(Count a, Count b) {
  return static_cast<Count>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
}

template <class Function>
Made<Count> for_present(const Sides& sides, Function function) {
  return for_pairs<Count>(
      sides, [=](Count a, Count b) { return neither_missing(a, b) ? function(a, b) : kNoTime; });
}

bool is_missing(Count count) { return count == kNoTime; }

// What the library's own loop gives for counts; null where one is missing, or there are few.
nd::Array combine_present(Op op, const Sides& sides) {
  constexpr Count kFew = 64;
  bool many = sides.is_array && sides.shape.size() > 0 && sides.size >= kFew;
  if (!many || sides.first.misses_any(sides.size) || sides.second.misses_any(sides.size)) return {};
  return nd::apply(op, sides.first.operand(), sides.second.operand());
}

template <class Function>
Made<Count> for_present(Op op, const Sides& sides, Function function) {
  if (nd::Array made = combine_present(op, sides)) return {made, {}};
  return for_present(sides, function);
}

Value times_of(const Made<Count>& made, bool moments, const Value& unit) {
  if (made.array) return make_time_array(made.array, time_dtype(moments, unit));
  return make_time(moments ? boxed().moment : boxed().span, made.one, unit);
}

template <class Result>
Value plain(const Made<Result>& made) {
  return made.array ? wrap(made.array) : make_scalar(nd::Scalar(made.one));
}

Value add(Pair& pair) {
  bool moments = pair.first.kind == Kind::kMoment || pair.second.kind == Kind::kMoment;
  if (pair.are(Kind::kMoment, Kind::kMoment) || !share_unit(pair)) return {};
  return times_of(for_present(Op::kAdd, Sides(pair), wrapping_sum), moments, pair.unit);
}

Value subtract(Pair& pair) {
  if (pair.second.kind == Kind::kMoment && pair.first.kind != Kind::kMoment) return {};
  bool moments = pair.first.kind == Kind::kMoment && pair.second.kind != Kind::kMoment;
  if (!share_unit(pair)) return {};
  return times_of(for_present(Op::kSubtract, Sides(pair), wrapping_difference), moments, pair.unit);
}

Value multiply(Pair& pair) {
  if (pair.are(Kind::kNumber, Kind::kSpan)) std::swap(pair.first, pair.second);
  if (!pair.are(Kind::kSpan, Kind::kNumber)) return {};
  auto product = [](Count a, Count b) { return a == kNoTime ? a : wrapping_product(a, b); };
  Sides sides(pair);
  nd::Array present = combine_present(Op::kMultiply, sides);
  return times_of(present ? Made<Count>{present, {}} : for_pairs<Count>(sides, product), false,
                  pair.first.unit);
}

bool is_nothing(Count count) { return count == 0; }
bool is_odd(Count count) { return count == 0 || count == kNoTime; }

// Divisions of which nothing is told: no divisor is zero, and where it counts, no time is missing.
Value divide(Pair& pair) {
  if (pair.are(Kind::kSpan, Kind::kNumber)) {
    Sides sides(pair);
    if (sides.second.any(sides.size, is_nothing)) return {};
    auto quotient = [](Count a, Count b) { return a == kNoTime ? a : a / b; };
    return times_of(for_pairs<Count>(sides, quotient), false, pair.first.unit);
  }
  if (!pair.are(Kind::kSpan, Kind::kSpan) || !share_unit(pair)) return {};
  Sides sides(pair);
  if (sides.second.any(sides.size, is_nothing)) return {};
  return plain(for_pairs<double>(sides, [](Count a, Count b) {
    return neither_missing(a, b) ? static_cast<double>(a) / static_cast<double>(b) : std::nan("");
  }));
}

// Counts of which none is missing, and divisors of which none is zero.
bool divides_plainly(const Sides& sides) {
  return !sides.first.any(sides.size, is_missing) && !sides.second.any(sides.size, is_odd);
}

Value floor_divide(Pair& pair) {
  if (pair.are(Kind::kSpan, Kind::kNumber)) return divide(pair);
  if (!pair.are(Kind::kSpan, Kind::kSpan) || !share_unit(pair)) return {};
  Sides sides(pair);
  return divides_plainly(sides) ? plain(for_pairs<Count>(sides, floor_divided)) : Value();
}

Value remainder(Pair& pair) {
  if (!pair.are(Kind::kSpan, Kind::kSpan) || !share_unit(pair)) return {};
  Sides sides(pair);
  if (!divides_plainly(sides)) return {};
  auto rest = [](Count a, Count b) {
    Count left = b == -1 ? 0 : a % b;
    return left != 0 && (left < 0) != (b < 0) ? left + b : left;
  };
  return times_of(for_pairs<Count>(sides, rest), false, pair.unit);
}

template <class Function>
Value compare(Op op, Pair& pair, Function function, bool of_missing = false) {
  bool moments = pair.first.kind == Kind::kMoment;
  if (moments != (pair.second.kind == Kind::kMoment) || !share_unit(pair)) return {};
  Sides sides(pair);
  if (nd::Array made = combine_present(op, sides)) return wrap(made);
  return plain(for_pairs<bool>(sides, [=](Count a, Count b) {
    return neither_missing(a, b) ? function(a, b) : of_missing;
  }));
}

// The lesser or the greater; of two of which one is missing the missing one, or the other one.
template <class Function>
Value choose(Op op, Pair& pair, Function function, bool skips_missing) {
  bool moments = pair.first.kind == Kind::kMoment;
  if (moments != (pair.second.kind == Kind::kMoment) || !share_unit(pair)) return {};
  Sides sides(pair);
  if (nd::Array made = combine_present(op, sides)) return times_of({made, {}}, moments, pair.unit);
  auto chosen = [=](Count a, Count b) {
    if (neither_missing(a, b)) return function(a, b);
    return !skips_missing ? kNoTime : a == kNoTime ? b : a;
  };
  return times_of(for_pairs<Count>(sides, chosen), moments, pair.unit);
}

Count least(Count a, Count b) { return std::min(a, b); }
Count greatest(Count a, Count b) { return std::max(a, b); }

Value combine(Op op, Pair& pair) {
  switch (op) {
    case Op::kAdd:
      return add(pair);
    case Op::kSubtract:
      return subtract(pair);
    case Op::kMultiply:
      return multiply(pair);
    case Op::kDivide:
      return divide(pair);
    case Op::kFloorDivide:
      return floor_divide(pair);
    case Op::kRemainder:
      return remainder(pair);
    case Op::kEqual:
      return compare(op, pair, [](Count a, Count b) { return a == b; });
    case Op::kNotEqual:
      return compare(
          op, pair, [](Count a, Count b) { return a != b; }, true);
    case Op::kLess:
      return compare(op, pair, [](Count a, Count b) { return a < b; });
    case Op::kLessEqual:
      return compare(op, pair, [](Count a, Count b) { return a <= b; });
    case Op::kGreater:
      return compare(op, pair, [](Count a, Count b) { return a > b; });
    case Op::kGreaterEqual:
      return compare(op, pair, [](Count a, Count b) { return a >= b; });
    case Op::kMinimum:
      return choose(op, pair, least, false);
    case Op::kMaximum:
      return choose(op, pair, greatest, false);
    case Op::kFmin:
      return choose(op, pair, least, true);
    case Op::kFmax:
      return choose(op, pair, greatest, true);
    default:
      return {};
  }
}

template <class Result, class Function>
Made<Result> for_each(const Operand& operand, Function function) {
  if (!operand.array) return {{}, function(operand.count)};
  if (operand.array.rank() == 0) return {{}, function(operand.array.item().get<Count>())};
  nd::Array given = operand.array.contiguous(DType::kInt64);
  nd::Array made = nd::Array::empty(given.shape(), nd::dtype_of<Result>);
  const Count* from = given.as<Count>();
  Result* to = made.template mutable_as<Result>();
  for (Count i = 0, size = given.size(); i < size; ++i) to[i] = function(from[i]);
  return {made, {}};
}

// A float that is finite, of Python or of numpy; none of others.
std::optional<double> read_factor(const Value& value) {
  double factor = std::nan("");
  if (value.is_float()) factor = value.as_float();
  bool settled = is_numpy_scalar(value) && !is_pending_scalar(value);
  if (settled && scalar_dtype(value) == DType::kFloat64)
    factor = settled_scalar(value).get<double>();
  return std::isfinite(factor) ? std::optional(factor) : std::nullopt;
}

// A length of time by a float, rounded to zero; Empty where one leaves 64 bits, of which is told.
Value scale(Op op, const Value& span, double factor) {
  Operand operand;
  bool known = counts_time(span) && read_operand(span, operand) && operand.kind == Kind::kSpan;
  if (!known || (op == Op::kDivide && factor == 0)) return {};
  bool fits = true;
  auto scaled = [&](Count count) {
    constexpr double kEnd = 0x1p63;
    if (count == kNoTime) return count;
    auto exact = static_cast<double>(count);
    double made = op == Op::kMultiply ? exact * factor : exact / factor;
    if (made >= -kEnd && made < kEnd) return static_cast<Count>(made);
    fits = false;
    return kNoTime;
  };
  Made<Count> made = for_each<Count>(operand, scaled);
  return fits ? times_of(made, false, operand.unit) : Value();
}

Value scale_either(Op op, const Value& first, const Value& second) {
  if (op != Op::kMultiply && op != Op::kDivide) return {};
  if (std::optional<double> factor = read_factor(second)) return scale(op, first, *factor);
  std::optional<double> factor = op == Op::kMultiply ? read_factor(first) : std::nullopt;
  return factor ? scale(op, second, *factor) : Value();
}

// --- Slots ---

Value time_binary(BinaryOperator op, const Value& self, const Value& other) {
  std::optional<Op> ufunc = counts_time(self) ? elementwise_op(op) : std::nullopt;
  if (ufunc)
    if (Value made = combine_times(*ufunc, self, other); !made.is_empty()) return made;
  return kUserSlots.binary(op, self, other);
}

Value time_reflected(BinaryOperator op, const Value& self, const Value& other) {
  std::optional<Op> ufunc = counts_time(self) ? elementwise_op(op) : std::nullopt;
  if (ufunc)
    if (Value made = combine_times(*ufunc, other, self); !made.is_empty()) return made;
  return kUserSlots.reflected(op, self, other);
}

Value time_compare(CompareOperator op, const Value& self, const Value& other) {
  if (counts_time(self))
    if (Value made = combine_times(elementwise_op(op), self, other); !made.is_empty()) return made;
  return kUserSlots.compare(op, self, other);
}

Value time_unary(UnaryOperator op, const Value& self) {
  if (op == UnaryOperator::kUSub && counts_time(self))
    if (Value made = change_times(Op::kNegative, self); !made.is_empty()) return made;
  return kUserSlots.unary(op, self);
}

// Stores a result of the array's own dtype and shape in its counts.
bool store_result(const Value& self, const Value& made) {
  if (!is_time_array(made)) return false;
  const Value* dtype = boxed_attribute(self, boxed().dtype);
  if (!identical(*dtype, *boxed_attribute(made, boxed().dtype))) return false;
  const nd::Array& counts = array_of(*boxed_attribute(self, boxed().places));
  const nd::Array& fresh = array_of(*boxed_attribute(made, boxed().places));
  if (counts.shape() != fresh.shape() || !counts.writeable()) return false;
  counts.assign(fresh);
  return true;
}

Value time_inplace(BinaryOperator op, const Value& self, const Value& other) {
  std::optional<Op> ufunc = is_time_array(self) ? elementwise_op(op) : std::nullopt;
  if (ufunc)
    if (Value made = combine_times(*ufunc, self, other); !made.is_empty())
      if (store_result(self, made)) return self;
  return kUserSlots.inplace(op, self, other);
}

}  // namespace

Value combine_times(Op op, const Value& first, const Value& second) {
  Pair pair;
  if (!read_operand(first, pair.first) || !read_operand(second, pair.second))
    return scale_either(op, first, second);
  if (pair.are(Kind::kNumber, Kind::kNumber)) return {};
  return combine(op, pair);
}

Value change_times(Op op, const Value& value) {
  Operand operand;
  if (!read_operand(value, operand) || operand.kind == Kind::kNumber) return {};
  auto negative = [](Count count) { return wrapping_difference(0, count); };  // NaT is its own
  auto absolute = [=](Count count) { return count < 0 ? negative(count) : count; };
  if (op == Op::kIsNan) return plain(for_each<bool>(operand, is_missing));
  if (op == Op::kIsFinite)
    return plain(for_each<bool>(operand, [](Count count) { return count != kNoTime; }));
  if (operand.kind != Kind::kSpan) return {};
  if (op == Op::kNegative) return times_of(for_each<Count>(operand, negative), false, operand.unit);
  if (op == Op::kAbsolute) return times_of(for_each<Count>(operand, absolute), false, operand.unit);
  return {};
}

void give_time_operators(Type& type) {
  type.slots.binary = time_binary;
  type.slots.reflected = time_reflected;
  type.slots.compare = time_compare;
  if (type.slots.unary) type.slots.unary = time_unary;
  if (type.slots.inplace) type.slots.inplace = time_inplace;
}

}  // namespace strider::lang
