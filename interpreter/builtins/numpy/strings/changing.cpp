// Texts in other letters, without their ends, and parts of them: results with the room of the
// elements that they are made of.
#include <array>

#include "interpreter/builtins/numpy/elements/text_operands.h"
#include "interpreter/builtins/numpy/strings/shortcuts.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

using boxed_parts::view_text;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_lower(c | 0x20); }
char to_upper(char c) { return is_lower(c) ? static_cast<char>(c - 32) : c; }
char to_lower(char c) { return is_upper(c) ? static_cast<char>(c + 32) : c; }

// --- Letters ---

void raise_all(std::string_view text, char* made) {
  for (char c : text) *made++ = to_upper(c);
}
void lower_all(std::string_view text, char* made) {
  for (char c : text) *made++ = to_lower(c);
}
void swap_all(std::string_view text, char* made) {
  for (char c : text) *made++ = is_letter(c) ? static_cast<char>(c ^ 0x20) : c;
}
void raise_first(std::string_view text, char* made) {
  lower_all(text, made);
  if (!text.empty()) *made = to_upper(*made);
}
void raise_words(std::string_view text, char* made) {
  bool within = false;
  for (char c : text) {
    *made++ = within ? to_lower(c) : to_upper(c);
    within = is_letter(c);
  }
}

using Change = void (*)(std::string_view text, char* made);

// A text of ASCII, or bytes, as a change leaves it.
template <Change kChange>
Value changed(std::string_view text, bool bytes) {
  if (bytes) {
    std::string made(text.size(), '\0');
    kChange(text, made.data());
    return Value(make<Bytes>(std::move(made)));
  }
  StrMaker maker(text.size(), static_cast<std::int64_t>(text.size()));
  kChange(text, maker.place());
  return Value(maker.take());
}

// The texts that `make` gives of each element and its view, with the dtype of the operand; Empty
// where it gives one, or an element is not kept as usual.
template <class Make>
Value each_text(const Texts& texts, Make make) {
  Values made;
  made.reserve(texts.items.size());
  for (const Value& item : texts.items) {
    std::string_view text;
    if (!view_text(item, text)) return {};
    Value one = make(item, text);
    if (one.is_empty()) return {};
    made.push_back(std::move(one));
  }
  return make_boxed(std::move(made), texts.shape, dtype_of_texts(texts));
}

template <Change kChange>
Value change(const Arguments& arguments) {
  Texts texts;
  if (!takes_plainly(arguments, 1, 1) || !read_texts(arguments.values[0], texts)) return {};
  if (texts.shape.size() == 0) return {};
  bool bytes = texts.kind == boxed().bytes_dtype;
  return each_text(texts, [&](const Value& item, std::string_view text) {
    if (text.empty()) return item;
    return is_ascii_item(item) ? changed<kChange>(text, bytes) : Value();
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

// Those that an argument names; none where they are not of ASCII, or many arguments.
std::optional<Marks> read_marks(const Value& given, const Texts& texts) {
  if (given.is_empty() || given.is_none()) return white_space(texts.kind == boxed().bytes_dtype);
  Texts chars;
  std::string_view named;
  if (!read_texts(given, chars) || chars.kind != texts.kind || !chars.repeats()) return {};
  if (!view_text(chars[0], named) || !is_ascii_text(named)) return {};
  Marks marks{};
  for (char c : named) marks[static_cast<std::size_t>(c)] = true;
  return marks;
}

template <bool kLeft, bool kRight>
Value strip(const Arguments& arguments) {
  Texts texts;
  if (!takes_plainly(arguments, 1, 2) || !read_texts(arguments.values[0], texts)) return {};
  std::optional<Marks> marks = read_marks(argument(arguments, 1), texts);
  if (!marks || texts.shape.size() == 0) return {};
  bool bytes = texts.kind == boxed().bytes_dtype;
  auto goes = [&](char c) { return static_cast<signed char>(c) >= 0 && (*marks)[c & 0x7f]; };
  return each_text(texts, [&](const Value& item, std::string_view whole) {
    if (!is_ascii_item(item)) return Value();
    std::string_view text = whole;
    while (kLeft && !text.empty() && goes(text.front())) text.remove_prefix(1);
    while (kRight && !text.empty() && goes(text.back())) text.remove_suffix(1);
    if (text.size() == whole.size()) return item;
    if (text.ends_with('\0')) return Value();
    return bytes ? Value(make<Bytes>(std::string(text))) : Value(make_str(text));
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

Value slice(const Arguments& arguments) {
  Texts texts;
  Part part;
  if (!takes_plainly(arguments, 2, 4) || !read_texts(arguments.values[0], texts)) return {};
  if (!part.read(arguments) || texts.shape.size() == 0) return {};
  bool bytes = texts.kind == boxed().bytes_dtype;
  return each_text(texts, [&](const Value& item, std::string_view text) {
    std::int64_t size = length_of_text(item), first = part.first(size), last = part.last(size);
    if (first == 0 && last == size) return item;
    last = std::max(first, last);
    if (bytes)
      text = text.substr(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
    else
      text = slice_text(*item.as<Str>(), first, last);
    if (text.ends_with('\0')) return Value();
    return bytes ? Value(make<Bytes>(std::string(text))) : Value(make_str(text, last - first));
  });
}

constexpr Shortcut kShortcuts[] = {
    {"upper", change<raise_all>},
    {"lower", change<lower_all>},
    {"swapcase", change<swap_all>},
    {"capitalize", change<raise_first>},
    {"title", change<raise_words>},
    {"strip", strip<true, true>},
    {"lstrip", strip<true, false>},
    {"rstrip", strip<false, true>},
    {"slice", slice},
};

}  // namespace

Shortcuts shortcuts_that_change() { return kShortcuts; }

}  // namespace strider::lang
