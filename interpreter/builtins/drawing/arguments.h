// What the functions of _drawing are given, as the plug-in takes it. Arrays stay alive in the
// argument that was made of them.
#pragma once

#include <strider/nd/array.h>

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "drawing/drawing.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// Numbers of one type in a row; None has none.
class Doubles {
 public:
  explicit Doubles(const Value& value);
  operator std::span<const double>() const { return span_; }
  std::span<const double> span() const { return span_; }

 private:
  nd::Array array_;
  std::span<const double> span_;
};

class Counts {
 public:
  explicit Counts(const Value& value);
  operator std::span<const std::int64_t>() const { return span_; }
  // ValueError unless they add up to `total`.
  void check(std::size_t total) const;

 private:
  nd::Array array_;
  std::span<const std::int64_t> span_;
};

// Rows of red, green, blue, alpha from 0 to 1; None has none. ValueError for other shapes.
class Colours {
 public:
  explicit Colours(const Value& value) : numbers_(value) {}
  operator std::span<const drawing::Colour>() const;

 private:
  Doubles numbers_;
};

// Two rows of the same length; ValueError otherwise.
class PointRows {
 public:
  PointRows(const Value& x, const Value& y);
  drawing::Points points() const { return {x_, y_}; }
  std::size_t size() const { return x_.span().size(); }

 private:
  Doubles x_, y_;
};

// Runs work of the plug-in, whose errors are RuntimeErrors.
template <class Function>
auto guarded(Function function) {
  try {
    return function();
  } catch (const std::runtime_error& error) {
    raise(errors::RuntimeError, "{}", error.what());
  }
}

drawing::Colour to_colour(const Value& value);
// None, or (log x, factor, offset, log y, factor, offset).
drawing::Mapping to_mapping(const Value& value);
// (width, dashes or None, dash offset, cap, join).
drawing::Pen to_pen(const Value& value);
// Rows of pixels of four bytes.
drawing::Picture to_picture(const Value& value);
Value picture_array(const drawing::Picture& picture);
// Arrays x, y and counts in a tuple.
Value outlines_tuple(const drawing::Outlines& outlines);
// Arrays x and y and the text of the commands in a tuple.
Value outline_tuple(const drawing::Outline& outline);

}  // namespace strider::lang
