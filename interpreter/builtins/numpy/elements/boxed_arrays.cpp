// Methods and operators of arrays of texts, bytes and objects that are done without a call in the
// language, and what numpy's functions give for such arrays.
#include <algorithm>
#include <optional>
#include <string_view>

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/elements/element_answers.h"
#include "interpreter/builtins/numpy/elements/element_lists.h"
#include "interpreter/builtins/numpy/ufunc/operators.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/dunder.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

using nd::DType;

const nd::Array& places_of(const Value& self) {
  return array_of(*boxed_attribute(self, boxed().places));
}
const Value& dtype_of(const Value& self) { return *boxed_attribute(self, boxed().dtype); }
Type* dtype_class(const Value& self) { return type_of(dtype_of(self)); }

// An array of texts, bytes or objects of numpy's own class.
bool is_plain(const Value& self) {
  if (!is_boxed(self)) return false;
  const Value* places = boxed_attribute(self, boxed().places);
  const Value* dtype = boxed_attribute(self, boxed().dtype);
  if (!places || !is_array(*places) || !dtype) return false;
  const Type* type = type_of(*dtype);
  return type == boxed().text_dtype || type == boxed().bytes_dtype || type == boxed().object_dtype;
}

bool holds_texts(const Value& self) { return dtype_class(self) != boxed().object_dtype; }

std::int64_t item_size(const Value& dtype) {
  const Value* bytes = boxed_attribute(dtype, boxed().itemsize);
  return bytes && bytes->is_int() ? bytes->as_int() : 0;
}

// The elements of an array in C order.
struct Elements {
  explicit Elements(const Value& self) : items(boxed_items(self, kept)) {}
  explicit operator bool() const { return items.data() != nullptr; }
  Values kept;
  std::span<const Value> items;
};

bool is_text(const Value& value, std::string_view text) {
  return is_str(value) && text_of(value) == text;
}

// --- Methods ---

// copy(order)
Value copy_boxed(const Parameters& p) {
  if (is_plain(p[0]) && is_text(p[1], "C"))
    if (Value made = copy_of_boxed(p[0]); !made.is_empty()) return made;
  return call_general(*boxed().array, "copy", p);
}

Value list_boxed(const Parameters& p) {
  if (is_plain(p[0]) && places_of(p[0]).rank() == 1)
    if (Elements elements(p[0]); elements)
      return Value(make_list(Values(elements.items.begin(), elements.items.end())));
  return call_general(*boxed().array, "tolist", p);
}

// The items cut to a number of characters, or of bytes.
std::optional<Values> cut(std::span<const Value> items, bool texts, std::int64_t length) {
  Values made;
  made.reserve(items.size());
  for (const Value& item : items) {
    if (texts ? !is_exact_text(item) : !is_exactly(item, Bytes::type_object())) return {};
    std::int64_t size = texts ? item.as<Str>()->size()
                              : static_cast<std::int64_t>(item.as<Bytes>()->bytes().size());
    if (size > length) return {};
    made.push_back(item);
  }
  return made;
}

// astype(dtype, order, casting, subok, copy)
Value convert_boxed(const Parameters& p) {
  const Value& self = p[0];
  bool usual = is_plain(self) && is_text(p[2], "K") && is_text(p[3], "unsafe") && p[5].is_bool() &&
               p[5].as_bool();
  Value dtype = usual ? read_boxed_dtype(p[1]) : Value();
  if (!dtype.is_empty()) {
    Elements elements(self);
    const Type* wanted = type_of(dtype);
    bool texts = wanted == boxed().text_dtype, bytes = wanted == boxed().bytes_dtype;
    if (elements && wanted == boxed().object_dtype)
      return make_boxed(Values(elements.items.begin(), elements.items.end()),
                        places_of(self).shape(), dtype);
    if (elements && (texts || bytes) && dtype_class(self) == wanted) {
      std::int64_t size = item_size(dtype);
      const Value& own = size ? dtype : dtype_of(self);
      auto made = cut(elements.items, texts, item_size(own) / (texts ? 4 : 1));
      if (made) return make_boxed(std::move(*made), places_of(self).shape(), own);
    }
  }
  return call_general(*boxed().array, "astype", p);
}

// The places of texts or bytes in ascending order; none where others are among them.
std::optional<std::vector<std::uint32_t>> order_items(std::span<const Value> items) {
  std::vector<std::string_view> views;
  if (items.size() < 2) return std::vector<std::uint32_t>(items.size(), 0);
  if (!view_texts(items, views)) return {};
  return order_texts(views);
}

// sort(axis, kind, order, stable)
Value sort_boxed(const Parameters& p) {
  const Value& self = p[0];
  bool usual = is_plain(self) && holds_texts(self) && places_of(self).rank() == 1 &&
               p[1].is_int() && p[1].as_int() == -1 && p[3].is_none();
  const Value* whole = boxed_attribute(self, boxed().whole);
  if (usual && whole && whole->is_bool() && whole->as_bool()) {
    Elements elements(self);
    auto order = elements ? order_items(elements.items) : std::nullopt;
    if (order) {
      Values sorted;
      sorted.reserve(order->size());
      for (std::uint32_t place : *order) sorted.push_back(elements.items[place]);
      Value pool = *boxed_attribute(self, boxed().pool);
      pool.as<List>()->items.swap(sorted);
      return Value::none();
    }
  }
  return call_general(*boxed().array, "sort", p);
}

const NativeRow kMethods[] = {
    {"copy(self, order='C')", copy_boxed, "A copy."},
    {"tolist(self)", list_boxed, "The elements as a nested list."},
    {"astype(self, dtype, order='K', casting='unsafe', subok=True, copy=True)", convert_boxed,
     "A copy with elements of another dtype."},
    {"sort(self, axis=-1, kind=None, order=None, stable=None)", sort_boxed,
     "Sorts the array in place."},
};

// --- What functions give ---

// The elements at places, or the scalar at one.
Value gathered(const Value& self, const Value& places) {
  const Values& pool = boxed_attribute(self, boxed().pool)->as<List>()->items;
  if (is_numpy_scalar(places)) {
    auto place = static_cast<std::size_t>(scalar_of(places).as(DType::kInt64).get<std::int64_t>());
    return place < pool.size() ? shown_item(pool[place], dtype_of(self)) : Value();
  }
  if (!is_array(places)) return {};
  nd::Array order = array_of(places).contiguous(DType::kInt64);
  Values made;
  made.reserve(static_cast<std::size_t>(order.size()));
  for (std::int64_t i = 0; i < order.size(); ++i) {
    auto place = static_cast<std::size_t>(order.as<std::int64_t>()[i]);
    if (place >= pool.size()) return {};
    made.push_back(pool[place]);
  }
  return make_boxed(std::move(made), order.shape(), dtype_of(self));
}

// The function called with places in place of the first argument.
Value rearrange_boxed(const Value& function, const Arguments& arguments) {
  const Value& self = arguments.values[0];
  if (!is_plain(self) || places_of(self).rank() == 0) return {};
  for (std::size_t i = 1; i < arguments.count; ++i)
    if (arguments.values[i].is_object() && type_of(arguments.values[i])->has(Type::kUserDefined))
      return {};
  for (const KeywordArgument& keyword : arguments.named())
    if (keyword.name == boxed().out) return {};
  ArgumentList list;
  list.append_all(arguments);
  list.values[0] = *boxed_attribute(self, boxed().places);
  Value made = call(function, list);
  bool shared = is_array(made) && array_of(made).same_storage(places_of(self));
  return shared ? view_boxed(self, made) : gathered(self, made);
}

// The dtype that has room for the elements of both, if they are of one kind; Empty otherwise.
Value wider(const Value& first, const Value& second) {
  if (identical(first, second)) return first;
  if (type_of(first) != type_of(second)) return {};
  return item_size(second) > item_size(first) ? second : first;
}

// concatenate(arrays) along one axis.
Value join_boxed(const Value& function, const Arguments& arguments) {
  if (arguments.count != 1 || arguments.keyword_count > 0) return {};
  bool plainly = function.has_layout(Layout::kNativeFunction) &&
                 function.as<NativeFunction>()->name().starts_with("concat");
  std::span<const Value> given = items_of(arguments.values[0]);
  Values made;
  Value dtype = plainly && is_plain(given[0]) ? dtype_of(given[0]) : Value();
  for (const Value& each : given) {
    if (dtype.is_empty() || !is_plain(each) || places_of(each).rank() != 1) return {};
    dtype = wider(dtype, dtype_of(each));
    Elements elements(each);
    if (!elements) return {};
    made.insert(made.end(), elements.items.begin(), elements.items.end());
  }
  if (dtype.is_empty()) return {};
  nd::Dims shape{static_cast<std::int64_t>(made.size())};
  return make_boxed(std::move(made), shape, dtype);
}

// Operands of texts: elements, one for all or one for each, and their dtype.
struct Texts {
  Value dtype;
  Values kept;
  Value one;
  std::span<const Value> items;
  nd::Dims shape;
  bool single = false;
};

bool is_plain_text(const Value& value) {
  return is_exact_text(value) && !text_of(value).ends_with('\0');
}

// `kind`: the class of dtypes that a plain text may be of.
bool read_texts(const Value& value, Texts& made) {
  if (is_plain(value) && holds_texts(value)) {
    made.dtype = dtype_of(value);
    made.items = boxed_items(value, made.kept);
    made.shape = places_of(value).shape();
    made.single = made.items.size() == 1;
    return made.items.data() != nullptr;
  }
  bool text = value.is_object() && is_str(value);
  if (!text) return false;
  made.one = is_exact_text(value) ? value : Value();
  if (made.one.is_empty() && type_of(value) == boxed().text)
    made.one = Value(make_str(text_of(value)));
  if (made.one.is_empty() || !is_plain_text(made.one)) return false;
  made.items = {&made.one, 1};
  made.single = true;
  return true;
}

std::int64_t letters_of(const Texts& texts) {
  if (texts.dtype.is_empty()) return std::max<std::int64_t>(texts.one.as<Str>()->size(), 1);
  return item_size(texts.dtype) / (type_of(texts.dtype) == boxed().text_dtype ? 4 : 1);
}

// Two operands of texts, or of bytes, that go together without broadcasting but of one element.
struct TextPair {
  Texts first, second;
  nd::Dims shape;
  std::size_t size = 0;

  bool read(const Value& a, const Value& b) {
    if (!read_texts(a, first) || !read_texts(b, second)) return false;
    const Type* kinds[] = {kind_of(first), kind_of(second)};
    if (kinds[0] != kinds[1]) return false;
    bool plain = first.shape == second.shape || (first.single && first.shape.size() == 0) ||
                 (second.single && second.shape.size() == 0);
    shape = first.shape.size() >= second.shape.size() ? first.shape : second.shape;
    size = std::max(first.items.size(), second.items.size());
    if (first.items.empty() || second.items.empty()) return false;
    return plain && shape.size() > 0;
  }
  static const Type* kind_of(const Texts& texts) {
    return texts.dtype.is_empty() ? boxed().text_dtype : type_of(texts.dtype);
  }
  const Value& left(std::size_t i) const { return first.items[first.items.size() == 1 ? 0 : i]; }
  const Value& right(std::size_t i) const { return second.items[second.items.size() == 1 ? 0 : i]; }
};

bool view_text(const Value& item, std::string_view& view) {
  if (is_exact_text(item))
    view = text_of(item);
  else if (is_exactly(item, Bytes::type_object()))
    view = item.as<Bytes>()->bytes();
  else
    return false;
  return true;
}

template <class Says>
Value compare_texts(const TextPair& pair, Says says) {
  nd::Array made = nd::Array::empty(pair.shape, DType::kBool);
  bool* results = made.mutable_as<bool>();
  for (std::size_t i = 0; i < pair.size; ++i) {
    std::string_view a, b;
    if (!view_text(pair.left(i), a) || !view_text(pair.right(i), b)) return {};
    results[i] = says(a, b);
  }
  return wrap(std::move(made));
}

Value join_pair(const TextPair& pair) {
  Values made;
  made.reserve(pair.size);
  bool texts = TextPair::kind_of(pair.first) == boxed().text_dtype;
  for (std::size_t i = 0; i < pair.size; ++i) {
    const Value &a = pair.left(i), &b = pair.right(i);
    std::string_view left, right;
    if (!view_text(a, left) || !view_text(b, right)) return {};
    if (right.empty() || left.empty()) {
      made.push_back(right.empty() ? a : b);
    } else if (texts) {
      StrMaker maker(left.size() + right.size(), a.as<Str>()->size() + b.as<Str>()->size());
      std::copy(left.begin(), left.end(), maker.place());
      std::copy(right.begin(), right.end(), maker.place() + left.size());
      made.push_back(Value(maker.take()));
    } else {
      made.push_back(make<Bytes>(std::string(left) + std::string(right)));
    }
  }
  Value dtype =
      text_dtype(*TextPair::kind_of(pair.first), letters_of(pair.first) + letters_of(pair.second));
  return make_boxed(std::move(made), pair.shape, dtype);
}

// where(condition, x, y)
Value choose_boxed(const Value&, const Arguments& arguments) {
  if (arguments.count != 3 || arguments.keyword_count > 0) return {};
  const Value& condition = arguments.values[0];
  TextPair pair;
  bool plain = is_array(condition) && !is_subclass_array(condition) &&
               array_of(condition).dtype() == DType::kBool && array_of(condition).rank() > 0 &&
               read_texts(arguments.values[1], pair.first) &&
               read_texts(arguments.values[2], pair.second);
  if (!plain || TextPair::kind_of(pair.first) != TextPair::kind_of(pair.second)) return {};
  nd::Array holds = array_of(condition).contiguous();
  for (const Texts* each : {&pair.first, &pair.second})
    if (each->shape.size() ? each->shape != holds.shape() : !each->single) return {};
  const Type& kind = *TextPair::kind_of(pair.first);
  Value dtype;
  if (!pair.first.dtype.is_empty() && !pair.second.dtype.is_empty())
    dtype = wider(pair.first.dtype, pair.second.dtype);
  else
    dtype = text_dtype(kind, std::max(letters_of(pair.first), letters_of(pair.second)));
  Values made;
  made.reserve(static_cast<std::size_t>(holds.size()));
  for (std::size_t i = 0; i < static_cast<std::size_t>(holds.size()); ++i)
    made.push_back(holds.as<bool>()[i] ? pair.left(i) : pair.right(i));
  return make_boxed(std::move(made), holds.shape(), dtype);
}

// sort(a)
Value sort_boxed_anew(const Value&, const Arguments& arguments) {
  const Value& self = arguments.values[0];
  bool usual = arguments.count == 1 && arguments.keyword_count == 0 && is_plain(self) &&
               holds_texts(self) && places_of(self).rank() == 1;
  if (!usual) return {};
  Elements elements(self);
  auto order = elements ? order_items(elements.items) : std::nullopt;
  if (!order) return {};
  Values made;
  made.reserve(order->size());
  for (std::uint32_t place : *order) made.push_back(elements.items[place]);
  return make_boxed(std::move(made), places_of(self).shape(), dtype_of(self));
}

// argsort(a)
Value order_boxed(const Value&, const Arguments& arguments) {
  const Value& self = arguments.values[0];
  bool usual = arguments.count == 1 && arguments.keyword_count == 0 && is_plain(self) &&
               holds_texts(self) && places_of(self).rank() == 1;
  if (!usual) return {};
  Elements elements(self);
  auto order = elements ? order_items(elements.items) : std::nullopt;
  if (!order) return {};
  nd::Array made = nd::Array::empty(places_of(self).shape(), DType::kInt64);
  std::copy(order->begin(), order->end(), made.mutable_as<std::int64_t>());
  return wrap(std::move(made));
}

Value zeros_like_boxed(const Value&, const Arguments& arguments) {
  const Value& self = arguments.values[0];
  bool usual = arguments.count == 1 && arguments.keyword_count == 0 && is_plain(self) &&
               holds_texts(self) && item_size(dtype_of(self));
  if (!usual) return {};
  bool texts = dtype_class(self) == boxed().text_dtype;
  Value item = texts ? Value(make_str("")) : Value(make<Bytes>(std::string()));
  return make_boxed(Values(static_cast<std::size_t>(places_of(self).size()), item),
                    places_of(self).shape(), dtype_of(self));
}

// --- Operators ---

Value boxed_compare(CompareOperator op, const Value& self, const Value& other) {
  if (is_boxed(self))
    if (Value made = combine_texts(elementwise_op(op), self, other); !made.is_empty()) return made;
  return kUserSlots.compare(op, self, other);
}

Value boxed_binary(BinaryOperator op, const Value& self, const Value& other) {
  if (op == BinaryOperator::kAdd && is_boxed(self))
    if (Value made = combine_texts(nd::Op::kAdd, self, other); !made.is_empty()) return made;
  return kUserSlots.binary(op, self, other);
}

std::int64_t boxed_length(const Value& self) {
  const Value* places = boxed_attribute(self, boxed().places);
  if (!places || !is_array(*places) || array_of(*places).rank() == 0)
    return kUserSlots.length(self);
  return array_of(*places).shape()[0];
}

}  // namespace

Value combine_texts(nd::Op op, const Value& first, const Value& second) {
  using View = std::string_view;
  TextPair pair;
  if (!pair.read(first, second)) return {};
  switch (op) {
    case nd::Op::kAdd:
      return join_pair(pair);
    case nd::Op::kEqual:
      return compare_texts(pair, [](View a, View b) { return a == b; });
    case nd::Op::kNotEqual:
      return compare_texts(pair, [](View a, View b) { return a != b; });
    case nd::Op::kLess:
      return compare_texts(pair, [](View a, View b) { return order_of(a, b) < 0; });
    case nd::Op::kLessEqual:
      return compare_texts(pair, [](View a, View b) { return order_of(a, b) <= 0; });
    case nd::Op::kGreater:
      return compare_texts(pair, [](View a, View b) { return order_of(a, b) > 0; });
    case nd::Op::kGreaterEqual:
      return compare_texts(pair, [](View a, View b) { return order_of(a, b) >= 0; });
    default:
      return {};
  }
}

Value copy_of_boxed(const Value& self) {
  if (!is_plain(self)) return {};
  Elements elements(self);
  if (!elements) return {};
  return make_boxed(Values(elements.items.begin(), elements.items.end()), places_of(self).shape(),
                    dtype_of(self));
}

Value pick_boxed(const Value& self, const Value& places) {
  return is_plain(self) ? gathered(self, places) : Value();
}

void give_boxed_array_slots(Type& type) {
  for (const NativeRow& row : kMethods) add_native_method(type, row);
  type.slots.length = boxed_length;
  type.slots.compare = boxed_compare;
  type.slots.binary = boxed_binary;
}

const ElementAnswers kBoxedAnswers = {rearrange_boxed, join_boxed,  choose_boxed,
                                      sort_boxed_anew, order_boxed, zeros_like_boxed};

}  // namespace strider::lang
