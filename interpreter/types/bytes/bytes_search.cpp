// The methods of bytes and bytearray that look for bytes in bytes.
#include <algorithm>

#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/bytes/bytes_methods.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/search.h"

namespace strider::lang {
namespace {

std::string_view self_of(const Parameters& parameters) { return to_bytes(parameters[0]); }

// What is looked for: bytes, or one byte as an integer.
std::string wanted_bytes(const Value& value) {
  if (is_bytes_like(value)) return std::string(to_bytes(value));
  std::int64_t byte;
  if (!try_index(value, byte))
    raise(errors::TypeError, "argument should be integer or bytes-like object, not '{}'",
          type_name(value));
  return std::string(1, to_byte(value, "byte must be in range(0, 256)"));
}

struct Window {
  std::string_view bytes;
  std::size_t offset = 0;
  bool valid = false;
};

Window window_of(const Parameters& parameters) {
  SearchRange range = search_range(parameters[2], parameters[3],
                                   static_cast<std::int64_t>(self_of(parameters).size()));
  std::string_view bytes = self_of(parameters);  // __index__ of the bounds may have changed it
  range.stop = std::min(range.stop, static_cast<std::int64_t>(bytes.size()));
  if (range.start > range.stop) return {};
  auto start = static_cast<std::size_t>(range.start);
  return {bytes.substr(start, static_cast<std::size_t>(range.stop) - start), start, true};
}

std::int64_t find_index(const Parameters& parameters, bool backwards) {
  std::string wanted = wanted_bytes(parameters[1]);
  Window window = window_of(parameters);
  if (!window.valid) return -1;
  std::size_t found =
      backwards ? find_last_part(window.bytes, wanted) : find_part(window.bytes, wanted);
  return found == std::string_view::npos ? -1 : static_cast<std::int64_t>(window.offset + found);
}

Value find(const Parameters& parameters) { return Value::integer(find_index(parameters, false)); }
Value rfind(const Parameters& parameters) { return Value::integer(find_index(parameters, true)); }

Value found_index(std::int64_t index) {
  if (index < 0) raise(errors::ValueError, "subsection not found");
  return Value::integer(index);
}

Value index(const Parameters& parameters) { return found_index(find_index(parameters, false)); }
Value rindex(const Parameters& parameters) { return found_index(find_index(parameters, true)); }

Value count(const Parameters& parameters) {
  std::string wanted = wanted_bytes(parameters[1]);
  Window window = window_of(parameters);
  if (!window.valid) return Value::integer(0);
  if (wanted.empty()) return Value::integer(static_cast<std::int64_t>(window.bytes.size()) + 1);
  if (wanted.size() == 1)
    return Value::integer(std::count(window.bytes.begin(), window.bytes.end(), wanted[0]));
  std::int64_t found = 0;
  for (std::size_t at = 0; (at = find_part(window.bytes, wanted, at)) != std::string_view::npos;
       at += wanted.size())
    ++found;
  return Value::integer(found);
}

std::string interleave(std::string_view bytes, std::string_view fresh, std::uint64_t most) {
  std::string result;
  std::size_t at = 0;
  for (; most > 0 && at < bytes.size(); --most, ++at) (result += fresh) += bytes[at];
  if (most > 0) result += fresh;
  return result.append(bytes.substr(at));
}

Value replace(const Parameters& parameters) {
  std::string_view bytes = self_of(parameters), old = to_bytes(parameters[1]),
                   fresh = to_bytes(parameters[2]);
  std::int64_t limit = to_int64(parameters[3]);
  auto most = limit < 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(limit);
  if (old.empty()) return make_bytes_like(parameters[0], interleave(bytes, fresh, most));
  std::string result;
  std::size_t from = 0;
  for (; most > 0; --most) {
    std::size_t at = find_part(bytes, old, from);
    if (at == std::string_view::npos) break;
    result.append(bytes.substr(from, at - from)).append(fresh);
    from = at + old.size();
  }
  return make_bytes_like(parameters[0], result.append(bytes.substr(from)));
}

bool matches_any(const Value& wanted, std::string_view bytes, bool at_end, const char* name) {
  auto matches = [&](const Value& item) {
    return at_end ? bytes.ends_with(to_bytes(item)) : bytes.starts_with(to_bytes(item));
  };
  if (is_bytes_like(wanted)) return matches(wanted);
  if (!is_tuple(wanted))
    raise(errors::TypeError, "{} first arg must be bytes or a tuple of bytes, not {}", name,
          type_name(wanted));
  for (const Value& item : wanted.as<Tuple>()->items())
    if (matches(item)) return true;
  return false;
}

Value starts_with(const Parameters& parameters) {
  Window window = window_of(parameters);
  bool result = matches_any(parameters[1], window.bytes, false, "startswith");
  return Value::boolean(window.valid && result);
}

Value ends_with(const Parameters& parameters) {
  Window window = window_of(parameters);
  bool result = matches_any(parameters[1], window.bytes, true, "endswith");
  return Value::boolean(window.valid && result);
}

Value remove_prefix(const Parameters& parameters) {
  std::string_view bytes = self_of(parameters), prefix = to_bytes(parameters[1]);
  if (bytes.starts_with(prefix)) bytes.remove_prefix(prefix.size());
  return make_bytes_like(parameters[0], std::string(bytes));
}

Value remove_suffix(const Parameters& parameters) {
  std::string_view bytes = self_of(parameters), suffix = to_bytes(parameters[1]);
  if (bytes.ends_with(suffix)) bytes.remove_suffix(suffix.size());
  return make_bytes_like(parameters[0], std::string(bytes));
}

Value parts(const Parameters& parameters, bool backwards) {
  std::string_view bytes = self_of(parameters), mark = to_bytes(parameters[1]);
  if (mark.empty()) raise(errors::ValueError, "empty separator");
  std::size_t at = backwards ? find_last_part(bytes, mark) : find_part(bytes, mark);
  auto part = [&](std::string_view text) {
    return make_bytes_like(parameters[0], std::string(text));
  };
  if (at == std::string_view::npos)
    return backwards ? make_tuple({part(""), part(""), part(bytes)})
                     : make_tuple({part(bytes), part(""), part("")});
  Value middle = is_bytes(parameters[0]) ? parameters[1] : part(mark);
  return make_tuple({part(bytes.substr(0, at)), middle, part(bytes.substr(at + mark.size()))});
}

Value partition(const Parameters& parameters) { return parts(parameters, false); }
Value rpartition(const Parameters& parameters) { return parts(parameters, true); }

constexpr NativeRow kMethods[] = {
    {"find(self, sub, start=None, end=None, /)", find, "Lowest index where sub is found, or -1."},
    {"rfind(self, sub, start=None, end=None, /)", rfind,
     "Highest index where sub is found, or -1."},
    {"index(self, sub, start=None, end=None, /)", index, "As find, but ValueError if not found."},
    {"rindex(self, sub, start=None, end=None, /)", rindex,
     "As rfind, but ValueError if not found."},
    {"count(self, sub, start=None, end=None, /)", count,
     "Number of occurrences of sub that do not overlap."},
    {"replace(self, old, new, count=-1, /)", replace,
     "Return a copy with all (or the first count) occurrences of old replaced by new."},
    {"startswith(self, prefix, start=None, end=None, /)", starts_with,
     "Whether the bytes start with the prefix or one of a tuple of prefixes."},
    {"endswith(self, suffix, start=None, end=None, /)", ends_with,
     "Whether the bytes end with the suffix or one of a tuple of suffixes."},
    {"removeprefix(self, prefix, /)", remove_prefix, "The bytes without the prefix, if there."},
    {"removesuffix(self, suffix, /)", remove_suffix, "The bytes without the suffix, if there."},
    {"partition(self, sep, /)", partition,
     "The parts before the first separator, the separator, and after it."},
    {"rpartition(self, sep, /)", rpartition,
     "The parts before the last separator, the separator, and after it."},
};

}  // namespace

void add_bytes_search_methods(Type& type) { type.add(kMethods); }

}  // namespace strider::lang
