// Dtypes of records by the lists of names and kinds that tell them, which programs write at every
// call: made once, and copied, since the names of a dtype may be changed.
#include <string>
#include <unordered_map>

#include "interpreter/builtins/numpy/elements/element_answers.h"
#include "interpreter/builtins/numpy/elements/element_lists.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

constexpr std::size_t kMost = 256;  // dtypes that are remembered

struct Remembered {
  Ref<Dict> modules;  // those of the program for which they were made
  std::unordered_map<std::string, Value> dtypes;
};

Remembered& remembered() {
  static Remembered& all = *new Remembered;
  if (all.modules.get() != boxed().modules.get()) {
    all.dtypes.clear();
    all.modules = boxed().modules;
  }
  return all;
}

bool append(std::string& key, const Value& word) {
  if (!word.is_object() || !is_exact_text(word) || text_of(word).find('\0') != std::string::npos)
    return false;
  key.append(text_of(word)).push_back('\0');
  return true;
}

// What tells lists of pairs of texts apart; empty for other lists.
std::string key_of(const Value& list) {
  std::string key;
  for (const Value& item : list.as<List>()->items) {
    if (!is_tuple(item) || item.as<Tuple>()->size() != 2) return {};
    const Tuple& pair = *item.as<Tuple>();
    const Value& kind = pair[1];
    if (!append(key, pair[0])) return {};
    if (kind.has_layout(Layout::kType)) {
      const Type* type = kind.as<Type>();
      if (type != &int_type() && type != &float_type() && type != &bool_type()) return {};
      key.append("\1").append(type->name()).push_back('\0');
    } else if (!append(key, kind)) {
      return {};
    }
  }
  return key;
}

}  // namespace

Value listed_dtype(const Value& value) {
  static const Name copy = intern("_copy");
  if (!is_list(value) || !knows_boxed_classes()) return {};
  std::string key = key_of(value);
  if (key.empty()) return {};
  auto found = remembered().dtypes.find(key);
  if (found == remembered().dtypes.end()) {
    Value made = call_in_npx("_boxed_dtype", {value, Value::boolean(false)});
    if (!is_records_dtype(made)) return made;
    if (remembered().dtypes.size() >= kMost) remembered().dtypes.clear();
    found = remembered().dtypes.emplace(std::move(key), made).first;
  }
  Value model = found->second;
  return call_method(model, copy);
}

}  // namespace strider::lang
