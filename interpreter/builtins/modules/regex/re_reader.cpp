// The structure of regular expressions: alternatives, items, quantifiers, groups.
#include "interpreter/builtins/modules/regex/re_reader.h"

#include <fmt/format.h>

#include <utility>

#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/types/text/str.h"
#include "interpreter/types/text/unicode.h"

namespace strider::lang {
namespace {

bool is_digit_character(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::uint32_t flag_of(char letter) {
  switch (letter) {
    case 'a':
      return kAscii;
    case 'i':
      return kIgnoreCase;
    case 'L':
      return kLocale;
    case 'm':
      return kMultiLine;
    case 's':
      return kDotAll;
    case 'u':
      return kUnicode;
    case 'x':
      return kVerbose;
    default:
      return 0;
  }
}

}  // namespace

void RegexReader::fail(std::string_view message, std::size_t place) const {
  raise_regex_error(message, text_, place, bytes_);
}

std::int64_t RegexReader::position_of(std::size_t place) const {
  std::string_view before = text_.substr(0, place);
  return bytes_ ? static_cast<std::int64_t>(before.size()) : count_code_points(before);
}

bool RegexReader::accept(char c) {
  if (ended() || text_[place_] != c) return false;
  ++place_;
  return true;
}

TranslatedRegex RegexReader::translate() {
  read_alternatives(0, false);
  if (!ended()) fail("unbalanced parenthesis", place_);
  for (const auto& [number, place] : references_)
    if (number >= names_.size()) fail(fmt::format("invalid group reference {}", number), place);
  if (!bytes_ && !(flags_ & kAscii)) flags_ |= kUnicode;
  std::uint32_t spelled = spells_ ? flags_ & ~kAscii : flags_;
  return {std::move(out_), {}, flags_, spelled, std::move(names_), std::move(parents_)};
}

// White space and comments of a verbose expression; true if there were any.
bool RegexReader::skip_verbose() {
  if (!(flags_ & kVerbose) || ended()) return false;
  char c = peek();
  if (std::string_view(" \t\n\r\f\v").find(c) != std::string_view::npos) {
    ++place_;
    return true;
  }
  if (c != '#') return false;
  while (!ended() && peek() != '\n') ++place_;
  return true;
}

void RegexReader::read_alternatives(std::size_t opened, bool inside) {
  check_stack("maximum recursion depth exceeded during compilation");
  bool two_branches = std::exchange(conditional_, false);
  int branches = 1;
  Item before = Item::kNone;
  std::size_t begin = out_.size();
  for (;;) {
    if (skip_verbose()) continue;
    if (ended()) {
      if (inside) fail("missing ), unterminated subpattern", opened);
      return;
    }
    char c = peek();
    if (c == ')') return;
    if (c == '|') {
      if (two_branches && ++branches > 2)
        fail("conditional backref with more than two branches", place_);
      ++place_;
      out_ += '|';
      before = Item::kNone;
      continue;
    }
    bool quantifier = c == '*' || c == '+' || c == '?';
    if (quantifier || c == '{') {
      std::size_t place = place_;
      read_quantifier(c, before, begin);
      bool literal = !quantifier && place_ == place + 1;
      before = literal ? Item::kPlain : Item::kQuantified;
      if (literal) begin = out_.size() - 2;
      continue;
    }
    std::size_t start = out_.size();
    Item item = read_item(start);
    if (item == Item::kNothing) continue;
    begin = start;
    before = item;
  }
}

RegexReader::Item RegexReader::read_item(std::size_t) {
  char c = peek();
  switch (c) {
    case '(':
      return read_group();
    case '[':
      read_class();
      return Item::kPlain;
    case '\\':
      return read_escape();
    case '^':
      ++place_;
      out_ += "^";
      return Item::kAssertion;
    case '$':
      ++place_;
      out_ += "$";
      return Item::kAssertion;
    case '.':
      ++place_;
      out_ += c;
      return Item::kPlain;
    default:
      write_literal(take_character());
      return Item::kPlain;
  }
}

// {m}, {m,}, {,n} or {m,n}; false, and nothing read, if the brace stands for itself.
bool RegexReader::read_braces(std::string& written, std::size_t begin) {
  std::size_t end = place_ + 1;
  auto digits = [&] {
    std::string number;
    while (end < text_.size() && is_digit_character(text_[end])) number += text_[end++];
    return number;
  };
  std::string least = digits(), most = least;
  if (end < text_.size() && text_[end] == ',') {
    ++end;
    most = digits();
  } else if (least.empty()) {
    return false;
  }
  if (end >= text_.size() || text_[end] != '}') return false;
  bool unlimited = most.empty();
  for (const std::string& number : {least, most})
    if (number.size() > 9) raise(errors::OverflowError, "the repetition number is too large");
  if (!least.empty() && !unlimited && std::stol(least) > std::stol(most))
    fail("min repeat greater than max repeat", begin + 1);
  if ((!least.empty() && std::stol(least) > 65535) || (!unlimited && std::stol(most) > 65535))
    fail("the repetition number is too large: at most 65535 is supported", begin);
  written = fmt::format("{{{},{}}}", least.empty() ? "0" : least, most);
  place_ = end + 1;
  return true;
}

void RegexReader::read_quantifier(char first, Item before, std::size_t) {
  std::size_t here = place_;
  std::string written(1, first);
  if (first == '{') {
    if (!read_braces(written, here)) {
      ++place_;
      out_ += "\\{";
      return;
    }
  } else {
    ++place_;
  }
  if (before == Item::kNone || before == Item::kAssertion) fail("nothing to repeat", here);
  if (before == Item::kQuantified) fail("multiple repeat", here);
  if (accept('?'))
    written += '?';
  else if (accept('+'))
    written += '+';
  out_ += written;
}

// --- Groups ---

RegexReader::Item RegexReader::read_group() {
  std::size_t begin = place_++;
  if (accept('?')) return read_extension(begin);
  open_group("(", "", begin);
  return Item::kPlain;
}

// A capturing group up to its closing bracket.
void RegexReader::open_group(std::string_view head, std::string name, std::size_t begin) {
  std::size_t number = names_.size();
  names_.push_back(std::move(name));
  parents_.push_back(parent_);
  closed_.push_back(false);
  std::size_t outer = parent_;
  parent_ = number;
  read_body(head, begin);
  parent_ = outer;
  closed_[number] = true;
}

void RegexReader::read_body(std::string_view head, std::size_t begin) {
  std::uint32_t flags = flags_;
  out_ += head;
  ++depth_;
  read_alternatives(begin, true);
  --depth_;
  ++place_;
  out_ += ')';
  flags_ = flags;
}

RegexReader::Item RegexReader::read_behind(std::size_t begin) {
  std::size_t outer = behind_;
  if (!outer) behind_ = names_.size();
  read_body(text_[place_++] == '=' ? "(?<=" : "(?<!", begin);
  behind_ = outer;
  return Item::kPlain;
}

// A look-behind knows no groups that are still open, and none of its own.
void RegexReader::check_behind(std::size_t number) const {
  if (!behind_) return;
  if (number >= names_.size() || !closed_[number]) fail("cannot refer to an open group", place_);
  if (number >= behind_)
    fail("cannot refer to group defined in the same lookbehind subpattern", place_);
}

RegexReader::Item RegexReader::read_extension(std::size_t begin) {
  if (ended()) fail("unexpected end of pattern", place_);
  char c = peek();
  switch (c) {
    case ':':
    case '>':
      ++place_;
      read_body(c == ':' ? "(?:" : "(?>", begin);
      return Item::kPlain;
    case '=':
    case '!':
      ++place_;
      read_body(c == '=' ? "(?=" : "(?!", begin);
      return Item::kPlain;
    case '<':
      ++place_;
      if (ended()) fail("unexpected end of pattern", place_);
      if (peek() != '=' && peek() != '!')
        fail(fmt::format("unknown extension ?<{}", peek()), begin + 1);
      return read_behind(begin);
    case '#':
      while (!ended() && peek() != ')') ++place_;
      if (ended()) fail("missing ), unterminated comment", begin);
      ++place_;
      return Item::kNothing;
    case 'P':
      ++place_;
      return read_named(begin);
    case '(':
      ++place_;
      return read_conditional(begin);
    default:
      if (flag_of(c) || c == '-') return read_flag_group(begin);
      fail(fmt::format("unknown extension ?{}", c), begin + 1);
  }
}

std::string RegexReader::read_group_name(char end, std::size_t& name_place) {
  name_place = place_;
  std::size_t stop = text_.find(end, place_);
  if (stop == text_.npos) {
    if (ended()) fail("missing group name", place_);
    fail(fmt::format("missing {}, unterminated name", end), place_);
  }
  std::string name(text_.substr(place_, stop - place_));
  if (name.empty()) fail("missing group name", place_);
  place_ = stop + 1;
  return name;
}

bool is_group_name(std::string_view name) {
  std::size_t offset = 0;
  for (bool first = true; offset < name.size(); first = false) {
    char32_t code = decode_code_point(name, offset);
    if (!(first ? is_identifier_start(code) : is_identifier_part(code))) return false;
  }
  return !name.empty();
}

std::size_t RegexReader::find_group(std::string_view name, std::size_t place) const {
  for (std::size_t i = 1; i < names_.size(); ++i)
    if (names_[i] == name) return i;
  fail(fmt::format("unknown group name {}", quote(name)), place);
}

// (?P<name>…) and (?P=name).
RegexReader::Item RegexReader::read_named(std::size_t begin) {
  std::size_t name_place;
  if (accept('<')) {
    std::string name = read_group_name('>', name_place);
    if (!is_group_name(name))
      fail(fmt::format("bad character in group name {}", quote(name)), name_place);
    for (std::size_t i = 1; i < names_.size(); ++i)
      if (names_[i] == name)
        fail(fmt::format("redefinition of group name {} as group {}; was group {}", quote(name),
                         names_.size(), i),
             name_place);
    open_group("(", std::move(name), begin);
    return Item::kPlain;
  }
  if (accept('=')) {
    std::string name = read_group_name(')', name_place);
    if (!is_group_name(name))
      fail(fmt::format("bad character in group name {}", quote(name)), name_place);
    std::size_t number = find_group(name, name_place);
    if (!closed_[number]) fail("cannot refer to an open group", name_place);
    check_behind(number);
    out_ += fmt::format("\\g{{{}}}", number);
    return Item::kPlain;
  }
  if (ended()) fail("unexpected end of pattern", place_);
  fail(fmt::format("unknown extension ?P{}", peek()), begin + 1);
}

// (?(group)yes|no).
RegexReader::Item RegexReader::read_conditional(std::size_t begin) {
  std::size_t name_place;
  std::string name = read_group_name(')', name_place);
  std::size_t number;
  if (is_group_name(name)) {
    number = find_group(name, name_place);
  } else {
    number = read_group_number(name, name_place);
    if (number == 0) fail("bad group number", name_place);
    references_.emplace_back(number, name_place);
  }
  check_behind(number);
  conditional_ = true;
  read_body(fmt::format("(?({})", number), begin);
  return Item::kPlain;
}

std::size_t RegexReader::read_group_number(const std::string& name, std::size_t place) const {
  return group_by_number(name, text_, place, bytes_, !spells_ && !folds_);
}

// A letter's flag, which was read; another character is no flag, or where one is missing.
std::uint32_t RegexReader::read_flag(const char* missing) {
  if (ended()) fail(missing, place_);
  std::uint32_t flag = flag_of(peek());
  if (!flag) fail(is_letter(peek()) ? "unknown flag" : missing, place_);
  ++place_;
  return flag;
}

std::uint32_t RegexReader::read_flags_on() {
  constexpr std::uint32_t kCategories = kAscii | kUnicode | kLocale;
  std::uint32_t flags = 0;
  while (ended() || std::string_view(")-:").find(peek()) == std::string_view::npos) {
    std::uint32_t flag = read_flag("missing -, : or )");
    if (!bytes_ && flag == kLocale)
      fail("bad inline flags: cannot use 'L' flag with a str pattern", place_);
    if (bytes_ && flag == kUnicode)
      fail("bad inline flags: cannot use 'u' flag with a bytes pattern", place_);
    flags |= flag;
    if ((flag & kCategories) && (flags & kCategories) != flag)
      fail("bad inline flags: flags 'a', 'u' and 'L' are incompatible", place_);
  }
  return flags;
}

std::uint32_t RegexReader::read_flags_off() {
  std::uint32_t flags = 0;
  const char* missing = "missing flag";
  do {
    std::uint32_t flag = read_flag(missing);
    if (flag & (kAscii | kUnicode | kLocale))
      fail("bad inline flags: cannot turn off flags 'a', 'u' and 'L'", place_);
    flags |= flag;
    missing = "missing :";
  } while (ended() || peek() != ':');
  return flags;
}

// (?flags), which may only stand before everything else.
void RegexReader::set_global_flags(std::uint32_t flags, std::size_t begin) {
  ++place_;
  if (depth_ || !out_.empty()) fail("global flags not at the start of the expression", begin);
  flags_ |= flags;
  check_flags(flags_, bytes_);
}

// The flags inside a group that turns some on, as far as they say what the categories are.
std::uint32_t RegexReader::changed_categories(std::uint32_t on) {
  constexpr std::uint32_t kCategories = kAscii | kUnicode | kLocale;
  std::uint32_t chosen = on & kCategories;
  if (bytes_ || !chosen) return flags_;
  mixed_ |= (chosen == kAscii) != ((flags_ & kAscii) != 0);
  return (flags_ & ~kCategories) | chosen;
}

// (?flags-flags:…).
RegexReader::Item RegexReader::read_flag_group(std::size_t begin) {
  std::uint32_t on = read_flags_on(), off = 0;
  if (peek() == ')') {
    set_global_flags(on, begin);
    return Item::kNothing;
  }
  if (accept('-')) off = read_flags_off();
  ++place_;
  if (on & off) fail("bad inline flags: flag turned on and off", place_ - 1);
  std::uint32_t inside = changed_categories(on);
  std::string letters, less;
  for (auto [flag, letter] : {std::pair{kIgnoreCase, 'i'}, {kMultiLine, 'm'}, {kDotAll, 's'}}) {
    if (on & flag) letters += letter;
    if (off & flag) less += letter;
  }
  std::uint32_t before = flags_;
  constexpr std::uint32_t kHere = kVerbose | kIgnoreCase;
  flags_ = (inside | (on & kHere)) & ~(off & kHere);
  std::string head = "(?" + letters + (less.empty() ? "" : "-" + less) + ":";
  out_ += head;
  ++depth_;
  read_alternatives(begin, true);
  --depth_;
  ++place_;
  out_ += ')';
  flags_ = before;
  return Item::kPlain;
}

}  // namespace strider::lang
