// The methods of bytes and bytearray that take them apart and put them together.
#include <algorithm>

#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/bytes/bytes_methods.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/search.h"

namespace strider::lang {
namespace {

std::string_view self_of(const Parameters& parameters) { return to_bytes(parameters[0]); }

constexpr std::string_view kSpace(" \t\n\r\v\f");
bool is_space(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

std::vector<std::string_view> split_space(std::string_view bytes, std::uint64_t most) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0;;) {
    while (at < bytes.size() && is_space(bytes[at])) ++at;
    if (at == bytes.size()) return parts;
    if (parts.size() == most) break;
    std::size_t start = at;
    while (at < bytes.size() && !is_space(bytes[at])) ++at;
    parts.push_back(bytes.substr(start, at - start));
    bytes.remove_prefix(at);
    at = 0;
  }
  parts.push_back(bytes.substr(bytes.find_first_not_of(kSpace)));
  return parts;
}

std::vector<std::string_view> rsplit_space(std::string_view bytes, std::uint64_t most) {
  std::vector<std::string_view> parts;
  std::size_t last = bytes.find_last_not_of(kSpace);
  while (last != std::string_view::npos) {
    bytes = bytes.substr(0, last + 1);
    if (parts.size() == most) {
      parts.push_back(bytes);
      break;
    }
    std::size_t before = bytes.find_last_of(kSpace);
    std::size_t start = before == std::string_view::npos ? 0 : before + 1;
    parts.push_back(bytes.substr(start));
    bytes = bytes.substr(0, start);
    last = bytes.find_last_not_of(kSpace);
  }
  std::reverse(parts.begin(), parts.end());
  return parts;
}

std::vector<std::string_view> split_at(std::string_view bytes, std::string_view mark,
                                       std::uint64_t most) {
  std::vector<std::string_view> parts;
  for (; most > 0; --most) {
    std::size_t at = find_part(bytes, mark);
    if (at == std::string_view::npos) break;
    parts.push_back(bytes.substr(0, at));
    bytes.remove_prefix(at + mark.size());
  }
  parts.push_back(bytes);
  return parts;
}

std::vector<std::string_view> rsplit_at(std::string_view bytes, std::string_view mark,
                                        std::uint64_t most) {
  std::vector<std::string_view> parts;
  for (; most > 0; --most) {
    std::size_t at = find_last_part(bytes, mark);
    if (at == std::string_view::npos) break;
    parts.push_back(bytes.substr(at + mark.size()));
    bytes = bytes.substr(0, at);
  }
  parts.push_back(bytes);
  std::reverse(parts.begin(), parts.end());
  return parts;
}

Value as_list(const Parameters& parameters, const std::vector<std::string_view>& parts) {
  Ref<List> list = make_list();
  for (std::string_view part : parts)
    list->items.push_back(make_bytes_like(parameters[0], std::string(part)));
  return list;
}

using SplitSpace = std::vector<std::string_view> (*)(std::string_view, std::uint64_t);
using SplitAt = std::vector<std::string_view> (*)(std::string_view, std::string_view,
                                                  std::uint64_t);

Value split_by(const Parameters& parameters, SplitSpace by_space, SplitAt by_mark) {
  std::int64_t limit = to_int64(parameters[2]);
  auto most = limit < 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(limit);
  if (parameters[1].is_none()) return as_list(parameters, by_space(self_of(parameters), most));
  std::string_view mark = to_bytes(parameters[1]);
  if (mark.empty()) raise(errors::ValueError, "empty separator");
  return as_list(parameters, by_mark(self_of(parameters), mark, most));
}

Value split(const Parameters& parameters) { return split_by(parameters, split_space, split_at); }
Value rsplit(const Parameters& parameters) { return split_by(parameters, rsplit_space, rsplit_at); }

Value split_lines(const Parameters& parameters) {
  std::string_view bytes = self_of(parameters);
  bool keep = truth(parameters[1]);
  std::vector<std::string_view> parts;
  while (!bytes.empty()) {
    std::size_t end = std::min(bytes.find_first_of("\r\n"), bytes.size());
    std::size_t next = std::min(end + 1, bytes.size());
    if (end + 1 < bytes.size() && bytes[end] == '\r' && bytes[end + 1] == '\n') ++next;
    parts.push_back(bytes.substr(0, keep ? next : end));
    bytes.remove_prefix(next);
  }
  return as_list(parameters, parts);
}

// Whether these are bytes objects, which show their memory without a word of the program's.
bool are_bytes(const Values& items) {
  return std::all_of(items.begin(), items.end(), [](const Value& item) { return is_bytes(item); });
}

std::string_view bytes_of(const Value& item) {
  return is_bytes(item) ? item.as<Bytes>()->bytes() : to_bytes(item);
}

std::string joined(std::string_view mark, const Values& items) {
  std::size_t size = mark.size() * items.size();
  for (const Value& item : items) size += bytes_of(item).size();
  std::string result;
  result.reserve(size);
  for (const Value& item : items) {
    if (&item != items.begin()) result += mark;
    result += bytes_of(item);
  }
  return result;
}

Value join(const Parameters& parameters) {
  const Slots& slots = type_of(parameters[1])->slots;
  if (!slots.iterate && !slots.get_item) raise(errors::TypeError, "can only join an iterable");
  if (is_list(parameters[1]) && are_bytes(parameters[1].as<List>()->items))
    return make_bytes_like(parameters[0],
                           joined(self_of(parameters), parameters[1].as<List>()->items));
  Ref<List> items = to_list(parameters[1]);
  for (std::size_t i = 0; i < items->size(); ++i)
    if (!is_bytes_like(items->items[i]) && !find_buffer(items->items[i]))
      raise(errors::TypeError, "sequence item {}: expected a bytes-like object, {} found", i,
            type_name(items->items[i]));
  return make_bytes_like(parameters[0], joined(self_of(parameters), items->items));
}

Value stripped(const Parameters& parameters, bool left, bool right) {
  std::string_view bytes = self_of(parameters);
  std::string_view characters = parameters[1].is_none() ? kSpace : to_bytes(parameters[1]);
  auto drop = [&](char byte) { return characters.find(byte) != std::string_view::npos; };
  while (left && !bytes.empty() && drop(bytes.front())) bytes.remove_prefix(1);
  while (right && !bytes.empty() && drop(bytes.back())) bytes.remove_suffix(1);
  return make_bytes_like(parameters[0], std::string(bytes));
}

Value strip(const Parameters& parameters) { return stripped(parameters, true, true); }
Value lstrip(const Parameters& parameters) { return stripped(parameters, true, false); }
Value rstrip(const Parameters& parameters) { return stripped(parameters, false, true); }

constexpr NativeRow kMethods[] = {
    {"split(self, /, sep=None, maxsplit=-1)", split,
     "Return a list of the sections between separators (default: runs of white space)."},
    {"rsplit(self, /, sep=None, maxsplit=-1)", rsplit, "As split, working from the end."},
    {"splitlines(self, /, keepends=False)", split_lines, "Return a list of the lines."},
    {"join(self, iterable, /)", join, "Concatenate bytes, with these bytes between them."},
    {"strip(self, bytes=None, /)", strip,
     "Return a copy without white space (or the given bytes) at both ends."},
    {"lstrip(self, bytes=None, /)", lstrip, "As strip, at the start only."},
    {"rstrip(self, bytes=None, /)", rstrip, "As strip, at the end only."},
};

}  // namespace

void add_bytes_split_methods(Type& type) { type.add(kMethods); }

}  // namespace strider::lang
