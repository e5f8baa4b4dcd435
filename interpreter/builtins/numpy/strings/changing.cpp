// Texts in other letters, without their ends, and parts of them: results with the room of the
// elements that they are made of.
#include <array>

#include "interpreter/builtins/numpy/strings/letters.h"
#include "interpreter/builtins/numpy/strings/shortcuts.h"
#include "interpreter/builtins/numpy/texts/text_maker.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

template <class Char>
bool is_lower(Char c) {
  return c >= 'a' && c <= 'z';
}
template <class Char>
bool is_upper(Char c) {
  return c >= 'A' && c <= 'Z';
}
template <class Char>
bool is_letter(Char c) {
  return is_lower(static_cast<Char>(c | 0x20));
}
template <class Char>
Char to_upper(Char c) {
  return is_lower(c) ? static_cast<Char>(c - 32) : c;
}
template <class Char>
Char to_lower(Char c) {
  return is_upper(c) ? static_cast<Char>(c + 32) : c;
}

// --- Letters ---

// What changes every character, whatever stands beside it.
struct Raise {
  template <class Char>
  static Char letter(Char c) {
    return to_upper(c);
  }
};
struct Lower {
  template <class Char>
  static Char letter(Char c) {
    return to_lower(c);
  }
};
struct Swap {
  template <class Char>
  static Char letter(Char c) {
    return is_letter(c) ? static_cast<Char>(c ^ 0x20) : c;
  }
};

template <class Each>
struct Letterwise {
  static constexpr bool kAlone = true;
  template <class Char>
  static void run(std::basic_string_view<Char> text, Char* made) {
    for (Char c : text) *made++ = Each::letter(c);
  }
};

struct RaiseFirst {
  static constexpr bool kAlone = false;
  template <class Char>
  static void run(std::basic_string_view<Char> text, Char* made) {
    Letterwise<Lower>::run(text, made);
    if (!text.empty()) *made = to_upper(*made);
  }
};

struct RaiseWords {
  static constexpr bool kAlone = false;
  template <class Char>
  static void run(std::basic_string_view<Char> text, Char* made) {
    bool within = false;
    for (Char c : text) {
      *made++ = within ? to_lower(c) : to_upper(c);
      within = is_letter(c);
    }
  }
};

// The texts that `make` adds of the place of each element and its view, with the dtype of the
// operand; Empty where it says false, or an element is not kept as usual.
template <class Make>
Value each_text(const Texts& texts, Make make) {
  TextMaker made(texts.kind, texts.size(), texts.loose);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::string_view text;
    if (!texts.view(i, text) || !make(i, text, made)) return {};
  }
  return made.array(texts.shape, dtype_of_texts(texts));
}

// An array of what `write(letters, made)` makes of packed texts, in as much memory; Empty where it
// says false.
template <class Write>
Value each_row(const Value& self, Write write) {
  PackedTexts texts;
  if (!texts.read_packed(self) || texts.shape.size() == 0) return {};
  nd::Array memory = text_memory(texts.rows.count, texts.rows.width);
  bool done = with_letters(texts.rows, [&](auto letters) {
    using Char = typename decltype(letters)::View::value_type;
    return write(letters, reinterpret_cast<Char*>(memory.mutable_data()));
  });
  return done ? make_packed(std::move(memory), texts.shape, texts.dtype) : Value();
}

template <class Change>
Value change_packed(const Value& self) {
  return each_row(self, [](auto letters, auto* made) {
    if (!are_plain_letters(letters.all())) return false;
    std::size_t width = letters.width();
    if (Change::kAlone)
      Change::run(letters.all(), made);
    else
      for (std::size_t i = 0; i < letters.count(); ++i)
        Change::run(letters.all().substr(i * width, width), made + i * width);
    return true;
  });
}

template <class Change>
Value change(const Arguments& arguments) {
  Texts texts;
  if (!takes_plainly(arguments, 1, 1)) return {};
  if (packed_pool_of(arguments.values[0])) return change_packed<Change>(arguments.values[0]);
  if (!read_all_texts(arguments.values[0], texts) || texts.shape.size() == 0) return {};
  return each_text(texts, [&](std::size_t i, std::string_view text, TextMaker& made) {
    if (!texts.is_ascii(i)) return false;
    made.write(text.size(), static_cast<std::int64_t>(text.size()),
               [&](char* place) { Change::run(text, place); });
    return true;
  });
}

// --- Ends ---

// Which characters of ASCII are taken away.
using Marks = std::array<bool, 128>;

Marks white_space(bool bytes) {
  Marks marks{};
  for (char c : {' ', '\t', '\n', '\v', '\f', '\r'}) marks[static_cast<std::size_t>(c)] = true;
  for (std::size_t c = 28; c < 32; ++c) marks[c] = !bytes;
  return marks;
}

// Those that an argument names; none where they are not of ASCII, or many arguments. `kind`: that
// of the texts.
std::optional<Marks> read_marks(const Value& given, const Type* kind) {
  if (given.is_empty() || given.is_none()) return white_space(kind == boxed().bytes_dtype);
  Texts chars;
  std::string_view named;
  if (!read_texts(given, chars) || chars.kind != kind || !chars.repeats()) return {};
  if (!chars.view(0, named) || !is_ascii_text(named)) return {};
  Marks marks{};
  for (char c : named) marks[static_cast<std::size_t>(c)] = true;
  return marks;
}

// What is left of a text; false where a character beyond ASCII, or a zero, stands at an end.
template <bool kLeft, bool kRight, class Char>
bool strip_ends(std::basic_string_view<Char>& text, const Marks& marks) {
  auto goes = [&](Char c) { return static_cast<unsigned>(c) < 0x80 && marks[c & 0x7f]; };
  while (kLeft && !text.empty() && goes(text.front())) text.remove_prefix(1);
  while (kRight && !text.empty() && goes(text.back())) text.remove_suffix(1);
  if (text.empty()) return true;
  return is_plain_letter(text.front()) && is_plain_letter(text.back()) && text.back() != Char();
}

template <bool kLeft, bool kRight>
Value strip_packed(const Value& self, const Marks& marks) {
  return each_row(self, [&](auto letters, auto* made) {
    std::size_t width = letters.width();
    std::copy(letters.all().begin(), letters.all().end(), made);
    for (std::size_t i = 0; i < letters.count(); ++i) {
      auto whole = letters[i], text = whole;
      if (!strip_ends<kLeft, kRight>(text, marks)) return false;
      if (text.size() == whole.size()) continue;
      auto* row = made + i * width;
      std::fill(std::copy(text.begin(), text.end(), row), row + whole.size(), 0);
    }
    return true;
  });
}

template <bool kLeft, bool kRight>
Value strip(const Arguments& arguments) {
  Texts texts;
  if (!takes_plainly(arguments, 1, 2)) return {};
  const Value& self = arguments.values[0];
  if (packed_pool_of(self)) {
    std::optional<Marks> marks = read_marks(argument(arguments, 1), boxed_parts::dtype_class(self));
    return marks ? strip_packed<kLeft, kRight>(self, *marks) : Value();
  }
  if (!read_all_texts(self, texts)) return {};
  std::optional<Marks> marks = read_marks(argument(arguments, 1), texts.kind);
  if (!marks || texts.shape.size() == 0) return {};
  auto goes = [&](char c) { return static_cast<signed char>(c) >= 0 && (*marks)[c & 0x7f]; };
  return each_text(texts, [&](std::size_t i, std::string_view whole, TextMaker& made) {
    if (!texts.is_ascii(i)) return false;
    std::string_view text = whole;
    while (kLeft && !text.empty() && goes(text.front())) text.remove_prefix(1);
    while (kRight && !text.empty() && goes(text.back())) text.remove_suffix(1);
    if (text.size() == whole.size())
      made.keep(texts, i);
    else
      made.add(text, static_cast<std::int64_t>(text.size()));
    return true;
  });
}

// --- Parts ---

// slice(a, start, stop, step) with steps of one; alone, start is where the parts end.
struct Part {
  std::optional<std::int64_t> start, stop;

  bool read(const Arguments& arguments) {
    const Value first = argument(arguments, 1), second = argument(arguments, 2),
                step = argument(arguments, 3);
    if (!step.is_empty() && !step.is_none() && !(step.is_int() && step.as_int() == 1)) return false;
    bool alone = arguments.count == 2;
    return read_one(alone ? Value::none() : first, start) && read_one(alone ? first : second, stop);
  }
  static bool read_one(const Value& value, std::optional<std::int64_t>& made) {
    if (value.is_int()) made = value.as_int();
    return value.is_int() || value.is_none();
  }
  static std::int64_t place(std::int64_t at, std::int64_t size) {
    return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size);
  }
  std::int64_t first(std::int64_t size) const { return place(start.value_or(0), size); }
  std::int64_t last(std::int64_t size) const { return stop ? place(*stop, size) : size; }
};

// The characters from `first` up to `last`.
std::string_view part_of_text(std::string_view text, std::int64_t first, std::int64_t last) {
  std::size_t begin = 0;
  for (std::int64_t i = 0; i < first; ++i) decode_code_point(text, begin);
  std::size_t end = begin;
  for (std::int64_t i = first; i < last; ++i) decode_code_point(text, end);
  return text.substr(begin, end - begin);
}

Value slice_packed(const Value& self, const Part& part) {
  return each_row(self, [&](auto letters, auto* made) {
    std::size_t width = letters.width();
    for (std::size_t i = 0; i < letters.count(); ++i) {
      auto text = letters[i];
      auto size = static_cast<std::int64_t>(text.size());
      std::int64_t first = part.first(size), last = std::max(first, part.last(size));
      if (last > first && text[static_cast<std::size_t>(last) - 1] == 0) return false;
      auto* row = made + i * width;
      std::fill(std::copy(text.begin() + first, text.begin() + last, row), row + width, 0);
    }
    return true;
  });
}

Value slice(const Arguments& arguments) {
  Texts texts;
  Part part;
  if (!takes_plainly(arguments, 2, 4) || !part.read(arguments)) return {};
  if (packed_pool_of(arguments.values[0])) return slice_packed(arguments.values[0], part);
  if (!read_all_texts(arguments.values[0], texts) || texts.shape.size() == 0) return {};
  return each_text(texts, [&](std::size_t i, std::string_view text, TextMaker& made) {
    std::int64_t size = texts.length(i), first = part.first(size), last = part.last(size);
    if (first == 0 && last == size) {
      made.keep(texts, i);
      return true;
    }
    last = std::max(first, last);
    made.add(texts.is_ascii(i) ? text.substr(static_cast<std::size_t>(first),
                                             static_cast<std::size_t>(last - first))
                               : part_of_text(text, first, last),
             last - first);
    return true;
  });
}

constexpr Shortcut kShortcuts[] = {
    {"upper", change<Letterwise<Raise>>},
    {"lower", change<Letterwise<Lower>>},
    {"swapcase", change<Letterwise<Swap>>},
    {"capitalize", change<RaiseFirst>},
    {"title", change<RaiseWords>},
    {"strip", strip<true, true>},
    {"lstrip", strip<true, false>},
    {"rstrip", strip<false, true>},
    {"slice", slice},
};

}  // namespace

Shortcuts shortcuts_that_change() { return kShortcuts; }

}  // namespace strider::lang
