// arange and full of moments and lengths of time, where no rule of numpy's files in npx has to be
// asked.
#include <strider/nd/generate.h>

#include <algorithm>
#include <optional>

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/elements/element_answers.h"
#include "interpreter/builtins/numpy/elements/element_lists.h"

namespace strider::lang {
namespace {

// An end or a step of a range: a count of a unit, or a plain number.
struct Told {
  Count count = 0;
  TimeUnit unit = TimeUnit::kOther;
  bool moment = false, number = false;
};

std::optional<Told> read_time(const Value& value) {
  if (value.is_int()) return Told{.count = value.as_int(), .number = true};
  Told told;
  int parts = 0;
  if (is_exact_text(value)) {
    told.moment = true;
    if (!read_moment(text_of(value), told.count, parts)) return {};
    told.unit = unit_of_parts(parts);
  } else {
    if (!is_time_scalar(value)) return {};
    const Value *count = boxed_attribute(value, boxed().scalar_count),
                *unit = boxed_attribute(value, boxed().scalar_unit);
    if (!count || !count->is_int() || !unit || !is_str(*unit)) return {};
    told.count = count->as_int();
    told.unit = read_time_unit(text_of(*unit));
    told.moment = type_of(value) == boxed().moment;
  }
  if (told.unit == TimeUnit::kOther || told.count == kNoTime) return {};
  return told;
}

// The arguments of a range with a start and a stop.
struct RangeArguments {
  Value start, stop, step = Value::none(), dtype = Value::none();
};

std::optional<RangeArguments> read_range(const Arguments& arguments) {
  if (arguments.count < 2 || arguments.count > 4 || arguments.keyword_count > 1) return {};
  RangeArguments range{arguments.values[0], arguments.values[1]};
  if (arguments.count > 2) range.step = arguments.values[2];
  if (arguments.count > 3) range.dtype = arguments.values[3];
  if (arguments.keyword_count == 1) {
    if (arguments.keywords[0].name != boxed().dtype || arguments.count == 4) return {};
    range.dtype = arguments.keywords[0].value;
  }
  return range;
}

Value unit_name(const Value& time) { return *boxed_attribute(time, boxed().scalar_unit); }

// The dtype of the elements: the one asked for, or that of the finest of the ends and the step.
Value dtype_of_range(const RangeArguments& range, bool moments) {
  if (!range.dtype.is_none()) {
    Value dtype = read_boxed_dtype(range.dtype);
    const Type* wanted = moments ? boxed().moment_dtype : boxed().span_dtype;
    return dtype.is_empty() || type_of(dtype) != wanted ? Value() : dtype;
  }
  const Value* finest = nullptr;
  TimeUnit unit = TimeUnit::kOther;
  for (const Value* each : {&range.start, &range.stop, &range.step}) {
    if (is_exact_text(*each)) return {};
    if (!is_time_scalar(*each)) continue;
    TimeUnit own = read_time_unit(text_of(unit_name(*each)));
    if (finest && counts_months(own) != counts_months(unit)) return {};
    if (!finest || own > unit) finest = each, unit = own;
  }
  return finest ? time_dtype(moments, unit_name(*finest)) : Value();
}

// An end, or a step or the length of a range, in the unit of the elements.
bool converted(const Told& told, bool moments, TimeUnit unit, Count& count) {
  count = told.count;
  if (told.number) return true;
  return moments == told.moment && (moments ? convert_moment : convert_span)(
                                       told.count, told.unit, unit, count);
}

Value make_range(Count first, Count last, Count stride, const Value& dtype) {
  Count length = stride > 0 ? (last - first + stride - 1) / stride
                            : (first - last - stride - 1) / -stride;
  length = std::max<Count>(length, 0);
  if (length > kFewTimes)
    return make_time_array(
        nd::generate_range(nd::Scalar(first), nd::Scalar(stride), length, nd::DType::kInt64),
        dtype);
  nd::Array made = nd::Array::empty(nd::Dims{length}, nd::DType::kInt64);
  auto* counts = made.mutable_as<Count>();
  for (Count i = 0; i < length; ++i) counts[i] = first + i * stride;
  return make_time_array(std::move(made), dtype);
}

}  // namespace

Value range_of_times(const Arguments& arguments) {
  std::optional<RangeArguments> range = read_range(arguments);
  if (!range || !boxed().time_array || !range->start.is_object()) return {};
  std::optional<Told> start = read_time(range->start), stop = read_time(range->stop);
  if (!start || !stop || (stop->moment && !start->moment)) return {};
  Value dtype = dtype_of_range(*range, start->moment);
  if (dtype.is_empty()) return {};
  TimeUnit unit = read_time_unit(text_of(*boxed_attribute(dtype, boxed().unit)));
  bool cut = is_exact_text(range->start) || is_exact_text(range->stop);
  if (unit == TimeUnit::kOther || (cut && std::max(start->unit, stop->unit) > unit)) return {};
  Count first = 0, last = 0, stride = 1;
  if (!converted(*start, start->moment, unit, first) ||
      !converted(*stop, stop->moment, unit, last))
    return {};
  if (start->moment && !stop->moment && __builtin_add_overflow(first, last, &last)) return {};
  if (!range->step.is_none()) {
    std::optional<Told> step = read_time(range->step);
    if (!step || !converted(*step, false, unit, stride) || stride == 0) return {};
  }
  constexpr Count kFar = Count{1} << 61;  // beyond, lengths leave 64 bits
  auto near = [](Count count) { return count > -kFar && count < kFar; };
  return near(first) && near(last) && near(stride) ? make_range(first, last, stride, dtype)
                                                   : Value();
}

Value filled_with_time(const nd::Dims& shape, const Value& time) {
  const Value *count = boxed_attribute(time, boxed().scalar_count),
              *unit = boxed_attribute(time, boxed().scalar_unit);
  if (!boxed().time_array || !count || !count->is_int() || !unit || !is_str(*unit)) return {};
  return make_time_array(nd::Array::full(shape, nd::Scalar(count->as_int()),
                                         nd::DType::kInt64),
                         time_dtype(type_of(time) == boxed().moment, *unit));
}

}  // namespace strider::lang
