// Texts in parts, joined, and formatted: what the language's own methods give of each.
#include <array>

#include "interpreter/builtins/numpy/strings/shortcuts.h"
#include "interpreter/builtins/numpy/texts/text_maker.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

using boxed_parts::view_text;

// An array of these texts, or bytes, with room for the longest.
Value array_of_texts(Values&& items, const nd::Dims& shape, const Type& kind) {
  std::int64_t length = longest_of(items);
  return length < 0 ? Value() : make_boxed(std::move(items), shape, text_dtype(kind, length));
}

// The native method of the class that the elements are of; null where an element is of another.
const NativeFunction* method_of(std::span<const Value> items, Name name) {
  if (items.empty()) return nullptr;
  Type* type = type_of(items[0]);
  std::string_view text;
  for (const Value& item : items)
    if (type_of(item) != type || !view_text(item, text)) return nullptr;
  const Value* method = type->lookup(name);
  return method && method->has_layout(Layout::kNativeFunction) ? method->as<NativeFunction>()
                                                               : nullptr;
}

// Whether an argument is left out, or None.
bool is_absent(const Value& value) { return value.is_empty() || value.is_none(); }

// Objects: what a method gives of each text with these further arguments.
Value lists_of(Texts& texts, Name name, std::span<const Value> further) {
  const NativeFunction* method = method_of(texts.unpack(), name);
  if (!method || texts.shape.size() == 0 || !boxed().objects) return {};
  std::array<Value, 3> given;
  std::copy(further.begin(), further.end(), given.begin() + 1);
  Values made;
  made.reserve(texts.items.size());
  for (const Value& item : texts.items) {
    given[0] = item;
    made.push_back(landed(method->run(Arguments(given.data(), further.size() + 1))));
  }
  return make_boxed(std::move(made), texts.shape, Value(boxed().objects));
}

// split(a, sep=None, maxsplit=None), rsplit
template <char kSide>
Value split(const Arguments& arguments) {
  static const Name name = intern(kSide == 'l' ? "split" : "rsplit");
  Texts texts;
  if (!takes_plainly(arguments, 1, 3) || !read_texts(arguments.values[0], texts)) return {};
  Value separator = argument(arguments, 1), most = argument(arguments, 2);
  if (is_absent(separator)) separator = Value::none();
  if (!separator.is_none() && !is_str(separator) && !is_bytes(separator)) return {};
  if (is_absent(most)) most = Value::integer(-1);
  if (!most.is_int()) return {};
  return lists_of(texts, name, std::array{separator, most});
}

// splitlines(a, keepends=None)
Value split_lines(const Arguments& arguments) {
  static const Name name = intern("splitlines");
  Texts texts;
  if (!takes_plainly(arguments, 1, 2) || !read_texts(arguments.values[0], texts)) return {};
  Value keep = argument(arguments, 1);
  return lists_of(texts, name, std::array{Value::boolean(!is_absent(keep) && truth(keep))});
}

// join(sep, seq): the characters of every text.
Value join(const Arguments& arguments) {
  static const Name name = intern("join");
  Texts between, texts;
  if (!takes_plainly(arguments, 2, 2) || !read_texts(arguments.values[0], between)) return {};
  if (!read_texts(arguments.values[1], texts) || texts.kind != boxed().text_dtype) return {};
  const NativeFunction* method = method_of(between.unpack(), name);
  bool plain = method && between.kind == texts.kind && goes_with(texts, between);
  if (!plain || texts.shape.size() == 0) return {};
  texts.unpack();
  Values made;
  made.reserve(texts.items.size());
  for (std::size_t i = 0; i < texts.items.size(); ++i) {
    std::array<Value, 2> given{between[i], texts.items[i]};
    made.push_back(landed(method->run(Arguments(given.data(), given.size()))));
  }
  return array_of_texts(std::move(made), texts.shape, *texts.kind);
}

// mod(a, values) of numbers.
Value format(const Arguments& arguments) {
  Texts texts;
  if (!takes_plainly(arguments, 2, 2) || !read_texts(arguments.values[0], texts)) return {};
  const Value& values = arguments.values[1];
  if (!is_array(values) || is_subclass_array(values) || array_of(values).rank() == 0) return {};
  Texts model;
  model.kind = texts.kind;
  model.shape = array_of(values).shape();
  if (!goes_with(model, texts)) return {};
  texts.unpack();
  nd::Array numbers = array_of(values).ravel();
  Values made;
  made.reserve(static_cast<std::size_t>(numbers.size()));
  for (std::int64_t i = 0; i < numbers.size(); ++i)
    made.push_back(binary(BinaryOperator::kMod, texts[static_cast<std::size_t>(i)],
                          make_scalar(numbers.item_at(nd::Dims{i}))));
  return array_of_texts(std::move(made), model.shape, *model.kind);
}

// --- Parts at a separator ---

// Before, at and behind a separator of every text, for one array or for three.
struct Cuts {
  Texts texts;
  std::vector<TextMaker> parts;

  template <bool kFirst>
  bool read(const Arguments& arguments, std::size_t arrays) {
    Texts separators;
    if (!takes_plainly(arguments, 2, 2) || !read_texts(arguments.values[0], texts)) return false;
    if (!read_texts(arguments.values[1], separators) || separators.kind != texts.kind) return false;
    if (!goes_with(texts, separators) || texts.shape.size() == 0) return false;
    parts.reserve(arrays);
    for (std::size_t k = 0; k < arrays; ++k)
      parts.emplace_back(texts.kind, texts.size() * (arrays == 1 ? 3 : 1), texts.loose);
    for (std::size_t i = 0; i < texts.size(); ++i)
      if (!cut<kFirst>(i, separators)) return false;
    return texts.size() > 0;
  }

 private:
  TextMaker& part(std::size_t k) { return parts[parts.size() == 1 ? 0 : k]; }

  template <bool kFirst>
  bool cut(std::size_t i, const Texts& separators) {
    std::string_view text, mark;
    if (!texts.view(i, text) || !separators.view(i, mark) || mark.empty()) return false;
    std::size_t at = kFirst ? text.find(mark) : text.rfind(mark);
    if (at == text.npos) {
      for (std::size_t k = 0; k < 3; ++k)
        k == (kFirst ? 0 : 2) ? part(k).keep(texts, i) : part(k).add("", 0);
      return true;
    }
    part(0).add(text.substr(0, at));
    part(1).keep(separators, i);
    part(2).add(text.substr(at + mark.size()));
    return true;
  }
};

// np.strings.partition(a, sep), rpartition: three arrays.
template <bool kFirst>
Value partition(const Arguments& arguments) {
  Cuts cuts;
  if (!cuts.read<kFirst>(arguments, 3)) return {};
  Values arrays;
  for (std::size_t k = 0; k < 3; ++k) {
    if (cuts.parts[k].longest() == 0 && k != 1) return {};  // an element size of zero
    arrays.push_back(cuts.parts[k].array(cuts.texts.shape));
    if (arrays.back().is_empty()) return {};
  }
  return make_tuple(std::move(arrays));
}

// np.char.partition(a, sep), rpartition: one array with the parts along a last axis.
template <bool kFirst>
Value partition_stacked(const Arguments& arguments) {
  Cuts cuts;
  if (!cuts.read<kFirst>(arguments, 1)) return {};
  nd::Dims shape = cuts.texts.shape;
  shape.push_back(3);
  return cuts.parts[0].array(shape);
}

constexpr Shortcut kShortcuts[] = {
    {"split", split<'l'>},
    {"rsplit", split<'r'>},
    {"splitlines", split_lines},
    {"join", join},
    {"mod", format},
    {"partition", partition<true>},
    {"rpartition", partition<false>},
};

constexpr Shortcut kOfChar[] = {
    {"partition", partition_stacked<true>},
    {"rpartition", partition_stacked<false>},
};

}  // namespace

Shortcuts shortcuts_that_part() { return kShortcuts; }
Shortcuts shortcuts_of_stacked_parts() { return kOfChar; }

}  // namespace strider::lang
