// The % operator of text: printf-style formatting.
#include <cmath>

#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/format_spec.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// One conversion: %[(key)][flags][width][.precision]type.
struct Conversion {
  bool left = false, plus = false, blank = false, alternate = false, zero = false;
  std::int64_t width = -1, precision = -1;
  char32_t type = 0;
};

class PercentFormatter {
 public:
  PercentFormatter(std::string_view format, const Value& arguments)
      : format_(format), arguments_(arguments) {
    if (is_tuple(arguments)) tuple_ = arguments.as<Tuple>();
    bool mapping = type_of(arguments)->slots.get_item && !tuple_ && !is_str(arguments);
    if (mapping) mapping_ = arguments;
  }

  std::string run() {
    while (offset_ < format_.size()) {
      std::size_t next = format_.find('%', offset_);
      result_ += format_.substr(offset_, next - offset_);
      if (next == std::string_view::npos) break;
      offset_ = next + 1;
      convert();
    }
    bool left_over = tuple_ ? used_ < tuple_->size() : used_ == 0;
    if (left_over && mapping_.is_empty())
      raise(errors::TypeError, "not all arguments converted during string formatting");
    return std::move(result_);
  }

 private:
  char peek() const {
    if (offset_ >= format_.size()) raise(errors::ValueError, "incomplete format");
    return format_[offset_];
  }

  const Value& next_argument() {
    if (tuple_ && used_ < tuple_->size()) return (*tuple_)[used_++];
    if (!tuple_ && used_ == 0) {
      ++used_;
      return arguments_;
    }
    raise(errors::TypeError, "not enough arguments for format string");
  }

  void read_key() {
    if (mapping_.is_empty()) raise(errors::TypeError, "format requires a mapping");
    std::size_t start = ++offset_;
    for (int depth = 1; depth > 0; ++offset_) {
      if (offset_ >= format_.size()) raise(errors::ValueError, "incomplete format key");
      if (format_[offset_] == '(') ++depth;
      if (format_[offset_] == ')') --depth;
    }
    keyed_ = get_item(mapping_, Value(make_str(format_.substr(start, offset_ - start - 1))));
  }

  bool read_flag(Conversion& conversion) {
    switch (peek()) {
      case '-':
        conversion.left = true;
        break;
      case '+':
        conversion.plus = true;
        break;
      case ' ':
        conversion.blank = true;
        break;
      case '#':
        conversion.alternate = true;
        break;
      case '0':
        conversion.zero = true;
        break;
      default:
        return false;
    }
    ++offset_;
    return true;
  }

  // A number, or * for the next argument; -1 if neither is there.
  std::int64_t read_number(const char* too_big) {
    if (peek() == '*') {
      ++offset_;
      const Value& argument = next_argument();
      if (!is_integer(argument)) raise(errors::TypeError, "* wants int");
      return to_int64(argument);
    }
    std::int64_t number = -1;
    while (offset_ < format_.size() && format_[offset_] >= '0' && format_[offset_] <= '9') {
      number = (number < 0 ? 0 : number) * 10 + (format_[offset_++] - '0');
      if (number > 0x7FFFFFFF) raise(errors::ValueError, "{} too big", too_big);
    }
    return number;
  }

  void convert() {
    if (peek() == '%') {
      ++offset_;
      result_ += '%';
      return;
    }
    keyed_ = Value();
    if (peek() == '(') read_key();
    Conversion conversion;
    while (read_flag(conversion)) continue;
    bool star = peek() == '*';
    conversion.width = read_number("width");
    if (star && conversion.width < 0) {
      conversion.left = true;
      conversion.width = -conversion.width;
    }
    if (peek() == '.') {
      ++offset_;
      conversion.precision = std::max<std::int64_t>(read_number("precision"), 0);
    }
    if (peek() == 'h' || peek() == 'l' || peek() == 'L') ++offset_;
    peek();
    std::size_t at = offset_;
    conversion.type = decode_code_point(format_, offset_);
    append(conversion, at);
  }

  void append(const Conversion& conversion, std::size_t at) {
    Value argument = keyed_.is_empty() ? next_argument() : keyed_;
    if (conversion.type >= 128 ||
        std::string_view("diuoxXeEfFgGcrsa").find(static_cast<char>(conversion.type)) ==
            std::string_view::npos)
      raise(errors::ValueError, "unsupported format character '{}' (0x{:x}) at index {}",
            conversion.type < 128 ? static_cast<char>(conversion.type) : '?',
            static_cast<std::uint32_t>(conversion.type), count_code_points(format_.substr(0, at)));
    switch (conversion.type) {
      case 's':
        return append_text(conversion, str_text(argument));
      case 'r':
        return append_text(conversion, repr_text(argument));
      case 'a':
        return append_text(conversion, ascii_text(argument));
      case 'c':
        return append_text(conversion, character_of(argument));
      case 'd':
      case 'i':
      case 'u':
      case 'o':
      case 'x':
      case 'X':
        return append_integer(conversion, argument);
      default:
        return append_float(conversion, argument);
    }
  }

  static std::string ascii_text(const Value& value) {
    std::string text = repr_text(value), result;
    for (std::size_t offset = 0; offset < text.size();) {
      char32_t code = decode_code_point(text, offset);
      if (code < 0x80)
        result += static_cast<char>(code);
      else
        result += fmt::format(fmt::runtime(code < 0x100     ? "\\x{:02x}"
                                           : code < 0x10000 ? "\\u{:04x}"
                                                            : "\\U{:08x}"),
                              static_cast<std::uint32_t>(code));
    }
    return result;
  }

  static std::string character_of(const Value& value) {
    if (is_str(value)) {
      if (value.as<Str>()->size() != 1) raise(errors::TypeError, "%c requires int or char");
      return std::string(text_of(value));
    }
    std::int64_t code;
    if (!try_index(value, code)) raise(errors::TypeError, "%c requires int or char");
    if (code < 0 || code > 0x10FFFF) raise(errors::OverflowError, "%c arg not in range(0x110000)");
    std::string text;
    append_code_point(text, static_cast<char32_t>(code));
    return text;
  }

  void append_text(const Conversion& conversion, std::string_view text) {
    std::int64_t size = count_code_points(text);
    bool cut = conversion.type != 'c' && conversion.precision >= 0 && conversion.precision < size;
    if (cut) {
      std::size_t end = 0;
      for (std::int64_t i = 0; i < conversion.precision; ++i) decode_code_point(text, end);
      text = text.substr(0, end);
      size = conversion.precision;
    }
    FormatSpec spec;
    spec.width = conversion.width;
    spec.align = conversion.left ? '<' : '>';
    result_ += pad_text(text, size, spec);
  }

  static Value integer_of(const Conversion& conversion, const Value& value) {
    if (is_integer(value)) return exact_int(value);
    const Slots& slots = type_of(value)->slots;
    bool decimal = conversion.type == 'd' || conversion.type == 'i' || conversion.type == 'u';
    if (decimal && is_float(value)) return integer_from_double(float_value(value));
    try {
      if (decimal && slots.to_int && !is_str(value)) return exact_int(slots.to_int(value));
      if (slots.to_index) return exact_int(slots.to_index(value));
    } catch (const Raised& raised) {
      if (!raised.exception->type()->is_subclass_of(&errors::TypeError())) throw;
    }
    raise(errors::TypeError, "%{} format: {} is required, not {}",
          static_cast<char>(conversion.type), decimal ? "a real number" : "an integer",
          type_name(value));
  }

  void append_integer(const Conversion& conversion, const Value& argument) {
    bool octal = conversion.type == 'o', hex = (conversion.type | 0x20) == 'x';
    std::string digits = integer_text(integer_of(conversion, argument), octal ? 8 : hex ? 16 : 10);
    bool negative = digits.starts_with('-');
    if (negative) digits.erase(0, 1);
    if (conversion.type == 'X')
      for (char& digit : digits) digit = static_cast<char>(std::toupper(digit));
    if (conversion.precision > static_cast<std::int64_t>(digits.size()))
      digits.insert(0, static_cast<std::size_t>(conversion.precision) - digits.size(), '0');
    std::string prefix;
    if (conversion.alternate && (octal || hex))
      prefix = std::string("0") + static_cast<char>(conversion.type);
    append_number(conversion, negative, prefix, digits, conversion.zero);
  }

  void append_float(const Conversion& conversion, const Value& argument) {
    double value = to_double(argument);
    std::int64_t precision = conversion.precision < 0 ? 6 : conversion.precision;
    std::string digits = float_digits(std::fabs(value), static_cast<char>(conversion.type),
                                      precision, conversion.alternate);
    bool negative = std::signbit(value) && !std::isnan(value);
    append_number(conversion, negative, "", digits, conversion.zero);
  }

  void append_number(const Conversion& conversion, bool negative, const std::string& prefix,
                     const std::string& digits, bool zeros) {
    char sign = conversion.plus ? '+' : conversion.blank ? ' ' : '\0';
    FormatSpec spec;
    spec.width = conversion.width;
    spec.align = conversion.left ? '<' : zeros ? '=' : '>';
    if (zeros && !conversion.left) spec.fill = "0";
    result_ += lay_out_number({shown_sign(negative, sign) + prefix, digits, ""}, spec);
  }

  std::string_view format_;
  const Value& arguments_;
  const Tuple* tuple_ = nullptr;
  Value mapping_, keyed_;
  std::size_t offset_ = 0, used_ = 0;
  std::string result_;
};

}  // namespace

std::string format_percent(std::string_view format, const Value& arguments) {
  return PercentFormatter(format, arguments).run();
}

}  // namespace strider::lang
