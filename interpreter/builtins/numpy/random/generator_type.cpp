// numpy.random.Generator as a type of the language, and default_rng.
#include <fmt/format.h>

#include "interpreter/builtins/numpy/argument_manners.h"
#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/random/random_objects.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

bool is_bit_generator(const Value& value) {
  return is_instance(value, BitGeneratorObject::base_type());
}

Value construct(Type* cls, const Arguments& arguments) {
  static const Signature& signature = *new Signature("Generator(bit_generator)");
  Value source;
  bind_compiled(signature, arguments, &source);
  if (!is_bit_generator(source)) {
    bool of_generators = source.has_layout(Layout::kType) &&
                         source.as<Type>()->is_subclass_of(&BitGeneratorObject::base_type());
    if (of_generators)
      raise(errors::ValueError,
            "Invalid bit generator. The bit generator must be instantiated.");
    get_attribute(source, intern("capsule"));  // what NumPy asks for, an AttributeError of others
    raise(errors::ValueError, "Bit generator must be instantiated");
  }
  return make<GeneratorObject>(source.as<BitGeneratorObject>(), cls);
}

Value generator_str(const Value& self) {
  return make_str(fmt::format("Generator({})", self.as<GeneratorObject>()->bits().name()));
}

Value generator_repr(const Value& self) {
  return make_str(fmt::format("Generator({}) at 0x{:X}", self.as<GeneratorObject>()->bits().name(),
                              reinterpret_cast<std::uintptr_t>(self.object())));
}

Value spawn(const Parameters& p) {
  Value children = call_method(Value(p[0].as<GeneratorObject>()->source), intern("spawn"), p[1]);
  Values made;
  for (const Value& child : children.as<List>()->items)
    made.push_back(make<GeneratorObject>(child.as<BitGeneratorObject>()));
  return make_list(std::move(made));
}

// __setstate__(state): older pickles hold the bit generator's state.
Value set_pickled_state(const Parameters& p) {
  if (is_dict(p[1])) set_attribute(p[0].as<GeneratorObject>()->source, intern("state"), p[1]);
  return Value::none();
}

const NativeRow kMethods[] = {
    {"__getstate__(self)", [](const Parameters&) { return Value::none(); },
     "None: the bit generator has it."},
    {"__setstate__(self, state)", set_pickled_state, "Goes to a state that a pickle kept."},
    {"spawn(self, n_children)", spawn, "Generators of independent streams."},
};

const PropertyRow kProperties[] = {
    {"bit_generator", [](const Value& self) { return Value(self.as<GeneratorObject>()->source); },
     nullptr, "The source of its random bits."},
};

}  // namespace

Type& GeneratorObject::type_object() {
  static Type& type = *[] {
    Type& made = new_type("numpy.random._generator.Generator", Type::object_type());
    made.module = "numpy.random._generator";
    made.qualified_name = "Generator";
    made.doc = "Draws random numbers from many distributions.";
    made.instance_layout = Layout::kOther;
    made.slots.repr = generator_repr;
    made.slots.str = generator_str;
    made.slots.construct = construct;
    made.add(kMethods);
    made.add(kProperties);
    made.add(generator_methods());
    made.add(generator_distributions());
    return &made;
  }();
  return type;
}

Value default_generator(const Value& seed) {
  if (is_instance(seed, GeneratorObject::type_object())) return seed;
  if (is_bit_generator(seed)) return make<GeneratorObject>(seed.as<BitGeneratorObject>());
  if (is_instance(seed, RandomStateObject::type_object()))
    return make<GeneratorObject>(
        Ref<BitGeneratorObject>(seed.as<RandomStateObject>()->source().as<BitGeneratorObject>()));
  return make<GeneratorObject>(make_bit_generator(nd::random::BitGeneratorKind::kPcg64, seed));
}

}  // namespace strider::lang
