// _element_lists: elements of boxed arrays, which lie in lists, picked, stored, compared and
// ordered. Knows nothing of dtypes.
#include "interpreter/builtins/numpy/elements/element_lists.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/runtime/protocol.h"
#include "interpreter/types/objects/singletons.h"
#include "interpreter/types/support.h"

namespace strider::lang {

std::span<const Value> items_of(const Value& list) {
  if (is_tuple(list)) return list.as<Tuple>()->items();
  if (!is_list(list)) raise(errors::TypeError, "elements are no list");
  return {list.as<List>()->items.data(), list.as<List>()->size()};
}

bool view_texts(std::span<const Value> items, std::vector<std::string_view>& views) {
  if (items.empty()) return false;
  views.reserve(items.size());
  bool texts = is_str(items[0]);
  for (const Value& item : items) {
    if (texts ? !is_exact_text(item) : !is_bytes(item)) return false;
    views.push_back(texts ? text_of(item) : item.as<Bytes>()->bytes());
  }
  return true;
}

namespace {

using nd::DType;

// Places in a list, checked, in C order.
std::span<const std::int64_t> places_of(const nd::Array& places, std::size_t size) {
  std::span<const std::int64_t> all(places.as<std::int64_t>(),
                                    static_cast<std::size_t>(places.size()));
  for (std::int64_t place : all)
    if (static_cast<std::uint64_t>(place) >= size) raise(errors::IndexError, "no such place");
  return all;
}

// places(shape): those of a new array in a list of its own.
Value new_places(const Parameters& p) {
  nd::Dims shape = to_shape(p[0]);
  std::int64_t count = 1;
  for (std::int64_t extent : shape) count *= extent;
  nd::Array row = nd::Array::arange(nd::Scalar(std::int64_t{0}), nd::Scalar(std::int64_t{1}), count,
                                    DType::kInt64);
  return shape.size() == 1 ? wrap(std::move(row)) : wrap_owner(row.reshape(shape));
}

Value pick(const Parameters& p) {
  std::span<const Value> items = items_of(p[0]);
  nd::Array places = to_array(p[1]).contiguous(DType::kInt64);
  Values picked;
  picked.reserve(static_cast<std::size_t>(places.size()));
  for (std::int64_t place : places_of(places, items.size()))
    picked.push_back(items[static_cast<std::size_t>(place)]);
  return Value(make_list(std::move(picked)));
}

Value store(const Parameters& p) {
  nd::Array places = to_array(p[1]).contiguous(DType::kInt64);
  RepeatedItems values(p[2]);
  if (!is_list(p[0])) raise(errors::TypeError, "elements are no list");
  std::span<const std::int64_t> targets = places_of(places, p[0].as<List>()->size());
  if (values.size() != 1 && values.size() != targets.size())
    raise(errors::ValueError, "{} values for {} places", values.size(), targets.size());
  Values kept;  // what is replaced dies when the list is whole
  kept.reserve(targets.size());
  Values& items = p[0].as<List>()->items;
  for (std::size_t i = 0; i < targets.size(); ++i)
    kept.push_back(std::exchange(items[static_cast<std::size_t>(targets[i])], values[i]));
  return Value::none();
}

constexpr std::pair<std::string_view, CompareOperator> kComparisons[] = {
    {"equal", CompareOperator::kEq},   {"not_equal", CompareOperator::kNotEq},
    {"less", CompareOperator::kLt},    {"less_equal", CompareOperator::kLtE},
    {"greater", CompareOperator::kGt}, {"greater_equal", CompareOperator::kGtE}};

CompareOperator comparison(std::string_view name) {
  for (const auto& [text, op] : kComparisons)
    if (text == name) return op;
  raise(errors::ValueError, "no comparison is named {}", name);
}

bool says(CompareOperator op, int order) {
  switch (op) {
    case CompareOperator::kEq:
      return order == 0;
    case CompareOperator::kNotEq:
      return order != 0;
    case CompareOperator::kLt:
      return order < 0;
    case CompareOperator::kLtE:
      return order <= 0;
    case CompareOperator::kGt:
      return order > 0;
    default:
      return order >= 0;
  }
}

int order_of(std::string_view a, std::string_view b, bool only_equality) {
  if (only_equality && a.size() != b.size()) return 1;
  int order = std::memcmp(a.data(), b.data(), std::min(a.size(), b.size()));
  return order ? order : a.size() < b.size() ? -1 : a.size() > b.size();
}

Value compare_lists(const Parameters& p) {
  CompareOperator op = comparison(text_of(p[0]));
  bool only_equality = op == CompareOperator::kEq || op == CompareOperator::kNotEq;
  Value first_list = p[1], second_list = p[2];  // classes of elements may do anything
  RepeatedItems first(first_list), second(second_list);
  std::size_t count = common_size(first.size(), second.size());
  nd::Array made = nd::Array::empty(nd::Dims{static_cast<std::int64_t>(count)}, DType::kBool);
  bool* results = made.mutable_as<bool>();
  for (std::size_t i = 0; i < count; ++i) {
    const Value &a = first[i], &b = second[i];
    if (is_exact_text(a) && is_exact_text(b))
      results[i] = says(op, order_of(text_of(a), text_of(b), only_equality));
    else
      results[i] = truth(compare(op, Value(a), Value(b)));
  }
  return wrap(std::move(made));
}

constexpr std::pair<std::string_view, BinaryOperator> kOperators[] = {
    {"add", BinaryOperator::kAdd},           {"subtract", BinaryOperator::kSub},
    {"multiply", BinaryOperator::kMult},     {"divide", BinaryOperator::kDiv},
    {"true_divide", BinaryOperator::kDiv},   {"floor_divide", BinaryOperator::kFloorDiv},
    {"remainder", BinaryOperator::kMod},     {"mod", BinaryOperator::kMod},
    {"power", BinaryOperator::kPow},         {"float_power", BinaryOperator::kPow},
    {"left_shift", BinaryOperator::kLShift}, {"right_shift", BinaryOperator::kRShift},
    {"bitwise_or", BinaryOperator::kBitOr},  {"bitwise_xor", BinaryOperator::kBitXor},
    {"bitwise_and", BinaryOperator::kBitAnd}};

Value calculate(const Parameters& p) {
  const auto* row =
      std::ranges::find(kOperators, text_of(p[0]), [](auto& each) { return each.first; });
  if (row == std::end(kOperators)) return Value::none();
  Value first_list = p[1], second_list = p[2];
  RepeatedItems first(first_list), second(second_list);
  std::size_t count = common_size(first.size(), second.size());
  Values made;
  made.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    made.push_back(binary(row->second, Value(first[i]), Value(second[i])));
  return Value(make_list(std::move(made)));
}

// A text with its first bytes as a number, which decides most comparisons.
struct Key {
  std::uint64_t beginning;
  std::uint32_t place;
};

std::vector<Key> keys_of(const std::vector<std::string_view>& views) {
  std::vector<Key> keys(views.size());
  for (std::size_t i = 0; i < views.size(); ++i) {
    unsigned char bytes[8] = {};
    std::memcpy(bytes, views[i].data(), std::min<std::size_t>(8, views[i].size()));
    std::uint64_t number = 0;
    for (unsigned char byte : bytes) number = number << 8 | byte;
    keys[i] = {number, static_cast<std::uint32_t>(i)};
  }
  return keys;
}

// The places of texts in ascending order; of equal ones the first comes first.
std::vector<Key> ordered(const std::vector<std::string_view>& views) {
  std::vector<Key> keys = keys_of(views);
  std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
    if (a.beginning != b.beginning) return a.beginning < b.beginning;
    int order = order_of(views[a.place], views[b.place], false);
    return order ? order < 0 : a.place < b.place;
  });
  return keys;
}

nd::Array new_integers(std::size_t count) {
  return nd::Array::empty(nd::Dims{static_cast<std::int64_t>(count)}, DType::kInt64);
}

// Texts by their contents: which differ, numbered as they first appear.
class Groups {
 public:
  explicit Groups(const std::vector<std::string_view>& views) : numbers_(views.size()) {
    std::size_t room = 16;
    while (room < views.size() * 2) room *= 2;
    // Few texts may differ: the table begins small and grows.
    table_.assign(std::min<std::size_t>(room, 4096), -1);
    for (std::size_t i = 0; i < views.size(); ++i) numbers_[i] = number_of(views, i);
  }
  const std::vector<std::size_t>& firsts() const { return firsts_; }
  const std::vector<std::int64_t>& counts() const { return counts_; }
  const std::vector<std::int32_t>& numbers() const { return numbers_; }

 private:
  static std::uint64_t mixed(std::string_view text) {
    std::uint64_t hash = 0x9E3779B97F4A7C15u ^ text.size();
    for (; text.size() >= 8; text.remove_prefix(8)) {
      std::uint64_t word;
      std::memcpy(&word, text.data(), 8);
      hash = (hash ^ word) * 0xFF51AFD7ED558CCDu;
      hash ^= hash >> 32;
    }
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), text.size());
    hash = (hash ^ word) * 0xC4CEB9FE1A85EC53u;
    return hash ^ hash >> 29;
  }

  std::int32_t number_of(const std::vector<std::string_view>& views, std::size_t i) {
    std::uint64_t hash = mixed(views[i]);
    std::size_t mask = table_.size() - 1, place = hash & mask;
    for (; table_[place] >= 0; place = (place + 1) & mask) {
      auto number = static_cast<std::size_t>(table_[place]);
      if (hashes_[number] != hash || views[firsts_[number]] != views[i]) continue;
      ++counts_[number];
      return table_[place];
    }
    auto number = static_cast<std::int32_t>(firsts_.size());
    table_[place] = number;
    firsts_.push_back(i);
    counts_.push_back(1);
    hashes_.push_back(hash);
    if (firsts_.size() * 2 > table_.size()) grow();
    return number;
  }

  void grow() {
    table_.assign(table_.size() * 4, -1);
    std::size_t mask = table_.size() - 1;
    for (std::size_t number = 0; number < hashes_.size(); ++number) {
      std::size_t place = hashes_[number] & mask;
      while (table_[place] >= 0) place = (place + 1) & mask;
      table_[place] = static_cast<std::int32_t>(number);
    }
  }

  std::vector<std::int32_t> table_, numbers_;
  std::vector<std::size_t> firsts_;
  std::vector<std::int64_t> counts_;
  std::vector<std::uint64_t> hashes_;
};

Value order(const Parameters& p) {
  std::vector<std::string_view> views;
  if (!view_texts(items_of(p[0]), views)) return Value::none();
  nd::Array made = new_integers(views.size());
  std::int64_t* places = made.mutable_as<std::int64_t>();
  for (const Key& key : ordered(views)) *places++ = key.place;
  return wrap(std::move(made));
}

Value group(const Parameters& p) {
  std::vector<std::string_view> views;
  if (!view_texts(items_of(p[0]), views)) return Value::none();
  Groups groups(views);
  std::vector<std::string_view> different;
  for (std::size_t first : groups.firsts()) different.push_back(views[first]);
  std::vector<Key> order = ordered(different);
  nd::Array firsts = new_integers(order.size()), counts = new_integers(order.size());
  nd::Array inverse = new_integers(views.size());
  std::vector<std::int64_t> rank(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::size_t number = order[i].place;
    rank[number] = static_cast<std::int64_t>(i);
    firsts.mutable_as<std::int64_t>()[i] = static_cast<std::int64_t>(groups.firsts()[number]);
    counts.mutable_as<std::int64_t>()[i] = groups.counts()[number];
  }
  std::int64_t* numbers = inverse.mutable_as<std::int64_t>();
  for (std::int32_t number : groups.numbers()) *numbers++ = rank[static_cast<std::size_t>(number)];
  return Value(make_tuple({wrap(firsts), wrap(inverse), wrap(counts)}));
}

Value are_among(const Parameters& p) {
  std::vector<std::string_view> views, wanted;
  std::span<const Value> items = items_of(p[0]), given = items_of(p[1]);
  if (!view_texts(items, views) || !view_texts(given, wanted)) return Value::none();
  if (is_str(items[0]) != is_str(given[0])) return Value::none();
  std::size_t known = wanted.size();
  bool inverted = truth(p[2]);
  nd::Array made =
      nd::Array::empty(nd::Dims{static_cast<std::int64_t>(views.size())}, DType::kBool);
  bool* results = made.mutable_as<bool>();
  wanted.insert(wanted.end(), views.begin(), views.end());
  Groups groups(wanted);
  for (std::size_t i = 0; i < views.size(); ++i) {
    auto number = static_cast<std::size_t>(groups.numbers()[known + i]);
    results[i] = (groups.firsts()[number] < known) != inverted;
  }
  return wrap(std::move(made));
}

bool is_plain_number(const Value& item) {
  return item.is_bool() || item.is_int() || item.is_float();
}

Value are_numbers(const Parameters& p) {
  std::span<const Value> items = items_of(p[0]);
  return Value::boolean(std::all_of(items.begin(), items.end(), is_plain_number));
}

Value are_plain(const Parameters& p) {
  std::span<const Value> items = items_of(p[0]);
  return Value::boolean(std::all_of(items.begin(), items.end(), [](const Value& item) {
    return is_plain_number(item) || is_exact_text(item) || is_bytes(item) || item.is_none();
  }));
}

const NativeRow kFunctions[] = {
    {"new_places(shape, /)", new_places, "The places of the elements of a new array of a shape."},
    {"pick(items, places, /)", pick, "The items at the places that an array tells."},
    {"store(items, places, values, /)", store,
     "Stores values, or one value, at the places that an array tells."},
    {"compare(name, first, second, /)", compare_lists,
     "An array of what a comparison says of the items of two lists; one item repeats."},
    {"calculate(name, first, second, /)", calculate,
     "What the operator of a ufunc gives for the items of two lists; one item repeats. None where "
     "it has no operator."},
    {"order(items, /)", order, "The places of texts or bytes in order; None for other items."},
    {"group(items, /)", group,
     "Of texts or bytes: where different ones first are, in order; which of them each is; how "
     "often they are there. None for other items."},
    {"are_among(items, wanted, inverted, /)", are_among,
     "Which texts or bytes are among others; None for other items."},
    {"are_numbers(items, /)", are_numbers, "Whether all items are bool, float or 64-bit int."},
    {"are_plain(items, /)", are_plain,
     "Whether all items are such numbers, texts, bytes or None: nothing that nests."},
};

}  // namespace

const NativeModule kElementListsModule = {
    "_element_lists", "Elements of boxed arrays in lists.", kFunctions, {}};

}  // namespace strider::lang
