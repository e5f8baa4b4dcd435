// The methods of str that take text apart and put it together: split, join, strip, splitlines.
#include <algorithm>
#include <array>
#include <cstring>

#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/search.h"
#include "interpreter/types/text/str.h"
#include "interpreter/types/text/str_methods.h"
#include "interpreter/types/text/unicode.h"

namespace strider::lang {
namespace {

const Str& self_of(const Parameters& parameters) { return *parameters[0].as<Str>(); }

// Parts of one text.
class Parts {
 public:
  explicit Parts(const Str& whole) : whole_(whole) {}
  void push(std::string_view part) { items.push_back(part_of(whole_, part)); }
  Values items;

 private:
  const Str& whole_;
};

// The offset where the code point before `end` starts.
std::size_t previous_start(std::string_view text, std::size_t end) {
  do --end;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80);
  return end;
}

char32_t code_at(std::string_view text, std::size_t offset) {
  return decode_code_point(text, offset);
}

enum class Kind : std::uint8_t { kLetter, kSpace, kWide };  // of a byte; wide: of several bytes

constexpr std::array<Kind, 256> kKinds = [] {
  std::array<Kind, 256> kinds{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    bool space = (byte >= 9 && byte <= 13) || (byte >= 28 && byte <= 32);
    kinds[byte] = byte >= 128 ? Kind::kWide : space ? Kind::kSpace : Kind::kLetter;
  }
  return kinds;
}();

std::size_t skip(std::string_view text, std::size_t offset, bool space) {
  Kind passed = space ? Kind::kSpace : Kind::kLetter;
  while (offset < text.size()) {
    Kind kind = kKinds[static_cast<unsigned char>(text[offset])];
    if (kind == passed) {
      ++offset;
      continue;
    }
    std::size_t next = offset;
    if (kind != Kind::kWide || is_space(decode_code_point(text, next)) != space) break;
    offset = next;
  }
  return offset;
}

std::size_t skip_back(std::string_view text, std::size_t end, bool space) {
  while (end > 0) {
    std::size_t start = previous_start(text, end);
    if (is_space(code_at(text, start)) != space) break;
    end = start;
  }
  return end;
}

// Room for the parts of most texts.
constexpr std::size_t kFewParts = 8;

Values split_space(const Str& whole, std::uint64_t most) {
  std::string_view text = whole.text();
  Parts parts(whole);
  Values& items = parts.items;
  items.reserve(kFewParts);
  std::size_t at = skip(text, 0, true);
  while (at < text.size()) {
    if (items.size() == most) {
      parts.push(text.substr(at));
      break;
    }
    std::size_t end = skip(text, at, false);
    parts.push(text.substr(at, end - at));
    at = skip(text, end, true);
  }
  return std::move(items);
}

Values rsplit_space(const Str& whole, std::uint64_t most) {
  std::string_view text = whole.text();
  Parts parts(whole);
  Values& items = parts.items;
  std::size_t end = skip_back(text, text.size(), true);
  while (end > 0) {
    if (items.size() == most) {
      parts.push(text.substr(0, end));
      break;
    }
    std::size_t start = skip_back(text, end, false);
    parts.push(text.substr(start, end - start));
    end = skip_back(text, start, true);
  }
  std::reverse(items.begin(), items.end());
  return std::move(items);
}

Values split_at(const Str& whole, std::string_view mark, std::uint64_t most) {
  std::string_view text = whole.text();
  Parts parts(whole);
  Values& items = parts.items;
  items.reserve(kFewParts);
  std::size_t from = 0;
  for (; most > 0; --most) {
    std::size_t at = find_part(text, mark, from);
    if (at == std::string_view::npos) break;
    parts.push(text.substr(from, at - from));
    from = at + mark.size();
  }
  parts.push(text.substr(from));
  return std::move(items);
}

Values rsplit_at(const Str& whole, std::string_view mark, std::uint64_t most) {
  std::string_view text = whole.text();
  Parts parts(whole);
  Values& items = parts.items;
  for (; most > 0; --most) {
    std::size_t at = find_last_part(text, mark);
    if (at == std::string_view::npos) break;
    parts.push(text.substr(at + mark.size()));
    text = text.substr(0, at);
  }
  parts.push(text);
  std::reverse(items.begin(), items.end());
  return std::move(items);
}

std::uint64_t split_limit(const Value& value) {
  std::int64_t limit = to_int64(value);
  return limit < 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(limit);
}

std::string_view separator(const Value& value) {
  if (!is_str(value)) raise(errors::TypeError, "must be str or None, not {}", type_name(value));
  if (text_of(value).empty()) raise(errors::ValueError, "empty separator");
  return text_of(value);
}

Value split(const Parameters& parameters) {
  const Str& text = self_of(parameters);
  std::uint64_t most = split_limit(parameters[2]);
  if (parameters[1].is_none()) return make_list(split_space(text, most));
  return make_list(split_at(text, separator(parameters[1]), most));
}

Value rsplit(const Parameters& parameters) {
  const Str& text = self_of(parameters);
  std::uint64_t most = split_limit(parameters[2]);
  if (parameters[1].is_none()) return make_list(rsplit_space(text, most));
  return make_list(rsplit_at(text, separator(parameters[1]), most));
}

bool is_line_break(char32_t code) {
  return (code >= 10 && code <= 13) || (code >= 28 && code <= 30) || code == 0x85 ||
         code == 0x2028 || code == 0x2029;
}

Value split_lines(const Parameters& parameters) {
  constexpr char kLastBreak = 30;  // of ASCII
  std::string_view text = self_of(parameters).text();
  bool keep = truth(parameters[1]);
  Parts parts(self_of(parameters));
  std::size_t start = 0, offset = 0;
  while (offset < text.size()) {
    while (offset < text.size() && text[offset] > kLastBreak) ++offset;
    if (offset == text.size()) break;
    std::size_t end = offset;
    char32_t code = decode_code_point(text, offset);
    if (!is_line_break(code)) continue;
    if (code == '\r' && offset < text.size() && text[offset] == '\n') ++offset;
    parts.push(text.substr(start, (keep ? offset : end) - start));
    start = offset;
  }
  if (start < text.size()) parts.push(text.substr(start));
  return make_list(std::move(parts.items));
}

// Copies two words that may overlap: all of a text between one and two words long.
template <class Word>
void copy_ends(char* place, std::string_view text) {
  Word first, last;
  std::memcpy(&first, text.data(), sizeof(Word));
  std::memcpy(&last, text.data() + text.size() - sizeof(Word), sizeof(Word));
  std::memcpy(place, &first, sizeof(Word));
  std::memcpy(place + text.size() - sizeof(Word), &last, sizeof(Word));
}

// Most parts that are joined are short: they are copied without a call.
void copy_text(char* place, std::string_view text) {
  if (text.size() > 16)
    std::memcpy(place, text.data(), text.size());
  else if (text.size() >= 8)
    copy_ends<std::uint64_t>(place, text);
  else if (text.size() >= 4)
    copy_ends<std::uint32_t>(place, text);
  else if (text.size() >= 2)
    copy_ends<std::uint16_t>(place, text);
  else if (text.size() == 1)
    *place = text[0];
}

Value join(const Parameters& parameters) {
  std::string_view mark = self_of(parameters).text();
  const Slots& slots = type_of(parameters[1])->slots;
  if (!slots.iterate && !slots.get_item) raise(errors::TypeError, "can only join an iterable");
  Value kept = parameters[1];
  std::span<const Value> items;
  if (type_of(kept) == &Tuple::type_object()) {
    items = kept.as<Tuple>()->items();
  } else {
    if (!is_list(kept)) kept = Value(to_list(kept));
    items = {kept.as<List>()->items.data(), kept.as<List>()->items.size()};
  }
  std::size_t size = 0;
  std::int64_t code_points = 0, mark_points = self_of(parameters).size();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!is_str(items[i]))
      raise(errors::TypeError, "sequence item {}: expected str instance, {} found", i,
            type_name(items[i]));
    size += text_of(items[i]).size() + mark.size();
    code_points += items[i].as<Str>()->size() + mark_points;
  }
  if (items.size() == 1 && items[0].as<Str>()->is_exact()) return items[0];
  if (items.empty()) return make_str("");
  std::string result(size - mark.size(), '\0');
  char* place = result.data();
  auto put = [&place](std::string_view part) {
    copy_text(place, part);
    place += part.size();
  };
  put(text_of(items[0]));
  for (std::size_t i = 1; i < items.size(); ++i) {
    if (mark.size() == 1)
      *place++ = mark[0];
    else
      put(mark);
    put(text_of(items[i]));
  }
  return make_str(std::move(result), code_points - mark_points);
}

bool contains_code(std::string_view characters, std::string_view encoded) {
  return characters.find(encoded) != std::string_view::npos;
}

Value stripped(const Parameters& parameters, bool left, bool right, const char* name) {
  const Value& characters = parameters[1];
  if (!characters.is_none() && !is_str(characters))
    raise(errors::TypeError, "{} arg must be None or str", name);
  std::string_view text = self_of(parameters).text();
  auto drop = [&](std::string_view encoded) {
    if (characters.is_none() && encoded.size() == 1)
      return kKinds[static_cast<unsigned char>(encoded[0])] == Kind::kSpace;
    if (characters.is_none()) return is_space(code_at(encoded, 0));
    return contains_code(text_of(characters), encoded);
  };
  std::size_t begin = 0, end = text.size();
  if (characters.is_none()) {  // the usual white space, byte by byte
    auto blank = [&](std::size_t at) {
      return kKinds[static_cast<unsigned char>(text[at])] == Kind::kSpace;
    };
    while (left && begin < end && blank(begin)) ++begin;
    while (right && begin < end && blank(end - 1)) --end;
  }
  while (left && begin < end) {
    std::size_t next = begin;
    decode_code_point(text, next);
    if (!drop(text.substr(begin, next - begin))) break;
    begin = next;
  }
  while (right && begin < end) {
    std::size_t start = previous_start(text, end);
    if (!drop(text.substr(start, end - start))) break;
    end = start;
  }
  if (begin == 0 && end == text.size()) return str(parameters[0]);
  return part_of(self_of(parameters), text.substr(begin, end - begin));
}

Value strip(const Parameters& parameters) { return stripped(parameters, true, true, "strip"); }
Value lstrip(const Parameters& parameters) { return stripped(parameters, true, false, "lstrip"); }
Value rstrip(const Parameters& parameters) { return stripped(parameters, false, true, "rstrip"); }

constexpr NativeRow kMethods[] = {
    {"split(self, /, sep=None, maxsplit=-1)", split,
     "Return a list of the substrings between separators (default: runs of white space)."},
    {"rsplit(self, /, sep=None, maxsplit=-1)", rsplit, "As split, working from the end."},
    {"splitlines(self, /, keepends=False)", split_lines, "Return a list of the lines."},
    {"join(self, iterable, /)", join, "Concatenate texts, with this text between them."},
    {"strip(self, chars=None, /)", strip,
     "Return a copy without white space (or the given characters) at both ends."},
    {"lstrip(self, chars=None, /)", lstrip, "As strip, at the start only."},
    {"rstrip(self, chars=None, /)", rstrip, "As strip, at the end only."},
};

}  // namespace

void add_str_split_methods(Type& type) { type.add(kMethods); }

}  // namespace strider::lang
