// Operators and ufuncs of arrays of texts, bytes and objects, and choices between texts.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/elements/boxed_parts.h"
#include "interpreter/builtins/numpy/elements/element_answers.h"
#include "interpreter/builtins/numpy/texts/packed_elements.h"
#include "interpreter/builtins/numpy/texts/text_operands.h"
#include "interpreter/builtins/numpy/ufunc/operators.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/dunder.h"

namespace strider::lang {
namespace {

using nd::DType;
using namespace boxed_parts;

// Two operands of texts, or of bytes, that go together without broadcasting but of one element.
struct TextPair {
  Texts first, second;
  nd::Dims shape;
  std::size_t size = 0;

  bool read(const Value& a, const Value& b) {
    if (!read_all_texts(a, first) || !read_all_texts(b, second)) return false;
    if (first.kind != second.kind) return false;
    bool plain = first.shape == second.shape || first.repeats() || second.repeats();
    shape = first.shape.size() >= second.shape.size() ? first.shape : second.shape;
    size = std::max(first.size(), second.size());
    if (first.size() == 0 || second.size() == 0) return false;
    return plain && shape.size() > 0;
  }
};

template <class Word>
bool same_ends(const char* a, const char* b, std::size_t size) {
  Word words[4];
  std::memcpy(&words[0], a, sizeof(Word));
  std::memcpy(&words[1], b, sizeof(Word));
  std::memcpy(&words[2], a + size - sizeof(Word), sizeof(Word));
  std::memcpy(&words[3], b + size - sizeof(Word), sizeof(Word));
  return ((words[0] ^ words[1]) | (words[2] ^ words[3])) == 0;
}

// As ==, without a call for short texts: words from both ends of the shorter one cover it. Lengths
// are as good as random, so nothing branches on whether they agree.
bool are_same(std::string_view a, std::string_view b) {
  std::size_t size = std::min(a.size(), b.size());
  if (a.data() == b.data()) return a.size() == b.size();
  if (size > 16) return a == b;
  bool same = size == 0 || a[0] == b[0];
  if (size >= 8)
    same = same_ends<std::uint64_t>(a.data(), b.data(), size);
  else if (size >= 4)
    same = same_ends<std::uint32_t>(a.data(), b.data(), size);
  else if (size >= 2)
    same = same_ends<std::uint16_t>(a.data(), b.data(), size);
  return static_cast<int>(same) & static_cast<int>(a.size() == b.size());
}

template <class Says>
Value compare_texts(const TextPair& pair, Says says) {
  nd::Array made = nd::Array::empty(pair.shape, DType::kBool);
  bool* results = made.mutable_as<bool>();
  for (std::size_t i = 0; i < pair.size; ++i) {
    std::string_view a, b;
    if (!pair.first.view(i, a) || !pair.second.view(i, b)) return {};
    results[i] = says(a, b);
  }
  return wrap(std::move(made));
}

// Most texts differ from a given one in length.
template <bool kEqual>
Value equal_texts(const TextPair& pair) {
  using View = std::string_view;
  if (pair.first.repeats() || pair.second.repeats())
    return compare_texts(pair, [](View a, View b) { return (a == b) == kEqual; });
  return compare_texts(pair, [](View a, View b) { return are_same(a, b) == kEqual; });
}

Value join_pair(TextPair& pair) {
  pair.first.unpack();
  pair.second.unpack();
  Values made;
  made.reserve(pair.size);
  bool texts = pair.first.kind == boxed().text_dtype;
  for (std::size_t i = 0; i < pair.size; ++i) {
    const Value &a = pair.first[i], &b = pair.second[i];
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
  if (pair.first.any_length || pair.second.any_length)
    return make_boxed(std::move(made), pair.shape,
                      pair.first.any_length ? pair.first.dtype : pair.second.dtype);
  Value dtype = text_dtype(*pair.first.kind, letters_of(pair.first) + letters_of(pair.second));
  if (pair.first.loose || pair.second.loose)
    return make_boxed_over(make<TextPool>(std::move(made), 0, texts), pair.shape, dtype);
  return make_boxed(std::move(made), pair.shape, dtype);
}

// --- Operators ---

bool is_plain_number(const Value& value) { return value.is_int() || value.is_float(); }

// Objects of one shape, or beside one number.
struct ObjectPair {
  std::optional<Elements> first, second;
  Value one;
  bool read(const Value& self, const Value& other) {
    if (!is_plain(self) || holds_texts(self) || places_of(self).rank() == 0) return false;
    bool arrays = is_plain(other) && !holds_texts(other) &&
                  places_of(other).shape() == places_of(self).shape();
    if (!arrays && !is_plain_number(other)) return false;
    first.emplace(self);
    if (arrays) second.emplace(other);
    one = other;
    return first->items.data() && (!arrays || second->items.data());
  }
  // Copies: classes of elements may do anything.
  Values left() const { return Values(first->items.begin(), first->items.end()); }
  Values right() const {
    return second ? Values(second->items.begin(), second->items.end()) : Values();
  }
};

Value compare_objects(CompareOperator op, const Value& self, const Value& other) {
  ObjectPair pair;
  if (!pair.read(self, other)) return {};
  Values left = pair.left(), right = pair.right();
  nd::Array made = nd::Array::empty(places_of(self).shape(), DType::kBool);
  bool* results = made.mutable_as<bool>();
  for (std::size_t i = 0; i < left.size(); ++i)
    results[i] = truth(compare(op, left[i], right.empty() ? pair.one : right[i]));
  return wrap(std::move(made));
}

Value combine_objects(BinaryOperator op, const Value& self, const Value& other) {
  ObjectPair pair;
  if (op == BinaryOperator::kMatMult || !pair.read(self, other)) return {};
  Values left = pair.left(), right = pair.right(), made;
  made.reserve(left.size());
  for (std::size_t i = 0; i < left.size(); ++i)
    made.push_back(binary(op, left[i], right.empty() ? pair.one : right[i]));
  return make_boxed(std::move(made), places_of(self).shape(), dtype_of(self));
}

Value change_objects(UnaryOperator op, const Value& self) {
  bool plain = op != UnaryOperator::kNot && is_plain(self) && !holds_texts(self);
  if (!plain || places_of(self).rank() == 0) return {};
  Elements elements(self);
  if (!elements) return {};
  Values given(elements.items.begin(), elements.items.end()), made;
  made.reserve(given.size());
  for (const Value& item : given) made.push_back(unary(op, item));
  return make_boxed(std::move(made), places_of(self).shape(), dtype_of(self));
}

Value compare_by_texts(CompareOperator op, const Value& self, const Value& other) {
  return combine_texts(elementwise_op(op), self, other);
}

Value boxed_compare(CompareOperator op, const Value& self, const Value& other) {
  if (is_boxed(self))
    for (auto* combine : {compare_by_texts, compare_objects})
      if (Value made = combine(op, self, other); !made.is_empty()) return made;
  return kUserSlots.compare(op, self, other);
}

Value boxed_binary(BinaryOperator op, const Value& self, const Value& other) {
  if (op == BinaryOperator::kAdd && is_boxed(self))
    if (Value made = combine_texts(nd::Op::kAdd, self, other); !made.is_empty()) return made;
  if (is_boxed(self))
    if (Value made = combine_objects(op, self, other); !made.is_empty()) return made;
  return kUserSlots.binary(op, self, other);
}

Value boxed_unary(UnaryOperator op, const Value& self) {
  if (is_boxed(self))
    if (Value made = change_objects(op, self); !made.is_empty()) return made;
  return kUserSlots.unary(op, self);
}

// The shape that two have together; none where there is none.
std::optional<nd::Dims> common_shape(const nd::Dims& a, const nd::Dims& b) {
  const nd::Dims &longer = a.size() >= b.size() ? a : b, &shorter = a.size() >= b.size() ? b : a;
  nd::Dims made = longer;
  for (int axis = 1; axis <= shorter.size(); ++axis) {
    std::int64_t &extent = made[made.size() - axis], other = shorter[shorter.size() - axis];
    if (extent != other && extent != 1 && other != 1) return std::nullopt;
    if (extent == 1) extent = other;
  }
  return made;
}

Value spread(const Value& self, const nd::Dims& shape) {
  return view_boxed(self, wrap(places_of(self).broadcast_to(shape)));
}

// Two arrays of texts of different shapes.
Value combine_spread(nd::Op op, const Value& first, const Value& second) {
  for (const Value* each : {&first, &second})
    if (!is_plain(*each) || !holds_texts(*each)) return {};
  const nd::Dims &a = places_of(first).shape(), &b = places_of(second).shape();
  std::optional<nd::Dims> shape = common_shape(a, b);
  if (dtype_class(first) != dtype_class(second) || a == b || !shape || shape->size() == 0)
    return {};
  return combine_texts(op, spread(first, *shape), spread(second, *shape));
}

}  // namespace

Value combine_texts(nd::Op op, const Value& first, const Value& second) {
  using View = std::string_view;
  Value packed = op == nd::Op::kAdd ? add_packed(first, second) : compare_packed(op, first, second);
  if (!packed.is_empty()) return packed;
  TextPair pair;
  if (!pair.read(first, second)) return combine_spread(op, first, second);
  switch (op) {
    case nd::Op::kAdd:
      return join_pair(pair);
    case nd::Op::kEqual:
      return equal_texts<true>(pair);
    case nd::Op::kNotEqual:
      return equal_texts<false>(pair);
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

// where(condition, x, y)
Value choose_texts(const Value&, const Arguments& arguments) {
  if (arguments.count != 3 || arguments.keyword_count > 0) return {};
  const Value& condition = arguments.values[0];
  bool usual = is_array(condition) && !is_subclass_array(condition) &&
               array_of(condition).dtype() == DType::kBool && array_of(condition).rank() > 0;
  if (!usual) return {};
  if (Value made = choose_packed(array_of(condition), arguments.values[1], arguments.values[2]);
      !made.is_empty())
    return made;
  TextPair pair;
  bool plain =
      read_all_texts(arguments.values[1], pair.first) &&
      read_all_texts(arguments.values[2], pair.second);
  bool alike = plain && pair.first.kind == pair.second.kind;
  if (!alike || pair.first.any_length != pair.second.any_length) return {};
  nd::Array holds = array_of(condition).contiguous();
  for (const Texts* each : {&pair.first, &pair.second})
    if (!each->repeats() && each->shape != holds.shape()) return {};
  const Type& kind = *pair.first.kind;
  Value dtype;
  if (pair.first.any_length)
    dtype = pair.first.dtype;
  else if (!pair.first.dtype.is_empty() && !pair.second.dtype.is_empty())
    dtype = wider(pair.first.dtype, pair.second.dtype);
  else
    dtype = text_dtype(kind, std::max(letters_of(pair.first), letters_of(pair.second)));
  Values made;
  made.reserve(static_cast<std::size_t>(holds.size()));
  pair.first.unpack();
  pair.second.unpack();
  for (std::size_t i = 0; i < static_cast<std::size_t>(holds.size()); ++i)
    made.push_back(holds.as<bool>()[i] ? pair.first[i] : pair.second[i]);
  return make_boxed(std::move(made), holds.shape(), dtype);
}

void give_boxed_operators(Type& type) {
  type.slots.compare = boxed_compare;
  type.slots.binary = boxed_binary;
  type.slots.unary = boxed_unary;
}

}  // namespace strider::lang
