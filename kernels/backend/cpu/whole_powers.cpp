// Kernels of powers of integers: vectors square their bases as often as the largest exponent nearby
// asks for. Knows no shapes; the caller has refused negative exponents.
#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "kernels/backend/cpu/kernels.h"
#include "kernels/backend/cpu/registers.h"

namespace strider::nd::STRIDER_TARGET {
namespace {

template <class Bits>
inline Vector<Bits> raise(Vector<Bits> base, Vector<Bits> power, int digits) {
  const Vector<Bits> one = Vector<Bits>{} + Bits{1};
  Vector<Bits> result = (power & one) != 0 ? base : one;
  for (int digit = 1; digit < digits; ++digit) {
    base *= base;
    power >>= 1;
    result *= (power & one) != 0 ? base : one;
  }
  return result;
}

template <class Bits>
inline void raise_run(const Bits* x, const Bits* y, Bits* out, std::int64_t count) {
  constexpr std::int64_t kLanes = sizeof(Vector<Bits>) / sizeof(Bits);
  Bits digits = 0;
  for (std::int64_t i = 0; i < count; ++i) digits |= y[i];
  const int most = std::bit_width(digits);
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    Vector<Bits> result = raise<Bits>(load(x + i), load(y + i), most);
    std::memcpy(out + i, &result, sizeof result);
  }
  if (i == count) return;
  Bits bases[kLanes] = {}, powers[kLanes] = {};
  std::copy_n(x + i, count - i, bases);
  std::copy_n(y + i, count - i, powers);
  Vector<Bits> result = raise<Bits>(load(bases), load(powers), most);
  std::memcpy(out + i, &result, static_cast<std::size_t>(count - i) * sizeof(Bits));
}

template <class T>
void raise_each(const std::byte* const* inputs, std::byte* const* outputs, std::int64_t count) {
  using Bits = std::make_unsigned_t<T>;
  constexpr std::int64_t kRun = 8 * sizeof(Vector<Bits>) / sizeof(Bits);
  auto* x = reinterpret_cast<const Bits*>(inputs[0]);
  auto* y = reinterpret_cast<const Bits*>(inputs[1]);
  auto* out = reinterpret_cast<Bits*>(outputs[0]);
  for (std::int64_t i = 0; i < count; i += kRun) {
    raise_run(x + i, y + i, out + i, std::min(kRun, count - i));
  }
}

}  // namespace

void fill_whole_powers(KernelTable& table) {
  Kernel* row = table.loops[static_cast<int>(Op::kPower)];
  auto set = [row](DType dtype, Kernel kernel) { row[static_cast<int>(dtype)] = kernel; };
  set(DType::kInt8, raise_each<std::int8_t>);
  set(DType::kUInt8, raise_each<std::uint8_t>);
  set(DType::kInt16, raise_each<std::int16_t>);
  set(DType::kUInt16, raise_each<std::uint16_t>);
  set(DType::kInt32, raise_each<std::int32_t>);
  set(DType::kUInt32, raise_each<std::uint32_t>);
  set(DType::kInt64, raise_each<std::int64_t>);
  set(DType::kUInt64, raise_each<std::uint64_t>);
}

}  // namespace strider::nd::STRIDER_TARGET
