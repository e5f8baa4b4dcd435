// Complex numbers and several keys are ordered by one key after the other, the last criterion
// first.
#include "kernels/sort/there.h"

#include <strider/nd/index.h>
#include <strider/nd/ufunc.h>

#include <vector>

#include "kernels/index/arranging.h"

namespace strider::nd {
namespace {

Lines lines_of(const Array& packed) {
  std::int64_t length = packed.shape().back();
  return {packed.size() / length, length};
}

// The parts that order complex numbers: NaN parts make classes of their own.
std::vector<Array> complex_keys(const Array& packed) {
  Array real = packed.real().contiguous(), imag = packed.imag().contiguous();
  Array real_class = apply(Op::kIsNan, real).astype(DType::kUInt8);
  Array imag_class = apply(Op::kIsNan, imag).astype(DType::kUInt8);
  Array twice = apply(Op::kAdd, real_class, real_class);
  return {imag, real, apply(Op::kAdd, twice, imag_class).contiguous()};
}

// The order of real numbers.
Array order_by_key(const Workbench& bench, const Array& packed) {
  Array order = bench.make(packed.shape(), DType::kInt64);
  const std::byte* values = bench.read(packed);
  bool done = bench.arranger->order(packed.dtype(), values, lines_of(packed),
                                    bench.write_as<std::int64_t>(order));
  return done ? order : Array();
}

}  // namespace

Array reordered(const Array& packed, const Array& order) {
  Lines lines = lines_of(packed);
  Array flat = packed.reshape({packed.size()}), places = order;
  if (lines.count > 1) {
    Array starts =
        Array::arange(Scalar(std::int64_t{0}), Scalar(lines.length), lines.count, DType::kInt64);
    places = apply(Op::kAdd, order.reshape({lines.count, lines.length}),
                   starts.reshape({lines.count, 1}));
  }
  return take(flat, places.reshape({packed.size()}), 0, IndexMode::kClip).reshape(packed.shape());
}

Array order_there(std::span<const Array> keys) {
  Array order = order_there(keys[0]);
  for (std::size_t k = 1; order && k < keys.size(); ++k) {
    Array next = order_there(reordered(keys[k], order));
    order = next ? reordered(order, next) : Array();
  }
  return order;
}

Array order_there(const Array& packed) {
  Workbench bench = find_workbench({&packed});
  if (!bench) return Array();
  if (is_complex(packed.dtype())) return order_there(complex_keys(packed));
  return order_by_key(bench, packed);
}

bool sort_there(const Array& packed, bool stable) {
  Workbench bench = find_workbench({&packed});
  if (!bench) return false;
  DType dtype = packed.dtype();
  if (!is_complex(dtype) && !(stable && is_floating(dtype)))
    return bench.arranger->sort(dtype, bench.write(packed), lines_of(packed));
  Array order = order_there(packed);
  if (order) packed.assign(reordered(packed, order));
  return static_cast<bool>(order);
}

}  // namespace strider::nd
