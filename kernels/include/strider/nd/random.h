// Random numbers: the bit streams and distributions of numpy.random, number for number. Knows
// nothing of the language; shapes that NumPy writes as size=None are an empty Size.
#pragma once

#include <strider/nd/array.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace strider::nd::random {

// --- seeds and bit streams ---------------------------------------------------------------------

// numpy.random.SeedSequence: mixes entropy of any length into as much state as is asked for.
// Integers are given as 32-bit words, least significant first (zero is one word 0).
class SeedSequence {
 public:
  explicit SeedSequence(std::vector<std::uint32_t> entropy,
                        std::vector<std::uint32_t> spawn_key = {}, int pool_size = 4,
                        std::uint32_t children_spawned = 0);
  // Fresh entropy (128 bits) from the operating system.
  static std::vector<std::uint32_t> system_entropy();

  std::vector<std::uint32_t> generate_state32(std::size_t words) const;
  std::vector<std::uint64_t> generate_state64(std::size_t words) const;
  std::vector<SeedSequence> spawn(std::uint32_t children);

  const std::vector<std::uint32_t>& entropy() const { return entropy_; }
  const std::vector<std::uint32_t>& spawn_key() const { return spawn_key_; }
  const std::vector<std::uint32_t>& pool() const { return pool_; }
  std::uint32_t children_spawned() const { return children_spawned_; }

 private:
  std::vector<std::uint32_t> entropy_;
  std::vector<std::uint32_t> spawn_key_;
  std::vector<std::uint32_t> pool_;
  std::uint32_t children_spawned_;
};

// The 32-bit words of an integer, least significant first, as SeedSequence wants them.
std::vector<std::uint32_t> seed_words(std::uint64_t value);

enum class BitGeneratorKind : std::uint8_t { kPcg64, kPcg64Dxsm, kMt19937, kPhilox, kSfc64 };

// Everything that a bit generator remembers. `words` holds, by kind:
//   PCG64, PCG64DXSM  state low, state high, increment low, increment high
//   MT19937           624 key words, then the position
//   Philox            counter (4), key (2), buffer (4), buffer position
//   SFC64             4 words
struct BitGeneratorState {
  BitGeneratorKind kind = BitGeneratorKind::kPcg64;
  std::vector<std::uint64_t> words;
  bool has_uint32 = false;
  std::uint32_t uinteger = 0;
};

// A stream of random bits; numpy.random.PCG64 and its sisters.
class BitGenerator {
 public:
  static std::unique_ptr<BitGenerator> create(BitGeneratorKind kind, const SeedSequence& seed);
  // MT19937 seeded as numpy.random.RandomState(seed) seeds it: by one number, or by an array.
  static std::unique_ptr<BitGenerator> legacy_mt19937(std::uint32_t seed);
  static std::unique_ptr<BitGenerator> legacy_mt19937(std::span<const std::uint32_t> key);
  virtual ~BitGenerator() = default;

  virtual BitGeneratorKind kind() const = 0;
  std::string_view name() const;  // "PCG64"
  virtual BitGeneratorState state() const = 0;
  virtual void set_state(const BitGeneratorState& state) = 0;  // kValue when it does not fit
  virtual std::unique_ptr<BitGenerator> clone() const = 0;
  // A copy far ahead in the stream, as NumPy's jumped(jumps). kNotImplemented for SFC64.
  virtual std::unique_ptr<BitGenerator> jumped(std::uint64_t jumps) const = 0;
  // Moves ahead by a 128-bit count of draws (PCG64, PCG64DXSM, Philox).
  virtual void advance(std::uint64_t low, std::uint64_t high) = 0;

  virtual std::uint64_t next_uint64() = 0;
  virtual std::uint32_t next_uint32() = 0;
  virtual double next_double() = 0;
  virtual std::uint64_t next_raw() = 0;  // random_raw
  virtual float next_float() = 0;

  // Many at once; the same numbers as one by one.
  virtual void fill_uint32(std::uint32_t* out, std::int64_t count) = 0;
  virtual void fill_uint64(std::uint64_t* out, std::int64_t count) = 0;
  virtual void fill_double(double* out, std::int64_t count) = 0;
  virtual void fill_float(float* out, std::int64_t count) = 0;
  virtual void fill_standard_normal(double* out, std::int64_t count) = 0;
  virtual void fill_standard_normal(float* out, std::int64_t count) = 0;
  virtual void fill_standard_exponential(double* out, std::int64_t count) = 0;
  virtual void fill_standard_exponential(float* out, std::int64_t count) = 0;
};

// --- numpy.random.Generator --------------------------------------------------------------------

// NumPy's size argument; empty for size=None, where the parameters decide the shape.
using Size = std::optional<Dims>;

enum class Distribution : std::uint8_t {
#define DISTRIBUTION(id, name, parameters, count, integral) id,
#include "kernels/table/distributions.def"
};
struct DistributionFacts {
  std::string_view name;
  std::string_view parameters;  // "loc=0.0, scale=1.0"
  int parameter_count;
  bool integral;  // int64 results, else float64
};
inline constexpr int kDistributionCount = 29;
const DistributionFacts& facts(Distribution distribution);

// Draws from a distribution: parameters broadcast against each other and `size`. kValue with
// NumPy's messages ("scale < 0"). All parameters 0-d and no size: a 0-d result.
Array draw(BitGenerator& bits, Distribution distribution, std::span<const Array> parameters,
           const Size& size = {});

// Generator.random, standard_normal, standard_exponential: float64 or float32, else kType.
Array random(BitGenerator& bits, const Size& size = {}, DType dtype = DType::kFloat64);
Array standard_normal(BitGenerator& bits, const Size& size = {}, DType dtype = DType::kFloat64);
Array standard_exponential(BitGenerator& bits, const Size& size = {}, DType dtype = DType::kFloat64,
                           bool inverse_transform = false);
Array standard_gamma(BitGenerator& bits, const Array& shape, const Size& size = {},
                     DType dtype = DType::kFloat64);
// The same into an existing array (`out=`): kType for the wrong dtype, kValue "Supplied output
// array must be contiguous, writable, aligned, and in machine byte-order." and for the wrong size.
void check_output(const Array& out, const Size& size, DType dtype);

// Generator.integers: low <= x < high (<= with endpoint), broadcast; exact for every integer dtype
// and bool. kValue "low >= high", "high is out of bounds for int8".
Array integers(BitGenerator& bits, const Array& low, const Array& high, const Size& size,
               DType dtype = DType::kInt64, bool endpoint = false);
// Generator.bytes / RandomState.bytes.
std::string bytes(BitGenerator& bits, std::int64_t count);

// Generator.choice on a population of that many: int64 positions. `p` null: uniform.
Array choice(BitGenerator& bits, std::int64_t population, const Size& size, bool replace = true,
             const Array* p = nullptr, bool shuffle = true);
// Generator.shuffle: reorders in place along an axis.
void shuffle(BitGenerator& bits, const Array& array, int axis = 0);
// Generator.permutation of arange(count), or of a copy of an array along an axis.
Array permutation(BitGenerator& bits, std::int64_t count);
Array permutation(BitGenerator& bits, const Array& array, int axis = 0);
// Generator.permuted: shuffles each slice along the axis on its own, in place; no axis: all
// elements together.
void permute(BitGenerator& bits, const Array& array, std::optional<int> axis);

// Shuffles anything with `count` places: calls swap(context, i, j) in NumPy's order (lists).
using SwapPlaces = void (*)(void* context, std::int64_t i, std::int64_t j);
void shuffle_places(BitGenerator& bits, std::int64_t count, SwapPlaces swap, void* context);

Array multinomial(BitGenerator& bits, const Array& n, const Array& pvals, const Size& size = {});
Array dirichlet(BitGenerator& bits, const Array& alpha, const Size& size = {});
enum class HypergeometricMethod : std::uint8_t { kMarginals, kCount };
Array multivariate_hypergeometric(BitGenerator& bits, const Array& colors, std::int64_t nsample,
                                  const Size& size, HypergeometricMethod method);

// --- numpy.random.RandomState ------------------------------------------------------------------

// A stream plus the second normal of the polar method, kept for the next call.
struct LegacyState {
  std::shared_ptr<BitGenerator> bits;
  bool has_gauss = false;
  double gauss = 0.0;
};
// The same distributions by the algorithms of RandomState (np.random.normal and so on).
Array draw_legacy(LegacyState& state, Distribution distribution, std::span<const Array> parameters,
                  const Size& size = {});
Array random_sample(LegacyState& state, const Size& size = {});
Array legacy_standard_normal(LegacyState& state, const Size& size = {});
Array legacy_standard_exponential(LegacyState& state, const Size& size = {});
Array legacy_standard_gamma(LegacyState& state, const Array& shape, const Size& size = {});
// RandomState.randint: masked rejection; high itself may be drawn with endpoint.
Array randint(LegacyState& state, const Array& low, const Array& high, const Size& size,
              DType dtype = DType::kInt64, bool endpoint = false);
// RandomState.tomaxint.
Array tomaxint(LegacyState& state, const Size& size = {});
Array legacy_choice(LegacyState& state, std::int64_t population, const Size& size,
                    bool replace = true, const Array* p = nullptr);
void legacy_shuffle(LegacyState& state, const Array& array);
void legacy_shuffle_places(LegacyState& state, std::int64_t count, SwapPlaces swap, void* context);
Array legacy_permutation(LegacyState& state, std::int64_t count);
Array legacy_permutation(LegacyState& state, const Array& array);
Array legacy_multinomial(LegacyState& state, std::int64_t n, const Array& pvals,
                         const Size& size = {});
Array legacy_dirichlet(LegacyState& state, const Array& alpha, const Size& size = {});

}  // namespace strider::nd::random
