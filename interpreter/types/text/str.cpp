// Str as data: UTF-8 text with code point indices, its hash, and the shared short texts. What the
// language can do with it stands in str_type.cpp and str_methods.cpp.
#include "interpreter/types/text/str.h"

#include <charconv>
#include <cstring>

#include "interpreter/types/text/hashing.h"

namespace strider::lang {

Str::Str(std::size_t bytes, std::int64_t size)
    : Object(Layout::kStr, &type_object()),
      bytes_(static_cast<std::uint32_t>(bytes)),
      size_(static_cast<std::uint32_t>(size)) {
  flags_ = kExact;
}

// A short text has nothing to destroy.
void Str::operator delete(Str* text, std::destroying_delete_t) {
  pool::release(text, sizeof(Str) + text->bytes_);
}

LongStr::LongStr(std::string text, Type* type)
    : Str(type ? type : &type_object()),
      string_(std::move(text)),
      size_(count_code_points(string_)) {
  flags_ = type ? kLong : kLong | kExact;
}

LongStr::LongStr(std::string text, std::int64_t size)
    : Str(&type_object()), string_(std::move(text)), size_(size) {
  flags_ = kLong | kExact;
}

StrMaker::StrMaker(std::size_t bytes, std::int64_t size) {
  if (bytes > Str::kShort) {
    Ref<LongStr> made = make<LongStr>(std::string(bytes, '\0'), size);
    place_ = const_cast<char*>(made->string().data());
    text_ = std::move(made);
    return;
  }
  auto* made = ::new (pool::allocate(sizeof(Str) + bytes)) Str(bytes, size);
  place_ = reinterpret_cast<char*>(made + 1);
  text_ = made;
}

std::int64_t Str::hash() const {
  if (hash_ == -1) hash_ = is_ascii() ? hash_bytes(text()) : hash_text(text());
  return hash_;
}

namespace {

constexpr std::int64_t kLandmarkDistance = 64;

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

std::size_t skip_code_points(std::string_view text, std::size_t offset, std::int64_t count) {
  while (count > 0 && offset < text.size()) {
    ++offset;
    while (offset < text.size() && is_continuation(text[offset])) ++offset;
    --count;
  }
  return offset;
}

std::vector<std::uint32_t> find_landmarks(std::string_view text) {
  std::vector<std::uint32_t> landmarks;
  for (std::size_t offset = 0; offset < text.size();) {
    landmarks.push_back(static_cast<std::uint32_t>(offset));
    offset = skip_code_points(text, offset, kLandmarkDistance);
  }
  return landmarks;
}

}  // namespace

std::size_t Str::offset(std::int64_t index) const {
  if (is_ascii()) return static_cast<std::size_t>(index);
  if (index >= size()) return text().size();
  if (is_long()) return static_cast<const LongStr*>(this)->offset(index);
  return skip_code_points(text(), 0, index);
}

std::size_t LongStr::offset(std::int64_t index) const {
  if (index < kLandmarkDistance || string_.size() >= 0xFFFFFFFFu)
    return skip_code_points(string_, 0, index);
  if (!landmarks_)
    landmarks_ = std::make_unique<std::vector<std::uint32_t>>(find_landmarks(string_));
  std::size_t start = (*landmarks_)[static_cast<std::size_t>(index / kLandmarkDistance)];
  return skip_code_points(string_, start, index % kLandmarkDistance);
}

void LongStr::append(std::string_view tail) {
  string_.append(tail);
  size_ += count_code_points(tail);
  hash_ = -1;
  landmarks_.reset();
}

namespace {

Ref<Str> make_short(std::string_view text, std::int64_t size) {
  StrMaker maker(text.size(), size);
  std::memcpy(maker.place(), text.data(), text.size());
  return maker.take();
}

const Ref<Str>* make_short_texts() {
  auto* texts = new Ref<Str>[129];
  for (int i = 0; i < 128; ++i) {
    auto character = static_cast<char>(i);
    texts[i] = make_short({&character, 1}, 1);
  }
  texts[128] = make_short("", 0);
  return texts;
}

const Ref<Str>* short_texts() {
  static const Ref<Str>* const texts = make_short_texts();
  return texts;
}

// The shared text with this content, or null.
const Ref<Str>* shared_text(std::string_view text) {
  if (text.size() > 1) return nullptr;
  if (text.empty()) return &short_texts()[128];
  auto byte = static_cast<unsigned char>(text[0]);
  return byte < 128 ? &short_texts()[byte] : nullptr;
}

}  // namespace

Ref<Str> make_str(std::string_view text) { return make_str(text, count_code_points(text)); }

Ref<Str> make_str(std::string_view text, std::int64_t size) {
  if (const Ref<Str>* shared = shared_text(text)) return *shared;
  if (text.size() <= Str::kShort) return make_short(text, size);
  return make<LongStr>(std::string(text), size);
}

Ref<Str> make_str(std::string&& text) {
  std::int64_t size = count_code_points(text);
  return make_str(std::move(text), size);
}

Ref<Str> make_str(std::string&& text, std::int64_t size) {
  if (text.size() > Str::kShort) return make<LongStr>(std::move(text), size);
  return make_str(std::string_view(text), size);
}

const Ref<Str>& ascii_character(char character) {
  return short_texts()[static_cast<unsigned char>(character)];
}

Ref<Str> make_decimal(std::int64_t number) {
  char digits[24];
  char* end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  if (end - digits == 1) return ascii_character(digits[0]);
  return make_short({digits, end}, end - digits);
}

std::string_view slice_text(const Str& text, std::int64_t start, std::int64_t stop) {
  if (start >= stop) return {};
  std::size_t first = text.offset(start);
  return text.text().substr(first, text.offset(stop) - first);
}

// Sixty-four bytes at a time, then eight, the last ones perhaps twice.
bool is_ascii_text(std::string_view text) {
  std::uint64_t bits = 0;
  auto take = [&](std::size_t at, std::size_t count) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, count);
    bits |= word;
  };
  if (text.size() < 8) {
    for (char byte : text) bits |= static_cast<std::uint64_t>(byte) & 0x80;
    return bits == 0;
  }
  using Block [[gnu::vector_size(64)]] = std::uint64_t;
  Block blocks{};
  std::size_t i = 0;
  for (; i + sizeof(Block) <= text.size(); i += sizeof(Block)) {
    Block block;
    std::memcpy(&block, text.data() + i, sizeof block);
    blocks |= block;
  }
  for (int k = 0; k < 8; ++k) bits |= blocks[k];
  for (; i + 8 <= text.size(); i += 8) take(i, 8);
  take(text.size() - 8, 8);
  return (bits & 0x8080808080808080u) == 0;
}

// Eight bytes at a time: a byte that continues a code point has bit 7 set and bit 6 clear.
std::int64_t count_code_points(std::string_view text) {
  if (is_ascii_text(text)) return static_cast<std::int64_t>(text.size());
  std::int64_t continuations = 0;
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + i, 8);
    std::uint64_t marks = (word >> 7) & ~(word >> 6) & 0x0101010101010101u;
    continuations += __builtin_popcountll(marks);
  }
  for (; i < text.size(); ++i) continuations += is_continuation(text[i]);
  return static_cast<std::int64_t>(text.size()) - continuations;
}

char32_t decode_beyond_ascii(std::string_view text, std::size_t& offset) {
  auto byte = [&](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[offset + i]));
  };
  char32_t first = byte(0);
  std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (offset + length > text.size()) length = 1;
  char32_t result = first;
  if (length == 2) result = (first & 0x1F) << 6 | (byte(1) & 0x3F);
  if (length == 3) result = (first & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  if (length == 4)
    result =
        (first & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
  offset += length;
  return result;
}

void append_beyond_ascii(std::string& text, char32_t code) {
  auto put = [&text](char32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

}  // namespace strider::lang
