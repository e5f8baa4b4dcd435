// _element_order: texts and bytes ordered, grouped, hashed and looked for. Knows nothing of dtypes.
#include <strider/nd/hash_order.h>
#include <strider/nd/sort.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/elements/element_lists.h"
#include "interpreter/builtins/numpy/texts/packed_elements.h"
#include "interpreter/runtime/protocol/protocol.h"

namespace strider::lang {
namespace {

using nd::DType;

// A text with eight of its bytes as a number.
struct Key {
  std::uint64_t word;
  std::uint32_t place;
};

std::uint64_t word_of(std::string_view text, std::size_t offset) {
  unsigned char bytes[8] = {};
  if (offset < text.size())
    std::memcpy(bytes, text.data() + offset, std::min<std::size_t>(8, text.size() - offset));
  std::uint64_t number = 0;
  for (unsigned char byte : bytes) number = number << 8 | byte;
  return number;
}

// Sorts by the words, byte by byte from the last one, which keeps the order of equal ones; a byte
// that all have alike costs nothing.
void sort_by_bytes(std::span<Key> keys) {
  std::array<std::array<std::uint32_t, 256>, 8> counts{};
  for (const Key& key : keys)
    for (std::size_t byte = 0; byte < 8; ++byte) ++counts[byte][key.word >> 8 * byte & 0xff];
  std::vector<Key> room(keys.size());
  std::span<Key> from = keys, to = room;
  for (std::size_t byte = 0; byte < 8; ++byte) {
    if (counts[byte][keys[0].word >> 8 * byte & 0xff] == keys.size()) continue;
    std::uint32_t next = 0;
    for (std::uint32_t& count : counts[byte]) next += std::exchange(count, next);
    for (const Key& key : from) to[counts[byte][key.word >> 8 * byte & 0xff]++] = key;
    std::swap(from, to);
  }
  if (from.data() != keys.data()) std::copy(from.begin(), from.end(), keys.begin());
}

// Sorts texts that are alike up to an offset, and in the order of their places; equal ones stay so.
void sort_from(std::span<Key> keys, const std::vector<std::string_view>& views,
               std::size_t offset) {
  constexpr std::size_t kMany = 256;
  for (Key& key : keys) key.word = word_of(views[key.place], offset);
  if (keys.size() < kMany) {
    std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
      if (a.word != b.word) return a.word < b.word;
      int order = order_of(views[a.place], views[b.place]);
      return order ? order < 0 : a.place < b.place;
    });
    return;
  }
  sort_by_bytes(keys);
  auto size_of = [&](const Key& key) { return views[key.place].size(); };
  for (auto first = keys.begin(); first != keys.end();) {
    auto last = std::find_if(first, keys.end(), [&](auto& key) { return key.word != first->word; });
    std::size_t least = size_of(*first), most = least;
    for (auto key = first; key != last; ++key) {
      least = std::min(least, size_of(*key));
      most = std::max(most, size_of(*key));
    }
    if (last - first > 1 && most > offset + 8)
      sort_from({first, last}, views, offset + 8);
    else if (least != most)  // some end with zeros
      std::stable_sort(first, last, [&](auto& a, auto& b) { return size_of(a) < size_of(b); });
    first = last;
  }
}

// The places of texts in ascending order; of equal ones the first comes first.
std::vector<Key> ordered(const std::vector<std::string_view>& views) {
  std::vector<Key> keys(views.size());
  for (std::size_t i = 0; i < views.size(); ++i) keys[i].place = static_cast<std::uint32_t>(i);
  sort_from(keys, views, 0);
  return keys;
}

nd::Array new_integers(std::size_t count) {
  return nd::Array::empty(nd::Dims{static_cast<std::int64_t>(count)}, DType::kInt64);
}

// Texts by their contents: which differ, numbered as they first appear.
class Groups {
 public:
  // Ends early where more than `most` differ.
  explicit Groups(const std::vector<std::string_view>& views, std::size_t most = ~std::size_t{0})
      : views_(views),
        table_(std::bit_ceil(std::clamp<std::size_t>(views.size(), 8, 2048) * 2), -1) {
    numbers_.reserve(views.size());
    while (numbers_.size() < views.size() && firsts_.size() <= most) add(numbers_.size());
  }
  bool complete() const { return numbers_.size() == views_.size(); }
  bool knows(std::string_view text) const { return table_[place_of(text, mixed(text))] >= 0; }
  const std::vector<std::size_t>& firsts() const { return firsts_; }
  const std::vector<std::int64_t>& counts() const { return counts_; }
  const std::vector<std::int32_t>& numbers() const { return numbers_; }

 private:
  static std::uint64_t mixed(std::string_view text) {
    std::uint64_t hash = 0x9E3779B97F4A7C15u ^ text.size();
    for (; text.size() >= 8; text.remove_prefix(8)) {
      std::uint64_t word;
      std::memcpy(&word, text.data(), 8);
      hash = folded(hash ^ word, 0xFF51AFD7ED558CCDu);
    }
    return folded(hash ^ short_word(text), 0xC4CEB9FE1A85EC53u);
  }

  // Both halves of a product, so that every bit counts in every place.
  static std::uint64_t folded(std::uint64_t a, std::uint64_t b) {
    auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }

  // Up to seven bytes as a number, which tells them apart from others of the same size.
  static std::uint64_t short_word(std::string_view text) {
    const char *first = text.data(), *last = first + text.size();
    if (text.size() >= 4) {
      std::uint32_t words[2];
      std::memcpy(&words[0], first, 4);
      std::memcpy(&words[1], last - 4, 4);
      return words[0] | std::uint64_t{words[1]} << 32;
    }
    if (text.empty()) return 0;
    auto byte = [](char c) { return std::uint64_t{static_cast<unsigned char>(c)}; };
    return byte(*first) | byte(first[text.size() / 2]) << 8 | byte(last[-1]) << 16;
  }

  // Where the table has the text, or has room for it.
  std::size_t place_of(std::string_view text, std::uint64_t hash) const {
    std::size_t mask = table_.size() - 1, place = hash & mask;
    for (; table_[place] >= 0; place = (place + 1) & mask) {
      auto number = static_cast<std::size_t>(table_[place]);
      if (hashes_[number] == hash && views_[firsts_[number]] == text) break;
    }
    return place;
  }

  void add(std::size_t i) {
    std::uint64_t hash = mixed(views_[i]);
    std::size_t place = place_of(views_[i], hash);
    if (table_[place] < 0) {
      table_[place] = static_cast<std::int32_t>(firsts_.size());
      firsts_.push_back(i);
      counts_.push_back(0);
      hashes_.push_back(hash);
    }
    numbers_.push_back(table_[place]);
    ++counts_[static_cast<std::size_t>(table_[place])];
    if (firsts_.size() * 2 > table_.size()) grow();
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

  const std::vector<std::string_view>& views_;
  std::vector<std::int32_t> table_, numbers_;
  std::vector<std::size_t> firsts_;
  std::vector<std::int64_t> counts_;
  std::vector<std::uint64_t> hashes_;
};

// The ranks of the groups among each other.
std::vector<std::int64_t> ranks_of(const std::vector<Key>& order) {
  std::vector<std::int64_t> ranks(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    ranks[order[i].place] = static_cast<std::int64_t>(i);
  return ranks;
}

std::vector<Key> ordered_groups(const Groups& groups, const std::vector<std::string_view>& views) {
  std::vector<std::string_view> different;
  different.reserve(groups.firsts().size());
  for (std::size_t first : groups.firsts()) different.push_back(views[first]);
  return ordered(different);
}

Value order(const Parameters& p) {
  TextViews texts;
  return texts.read(p[0]) ? wrap(order_of_views(texts.all())) : Value::none();
}

Value quick_order(const Parameters& p) {
  return wrap(nd::argsort(to_array(p[0]), to_optional_axis(p[1]), nd::SortKind::kCompared));
}

Value group(const Parameters& p) {
  TextViews texts;
  if (!texts.read(p[0])) return Value::none();
  const std::vector<std::string_view>& views = texts.all();
  Groups groups(views);
  std::vector<Key> order = ordered_groups(groups, views);
  nd::Array firsts = new_integers(order.size()), counts = new_integers(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::size_t number = order[i].place;
    firsts.mutable_as<std::int64_t>()[i] = static_cast<std::int64_t>(groups.firsts()[number]);
    counts.mutable_as<std::int64_t>()[i] = groups.counts()[number];
  }
  std::vector<std::int64_t> ranks = ranks_of(order);
  nd::Array inverse = new_integers(views.size());
  std::int64_t* numbers = inverse.mutable_as<std::int64_t>();
  for (std::int32_t number : groups.numbers()) *numbers++ = ranks[static_cast<std::size_t>(number)];
  return Value(make_tuple({wrap(firsts), wrap(inverse), wrap(counts)}));
}

// The hash of an element as NumPy stores it: texts as four bytes a character, with zeros up to
// `width` characters; without a width as they are.
std::size_t hash_of_stored(const Value& item, std::int64_t width) {
  nd::ByteHash hash;
  std::int64_t stored = 0;
  auto add = [&](const void* bytes, std::size_t size) {
    hash.add(bytes, size);
    ++stored;
  };
  if (is_str(item) && width >= 0) {
    std::string_view text = text_of(item);
    for (std::size_t at = 0; at < text.size();) {
      char32_t code_point = decode_code_point(text, at);
      add(&code_point, sizeof code_point);
    }
  } else if (is_str(item)) {
    hash.add(text_of(item).data(), text_of(item).size());
  } else {
    for (char byte : item.as<Bytes>()->bytes()) add(&byte, 1);
  }
  constexpr char32_t kNone = 0;
  while (stored < width) add(&kNone, is_str(item) ? sizeof kNone : 1);
  return hash.value();
}

// hash_order(items, width, equal_missing): items that are neither texts nor bytes are missing.
Value hash_order(const Parameters& p) {
  std::span<const Value> items = items_of(p[0]);
  std::int64_t width = to_int64(p[1]);
  bool equal_missing = truth(p[2]);
  auto item = [=](std::int64_t i) -> const Value& { return items[static_cast<std::size_t>(i)]; };
  auto hash = [=](std::int64_t i) {
    return is_str(item(i)) || is_bytes(item(i)) ? hash_of_stored(item(i), width) : 0;
  };
  auto is_same = [=](std::int64_t i, std::int64_t k) {
    const Value &a = item(i), &b = item(k);
    if (is_str(a)) return is_str(b) && text_of(a) == text_of(b);
    if (is_bytes(a)) return is_bytes(b) && a.as<Bytes>()->bytes() == b.as<Bytes>()->bytes();
    return equal_missing && !is_str(b) && !is_bytes(b);
  };
  std::vector<std::int64_t> order =
      nd::hash_order(static_cast<std::int64_t>(items.size()), hash, is_same);
  nd::Array made = new_integers(order.size());
  std::copy(order.begin(), order.end(), made.mutable_as<std::int64_t>());
  return wrap(std::move(made));
}

// Which packed texts are among a few others, each of which is compared with all; Empty of others.
Value are_among_few(const Value& array, const Value& wanted, bool inverted) {
  constexpr std::size_t kFewWanted = 6;
  PackedTexts texts, few;
  if (!packed_pool_of(array) || !texts.read_packed(array) || !few.read(wanted)) return {};
  if (texts.rows.count < 2) return {};  // of which one would repeat
  if (few.rows.count > kFewWanted || few.rows.wide != texts.rows.wide) return {};
  nd::Array made = nd::Array::empty(nd::Dims{static_cast<std::int64_t>(texts.rows.count)},
                                    DType::kBool),
            same = nd::Array::empty(made.shape(), DType::kBool);
  bool *results = made.mutable_as<bool>(), *each = same.mutable_as<bool>();
  std::fill_n(results, texts.rows.count, false);
  nd::Array room = text_memory(1, std::max(few.rows.width, texts.rows.width));
  text_rows::Rows one{room.data(), few.rows.width, 1, few.rows.wide};
  if (few.rows.width < texts.rows.width) one.width = texts.rows.width;
  for (std::size_t k = 0; k < few.rows.count; ++k) {
    text_rows::change_width({few.rows.row(k), few.rows.width, 1, few.rows.wide},
                            room.mutable_data(), one.width);
    text_rows::equal(texts.rows, one, each);
    for (std::size_t i = 0; i < texts.rows.count; ++i) results[i] |= each[i];
  }
  if (inverted)
    for (std::size_t i = 0; i < texts.rows.count; ++i) results[i] = !results[i];
  return wrap(std::move(made));
}

Value are_among(const Parameters& p) {
  if (Value found = are_among_few(p[0], p[1], truth(p[2])); !found.is_empty()) return found;
  TextViews texts, sought;
  if (!texts.read(p[0]) || !sought.read(p[1])) return Value::none();
  if (texts.are_texts() != sought.are_texts()) return Value::none();
  const std::vector<std::string_view>&views = texts.all(), &wanted = sought.all();
  bool inverted = truth(p[2]);
  nd::Array made =
      nd::Array::empty(nd::Dims{static_cast<std::int64_t>(views.size())}, DType::kBool);
  bool* results = made.mutable_as<bool>();
  Groups groups(wanted);
  for (std::string_view view : views) *results++ = groups.knows(view) != inverted;
  return wrap(std::move(made));
}

// find_places(ordered, items, right): where items would be put into ordered texts.
Value find_places(const Parameters& p) {
  TextViews texts, sought;
  if (!texts.read(p[0]) || !sought.read(p[1])) return Value::none();
  if (texts.are_texts() != sought.are_texts()) return Value::none();
  const std::vector<std::string_view>&views = texts.all(), &wanted = sought.all();
  bool right = truth(p[2]);
  nd::Array made = new_integers(wanted.size());
  std::int64_t* results = made.mutable_as<std::int64_t>();
  auto less = [](std::string_view a, std::string_view b) { return order_of(a, b) < 0; };
  for (std::string_view view : wanted) {
    auto found = right ? std::upper_bound(views.begin(), views.end(), view, less)
                       : std::lower_bound(views.begin(), views.end(), view, less);
    *results++ = found - views.begin();
  }
  return wrap(std::move(made));
}

const NativeRow kFunctions[] = {
    {"order(items, /)", order, "The places of texts or bytes in order; None for other items."},
    {"quick_order(ranks, axis, /)", quick_order,
     "The order of numbers in which NumPy's quicksort leaves elements that are compared."},
    {"group(items, /)", group,
     "Of texts or bytes: where different ones first are, in order; which of them each is; how "
     "often they are there. None for other items."},
    {"hash_order(items, width, equal_missing, /)", hash_order,
     "Where different texts or bytes first are, in the order of NumPy's table of them."},
    {"are_among(items, wanted, inverted, /)", are_among,
     "Which texts or bytes are among others; None for other items."},
    {"find_places(ordered, items, right, /)", find_places,
     "Where texts or bytes would be put among ordered ones; None for other items."},
};

}  // namespace

std::vector<std::uint32_t> order_texts(const std::vector<std::string_view>& views) {
  std::vector<std::uint32_t> places;
  places.reserve(views.size());
  for (const Key& key : ordered(views)) places.push_back(key.place);
  return places;
}

nd::Array order_of_views(const std::vector<std::string_view>& views) {
  nd::Array made = new_integers(views.size());
  std::int64_t* places = made.mutable_as<std::int64_t>();
  Groups groups(views, views.size() / 8);
  if (!groups.complete()) {
    for (const Key& key : ordered(views)) *places++ = key.place;
    return made;
  }
  // Many texts are equal: a group's items go where it begins.
  std::vector<Key> order = ordered_groups(groups, views);
  std::vector<std::int64_t> next(order.size());
  std::int64_t begin = 0;
  for (const Key& key : order) {
    next[key.place] = begin;
    begin += groups.counts()[key.place];
  }
  for (std::size_t i = 0; i < views.size(); ++i)
    places[next[static_cast<std::size_t>(groups.numbers()[i])]++] = static_cast<std::int64_t>(i);
  return made;
}

const NativeModule kElementOrderModule = {
    "_element_order", "Texts and bytes ordered, grouped and looked for.", kFunctions, {}};

}  // namespace strider::lang
