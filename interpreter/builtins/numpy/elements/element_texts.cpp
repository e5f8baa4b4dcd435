// _element_texts: loops over lists of texts or bytes, for arrays of them: their methods called,
// their lengths, numbers read from them. Knows nothing of arrays' shapes.
#include <charconv>

#include "interpreter/builtins/numpy/elements/element_lists.h"
#include "interpreter/runtime/protocol.h"
#include "interpreter/runtime/stack_array.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/objects/singletons.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/unicode.h"

namespace strider::lang {
namespace {

using nd::DType;

// The native method of this name that the items, all of one class, share.
const NativeFunction& method_of(const RepeatedItems& items, Name name) {
  Type* type = type_of(items[0]);
  for (std::size_t i = 1; i < items.size(); ++i)
    if (type_of(items[i]) != type) raise(errors::TypeError, "elements are of several classes");
  const Value* method = type->lookup(name);
  if (!method || !method->has_layout(Layout::kNativeFunction))
    raise(errors::AttributeError, "elements have no native method {}", text_of(name));
  return *method->as<NativeFunction>();
}

// each(name, items, *lists): the method's arguments are bound once; what varies is replaced.
Value each(const Parameters& p) {
  RepeatedItems items(p[1]);
  std::span<const Value> lists = p[2].as<Tuple>()->items();
  if (items.size() == 0) return Value(make_list(Values()));
  const NativeFunction& method = method_of(items, intern(text_of(p[0])));
  std::vector<RepeatedItems> varying{items};
  std::size_t count = items.size();
  for (const Value& list : lists) {
    varying.emplace_back(list);
    count = common_size(count, varying.back().size());
  }
  Values first;
  for (const RepeatedItems& list : varying) first.push_back(list[0]);
  const Signature& signature = method.signature();
  STRIDER_STACK_ARRAY(Value, slots, static_cast<int>(signature.parameters().size()));
  signature.bind(Arguments(first.data(), first.size()), slots.data());
  Values made;
  made.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < varying.size(); ++k)
      if (varying[k].size() > 1) slots.data()[k] = varying[k][i];
    made.push_back(
        landed(method.row().code(Parameters(slots.data(), signature.parameters().size()))));
  }
  return Value(make_list(std::move(made)));
}

std::int64_t length_of(const Value& item) {
  return is_str(item) ? item.as<Str>()->size()
                      : static_cast<std::int64_t>(item.as<Bytes>()->bytes().size());
}

// Whether an element is kept as it is: a plain text, or bytes, without zeros at its end.
bool is_plain(const Value& item, bool texts) {
  if (texts ? !is_exact_text(item) : !is_exactly(item, Bytes::type_object())) return false;
  std::string_view content = texts ? text_of(item) : item.as<Bytes>()->bytes();
  return content.empty() || content.back() != '\0';
}

// longest(items): the greatest length; -1 where an element is not kept as it is.
Value longest(const Parameters& p) {
  std::span<const Value> items = items_of(p[0]);
  std::int64_t most = 0;
  bool texts = !items.empty() && is_str(items[0]);
  for (const Value& item : items) {
    if (!is_plain(item, texts)) return Value::integer(-1);
    most = std::max(most, length_of(item));
  }
  return Value::integer(most);
}

Value lengths(const Parameters& p) {
  std::span<const Value> items = items_of(p[0]);
  nd::Array made =
      nd::Array::empty(nd::Dims{static_cast<std::int64_t>(items.size())}, DType::kInt64);
  std::int64_t* results = made.mutable_as<std::int64_t>();
  for (const Value& item : items) *results++ = length_of(item);
  return wrap(std::move(made));
}

// join(first, second): sums of texts.
Value join(const Parameters& p) {
  RepeatedItems first(p[0]), second(p[1]);
  std::size_t count = common_size(first.size(), second.size());
  Values made;
  made.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Value &a = first[i], &b = second[i];
    if (!is_exact_text(a) || !is_exact_text(b)) {
      made.push_back(binary(BinaryOperator::kAdd, a, b));
      continue;
    }
    std::string_view left = text_of(a), right = text_of(b);
    if (left.empty() || right.empty()) {
      made.push_back(left.empty() ? b : a);
      continue;
    }
    StrMaker maker(left.size() + right.size(), a.as<Str>()->size() + b.as<Str>()->size());
    std::copy(left.begin(), left.end(), maker.place());
    std::copy(right.begin(), right.end(), maker.place() + left.size());
    made.push_back(Value(maker.take()));
  }
  return Value(make_list(std::move(made)));
}

// A number in plain decimal digits; false for what only the language's own reader understands.
bool read_plainly(std::string_view text, double& number) {
  if (text.empty() || !(text[0] == '-' || text[0] == '.' || (text[0] >= '0' && text[0] <= '9')))
    return false;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

bool read_plainly(std::string_view text, std::int64_t& number) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

template <class Number>
Value read_all(std::span<const Value> items, DType dtype) {
  nd::Array made = nd::Array::empty(nd::Dims{static_cast<std::int64_t>(items.size())}, dtype);
  Number* results = made.mutable_as<Number>();
  for (const Value& item : items) {
    std::string_view text = is_str(item)     ? text_of(item)
                            : is_bytes(item) ? item.as<Bytes>()->bytes()
                                             : std::string_view();
    if (!read_plainly(text, *results++)) return Value::none();
  }
  return wrap(std::move(made));
}

Value read_numbers(const Parameters& p) {
  std::span<const Value> items = items_of(p[0]);
  return truth(p[1]) ? read_all<double>(items, DType::kFloat64)
                     : read_all<std::int64_t>(items, DType::kInt64);
}

const NativeRow kFunctions[] = {
    {"each(name, items, /, *lists)", each,
     "What a native method gives for every item, with arguments out of lists; one item repeats."},
    {"longest(items, /)", longest,
     "The greatest length of plain texts or bytes; -1 where other items are among them, or such "
     "as end with zeros."},
    {"lengths(items, /)", lengths, "An array of the lengths of texts or bytes."},
    {"join(first, second, /)", join, "The sums of the items of two lists; one item repeats."},
    {"read_numbers(items, floats, /)", read_numbers,
     "An array of float64 or int64 from decimal texts; None where one is written otherwise."},
};

}  // namespace

const NativeModule kElementTextsModule = {
    "_element_texts", "Loops over texts for boxed arrays.", kFunctions, {}};

}  // namespace strider::lang
