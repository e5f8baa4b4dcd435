// The states of bit generators as dicts, as the attribute `state` shows them.
#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/random/random_objects.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using nd::random::BitGeneratorKind;
using nd::random::BitGeneratorState;
using Words = std::vector<std::uint64_t>;

Value wide_integer(std::uint64_t low, std::uint64_t high) {
  return from_integer((Integer(high) << 64) | low);
}

Value word_array(const Words& words, std::size_t first, std::size_t count,
                 nd::DType dtype = nd::DType::kUInt64) {
  nd::Array array = nd::Array::copy_of(words.data() + first, static_cast<std::int64_t>(count),
                                       nd::DType::kUInt64);
  return wrap(dtype == nd::DType::kUInt64 ? array : array.astype(dtype));
}

Value number(std::uint64_t value) { return from_uint64(value); }

void set(const Ref<Dict>& dict, const char* key, const Value& value) {
  dict->set(intern(key), value);
}

Value get(const Value& dict, const char* key) { return get_item(dict, make_str(key)); }

void append_wide(const Value& value, Words& words) {
  Integer whole = to_integer(exact_int(value));
  words.push_back(static_cast<std::uint64_t>(Integer(whole & ~std::uint64_t{0})));
  words.push_back(static_cast<std::uint64_t>(Integer((whole >> 64) & ~std::uint64_t{0})));
}

void append_array(const Value& value, std::size_t count, Words& words) {
  nd::Array array = to_array(value).ravel().contiguous(nd::DType::kUInt64);
  if (array.size() != static_cast<std::int64_t>(count))
    raise(errors::ValueError, "state of the wrong length: {} words expected", count);
  const auto* first = array.as<std::uint64_t>();
  words.insert(words.end(), first, first + count);
}

void append_number(const Value& value, Words& words) {
  words.push_back(to_scalar(value, nd::DType::kUInt64).get<std::uint64_t>());
}

// The part under the key "state", and for Philox what stands beside it.
void write_words(const BitGeneratorState& state, const Ref<Dict>& dict) {
  const Words& words = state.words;
  Ref<Dict> inner = make_dict();
  switch (state.kind) {
    case BitGeneratorKind::kPcg64:
    case BitGeneratorKind::kPcg64Dxsm:
      set(inner, "state", wide_integer(words[0], words[1]));
      set(inner, "inc", wide_integer(words[2], words[3]));
      break;
    case BitGeneratorKind::kMt19937:
      set(inner, "key", word_array(words, 0, 624, nd::DType::kUInt32));
      set(inner, "pos", number(words[624]));
      break;
    case BitGeneratorKind::kPhilox:
      set(inner, "counter", word_array(words, 0, 4));
      set(inner, "key", word_array(words, 4, 2));
      break;
    case BitGeneratorKind::kSfc64:
      set(inner, "state", word_array(words, 0, 4));
      break;
  }
  set(dict, "state", inner);
  if (state.kind != BitGeneratorKind::kPhilox) return;
  set(dict, "buffer", word_array(words, 6, 4));
  set(dict, "buffer_pos", number(words[10]));
}

Words read_words(BitGeneratorKind kind, const Value& dict) {
  Words words;
  Value inner = get(dict, "state");
  switch (kind) {
    case BitGeneratorKind::kPcg64:
    case BitGeneratorKind::kPcg64Dxsm:
      append_wide(get(inner, "state"), words);
      append_wide(get(inner, "inc"), words);
      break;
    case BitGeneratorKind::kMt19937:
      append_array(get(inner, "key"), 624, words);
      append_number(get(inner, "pos"), words);
      break;
    case BitGeneratorKind::kPhilox:
      append_array(get(inner, "counter"), 4, words);
      append_array(get(inner, "key"), 2, words);
      append_array(get(dict, "buffer"), 4, words);
      append_number(get(dict, "buffer_pos"), words);
      break;
    case BitGeneratorKind::kSfc64:
      append_array(get(inner, "state"), 4, words);
      break;
  }
  return words;
}

}  // namespace

Value state_dict(const nd::random::BitGenerator& bits) {
  BitGeneratorState state = bits.state();
  Ref<Dict> dict = make_dict();
  set(dict, "bit_generator", make_str(bits.name()));
  write_words(state, dict);
  if (state.kind == BitGeneratorKind::kMt19937) return dict;
  set(dict, "has_uint32", Value::integer(state.has_uint32));
  set(dict, "uinteger", Value::integer(state.uinteger));
  return dict;
}

BitGeneratorState read_state_dict(const nd::random::BitGenerator& bits, const Value& dict) {
  if (!is_dict(dict)) raise(errors::TypeError, "state must be a dict");
  Value name = get(dict, "bit_generator");
  if (!is_str(name) || text_of(name) != bits.name())
    raise(errors::ValueError, "state must be for a {} RNG", bits.name());
  BitGeneratorState state;
  state.kind = bits.kind();
  state.words = read_words(state.kind, dict);
  if (state.kind == BitGeneratorKind::kMt19937) return state;
  state.has_uint32 = truth(get(dict, "has_uint32"));
  state.uinteger = static_cast<std::uint32_t>(to_int64(get(dict, "uinteger")));
  return state;
}

}  // namespace strider::lang
