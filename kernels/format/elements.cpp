// Element printers: booleans, integers, floats, complex numbers, and formatters given by the user.
#include "kernels/format/elements.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "kernels/format/float_text.h"

namespace strider::nd::format {
namespace {

class BoolPrinter final : public ElementPrinter {
 public:
  explicit BoolPrinter(bool padded) : padded_(padded) {}
  void append(std::string& text, const void* element) const override {
    if (*static_cast<const unsigned char*>(element))  // one that nobody has written may hold any
      text += padded_ ? " True" : "True";
    else
      text += "False";
  }

 private:
  bool padded_;
};

class UserPrinter final : public ElementPrinter {
 public:
  UserPrinter(DType dtype, ElementFormatter* formatter) : dtype_(dtype), formatter_(formatter) {}
  void append(std::string& text, const void* element) const override {
    text += formatter_->format(Scalar(dtype_, element));
  }

 private:
  DType dtype_;
  ElementFormatter* formatter_;
};

template <class T>
std::size_t decimal_width(T value) {
  char text[24];
  return static_cast<std::size_t>(std::to_chars(text, text + sizeof text, value).ptr - text);
}

template <class T>
class IntegerPrinter final : public ElementPrinter {
 public:
  IntegerPrinter(const T* values, std::int64_t count, char sign) : sign_(sign) {
    if (count == 0) return;
    auto [low, high] = std::minmax_element(values, values + count);
    if (sign_ == ' ' && *low < 0) sign_ = '-';
    std::size_t high_width = decimal_width(*high);
    if (*high >= 0 && sign_ != '-') ++high_width;
    width_ = std::max(high_width, decimal_width(*low));
  }
  void append(std::string& text, const void* element) const override {
    T value = *static_cast<const T*>(element);
    char digits[24];
    char* begin = digits + 1;
    char* end = std::to_chars(begin, digits + sizeof digits, value).ptr;
    if (value >= 0 && sign_ != '-') *--begin = sign_;
    std::size_t length = static_cast<std::size_t>(end - begin);
    if (length < width_) text.append(width_ - length, ' ');
    text.append(begin, length);
  }

 private:
  char sign_;
  std::size_t width_ = 0;
};

double as_double(double value) { return value; }
double as_double(float value) { return static_cast<double>(value); }
double as_double(Half value) { return static_cast<double>(static_cast<float>(value)); }

// Where the type's own precision makes large numbers switch to exponents.
template <class T>
constexpr double kExponentCutoff = 1e8;
template <>
constexpr double kExponentCutoff<float> = 1e6;
template <>
constexpr double kExponentCutoff<Half> = 1e3;

// Rounds to T's own precision, as comparisons within that type see it.
template <class T>
double rounded_to(double value) {
  if constexpr (std::is_same_v<T, double>)
    return value;
  else
    return as_double(T(static_cast<float>(value)));
}

// The text of numbers of one array: one form, one precision, aligned points.
template <class T>
class FloatLayout {
 public:
  // `values` steps by `step` elements (the parts of complex numbers lie interleaved).
  FloatLayout(const T* values, std::int64_t count, int step, const PrintOptions& options, char sign,
              FloatMode mode)
      : options_(options),
        mode_(mode),
        old_(options.manner == Manner::k1_13),
        sign_(old_ && sign == '-' ? ' ' : sign) {
    survey(values, count, step);
    format_.sign = sign == '+';
    format_.precision = mode == FloatMode::kUnique ? -1 : options.precision;
    if (finite_count_ == 0) {
      pad_left_ = pad_right_ = 0;
    } else if (exponential_) {
      fit_scientific(values, count, step);
    } else {
      fit_positional(values, count, step);
    }
    if (sign == ' ' && !any_negative_ && !old_) ++pad_left_;
    if (finite_count_ != count) make_room_for_specials();
    format_.pad_left = pad_left_;
  }

  std::string text(T value) const {
    Real number{as_double(value), dtype_of<T>};
    if (number.float_class() != FloatClass::kFinite) return special(number);
    return exponential_ ? scientific_text(number, format_) : positional_text(number, format_);
  }

 private:
  void survey(const T* values, std::int64_t count, int step) {
    double high = 0, low = std::numeric_limits<double>::infinity();
    for (std::int64_t i = 0; i < count; ++i) {
      double value = as_double(values[i * step]);
      if (std::isinf(value) && value < 0) negative_infinity_ = true;
      if (!std::isfinite(value)) continue;
      ++finite_count_;
      any_negative_ |= std::signbit(value);
      double magnitude = std::fabs(value);
      if (magnitude == 0) continue;
      high = std::max(high, magnitude);
      low = std::min(low, magnitude);
    }
    if (high == 0) return;
    bool wide = low < rounded_to<T>(0.0001) || rounded_to<T>(high / low) > 1000.0;
    double cutoff = options_.manner == Manner::kCurrent ? kExponentCutoff<T> : 1e8;
    exponential_ = high >= cutoff || (!options_.suppress && wide);
  }

  template <class F>
  void each_finite(const T* values, std::int64_t count, int step, F&& visit) {
    for (std::int64_t i = 0; i < count; ++i) {
      Real number{as_double(values[i * step]), dtype_of<T>};
      if (number.float_class() == FloatClass::kFinite) visit(number);
    }
  }

  void set_trial() {
    bool fixed = mode_ == FloatMode::kFixed || (old_ && exponential_);
    format_.trim = fixed ? Trim::kKeep : Trim::kPoint;
    format_.unique = !fixed;
  }

  void fit_scientific(const T* values, std::int64_t count, int step) {
    set_trial();
    int whole = 0, fraction = 0, exponent_digits = 0;
    each_finite(values, count, step, [&](const Real& number) {
      std::string text = scientific_text(number, format_);
      int point = static_cast<int>(text.find('.'));
      int e = static_cast<int>(text.find('e'));
      whole = std::max(whole, point);
      fraction = std::max(fraction, e - point - 1);
      exponent_digits = std::max(exponent_digits, static_cast<int>(text.size()) - e - 2);
    });
    format_.trim = Trim::kKeep;
    format_.precision = format_.min_digits = fraction;
    format_.exp_digits = exponent_digits;
    pad_left_ = old_ ? 3 : whole;  // the sign, and a blank before it
    pad_right_ = exponent_digits + 2 + fraction;
  }

  void fit_positional(const T* values, std::int64_t count, int step) {
    set_trial();
    int whole = 0, fraction = 0;
    each_finite(values, count, step, [&](const Real& number) {
      std::string text = positional_text(number, format_);
      int point = static_cast<int>(text.find('.'));
      int sign = text[0] == '-' || text[0] == '+';
      whole = std::max(whole, old_ ? point - sign + 1 : point);
      fraction = std::max(fraction, static_cast<int>(text.size()) - point - 1);
    });
    pad_left_ = whole;
    pad_right_ = fraction;
    format_.pad_right = fraction;
    bool equal = mode_ == FloatMode::kFixed || mode_ == FloatMode::kMaxprecEqual;
    if (equal) format_.precision = fraction;
    format_.min_digits = equal ? fraction : 0;
    format_.trim = equal ? Trim::kKeep : Trim::kPoint;
  }

  void make_room_for_specials() {
    int offset = pad_right_ + 1;
    int inf_sign = sign_ != '-' || negative_infinity_;
    pad_left_ = std::max({pad_left_, static_cast<int>(options_.nan_text.size()) - offset,
                          static_cast<int>(options_.inf_text.size()) + inf_sign - offset});
  }

  std::string special(const Real& number) const {
    bool is_nan = number.float_class() == FloatClass::kNan;
    std::string text = is_nan ? options_.nan_text : options_.inf_text;
    if (!is_nan && number.negative())
      text.insert(0, 1, '-');
    else if (sign_ == '+')
      text.insert(0, 1, '+');
    int width = pad_left_ + pad_right_ + 1;
    int length = static_cast<int>(text.size());
    if (length < width) text.insert(0, static_cast<std::size_t>(width - length), ' ');
    return text;
  }

  const PrintOptions& options_;
  FloatMode mode_;
  bool old_;  // as NumPy 1.13: room for a sign always, exponents with all digits
  char sign_;
  FloatFormat format_;
  bool exponential_ = false;
  bool any_negative_ = false;
  bool negative_infinity_ = false;
  std::int64_t finite_count_ = 0;
  int pad_left_ = 0;
  int pad_right_ = 0;
};

template <class T>
class FloatPrinter final : public ElementPrinter {
 public:
  FloatPrinter(const T* values, std::int64_t count, const PrintOptions& options)
      : layout_(values, count, 1, options, options.sign, options.float_mode) {}
  void append(std::string& text, const void* element) const override {
    text += layout_.text(*static_cast<const T*>(element));
  }

 private:
  FloatLayout<T> layout_;
};

template <class T>
class ComplexPrinter final : public ElementPrinter {
 public:
  ComplexPrinter(const T* parts, std::int64_t count, const PrintOptions& options)
      : real_(parts, count, 2, options, options.sign, real_mode(options)),
        imag_(parts + 1, count, 2, options, '+', imaginary_mode(options)) {}
  void append(std::string& text, const void* element) const override {
    const T* parts = static_cast<const T*>(element);
    text += real_.text(parts[0]);
    std::string imaginary = imag_.text(parts[1]);
    std::size_t end = imaginary.find_last_not_of(' ') + 1;
    imaginary.insert(end, 1, 'j');
    text += imaginary;
  }

 private:
  static FloatMode real_mode(const PrintOptions& options) {
    return options.manner == Manner::k1_13 ? FloatMode::kMaxprecEqual : options.float_mode;
  }
  static FloatMode imaginary_mode(const PrintOptions& options) {
    return options.manner == Manner::k1_13 ? FloatMode::kMaxprec : options.float_mode;
  }
  FloatLayout<T> real_;
  FloatLayout<T> imag_;
};

ElementFormatter* user_formatter(DType dtype, const PrintOptions& options) {
  switch (category(dtype)) {
    case Category::kBoolean:
      return options.bool_formatter;
    case Category::kUnsigned:
    case Category::kSigned:
      return options.integer_formatter;
    case Category::kFloating:
      return options.float_formatter;
    case Category::kComplex:
      return options.complex_formatter;
  }
  return nullptr;
}

template <class T>
struct PrinterFor {
  static std::unique_ptr<ElementPrinter> make(const Array& a, const PrintOptions& options) {
    return std::make_unique<IntegerPrinter<T>>(a.as<T>(), a.size(), options.sign);
  }
};
template <>
struct PrinterFor<bool> {
  static std::unique_ptr<ElementPrinter> make(const Array& a, const PrintOptions&) {
    return std::make_unique<BoolPrinter>(a.rank() > 0);
  }
};
template <class T>
struct FloatPrinterFor {
  static std::unique_ptr<ElementPrinter> make(const Array& a, const PrintOptions& options) {
    return std::make_unique<FloatPrinter<T>>(a.as<T>(), a.size(), options);
  }
};
template <>
struct PrinterFor<double> : FloatPrinterFor<double> {};
template <>
struct PrinterFor<float> : FloatPrinterFor<float> {};
template <>
struct PrinterFor<Half> : FloatPrinterFor<Half> {};
template <class T>
struct PrinterFor<std::complex<T>> {
  static std::unique_ptr<ElementPrinter> make(const Array& a, const PrintOptions& options) {
    return std::make_unique<ComplexPrinter<T>>(reinterpret_cast<const T*>(a.data()), a.size(),
                                               options);
  }
};

}  // namespace

std::unique_ptr<ElementPrinter> make_printer(const Array& visible, const PrintOptions& options) {
  if (ElementFormatter* formatter = user_formatter(visible.dtype(), options))
    return std::make_unique<UserPrinter>(visible.dtype(), formatter);
  return dispatch(visible.dtype(),
                  [&](auto zero) { return PrinterFor<decltype(zero)>::make(visible, options); });
}

}  // namespace strider::nd::format
