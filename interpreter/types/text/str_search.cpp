// The methods of str that look for text in text: find, count, replace, startswith, partition.
#include <algorithm>
#include <cstring>

#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/search.h"
#include "interpreter/types/text/str.h"
#include "interpreter/types/text/str_methods.h"

namespace strider::lang {
namespace {

const Str& self_of(const Parameters& parameters) { return *parameters[0].as<Str>(); }

std::string_view text_argument(const Value& value) {
  if (!is_str(value)) raise(errors::TypeError, "must be str, not {}", type_name(value));
  return text_of(value);
}

// The part of the text that start and stop (code points) leave, and where it begins.
struct Window {
  std::string_view text;
  TextPlace begin;
  bool valid = false;
};

Window window_of(const Str& text, const Value& start, const Value& stop) {
  if (start.is_none() && stop.is_none()) return {text.text(), {}, true};
  SearchRange range = search_range(start, stop, text.size());
  if (range.start > range.stop) return {};
  std::size_t offset = text.offset(range.start);
  return {
      text.text().substr(offset, text.offset(range.stop) - offset), {offset, range.start}, true};
}

std::int64_t find_index(const Parameters& parameters, bool backwards) {
  std::string_view wanted = text_argument(parameters[1]);
  const Str& text = self_of(parameters);
  Window window = window_of(text, parameters[2], parameters[3]);
  if (!window.valid) return -1;
  std::size_t found =
      backwards ? find_last_part(window.text, wanted) : find_part(window.text, wanted);
  if (found == std::string_view::npos) return -1;
  return code_point_index(text, window.begin.offset + found, window.begin);
}

Value find(const Parameters& parameters) { return Value::integer(find_index(parameters, false)); }
Value rfind(const Parameters& parameters) { return Value::integer(find_index(parameters, true)); }

Value found_index(std::int64_t index) {
  if (index < 0) return fail(errors::ValueError, "substring not found");
  return Value::integer(index);
}

Value index(const Parameters& parameters) { return found_index(find_index(parameters, false)); }
Value rindex(const Parameters& parameters) { return found_index(find_index(parameters, true)); }

// How often a byte occurs: eight bytes at a time, of which those that are it have their highest bit
// set in `found`.
std::int64_t count_byte(std::string_view text, char wanted) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kLow = 0x7f * kOnes;
  std::uint64_t pattern = static_cast<unsigned char>(wanted) * kOnes;
  std::int64_t total = 0;
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + at, 8);
    word ^= pattern;
    std::uint64_t found = ~(((word & kLow) + kLow) | word | kLow);
    total += static_cast<std::int64_t>((found >> 7) * kOnes >> 56);
  }
  return total + std::count(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), wanted);
}

Value count(const Parameters& parameters) {
  std::string_view wanted = text_argument(parameters[1]);
  Window window = window_of(self_of(parameters), parameters[2], parameters[3]);
  if (!window.valid) return Value::integer(0);
  if (wanted.empty()) return Value::integer(count_code_points(window.text) + 1);
  if (wanted.size() == 1) return Value::integer(count_byte(window.text, wanted[0]));
  std::int64_t found = 0;
  for (std::size_t at = 0; (at = find_part(window.text, wanted, at)) != std::string_view::npos;
       at += wanted.size())
    ++found;
  return Value::integer(found);
}

// Between all code points, at most `most` times.
std::string interleave(std::string_view text, std::string_view fresh, std::uint64_t most) {
  std::string result;
  std::size_t offset = 0;
  for (; most > 0 && offset < text.size(); --most) {
    std::size_t start = offset;
    decode_code_point(text, offset);
    result += fresh;
    result += text.substr(start, offset - start);
  }
  if (most > 0) result += fresh;
  return result.append(text.substr(offset));
}

Value replace(const Parameters& parameters) {
  std::string_view text = self_of(parameters).text();
  std::string_view old = to_text(parameters[1], "replace() argument 1");
  std::string_view fresh = to_text(parameters[2], "replace() argument 2");
  std::int64_t limit = to_int64(parameters[3]);
  auto most = limit < 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(limit);
  if (old.empty()) return make_str(interleave(text, fresh, most));
  std::size_t at = most == 0 ? std::string_view::npos : find_part(text, old, 0);
  if (at == std::string_view::npos) return str(parameters[0]);
  if (old.size() == 1 && fresh.size() == 1 && limit < 0) {
    std::string same(text);
    std::replace(same.begin() + static_cast<std::ptrdiff_t>(at), same.end(), old[0], fresh[0]);
    return make_str(std::move(same), self_of(parameters).size());
  }
  std::string result;
  result.reserve(text.size() + fresh.size());
  std::size_t from = 0;
  std::int64_t count = 0;
  for (; at != std::string_view::npos && most > 0; --most, ++count) {
    result.append(text.substr(from, at - from)).append(fresh);
    from = at + old.size();
    at = find_part(text, old, from);
  }
  std::int64_t growth = parameters[2].as<Str>()->size() - parameters[1].as<Str>()->size();
  return make_str(std::move(result.append(text.substr(from))),
                  self_of(parameters).size() + count * growth);
}

// startswith and endswith take one text or a tuple of them.
bool matches_any(const Value& wanted, std::string_view text, bool at_end, const char* name) {
  auto matches = [&](const Value& item) {
    return at_end ? text.ends_with(text_of(item)) : text.starts_with(text_of(item));
  };
  if (is_str(wanted)) return matches(wanted);
  if (!is_tuple(wanted))
    raise(errors::TypeError, "{} first arg must be str or a tuple of str, not {}", name,
          type_name(wanted));
  for (const Value& item : wanted.as<Tuple>()->items()) {
    if (!is_str(item))
      raise(errors::TypeError, "tuple for {} must only contain str, not {}", name, type_name(item));
    if (matches(item)) return true;
  }
  return false;
}

Value starts_with(const Parameters& parameters) {
  Window window = window_of(self_of(parameters), parameters[2], parameters[3]);
  bool result = matches_any(parameters[1], window.text, false, "startswith");
  return Value::boolean(window.valid && result);
}

Value ends_with(const Parameters& parameters) {
  Window window = window_of(self_of(parameters), parameters[2], parameters[3]);
  bool result = matches_any(parameters[1], window.text, true, "endswith");
  return Value::boolean(window.valid && result);
}

Value remove_prefix(const Parameters& parameters) {
  std::string_view text = self_of(parameters).text();
  std::string_view prefix = to_text(parameters[1], "removeprefix() argument");
  if (!text.starts_with(prefix)) return str(parameters[0]);
  return part_of(self_of(parameters), text.substr(prefix.size()));
}

Value remove_suffix(const Parameters& parameters) {
  std::string_view text = self_of(parameters).text();
  std::string_view suffix = to_text(parameters[1], "removesuffix() argument");
  if (!text.ends_with(suffix)) return str(parameters[0]);
  return part_of(self_of(parameters), text.substr(0, text.size() - suffix.size()));
}

Value parts(const Parameters& parameters, std::size_t at, bool backwards) {
  std::string_view text = self_of(parameters).text(), mark = text_of(parameters[1]);
  Value whole = str(parameters[0]), none = make_str("");
  if (at == std::string_view::npos)
    return backwards ? make_tuple({none, none, whole}) : make_tuple({whole, none, none});
  auto part = [&](std::string_view bytes) { return part_of(self_of(parameters), bytes); };
  return make_tuple(
      {part(text.substr(0, at)), str(parameters[1]), part(text.substr(at + mark.size()))});
}

std::string_view separator(const Value& value) {
  std::string_view mark = text_argument(value);
  if (mark.empty()) raise(errors::ValueError, "empty separator");
  return mark;
}

Value partition(const Parameters& parameters) {
  return parts(parameters, find_part(self_of(parameters).text(), separator(parameters[1])), false);
}

Value rpartition(const Parameters& parameters) {
  return parts(parameters, find_last_part(self_of(parameters).text(), separator(parameters[1])),
               true);
}

constexpr NativeRow kMethods[] = {
    {"find(self, sub, start=None, end=None, /)", find,
     "Lowest index where sub is found within the text, or -1."},
    {"rfind(self, sub, start=None, end=None, /)", rfind,
     "Highest index where sub is found within the text, or -1."},
    {"index(self, sub, start=None, end=None, /)", index, "As find, but ValueError if not found."},
    {"rindex(self, sub, start=None, end=None, /)", rindex,
     "As rfind, but ValueError if not found."},
    {"count(self, sub, start=None, end=None, /)", count,
     "Number of occurrences of sub that do not overlap."},
    {"replace(self, old, new, count=-1, /)", replace,
     "Return a copy with all (or the first count) occurrences of old replaced by new."},
    {"startswith(self, prefix, start=None, end=None, /)", starts_with,
     "Whether the text starts with the prefix or one of a tuple of prefixes."},
    {"endswith(self, suffix, start=None, end=None, /)", ends_with,
     "Whether the text ends with the suffix or one of a tuple of suffixes."},
    {"removeprefix(self, prefix, /)", remove_prefix, "The text without the prefix, if there."},
    {"removesuffix(self, suffix, /)", remove_suffix, "The text without the suffix, if there."},
    {"partition(self, sep, /)", partition,
     "The parts before the first separator, the separator, and after it."},
    {"rpartition(self, sep, /)", rpartition,
     "The parts before the last separator, the separator, and after it."},
};

}  // namespace

void add_str_search_methods(Type& type) { type.add(kMethods); }

}  // namespace strider::lang
