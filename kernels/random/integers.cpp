// Generator.integers, RandomState.randint, bytes, and the bounded streams under them.
#include "kernels/random/integers.h"

#include <strider/nd/error.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/random/discrete.h"
#include "kernels/random/engines.h"
#include "kernels/random/parameters.h"
#include "kernels/random/there.h"

namespace strider::nd::random {
namespace {

__extension__ typedef __int128 Int128;

std::uint64_t mask_of(std::uint64_t range) {
  return range == 0 ? 0 : ~std::uint64_t{0} >> __builtin_clzll(range);
}

// Lemire (2019) on 32 bits; range < 2^32 - 1.
template <class Next>
std::uint32_t lemire32(std::uint32_t range, Next next) {
  std::uint32_t exclusive = range + 1;
  std::uint64_t product = static_cast<std::uint64_t>(next()) * exclusive;
  auto leftover = static_cast<std::uint32_t>(product);
  if (leftover < exclusive) {
    std::uint32_t threshold = (0xffffffffu - range) % exclusive;
    while (leftover < threshold) {
      product = static_cast<std::uint64_t>(next()) * exclusive;
      leftover = static_cast<std::uint32_t>(product);
    }
  }
  return static_cast<std::uint32_t>(product >> 32);
}

std::uint64_t lemire64(BitGenerator& bits, std::uint64_t range) {
  std::uint64_t exclusive = range + 1;
  Uint128 product = static_cast<Uint128>(bits.next_uint64()) * exclusive;
  std::uint64_t leftover = low_half(product);
  if (leftover < exclusive) {
    std::uint64_t threshold = (~std::uint64_t{0} - range) % exclusive;
    while (leftover < threshold) {
      product = static_cast<Uint128>(bits.next_uint64()) * exclusive;
      leftover = low_half(product);
    }
  }
  return high_half(product);
}

// One bound as an exact integer; floats lose their fraction.
Int128 bound_at(const Array& contiguous, std::int64_t i) {
  if (contiguous.dtype() == DType::kUInt64) return contiguous.as<std::uint64_t>()[i];
  if (contiguous.dtype() == DType::kInt64) return contiguous.as<std::int64_t>()[i];
  double value = std::trunc(contiguous.as<double>()[i]);
  if (!(std::fabs(value) < 1e30)) return value > 0 ? Int128{1} << 100 : -(Int128{1} << 100);
  return static_cast<Int128>(value);
}

Array exact_bounds(const Array& bounds) {
  if (bounds.dtype() == DType::kUInt64) return bounds.contiguous();
  return bounds.contiguous(is_inexact(bounds.dtype()) ? DType::kFloat64 : DType::kInt64);
}

int width_of(DType dtype) { return dtype == DType::kBool ? 1 : 8 * item_size(dtype); }

struct Limits {
  Int128 low;
  Int128 high;
};
Limits limits_of(DType dtype) {
  int width = width_of(dtype);
  bool is_signed = category(dtype) == Category::kSigned;
  Int128 top = (Int128{1} << (is_signed ? width - 1 : width)) - 1;
  return {is_signed ? -top - 1 : Int128{0}, top};
}

[[noreturn]] void reject(const std::string& message) { throw Error(ErrorKind::kValue, message); }

void check_bounds(const Array& low, const Array& high, DType dtype, bool closed) {
  Limits limits = limits_of(dtype);
  std::string type(name(dtype));
  for (std::int64_t i = 0; i < low.size(); ++i)
    if (bound_at(low, i) < limits.low) reject("low is out of bounds for " + type);
  for (std::int64_t i = 0; i < high.size(); ++i)
    if (bound_at(high, i) - (closed ? 0 : 1) > limits.high)
      reject("high is out of bounds for " + type);
}

[[noreturn]] void reject_order(const Array& low, const Array& high, bool closed) {
  bool from_zero = low.rank() == 0 && high.rank() == 0 && bound_at(low, 0) == 0;
  if (from_zero) reject(closed ? "high < 0" : "high <= 0");
  reject(closed ? "low > high" : "low >= high");
}

// Writes low + number at element i, cut to the type's width.
void store(Array& result, std::byte* out, std::int64_t i, Int128 value) {
  std::uint64_t bits = static_cast<std::uint64_t>(static_cast<Uint128>(value));
  std::size_t size = static_cast<std::size_t>(item_size(result.dtype()));
  std::memcpy(out + static_cast<std::size_t>(i) * size, &bits, size);  // little-endian machines
}

constexpr std::int64_t kBlock = 512;

// Many draws from one range: raw words in blocks, those that fit kept in order. A block never holds
// more words than numbers are still wanted, so the stream stands where single draws would leave it.
template <class T, class Word, class Fill, class Take>
void fill_by_blocks(T* out, std::int64_t count, std::uint64_t low, Fill fill, Take take) {
  Word words[kBlock];
  std::int64_t done = 0;
  while (done < count) {
    std::int64_t block = std::min(count - done, kBlock);
    fill(words, block);
    for (std::int64_t i = 0; i < block; ++i) {
      std::uint64_t number;
      bool fits = take(words[i], number);
      out[done] = static_cast<T>(low + number);
      done += fits;
    }
  }
}

template <class T>
void fill32(BitGenerator& bits, bool masked, T* out, std::int64_t count, std::uint64_t low,
            std::uint32_t range) {
  auto fill = [&](std::uint32_t* words, std::int64_t n) { bits.fill_uint32(words, n); };
  if (range == 0xffffffffu) {
    fill_by_blocks<T, std::uint32_t>(out, count, low, fill,
                                     [](std::uint32_t word, std::uint64_t& number) {
                                       number = word;
                                       return true;
                                     });
  } else if (masked) {
    auto mask = static_cast<std::uint32_t>(mask_of(range));
    fill_by_blocks<T, std::uint32_t>(out, count, low, fill,
                                     [=](std::uint32_t word, std::uint64_t& number) {
                                       number = word & mask;
                                       return number <= range;
                                     });
  } else {
    std::uint64_t exclusive = std::uint64_t{range} + 1;
    auto threshold = static_cast<std::uint32_t>((0xffffffffu - range) % exclusive);
    fill_by_blocks<T, std::uint32_t>(out, count, low, fill,
                                     [=](std::uint32_t word, std::uint64_t& number) {
                                       std::uint64_t product = word * exclusive;
                                       number = product >> 32;
                                       return static_cast<std::uint32_t>(product) >= threshold;
                                     });
  }
}

// 8- and 16-bit numbers and booleans, cut from 32-bit words.
template <class T>
void fill_pieces(BitGenerator& bits, bool masked, T* out, std::int64_t count, std::uint64_t low,
                 std::uint32_t range, int width) {
  std::uint32_t all = (1u << width) - 1, exclusive = range + 1;
  std::uint32_t mask = masked || range == all ? static_cast<std::uint32_t>(mask_of(range)) : all;
  bool multiply = !masked && range != all;
  std::uint32_t threshold = multiply ? (all - range) % exclusive : 0;
  std::uint32_t words[kBlock];
  std::int64_t done = 0, per_word = 32 / width;
  while (done < count) {
    std::int64_t block = std::min((count - done + per_word - 1) / per_word, kBlock);
    bits.fill_uint32(words, block);
    for (std::int64_t i = 0; i < block; ++i) {
      std::uint32_t word = words[i];
      for (std::int64_t k = 0; k < per_word && done < count; ++k, word >>= width) {
        std::uint32_t number = word & mask;
        bool fits = number <= range;
        if (multiply) {
          std::uint32_t product = number * exclusive;
          number = product >> width;
          fits = (product & all) >= threshold;
        }
        out[done] = static_cast<T>(low + number);
        done += fits;
      }
    }
  }
}

// Coin flips: every bit counts.
void fill_bools(BitGenerator& bits, bool* out, std::int64_t count) {
  std::uint32_t words[kBlock];
  while (count > 0) {
    std::int64_t block = std::min((count + 31) / 32, kBlock);
    bits.fill_uint32(words, block);
    for (std::int64_t i = 0; i < block; ++i) {
      std::int64_t flips = std::min<std::int64_t>(count, 32);
      for (std::int64_t k = 0; k < flips; ++k) out[k] = words[i] >> k & 1u;
      out += flips;
      count -= flips;
    }
  }
}

// All draws share one range.
template <class T>
void fill_same(BitGenerator& bits, bool masked, T* out, std::int64_t count, std::uint64_t low,
               std::uint64_t range, int width) {
  if (range == 0) {
    std::fill_n(out, count, static_cast<T>(low));
  } else if constexpr (std::is_same_v<T, bool>) {
    fill_bools(bits, out, count);
  } else if (width < 32) {
    fill_pieces(bits, masked, out, count, low, static_cast<std::uint32_t>(range), width);
  } else if (range <= 0xffffffffu) {
    fill32(bits, masked, out, count, low, static_cast<std::uint32_t>(range));
  } else {
    BoundedStream stream(bits, masked);
    for (std::int64_t i = 0; i < count; ++i) out[i] = static_cast<T>(low + stream.next(64, range));
  }
}

Array draw_integers(BitGenerator& bits, const Array& low_bound, const Array& high_bound,
                    const Size& size, DType dtype, bool closed, bool masked, const char* caller) {
  if (!is_integer(dtype) && dtype != DType::kBool)
    throw Error(ErrorKind::kType,
                "Unsupported dtype dtype('" + std::string(name(dtype)) + "') for " + caller);
  Array low = exact_bounds(low_bound), high = exact_bounds(high_bound);
  check_bounds(low, high, dtype, closed);
  if (size && element_count(*size) == 0) return Array::empty(*size, dtype);
  bool scalar = low.size() == 1 && high.size() == 1;
  if (!scalar) require_same_shapes(low, high);
  Dims shapes[3] = {low.shape(), high.shape(), size && !scalar ? *size : Dims{}};
  Dims pair = broadcast_arguments({shapes, 2u});
  Dims shape = size && scalar ? *size : broadcast_arguments(shapes);
  if (size && !(shape == *size))
    reject("Output size " + shape_tuple(*size) +
           " is not compatible with broadcast dimensions of inputs " + shape_tuple(shape) + ".");
  Array lows = low.broadcast_to(pair).contiguous(), highs = high.broadcast_to(pair).contiguous();
  for (std::int64_t i = 0; i < lows.size(); ++i)
    if (bound_at(lows, i) > bound_at(highs, i) - (closed ? 0 : 1)) reject_order(low, high, closed);
  if (!scalar) {
    low = lows.broadcast_to(shape).contiguous();
    high = highs.broadcast_to(shape).contiguous();
  }
  std::uint64_t base = 0, range = 0;
  if (scalar) {
    base = static_cast<std::uint64_t>(static_cast<Uint128>(bound_at(low, 0)));
    range = static_cast<std::uint64_t>(bound_at(high, 0) - (closed ? 0 : 1) - bound_at(low, 0));
    RandomDraw draw{Drawn::kInteger, dtype, nullptr, base, range, masked};
    if (range > 0)
      if (Array there = draw_there(bits, draw, shape)) return there;
  }
  Array result = Array::empty(shape, dtype);
  int width = width_of(dtype);
  std::byte* out = result.mutable_data();
  if (scalar) {
    dispatch(dtype, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (std::is_integral_v<T>)
        fill_same(bits, masked, reinterpret_cast<T*>(out), result.size(), base, range, width);
    });
    return result;
  }
  BoundedStream stream(bits, masked);
  for (std::int64_t i = 0; i < result.size(); ++i) {
    Int128 range = bound_at(high, i) - (closed ? 0 : 1) - bound_at(low, i);
    std::uint64_t number = stream.next(width, static_cast<std::uint64_t>(range));
    store(result, out, i, bound_at(low, i) + static_cast<Int128>(number));
  }
  return result;
}

}  // namespace

std::uint32_t BoundedStream::piece(int width) {
  if (pieces_left_ == 0) {
    buffer_ = bits_.next_uint32();
    pieces_left_ = 32 / width - 1;
  } else {
    buffer_ >>= width;
    --pieces_left_;
  }
  return buffer_ & ((1u << width) - 1);
}

std::uint32_t BoundedStream::next_small(int width, std::uint32_t range) {
  std::uint32_t all = (1u << width) - 1;
  if (range == all) return piece(width);
  if (masked_) {
    auto mask = static_cast<std::uint32_t>(mask_of(range));
    std::uint32_t value;
    do value = piece(width) & mask;
    while (value > range);
    return value;
  }
  std::uint32_t exclusive = range + 1;
  std::uint32_t product = piece(width) * exclusive;
  if ((product & all) < exclusive) {
    std::uint32_t threshold = (all - range) % exclusive;
    while ((product & all) < threshold) product = piece(width) * exclusive;
  }
  return product >> width;
}

std::uint32_t BoundedStream::next32(std::uint32_t range) {
  if (range == 0xffffffffu) return bits_.next_uint32();
  if (!masked_) return lemire32(range, [this] { return bits_.next_uint32(); });
  auto mask = static_cast<std::uint32_t>(mask_of(range));
  std::uint32_t value;
  do value = bits_.next_uint32() & mask;
  while (value > range);
  return value;
}

std::uint64_t BoundedStream::next64(std::uint64_t range) {
  if (range <= 0xffffffffu) return next32(static_cast<std::uint32_t>(range));
  if (range == ~std::uint64_t{0}) return bits_.next_uint64();
  if (!masked_) return lemire64(bits_, range);
  std::uint64_t mask = mask_of(range), value;
  do value = bits_.next_uint64() & mask;
  while (value > range);
  return value;
}

std::uint64_t BoundedStream::next(int width, std::uint64_t range) {
  if (range == 0) return 0;
  switch (width) {
    case 1:
      return piece(1);
    case 64:
      return next64(range);
    case 32:
      return next32(static_cast<std::uint32_t>(range));
    default:
      return next_small(width, static_cast<std::uint32_t>(range));
  }
}

std::uint64_t bounded(BitGenerator& bits, std::uint64_t range) {
  return BoundedStream(bits, false).next(64, range);
}

Array integers(BitGenerator& bits, const Array& low, const Array& high, const Size& size,
               DType dtype, bool endpoint) {
  return draw_integers(bits, low, high, size, dtype, endpoint, false, "integers");
}

Array randint(LegacyState& state, const Array& low, const Array& high, const Size& size,
              DType dtype, bool endpoint) {
  return draw_integers(*state.bits, low, high, size, dtype, endpoint, true, "randint");
}

std::string bytes(BitGenerator& bits, std::int64_t count) {
  // As NumPy's, no bytes use up a word, and a negative count leaves that many of them away.
  std::int64_t whole = (count - 1) / 4 + 1;
  if (whole < 0) throw Error(ErrorKind::kValue, "negative dimensions are not allowed");
  std::int64_t size = count >= 0 ? count : std::max<std::int64_t>(whole * 4 + count, 0);
  std::string result(static_cast<std::size_t>(size), '\0');
  RandomDraw draw{Drawn::kInteger, DType::kUInt32, nullptr, 0, 0xffffffffu, false};
  Array words = draw_there(bits, draw, {whole});
  if (!words) {
    words = Array::empty({whole}, DType::kUInt32);
    bits.fill_uint32(words.mutable_as<std::uint32_t>(), whole);
  }
  std::memcpy(result.data(), words.data(), result.size());  // little-endian machines
  return result;
}

}  // namespace strider::nd::random
