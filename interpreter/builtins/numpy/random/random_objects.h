// The objects of numpy.random: seed sequences, bit generators, Generator and RandomState. Knows
// nothing of what they do.
#pragma once

#include <strider/nd/random.h>

#include <memory>
#include <span>
#include <utility>

#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/type/type.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {

class SeedSequenceObject : public Object {
 public:
  SeedSequenceObject(Value entropy, nd::random::SeedSequence sequence, Type* type = nullptr)
      : Object(Layout::kOther, type ? type : &type_object()),
        entropy(std::move(entropy)),
        sequence(std::move(sequence)) {}
  static Type& type_object();
  Value entropy;  // as given; an integer where it came from the system
  nd::random::SeedSequence sequence;
};

class BitGeneratorObject : public Object {
 public:
  BitGeneratorObject(std::shared_ptr<nd::random::BitGenerator> bits, Value seed_sequence,
                     Type* type = nullptr)
      : Object(Layout::kOther, type ? type : &type_object(bits->kind())),
        bits(std::move(bits)),
        seed_sequence(std::move(seed_sequence)) {}
  static Type& base_type();  // numpy.random.BitGenerator
  static Type& type_object(nd::random::BitGeneratorKind kind);
  const std::shared_ptr<nd::random::BitGenerator> bits;
  Value seed_sequence;  // None for legacy seeding
  Value lock;           // for programs with threads; Empty until one asks for it
};

class GeneratorObject : public Object {
 public:
  explicit GeneratorObject(Ref<BitGeneratorObject> source, Type* type = nullptr)
      : Object(Layout::kOther, type ? type : &type_object()), source(std::move(source)) {}
  static Type& type_object();
  nd::random::BitGenerator& bits() const { return *source->bits; }
  const Ref<BitGeneratorObject> source;
};

class RandomStateObject : public Object {
 public:
  explicit RandomStateObject(nd::random::LegacyState state, Type* type = nullptr)
      : Object(Layout::kOther, type ? type : &type_object()), state(std::move(state)) {}
  static Type& type_object();
  // The bit generator that it draws from, as an object of its own.
  const Value& source();
  // Draws from another bit generator from now on.
  void draw_from(const Value& bit_generator);
  nd::random::LegacyState state;

 private:
  Value source_;  // Empty until a program gives or asks for it
};

// A seed sequence from anything numpy.random.SeedSequence takes; one as it is.
Ref<SeedSequenceObject> to_seed_sequence(const Value& seed);
Ref<BitGeneratorObject> make_bit_generator(nd::random::BitGeneratorKind kind, const Value& seed,
                                           Type* type = nullptr);
// numpy.random.default_rng(seed).
Value default_generator(const Value& seed);
// Seeds as numpy.random.seed(seed) does.
void seed_legacy(nd::random::LegacyState& state, const Value& seed);

// The state of a bit generator as the dict that its attribute `state` gives, and back.
Value state_dict(const nd::random::BitGenerator& bits);
nd::random::BitGeneratorState read_state_dict(const nd::random::BitGenerator& bits,
                                              const Value& dict);

// The tables of methods, by file.
std::span<const NativeRow> generator_methods();
std::span<const NativeRow> generator_distributions();
std::span<const NativeRow> random_state_methods();
std::span<const NativeRow> random_state_distributions();

}  // namespace strider::lang
