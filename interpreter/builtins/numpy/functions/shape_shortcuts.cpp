// Arrays made larger or smaller, and given more axes, where they are arrays of numpy's own class.
#include <strider/nd/array.h>
#include <strider/nd/join.h>

#include <algorithm>
#include <vector>

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/functions/shortcuts.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

bool is_plain_array(const Value& value) { return is_array(value) && !is_subclass_array(value); }
bool is_plain_number(const Value& value) {
  return value.is_int() || value.is_float() || value.is_bool();
}

// --- More axes ---

// The axes of length one that make an array of some axes one of at least so many.
std::vector<int> axes_up_to(int rank, int wanted) {
  if (rank >= wanted) return {};
  if (rank == 0)
    return wanted == 1 ? std::vector{0} : wanted == 2 ? std::vector{0, 1} : std::vector{0, 1, 2};
  if (wanted == 2) return {0};
  return rank == 1 ? std::vector{0, 2} : std::vector{2};
}

Value grown(const Value& value, int wanted) {
  const nd::Array& array = array_of(value);
  std::vector<int> axes = axes_up_to(array.rank(), wanted);
  return axes.empty() ? value : plain_view(array.expand_dims(axes), value);
}

// atleast_1d(*arrays) and its kin
template <int kAxes>
Value grow(const Arguments& arguments) {
  if (arguments.keyword_count > 0 || arguments.count == 0) return {};
  if (!std::ranges::all_of(arguments.positional(), is_plain_array)) return {};
  if (arguments.count == 1) return grown(arguments.values[0], kAxes);
  Values made;
  for (const Value& value : arguments.positional()) made.push_back(grown(value, kAxes));
  return make_tuple(std::move(made));
}

// --- Joining ---

// dstack(arrays)
Value stack_in_depth(const Arguments& arguments) {
  if (arguments.keyword_count > 0 || arguments.count != 1) return {};
  const Value& given = arguments.values[0];
  if (!is_list(given) && !is_tuple(given)) return {};
  std::span<const Value> items =
      is_list(given) ? std::span<const Value>(given.as<List>()->items) : given.as<Tuple>()->items();
  if (items.empty() || !std::ranges::all_of(items, is_plain_array)) return {};
  std::vector<nd::Array> arrays;
  for (const Value& item : items) {
    const nd::Array& array = array_of(item);
    arrays.push_back(array.expand_dims(axes_up_to(array.rank(), 3)));
  }
  return wrap(nd::concatenate(arrays, 2));
}

// append(arr, values)
Value append(const Arguments& arguments) {
  if (arguments.keyword_count > 0 || arguments.count != 2) return {};
  const Value &first = arguments.values[0], &second = arguments.values[1];
  if (!is_plain_array(first) || !(is_plain_array(second) || is_plain_number(second))) return {};
  return wrap(nd::concatenate(std::vector{array_of(first).ravel(), to_array(second).ravel()}, 0));
}

// --- Parts left out, parts put between ---

// The array and the axis that arr and axis, at this place of the arguments or by name, mean.
struct Lane {
  nd::Array array;
  int axis = 0;
  std::int64_t length = 0;
  bool turned = false;

  bool read(const Arguments& arguments, std::size_t place) {
    static const Name name = intern("axis");
    Value given = argument(arguments, place);
    if (arguments.count > place + 1 || arguments.count < place || arguments.keyword_count > 1)
      return false;
    if (arguments.keyword_count == 1) {
      if (arguments.keywords[0].name != name || !given.is_empty()) return false;
      given = arguments.keywords[0].value;
    }
    if (!is_plain_array(arguments.values[0])) return false;
    array = array_of(arguments.values[0]);
    if (given.is_empty() || given.is_none()) {
      array = array.ravel();
    } else {
      if (!given.is_int()) return false;
      std::int64_t number = given.as_int() + (given.as_int() < 0 ? array.rank() : 0);
      if (number < 0 || number >= array.rank()) return false;
      axis = static_cast<int>(number);
    }
    if (array.rank() == 0) return false;
    turned = array.rank() > 1 && !array.is_c_contiguous();
    if (turned) {  // results are in the order of columns where the array is
      array = array.transpose();
      if (!array.is_c_contiguous()) return false;
      axis = array.rank() - 1 - axis;
    }
    length = array.shape()[axis];
    return true;
  }

  // What lies along the axis from one place to another.
  nd::Array part(std::int64_t begin, std::int64_t end) const {
    nd::Dims shape = array.shape();
    shape[axis] = end - begin;
    return array.view(shape, array.strides(), begin * array.strides()[axis]);
  }
  Value join(const std::vector<nd::Array>& parts) const {
    nd::Array made = nd::concatenate(parts, axis);
    return turned ? wrap_owner(made.transpose()) : wrap(std::move(made));
  }
};

// delete(arr, obj, axis=None) of one place.
Value leave_out(const Arguments& arguments) {
  Lane lane;
  if (!lane.read(arguments, 2) || !arguments.values[1].is_int()) return {};
  std::int64_t at = arguments.values[1].as_int();
  if (at < 0) at += lane.length;
  if (at < 0 || at >= lane.length) return {};
  return lane.join({lane.part(0, at), lane.part(at + 1, lane.length)});
}

// insert(arr, obj, values, axis=None) of a number at one place.
Value put_between(const Arguments& arguments) {
  Lane lane;
  if (!lane.read(arguments, 3) || !arguments.values[1].is_int()) return {};
  if (!is_plain_number(arguments.values[2])) return {};
  std::int64_t at = arguments.values[1].as_int();
  if (at < 0) at += lane.length;
  if (at < 0 || at > lane.length) return {};
  nd::Array value = to_array(arguments.values[2], lane.array.dtype());
  nd::Dims shape = lane.array.shape();
  shape[lane.axis] = 1;
  return lane.join({lane.part(0, at), value.broadcast_to(shape), lane.part(at, lane.length)});
}

// --- Shapes ---

// The extents that an argument of broadcast_shapes names; false for odd ones.
bool read_extents(const Value& value, nd::Dims& made) {
  std::span<const Value> one(&value, 1);
  std::span<const Value> items = is_tuple(value) ? value.as<Tuple>()->items() : one;
  if (items.size() > nd::kMaxRank) return false;
  for (const Value& item : items) {
    if (!item.is_int() || item.as_int() < 0 || item.as_int() > (1 << 20)) return false;
    made.push_back(item.as_int());
  }
  return true;
}

// broadcast_shapes(*shapes)
Value broadcast_shapes(const Arguments& arguments) {
  if (arguments.keyword_count > 0 || arguments.count == 0) return {};
  nd::Dims merged;
  for (const Value& value : arguments.positional()) {
    nd::Dims shape;
    if (!read_extents(value, shape)) return {};
    if (shape.size() > merged.size()) {
      nd::Dims longer(shape.size(), 1);
      std::copy(merged.begin(), merged.end(), longer.end() - merged.size());
      merged = longer;
    }
    for (int i = 0, lead = merged.size() - shape.size(); i < shape.size(); ++i) {
      std::int64_t& extent = merged[lead + i];
      if (extent == 1) extent = shape[i];
      if (shape[i] != 1 && shape[i] != extent) return {};
    }
  }
  return merged.size() <= 3 ? shape_tuple(merged) : Value();
}

constexpr Shortcut kShortcuts[] = {
    {"atleast_1d", grow<1>}, {"atleast_2d", grow<2>},
    {"atleast_3d", grow<3>}, {"dstack", stack_in_depth},
    {"append", append},      {"delete", leave_out},
    {"insert", put_between}, {"broadcast_shapes", broadcast_shapes},
};

}  // namespace

Shortcuts shape_shortcuts() { return kShortcuts; }

}  // namespace strider::lang
