// BitGenerator: seeding, state and bulk draws around the five engines.
#include <strider/nd/error.h>
#include <strider/nd/interrupt.h>
#include <strider/nd/random.h>
#include <strider/nd/threads.h>

#include <algorithm>

#include "kernels/random/engines.h"
#include "kernels/random/ziggurat.h"

namespace strider::nd::random {
namespace {

using Words = std::vector<std::uint64_t>;

// --- seeding -----------------------------------------------------------------------------------

// Both PCGs are seeded with the steps of PCG64.
template <class Pcg>
void seed_pcg(Pcg& engine, const SeedSequence& seed) {
  Words words = seed.generate_state64(4);
  engine.increment = make_uint128(words[2], words[3]) << 1 | 1;
  Uint128 first = engine.increment + make_uint128(words[0], words[1]);
  engine.state = first * Pcg64::kMultiplier + engine.increment;
}

void seed_engine(Pcg64& engine, const SeedSequence& seed) { seed_pcg(engine, seed); }
void seed_engine(Pcg64Dxsm& engine, const SeedSequence& seed) { seed_pcg(engine, seed); }

void seed_engine(Mt19937& engine, const SeedSequence& seed) {
  std::vector<std::uint32_t> words = seed.generate_state32(Mt19937::kLength);
  std::copy(words.begin(), words.end(), engine.key.begin());
  engine.key[0] = 0x80000000u;  // the first word counts for one bit only: never all zero
  engine.position = Mt19937::kLength - 1;
}

void seed_engine(Philox& engine, const SeedSequence& seed) {
  Words words = seed.generate_state64(2);
  std::copy(words.begin(), words.end(), engine.key.begin());
}

void seed_engine(Sfc64& engine, const SeedSequence& seed) {
  Words words = seed.generate_state64(3);
  std::copy(words.begin(), words.end(), engine.state.begin());
  engine.state[3] = 1;
  for (int i = 0; i < 12; ++i) engine.next_uint64();
}

// --- state -------------------------------------------------------------------------------------

template <class Pcg>
Words pcg_words(const Pcg& engine) {
  return {low_half(engine.state), high_half(engine.state), low_half(engine.increment),
          high_half(engine.increment)};
}

template <class Pcg>
void set_pcg_words(Pcg& engine, const Words& words) {
  engine.state = make_uint128(words[1], words[0]);
  engine.increment = make_uint128(words[3], words[2]);
}

Words words_of(const Pcg64& engine) { return pcg_words(engine); }
Words words_of(const Pcg64Dxsm& engine) { return pcg_words(engine); }
Words words_of(const Mt19937& engine) {
  Words words(engine.key.begin(), engine.key.end());
  words.push_back(static_cast<std::uint64_t>(engine.position));
  return words;
}
Words words_of(const Philox& engine) {
  Words words(engine.counter.begin(), engine.counter.end());
  words.insert(words.end(), engine.key.begin(), engine.key.end());
  words.insert(words.end(), engine.buffer.begin(), engine.buffer.end());
  words.push_back(static_cast<std::uint64_t>(engine.position));
  return words;
}
Words words_of(const Sfc64& engine) { return {engine.state.begin(), engine.state.end()}; }

void set_words(Pcg64& engine, const Words& words) { set_pcg_words(engine, words); }
void set_words(Pcg64Dxsm& engine, const Words& words) { set_pcg_words(engine, words); }
void set_words(Mt19937& engine, const Words& words) {
  for (std::size_t i = 0; i < engine.key.size(); ++i)
    engine.key[i] = static_cast<std::uint32_t>(words[i]);
  engine.position = static_cast<int>(std::min<std::uint64_t>(words.back(), Mt19937::kLength));
}
void set_words(Philox& engine, const Words& words) {
  std::copy_n(words.begin(), 4, engine.counter.begin());
  std::copy_n(words.begin() + 4, 2, engine.key.begin());
  std::copy_n(words.begin() + 6, 4, engine.buffer.begin());
  engine.position = static_cast<int>(std::min<std::uint64_t>(words.back(), Philox::kWords));
}
void set_words(Sfc64& engine, const Words& words) {
  std::copy_n(words.begin(), 4, engine.state.begin());
}

template <class Engine>
constexpr bool kKeepsHalf = !std::is_same_v<Engine, Mt19937>;

// --- moving ahead ------------------------------------------------------------------------------

// The golden ratio's share of 2^128: how far one jump of a PCG goes.
constexpr Uint128 kPcgJump = make_uint128(0x9e3779b97f4a7c15u, 0xf39cc0605cedc835u);

[[noreturn]] void refuse(const char* what, std::string_view name) {
  throw Error(ErrorKind::kNotImplemented, std::string(name) + " cannot " + what);
}

template <class Engine>
void advance_engine(Engine& engine, Uint128 delta, std::string_view name) {
  if constexpr (requires { engine.increment; }) {
    engine.state = lcg_advance(engine.state, delta, Engine::kMultiplier, engine.increment);
  } else if constexpr (requires { engine.counter; }) {
    engine.add_to_counter(delta);
    engine.buffer.fill(0);
    engine.position = Philox::kWords;
  } else {
    refuse("advance", name);
  }
  if constexpr (kKeepsHalf<Engine>) engine.forget_half();
}

template <class Engine>
void jump_engine(Engine& engine, std::uint64_t jumps, std::string_view name) {
  if constexpr (requires { engine.increment; }) {
    advance_engine(engine, kPcgJump * jumps, name);
  } else if constexpr (requires { engine.counter; }) {
    engine.counter[2] += jumps;
    if (engine.counter[2] < jumps) ++engine.counter[3];
    advance_engine(engine, 0, name);
  } else if constexpr (requires { engine.jump(); }) {
    for (; jumps > 0; --jumps) engine.jump();
  } else {
    refuse("jump", name);
  }
}

// --- the virtual face of an engine --------------------------------------------------------------

template <class Engine>
class Generator final : public BitGenerator {
 public:
  explicit Generator(const Engine& engine) : engine_(engine) {}

  BitGeneratorKind kind() const override { return Engine::kKind; }
  std::unique_ptr<BitGenerator> clone() const override {
    return std::make_unique<Generator>(engine_);
  }

  BitGeneratorState state() const override {
    BitGeneratorState result;
    result.kind = Engine::kKind;
    result.words = words_of(engine_);
    if constexpr (kKeepsHalf<Engine>) {
      result.has_uint32 = engine_.has_uint32;
      result.uinteger = engine_.uinteger;
    }
    return result;
  }
  void set_state(const BitGeneratorState& state) override {
    if (state.kind != Engine::kKind || state.words.size() != words_of(engine_).size())
      throw Error(ErrorKind::kValue, "state must be for a " + std::string(name()) + " RNG");
    set_words(engine_, state.words);
    if constexpr (kKeepsHalf<Engine>) {
      engine_.has_uint32 = state.has_uint32;
      engine_.uinteger = state.uinteger;
    }
  }

  std::unique_ptr<BitGenerator> jumped(std::uint64_t jumps) const override {
    Engine copy = engine_;
    jump_engine(copy, jumps, name());
    return std::make_unique<Generator>(copy);
  }
  void advance(std::uint64_t low, std::uint64_t high) override {
    advance_engine(engine_, make_uint128(high, low), name());
  }

  std::uint64_t next_uint64() override { return engine_.next_uint64(); }
  std::uint32_t next_uint32() override { return engine_.next_uint32(); }
  double next_double() override { return engine_.next_double(); }
  std::uint64_t next_raw() override { return engine_.next_raw(); }
  float next_float() override { return engine_.next_float(); }

  void fill_uint32(std::uint32_t* out, std::int64_t count) override {
    fill(out, count, [](Engine& engine) { return engine.next_uint32(); });
  }
  void fill_uint64(std::uint64_t* out, std::int64_t count) override {
    fill_each_word(out, count, [](Engine& engine) { return engine.next_uint64(); });
  }
  void fill_double(double* out, std::int64_t count) override {
    fill_each_word(out, count, [](Engine& engine) { return engine.next_double(); });
  }
  void fill_float(float* out, std::int64_t count) override {
    fill(out, count, [](Engine& engine) { return engine.next_float(); });
  }
  void fill_standard_normal(double* out, std::int64_t count) override {
    fill(out, count, [&t = normal_ziggurat()](Engine& engine) { return draw_normal(engine, t); });
  }
  void fill_standard_normal(float* out, std::int64_t count) override {
    fill(out, count,
         [&t = normal_ziggurat_float()](Engine& engine) { return draw_normal(engine, t); });
  }
  void fill_standard_exponential(double* out, std::int64_t count) override {
    fill(out, count,
         [&t = exponential_ziggurat()](Engine& engine) { return draw_exponential(engine, t); });
  }
  void fill_standard_exponential(float* out, std::int64_t count) override {
    fill(out, count, [&t = exponential_ziggurat_float()](Engine& engine) {
      return draw_exponential(engine, t);
    });
  }

 private:
  // Some draws at a time, so that an interrupt is heard.
  static constexpr std::int64_t kStretch = std::int64_t{1} << 20;

  template <class T, class Draw>
  void fill(T* out, std::int64_t count, Draw draw) {
    for (std::int64_t done = 0; done < count; done += kStretch) {
      if (done > 0) check_interrupt();
      fill_stretch(out + done, std::min(kStretch, count - done), draw);
    }
  }

  // A small engine is worked on as a copy, so that its state stays in registers.
  template <class T, class Draw>
  void fill_stretch(T* out, std::int64_t count, Draw draw) {
    if constexpr (sizeof(Engine) <= 64) {
      Engine local = engine_;
      for (std::int64_t i = 0; i < count; ++i) out[i] = draw(local);
      engine_ = local;
    } else {
      for (std::int64_t i = 0; i < count; ++i) out[i] = draw(engine_);
    }
  }

  // Draws of exactly one word each: an engine that can leap is split among the threads.
  template <class T, class Draw>
  void fill_each_word(T* out, std::int64_t count, Draw draw) {
    if constexpr (requires { engine_.increment; }) {
      const std::int64_t grain = worth_a_thread(1 << 16);
      if (count <= grain) return fill_stretch(out, count, draw);
      parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
        Engine local = leap(static_cast<Uint128>(begin));
        for (std::int64_t i = begin; i < end; ++i) out[i] = draw(local);
      });
      engine_ = leap(static_cast<Uint128>(count));
    } else {
      fill(out, count, draw);
    }
  }

  Engine leap(Uint128 words) const {
    Engine result = engine_;
    result.state = lcg_advance(engine_.state, words, Engine::kMultiplier, engine_.increment);
    return result;
  }

  Engine engine_;
};

template <class Engine>
std::unique_ptr<BitGenerator> seeded(const SeedSequence& seed) {
  Engine engine;
  seed_engine(engine, seed);
  return std::make_unique<Generator<Engine>>(engine);
}

}  // namespace

std::string_view BitGenerator::name() const {
  switch (kind()) {
    case BitGeneratorKind::kPcg64:
      return "PCG64";
    case BitGeneratorKind::kPcg64Dxsm:
      return "PCG64DXSM";
    case BitGeneratorKind::kMt19937:
      return "MT19937";
    case BitGeneratorKind::kPhilox:
      return "Philox";
    case BitGeneratorKind::kSfc64:
      return "SFC64";
  }
  return {};
}

std::unique_ptr<BitGenerator> BitGenerator::create(BitGeneratorKind kind,
                                                   const SeedSequence& seed) {
  switch (kind) {
    case BitGeneratorKind::kPcg64:
      return seeded<Pcg64>(seed);
    case BitGeneratorKind::kPcg64Dxsm:
      return seeded<Pcg64Dxsm>(seed);
    case BitGeneratorKind::kMt19937:
      return seeded<Mt19937>(seed);
    case BitGeneratorKind::kPhilox:
      return seeded<Philox>(seed);
    case BitGeneratorKind::kSfc64:
      return seeded<Sfc64>(seed);
  }
  return nullptr;
}

std::unique_ptr<BitGenerator> BitGenerator::legacy_mt19937(std::uint32_t seed) {
  Mt19937 engine;
  engine.seed(seed);
  return std::make_unique<Generator<Mt19937>>(engine);
}

std::unique_ptr<BitGenerator> BitGenerator::legacy_mt19937(std::span<const std::uint32_t> key) {
  if (key.empty()) throw Error(ErrorKind::kValue, "Seed must be non-empty");
  Mt19937 engine;
  engine.seed(key);
  return std::make_unique<Generator<Mt19937>>(engine);
}

}  // namespace strider::nd::random
