// Loops with widths that the compiler knows, for those that programs have most.
#include "interpreter/builtins/numpy/texts/text_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "interpreter/types/text/str.h"

namespace strider::lang::text_rows {
namespace {

using Character = std::uint32_t;

template <std::size_t kWidth>
using Width = std::integral_constant<std::size_t, kWidth>;

// Calls work with a width known at compile time, or with the number itself.
template <class Work>
auto with_width(std::size_t width, Work work) {
  switch (width) {
    case 4:
      return work(Width<4>());
    case 8:
      return work(Width<8>());
    case 12:
      return work(Width<12>());
    case 16:
      return work(Width<16>());
    case 20:
      return work(Width<20>());
    case 24:
      return work(Width<24>());
    case 28:
      return work(Width<28>());
    case 32:
      return work(Width<32>());
    case 36:
      return work(Width<36>());
    case 40:
      return work(Width<40>());
    case 48:
      return work(Width<48>());
    case 64:
      return work(Width<64>());
    default:
      return work(width);
  }
}

Character character_at(const std::byte* row, std::size_t i) {
  Character character;
  std::memcpy(&character, row + 4 * i, 4);
  return character;
}

bool all_zero(const std::byte* from, const std::byte* end) {
  return std::all_of(from, end, [](std::byte each) { return each == std::byte{}; });
}

template <class Word>
Word word_at(const std::byte* place) {
  Word word;
  std::memcpy(&word, place, sizeof word);
  return word;
}

// Whether so many bytes are the same; without branches where the width is known.
template <class Size>
bool same(const std::byte* a, const std::byte* b, Size size) {
  if constexpr (std::is_same_v<Size, std::size_t>) {
    return std::memcmp(a, b, size) == 0;
  } else {
    std::uint64_t differ = 0;
    std::size_t at = 0;
    for (; at + 8 <= size; at += 8)
      differ |= word_at<std::uint64_t>(a + at) ^ word_at<std::uint64_t>(b + at);
    if (at < size) differ |= word_at<std::uint32_t>(a + at) ^ word_at<std::uint32_t>(b + at);
    return differ == 0;
  }
}

bool are_places(const std::int64_t* places, std::size_t count, std::size_t limit) {
  bool all = true;
  for (std::size_t i = 0; i < count; ++i) all &= static_cast<std::uint64_t>(places[i]) < limit;
  return all;
}

}  // namespace

bool gather(const Rows& from, const std::int64_t* places, std::size_t count, std::byte* to) {
  if (!are_places(places, count, from.count)) return false;
  with_width(from.width, [&](auto width) {
    for (std::size_t i = 0; i < count; ++i)
      std::memcpy(to + i * width, from.bytes + static_cast<std::size_t>(places[i]) * width, width);
  });
  return true;
}

bool scatter(const Rows& from, const std::int64_t* places, std::size_t count, std::byte* to,
             std::size_t to_width, std::size_t to_count) {
  if (!are_places(places, count, to_count)) return false;
  std::size_t step = from.count == 1 ? 0 : from.width;
  if (from.width == to_width) {
    with_width(to_width, [&](auto width) {
      for (std::size_t i = 0; i < count; ++i)
        std::memcpy(to + static_cast<std::size_t>(places[i]) * width, from.bytes + i * step, width);
    });
    return true;
  }
  std::size_t common = std::min(from.width, to_width);
  for (std::size_t i = 0; i < count; ++i) {
    std::byte* row = to + static_cast<std::size_t>(places[i]) * to_width;
    std::memcpy(row, from.bytes + i * step, common);
    std::memset(row + common, 0, to_width - common);
  }
  return true;
}

void change_width(const Rows& from, std::byte* to, std::size_t width) {
  if (from.width == width) {
    if (width) std::memcpy(to, from.bytes, width * from.count);
    return;
  }
  if (from.width > width) {
    with_width(width, [&](auto kept) {
      for (std::size_t i = 0; i < from.count; ++i) std::memcpy(to + i * kept, from.row(i), kept);
    });
    return;
  }
  std::memset(to, 0, width * from.count);
  with_width(from.width, [&](auto given) {
    for (std::size_t i = 0; i < from.count; ++i)
      std::memcpy(to + i * width, from.bytes + i * given, given);
  });
}

void choose(const bool* holds, std::size_t count, const Rows& first, const Rows& second,
            std::byte* to) {
  std::size_t first_step = first.count == 1 ? 0 : first.width,
              second_step = second.count == 1 ? 0 : second.width;
  with_width(first.width, [&](auto width) {
    const std::byte *a = first.bytes, *b = second.bytes;
    for (std::size_t i = 0; i < count; ++i, a += first_step, b += second_step)
      std::memcpy(to + i * width, holds[i] ? a : b, width);
  });
}

void repeat(const std::byte* row, std::size_t width, std::size_t count, std::byte* to) {
  if (!width || !count) return;
  std::memcpy(to, row, width);
  for (std::size_t done = 1; done < count;) {  // what is there is copied behind itself
    std::size_t more = std::min(done, count - done);
    std::memcpy(to + done * width, to, more * width);
    done += more;
  }
}

// --- Comparison ---

void equal(const Rows& first, const Rows& second, bool* results) {
  std::size_t count = std::max(first.count, second.count);
  std::size_t a_step = first.count == 1 ? 0 : first.width,
              b_step = second.count == 1 ? 0 : second.width;
  const std::byte *a = first.bytes, *b = second.bytes;
  if (first.width == second.width) {
    with_width(first.width, [&](auto width) {
      for (std::size_t i = 0; i < count; ++i, a += a_step, b += b_step)
        results[i] = same(a, b, width);
    });
    return;
  }
  std::size_t common = std::min(first.width, second.width);
  const bool longer = first.width > second.width;
  with_width(common, [&](auto width) {
    for (std::size_t i = 0; i < count; ++i, a += a_step, b += b_step) {
      bool alike = same(a, b, width);
      if (alike)
        alike =
            longer ? all_zero(a + width, a + first.width) : all_zero(b + width, b + second.width);
      results[i] = alike;
    }
  });
}

namespace {

template <class Letter>
int order_letters(const std::byte* a, std::size_t a_width, const std::byte* b,
                  std::size_t b_width) {
  std::size_t common = std::min(a_width, b_width), at = 0;
  while (at + 8 <= common && word_at<std::uint64_t>(a + at) == word_at<std::uint64_t>(b + at))
    at += 8;
  for (; at < common; at += sizeof(Letter)) {
    auto left = word_at<Letter>(a + at), right = word_at<Letter>(b + at);
    if (left != right) return left < right ? -1 : 1;
  }
  if (!all_zero(a + common, a + a_width)) return 1;
  return all_zero(b + common, b + b_width) ? 0 : -1;
}

}  // namespace

int order(const std::byte* a, std::size_t a_width, const std::byte* b, std::size_t b_width,
          bool wide) {
  return wide ? order_letters<Character>(a, a_width, b, b_width)
              : order_letters<unsigned char>(a, a_width, b, b_width);
}

// --- Texts ---

void add(const Rows& first, const Rows& second, std::byte* to) {
  std::size_t count = std::max(first.count, second.count);
  std::size_t a_step = first.count == 1 ? 0 : first.width,
              b_step = second.count == 1 ? 0 : second.width;
  std::size_t letter = first.wide ? 4 : 1, width = first.width + second.width;
  const std::byte *a = first.bytes, *b = second.bytes;
  with_width(first.width, [&](auto a_width) {
    with_width(second.width, [&](auto b_width) {
      for (std::size_t i = 0; i < count; ++i, a += a_step, b += b_step, to += width) {
        std::memcpy(to, a, a_width);
        std::memset(to + a_width, 0, b_width);
        std::memcpy(to + letter * length(a, a_width, first.wide), b, b_width);
      }
    });
  });
}

std::size_t length(const std::byte* row, std::size_t width, bool wide) {
  while (width > 64 && word_at<std::uint64_t>(row + width - 8) == 0) width -= 8;
  if (!wide) {
    while (width > 0 && row[width - 1] == std::byte{}) --width;
    return width;
  }
  std::size_t letters = width / 4;
  while (letters > 0 && character_at(row, letters - 1) == 0) --letters;
  return letters;
}

// As length(), without branches that depend on the letters: eight bytes at a time, of which the
// last that is not zero tells. Looks at the bytes behind the row, up to a multiple of eight.
template <std::size_t kLetter, class Width>
static std::int64_t short_length(const std::byte* row, Width width) {
  std::int64_t found = 0;
  auto look = [&](std::size_t at, std::uint64_t mask) {
    std::uint64_t word = word_at<std::uint64_t>(row + at) & mask;
    auto used = at + 8 - static_cast<std::size_t>(std::countl_zero(word | 1)) / 8;
    found = word ? static_cast<std::int64_t>((used + kLetter - 1) / kLetter) : found;
  };
  std::size_t at = 0;
  for (; at + 8 <= width; at += 8) look(at, ~std::uint64_t{0});
  if (width % 8) look(at, ~std::uint64_t{0} >> (64 - 8 * (width % 8)));
  return found;
}

template <std::size_t kLetter>
static void short_lengths(const Rows& rows, std::size_t count, std::int64_t* results) {
  with_width(rows.width, [&](auto width) {
    const std::byte* row = rows.bytes;
    for (std::size_t i = 0; i < count; ++i, row += width)
      results[i] = short_length<kLetter>(row, width);
  });
}

void lengths(const Rows& rows, std::int64_t* results) {
  constexpr std::size_t kShort = 64;
  std::size_t last = rows.width % 8 ? 8 / std::max<std::size_t>(rows.width, 1) + 1 : 0;
  bool is_short = 0 < rows.width && rows.width <= kShort && last < rows.count;
  std::size_t done = is_short ? rows.count - last : 0;
  if (rows.wide)
    short_lengths<4>(rows, done, results);
  else
    short_lengths<1>(rows, done, results);
  for (std::size_t i = done; i < rows.count; ++i)
    results[i] = static_cast<std::int64_t>(length(rows.row(i), rows.width, rows.wide));
}

void write(std::string_view text, bool wide, std::byte* row, std::size_t width) {
  std::size_t at = 0;
  if (!wide) {
    at = std::min(text.size(), width);
    std::memcpy(row, text.data(), at);
  } else {
    std::size_t offset = 0;
    for (; offset + 2 <= text.size() && at + 8 <= width; offset += 2, at += 8) {
      auto first = static_cast<unsigned char>(text[offset]),
           second = static_cast<unsigned char>(text[offset + 1]);
      if ((first | second) & 0x80) break;
      std::uint64_t pair = first | std::uint64_t{second} << 32;
      std::memcpy(row + at, &pair, 8);
    }
    for (; offset < text.size() && at + 4 <= width; at += 4) {
      Character letter = decode_code_point(text, offset);
      std::memcpy(row + at, &letter, 4);
    }
  }
  std::memset(row + at, 0, width - at);
}

bool narrow(const std::byte* row, std::size_t letters, char* place) {
  std::uint64_t seen = 0;
  std::size_t i = 0;
  for (; i + 2 <= letters; i += 2) {
    auto pair = word_at<std::uint64_t>(row + 4 * i);
    seen |= pair;
    auto two = static_cast<std::uint16_t>(pair | pair >> 24);
    std::memcpy(place + i, &two, 2);
  }
  if (i < letters) {
    Character last = character_at(row, i);
    seen |= last;
    place[i] = static_cast<char>(last);
  }
  return (seen & ~std::uint64_t{0x7f0000007f}) == 0;
}

bool append(const std::byte* row, std::size_t letters, std::string& text) {
  for (std::size_t i = 0; i < letters; ++i) {
    Character letter = character_at(row, i);
    if (letter > 0x10ffff) return false;
    append_code_point(text, static_cast<char32_t>(letter));
  }
  return true;
}

namespace {

// A character as UTF-8, lone surrogates too.
char* put_letter(Character letter, char* place) {
  auto tail = [&](int shift) { return static_cast<char>(0x80 | (letter >> shift & 0x3f)); };
  if (letter < 0x80) {
    *place++ = static_cast<char>(letter);
  } else if (letter < 0x800) {
    *place++ = static_cast<char>(0xc0 | letter >> 6);
    *place++ = tail(0);
  } else if (letter < 0x10000) {
    *place++ = static_cast<char>(0xe0 | letter >> 12);
    *place++ = tail(6);
    *place++ = tail(0);
  } else {
    *place++ = static_cast<char>(0xf0 | letter >> 18);
    *place++ = tail(12);
    *place++ = tail(6);
    *place++ = tail(0);
  }
  return place;
}

}  // namespace

namespace {

// Eight characters of ASCII as a word of bytes, fewer at the end of a row; `seen` tells others.
template <class Size>
std::uint64_t narrow_word(const std::byte* row, std::size_t at, Size width, std::uint64_t& seen) {
  std::uint64_t word = 0;
  for (std::size_t k = 0; k < 4; ++k, at += 8) {
    if (at + 8 <= width) {
      auto pair = word_at<std::uint64_t>(row + at);
      seen |= pair;
      word |= ((pair | pair >> 24) & 0xffff) << 16 * k;
    } else if (at < width) {
      std::uint64_t last = word_at<Character>(row + at);
      seen |= last;
      word |= (last & 0xff) << 16 * k;
    }
  }
  return word;
}

// Writes a row as ASCII, of which up to seven bytes behind it are zeros, and tells the length
// without zeros at the end; false where it is not of ASCII.
template <class Size>
bool narrow_row(const std::byte* row, Size width, char* place, std::size_t& size) {
  std::uint64_t seen = 0;
  for (std::size_t at = 0; at < width; at += 32, place += 8) {
    std::uint64_t word = narrow_word(row, at, width, seen);
    std::memcpy(place, &word, 8);
    if (word) size = at / 4 + 8 - static_cast<std::size_t>(std::countl_zero(word)) / 8;
  }
  return (seen & ~std::uint64_t{0x7f0000007f}) == 0;
}

}  // namespace

Views::Views(const Rows& rows) {
  views_.reserve(rows.count);
  if (rows.wide) {
    read_wide(rows);
    return;
  }
  for (std::size_t i = 0; i < rows.count; ++i)
    views_.emplace_back(reinterpret_cast<const char*>(rows.row(i)),
                        length(rows.row(i), rows.width, false));
}

void Views::read_wide(const Rows& rows) {
  std::size_t letters = rows.letters();
  letters_ = std::make_unique_for_overwrite<char[]>(rows.count * letters + 8);
  char* place = letters_.get();
  with_width(rows.width, [&](auto width) {
    for (std::size_t i = 0; i < rows.count; ++i, place += letters) {
      const std::byte* row = rows.bytes + i * width;
      std::size_t size = 0;
      if (narrow_row(row, width, place, size)) {
        views_.emplace_back(place, size);
        continue;
      }
      complete_ = keep(row, width);
      if (!complete_) return;
    }
  });
}

bool Views::keep(const std::byte* row, std::size_t width) {
  constexpr std::size_t kBlock = 1 << 16;
  if (left_ < width) {  // a character needs no more bytes than it has here
    left_ = std::max(kBlock, width);
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(left_));
    free_ = blocks_.back().get();
  }
  std::size_t letters = length(row, width, true);
  char* end = free_;
  for (std::size_t i = 0; i < letters; ++i) {
    Character letter = character_at(row, i);
    if (letter > 0x10ffff) return false;
    end = put_letter(letter, end);
  }
  auto size = static_cast<std::size_t>(end - free_);
  views_.emplace_back(free_, size);
  free_ = end;
  left_ -= size;
  return true;
}

bool narrow(const Rows& from, std::byte* to, std::size_t width) {
  std::size_t letters = std::min(from.letters(), width);
  Character seen = 0;
  for (std::size_t i = 0; i < from.count; ++i, to += width) {
    for (std::size_t k = 0; k < letters; ++k) {
      Character letter = character_at(from.row(i), k);
      seen |= letter;
      to[k] = static_cast<std::byte>(letter);
    }
    for (std::size_t k = letters; k < from.letters(); ++k) seen |= character_at(from.row(i), k);
    std::memset(to + letters, 0, width - letters);
  }
  return seen < 0x80;
}

bool widen(const Rows& from, std::byte* to, std::size_t width) {
  std::size_t letters = std::min(from.width, width / 4);
  std::byte seen{};
  for (std::size_t i = 0; i < from.count; ++i, to += width) {
    for (std::size_t k = 0; k < letters; ++k) {
      std::byte letter = from.row(i)[k];
      auto wide = static_cast<Character>(letter);
      seen |= letter;
      std::memcpy(to + 4 * k, &wide, 4);
    }
    for (std::size_t k = letters; k < from.width; ++k) seen |= from.row(i)[k];
    std::memset(to + 4 * letters, 0, width - 4 * letters);
  }
  return (seen & std::byte{0x80}) == std::byte{};
}

}  // namespace strider::lang::text_rows
