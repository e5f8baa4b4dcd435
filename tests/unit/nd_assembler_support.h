// Helpers of the assembler's tests: loops of steps, operands full of odd values, and both
// renderers.
#pragma once

#include <strider/nd/floating_errors.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernels/backend/cpu/assembler/assembled.h"
#include "kernels/backend/cpu/fused/program.h"

namespace strider::nd {

using Bytes = std::vector<std::byte>;

inline constexpr DType kEveryDType[] = {
#define DTYPE(id, type, name, kind, code, category) DType::id,
#include "kernels/table/dtypes.def"
};

// Values of a type: ordinary ones, and the odd ones that break shortcuts.
inline Bytes make_values(DType dtype, std::int64_t count, std::mt19937_64& random, bool tame) {
  Bytes bytes(static_cast<std::size_t>(count * item_size(dtype)) + 64);
  auto real = [&]() -> double {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    constexpr double kOdd[] = {0.0,    -0.0, 1.0,   -1.0,         0.5,        2.0,  1e300, -1e300,
                               1e-310, 3e9,  -3e9,  kInfinity,    -kInfinity, 1e19, 65504, 1e5,
                               127.5,  300,  1e-40, 2147483648.0, 9.3e18,     -1.5, 2.5,   3.5};
    std::uniform_real_distribution<double> spread(tame ? 0.1 : -9.0, 9.0);
    if (tame || random() % 3) return spread(random);
    return random() % 25 == 0 ? std::nan("") : kOdd[random() % std::size(kOdd)];
  };
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    auto* out = reinterpret_cast<T*>(bytes.data());
    for (std::int64_t i = 0; i < count; ++i) {
      if constexpr (std::is_same_v<T, bool>) {
        out[i] = random() % 2;
      } else if constexpr (std::is_integral_v<T>) {
        std::uint64_t small = random() % 140, any = random();
        out[i] = static_cast<T>(random() % 4 == 0 ? any : small - (random() % 2 ? 70 : 0));
      } else if constexpr (std::is_same_v<T, Half>) {
        out[i] = Half(static_cast<float>(real()));
      } else if constexpr (std::is_floating_point_v<T>) {
        out[i] = static_cast<T>(real());
      } else {
        using Part = typename T::value_type;
        out[i] = T(static_cast<Part>(real()), static_cast<Part>(real()));
      }
    }
  });
  return bytes;
}

// One loop with its operands; results by tiles and by assembled code.
struct Trial {
  FusedLoop loop;
  std::vector<std::uint16_t> wanted;
  std::vector<bool> still;
  std::vector<Bytes> inputs;  // of a range, its elements, which only the tiles read
  std::vector<Counter> counters;
  std::int64_t count = 0;

  // Memory, or sometimes a range.
  void add_input(DType dtype, bool is_still, std::mt19937_64& random, bool tame = false) {
    LoopInput input;
    input.dtype = dtype;
    bool counts = dtype == DType::kInt64 && !is_still && random() % 3 == 0;
    if (counts) input.kind = LoopInput::Kind::kRange;
    loop.inputs.push_back(input);
    still.push_back(is_still);
    counters.emplace_back();
    if (counts) return add_elements(counters.back(), random);
    Bytes values = make_values(dtype, count, random, tame);
    auto size = static_cast<std::size_t>(item_size(dtype));
    for (std::size_t i = 1; is_still && i < static_cast<std::size_t>(count); ++i) {
      std::memcpy(values.data() + i * size, values.data(), size);
    }
    inputs.push_back(std::move(values));
  }

  void add_elements(Counter& counter, std::mt19937_64& random) {
    counter.first = static_cast<std::int64_t>(random() % 2000) - 1000;
    counter.step = static_cast<std::int64_t>(random() % 9) - 4;
    for (int lane = 0; lane < Counter::kLanes; ++lane) counter.lanes[lane] = lane * counter.step;
    std::vector<std::int64_t> elements;
    for (std::int64_t i = 0; i < count; ++i) elements.push_back(counter.first + i * counter.step);
    Bytes bytes(elements.size() * sizeof(std::int64_t));
    std::memcpy(bytes.data(), elements.data(), bytes.size());
    inputs.push_back(std::move(bytes));
  }

  std::vector<Bytes> make_outputs() const {
    std::vector<Bytes> outputs;
    for (std::uint16_t value : wanted) {
      outputs.emplace_back(static_cast<std::size_t>(count * item_size(loop.type_of(value))) + 128);
    }
    return outputs;
  }

  std::vector<Bytes> by_tiles(std::uint8_t* flags) const {
    std::vector<Bytes> outputs = make_outputs();
    TileProgram program(loop, wanted);
    Bytes scratch(program.scratch_bytes() + 64);
    clear_floating_errors();
    for (std::int64_t begin = 0; begin < count; begin += kTile) {
      std::vector<const std::byte*> from;
      std::vector<std::byte*> to;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        from.push_back(inputs[i].data() + begin * item_size(loop.inputs[i].dtype));
      }
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        to.push_back(outputs[i].data() + begin * item_size(loop.type_of(wanted[i])));
      }
      program.run(from.data(), to.data(), std::min(kTile, count - begin), scratch.data(), nullptr);
    }
    *flags = take_floating_errors().flags;
    return outputs;
  }

  // Where results are computed: some elements behind the start of the output's memory.
  std::int64_t shift(std::size_t output) const {
    return count % 5 * item_size(loop.type_of(wanted[output]));
  }

  // False where the loop has no code.
  bool by_code(std::vector<Bytes>& outputs, bool apart, std::uint8_t* flags) const {
    Stores stores = count % 2 ? Stores::kUsual : Stores::kPastCaches;
    auto code = Assembled::make(loop, wanted, still, best_target(), stores);
    if (!code) return false;
    outputs = make_outputs();
    std::vector<const std::byte*> from;
    std::vector<std::byte*> to;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      bool counts = loop.inputs[i].kind == LoopInput::Kind::kRange;
      from.push_back(counts ? reinterpret_cast<const std::byte*>(&counters[i]) : inputs[i].data());
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) to.push_back(outputs[i].data() + shift(i));
    clear_floating_errors();
    bool suspicious = code->run(from.data(), to.data(), count, apart);
    *flags = take_floating_errors().flags;
    if (suspicious) *flags = 0xff;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      std::copy(to[i], outputs[i].data() + outputs[i].size(), outputs[i].data());
    }
    return true;
  }
};

// Whether two elements are the same: bit by bit, any NaN being as good as another.
inline bool same_element(DType dtype, const std::byte* a, const std::byte* b) {
  if (std::memcmp(a, b, static_cast<std::size_t>(item_size(dtype))) == 0) return true;
  bool same = false;
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_same_v<T, Half>) {
      auto is_nan = [](const std::byte* at) {
        return std::isnan(static_cast<float>(*reinterpret_cast<const Half*>(at)));
      };
      same = is_nan(a) && is_nan(b);
    } else if constexpr (!std::is_integral_v<T>) {
      using Part = std::conditional_t<
          sizeof(T) == sizeof(double) && std::is_same_v<T, double>, double,
          std::conditional_t<std::is_same_v<T, float>, float,
                             std::conditional_t<sizeof(T) == 16, double, float>>>;
      same = true;
      for (std::size_t i = 0; i < sizeof(T) / sizeof(Part); ++i) {
        const std::byte *x = a + i * sizeof(Part), *y = b + i * sizeof(Part);
        bool equal = std::memcmp(x, y, sizeof(Part)) == 0;
        bool nan = std::isnan(*reinterpret_cast<const Part*>(x)) &&
                   std::isnan(*reinterpret_cast<const Part*>(y));
        same &= equal || nan;
      }
    }
  });
  return same;
}

// The first difference in words; empty if there is none.
inline std::string difference(const Trial& trial, const std::vector<Bytes>& one,
                              const std::vector<Bytes>& other) {
  for (std::size_t output = 0; output < one.size(); ++output) {
    DType dtype = trial.loop.type_of(trial.wanted[output]);
    int size = item_size(dtype);
    for (std::int64_t i = 0; i < trial.count; ++i) {
      const std::byte *a = one[output].data() + i * size, *b = other[output].data() + i * size;
      if (same_element(dtype, a, b)) continue;
      std::uint64_t x = 0, y = 0;
      std::memcpy(&x, a, static_cast<std::size_t>(std::min(size, 8)));
      std::memcpy(&y, b, static_cast<std::size_t>(std::min(size, 8)));
      return "output " + std::to_string(output) + " at " + std::to_string(i) + " of " +
             std::to_string(trial.count) + ": tiles " + std::to_string(x) + ", code " +
             std::to_string(y);
    }
  }
  return "";
}

}  // namespace strider::nd
