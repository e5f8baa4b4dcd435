// _element_texts: loops over lists of texts or bytes, for arrays of them: their methods called,
// their lengths, numbers read from them. Knows nothing of arrays' shapes.
#include <algorithm>
#include <charconv>
#include <cstring>

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/elements/element_lists.h"
#include "interpreter/runtime/call/stack_array.h"
#include "interpreter/runtime/protocol/protocol.h"
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
    if (varying.back().size() == 0) return Value(make_list(Values()));
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

// --- Parts of texts ---

std::int64_t count_parts(std::string_view text, std::string_view part) {
  std::int64_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

enum class Search { kFind, kRfind, kCount, kStarts, kEnds };

template <class Result>
Value search_all(Search search, const RepeatedItems& items, const RepeatedItems& parts,
                 DType dtype) {
  std::size_t count = common_size(items.size(), parts.size());
  nd::Array made = nd::Array::empty(nd::Dims{static_cast<std::int64_t>(count)}, dtype);
  Result* results = made.mutable_as<Result>();
  auto place = [](std::size_t found) {
    return found == std::string_view::npos ? -1 : static_cast<std::int64_t>(found);
  };
  for (std::size_t i = 0; i < count; ++i) {
    const Value &item = items[i], &sought = parts[i];
    if (!is_exact_text(item) || !is_exact_text(sought) || !item.as<Str>()->is_ascii())
      return Value::none();
    std::string_view text = text_of(item), part = text_of(sought);
    if (part.empty()) return Value::none();
    std::int64_t found = search == Search::kFind     ? place(text.find(part))
                         : search == Search::kRfind  ? place(text.rfind(part))
                         : search == Search::kStarts ? text.starts_with(part)
                         : search == Search::kEnds   ? text.ends_with(part)
                                                     : count_parts(text, part);
    results[i] = static_cast<Result>(found);
  }
  return wrap(std::move(made));
}

// search(name, items, parts): str.find and its kin over whole texts of ASCII.
Value search(const Parameters& p) {
  RepeatedItems items(p[1]), parts(p[2]);
  std::string_view name = text_of(p[0]);
  if (name == "startswith") return search_all<bool>(Search::kStarts, items, parts, DType::kBool);
  if (name == "endswith") return search_all<bool>(Search::kEnds, items, parts, DType::kBool);
  if (name == "find") return search_all<std::int64_t>(Search::kFind, items, parts, DType::kInt64);
  if (name == "rfind") return search_all<std::int64_t>(Search::kRfind, items, parts, DType::kInt64);
  if (name == "count") return search_all<std::int64_t>(Search::kCount, items, parts, DType::kInt64);
  return Value::none();
}

bool is_digit_of_ascii(char c) { return c >= '0' && c <= '9'; }
bool is_letter_of_ascii(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
bool is_space_of_ascii(char c) { return c == ' ' || (c >= 9 && c <= 13) || (c >= 28 && c <= 31); }

template <class Function>
Value ask_all(std::span<const Value> items, Function holds) {
  nd::Array made =
      nd::Array::empty(nd::Dims{static_cast<std::int64_t>(items.size())}, DType::kBool);
  bool* results = made.mutable_as<bool>();
  for (const Value& item : items) {
    if (!is_exact_text(item) || !item.as<Str>()->is_ascii()) return Value::none();
    std::string_view text = text_of(item);
    *results++ = !text.empty() && std::ranges::all_of(text, holds);
  }
  return wrap(std::move(made));
}

// ask(name, items): str.isdigit and its kin of texts of ASCII.
Value ask(const Parameters& p) {
  std::span<const Value> items = items_of(p[1]);
  std::string_view name = text_of(p[0]);
  if (name == "isdigit" || name == "isdecimal" || name == "isnumeric")
    return ask_all(items, is_digit_of_ascii);
  if (name == "isalpha") return ask_all(items, is_letter_of_ascii);
  if (name == "isspace") return ask_all(items, is_space_of_ascii);
  if (name == "isalnum")
    return ask_all(items, [](char c) { return is_digit_of_ascii(c) || is_letter_of_ascii(c); });
  return Value::none();
}

// strip(items, left, right): without white space at an end; most texts stay what they are.
Value strip(const Parameters& p) {
  std::span<const Value> items = items_of(p[0]);
  bool left = truth(p[1]), right = truth(p[2]);
  Values made;
  made.reserve(items.size());
  for (const Value& item : items) {
    if (!is_exact_text(item) || !item.as<Str>()->is_ascii()) return Value::none();
    std::string_view whole = text_of(item), text = whole;
    while (left && !text.empty() && is_space_of_ascii(text.front())) text.remove_prefix(1);
    while (right && !text.empty() && is_space_of_ascii(text.back())) text.remove_suffix(1);
    made.push_back(text.size() == whole.size() ? item : Value(make_str(text)));
  }
  return Value(make_list(std::move(made)));
}

// --- Numbers ---

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

std::string_view text_in(std::string_view text) { return text; }
std::string_view text_in(const Value& item) {
  if (is_str(item)) return text_of(item);
  return is_bytes(item) ? item.as<Bytes>()->bytes() : std::string_view();
}

template <class Number, class Items>
nd::Array read_all(const Items& items, DType dtype) {
  nd::Array made = nd::Array::empty(nd::Dims{static_cast<std::int64_t>(items.size())}, dtype);
  Number* results = made.mutable_as<Number>();
  for (const auto& item : items)
    if (!read_plainly(text_in(item), *results++)) return {};
  return made;
}

Value read_numbers(const Parameters& p) {
  nd::Array made =
      read_plain_numbers(items_of(p[0]), truth(p[1]) ? DType::kFloat64 : DType::kInt64);
  return made ? wrap(std::move(made)) : Value::none();
}

const NativeRow kFunctions[] = {
    {"each(name, items, /, *lists)", each,
     "What a native method gives for every item, with arguments out of lists; one item repeats."},
    {"longest(items, /)", longest,
     "The greatest length of plain texts or bytes; -1 where other items are among them, or such "
     "as end with zeros."},
    {"lengths(items, /)", lengths, "An array of the lengths of texts or bytes."},
    {"join(first, second, /)", join, "The sums of the items of two lists; one item repeats."},
    {"search(name, items, parts, /)", search,
     "An array of what find, rfind, count, startswith or endswith gives; None beyond ASCII."},
    {"ask(name, items, /)", ask,
     "An array of what isdigit and its kin say; None beyond ASCII, and for other methods."},
    {"strip(items, left, right, /)", strip,
     "Texts without white space on the left, the right or both; None beyond ASCII."},
    {"read_numbers(items, floats, /)", read_numbers,
     "An array of float64 or int64 from decimal texts; None where one is written otherwise."},
};

}  // namespace

nd::Array read_plain_numbers(std::span<const Value> items, DType dtype) {
  return dtype == DType::kFloat64 ? read_all<double>(items, dtype)
                                  : read_all<std::int64_t>(items, dtype);
}

nd::Array read_plain_numbers(const std::vector<std::string_view>& texts, DType dtype) {
  return dtype == DType::kFloat64 ? read_all<double>(texts, dtype)
                                  : read_all<std::int64_t>(texts, dtype);
}

const NativeModule kElementTextsModule = {
    "_element_texts", "Loops over texts for boxed arrays.", kFunctions, {}};

}  // namespace strider::lang
