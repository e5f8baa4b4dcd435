// Compiled regular expressions and their matches. The matching itself is PCRE2's.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/builtins/modules/regex/re_translate.h"
#include "interpreter/runtime/type/type.h"
#include "interpreter/types/text/str.h"

struct pcre2_real_code_8;
struct pcre2_real_match_data_8;

namespace strider::lang {

enum class MatchKind : std::uint8_t { kSearch, kMatch, kFullMatch };

// The subject of a search: its bytes, and how byte offsets are counted as characters.
struct Subject {
  Value value;            // str or bytes-like
  std::string_view text;  // its bytes
  bool is_text = false;
  bool ascii = false;  // offsets are the same in bytes and characters
};

// Byte offsets of the groups of one match; npos: did not take part.
using Spans = std::vector<std::size_t>;

class Pattern : public Object {
 public:
  Pattern(const Value& source, TranslatedRegex translated);
  ~Pattern() override;
  static Type& type_object();

  // Looks for a match from byte `start` on, in the text up to byte `stop`. `not_empty`: an empty
  // match at `start` itself does not count.
  bool find(const Subject& subject, std::size_t start, std::size_t stop, MatchKind kind,
            bool not_empty, Spans& spans);
  // The subject of a search in `value`; TypeError if it does not fit the pattern.
  Subject subject_of(const Value& value) const;

  const Value& source() const { return source_; }
  bool is_bytes() const { return bytes_; }
  std::uint32_t flags() const { return translated_.flags; }
  std::size_t group_count() const { return translated_.names.size() - 1; }
  const std::vector<std::string>& names() const { return translated_.names; }
  // Whether group `outer` is around group `inner`.
  bool is_inside(std::size_t inner, std::size_t outer) const;
  // The number of a group given as number or name, or npos.
  std::size_t group_number(const Value& key) const;
  // The names and numbers of the named groups.
  Value group_index() const;

 private:
  pcre2_real_code_8* code_for(bool unicode, MatchKind kind);
  pcre2_real_code_8* compile(bool unicode, MatchKind kind) const;

  Value source_;
  bool bytes_;
  TranslatedRegex translated_;
  pcre2_real_code_8* codes_[2][3] = {};  // by unicode and kind; compiled when first used
  pcre2_real_match_data_8* data_ = nullptr;
};

class Match : public Object {
 public:
  Match(const Ref<Pattern>& pattern, Subject subject, Spans spans, std::size_t start,
        std::size_t stop);
  static Type& type_object();

  const Pattern& pattern() const { return *pattern_; }
  const Ref<Pattern>& pattern_ref() const { return pattern_; }
  const Subject& subject() const { return subject_; }
  // The text of a group; `absent` if it did not take part.
  Value group(std::size_t number, const Value& absent) const;
  bool has(std::size_t number) const { return spans_[2 * number] != std::string_view::npos; }
  // Where a group begins and ends, in characters; -1 if it did not take part.
  std::int64_t start(std::size_t number) const { return position(spans_[2 * number]); }
  std::int64_t end(std::size_t number) const { return position(spans_[2 * number + 1]); }
  // The group closed last, or 0.
  std::size_t last_index() const;
  std::int64_t position(std::size_t offset) const;
  const Spans& spans() const { return spans_; }
  std::size_t search_start, search_stop;

 private:
  Ref<Pattern> pattern_;
  Subject subject_;
  Spans spans_;
};

// Walks the matches of a pattern from left to right, as finditer, findall, sub and split do.
class Scanner {
 public:
  Scanner(Pattern& pattern, const Subject& subject, std::size_t start, std::size_t stop)
      : pattern_(pattern), subject_(subject), next_(start), stop_(stop) {}
  bool advance(Spans& spans);

 private:
  Pattern& pattern_;
  const Subject& subject_;
  std::size_t next_, stop_;
  bool after_empty_ = false, ended_ = false;
};

// A part of the subject as str or bytes.
Value make_part(const Subject& subject, std::size_t start, std::size_t stop);
// The pattern of re.compile(pattern, flags), from the module's cache if it is there.
Ref<Pattern> compile_pattern(const Value& pattern, const Value& flags);
// The byte range meant by pos and endpos.
struct SearchWindow {
  std::size_t start, stop;
};
SearchWindow search_window(const Subject& subject, const Value& start, const Value& stop);

// A replacement template such as r"\1-\g<name>", read once.
class Replacement {
 public:
  Replacement(const Pattern& pattern, const Value& replacement);
  // Appends what replaces a match.
  void append(std::string& text, const Ref<Pattern>& pattern, const Subject& subject,
              const Spans& spans, SearchWindow window) const;

 private:
  struct Piece {
    std::string text;
    std::size_t group;  // npos: only text
  };
  void read(const Pattern& pattern, std::string_view text, bool bytes);
  std::vector<Piece> pieces_;
  Value function_;  // called with the match, if not Empty
};

extern const NativeRow kPatternMethods[];
extern const std::size_t kPatternMethodCount;

}  // namespace strider::lang
