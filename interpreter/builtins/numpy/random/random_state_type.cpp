// numpy.random.RandomState as a type of the language: seeding and state.
#include <fmt/format.h>

#include "interpreter/builtins/numpy/argument_manners.h"
#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/builtins/numpy/random/random_objects.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using nd::random::BitGenerator;
using nd::random::BitGeneratorKind;
using nd::random::LegacyState;

LegacyState& state_of(const Value& self) { return self.as<RandomStateObject>()->state; }

std::uint32_t seed_word(std::int64_t seed) {
  if (seed < 0 || seed > 0xffffffff)
    raise(errors::ValueError, "Seed must be between 0 and 2**32 - 1");
  return static_cast<std::uint32_t>(seed);
}

[[noreturn]] void refuse_seed(std::string_view dtype, bool single) {
  raise(errors::TypeError,
        "Cannot cast {} from dtype('{}') to dtype('int64') according to the rule 'safe'",
        single ? "scalar" : "array data", dtype);
}

// A seed as numbers: TypeError for texts and objects.
nd::Array seed_numbers(const Value& seed) {
  try {
    return to_array(seed);
  } catch (const UnsupportedElements&) {
  }
  Value boxed = call_in_npx("_boxed_array", {seed});
  Value dtype = get_attribute(boxed, names().dtype);
  std::string text = str_text(get_attribute(dtype, intern("str")));
  bool single = to_shape(get_attribute(boxed, intern("shape"))).size() == 0;
  refuse_seed(text == "|O" ? "O" : text, single);
}

std::vector<std::uint32_t> seed_array(const Value& seed) {
  nd::Array array = seed_numbers(seed);
  if (array.size() == 0) raise(errors::ValueError, "Seed must be non-empty");
  if (!nd::can_cast(array.dtype(), nd::DType::kInt64, nd::Casting::kSafe))
    refuse_seed(nd::name(array.dtype()), array.rank() == 0);
  if (array.rank() > 1) raise(errors::ValueError, "Seed array must be 1-d");
  nd::Array words = array.contiguous(nd::DType::kInt64);
  std::vector<std::uint32_t> key;
  for (std::int64_t i = 0; i < words.size(); ++i)
    key.push_back(seed_word(words.as<std::int64_t>()[i]));
  return key;
}

std::unique_ptr<BitGenerator> seeded(const Value& seed) {
  std::int64_t number;
  if (try_count(seed, number)) return BitGenerator::legacy_mt19937(seed_word(to_int64(seed)));
  if (is_given(seed)) return BitGenerator::legacy_mt19937(seed_array(seed));
  nd::random::SeedSequence sequence(nd::random::SeedSequence::system_entropy());
  return BitGenerator::create(BitGeneratorKind::kMt19937, sequence);
}

Value construct(Type* cls, const Arguments& arguments) {
  static const Signature& signature = *new Signature("RandomState(seed=None)");
  Value seed;
  bind_compiled(signature, arguments, &seed);
  auto made = make<RandomStateObject>(LegacyState(), cls);
  if (is_instance(seed, BitGeneratorObject::base_type()))
    made->draw_from(seed);
  else
    seed_legacy(made->state, seed);
  return made;
}

Value get_source(const Value& self) { return self.as<RandomStateObject>()->source(); }

void set_source(const Value& self, const Value& value) {
  if (!is_instance(value, BitGeneratorObject::base_type()))
    raise(errors::AttributeError, "'{}' object has no attribute 'capsule'", type_name(value));
  self.as<RandomStateObject>()->draw_from(value);
}

Value state_str(const Value& self) {
  return make_str(fmt::format("RandomState({})", state_of(self).bits->name()));
}

Value state_repr(const Value& self) {
  return make_str(fmt::format("RandomState({}) at 0x{:X}", state_of(self).bits->name(),
                              reinterpret_cast<std::uintptr_t>(self.object())));
}

Value seed(const Parameters& p) {
  if (state_of(p[0]).bits->kind() != BitGeneratorKind::kMt19937)
    raise(errors::TypeError, "can only re-seed a MT19937 BitGenerator");
  seed_legacy(state_of(p[0]), p[1]);
  return Value::none();
}

// get_state(legacy)
Value get_state(const Parameters& p) {
  const LegacyState& state = state_of(p[0]);
  Value dict = state_dict(*state.bits);
  dict.as<Dict>()->set(intern("has_gauss"), Value::integer(state.has_gauss));
  dict.as<Dict>()->set(intern("gauss"), Value::real(state.has_gauss ? state.gauss : 0.0));
  bool twister = state.bits->kind() == BitGeneratorKind::kMt19937;
  if (truth(p[1]) && !twister)
    warn(errors::RuntimeWarning(),
         "get_state and legacy can only be used with the MT19937 BitGenerator. To silence this "
         "warning, set `legacy` to False.");
  if (!truth(p[1]) || !twister) return dict;
  auto get = [](const Value& from, const char* key) { return get_item(from, make_str(key)); };
  Value inner = get(dict, "state");
  return make_tuple({get(dict, "bit_generator"), get(inner, "key"), get(inner, "pos"),
                     get(dict, "has_gauss"), get(dict, "gauss")});
}

Value get_pickled_state(const Parameters& p) {
  Value arguments[] = {p[0], Value::boolean(false)};
  return get_state(Parameters(arguments, 2));
}

// The dict form of ('MT19937', key, position, has_gauss, gauss).
Value dict_of_sequence(const Value& value) {
  Ref<Tuple> items = to_tuple(value);
  if (items->size() != 3 && items->size() != 5)
    raise(errors::ValueError, "state must be a dict or a tuple of 3 or 5 items");
  if (!is_str((*items)[0]) || text_of((*items)[0]) != "MT19937")
    raise(errors::ValueError, "set_state can only be used with legacy MT19937 state instances.");
  Ref<Dict> inner = make_dict(), dict = make_dict();
  inner->set(intern("key"), (*items)[1]);
  inner->set(intern("pos"), (*items)[2]);
  dict->set(intern("bit_generator"), (*items)[0]);
  dict->set(intern("state"), inner);
  if (items->size() == 5) {
    dict->set(intern("has_gauss"), (*items)[3]);
    dict->set(intern("gauss"), (*items)[4]);
  }
  return dict;
}

Value set_state(const Parameters& p) {
  if (!is_dict(p[1]) && !is_tuple(p[1]) && !is_list(p[1]))
    raise(errors::TypeError, "state must be a dict or a tuple.");
  Value dict = is_dict(p[1]) ? p[1] : dict_of_sequence(p[1]);
  LegacyState& state = state_of(p[0]);
  state.bits->set_state(read_state_dict(*state.bits, dict));
  Value* has_gauss = dict.as<Dict>()->find(intern("has_gauss"));
  Value* gauss = dict.as<Dict>()->find(intern("gauss"));
  state.has_gauss = has_gauss && truth(*has_gauss);
  state.gauss = gauss ? to_double(*gauss) : 0.0;
  return Value::none();
}

const PropertyRow kProperties[] = {
    {"_bit_generator", get_source, set_source, "The bit generator that it draws from."},
};

const NativeRow kMethods[] = {
    {"__getstate__(self)", get_pickled_state, "The state of the stream as a dict."},
    {"__setstate__(self, state)", set_state, "Goes to a state that a pickle kept."},
    {"seed(self, seed=None)", seed, "Starts the stream anew."},
    {"get_state(self, legacy=True)", get_state, "The state of the stream."},
    {"set_state(self, state)", set_state, "Goes back to a state of the stream."},
};

}  // namespace

const Value& RandomStateObject::source() {
  if (source_.is_empty()) source_ = make<BitGeneratorObject>(state.bits, Value::none());
  return source_;
}

void RandomStateObject::draw_from(const Value& bit_generator) {
  source_ = bit_generator;
  state = {.bits = bit_generator.as<BitGeneratorObject>()->bits};
}

void seed_legacy(LegacyState& state, const Value& seed) {
  std::unique_ptr<BitGenerator> fresh = seeded(seed);
  if (state.bits)
    state.bits->set_state(fresh->state());
  else
    state.bits = std::move(fresh);
  state.has_gauss = false;
}

Type& RandomStateObject::type_object() {
  static Type& type = *[] {
    Type& made = new_type("numpy.random.mtrand.RandomState", Type::object_type());
    made.module = "numpy.random.mtrand";
    made.qualified_name = "RandomState";
    made.doc = "Draws random numbers by NumPy's first algorithms, fixed for ever.";
    made.instance_layout = Layout::kOther;
    made.slots.repr = state_repr;
    made.slots.str = state_str;
    made.slots.construct = construct;
    made.add(kMethods);
    made.add(kProperties);
    made.add(random_state_methods());
    made.add(random_state_distributions());
    return &made;
  }();
  return type;
}

}  // namespace strider::lang
