// Making arrays: array, asarray, zeros, ones, full and what is like another array.
#include <strider/nd/generate.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>

#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/array/array_protocols.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/device/device_arguments.h"
#include "interpreter/builtins/numpy/functions/functions.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/builtins/numpy/scalar/scalar_cast.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

bool laid_out(const nd::Array& array, nd::Order order) {
  if (order == nd::Order::kC) return array.is_c_contiguous();
  if (order == nd::Order::kF) return array.is_f_contiguous();
  return true;
}

// The array of `value` in `order`; `made` tells whether it is new memory.
nd::Array arranged(const Value& value, std::optional<nd::DType> dtype, nd::Order order,
                   bool must_copy) {
  nd::Array array = to_array(value, dtype);
  bool shared = is_array(value) && array.same_storage(array_of(value));
  if (!laid_out(array, order)) return array.copy(order);
  if (!must_copy) return array;
  if (shared) return array.copy(order);
  return array.base() ? array.copy(order) : array;
}

nd::Array with_rank(const nd::Array& array, std::int64_t least) {
  if (array.rank() >= least) return array;
  if (least > nd::kMaxRank)
    raise(errors::ValueError, "ndmin bigger than allowable number of dimensions NPY_MAXDIMS (={})",
          nd::kMaxRank);
  nd::Dims shape(static_cast<int>(least) - array.rank(), 1);
  for (std::int64_t extent : array.shape()) shape.push_back(extent);
  return array.reshape(shape);
}

// The common part of array and asarray; the object itself when nothing has to change.
Value convert(const Value& object, const Value& dtype, const Value& copy, const Value& order,
              nd::Order fallback, std::int64_t least_rank = 0, bool keep_class = false) {
  if (is_str(copy))
    raise(errors::ValueError,
          "strings are not allowed for 'copy' keyword. Use True/False/None instead.");
  std::optional<nd::DType> wanted = to_optional_dtype(dtype);
  nd::Order layout = to_order(order, fallback);
  bool must_copy = !copy.is_none() && truth(copy);
  bool never_copy = !copy.is_none() && !must_copy, copied = false;
  CopyWish wish = must_copy    ? CopyWish::kAlways
                  : never_copy ? CopyWish::kNever
                               : CopyWish::kIfNeeded;
  Value made = array_by_method(object, wanted, wish, copied);
  if (made.is_empty()) made = array_by_interface(object);
  if (is_array(made))
    return convert(made, dtype, copied ? Value::none() : copy, order, fallback, least_rank,
                   keep_class);
  bool as_it_is = is_array(object) && (!wanted || *wanted == array_of(object).dtype()) &&
                  laid_out(array_of(object), layout) && array_of(object).rank() >= least_rank;
  if (as_it_is && !must_copy && (keep_class || !is_subclass_array(object))) return object;
  nd::Array array = arranged(object, wanted, layout, must_copy);
  if (never_copy && !(is_array(object) && array.same_storage(array_of(object)))) refuse_copy();
  array = with_rank(array, least_rank);
  if (!is_array(object)) return wrap(array);
  return keep_class ? wrap_view(array, object) : plain_view(array, object);
}

// ndmax=: ValueError when the sequences of `object` lie deeper than that.
void check_depth(const Value& object, const Value& made, const Value& limit, std::int64_t least) {
  if (!is_given(limit)) return;
  std::int64_t most = to_int64(limit);
  if (most < 0 || most > nd::kMaxRank)
    raise(errors::ValueError, "ndmax must be in the range [0, NPY_MAXDIMS ({})] ", nd::kMaxRank);
  if (least > most) raise(errors::ValueError, "ndmin must be <= ndmax ({})", most);
  if (!is_array(object) && array_of(made).rank() > std::max(most, least))
    raise(errors::ValueError,
          "setting an array element with a sequence. The requested array would exceed the maximum "
          "number of dimension of {}.",
          most);
}

Value array(const Parameters& p) {
  if (p.has(6)) {
    Value made = convert(p[0], p[1], p[2], p[3], nd::Order::kKeep, to_int64(p[5]), truth(p[4]));
    check_depth(p[0], made, p[6], to_int64(p[5]));
    return made;
  }
  return convert(p[0], p[1], p[2], p[3], nd::Order::kKeep, to_int64(p[5]), truth(p[4]));
}

// asarray(a, dtype, order, *, device, copy, like)
Value as_array(const Parameters& p) { return convert(p[0], p[1], p[4], p[2], nd::Order::kKeep); }

Value as_any_array(const Parameters& p) {
  return convert(p[0], p[1], p[4], p[2], nd::Order::kKeep, 0, true);
}

template <nd::Order kOrder>
Value as_contiguous(const Parameters& p) {
  Value made = convert(p[0], p[1], Value::none(), Value(), kOrder);
  if (array_of(made).rank() == 0) return wrap_view(array_of(made).reshape(nd::Dims{1}), made);
  return made;
}

Value copy(const Parameters& p) {
  nd::Array made = to_array(p[0]).copy(to_order(p[1], nd::Order::kKeep));
  return truth(p[2]) ? wrap_view(std::move(made), p[0]) : wrap(std::move(made));
}

Value zeros(const Parameters& p) {
  return wrap(nd::generate_zeros(to_shape(p[0]), to_dtype(p[1]), to_order(p[2])));
}

Value empty(const Parameters& p) {
  return wrap(nd::Array::empty(to_shape(p[0]), to_dtype(p[1]), to_order(p[2])));
}

Value ones(const Parameters& p) {
  nd::DType dtype = to_dtype(p[1]);
  return wrap(nd::generate_full(to_shape(p[0]), nd::Scalar(1.0).as(dtype), dtype, to_order(p[2])));
}

// full(shape, fill_value, dtype, order)
Value full(const Parameters& p) {
  nd::Dims shape = to_shape(p[0]);
  if (p[2].is_none() && is_boxed_array(p[1])) refuse_elements("object");  // it keeps their order
  nd::Array value = to_array(p[1]);
  nd::DType dtype = p[2].is_none() ? value.dtype() : to_dtype(p[2]);
  bool cut = nd::is_inexact(value.dtype()) && !nd::is_inexact(dtype);  // NaN has some integer
  cut = cut || (nd::is_complex(value.dtype()) && !nd::is_complex(dtype));
  if (value.rank() == 0 && !cut)
    return wrap(nd::generate_full(shape, converted_scalar(p[1], dtype), dtype, to_order(p[3])));
  nd::Array made = nd::Array::empty(shape, dtype, to_order(p[3]));
  if (cut) warn_of_lost_parts(value.dtype(), dtype);
  made.assign(value);
  return wrap(made);
}

// An array whose axes lie in memory in the order of another one's.
nd::Array empty_by_steps(const nd::Dims& shape, nd::DType dtype, const nd::Dims& steps) {
  std::vector<int> axes(shape.size()), back(shape.size());
  std::iota(axes.begin(), axes.end(), 0);
  std::ranges::stable_sort(axes, std::greater<>(),
                           [&](int axis) { return std::abs(steps[axis]); });
  nd::Dims lengths;
  for (int axis : axes) {
    back[static_cast<std::size_t>(axis)] = lengths.size();
    lengths.push_back(shape[axis]);
  }
  return nd::Array::empty(lengths, dtype).transpose(back);
}

// What an array like another one is to be.
struct Likeness {
  nd::Array model;
  nd::Dims shape;
  nd::DType dtype;
  nd::Order order;   // C or Fortran
  bool odd = false;  // the axes lie in memory in an order of the model's own

  Likeness(const Value& model_value, const Value& type, const Value& layout, const Value& extents)
      : model(to_array(model_value)),
        shape(extents.is_none() ? model.shape() : to_shape(extents)),
        dtype(type.is_none() ? model.dtype() : to_dtype(type)),
        order(to_order(layout, nd::Order::kKeep)) {
    if (order != nd::Order::kKeep && order != nd::Order::kAny) return;
    bool fortran = model.is_f_contiguous() && !model.is_c_contiguous();
    bool dense = fortran || model.is_c_contiguous();
    odd = order == nd::Order::kKeep && !dense && shape.size() == model.rank();
    order = fortran ? nd::Order::kF : nd::Order::kC;
  }

  nd::Array empty() const {
    if (!odd) return nd::Array::empty(shape, dtype, order);
    return empty_by_steps(shape, dtype, model.strides());
  }
  nd::Array full(const nd::Scalar& value) const {
    if (!odd) return nd::generate_full(shape, value, dtype, order);
    nd::Array made = empty();
    made.assign(value);
    return made;
  }
};

// The array in the class of `model` if subok= allows it.
Value in_class_of(const Value& model, const Value& subok, nd::Array made) {
  bool keep = is_subclass_array(model) && truth(subok) && made.rank() > 0;
  return keep ? wrap_like(std::move(made), model) : wrap(std::move(made));
}

// f(a, dtype, order, subok, shape, *, device)
Value empty_like_function(const Parameters& p) {
  return in_class_of(p[0], p[3], Likeness(p[0], p[1], p[2], p[4]).empty());
}

template <int kValue>
Value filled_like(const Parameters& p) {
  Likeness like(p[0], p[1], p[2], p[4]);
  nd::Scalar value = nd::Scalar(static_cast<double>(kValue)).as(like.dtype);
  return in_class_of(p[0], p[3], like.full(value));
}

// full_like(a, fill_value, dtype, order, subok, shape)
Value full_like(const Parameters& p) {
  Likeness like(p[0], p[2], p[3], p[5]);
  nd::Array value = to_array(p[1]);
  bool cut = nd::is_inexact(value.dtype()) && !nd::is_inexact(like.dtype);
  bool typed = is_array(p[1]) || is_numpy_scalar(p[1]) || cut;
  if (!typed) value = to_array(p[1], like.dtype);
  if (!typed && value.rank() == 0) return in_class_of(p[0], p[4], like.full(value.item()));
  nd::Array made = like.empty();
  made.assign(value);
  return in_class_of(p[0], p[4], std::move(made));
}

// eye(N, M, k, dtype, order)
Value eye(const Parameters& p) {
  std::int64_t rows = to_int64(p[0]);
  std::int64_t columns = p[1].is_none() ? rows : to_int64(p[1]);
  std::int64_t offset = to_int64(p[2]);
  nd::DType dtype = to_dtype(p[3]);
  return wrap(nd::generate_diagonal(rows, columns, offset, dtype, to_order(p[4])));
}

Value identity(const Parameters& p) {
  Value values[] = {p[0], Value::none(), Value::integer(0), p[1], Value::none()};
  return eye(Parameters(values, 5));
}

// Adds an element's bytes. Plain numbers are taken as they are where the dtype is theirs.
void append_element(const Value& item, nd::DType dtype, std::size_t size, std::string& bytes) {
  if (dtype == nd::DType::kFloat64 && item.is_float()) {
    double real = item.as_float();
    bytes.append(reinterpret_cast<const char*>(&real), sizeof real);
  } else if (dtype == nd::DType::kInt64 && item.is_int()) {
    std::int64_t whole = item.as_int();
    bytes.append(reinterpret_cast<const char*>(&whole), sizeof whole);
  } else {
    nd::Scalar scalar = to_scalar(item, dtype);
    bytes.append(static_cast<const char*>(scalar.data()), size);
  }
}

// fromiter(iter, dtype, count)
Value from_iterable(const Parameters& p) {
  nd::DType dtype = to_dtype(p[1]);
  std::int64_t wanted = to_int64(p[2]);
  auto size = static_cast<std::size_t>(nd::item_size(dtype));
  std::string bytes;
  Iteration items(p[0]);
  Value item;
  std::int64_t count = 0;
  for (; count != wanted && items.next(item); ++count) append_element(item, dtype, size, bytes);
  if (count < wanted)
    raise(errors::ValueError, "iterator too short: Expected {} but iterator had only {} items.",
          wanted, count);
  return wrap(nd::Array::copy_of(bytes.data(), count, dtype));
}

const NativeRow kFunctions[] = {
    {"array(object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, ndmax=<none>, "
     "like=None)",
     array, "An array of anything: numbers, nested sequences, other arrays."},
    {"asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None)",
     placed<as_array, 3>, "The argument as an array, without a copy where possible."},
    {"asanyarray(a, dtype=None, order=None, *, device=None, copy=None, like=None)",
     placed<as_any_array, 3>, "As asarray; subclasses pass through."},
    {"ascontiguousarray(a, dtype=None, *, like=None)", as_contiguous<nd::Order::kC>,
     "As an array in C order with at least one axis."},
    {"asfortranarray(a, dtype=None, *, like=None)", as_contiguous<nd::Order::kF>,
     "As an array in Fortran order."},
    {"_bytes_on_address(owner, address, count, writeable, /)", bytes_on_address,
     "The bytes that lie in memory from an address on."},
    {"copy(a, order='K', subok=False)", copy, "A copy as an array."},
    {"zeros(shape, dtype=None, order='C', *, device=None, like=None)", placed<zeros, 3>,
     "An array of zeros."},
    {"ones(shape, dtype=None, order='C', *, device=None, like=None)", placed<ones, 3>,
     "An array of ones."},
    {"empty(shape, dtype=None, order='C', *, device=None, like=None)", placed<empty, 3>,
     "An array whose elements are not set."},
    {"full(shape, fill_value, dtype=None, order='C', *, device=None, like=None)", placed<full, 4>,
     "An array of one value."},
    {"zeros_like(a, dtype=None, order='K', subok=True, shape=None, *, device=None)",
     placed<filled_like<0>, 5>, "Zeros in the shape and type of another array."},
    {"ones_like(a, dtype=None, order='K', subok=True, shape=None, *, device=None)",
     placed<filled_like<1>, 5>, "Ones in the shape and type of another array."},
    {"empty_like(prototype, dtype=None, order='K', subok=True, shape=None, *, device=None)",
     placed<empty_like_function, 5>, "An array like another, its elements not set."},
    {"full_like(a, fill_value, dtype=None, order='K', subok=True, shape=None, *, device=None)",
     placed<full_like, 6>, "One value in the shape and type of another array."},
    {"eye(N, M=None, k=0, dtype=None, order='C', *, device=None, like=None)", placed<eye, 5>,
     "Ones on a diagonal, zeros elsewhere."},
    {"identity(n, dtype=None, *, like=None)", identity, "The identity matrix."},
    {"fromiter(iter, dtype, count=-1, *, like=None)", from_iterable,
     "A one-dimensional array of an iterable's items."},
};

}  // namespace

std::span<const NativeRow> creation_functions() { return kFunctions; }

}  // namespace strider::lang
