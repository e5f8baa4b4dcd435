// Expression: the promise of an array's elements. It names an operation, the storages it reads and
// how it reads them. Knows no loops and no devices.
#pragma once

#include <strider/nd/ops.h>
#include <strider/nd/place.h>

#include "kernels/backend/loop.h"
#include "kernels/core/node.h"

namespace strider::nd {

// One argument of an expression. It stands in its storage's list of readers.
struct Reading {
  Storage* storage = nullptr;  // owned; null: `scalar` for every element
  std::int64_t offset = 0;     // bytes from the storage's start
  Dims strides;                // in bytes along the expression's axes, or its `extents`; what a
                               // band's sum grows by
  DType dtype = DType::kBool;
  Scalar scalar;

  Expression* reader = nullptr;
  Reading* next = nullptr;
  Reading* previous = nullptr;
};

struct Expression : FromSmallBlocks<Expression> {
  enum class Kind : std::uint8_t {
    kOperation,  // an elementwise operation; arguments of other types are converted first
    kSelect,     // condition, x, y
    kConvert,    // a conversion (or a copy)
    kRange,      // start + position * step in C order, in the terms' type (integers: int64)
    kBand,       // where a sum over coordinates compares with 0: one value, elsewhere another
    kShortFold,  // a reduction or search of a few elements, computed where its result is used
    kFold,       // a reduction, a search or a scan of its argument
    kProduct,    // stacks of matrices multiplied: (…, m, k) by (…, k, n)
  };

  Kind kind = Kind::kOperation;
  Op op = Op::kAdd;
  std::uint8_t count = 0;      // of arguments
  std::uint8_t watched = 0;    // conditions to report
  std::uint8_t computed = 0;   // how often it has been computed without being kept
  std::uint8_t glimpsed = 0;   // how often few of its elements were read by an operation
  bool is_light = false;       // reading its elements would cost more than computing them
  bool is_single = false;      // it is one element, and takes nothing but single elements
  bool for_scalars = false;    // it is an operator of NumPy scalars
  bool strict = false;         // what it meets is told before the next operation begins
  DType loop_types[3] = {};    // the types that the operation takes
  DType dtype = DType::kBool;  // of the result
  std::uint32_t weight = 1;    // operations below this one, itself included
  std::uint32_t depth = 1;
  std::uint32_t cost = 1;      // of an element, in simple instructions, everything below included
  std::int64_t number = 0;     // of those made before
  std::uint64_t mark = 0;      // of the last pass that found places for what it computes
  Storage* storage = nullptr;  // that it will fulfil; not owned
  Dims shape;
  Dims strides;  // of the result: dense, in any order of axes
  Reading arguments[3];
  Scalar start, step;  // of a range; what a band's sum starts from
  Place place;         // of the operation in the program

  const char* name = nullptr;  // of a product, as conditions tell it; null: they are not told

  // Of a fold: its argument's extents, outermost axis first, and what is done along them. Of a
  // product: those of the stack, then m, k and n.
  Dims extents;
  LoopFold fold;

  // Of a short fold: how many elements of its argument it takes, and how many bytes they are apart.
  std::int64_t folded_count = 0;
  std::int64_t folded_step = 0;

  std::int64_t size() const { return element_count(shape); }
  // Whether it is computed element by element.
  bool is_map() const { return kind != Kind::kFold && kind != Kind::kProduct; }
  // Whether it is one value everywhere.
  bool is_constant() const {
    return kind == Kind::kConvert && !arguments[0].storage && arguments[0].dtype == dtype;
  }
  // Whether that is zero, all bits of it.
  bool is_zero() const;
  bool reads_nothing() const {
    return kind == Kind::kRange || kind == Kind::kBand || is_constant();
  }
  // Whether its elements are never read instead of computed.
  bool is_generated() const { return reads_nothing() || is_light; }
  // Starts reading a storage, or takes a scalar.
  void read(int index, Storage* storage, std::int64_t offset, const Dims& strides, DType dtype);
  void read(int index, const Scalar& scalar);

  // Of all expressions of the thread, those made just before and after this one.
  Expression *older = nullptr, *newer = nullptr;

  Expression();
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;
  ~Expression();
};

// The expression made last of those that are still there.
Expression*& newest_expression();
// A new array that the expression promises.
Array promise_array(Expression* expression);

}  // namespace strider::nd
