// Parts looked for in texts.
#include <strider/nd/array.h>

#include <algorithm>

#include "interpreter/builtins/numpy/elements/text_operands.h"
#include "interpreter/builtins/numpy/strings/shortcuts.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

using boxed_parts::view_text;
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
  bool cut(std::string_view& text, std::int64_t& begin) const {
    auto size = static_cast<std::int64_t>(text.size());
    std::int64_t stop = std::min(end.value_or(size), size);
    if (stop < 0) stop = std::max<std::int64_t>(stop + size, 0);
    begin = start < 0 ? std::max<std::int64_t>(start + size, 0) : start;
    if (begin > stop) return false;
    text = text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(stop - begin));
    return true;
  }
};

std::size_t find_first(std::string_view text, std::string_view part) { return text.find(part); }
std::size_t find_last(std::string_view text, std::string_view part) { return text.rfind(part); }

std::int64_t count_parts(std::string_view text, std::string_view part) {
  std::int64_t count = 0;
  for (std::size_t at = text.find(part); at != kNone; at = text.find(part, at + part.size()))
    ++count;
  return count;
}
bool starts(std::string_view text, std::string_view part) { return text.starts_with(part); }
bool ends(std::string_view text, std::string_view part) { return text.ends_with(part); }

// Operands a, sub, start=0, end=None.
struct Sought {
  Texts texts, parts;
  Window window;

  bool read(const Arguments& arguments) {
    return takes_plainly(arguments, 2, 4) && read_texts(arguments.values[0], texts) &&
           read_texts(arguments.values[1], parts) && texts.kind == parts.kind &&
           goes_with(texts, parts) && window.read(argument(arguments, 2), argument(arguments, 3));
  }
};

// use(item, text, part, begin) of each element, where `text` is what the window leaves of it and
// begin its place, -1 where nothing is left; false where npx is to answer.
template <class Use>
bool for_each(const Sought& sought, Use use) {
  std::string_view part;
  for (std::size_t i = 0; i < sought.texts.items.size(); ++i) {
    const Value& item = sought.texts.items[i];
    std::string_view text;
    if (!view_text(item, text) || !view_text(sought.parts[i], part) || part.empty()) return false;
    std::int64_t begin = 0;
    if (!sought.window.is_whole()) {
      if (!is_ascii_item(item)) return false;
      if (!sought.window.cut(text, begin)) begin = -1;
    }
    use(item, text, part, begin);
  }
  return true;
}

// find, rfind; index and rindex, which npx refuses where a part is missing.
template <std::size_t (*kFind)(std::string_view, std::string_view), bool kRequired>
Value find(const Arguments& arguments) {
  Sought sought;
  if (!sought.read(arguments)) return {};
  nd::Array made = nd::Array::empty(sought.texts.shape, DType::kInt64);
  auto* results = made.mutable_as<std::int64_t>();
  bool missing = false;
  bool done = for_each(sought, [&](const Value& item, std::string_view text, std::string_view part,
                                   std::int64_t begin) {
    std::size_t at = begin < 0 ? kNone : kFind(text, part);
    missing = missing || at == kNone;
    std::int64_t place = -1;
    if (at != kNone)
      place = begin + (is_ascii_item(item) ? static_cast<std::int64_t>(at)
                                           : count_code_points(text.substr(0, at)));
    *results++ = place;
  });
  if (!done || (kRequired && missing)) return {};
  return wrap_result(std::move(made));
}

template <class Result, DType kType, auto kSay>
Value say(const Arguments& arguments) {
  Sought sought;
  if (!sought.read(arguments)) return {};
  nd::Array made = nd::Array::empty(sought.texts.shape, kType);
  auto* results = made.mutable_as<Result>();
  bool done = for_each(
      sought, [&](const Value&, std::string_view text, std::string_view part, std::int64_t begin) {
        *results++ = begin < 0 ? Result() : kSay(text, part);
      });
  return done ? wrap_result(std::move(made)) : Value();
}

constexpr Shortcut kShortcuts[] = {
    {"find", find<find_first, false>},
    {"rfind", find<find_last, false>},
    {"index", find<find_first, true>},
    {"rindex", find<find_last, true>},
    {"count", say<std::int64_t, DType::kInt64, count_parts>},
    {"startswith", say<bool, DType::kBool, starts>},
    {"endswith", say<bool, DType::kBool, ends>},
};

}  // namespace

Shortcuts shortcuts_that_search() { return kShortcuts; }

}  // namespace strider::lang
