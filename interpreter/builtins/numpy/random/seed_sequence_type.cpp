// numpy.random.SeedSequence as a type of the language.
#include <fmt/format.h>

#include "interpreter/builtins/numpy/argument_manners.h"
#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/random/random_arguments.h"
#include "interpreter/builtins/numpy/random/random_objects.h"
#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using nd::random::SeedSequence;
using Words = std::vector<std::uint32_t>;

SeedSequenceObject& sequence_of(const Value& self) { return *self.as<SeedSequenceObject>(); }

Value integer_of(const Words& words) {
  Integer total = 0;
  for (std::size_t i = words.size(); i-- > 0;) total = (total << 32) | words[i];
  return from_integer(total);
}

[[noreturn]] void refuse_entropy(const Value& entropy) {
  raise(errors::TypeError, "SeedSequence expects int or sequence of ints for entropy not {}",
        repr_text(entropy));
}

// The words of an integer or of a (nested) sequence of integers.
void append_entropy(const Value& value, Words& words) {
  check_stack();
  if (is_integer(value)) return append_words(exact_int(value), words);
  if (is_numpy_scalar(value)) {
    if (!nd::is_integer(scalar_dtype(value))) refuse_entropy(value);
    return append_words(to_python(scalar_of(value)), words);
  }
  if (is_str(value)) {
    bool hexadecimal = text_of(value).starts_with("0x");
    if (!hexadecimal && text_of(value).find_first_not_of("0123456789") != std::string_view::npos)
      raise(errors::TypeError, "SeedSequence expects int or sequence of ints for entropy not {}",
            text_of(value));
    return append_words(parse_int(text_of(value), hexadecimal ? 16 : 10), words);
  }
  const Slots& slots = type_of(value)->slots;
  if (value.is_float() || (!slots.iterate && !slots.get_item)) refuse_entropy(value);
  if (is_array(value) && array_of(value).rank() == 0)
    return append_entropy(make_scalar(array_of(value).item()), words);
  Iteration items(value);
  Value item;
  while (items.next(item)) append_entropy(item, words);
}

Ref<SeedSequenceObject> make_sequence(const Value& entropy, Words key, int pool_size,
                                      std::uint32_t children, Type* type) {
  Words words;
  Value known = entropy;
  if (entropy.is_none()) {
    words = SeedSequence::system_entropy();
    known = integer_of(words);
  } else {
    append_entropy(entropy, words);
  }
  return make<SeedSequenceObject>(
      known, SeedSequence(std::move(words), std::move(key), pool_size, children), type);
}

// SeedSequence(entropy, *, spawn_key, pool_size, n_children_spawned)
Value construct(Type* cls, const Arguments& arguments) {
  static const Signature& signature = *new Signature(
      "SeedSequence(entropy=None, *, spawn_key=(), pool_size=4, n_children_spawned=0)");
  Value p[4];
  bind_compiled(signature, arguments, p);
  std::int64_t pool_size = to_int64(p[2]);
  if (pool_size < 4) raise(errors::ValueError, "The size of the entropy pool should be at least 4");
  Words key;
  append_entropy(p[1], key);
  return make_sequence(p[0], std::move(key), static_cast<int>(pool_size),
                       static_cast<std::uint32_t>(to_int64(p[3])), cls);
}

Value key_tuple(const SeedSequence& sequence) {
  Values items;
  for (std::uint32_t word : sequence.spawn_key()) items.push_back(Value::integer(word));
  return make_tuple(std::move(items));
}

Value repr_sequence(const Value& self) {
  const SeedSequenceObject& object = sequence_of(self);
  const SeedSequence& sequence = object.sequence;
  std::string text = "SeedSequence(\n    entropy=" + repr_text(object.entropy) + ",\n";
  if (!sequence.spawn_key().empty())
    text += "    spawn_key=" + repr_text(key_tuple(sequence)) + ",\n";
  if (sequence.pool().size() != 4)
    text += fmt::format("    pool_size={},\n", sequence.pool().size());
  if (sequence.children_spawned() != 0)
    text += fmt::format("    n_children_spawned={},\n", sequence.children_spawned());
  return make_str(text + ")");
}

// generate_state(n_words, dtype)
Value generate_state(const Parameters& p) {
  const SeedSequence& sequence = sequence_of(p[0]).sequence;
  std::int64_t count = to_int64(p[1]);
  if (count < 0) raise(errors::ValueError, "negative dimensions are not allowed");
  nd::DType dtype = is_given(p[2]) ? to_dtype(p[2]) : nd::DType::kUInt32;
  if (dtype == nd::DType::kUInt32)
    return wrap(nd::Array::copy_of(
        sequence.generate_state32(static_cast<std::size_t>(count)).data(), count, dtype));
  if (dtype == nd::DType::kUInt64)
    return wrap(nd::Array::copy_of(
        sequence.generate_state64(static_cast<std::size_t>(count)).data(), count, dtype));
  raise(errors::ValueError, "only support uint32 or uint64");
}

Value spawn(const Parameters& p) {
  SeedSequenceObject& object = sequence_of(p[0]);
  std::int64_t count = to_int64(p[1]);
  if (count < 0) raise(errors::OverflowError, "can't convert negative value to uint32_t");
  Values children;
  for (SeedSequence& child : object.sequence.spawn(static_cast<std::uint32_t>(count)))
    children.push_back(make<SeedSequenceObject>(object.entropy, std::move(child)));
  return make_list(std::move(children));
}

Value spawned_count(const Value& self) {
  return Value::integer(sequence_of(self).sequence.children_spawned());
}

Value pool_size(const Value& self) {
  return Value::integer(static_cast<std::int64_t>(sequence_of(self).sequence.pool().size()));
}

Value pool(const Value& self) {
  const Words& words = sequence_of(self).sequence.pool();
  return wrap(nd::Array::copy_of(words.data(), static_cast<std::int64_t>(words.size()),
                                 nd::DType::kUInt32));
}

Value state(const Value& self) {
  Ref<Dict> dict = make_dict();
  dict->set(intern("entropy"), sequence_of(self).entropy);
  dict->set(intern("spawn_key"), key_tuple(sequence_of(self).sequence));
  dict->set(intern("pool_size"), pool_size(self));
  dict->set(intern("n_children_spawned"), spawned_count(self));
  return dict;
}

// What pickles keep: (entropy, children, pool, size of the pool, spawn key).
Value get_pickled_state(const Parameters& p) {
  return make_tuple({sequence_of(p[0]).entropy, spawned_count(p[0]), pool(p[0]), pool_size(p[0]),
                     key_tuple(sequence_of(p[0]).sequence)});
}

// __setstate__(state): the pool is mixed anew.
Value set_pickled_state(const Parameters& p) {
  Ref<Tuple> parts = to_tuple(p[1]);
  if (parts->size() != 5)
    raise(errors::ValueError, "state must have 5 items, this one has {}", parts->size());
  Words key;
  append_entropy((*parts)[4], key);
  Ref<SeedSequenceObject> made =
      make_sequence((*parts)[0], std::move(key), static_cast<int>(to_int64((*parts)[3])),
                    static_cast<std::uint32_t>(to_int64((*parts)[1])), nullptr);
  sequence_of(p[0]).entropy = made->entropy;
  sequence_of(p[0]).sequence = std::move(made->sequence);
  return Value::none();
}

const NativeRow kMethods[] = {
    {"generate_state(self, n_words, dtype=None)", generate_state,
     "The words that a bit generator starts from."},
    {"spawn(self, n_children)", spawn, "Sequences for independent streams."},
    {"__getstate__(self)", get_pickled_state, "What the sequence was made from, as a tuple."},
    {"__setstate__(self, state)", set_pickled_state, "Becomes the sequence that a pickle kept."},
};

const PropertyRow kProperties[] = {
    {"entropy", [](const Value& self) { return sequence_of(self).entropy; }, nullptr,
     "What the sequence was made from."},
    {"spawn_key", [](const Value& self) { return key_tuple(sequence_of(self).sequence); }, nullptr,
     "Which child of which child this is."},
    {"pool", pool, nullptr, "The mixed words."},
    {"pool_size", pool_size, nullptr, "The number of mixed words."},
    {"n_children_spawned", spawned_count, nullptr, "How many children there are."},
    {"state", state, nullptr, "The arguments that make the same sequence."},
};

}  // namespace

Type& SeedSequenceObject::type_object() {
  static Type& type = *[] {
    Type& made = new_type("numpy.random.bit_generator.SeedSequence", Type::object_type());
    made.module = "numpy.random.bit_generator";
    made.qualified_name = "SeedSequence";
    made.doc = "Mixes entropy into the states of independent bit generators.";
    made.instance_layout = Layout::kOther;
    made.slots.repr = repr_sequence;
    made.slots.construct = construct;
    made.add(kMethods);
    made.add(kProperties);
    return &made;
  }();
  return type;
}

Ref<SeedSequenceObject> to_seed_sequence(const Value& seed) {
  if (is_instance(seed, SeedSequenceObject::type_object())) return seed.as<SeedSequenceObject>();
  return make_sequence(seed, {}, 4, 0, nullptr);
}

}  // namespace strider::lang
