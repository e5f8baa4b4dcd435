// The module numpy.random: its types, default_rng, and the methods of one global RandomState.
#include "interpreter/builtins/numpy/libraries/library_modules.h"
#include "interpreter/builtins/numpy/numpy_module.h"
#include "interpreter/builtins/numpy/random/random_objects.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"

namespace strider::lang {
namespace {

using nd::random::BitGeneratorKind;

constexpr char kPackage[] = "numpy.random";

Value default_rng(const Parameters& p) { return default_generator(p[0]); }

Value global_state() { return get_attribute(import_module(kPackage), intern("_rand")); }

Value get_source(const Parameters&) {
  return get_attribute(global_state(), intern("_bit_generator"));
}

Value set_source(const Parameters& p) {
  set_attribute(global_state(), intern("_bit_generator"), p[0]);
  return Value::none();
}

const NativeRow kFunctions[] = {
    {"get_bit_generator()", get_source, "The bit generator that the module's functions draw from."},
    {"set_bit_generator(bitgen)", set_source, "Has the module's functions draw from another one."},
    {"default_rng(seed=None)", default_rng,
     "A Generator on PCG64, or on the bit generator that is given."},
};

template <BitGeneratorKind kKind>
Value bit_generator_type() {
  return &BitGeneratorObject::type_object(kKind);
}

// The state behind the module's own functions, freshly seeded.
Value make_global_state() {
  nd::random::LegacyState state;
  seed_legacy(state, Value::none());
  return make<RandomStateObject>(std::move(state));
}

const ConstantRow kConstants[] = {
    {"Generator", [] { return Value(&GeneratorObject::type_object()); }},
    {"RandomState", [] { return Value(&RandomStateObject::type_object()); }},
    {"SeedSequence", [] { return Value(&SeedSequenceObject::type_object()); }},
    {"BitGenerator", [] { return Value(&BitGeneratorObject::base_type()); }},
    {"PCG64", bit_generator_type<BitGeneratorKind::kPcg64>},
    {"PCG64DXSM", bit_generator_type<BitGeneratorKind::kPcg64Dxsm>},
    {"MT19937", bit_generator_type<BitGeneratorKind::kMt19937>},
    {"Philox", bit_generator_type<BitGeneratorKind::kPhilox>},
    {"SFC64", bit_generator_type<BitGeneratorKind::kSfc64>},
    {"_rand", make_global_state},
};

std::string_view name_of(const NativeRow& row) {
  std::string_view signature = row.signature;
  return signature.substr(0, signature.find('('));
}

bool is_global_function(std::string_view name) {
  if (name == "get_state" || name == "set_state") return true;
  for (const NativeRow& row : random_state_methods())
    if (name == name_of(row)) return name != "tomaxint" && name != "seed";
  for (const NativeRow& row : random_state_distributions())
    if (name == name_of(row)) return true;
  return false;
}

Value find(Name name) {
  std::string_view text = text_of(name);
  if (text == "ranf" || text == "sample") text = "random_sample";
  if (is_global_function(text)) {
    return get_attribute(global_state(), intern(text));
  }
  return find_in_namespace(kPackage, text);
}

void list(std::vector<std::string_view>& names) {
  for (const NativeRow& row : random_state_methods())
    if (is_global_function(name_of(row))) names.push_back(name_of(row));
  for (const NativeRow& row : random_state_distributions()) names.push_back(name_of(row));
  for (const char* name : {"seed", "get_state", "set_state", "ranf", "sample"})
    names.push_back(name);
}

}  // namespace

const NativeModule kNumpyRandomModule = {kPackage, "Random numbers.", kFunctions, kConstants, find,
                                         list};

}  // namespace strider::lang
