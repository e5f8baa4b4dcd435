// The common formats of strptime: numbers between other characters. Where a number could end in
// several places, it is as long as it can be; a text that only fits otherwise is left to _strptime.
#include "interpreter/builtins/modules/dates/format.h"

namespace strider::lang {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The digits that a code takes: at least, at most, and up to which number.
struct NumberRule {
  char code;
  int fewest, digits, least, most;
};

constexpr NumberRule kRules[] = {{'Y', 4, 4, 0, 9999},  {'m', 1, 2, 1, 12}, {'d', 1, 2, 1, 31},
                                 {'H', 1, 2, 0, 23},    {'M', 1, 2, 0, 59}, {'S', 1, 2, 0, 61},
                                 {'f', 1, 6, 0, 999999}};

class FormatReader {
 public:
  FormatReader(std::string_view text, CalendarDay& day, Clock& clock)
      : text_(text), day_(day), clock_(clock) {}

  bool read(std::string_view format) {
    for (std::size_t i = 0; i < format.size(); ++i) {
      if (format[i] == '%') {
        if (++i == format.size() || !read_code(format[i])) return false;
      } else if (is_space(format[i])) {
        while (i + 1 < format.size() && is_space(format[i + 1])) ++i;
        if (!skip_spaces()) return false;
      } else if (at_ == text_.size() || text_[at_++] != format[i]) {
        return false;
      }
    }
    return at_ == text_.size() && has_year_;
  }

 private:
  bool skip_spaces() {
    std::size_t before = at_;
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    return at_ > before;
  }

  bool read_code(char code) {
    for (const NumberRule& rule : kRules)
      if (rule.code == code) return read_number(rule);
    return false;
  }

  bool read_number(const NumberRule& rule) {
    std::uint64_t bit = std::uint64_t{1} << (rule.code - '@');
    if (seen_ & bit) return false;
    seen_ |= bit;
    int number = 0, count = 0;
    for (; count < rule.digits && at_ < text_.size() && is_digit(text_[at_]); ++count) {
      int next = number * 10 + (text_[at_] - '0');
      if (next > rule.most) break;
      number = next;
      ++at_;
    }
    if (count < rule.fewest || number < rule.least) return false;
    put(rule.code, number, count);
    return true;
  }

  void put(char code, int number, int digits) {
    switch (code) {
      case 'Y':
        has_year_ = true;
        day_.year = number;
        break;
      case 'm':
        day_.month = number;
        break;
      case 'd':
        day_.day = number;
        break;
      case 'H':
        clock_.hour = number;
        break;
      case 'M':
        clock_.minute = number;
        break;
      case 'S':
        clock_.second = number;
        break;
      default:
        for (; digits < 6; ++digits) number *= 10;
        clock_.microsecond = number;
    }
  }

  std::string_view text_;
  CalendarDay& day_;
  Clock& clock_;
  std::size_t at_ = 0;
  std::uint64_t seen_ = 0;
  bool has_year_ = false;
};

}  // namespace

bool read_by_format(std::string_view text, std::string_view format, CalendarDay& day,
                    Clock& clock) {
  return FormatReader(text, day, clock).read(format);
}

}  // namespace strider::lang
