// Slopes of plain arrays, and questions about single values.
#include <strider/nd/array.h>

#include <cmath>

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/functions/shortcuts.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using nd::DType;

constexpr std::int64_t kFew = 4096;  // elements; more are operations of the library

// --- Slopes ---

// Central differences of a line of numbers, one-sided at its ends; steps are counted in elements.
struct Line {
  const double* values;
  double* slopes;
  std::int64_t length, step;

  // False where a slope may be a condition that numpy tells of.
  bool take(double gap) const {
    const double twice = 2.0 * gap;
    bool plain = set(0, values[step] - values[0], gap);
    for (std::int64_t i = 1; i + 1 < length; ++i)
      plain &= set(i, values[(i + 1) * step] - values[(i - 1) * step], twice);
    const double* last = values + (length - 1) * step;
    return set(length - 1, *last - *(last - step), gap) && plain;
  }

 private:
  bool set(std::int64_t i, double rise, double run) const {
    const double slope = rise / run;
    slopes[i * step] = slope;
    return std::isnormal(slope) || (slope == 0 && rise == 0);
  }
};

// The slopes along an axis; a null array where one of them may be a condition that numpy tells of.
nd::Array slopes_along(const nd::Array& array, int axis, double gap) {
  nd::Array made = nd::Array::empty(array.shape(), DType::kFloat64);
  const auto* values = array.as<double>();
  auto* slopes = made.mutable_as<double>();
  std::int64_t length = array.shape()[axis], step = 1;
  for (int i = axis + 1; i < array.rank(); ++i) step *= array.shape()[i];
  for (std::int64_t block = 0; block < array.size(); block += length * step)
    for (std::int64_t k = block; k < block + step; ++k)
      if (!Line{values + k, slopes + k, length, step}.take(gap)) return {};
  return made;
}

// gradient(f, gap=1.0, axis=None) of float64.
Value slopes(const Arguments& arguments) {
  static const Name axis_name = intern("axis");
  if (arguments.count == 0 || arguments.count > 2 || arguments.keyword_count > 1) return {};
  const Value& given = arguments.values[0];
  if (!is_array(given) || is_subclass_array(given)) return {};
  const nd::Array& array = array_of(given);
  bool plain = array.dtype() == DType::kFloat64 && array.rank() > 0 && array.size() <= kFew &&
               array.is_c_contiguous();
  Value wanted = arguments.keyword_count ? arguments.keywords[0].value : Value::none();
  if (!plain || (arguments.keyword_count && arguments.keywords[0].name != axis_name)) return {};
  double gap = 1.0;
  if (arguments.count == 2) {
    const Value& number = arguments.values[1];
    if (!number.is_float() && !number.is_int()) return {};
    gap = number.is_float() ? number.as_float() : static_cast<double>(number.as_int());
  }
  if (gap == 0 || (!wanted.is_none() && !wanted.is_int())) return {};
  std::int64_t only = wanted.is_int() ? wanted.as_int() : 0;
  if (only < 0) only += array.rank();
  if (only < 0 || only >= array.rank()) return {};
  bool all = wanted.is_none();
  Values made;
  for (int axis = 0; axis < array.rank(); ++axis) {
    if (!all && axis != only) continue;
    if (array.shape()[axis] < 2) return {};
    nd::Array one = slopes_along(array, axis, gap);
    if (!one) return {};
    made.push_back(wrap(std::move(one)));
  }
  return made.size() == 1 ? made[0] : make_tuple(std::move(made));
}

// --- Questions ---

// isscalar(element)
Value is_scalar(const Arguments& arguments) {
  if (arguments.keyword_count > 0 || arguments.count != 1) return {};
  const Value& value = arguments.values[0];
  if (value.is_none() || is_array(value) || is_list(value) || is_tuple(value))
    return Value::boolean(false);
  bool scalar = value.is_int() || value.is_float() || value.is_bool() || is_numpy_scalar(value) ||
                (value.is_object() &&
                 (is_str(value) || is_bytes(value) || value.has_layout(Layout::kComplex)));
  return scalar ? Value::boolean(true) : Value();
}

// iscomplexobj(x), isrealobj(x)
template <bool kComplex>
Value has_complex_type(const Arguments& arguments) {
  if (arguments.keyword_count > 0 || arguments.count != 1) return {};
  const Value& value = arguments.values[0];
  if (is_subclass_array(value)) return Value();
  if (is_array(value)) return Value::boolean(nd::is_complex(array_of(value).dtype()) == kComplex);
  if (value.is_int() || value.is_float() || value.is_bool()) return Value::boolean(!kComplex);
  return is_numpy_scalar(value) ? Value::boolean(nd::is_complex(scalar_dtype(value)) == kComplex)
                                : Value();
}

constexpr Shortcut kShortcuts[] = {
    {"gradient", slopes},
    {"isscalar", is_scalar},
    {"iscomplexobj", has_complex_type<true>},
    {"isrealobj", has_complex_type<false>},
};

}  // namespace

Shortcuts value_shortcuts() { return kShortcuts; }

}  // namespace strider::lang
