// Flat positions and multi-indices, one turned into the other.
#include <strider/nd/error.h>
#include <strider/nd/index.h>

#include <algorithm>

#include "kernels/index/arranging.h"

namespace strider::nd {
namespace {

constexpr const char* kTooLarge =
    "dimensions are too large; arrays and shapes with a total size greater than 'intp' are not "
    "supported.";
constexpr const char* kInvalidDims =
    "invalid dims: array size defined by dims is larger than the maximum possible size.";

// The number of elements, or an error when it is no int64.
std::int64_t checked_count(const Dims& shape, const char* message) {
  std::int64_t count = 1;
  for (std::int64_t extent : shape)
    if (__builtin_mul_overflow(count, extent, &count)) throw Error(ErrorKind::kValue, message);
  return count;
}

[[noreturn]] void throw_outside(std::int64_t index, std::int64_t size) {
  throw Error(ErrorKind::kValue, "index " + std::to_string(index) +
                                     " is out of bounds for array with size " +
                                     std::to_string(size));
}

Array integral(const Array& indices) {
  if (!can_cast(indices.dtype(), DType::kInt64, Casting::kSameKind))
    throw Error(ErrorKind::kType, "only int indices permitted");
  return indices.contiguous(DType::kInt64);
}

// The axes from the fastest to the slowest.
int axis_at(int step, int rank, Order order) { return order == Order::kF ? step : rank - 1 - step; }

// Quotients and remainders of numbers from 0 up to `size`. Of 32 bits the quotient is the upper
// half of the product with 2^64 / divisor, rounded up (Lemire, Kaser, Kurz 2019, "Faster remainder
// by direct computation").
void divide_all(const std::int64_t* from, std::int64_t count, std::int64_t divisor,
                std::int64_t size, std::int64_t* quotients, std::int64_t* remainders) {
  bool quick = size <= std::int64_t{1} << 32 && divisor > 1;
  std::uint64_t factor = quick ? ~std::uint64_t{0} / static_cast<std::uint64_t>(divisor) + 1 : 0;
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t number = from[i], quotient;
    if (quick) {
      using Wide = unsigned __int128;
      quotient =
          static_cast<std::int64_t>(static_cast<Wide>(factor) * static_cast<Wide>(number) >> 64);
    } else {
      quotient = number / divisor;
    }
    quotients[i] = quotient;
    remainders[i] = number - quotient * divisor;
  }
}

}  // namespace

std::vector<Array> unravel_index(const Array& indices, const Dims& shape, Order order) {
  std::int64_t size = checked_count(shape, kTooLarge);
  Array flat = integral(indices);
  if (shape.size() == 0 && flat.rank() > 0)
    throw Error(ErrorKind::kValue, "multiple indices are not supported for 0d arrays");
  if (order == Order::kC && shape.size() > 0 && size > 0 && find_workbench({&flat})) {
    std::int64_t wrong = find_outside(flat, size);
    if (wrong >= 0) throw_outside(flat.as<std::int64_t>()[wrong], size);
    return split_positions(flat, shape);
  }
  const std::int64_t* from = flat.as<std::int64_t>();
  std::vector<Array> result;
  std::vector<std::int64_t*> columns;
  for (int axis = 0; axis < shape.size(); ++axis) {
    result.push_back(Array::empty(flat.shape(), DType::kInt64));
    columns.push_back(result.back().mutable_as<std::int64_t>());
  }
  for (std::int64_t i = 0; i < flat.size(); ++i) {
    if (from[i] < 0 || from[i] >= size) throw_outside(from[i], size);
  }
  // Axis after axis; the last one takes what is left.
  std::vector<std::int64_t> rests;
  for (int step = 0; step < shape.size(); ++step) {
    int axis = axis_at(step, shape.size(), order);
    std::int64_t* to = columns[static_cast<std::size_t>(axis)];
    if (step + 1 == shape.size()) {
      std::copy(from, from + flat.size(), to);
    } else {
      rests.resize(static_cast<std::size_t>(flat.size()));
      divide_all(from, flat.size(), shape[axis], size, rests.data(), to);
      from = rests.data();
    }
  }
  return result;
}

namespace {

std::int64_t fitted(std::int64_t index, std::int64_t extent, IndexMode mode) {
  if (mode == IndexMode::kClip) return std::clamp<std::int64_t>(index, 0, extent - 1);
  if (mode == IndexMode::kWrap) {
    std::int64_t remainder = index % extent;
    return remainder < 0 ? remainder + extent : remainder;
  }
  if (index < 0 || index >= extent)
    throw Error(ErrorKind::kValue, "invalid entry in coordinates array");
  return index;
}

}  // namespace

Array ravel_multi_index(std::span<const Array> indices, const Dims& shape,
                        std::span<const IndexMode> modes, Order order) {
  int rank = shape.size();
  if (static_cast<int>(indices.size()) != rank)
    throw Error(ErrorKind::kValue,
                "parameter multi_index must be a sequence of length " + std::to_string(rank));
  checked_count(shape, kInvalidDims);
  std::vector<Dims> shapes;
  std::vector<Array> columns;
  for (const Array& index : indices) {
    columns.push_back(integral(index));
    shapes.push_back(index.shape());
  }
  Dims common = rank ? broadcast_shapes(shapes) : Dims{};
  Array result = Array::zeros(common, DType::kInt64);
  if (result.size() > 0 && std::find(shape.begin(), shape.end(), 0) != shape.end())
    throw Error(ErrorKind::kValue, "cannot unravel if shape has zero entries (is empty).");
  std::int64_t* to = result.mutable_as<std::int64_t>();
  std::int64_t factor = 1;
  for (int step = 0; step < rank; ++step) {
    int axis = axis_at(step, rank, order);
    auto k = static_cast<std::size_t>(axis);
    IndexMode mode = modes[modes.size() == 1 ? 0 : k];
    Array column = columns[k].broadcast_to(common).contiguous();
    const std::int64_t* from = column.as<std::int64_t>();
    for (std::int64_t i = 0; i < result.size(); ++i)
      to[i] += fitted(from[i], shape[axis], mode) * factor;
    factor *= shape[axis];
  }
  return result;
}

}  // namespace strider::nd
