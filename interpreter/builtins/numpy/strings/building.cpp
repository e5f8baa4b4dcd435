// Texts made longer, or of other texts: results with room for the longest of them.
#include "interpreter/builtins/numpy/elements/element_answers.h"
#include "interpreter/builtins/numpy/strings/letters.h"
#include "interpreter/builtins/numpy/strings/shortcuts.h"
#include "interpreter/builtins/numpy/texts/text_maker.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

constexpr std::int64_t kLongest = 1 << 20;  // longer results are npx's

char* put(char* place, std::string_view text) { return std::copy(text.begin(), text.end(), place); }

// The texts that `make` adds of the place of each element and its view, of a kind; Empty where it
// says false, or an element is not kept as usual.
template <class Make>
Value each_text(const Texts& texts, const Type* kind, Make make) {
  if (texts.shape.size() == 0) return {};
  bool strings = texts.any_length && kind == texts.kind;
  TextMaker made(kind, texts.size(), texts.loose && (strings || !texts.any_length));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::string_view text;
    if (!texts.view(i, text) || !make(i, text, made)) return {};
  }
  return strings ? made.array(texts.shape, texts.dtype) : made.array(texts.shape);
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
  if (!takes_plainly(arguments, 2, 2) || !read_all_texts(arguments.values[0], texts)) return {};
  if (!read_integers(arguments.values[1], times) || !goes_with(texts, times)) return {};
  return each_text(texts, texts.kind, [&](std::size_t i, std::string_view text, TextMaker& made) {
    std::int64_t count = std::max<std::int64_t>(times[i], 0);
    if (count > kLongest || count * static_cast<std::int64_t>(text.size()) > kLongest) return false;
    if (count == 1) {
      made.keep(texts, i);
      return true;
    }
    auto size = static_cast<std::size_t>(count) * text.size();
    made.write(size, count * texts.length(i), [&](char* place) {
      for (std::int64_t k = 0; k < count; ++k) place = put(place, text);
    });
    return true;
  });
}

// --- Replacing ---

// A part that is replaced, what takes its place, and by how many characters that is longer.
struct Change {
  std::string_view from, to;
  std::int64_t growth;
};

// Adds the text with up to `most` of its parts replaced, all where it is negative. `made` is room
// for texts in the making.
void replace_parts(const Texts& texts, std::size_t i, std::string_view text, const Change& change,
                   std::int64_t most, std::string& made, TextMaker& maker) {
  std::size_t at = text.find(change.from);
  if (at == text.npos || most == 0) return maker.keep(texts, i);
  made.clear();
  std::size_t begin = 0;
  std::int64_t count = 0;
  while (at != text.npos && count != most) {
    made.append(text, begin, at - begin).append(change.to);
    begin = at + change.from.size();
    at = text.find(change.from, begin);
    ++count;
  }
  made.append(text, begin, text.npos);
  maker.add(made, texts.length(i) + count * change.growth);
}

// replace(a, old, new, count=-1)
Value replace(const Arguments& arguments) {
  Texts texts, old, fresh;
  Integers most;
  if (!takes_plainly(arguments, 3, 4) || !read_all_texts(arguments.values[0], texts) ||
      !read_all_texts(arguments.values[1], old) || !read_all_texts(arguments.values[2], fresh))
    return {};
  if (!texts.any_length && (old.any_length || fresh.any_length)) return {};
  most.one = -1;
  if (arguments.count == 4 && !read_integers(arguments.values[3], most)) return {};
  if (old.kind != texts.kind || fresh.kind != texts.kind) return {};
  if (!goes_with(texts, old) || !goes_with(texts, fresh) || !goes_with(texts, most)) return {};
  for (const Texts* part : {&old, &fresh})  // what is no array is cut
    if (!texts.any_length && part->dtype.is_empty() && letters_of(*part) > letters_of(texts))
      return {};
  std::string room;
  return each_text(texts, texts.kind, [&](std::size_t i, std::string_view text, TextMaker& made) {
    Change change;
    if (!old.view(i, change.from) || !fresh.view(i, change.to) || change.from.empty()) return false;
    change.growth = fresh.length(i) - old.length(i);
    replace_parts(texts, i, text, change, most[i], room, made);
    return true;
  });
}

// --- Widths ---

// Operands a, width, fillchar=" ".
struct Padding {
  Texts texts;
  Integers widths;
  char fill = ' ';

  bool read(const Arguments& arguments, std::size_t most) {
    if (!takes_plainly(arguments, 2, most) || !read_all_texts(arguments.values[0], texts))
      return false;
    if (!read_integers(arguments.values[1], widths) || !goes_with(texts, widths)) return false;
    if (arguments.count < 3) return true;
    Texts given;
    std::string_view text;
    if (!read_texts(arguments.values[2], given) || !given.repeats()) return false;
    if (!given.view(0, text) || text.size() != 1 || !is_ascii_text(text)) return false;
    fill = text[0];
    return true;
  }
};

// An array whose packed elements are filled up to a width by `fill(letters, row, lacks)`, which
// writes all characters of one; what is longer stays. Empty where npx is to answer.
template <class Fill>
Value fill_up(const Value& self, std::int64_t width, Fill fill) {
  PackedTexts texts;
  if (width > kLongest || !texts.read_packed(self) || texts.shape.size() == 0) return {};
  return with_letters(texts.rows, [&](auto letters) {
    using Char = typename decltype(letters)::View::value_type;
    auto least = static_cast<std::size_t>(std::max<std::int64_t>(width, 0)), most = least;
    for (std::size_t i = 0; i < letters.count(); ++i) most = std::max(most, letters[i].size());
    if (most == 0) return Value();
    nd::Array memory = text_memory(letters.count(), most * sizeof(Char));
    auto* row = reinterpret_cast<Char*>(memory.mutable_data());
    for (std::size_t i = 0; i < letters.count(); ++i, row += most) {
      auto text = letters[i];
      Char* end = text.size() < least ? fill(text, row, least - text.size())
                                      : std::copy(text.begin(), text.end(), row);
      std::fill(end, row + most, Char());
    }
    Value dtype = text_dtype(*type_of(texts.dtype), static_cast<std::int64_t>(most));
    return make_packed(std::move(memory), texts.shape, dtype);
  });
}

// The width that is one for all elements of a packed array, and the character that fills; none
// where the operands are others.
struct PackedPadding {
  std::int64_t width = 0;
  char fill = ' ';

  bool read(const Arguments& arguments, std::size_t most) {
    if (!takes_plainly(arguments, 2, most) || !packed_pool_of(arguments.values[0])) return false;
    if (!arguments.values[1].is_int()) return false;
    width = arguments.values[1].as_int();
    if (arguments.count < 3) return true;
    Texts given;
    std::string_view text;
    bool plain = read_texts(arguments.values[2], given) && given.repeats() && given.view(0, text);
    if (!plain || text.size() != 1 || !is_ascii_text(text)) return false;
    fill = text[0];
    return fill != '\0';
  }
};

enum class Side { kLeft, kRight, kBoth };

// How many characters are put before a text. Python's str.center puts the odd one on the left where
// the width is odd.
template <Side kSide>
std::int64_t before(std::int64_t lacks, std::int64_t width) {
  if (kSide == Side::kBoth) return lacks / 2 + (lacks & width & 1);
  return kSide == Side::kLeft ? lacks : 0;
}

// Texts that lack characters of their width, as fill(place, text, lacks, width) writes them; others
// as they are.
template <class Fill>
Value lengthen(const Padding& given, Fill fill) {
  const Texts& texts = given.texts;
  return each_text(texts, texts.kind, [&](std::size_t i, std::string_view text, TextMaker& made) {
    std::int64_t width = given.widths[i], lacks = width - texts.length(i);
    if (width > kLongest) return false;
    if (lacks <= 0)
      made.keep(texts, i);
    else
      made.write(text.size() + static_cast<std::size_t>(lacks), width,
                 [&](char* place) { fill(place, text, lacks, width); });
    return true;
  });
}

template <Side kSide>
Value pad(const Arguments& arguments) {
  if (PackedPadding packed; packed.read(arguments, 3))
    return fill_up(arguments.values[0], packed.width, [&](auto text, auto* row, std::size_t lacks) {
      auto first =
          static_cast<std::size_t>(before<kSide>(static_cast<std::int64_t>(lacks), packed.width));
      row = std::copy(text.begin(), text.end(), std::fill_n(row, first, packed.fill));
      return std::fill_n(row, lacks - first, packed.fill);
    });
  Padding given;
  if (!given.read(arguments, 3)) return {};
  return lengthen(given,
                  [&](char* place, std::string_view text, std::int64_t lacks, std::int64_t width) {
                    std::int64_t first = before<kSide>(lacks, width);
                    place = std::fill_n(place, first, given.fill);
                    std::fill_n(put(place, text), lacks - first, given.fill);
                  });
}

// zfill(a, width)
Value fill_with_zeros(const Arguments& arguments) {
  if (PackedPadding packed; packed.read(arguments, 2))
    return fill_up(arguments.values[0], packed.width, [](auto text, auto* row, std::size_t lacks) {
      if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
        *row++ = text[0];
        text.remove_prefix(1);
      }
      return std::copy(text.begin(), text.end(), std::fill_n(row, lacks, '0'));
    });
  Padding given;
  if (!given.read(arguments, 2)) return {};
  return lengthen(given, [](char* place, std::string_view text, std::int64_t lacks, std::int64_t) {
    bool signs = text.starts_with('-') || text.starts_with('+');
    if (signs) *place++ = text[0];
    put(std::fill_n(place, lacks, '0'), text.substr(signs ? 1 : 0));
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
  if (!takes_plainly(arguments, 1, 2) || !read_all_texts(arguments.values[0], texts)) return {};
  if (texts.kind != boxed().text_dtype || !means_utf8(argument(arguments, 1))) return {};
  if (texts.size() == 0) return {};
  const Type* kind = boxed().bytes_dtype;
  return each_text(texts, kind, [&](std::size_t i, std::string_view text, TextMaker& made) {
    if (!texts.is_ascii(i) && has_surrogates(text)) return false;
    made.add(text, static_cast<std::int64_t>(text.size()));
    return true;
  });
}

// decode(a, encoding=None)
Value decode(const Arguments& arguments) {
  Texts texts;
  if (!takes_plainly(arguments, 1, 2) || !read_texts(arguments.values[0], texts)) return {};
  if (texts.kind != boxed().bytes_dtype || !means_utf8(argument(arguments, 1))) return {};
  if (texts.size() == 0) return {};
  const Type* kind = boxed().text_dtype;
  return each_text(texts, kind, [](std::size_t, std::string_view text, TextMaker& made) {
    if (!is_ascii_text(text)) return false;
    made.add(text, static_cast<std::int64_t>(text.size()));
    return true;
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
