// Parts looked for in texts.
#include <strider/nd/array.h>

#include <algorithm>

#include "interpreter/builtins/numpy/strings/letters.h"
#include "interpreter/builtins/numpy/strings/shortcuts.h"
#include "interpreter/builtins/numpy/texts/text_operands.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

using nd::DType;

constexpr std::string_view::size_type kNone = std::string_view::npos;

// The part of a text that is searched.
struct Window {
  std::int64_t start = 0;
  std::optional<std::int64_t> end;

  bool read(const Value& first, const Value& last) {
    if (!first.is_empty() && !first.is_int()) return false;
    if (!last.is_empty() && !last.is_none() && !last.is_int()) return false;
    if (first.is_int()) start = first.as_int();
    if (last.is_int()) end = last.as_int();
    return true;
  }
  bool is_whole() const { return start == 0 && !end; }
  // Cuts the text, whose characters are bytes, and tells where what is left began; false where it
  // begins behind the text.
  template <class Char>
  bool cut(std::basic_string_view<Char>& text, std::int64_t& begin) const {
    auto size = static_cast<std::int64_t>(text.size());
    std::int64_t stop = std::min(end.value_or(size), size);
    if (stop < 0) stop = std::max<std::int64_t>(stop + size, 0);
    begin = start < 0 ? std::max<std::int64_t>(start + size, 0) : start;
    if (begin > stop) return false;
    text = text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(stop - begin));
    return true;
  }
};

template <class Char>
using View = std::basic_string_view<Char>;

struct FindFirst {
  template <class Char>
  std::size_t operator()(View<Char> text, View<Char> part) const {
    return text.find(part);
  }
};
struct FindLast {
  template <class Char>
  std::size_t operator()(View<Char> text, View<Char> part) const {
    return text.rfind(part);
  }
};
struct CountParts {
  template <class Char>
  std::int64_t operator()(View<Char> text, View<Char> part) const {
    std::int64_t count = 0;
    for (std::size_t at = text.find(part); at != kNone; at = text.find(part, at + part.size()))
      ++count;
    return count;
  }
};
struct Starts {
  template <class Char>
  bool operator()(View<Char> text, View<Char> part) const {
    return text.starts_with(part);
  }
};
struct Ends {
  template <class Char>
  bool operator()(View<Char> text, View<Char> part) const {
    return text.ends_with(part);
  }
};

// Operands a, sub, start=0, end=None.
struct Sought {
  Texts texts, parts;
  Window window;

  bool read(const Arguments& arguments) {
    return read_all_texts(arguments.values[0], texts) &&
           read_all_texts(arguments.values[1], parts) && texts.kind == parts.kind &&
           goes_with(texts, parts) &&
           window.read(argument(arguments, 2), argument(arguments, 3));
  }
};

// use(i, text, part, begin) of each element, where `text` is what the window leaves of it and begin
// its place, -1 where nothing is left; false where npx is to answer.
template <class Use>
bool for_each(const Sought& sought, Use use) {
  std::string_view part;
  for (std::size_t i = 0; i < sought.texts.size(); ++i) {
    std::string_view text;
    if (!sought.texts.view(i, text) || !sought.parts.view(i, part) || part.empty()) return false;
    std::int64_t begin = 0;
    if (!sought.window.is_whole()) {
      if (!sought.texts.is_ascii(i)) return false;
      if (!sought.window.cut(text, begin)) begin = -1;
    }
    use(i, text, part, begin);
  }
  return true;
}

// The same operands, where the texts are packed.
struct SoughtPacked {
  PackedTexts texts, parts;
  Window window;

  bool read(const Arguments& arguments) {
    return texts.read_packed(arguments.values[0]) && parts.read(arguments.values[1]) &&
           texts.rows.wide == parts.rows.wide && (parts.repeats() || parts.shape == texts.shape) &&
           window.read(argument(arguments, 2), argument(arguments, 3));
  }
};

// use(text, part, begin) of the characters of each element; false where npx is to answer.
template <class Use>
bool for_each(const SoughtPacked& sought, Use use) {
  return with_letters(sought.texts.rows, [&](auto letters) {
    decltype(letters) parts(sought.parts.rows);
    for (std::size_t i = 0; i < letters.count(); ++i) {
      auto text = letters[i], part = parts[i];
      std::int64_t begin = 0;
      if (part.empty()) return false;
      if (!sought.window.is_whole() && !sought.window.cut(text, begin)) begin = -1;
      use(text, part, begin);
    }
    return true;
  });
}

template <class Find, bool kRequired>
Value find_packed(const Arguments& arguments) {
  SoughtPacked sought;
  if (!sought.read(arguments)) return {};
  nd::Array made = nd::Array::empty(sought.texts.shape, DType::kInt64);
  auto* results = made.mutable_as<std::int64_t>();
  bool missing = false;
  bool done = for_each(sought, [&](auto text, auto part, std::int64_t begin) {
    std::size_t at = begin < 0 ? kNone : Find()(text, part);
    missing = missing || at == kNone;
    *results++ = at == kNone ? -1 : begin + static_cast<std::int64_t>(at);
  });
  if (!done || (kRequired && missing)) return {};
  return wrap_result(std::move(made));
}

// find, rfind; index and rindex, which npx refuses where a part is missing.
template <class Find, bool kRequired>
Value find(const Arguments& arguments) {
  if (!takes_plainly(arguments, 2, 4)) return {};
  if (packed_pool_of(arguments.values[0])) return find_packed<Find, kRequired>(arguments);
  Sought sought;
  if (!sought.read(arguments)) return {};
  nd::Array made = nd::Array::empty(sought.texts.shape, DType::kInt64);
  auto* results = made.mutable_as<std::int64_t>();
  bool missing = false;
  bool done = for_each(
      sought, [&](std::size_t i, std::string_view text, std::string_view part, std::int64_t begin) {
        std::size_t at = begin < 0 ? kNone : Find()(text, part);
        missing = missing || at == kNone;
        std::int64_t place = -1;
        if (at != kNone)
          place = begin + (sought.texts.is_ascii(i) ? static_cast<std::int64_t>(at)
                                                    : count_code_points(text.substr(0, at)));
        *results++ = place;
      });
  if (!done || (kRequired && missing)) return {};
  return wrap_result(std::move(made));
}

template <class Result, DType kType, class Say>
Value say_packed(const Arguments& arguments) {
  SoughtPacked sought;
  if (!sought.read(arguments)) return {};
  nd::Array made = nd::Array::empty(sought.texts.shape, kType);
  auto* results = made.mutable_as<Result>();
  bool done = for_each(sought, [&](auto text, auto part, std::int64_t begin) {
    *results++ = begin < 0 ? Result() : Say()(text, part);
  });
  return done ? wrap_result(std::move(made)) : Value();
}

template <class Result, DType kType, class Say>
Value say(const Arguments& arguments) {
  if (!takes_plainly(arguments, 2, 4)) return {};
  if (packed_pool_of(arguments.values[0])) return say_packed<Result, kType, Say>(arguments);
  Sought sought;
  if (!sought.read(arguments)) return {};
  nd::Array made = nd::Array::empty(sought.texts.shape, kType);
  auto* results = made.mutable_as<Result>();
  bool done = for_each(
      sought, [&](std::size_t, std::string_view text, std::string_view part, std::int64_t begin) {
        *results++ = begin < 0 ? Result() : Say()(text, part);
      });
  return done ? wrap_result(std::move(made)) : Value();
}

constexpr Shortcut kShortcuts[] = {
    {"find", find<FindFirst, false>},
    {"rfind", find<FindLast, false>},
    {"index", find<FindFirst, true>},
    {"rindex", find<FindLast, true>},
    {"count", say<std::int64_t, DType::kInt64, CountParts>},
    {"startswith", say<bool, DType::kBool, Starts>},
    {"endswith", say<bool, DType::kBool, Ends>},
};

}  // namespace

Shortcuts shortcuts_that_search() { return kShortcuts; }

}  // namespace strider::lang
