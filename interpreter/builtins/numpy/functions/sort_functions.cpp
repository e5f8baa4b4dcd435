// Order as functions of numpy and methods of arrays: sorting, selecting, searching, counting.
#include <strider/nd/sort.h>

#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/numpy/libraries/library_functions.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// kind=, order= and stable= as numpy.sort takes them.
nd::SortKind to_sort_kind(const Value& kind, const Value& order, const Value& stable) {
  if (is_given(order))
    raise(errors::ValueError, "Cannot specify order when the array has no fields.");
  if (is_given(stable)) {
    if (is_given(kind))
      raise(errors::ValueError,
            "`kind` and keyword parameters can't be provided at the same time. "
            "Use only one of them.");
    return truth(stable) ? nd::SortKind::kStable : nd::SortKind::kQuick;
  }
  if (!is_given(kind)) return nd::SortKind::kQuick;
  std::string_view text = to_text(kind, "sort kind");
  char first = text.empty() ? ' ' : text[0];
  if (first == 'q' || first == 'Q') return nd::SortKind::kQuick;
  if (first == 'h' || first == 'H') return nd::SortKind::kHeap;
  if (first == 'm' || first == 'M') return nd::SortKind::kMerge;
  if (first == 's' || first == 'S') return nd::SortKind::kStable;
  raise(errors::ValueError, "sort kind must be one of 'quick', 'heap', or 'stable' (got '{}')",
        text);
}

// sort(a, axis, kind, order, *, stable)
Value sort(const Parameters& p) {
  nd::SortKind kind = to_sort_kind(p[2], p[3], p[4]);
  return wrap_like(nd::sort(this_array(p[0]), to_optional_axis(p[1]), kind), p[0]);
}

Value sort_method(const Parameters& p) {
  nd::SortKind kind = to_sort_kind(p[2], p[3], p[4]);
  nd::sort_in_place(this_array(p[0]), to_axis_number(p[1]), kind);
  return Value::none();
}

Value arg_sort(const Parameters& p) {
  nd::SortKind kind = to_sort_kind(p[2], p[3], p[4]);
  return wrap_like(nd::argsort(this_array(p[0]), to_optional_axis(p[1]), kind), p[0]);
}

std::vector<std::int64_t> to_kth(const Value& value) {
  nd::Array positions = to_array(value);
  if (positions.dtype() == nd::DType::kBool)
    raise(errors::ValueError, "Booleans unacceptable as partition index");
  if (!nd::is_integer(positions.dtype()))
    raise(errors::TypeError, "Partition index must be integer");
  if (positions.rank() > 1) raise(errors::ValueError, "kth array must have dimension <= 1");
  nd::Array flat = positions.ravel().contiguous(nd::DType::kInt64);
  const auto* first = flat.as<std::int64_t>();
  return {first, first + flat.size()};
}

void check_select_kind(const Value& kind) {
  std::string_view text = to_text(kind, "select kind");
  if (!text.starts_with('i') && !text.starts_with('I'))
    raise(errors::ValueError, "select kind must be 'introselect' (got '{}')", text);
}

// partition(a, kth, axis, kind, order)
Value partition(const Parameters& p) {
  check_select_kind(p[3]);
  return wrap_like(nd::partition(this_array(p[0]), to_kth(p[1]), to_optional_axis(p[2])), p[0]);
}

Value partition_method(const Parameters& p) {
  check_select_kind(p[3]);
  if (is_array(p[0])) nd::partition_in_place(array_of(p[0]), to_kth(p[1]), to_axis_number(p[2]));
  return Value::none();
}

Value arg_partition(const Parameters& p) {
  check_select_kind(p[3]);
  return wrap_like(nd::argpartition(this_array(p[0]), to_kth(p[1]), to_optional_axis(p[2])), p[0]);
}

// lexsort(keys, axis)
Value lex_sort(const Parameters& p) {
  bool sequence = is_list(p[0]) || is_tuple(p[0]) || type_of(p[0])->slots.get_item;
  std::vector<nd::Array> keys = sequence ? to_arrays(p[0]) : std::vector<nd::Array>();
  if (keys.empty()) raise(errors::TypeError, "need sequence of keys with len > 0 in lexsort");
  return wrap_result(nd::lexsort(keys, to_axis_number(p[1])));
}

bool to_side(const Value& value) {
  std::string_view text = to_text(value, "search side");
  if (text == "left") return false;
  if (text == "right") return true;
  if (!text.empty() && std::string_view("lLrR").find(text[0]) != std::string_view::npos)
    raise(errors::ValueError, "search side must be one of 'left' or 'right'");
  raise(errors::ValueError, "search side must be 'left' or 'right' (got '{}')", text);
}

// searchsorted(a, v, side, sorter)
Value search_sorted(const Parameters& p) {
  nd::Array sorter;
  if (is_given(p[3])) sorter = to_array(p[3]);
  return wrap_result(nd::searchsorted(this_array(p[0]), to_array(p[1]), to_side(p[2]),
                                      sorter ? &sorter : nullptr));
}

// The values that bincount counts: a list may hold numbers of any kind, an array only integers.
nd::Array to_counted(const Value& value) {
  nd::Array array = to_array(value);
  if (is_array(value)) return array;
  if (array.size() && !nd::is_integer(array.dtype()) && array.dtype() != nd::DType::kBool)
    warn(errors::DeprecationWarning(),
         "Non-integer input passed to bincount. In a future version of NumPy, this will be an "
         "error. (Deprecated NumPy 2.1)");
  if (array.rank() > 1)
    raise(errors::ValueError,
          "setting an array element with a sequence. The requested array would exceed the maximum "
          "number of dimension of 1.");
  return array.astype(nd::DType::kInt64);
}

// bincount(x, weights, minlength)
Value bin_count(const Parameters& p) {
  nd::Array weights;
  if (is_given(p[1])) weights = to_array(p[1]);
  if (p[2].is_none()) raise(errors::TypeError, "use 0 instead of None for minlength");
  std::int64_t least = to_int64(p[2]);
  if (least < 0) raise(errors::ValueError, "'minlength' must not be negative");
  return wrap(nd::bincount(to_counted(p[0]), weights ? &weights : nullptr, least));
}

// digitize(x, bins, right)
Value digitize(const Parameters& p) {
  nd::Array array = this_array(p[0]), bins = to_array(p[1]);
  if (nd::is_complex(bins.dtype()) && !nd::is_complex(array.dtype()))
    raise(errors::TypeError,
          "Cannot cast array data from dtype('{}') to dtype('float64') according to the rule "
          "'safe'",
          nd::name(bins.dtype()));
  return wrap_result(nd::digitize(array, bins, truth(p[2])));
}

// kind= of isin, which only asks for a method.
void check_isin_kind(const Value& value, const nd::Array& element, const nd::Array& tested) {
  if (!is_given(value)) return;
  std::string_view kind = to_text(value, "kind");
  if (kind != "sort" && kind != "table")
    raise(errors::ValueError, "Invalid kind: '{}'. Please use None, 'sort' or 'table'.", kind);
  if (kind == "table" && (nd::is_inexact(element.dtype()) || nd::is_inexact(tested.dtype())))
    raise(
        errors::ValueError,
        "The 'table' method is only supported for boolean or integer arrays. Please select 'sort' "
        "or None for kind.");
}

// isin(element, test_elements, assume_unique, invert, *, kind)
Value is_in(const Parameters& p) {
  nd::Array element = this_array(p[0]), tested = to_array(p[1]);
  check_isin_kind(p[4], element, tested);
  return wrap(nd::isin(element, tested, truth(p[3])));
}

// _unique(a, index, inverse, counts, equal_nan) of the flattened array.
Value unique(const Parameters& p) {
  nd::Unique found =
      nd::unique(this_array(p[0]), truth(p[1]), truth(p[2]), truth(p[3]), truth(p[4]));
  std::vector<nd::Array> results = {found.values};
  if (truth(p[1])) results.push_back(found.index);
  if (truth(p[2])) results.push_back(found.inverse);
  if (truth(p[3])) results.push_back(found.counts);
  return array_tuple(std::move(results));
}

// _unique_values(a, equal_nan) of the flattened array, in any order.
Value unique_values(const Parameters& p) {
  return wrap(nd::unique_values(this_array(p[0]), truth(p[1])));
}

// _histogram_uniform(values, bins, low, high, weights)
Value histogram_uniform(const Parameters& p) {
  nd::Array weights;
  if (is_given(p[4])) weights = to_array(p[4]);
  return wrap(nd::histogram_uniform(to_array(p[0]), to_int64(p[1]), to_double(p[2]),
                                    to_double(p[3]), weights ? &weights : nullptr));
}

#define SORT_PARAMETERS "axis=-1, kind=None, order=None, *, stable=None)"
#define PARTITION_PARAMETERS "kth, axis=-1, kind='introselect', order=None)"

const NativeRow kFunctions[] = {
    {"sort(a, " SORT_PARAMETERS, sort, "A sorted copy."},
    {"argsort(a, " SORT_PARAMETERS, arg_sort, "The positions that sort an array."},
    {"partition(a, " PARTITION_PARAMETERS, partition,
     "A copy with the kth elements where sorting would put them."},
    {"argpartition(a, " PARTITION_PARAMETERS, arg_partition,
     "The positions that partition an array."},
    {"lexsort(keys, axis=-1)", lex_sort,
     "The positions that sort by several keys, the last first."},
    {"searchsorted(a, v, side='left', sorter=None)", search_sorted,
     "Where values would be inserted to keep a sorted array sorted."},
    {"bincount(x, /, weights=None, minlength=0)", bin_count,
     "How often each non-negative integer occurs."},
    {"digitize(x, bins, right=False)", digitize, "The number of the bin of each value."},
    {"isin(element, test_elements, assume_unique=False, invert=False, *, kind=None)", is_in,
     "Whether each element occurs among others."},
    {"_unique(a, index, inverse, counts, equal_nan)", unique,
     "The sorted distinct values of the flattened array, with what is asked for."},
    {"_unique_values(a, equal_nan)", unique_values,
     "The distinct values of the flattened array, sorted or not."},
    {"_histogram_uniform(values, bins, low, high, weights=None)", histogram_uniform,
     "Counts of values in equal bins."},
};

const NativeRow kMethods[] = {
    {"sort(self, /, " SORT_PARAMETERS, sort_method, "Sorts in place."},
    {"argsort(self, /, " SORT_PARAMETERS, arg_sort, "The positions that sort the array."},
    {"partition(self, /, " PARTITION_PARAMETERS, partition_method,
     "Puts the kth elements where sorting would put them, in place."},
    {"argpartition(self, /, " PARTITION_PARAMETERS, arg_partition,
     "The positions that partition the array."},
    {"searchsorted(self, /, v, side='left', sorter=None)", search_sorted,
     "Where values would be inserted to keep the array sorted."},
};

}  // namespace

std::span<const NativeRow> sort_functions() { return kFunctions; }
std::span<const NativeRow> array_sort_methods() { return kMethods; }

}  // namespace strider::lang
