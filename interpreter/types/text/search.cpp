// Short parts are looked for by their first byte, long ones by the C library's two-way search
// (Crochemore and Perrin, 1991); from the end long ones by Knuth, Morris and Pratt's.
#include "interpreter/types/text/search.h"

#include <cstring>
#include <vector>

#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// Looking at every place where the first byte stands costs at most so much for each.
constexpr std::size_t kLongPart = 32;
constexpr std::size_t kLongLastPart = 256;
constexpr std::size_t kNearby = 512;    // bytes that are counted without asking for a nearer place
constexpr std::int64_t kLandmark = 64;  // code points between the places that long texts know

// For each beginning of the reversed part: how much of it is an end, too.
std::vector<std::size_t> overlaps_of(std::string_view part) {
  std::vector<std::size_t> overlaps(part.size() + 1, 0);
  auto letter = [&](std::size_t i) { return part[part.size() - 1 - i]; };
  for (std::size_t i = 1, matched = 0; i < part.size(); ++i) {
    while (matched > 0 && letter(i) != letter(matched)) matched = overlaps[matched];
    if (letter(i) == letter(matched)) ++matched;
    overlaps[i + 1] = matched;
  }
  return overlaps;
}

std::size_t find_last_long_part(std::string_view text, std::string_view part) {
  std::vector<std::size_t> overlaps = overlaps_of(part);
  std::size_t matched = 0;
  for (std::size_t place = text.size(); place-- > 0;) {
    auto fits = [&] { return text[place] == part[part.size() - 1 - matched]; };
    while (matched > 0 && !fits()) matched = overlaps[matched];
    if (fits() && ++matched == part.size()) return place;
  }
  return std::string_view::npos;
}

}  // namespace

std::size_t find_part(std::string_view text, std::string_view part, std::size_t from) {
  if (part.size() == 1) return text.find(part[0], from);
  if (part.size() < kLongPart || from > text.size()) return text.find(part, from);
  const void* found = memmem(text.data() + from, text.size() - from, part.data(), part.size());
  return found ? static_cast<std::size_t>(static_cast<const char*>(found) - text.data())
               : std::string_view::npos;
}

std::size_t find_last_part(std::string_view text, std::string_view part) {
  if (part.empty() || part.size() > text.size()) return text.rfind(part);
  if (part.size() > kLongLastPart) return find_last_long_part(text, part);
  // The standard library looks at every place in turn.
  std::size_t places = text.size() - part.size() + 1;
  while (const void* found = memrchr(text.data(), part[0], places)) {
    places = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    if (text.substr(places, part.size()) == part) return places;
  }
  return std::string_view::npos;
}

std::int64_t code_point_index(const Str& text, std::size_t offset, TextPlace known) {
  std::string_view bytes = text.text();
  if (text.is_ascii()) return static_cast<std::int64_t>(offset);
  auto counted_from = [&](TextPlace place) {
    return place.index + count_code_points(bytes.substr(place.offset, offset - place.offset));
  };
  if (offset - known.offset <= kNearby) return counted_from(known);
  // The last known place at or before the offset.
  std::int64_t low = 0, high = text.size() / kLandmark + 1;
  while (high - low > 1) {
    std::int64_t middle = low + (high - low) / 2;
    (text.offset(middle * kLandmark) <= offset ? low : high) = middle;
  }
  return counted_from({text.offset(low * kLandmark), low * kLandmark});
}

}  // namespace strider::lang
