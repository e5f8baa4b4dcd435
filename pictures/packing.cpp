// Bytes as formats of pictures pack them: differences of PNG, codes of GIF and TIFF, runs.
#include "pictures/packing.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <unordered_map>
#include <vector>

namespace strider::pictures {
namespace {

std::uint8_t nearest_of(int left, int above, int corner) {
  const int guess = left + above - corner;
  const int to_left = std::abs(guess - left), to_above = std::abs(guess - above);
  const int to_corner = std::abs(guess - corner);
  if (to_left <= to_above && to_left <= to_corner) return static_cast<std::uint8_t>(left);
  return static_cast<std::uint8_t>(to_above <= to_corner ? above : corner);
}

// What filter F expects at place `i` of a row; `step` bytes before a row are 0.
template <int F>
int expected(const std::uint8_t* row, const std::uint8_t* above, std::ptrdiff_t i,
             std::ptrdiff_t step) {
  if constexpr (F == 0) return 0;
  if constexpr (F == 1) return row[i - step];
  if constexpr (F == 2) return above[i];
  if constexpr (F == 3) return (row[i - step] + above[i]) / 2;
  return nearest_of(row[i - step], above[i], above[i - step]);
}

template <class Work>
void with_filter(int filter, Work work) {
  switch (filter) {
    case 0:
      return work.template operator()<0>();
    case 1:
      return work.template operator()<1>();
    case 2:
      return work.template operator()<2>();
    case 3:
      return work.template operator()<3>();
    case 4:
      return work.template operator()<4>();
    default:
      throw std::runtime_error("unrecognized filter in a PNG file");
  }
}

const std::uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

// Codes of growing length, from the lowest bit of a byte on (GIF) or the highest (TIFF).
class CodeReader {
 public:
  CodeReader(std::string_view codes, bool low_first)
      : bytes_(bytes_of(codes)), size_(codes.size()), low_first_(low_first) {}
  // -1 at the end.
  int next(int length) {
    while (held_ < length) {
      if (at_ == size_) return -1;
      if (low_first_)
        bits_ |= static_cast<std::uint32_t>(bytes_[at_++]) << held_;
      else
        bits_ = bits_ << 8 | bytes_[at_++];
      held_ += 8;
    }
    held_ -= length;
    const std::uint32_t mask = (1U << length) - 1;
    if (!low_first_) return static_cast<int>(bits_ >> held_ & mask);
    const std::uint32_t code = bits_ & mask;
    bits_ >>= length;
    return static_cast<int>(code);
  }

 private:
  const std::uint8_t* bytes_;
  std::size_t size_, at_ = 0;
  std::uint32_t bits_ = 0;
  int held_ = 0;
  bool low_first_;
};

class CodeWriter {
 public:
  explicit CodeWriter(bool low_first) : low_first_(low_first) {}
  void put(std::uint32_t code, int length) {
    bits_ = low_first_ ? bits_ | code << held_ : bits_ << length | code;
    held_ += length;
    while (held_ >= 8) take_byte();
  }
  std::string finish() {
    if (held_ > 0 && !low_first_) put(0, 8 - held_);
    if (held_ > 0) {
      held_ = 8;
      take_byte();
    }
    return std::move(result_);
  }

 private:
  void take_byte() {
    held_ -= 8;
    result_ += static_cast<char>(low_first_ ? bits_ & 0xff : bits_ >> held_ & 0xff);
    if (low_first_) bits_ >>= 8;
  }
  std::string result_;
  std::uint32_t bits_ = 0;
  int held_ = 0;
  bool low_first_;
};

constexpr int kMostBits = 12, kMostCodes = 1 << kMostBits;

// Strings by their codes: each is another one and a byte behind it.
class Strings {
 public:
  explicit Strings(int bits) : clear_(1 << bits), next_(clear_ + 2) {
    for (int code = 0; code < clear_; ++code) {
      lengths_[code] = 1;
      firsts_[code] = static_cast<std::uint8_t>(code);
    }
  }
  int clear() const { return clear_; }
  int next() const { return next_; }
  int length(int code) const { return lengths_[code]; }
  void reset() { next_ = clear_ + 2; }
  void add(int before, std::uint8_t last) {
    if (next_ == kMostCodes) return;
    before_[next_] = static_cast<std::int16_t>(before);
    lengths_[next_] = static_cast<std::int16_t>(lengths_[before] + 1);
    firsts_[next_] = firsts_[before];
    last_[next_++] = last;
  }
  std::uint8_t first(int code) const { return firsts_[code]; }
  // What of the string there is room for, from `to` on.
  void write(int code, char* to, std::size_t room) const {
    for (auto at = static_cast<std::size_t>(lengths_[code]) - 1; code >= clear_;
         code = before_[code], --at)
      if (at < room) to[at] = static_cast<char>(last_[code]);
    to[0] = static_cast<char>(code);
  }

 private:
  int clear_, next_;
  std::int16_t before_[kMostCodes], lengths_[kMostCodes];
  std::uint8_t last_[kMostCodes], firsts_[kMostCodes];
};

// TIFF changes to longer codes one code earlier than GIF does.
std::string unpack_codes(CodeReader reader, int bits, std::size_t count, int early) {
  Strings strings(bits);
  std::string result;
  std::size_t size = 0;
  int length = bits + 1, before = -1;
  while (size < count) {
    const int code = reader.next(length);
    if (code < 0 || code == strings.clear() + 1) break;
    if (code == strings.clear()) {
      strings.reset();
      length = bits + 1;
      before = -1;
      continue;
    }
    if (code > strings.next() || (before < 0 && code >= strings.clear()) ||
        (code == strings.next() && code == kMostCodes))
      throw std::runtime_error("codes of a picture are broken");
    const std::uint8_t first = strings.first(code == strings.next() ? before : code);
    if (before >= 0) strings.add(before, first);
    const auto room = std::min(static_cast<std::size_t>(strings.length(code)), count - size);
    if (size + room > result.size()) result.resize(std::min(count, 2 * (size + room) + 65536));
    strings.write(code, result.data() + size, room);
    size += room;
    before = code;
    if (strings.next() + early >= 1 << length && length < kMostBits) ++length;
  }
  result.resize(size);
  return result;
}

std::string pack_codes(std::string_view bytes, int bits, bool tiff) {
  CodeWriter writer(!tiff);
  const std::uint32_t clear = 1U << bits;
  const std::uint32_t last = tiff ? kMostCodes - 2 : kMostCodes - 1;
  std::unordered_map<std::uint32_t, std::uint32_t> codes;
  int length = bits + 1;
  std::uint32_t next = clear + 2;
  writer.put(clear, length);
  std::uint32_t current = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<std::uint8_t>(bytes[i]);
    if (i == 0) {
      current = byte;
      continue;
    }
    auto [place, is_new] = codes.try_emplace(current << 8 | byte, next);
    if (!is_new) {
      current = place->second;
      continue;
    }
    writer.put(current, length);
    current = byte;
    if (next == last) {
      writer.put(clear, length);
      codes.clear();
      length = bits + 1;
      next = clear + 2;
      continue;
    }
    if (next + (tiff ? 1 : 0) >= 1U << length) ++length;
    ++next;
  }
  if (!bytes.empty()) {
    writer.put(current, length);
    if (next + (tiff ? 1 : 0) >= 1U << length && length < kMostBits) ++length;
  }
  writer.put(clear + 1, length);
  return writer.finish();
}

}  // namespace

namespace {

// A row and the one above it, each behind bytes of 0.
class RowPair {
 public:
  RowPair(std::size_t row_size, std::size_t step)
      : bytes_(2 * (row_size + step)), row_(bytes_.data() + step), above_(row_ + row_size + step) {}
  std::uint8_t* row() { return row_; }
  const std::uint8_t* above() const { return above_; }
  void move_on() { std::swap(row_, above_); }

 private:
  std::vector<std::uint8_t> bytes_;
  std::uint8_t *row_, *above_;
};

template <int F>
int filter_row(const std::uint8_t* row, const std::uint8_t* above, std::ptrdiff_t size,
               std::ptrdiff_t step, char* __restrict result) {
  int weight = 0;
  for (std::ptrdiff_t i = 0; i < size; ++i) {
    const auto rest = static_cast<signed char>(row[i] - expected<F>(row, above, i, step));
    result[i] = static_cast<char>(rest);
    weight += std::abs(rest);
  }
  return weight;
}

}  // namespace

std::string png_unfilter(std::string_view rows, std::size_t row_size, std::size_t step) {
  const std::size_t count = rows.size() / (row_size + 1);
  std::string result(count * row_size, '\0');
  RowPair pair(row_size, step);
  const std::uint8_t* source = bytes_of(rows);
  for (std::size_t y = 0; y < count; ++y, source += row_size + 1) {
    with_filter(*source, [&]<int F>() {
      std::uint8_t* row = pair.row();
      const std::uint8_t* above = pair.above();
      const auto size = static_cast<std::ptrdiff_t>(row_size);
      const auto apart = static_cast<std::ptrdiff_t>(step);
      for (std::ptrdiff_t i = 0; i < size; ++i)
        row[i] = static_cast<std::uint8_t>(source[i + 1] + expected<F>(row, above, i, apart));
    });
    std::copy_n(pair.row(), row_size, result.data() + y * row_size);
    pair.move_on();
  }
  return result;
}

// The filter that leaves the smallest numbers, counted as if they had signs.
std::string png_filter(std::string_view rows, std::size_t row_size, std::size_t step) {
  std::string result, best(row_size, '\0'), tried(row_size, '\0');
  if (row_size == 0) return result;
  RowPair pair(row_size, step);
  result.reserve(rows.size() + rows.size() / row_size);
  for (std::size_t start = 0; start + row_size <= rows.size(); start += row_size) {
    std::copy_n(bytes_of(rows) + start, row_size, pair.row());
    int least = -1;
    char chosen = 0;
    for (int filter = 0; filter < 5; ++filter) {
      int weight = 0;
      with_filter(filter, [&]<int F>() {
        weight = filter_row<F>(pair.row(), pair.above(), static_cast<std::ptrdiff_t>(row_size),
                               static_cast<std::ptrdiff_t>(step), tried.data());
      });
      if (least >= 0 && weight >= least) continue;
      least = weight;
      chosen = static_cast<char>(filter);
      best.swap(tried);
    }
    result += chosen;
    result += best;
    pair.move_on();
  }
  return result;
}

std::string unpack_gif(std::string_view codes, int bits, std::size_t count) {
  if (bits < 1 || bits >= kMostBits) throw std::runtime_error("codes of a picture are broken");
  return unpack_codes(CodeReader(codes, true), bits, count, 0);
}

std::string pack_gif(std::string_view bytes, int bits) { return pack_codes(bytes, bits, false); }

std::string unpack_tiff(std::string_view codes, std::size_t count) {
  return unpack_codes(CodeReader(codes, false), 8, count, 1);
}

std::string pack_tiff(std::string_view bytes) { return pack_codes(bytes, 8, true); }

std::string unpack_runs(std::string_view codes, std::size_t unit, std::size_t count,
                        bool packbits) {
  std::string result;
  std::size_t at = 0;
  while (result.size() < count && at < codes.size()) {
    const auto head = static_cast<std::uint8_t>(codes[at++]);
    if (packbits && head == 128) continue;
    const bool repeats = head >= 128;
    const std::size_t times = repeats && packbits ? 257U - head : (head & 0x7fU) + 1U;
    const std::size_t size = repeats ? unit : unit * times;
    if (codes.size() - at < size) break;
    for (std::size_t i = 0; i < (repeats ? times : 1); ++i) result.append(codes.substr(at, size));
    at += size;
  }
  if (result.size() > count) result.resize(count);
  return result;
}

std::string pack_runs(std::string_view bytes, std::size_t unit, bool packbits) {
  std::string result;
  const std::size_t count = bytes.size() / unit;
  auto same = [&](std::size_t a, std::size_t b) {
    return bytes.compare(a * unit, unit, bytes.substr(b * unit, unit)) == 0;
  };
  for (std::size_t at = 0; at < count;) {
    std::size_t end = at + 1;
    if (end < count && same(at, end)) {
      while (end < count && end - at < 128 && same(at, end)) ++end;
      const std::size_t times = end - at;
      result += static_cast<char>(packbits ? 257 - times : times + 127);
      result.append(bytes.substr(at * unit, unit));
    } else {
      while (end < count && end - at < 128 && !(end + 1 < count && same(end, end + 1))) ++end;
      result += static_cast<char>(end - at - 1);
      result.append(bytes.substr(at * unit, (end - at) * unit));
    }
    at = end;
  }
  return result;
}

}  // namespace strider::pictures
