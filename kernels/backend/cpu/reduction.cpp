// Folds, scans and searches for extremes along one axis. Floating sums follow a fixed tree of
// pairs: blocks of up to 128 elements in eight lanes, halves above.
#define STRIDER_GROUP kArithmetic

#include <algorithm>
#include <cstring>

#include "kernels/backend/cpu/find_place.h"
#include "kernels/backend/cpu/halves.h"
#include "kernels/backend/cpu/kernels.h"
#include "kernels/backend/cpu/unordered_fold.h"
#include "kernels/instructions/basic.h"

namespace strider::nd::STRIDER_TARGET {
namespace {

template <class T>
inline float widen(T value) requires std::is_same_v<T, Half> {
  return static_cast<float>(value);
}
template <class T>
inline T widen(T value) requires std::is_floating_point_v<T> {
  return value;
}

// A half, with what rounding raises.
inline Half round_half(float value) {
  Half half;
  narrow_floats(&value, &half, 1);
  return half;
}
template <class T>
inline void store_rounded(decltype(widen(T{})) value, std::byte* to) {
  if constexpr (std::is_same_v<T, Half>)
    *reinterpret_cast<Half*>(to) = round_half(value);
  else
    *reinterpret_cast<T*>(to) = value;
}

constexpr std::int64_t kBlock = 128;

template <class T>
using Sum = decltype(widen(T{}));

// The sums of a block's eight lanes, `count` a multiple of eight.
template <class T>
inline void add_lanes(const std::byte* input, std::int64_t step, std::int64_t count,
                      Sum<T> (&lanes)[8]) {
  if constexpr (std::is_floating_point_v<T>) {
    if (step == sizeof(T)) {
      constexpr int kParts = std::max<int>(1, 8 * sizeof(T) / kBytes);
      typedef T Vector __attribute__((vector_size(8 * sizeof(T) / kParts)));
      auto* data = reinterpret_cast<const T*>(input);
      auto part = [data](std::int64_t i, int j) {
        Vector value;
        std::memcpy(&value, data + i + j * (8 / kParts), sizeof value);
        return value;
      };
      Vector totals[kParts];
#pragma GCC unroll 4
      for (int j = 0; j < kParts; ++j) totals[j] = part(0, j);
      for (std::int64_t i = 8; i < count; i += 8) {
#pragma GCC unroll 4
        for (int j = 0; j < kParts; ++j) totals[j] += part(i, j);
      }
#pragma GCC unroll 4
      for (int j = 0; j < kParts; ++j)
        std::memcpy(lanes + j * (8 / kParts), &totals[j], sizeof totals[j]);
      return;
    }
  }
  for (int j = 0; j < 8; ++j) lanes[j] = widen(load<T>(input, j * step));
  for (std::int64_t i = 8; i < count; i += 8) {
    for (int j = 0; j < 8; ++j) lanes[j] += widen(load<T>(input, (i + j) * step));
  }
}

template <class T>
Sum<T> add_pairs(const std::byte* input, std::int64_t step, std::int64_t count) {
  if (count < 8) {
    Sum<T> total = Sum<T>(-0.0);
    for (std::int64_t i = 0; i < count; ++i) total += widen(load<T>(input, i * step));
    return total;
  }
  if (count <= kBlock) {
    Sum<T> lanes[8];
    std::int64_t whole = count - count % 8;
    add_lanes<T>(input, step, whole, lanes);
    Sum<T> total = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
                   ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
    for (std::int64_t i = whole; i < count; ++i) total += widen(load<T>(input, i * step));
    return total;
  }
  std::int64_t half = count / 2;
  half -= half % 8;
  return add_pairs<T>(input, step, half) + add_pairs<T>(input + half * step, step, count - half);
}

// Complex numbers: `parts` counts real and imaginary parts, which lie in alternate lanes.
template <class T>
std::complex<T> add_complex_pairs(const std::byte* input, std::int64_t step, std::int64_t parts) {
  auto part = [&](std::int64_t i) {
    return load<T>(input, i / 2 * step + (i % 2) * std::int64_t{sizeof(T)});
  };
  if (parts < 8) {
    T real = T(-0.0), imaginary = T(-0.0);
    for (std::int64_t i = 0; i < parts; i += 2) {
      real += part(i);
      imaginary += part(i + 1);
    }
    return {real, imaginary};
  }
  if (parts <= kBlock) {
    T lanes[8];
    std::int64_t whole = parts - parts % 8;
    if (step == 2 * sizeof(T)) {
      add_lanes<T>(input, sizeof(T), whole, lanes);
    } else {
      for (int j = 0; j < 8; ++j) lanes[j] = part(j);
      for (std::int64_t i = 8; i < whole; i += 8) {
        for (int j = 0; j < 8; ++j) lanes[j] += part(i + j);
      }
    }
    T real = (lanes[0] + lanes[2]) + (lanes[4] + lanes[6]);
    T imaginary = (lanes[1] + lanes[3]) + (lanes[5] + lanes[7]);
    for (std::int64_t i = whole; i < parts; i += 2) {
      real += part(i);
      imaginary += part(i + 1);
    }
    return {real, imaginary};
  }
  std::int64_t half = parts / 2;
  half -= half % 8;
  std::complex<T> low = add_complex_pairs<T>(input, step, half);
  std::complex<T> high = add_complex_pairs<T>(input + half / 2 * step, step, parts - half);
  return {low.real() + high.real(), low.imag() + high.imag()};
}

template <class T>
void fold_sum(const std::byte* input, std::int64_t step, std::int64_t count,
              std::byte* accumulator) {
  T& total = *reinterpret_cast<T*>(accumulator);
  if constexpr (is_complex_type<T>) {
    auto sum = add_complex_pairs<typename T::value_type>(input, step, 2 * count);
    total = T(total.real() + sum.real(), total.imag() + sum.imag());
  } else {
    store_rounded<T>(widen(total) + add_pairs<T>(input, step, count), accumulator);
  }
}

// In order, one after the other.
template <class T, class Combine>
inline void fold_in_order(const std::byte* input, std::int64_t step, std::int64_t count,
                          std::byte* accumulator, Combine combine) {
  T total = load<T>(accumulator, 0);
  for (std::int64_t i = 0; i < count; ++i) total = combine(total, load<T>(input, i * step));
  std::memcpy(accumulator, &total, sizeof total);
}

template <class T>
void fold_product(const std::byte* input, std::int64_t step, std::int64_t count,
                  std::byte* accumulator) {
  if constexpr (std::is_same_v<T, Half>) {  // in float until the end
    float total = static_cast<float>(load<Half>(accumulator, 0));
    for (std::int64_t i = 0; i < count; ++i)
      total *= static_cast<float>(load<Half>(input, i * step));
    store_rounded<Half>(total, accumulator);
  } else {
    fold_in_order<T>(input, step, count, accumulator, multiply_plainly<T>);
  }
}

template <class T, bool kLargest, bool kNumber>
void fold_extreme(const std::byte* input, std::int64_t step, std::int64_t count,
                  std::byte* accumulator) {
  fold_in_order<T>(input, step, count, accumulator, [](T a, T b) {
    auto x = [&] {
      if constexpr (std::is_same_v<T, Half>)
        return static_cast<float>(a);
      else
        return a;
    }();
    auto y = [&] {
      if constexpr (std::is_same_v<T, Half>)
        return static_cast<float>(b);
      else
        return b;
    }();
    bool first = kLargest ? less_equal(y, x) : less_equal(x, y);
    return first | is_nan(kNumber ? y : x) ? a : b;
  });
}

// Whether a run of bytes has one that is `wanted` (0 or 1).
inline bool has_byte(const std::byte* input, std::int64_t step, std::int64_t count, int wanted) {
  if (step == 1) return std::memchr(input, wanted, static_cast<std::size_t>(count)) != nullptr;
  for (std::int64_t i = 0; i < count; ++i) {
    if (static_cast<int>(input[i * step]) == wanted) return true;
  }
  return false;
}
void fold_any_true(const std::byte* input, std::int64_t step, std::int64_t count,
                   std::byte* accumulator) {
  if (*accumulator == std::byte{0} && has_byte(input, step, count, 1)) *accumulator = std::byte{1};
}
void fold_all_true(const std::byte* input, std::int64_t step, std::int64_t count,
                   std::byte* accumulator) {
  if (*accumulator != std::byte{0} && has_byte(input, step, count, 0)) *accumulator = std::byte{0};
}

template <class T, class Combine>
inline void scan(const std::byte* input, std::int64_t input_step, std::byte* output,
                 std::int64_t output_step, std::int64_t count, Combine combine) {
  T total = load<T>(input, 0);
  for (std::int64_t i = 0;;) {
    *reinterpret_cast<T*>(output + i * output_step) = total;
    if (++i == count) return;
    total = combine(total, load<T>(input, i * input_step));
  }
}

template <class T, bool kProduct>
void scan_arithmetic(const std::byte* input, std::int64_t input_step, std::byte* output,
                     std::int64_t output_step, std::int64_t count) {
  scan<T>(input, input_step, output, output_step, count, [](T x, T y) {
    if constexpr (std::is_same_v<T, Half>) {
      float a = static_cast<float>(x), b = static_cast<float>(y);
      return round_half(kProduct ? a * b : a + b);
    } else {
      return kProduct ? multiply_plainly(x, y) : add(x, y);
    }
  });
}

template <class T, bool kLargest>
void scan_extreme(const std::byte* input, std::int64_t input_step, std::byte* output,
                  std::int64_t output_step, std::int64_t count) {
  scan<T>(input, input_step, output, output_step, count,
          [](T x, T y) { return kLargest ? maximum(x, y) : minimum(x, y); });
}

// Halves and complex numbers: chunks of which no element can be the extreme are passed over.
template <class T, bool kLargest>
std::int64_t find_by_chunks(const std::byte* input, std::int64_t count) {
  auto* data = reinterpret_cast<const T*>(input);
  auto best = value_of(load<T>(input, 0));
  std::int64_t place = 0;
  if (is_nan(best)) return 0;
  for (std::int64_t begin = 0; begin < count; begin += kSearchBlock) {
    std::int64_t end = std::min(begin + kSearchBlock, count);
    if (end - begin == kSearchBlock && !may_beat<kLargest>(data + begin, best)) continue;
    for (std::int64_t i = begin; i < end; ++i) {
      auto x = value_of(load<T>(input, i * std::int64_t{sizeof(T)}));
      if (is_nan(x)) return i;
      if (beats(x, best, kLargest)) {
        best = x;
        place = i;
      }
    }
  }
  return place;
}

// The extreme of each chunk first; then its place in the chunk that had the best one.
template <class T, bool kLargest>
std::int64_t find_extreme(const std::byte* input, std::int64_t count) {
  using Way = std::conditional_t<kLargest, Largest, Smallest>;
  constexpr std::int64_t kChunk = 2048;
  auto* data = reinterpret_cast<const T*>(input);
  if (count <= kFewToFind) return find_among_few<T, kLargest>(data, count);
  if constexpr (std::is_arithmetic_v<T> && sizeof(T) >= 4) {
    if (count >= 2 * BestLanes<T>::kLanes && count <= kFindOnce) {
      std::int64_t place = find_by_lanes<T, kLargest>(data, count);
      if (place >= 0) return place;
    }
  }
  T best = data[0];
  std::int64_t chunk = 0;
  for (std::int64_t i = 0; i < count && !is_nan(best); i += kChunk) {
    T extreme = data[i];
    fold_any<Way, T, false>(reinterpret_cast<const std::byte*>(data + i), sizeof(T),
                            std::min(kChunk, count - i), reinterpret_cast<std::byte*>(&extreme));
    if (is_nan(extreme) || beats(extreme, best, kLargest)) {
      best = extreme;
      chunk = i;
    }
  }
  return find_place(data, chunk, count, best);
}

template <bool kLargest>
std::int64_t find_truth(const std::byte* input, std::int64_t count) {
  const void* found = std::memchr(input, kLargest, static_cast<std::size_t>(count));
  return found ? static_cast<const std::byte*>(found) - input : 0;
}

// The counters of a vector's lanes are bytes: added up before they could overflow.
std::int64_t count_true(const std::byte* bools, std::int64_t count) {
  using Bytes = Vector<std::uint8_t>;
  auto* bytes = reinterpret_cast<const std::uint8_t*>(bools);
  std::int64_t total = 0, done = 0;
  constexpr std::int64_t kWidth = sizeof(Bytes), kMost = 255;
  while (count - done >= kWidth) {
    std::int64_t vectors = std::min(kMost, (count - done) / kWidth);
    Bytes sums = load(bytes + done);
    for (std::int64_t i = 1; i < vectors; ++i) sums += load(bytes + done + i * kWidth);
    std::uint32_t sum = 0;
    for (int j = 0; j < kWidth; ++j) sum += sums[j];
    total += sum;
    done += vectors * kWidth;
  }
  for (; done < count; ++done) total += bytes[done];
  return total;
}

// Rows one after the other, each like any other.
template <FoldKernel kFold, std::int64_t kSize>
void fold_rows(const std::byte* input, std::int64_t row, std::int64_t rows,
               std::byte* accumulators) {
  for (std::int64_t i = 0; i < rows; ++i) {
    kFold(input + i * row * kSize, kSize, row, accumulators + i * kSize);
  }
}

template <FoldKernel kFold, std::size_t kSize>
void set_fold(KernelTable& table, Op op, DType dtype) {
  table.folds[static_cast<int>(op)][static_cast<int>(dtype)] = kFold;
  table.row_folds[static_cast<int>(op)][static_cast<int>(dtype)] = fold_rows<kFold, kSize>;
}

template <class T>
void fill_real_extremes(KernelTable& table, DType dtype) {
  set_fold<fold_any<Largest, T>, sizeof(T)>(table, Op::kMaximum, dtype);
  set_fold<fold_any<Smallest, T>, sizeof(T)>(table, Op::kMinimum, dtype);
  set_fold<fold_any<LargestNumber, T>, sizeof(T)>(table, Op::kFmax, dtype);
  set_fold<fold_any<SmallestNumber, T>, sizeof(T)>(table, Op::kFmin, dtype);
  table.scans[static_cast<int>(Op::kMaximum)][static_cast<int>(dtype)] = scan_extreme<T, true>;
  table.scans[static_cast<int>(Op::kMinimum)][static_cast<int>(dtype)] = scan_extreme<T, false>;
  table.find_maximum[static_cast<int>(dtype)] = find_extreme<T, true>;
  table.find_minimum[static_cast<int>(dtype)] = find_extreme<T, false>;
}

template <class T>
void fill_other_extremes(KernelTable& table, DType dtype) {
  set_fold<fold_extreme<T, true, false>, sizeof(T)>(table, Op::kMaximum, dtype);
  set_fold<fold_extreme<T, false, false>, sizeof(T)>(table, Op::kMinimum, dtype);
  set_fold<fold_extreme<T, true, true>, sizeof(T)>(table, Op::kFmax, dtype);
  set_fold<fold_extreme<T, false, true>, sizeof(T)>(table, Op::kFmin, dtype);
  table.find_maximum[static_cast<int>(dtype)] = find_by_chunks<T, true>;
  table.find_minimum[static_cast<int>(dtype)] = find_by_chunks<T, false>;
}

template <class T>
void fill_integer(KernelTable& table, DType dtype) {
  using Bits = std::make_unsigned_t<T>;
  set_fold<fold_any<Plus, Bits>, sizeof(Bits)>(table, Op::kAdd, dtype);
  set_fold<fold_any<Times, Bits>, sizeof(Bits)>(table, Op::kMultiply, dtype);
  set_fold<fold_any<And, Bits>, sizeof(Bits)>(table, Op::kBitwiseAnd, dtype);
  set_fold<fold_any<Or, Bits>, sizeof(Bits)>(table, Op::kBitwiseOr, dtype);
  set_fold<fold_any<Xor, Bits>, sizeof(Bits)>(table, Op::kBitwiseXor, dtype);
  fill_real_extremes<T>(table, dtype);
}

void fill_bool(KernelTable& table) {
  for (Op op : {Op::kAdd, Op::kMaximum, Op::kFmax, Op::kLogicalOr, Op::kBitwiseOr}) {
    set_fold<fold_any_true, 1>(table, op, DType::kBool);
  }
  for (Op op : {Op::kMultiply, Op::kMinimum, Op::kFmin, Op::kLogicalAnd, Op::kBitwiseAnd}) {
    set_fold<fold_all_true, 1>(table, op, DType::kBool);
  }
  set_fold<fold_any<Xor, std::uint8_t>, 1>(table, Op::kBitwiseXor, DType::kBool);
  set_fold<fold_any<Xor, std::uint8_t>, 1>(table, Op::kLogicalXor, DType::kBool);
  table.find_maximum[0] = find_truth<true>;
  table.find_minimum[0] = find_truth<false>;
}

template <class T>
void fill_type(KernelTable& table, DType dtype) {
  if constexpr (std::is_same_v<T, bool>) {
    fill_bool(table);
  } else {
    if constexpr (std::is_integral_v<T>) {
      fill_integer<T>(table, dtype);
    } else {
      set_fold<fold_sum<T>, sizeof(T)>(table, Op::kAdd, dtype);
      set_fold<fold_product<T>, sizeof(T)>(table, Op::kMultiply, dtype);
      if constexpr (std::is_floating_point_v<T>)
        fill_real_extremes<T>(table, dtype);
      else
        fill_other_extremes<T>(table, dtype);
    }
    table.scans[static_cast<int>(Op::kAdd)][static_cast<int>(dtype)] = scan_arithmetic<T, false>;
    table.scans[static_cast<int>(Op::kMultiply)][static_cast<int>(dtype)] =
        scan_arithmetic<T, true>;
  }
}

}  // namespace

void fill_reduction(KernelTable& table) {
  table.count_true = count_true;
#define DTYPE(id, type, name, kind, code, category) fill_type<type>(table, DType::id);
#include "kernels/table/dtypes.def"
}

}  // namespace strider::nd::STRIDER_TARGET
