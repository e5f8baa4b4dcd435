// The reader behind translate_regex: a recursive walk over a Python regular expression.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/builtins/modules/regex/re_translate.h"

namespace strider::lang {

class RegexReader {
 public:
  // `spells`: where the categories are those of ASCII, they are written out. `folds`: so are the
  // cases of letters that PCRE2 knows otherwise: dotted and dotless i, and what is beyond ASCII
  // where only the letters of ASCII have cases.
  RegexReader(std::string_view pattern, std::uint32_t flags, bool bytes, bool spells = false,
              bool folds = false)
      : text_(pattern), flags_(flags), bytes_(bytes), spells_(spells), folds_(folds) {}
  TranslatedRegex translate();
  // Whether parts have other categories than the whole, by (?a:…) or (?u:…).
  bool is_mixed() const { return mixed_; }
  // Whether there are cases of letters to be written out.
  bool needs_folding() const { return needs_folding_; }

 private:
  // What was read, for quantifiers behind it; kNothing: a comment, or flags, so they are of what is
  // before.
  enum class Item { kNone, kPlain, kQuantified, kAssertion, kNothing };

  [[noreturn]] void fail(std::string_view message, std::size_t place) const;
  // How many characters stand before a place.
  std::int64_t position_of(std::size_t place) const;
  bool ended() const { return place_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const {
    return place_ + ahead < text_.size() ? text_[place_ + ahead] : '\0';
  }
  bool accept(char c);
  void read_alternatives(std::size_t opened, bool inside);
  Item read_item(std::size_t begin);
  void read_quantifier(char first, Item before, std::size_t begin);
  bool read_braces(std::string& written, std::size_t begin);
  bool skip_verbose();

  Item read_group();
  Item read_extension(std::size_t begin);
  Item read_named(std::size_t begin);
  Item read_conditional(std::size_t begin);
  std::size_t read_group_number(const std::string& name, std::size_t place) const;
  Item read_behind(std::size_t begin);
  Item read_flag_group(std::size_t begin);
  // The flags at this place up to what ends them; `missing` is said of what is no letter.
  std::uint32_t read_flags_on();
  std::uint32_t read_flags_off();
  std::uint32_t read_flag(const char* missing);
  void set_global_flags(std::uint32_t flags, std::size_t begin);
  std::uint32_t changed_categories(std::uint32_t on);
  void check_behind(std::size_t number) const;
  void open_group(std::string_view head, std::string name, std::size_t begin);
  void read_body(std::string_view head, std::size_t begin);
  std::string read_group_name(char end, std::size_t& name_place);
  std::size_t find_group(std::string_view name, std::size_t place) const;

  Item read_escape();
  void write_category(std::string& out, char letter, bool in_class) const;
  void read_class();
  void warn_of_set(std::string_view kind, std::size_t place) const;
  void warn_of_operation() const;
  // One member of a class: its code, or -1 for a category; written to `out`.
  std::int64_t read_class_member(std::string& out, std::size_t begin);
  std::int64_t read_code_escape(char letter, std::size_t begin);
  std::int64_t read_hex(std::size_t digits, std::size_t begin);
  std::int64_t read_named_character(std::size_t begin);
  void read_number_escape(std::size_t begin);
  void write_code(std::string& out, std::int64_t code) const;
  void write_literal(std::int64_t code);
  // The other cases of the characters from low to high, as members of a class.
  std::string other_cases(std::int64_t low, std::int64_t high) const;
  bool ignores_case() const { return !bytes_ && (flags_ & kIgnoreCase); }
  std::int64_t take_character();
  std::string quoted_escape(std::size_t begin) const;

  std::string_view text_;
  std::size_t place_ = 0;
  std::uint32_t flags_;
  bool bytes_;
  bool spells_, folds_;
  bool mixed_ = false, needs_folding_ = false;
  bool conditional_ = false;  // what is read next are the branches of a condition
  int depth_ = 0;             // how many groups are around
  std::size_t parent_ = 0;    // the group being read
  std::size_t behind_ = 0;    // inside a look-behind: the first group that it defines, or would
  std::string out_;
  std::vector<std::string> names_{""};
  std::vector<std::size_t> parents_{0};
  std::vector<bool> closed_{false};
  std::vector<std::pair<std::size_t, std::size_t>> references_;  // of conditions: group, place
};

}  // namespace strider::lang
