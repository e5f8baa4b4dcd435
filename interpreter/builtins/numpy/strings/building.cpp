// Texts made longer, or of other texts: results with room for the longest of them.
#include "interpreter/builtins/numpy/elements/element_answers.h"
#include "interpreter/builtins/numpy/elements/text_operands.h"
#include "interpreter/builtins/numpy/strings/shortcuts.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

using boxed_parts::view_text;

constexpr std::int64_t kLongest = 1 << 20;  // longer results are npx's

// A text, or bytes, of so many bytes and characters, which `write` puts in place.
template <class Write>
Value written(bool bytes, std::size_t size, std::int64_t length, Write write) {
  if (bytes) {
    std::string made(size, '\0');
    write(made.data());
    return Value(make<Bytes>(std::move(made)));
  }
  StrMaker maker(size, length);
  write(maker.place());
  return Value(maker.take());
}

char* put(char* place, std::string_view text) { return std::copy(text.begin(), text.end(), place); }

// The texts that `make` gives of the place of each element, the element and its view; Empty where
// it gives one, or an element is not kept as usual.
template <class Make>
Value each_text(const Texts& texts, Make make) {
  if (texts.shape.size() == 0) return {};
  Values made;
  made.reserve(texts.items.size());
  for (std::size_t i = 0; i < texts.items.size(); ++i) {
    std::string_view text;
    if (!view_text(texts.items[i], text)) return {};
    Value one = make(i, texts.items[i], text);
    if (one.is_empty()) return {};
    made.push_back(std::move(one));
  }
  return array_of_texts(std::move(made), texts);
}

// add(x1, x2)
Value add(const Arguments& arguments) {
  if (!takes_plainly(arguments, 2, 2)) return {};
  return combine_texts(nd::Op::kAdd, arguments.values[0], arguments.values[1]);
}

// multiply(a, i)
Value multiply(const Arguments& arguments) {
  Texts texts;
  Integers times;
  if (!takes_plainly(arguments, 2, 2) || !read_texts(arguments.values[0], texts)) return {};
  if (!read_integers(arguments.values[1], times) || !goes_with(texts, times)) return {};
  bool bytes = texts.kind == boxed().bytes_dtype;
  return each_text(texts, [&](std::size_t i, const Value& item, std::string_view text) {
    std::int64_t count = std::max<std::int64_t>(times[i], 0);
    if (count == 1) return item;
    if (count > kLongest || count * static_cast<std::int64_t>(text.size()) > kLongest)
      return Value();
    auto size = static_cast<std::size_t>(count) * text.size();
    return written(bytes, size, count * length_of_text(item), [&](char* place) {
      for (std::int64_t k = 0; k < count; ++k) place = put(place, text);
    });
  });
}

// --- Replacing ---

// The text with `count` of its parts replaced, all where it is negative.
Value replaced(const Value& item, std::string_view text, const Value& old, const Value& fresh,
               std::int64_t most) {
  std::string_view from, to;
  if (!view_text(old, from) || !view_text(fresh, to) || from.empty()) return {};
  std::size_t at = text.find(from);
  if (at == text.npos || most == 0) return item;
  std::string made;
  std::size_t begin = 0;
  std::int64_t count = 0;
  while (at != text.npos && count != most) {
    made.append(text, begin, at - begin).append(to);
    begin = at + from.size();
    at = text.find(from, begin);
    ++count;
  }
  made.append(text, begin, text.npos);
  if (!is_str(item)) return Value(make<Bytes>(std::move(made)));
  std::int64_t growth = length_of_text(fresh) - length_of_text(old);
  return Value(make_str(std::move(made), length_of_text(item) + count * growth));
}

// replace(a, old, new, count=-1)
Value replace(const Arguments& arguments) {
  Texts texts, old, fresh;
  Integers most;
  if (!takes_plainly(arguments, 3, 4) || !read_texts(arguments.values[0], texts) ||
      !read_texts(arguments.values[1], old) || !read_texts(arguments.values[2], fresh))
    return {};
  most.one = -1;
  if (arguments.count == 4 && !read_integers(arguments.values[3], most)) return {};
  if (old.kind != texts.kind || fresh.kind != texts.kind) return {};
  if (!goes_with(texts, old) || !goes_with(texts, fresh) || !goes_with(texts, most)) return {};
  return each_text(texts, [&](std::size_t i, const Value& item, std::string_view text) {
    return replaced(item, text, old[i], fresh[i], most[i]);
  });
}

// --- Widths ---

// Operands a, width, fillchar=" ".
struct Padding {
  Texts texts;
  Integers widths;
  char fill = ' ';

  bool read(const Arguments& arguments, std::size_t most) {
    if (!takes_plainly(arguments, 2, most) || !read_texts(arguments.values[0], texts)) return false;
    if (!read_integers(arguments.values[1], widths) || !goes_with(texts, widths)) return false;
    if (arguments.count < 3) return true;
    Texts given;
    std::string_view text;
    if (!read_texts(arguments.values[2], given) || !given.repeats()) return false;
    if (!view_text(given[0], text) || text.size() != 1 || !is_ascii_text(text)) return false;
    fill = text[0];
    return true;
  }
};

enum class Side { kLeft, kRight, kBoth };

template <Side kSide>
Value pad(const Arguments& arguments) {
  Padding given;
  if (!given.read(arguments, 3)) return {};
  bool bytes = given.texts.kind == boxed().bytes_dtype;
  return each_text(given.texts, [&](std::size_t i, const Value& item, std::string_view text) {
    std::int64_t width = given.widths[i], lacks = width - length_of_text(item);
    if (lacks <= 0) return item;
    if (width > kLongest) return Value();
    // Python's str.center puts the odd one on the left where the width is odd.
    std::int64_t before = kSide == Side::kLeft    ? lacks
                          : kSide == Side::kRight ? 0
                                                  : lacks / 2 + (lacks & width & 1);
    auto size = text.size() + static_cast<std::size_t>(lacks);
    return written(bytes, size, width, [&](char* place) {
      place = std::fill_n(place, before, given.fill);
      std::fill_n(put(place, text), lacks - before, given.fill);
    });
  });
}

// zfill(a, width)
Value fill_with_zeros(const Arguments& arguments) {
  Padding given;
  if (!given.read(arguments, 2)) return {};
  bool bytes = given.texts.kind == boxed().bytes_dtype;
  return each_text(given.texts, [&](std::size_t i, const Value& item, std::string_view text) {
    std::int64_t width = given.widths[i], lacks = width - length_of_text(item);
    if (lacks <= 0) return item;
    if (width > kLongest) return Value();
    bool signs = text.starts_with('-') || text.starts_with('+');
    auto size = text.size() + static_cast<std::size_t>(lacks);
    return written(bytes, size, width, [&](char* place) {
      if (signs) *place++ = text[0];
      put(std::fill_n(place, lacks, '0'), text.substr(signs ? 1 : 0));
    });
  });
}

// --- Texts as bytes, bytes as texts ---

// Whether an encoding is UTF-8, or left out; errors are then none.
bool means_utf8(const Value& encoding) {
  if (encoding.is_empty() || encoding.is_none()) return true;
  return is_str(encoding) && (text_of(encoding) == "utf-8" || text_of(encoding) == "utf8");
}

bool has_surrogates(std::string_view text) { return text.find('\xed') != text.npos; }

// encode(a, encoding=None)
Value encode(const Arguments& arguments) {
  Texts texts;
  if (!takes_plainly(arguments, 1, 2) || !read_texts(arguments.values[0], texts)) return {};
  if (texts.kind != boxed().text_dtype || !means_utf8(argument(arguments, 1))) return {};
  if (texts.items.empty()) return {};
  texts.kind = boxed().bytes_dtype;
  return each_text(texts, [](std::size_t, const Value& item, std::string_view text) {
    if (!is_ascii_item(item) && has_surrogates(text)) return Value();
    return Value(make<Bytes>(std::string(text)));
  });
}

// decode(a, encoding=None)
Value decode(const Arguments& arguments) {
  Texts texts;
  if (!takes_plainly(arguments, 1, 2) || !read_texts(arguments.values[0], texts)) return {};
  if (texts.kind != boxed().bytes_dtype || !means_utf8(argument(arguments, 1))) return {};
  if (texts.items.empty()) return {};
  texts.kind = boxed().text_dtype;
  return each_text(texts, [](std::size_t, const Value&, std::string_view text) {
    return is_ascii_text(text) ? Value(make_str(text)) : Value();
  });
}

constexpr Shortcut kShortcuts[] = {
    {"add", add},
    {"multiply", multiply},
    {"replace", replace},
    {"rjust", pad<Side::kLeft>},
    {"ljust", pad<Side::kRight>},
    {"center", pad<Side::kBoth>},
    {"zfill", fill_with_zeros},
    {"encode", encode},
    {"decode", decode},
};

}  // namespace

Shortcuts shortcuts_that_build() { return kShortcuts; }

}  // namespace strider::lang
