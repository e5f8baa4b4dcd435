// numpy.random's bit generators as types of the language: PCG64, PCG64DXSM, MT19937, Philox, SFC64.
#include "interpreter/builtins/numpy/argument_manners.h"
#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/random/random_arguments.h"
#include "interpreter/builtins/numpy/random/random_objects.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

using nd::random::BitGenerator;
using nd::random::BitGeneratorKind;

struct KindRow {
  const char* type_name;
  const char* module;
  const char* name;
};
constexpr KindRow kKinds[] = {
    {"numpy.random._pcg64.PCG64", "numpy.random._pcg64", "PCG64"},
    {"numpy.random._pcg64.PCG64DXSM", "numpy.random._pcg64", "PCG64DXSM"},
    {"numpy.random._mt19937.MT19937", "numpy.random._mt19937", "MT19937"},
    {"numpy.random._philox.Philox", "numpy.random._philox", "Philox"},
    {"numpy.random._sfc64.SFC64", "numpy.random._sfc64", "SFC64"},
};
constexpr int kKindCount = std::size(kKinds);

BitGeneratorObject& generator_of(const Value& self) { return *self.as<BitGeneratorObject>(); }

template <int kKind>
Value construct(Type* cls, const Arguments& arguments) {
  static const Signature& signature =
      *new Signature(fmt::format("{}(seed=None)", kKinds[kKind].name));
  Value seed;
  bind_compiled(signature, arguments, &seed);
  return make_bit_generator(static_cast<BitGeneratorKind>(kKind), seed, cls);
}

void append_counter(const Value& value, std::size_t count, std::vector<std::uint64_t>& words) {
  std::vector<std::uint64_t> given;
  if (is_integer(value)) {
    Integer rest = to_integer(exact_int(value));
    for (; rest != 0; rest >>= 64)
      given.push_back(static_cast<std::uint64_t>(Integer(rest & ~std::uint64_t{0})));
  } else {
    nd::Array array = to_array(value).ravel().contiguous(nd::DType::kUInt64);
    given.assign(array.as<std::uint64_t>(), array.as<std::uint64_t>() + array.size());
  }
  if (given.size() > count)
    raise(errors::ValueError, "counter or key must be less than 2**{}", 64 * count);
  given.resize(count);
  words.insert(words.end(), given.begin(), given.end());
}

// Philox(seed, counter, key)
Value construct_philox(Type* cls, const Arguments& arguments) {
  static const Signature& signature = *new Signature("Philox(seed=None, counter=None, key=None)");
  Value p[3];
  bind_compiled(signature, arguments, p);
  if (is_given(p[0]) && is_given(p[2]))
    raise(errors::ValueError, "seed and key cannot be both used");
  Ref<BitGeneratorObject> made = make_bit_generator(BitGeneratorKind::kPhilox, p[0], cls);
  nd::random::BitGeneratorState state = made->bits->state(), fresh = state;
  fresh.words.clear();
  append_counter(is_given(p[1]) ? p[1] : Value::integer(0), 4, fresh.words);
  if (is_given(p[2])) append_counter(p[2], 2, fresh.words);
  fresh.words.insert(fresh.words.end(),
                     state.words.begin() + static_cast<std::ptrdiff_t>(fresh.words.size()),
                     state.words.end());
  made->bits->set_state(fresh);
  return made;
}

Value get_state(const Value& self) { return state_dict(*generator_of(self).bits); }

void set_state(const Value& self, const Value& value) {
  BitGenerator& bits = *generator_of(self).bits;
  bits.set_state(read_state_dict(bits, value));
}

// What pickles keep: (state, seed sequence).
Value get_pickled_state(const Parameters& p) {
  return make_tuple({get_state(p[0]), generator_of(p[0]).seed_sequence});
}

// __setstate__(state): such a pair, or a state alone.
Value set_pickled_state(const Parameters& p) {
  if (!is_tuple(p[1])) {
    set_state(p[0], p[1]);
    return Value::none();
  }
  const Tuple& parts = *p[1].as<Tuple>();
  if (parts.size() != 2) raise(errors::ValueError, "state must be (state, seed sequence)");
  set_state(p[0], parts[0]);
  generator_of(p[0]).seed_sequence = parts[1];
  return Value::none();
}

// random_raw(size, output)
Value random_raw(const Parameters& p) {
  BitGenerator& bits = *generator_of(p[0]).bits;
  if (!is_given(p[1])) {
    Value drawn = from_uint64(bits.next_raw());
    return truth(p[2]) ? drawn : Value::none();
  }
  nd::Array array = nd::Array::empty(to_shape(p[1]), nd::DType::kUInt64);
  auto* place = array.mutable_as<std::uint64_t>();
  for (std::int64_t i = 0; i < array.size(); ++i) place[i] = bits.next_raw();
  return truth(p[2]) ? wrap(array) : Value::none();
}

Value jumped(const Parameters& p) {
  const BitGeneratorObject& object = generator_of(p[0]);
  auto jumps = static_cast<std::uint64_t>(to_int64(p[1]));
  return make<BitGeneratorObject>(object.bits->jumped(jumps), object.seed_sequence);
}

Value advance(const Parameters& p) {
  BitGenerator& bits = *generator_of(p[0]).bits;
  Integer span = Integer(1) << 128;
  Integer delta = to_integer(exact_int(p[1])) % span;
  if (delta < 0) delta += span;
  bits.advance(static_cast<std::uint64_t>(Integer(delta & ~std::uint64_t{0})),
               static_cast<std::uint64_t>(Integer(delta >> 64)));
  return p[0];
}

Value spawn(const Parameters& p) {
  const BitGeneratorObject& object = generator_of(p[0]);
  if (object.seed_sequence.is_none())
    raise(errors::TypeError, "The underlying SeedSequence does not implement spawning.");
  Value children = call_method(object.seed_sequence, intern("spawn"), p[1]);
  Values made;
  for (const Value& child : children.as<List>()->items)
    made.push_back(make_bit_generator(object.bits->kind(), child));
  return make_list(std::move(made));
}

const NativeRow kMethods[] = {
    {"random_raw(self, size=None, output=True)", random_raw, "The next bits as integers."},
    {"jumped(self, jumps=1)", jumped, "A generator far ahead in the same stream."},
    {"spawn(self, n_children)", spawn, "Generators of independent streams."},
    {"__getstate__(self)", get_pickled_state, "The state and the seed sequence."},
    {"__setstate__(self, state)", set_pickled_state, "Goes to a state that a pickle kept."},
};

const NativeRow kAdvanceMethods[] = {
    {"advance(self, delta)", advance, "Moves ahead by this many draws."},
};

Value lock_of(const Value& self) {
  Value& lock = generator_of(self).lock;
  if (lock.is_empty()) lock = call(get_attribute(import_module("threading"), intern("RLock")));
  return lock;
}

const PropertyRow kProperties[] = {
    {"lock", lock_of, nullptr, "What threads that share the generator hold while they draw."},
    {"state", get_state, set_state, "The state as a dict."},
    {"seed_seq", [](const Value& self) { return generator_of(self).seed_sequence; }, nullptr,
     "The seed sequence it was made from."},
};

template <int... kIndices>
Value (*construct_of(int kind, std::integer_sequence<int, kIndices...>))(Type*, const Arguments&) {
  static constexpr Value (*kConstruct[])(Type*, const Arguments&) = {construct<kIndices>...};
  return kConstruct[kind];
}

Type* make_type(int kind) {
  const KindRow& row = kKinds[kind];
  Type& type = new_type(row.type_name, BitGeneratorObject::base_type());
  type.module = row.module;
  type.qualified_name = row.name;
  type.instance_layout = Layout::kOther;
  type.slots.construct = construct_of(kind, std::make_integer_sequence<int, kKindCount>());
  auto each = static_cast<BitGeneratorKind>(kind);
  if (each == BitGeneratorKind::kPhilox) type.slots.construct = construct_philox;
  if (each != BitGeneratorKind::kMt19937 && each != BitGeneratorKind::kSfc64)
    type.add(kAdvanceMethods);
  return &type;
}

}  // namespace

Type& BitGeneratorObject::base_type() {
  static Type& type = *[] {
    Type& made = new_type("numpy.random.bit_generator.BitGenerator", Type::object_type());
    made.module = "numpy.random.bit_generator";
    made.qualified_name = "BitGenerator";
    made.instance_layout = Layout::kOther;
    made.add(kMethods);
    made.add(kProperties);
    return &made;
  }();
  return type;
}

Type& BitGeneratorObject::type_object(BitGeneratorKind kind) {
  static Type* types[kKindCount];
  Type*& type = types[static_cast<int>(kind)];
  if (!type) type = make_type(static_cast<int>(kind));
  return *type;
}

Ref<BitGeneratorObject> make_bit_generator(BitGeneratorKind kind, const Value& seed, Type* type) {
  Ref<SeedSequenceObject> sequence = to_seed_sequence(seed);
  return make<BitGeneratorObject>(BitGenerator::create(kind, sequence->sequence), Value(sequence),
                                  type);
}

}  // namespace strider::lang
