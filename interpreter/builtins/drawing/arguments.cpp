// Checks shapes, since the plug-in trusts what it is given.
#include "interpreter/builtins/drawing/arguments.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

template <class T>
std::span<const T> elements(nd::Array& array, const Value& value, nd::DType dtype) {
  if (value.is_empty() || value.is_none()) return {};
  array = to_array(value, dtype).contiguous();
  return {array.as<T>(), static_cast<std::size_t>(array.size())};
}

const Tuple& tuple_of(const Value& value, std::size_t size, const char* what) {
  if (!is_tuple(value) || value.as<Tuple>()->size() != size)
    raise(errors::TypeError, "a {} is a tuple of {} items", what, size);
  return *value.as<Tuple>();
}

template <class T>
Value array_of_items(const std::vector<T>& items, nd::DType dtype) {
  return wrap(nd::Array::copy_of(items.data(), static_cast<std::int64_t>(items.size()), dtype));
}

}  // namespace

Doubles::Doubles(const Value& value)
    : span_(elements<double>(array_, value, nd::DType::kFloat64)) {}

Counts::Counts(const Value& value)
    : span_(elements<std::int64_t>(array_, value, nd::DType::kInt64)) {}

void Counts::check(std::size_t total) const {
  bool negative = std::any_of(span_.begin(), span_.end(), [](auto count) { return count < 0; });
  std::int64_t sum = std::accumulate(span_.begin(), span_.end(), std::int64_t{0});
  if (negative || static_cast<std::size_t>(sum) != total)
    raise(errors::ValueError, "counts of points do not add up to the {} points given", total);
}

Colours::operator std::span<const drawing::Colour>() const {
  std::span<const double> numbers = numbers_;
  if (numbers.size() % 4 != 0) raise(errors::ValueError, "a colour has four numbers");
  return {reinterpret_cast<const drawing::Colour*>(numbers.data()), numbers.size() / 4};
}

PointRows::PointRows(const Value& x, const Value& y) : x_(x), y_(y) {
  if (x_.span().size() != y_.span().size())
    raise(errors::ValueError, "x and y must have the same size, not {} and {}", x_.span().size(),
          y_.span().size());
}

drawing::Colour to_colour(const Value& value) {
  const Tuple& parts = tuple_of(value, 4, "colour");
  return {to_double(parts[0]), to_double(parts[1]), to_double(parts[2]), to_double(parts[3])};
}

drawing::Mapping to_mapping(const Value& value) {
  if (value.is_empty() || value.is_none()) return {};
  const Tuple& parts = tuple_of(value, 6, "mapping");
  return {{truth(parts[0]), to_double(parts[1]), to_double(parts[2])},
          {truth(parts[3]), to_double(parts[4]), to_double(parts[5])}};
}

drawing::Pen to_pen(const Value& value) {
  using drawing::Cap, drawing::Join;
  const Tuple& parts = tuple_of(value, 5, "pen");
  drawing::Pen pen;
  pen.width = to_double(parts[0]);
  Doubles dashes(parts[1]);
  pen.dashes.assign(dashes.span().begin(), dashes.span().end());
  bool wrong = std::any_of(pen.dashes.begin(), pen.dashes.end(),
                           [](double dash) { return !(dash >= 0) || std::isinf(dash); });
  bool empty =
      !pen.dashes.empty() && std::accumulate(pen.dashes.begin(), pen.dashes.end(), 0.0) <= 0;
  if (wrong || empty)
    raise(errors::ValueError, "dashes are lengths, at least one of them not zero");
  pen.dash_offset = to_double(parts[2]);
  std::string_view cap = to_text(parts[3], "cap"), join = to_text(parts[4], "join");
  pen.cap = cap == "round" ? Cap::kRound : cap == "projecting" ? Cap::kProjecting : Cap::kButt;
  pen.join = join == "round" ? Join::kRound : join == "bevel" ? Join::kBevel : Join::kMiter;
  return pen;
}

drawing::Picture to_picture(const Value& value) {
  nd::Array array = to_array(value, nd::DType::kUInt8).contiguous();
  if (array.rank() != 3 || array.shape()[2] != 4)
    raise(errors::ValueError, "a picture has rows of pixels of four bytes");
  drawing::Picture picture{array.shape()[1], array.shape()[0], {}};
  const std::uint8_t* bytes = array.as<std::uint8_t>();
  picture.bytes.assign(bytes, bytes + array.size());
  return picture;
}

Value picture_array(const drawing::Picture& picture) {
  nd::Array array = nd::Array::empty(nd::Dims{picture.height, picture.width, 4}, nd::DType::kUInt8);
  std::memcpy(array.mutable_data(), picture.bytes.data(), picture.bytes.size());
  return wrap(array);
}

Value outlines_tuple(const drawing::Outlines& outlines) {
  return make_tuple({array_of_items(outlines.x, nd::DType::kFloat64),
                     array_of_items(outlines.y, nd::DType::kFloat64),
                     array_of_items(outlines.counts, nd::DType::kInt64)});
}

Value outline_tuple(const drawing::Outline& outline) {
  return make_tuple({array_of_items(outline.x, nd::DType::kFloat64),
                     array_of_items(outline.y, nd::DType::kFloat64), make_str(outline.commands)});
}

}  // namespace strider::lang
