// Reads and writes the dictionary at the start of a .npy file.
#include "kernels/file/npy_header.h"

#include <strider/nd/error.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>

namespace strider::nd::file {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxHeader = 10000;

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::kFileFormat, message); }

// Bytes as Python's repr shows them: b'...'.
std::string bytes_repr(std::string_view bytes) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string text = "b'";
  for (unsigned char c : bytes) {
    if (c == '\\' || c == '\'') {
      text += {'\\', static_cast<char>(c)};
    } else if (c == '\n' || c == '\r' || c == '\t') {
      text += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
    } else if (c < 32 || c > 126) {
      text += {'\\', 'x', kHex[c >> 4], kHex[c & 15]};
    } else {
      text += static_cast<char>(c);
    }
  }
  return text + "'";
}

std::string text_repr(std::string_view text) { return bytes_repr(text).substr(1); }

// One value of the dictionary, and the text it was written as.
struct Value {
  enum Kind { kText, kBool, kTuple, kOther } kind = kOther;
  std::string text;
  bool flag = false;
  std::vector<std::int64_t> numbers;
  std::string source;
};

// A parser for the little of Python's literals that headers use.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  NpyHeader parse() {
    skip_space();
    if (!accept('{')) fail_parse();
    while (!accept('}')) {
      std::string key = parse_string();
      expect(':');
      store(key, parse_value());
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (at_ != text_.size()) fail_parse();
    return finish();
  }

 private:
  [[noreturn]] void fail_parse() { fail("Cannot parse header: " + text_repr(text_)); }

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\n\r\f").find(text_[at_]) != text_.npos)
      ++at_;
  }
  bool accept(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    skip_space();
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail_parse();
  }

  std::string parse_string() {
    skip_space();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) fail_parse();
    char quote = text_[at_];
    std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail_parse();
    std::string result(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    skip_space();
    return result;
  }

  std::string parse_word() {
    std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                  text_[at_] == '-' || text_[at_] == '+' || text_[at_] == '_'))
      ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::optional<std::int64_t> parse_integer() {
    std::string word = parse_word();
    if (!word.empty() && word.back() == 'L') word.pop_back();  // written by Python 2
    std::size_t first = !word.empty() && word[0] == '-' ? 1 : 0;
    bool leading_zero = word.size() > first + 1 && word[first] == '0';
    if (word.size() == first || word.size() > 19 || leading_zero ||
        !std::all_of(word.begin() + static_cast<std::ptrdiff_t>(first), word.end(),
                     [](unsigned char c) { return std::isdigit(c); }))
      return std::nullopt;
    return std::stoll(word);
  }

  bool parse_tuple(Value& value) {
    while (!accept(')')) {
      skip_space();
      std::optional<std::int64_t> number = parse_integer();
      if (!number) return false;
      value.numbers.push_back(*number);
      bool comma = accept(',');
      if (!comma) {
        expect(')');
        return value.numbers.size() != 1;  // (3) is a number
      }
    }
    return true;
  }

  // Steps over brackets of any other literal.
  void skip_literal() {
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      char c = text_[at_];
      if (c == '\'' || c == '"') {
        std::size_t end = text_.find(c, at_ + 1);
        if (end == std::string_view::npos) fail_parse();
        at_ = end;
      } else if (c == '(' || c == '[' || c == '{') {
        ++depth;
      } else if (c == ')' || c == ']' || (c == '}' && depth > 0)) {
        --depth;
      } else if (depth == 0 && (c == ',' || c == '}')) {
        return;
      }
    }
    fail_parse();
  }

  Value parse_value() {
    skip_space();
    std::size_t begin = at_;
    Value value;
    if (at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"')) {
      value.text = parse_string();
      value.kind = Value::kText;
    } else if (text_.substr(at_, 4) == "True" || text_.substr(at_, 5) == "False") {
      value.flag = text_[at_] == 'T';
      at_ += value.flag ? 4 : 5;
      value.kind = Value::kBool;
    } else if (accept('(') && parse_tuple(value)) {
      value.kind = Value::kTuple;
    } else {
      at_ = begin;
      skip_literal();
    }
    value.source = std::string(text_.substr(begin, at_ - begin));
    while (!value.source.empty() && value.source.back() == ' ') value.source.pop_back();
    return value;
  }

  void store(const std::string& key, Value value) {
    keys_.push_back(key);
    if (key == "descr") descr_ = std::move(value);
    if (key == "fortran_order") order_ = std::move(value);
    if (key == "shape") shape_ = std::move(value);
  }

  void check_keys() {
    std::sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
    if (keys_ == std::vector<std::string>{"descr", "fortran_order", "shape"}) return;
    std::string list = "[";
    for (const std::string& key : keys_) list += (list.size() > 1 ? ", " : "") + text_repr(key);
    fail("Header does not contain the correct keys: " + list + "]");
  }

  void read_dtype(NpyHeader& header) {
    if (descr_.kind == Value::kText && descr_.text.find('O') != std::string::npos)
      fail("Object arrays cannot be loaded when allow_pickle=False");
    std::optional<DType> dtype;
    if (descr_.kind == Value::kText) dtype = parse_dtype(descr_.text, &header.swapped);
    if (dtype) {
      header.dtype = *dtype;
      return;
    }
    bool known_kind =
        descr_.kind != Value::kText || descr_.text.find_first_of("USVMmaSc") != std::string::npos;
    if (known_kind && descr_.source.front() != '-')
      throw Error(ErrorKind::kNotImplemented,
                  "arrays of type " + descr_.source + " are not supported");
    fail("descr is not a valid dtype descriptor: " + descr_.source);
  }

  NpyHeader finish() {
    check_keys();
    NpyHeader header;
    if (shape_.kind != Value::kTuple) fail("shape is not valid: " + shape_.source);
    if (order_.kind != Value::kBool) fail("fortran_order is not a valid bool: " + order_.source);
    read_dtype(header);
    header.fortran_order = order_.flag;
    if (shape_.numbers.size() > static_cast<std::size_t>(kMaxRank))
      fail("maximum supported dimension for an ndarray is currently 64, found " +
           std::to_string(shape_.numbers.size()));
    for (std::int64_t extent : shape_.numbers) header.shape.push_back(extent);
    return header;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string> keys_;
  Value descr_, order_, shape_;
};

std::string read_exactly(const Source& source, std::uint64_t offset, std::size_t count,
                         const char* what) {
  std::string text = source.text(offset, count);
  if (text.size() == count) return text;
  fail("EOF: reading " + std::string(what) + ", expected " + std::to_string(count) + " bytes got " +
       std::to_string(text.size()));
}

// numpy.save's spaces for the first extent to grow into.
std::size_t growth_room(const Array& array, bool fortran) {
  if (array.rank() == 0) return 0;
  std::int64_t extent = fortran ? array.shape().back() : array.shape()[0];
  return 21 - std::to_string(extent).size();
}

std::string shape_text_of(const Dims& shape) {
  std::string text = "(";
  for (int axis = 0; axis < shape.size(); ++axis)
    text += (axis ? ", " : "") + std::to_string(shape[axis]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::string descr_text(DType dtype) {
  int size = item_size(dtype);
  return std::string(size == 1 ? "|" : "<") + facts(dtype).kind + std::to_string(size);
}

}  // namespace

NpyHeader read_npy_header(const Source& source) {
  std::string magic = read_exactly(source, 0, 8, "magic string");
  if (magic.substr(0, 6) != kMagic)
    fail("the magic string is not correct; expected " + bytes_repr(kMagic) + ", got " +
         bytes_repr(magic.substr(0, 6)));
  int major = static_cast<unsigned char>(magic[6]), minor = static_cast<unsigned char>(magic[7]);
  if (major < 1 || major > 3 || minor != 0)
    fail("we only support format version (1,0), (2,0), and (3,0), not (" + std::to_string(major) +
         ", " + std::to_string(minor) + ")");
  std::size_t width = major == 1 ? 2 : 4;
  std::string length_text = read_exactly(source, 8, width, "array header length");
  std::size_t length = 0;
  for (std::size_t i = 0; i < width; ++i)
    length |= static_cast<std::size_t>(static_cast<unsigned char>(length_text[i])) << (8 * i);
  std::string text = read_exactly(source, 8 + width, length, "array header");
  if (length > kMaxHeader)
    fail("Header info length (" + std::to_string(length) +
         ") is large and may not be safe to load securely.\n"
         "To allow loading, adjust `max_header_size` or fully trust the `.npy` file using "
         "`allow_pickle=True`.\n"
         "For safety against large resource use or crashes, sandboxing may be necessary.");
  NpyHeader header = HeaderParser(text).parse();
  header.data_offset = 8 + width + length;
  return header;
}

std::string npy_header_text(const Array& array) {
  bool fortran = array.is_f_contiguous() && !array.is_c_contiguous();
  std::string dictionary = "{'descr': '" + descr_text(array.dtype()) +
                           "', 'fortran_order': " + (fortran ? "True" : "False") +
                           ", 'shape': " + shape_text_of(array.shape()) + ", }";
  dictionary.append(growth_room(array, fortran), ' ');
  constexpr std::size_t kAlign = 64;
  std::size_t used = 10 + dictionary.size() + 1;
  bool wide = used + kAlign > 65535;
  if (wide) used += 2;
  dictionary.append((kAlign - used % kAlign), ' ');
  dictionary += '\n';
  std::string text(kMagic);
  text += {static_cast<char>(wide ? 2 : 1), '\0'};
  for (std::size_t i = 0; i < (wide ? 4u : 2u); ++i)
    text += static_cast<char>(dictionary.size() >> (8 * i) & 0xff);
  return text + dictionary;
}

}  // namespace strider::nd::file
