// Patterns as objects: match, search, findall, finditer, sub, split.
#include <algorithm>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/regex/re_pattern.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/mapping_proxy.h"
#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

Pattern& pattern_of(const Value& self) { return *self.as<Pattern>(); }

template <MatchKind kKind>
Value find_one(const Parameters& p) {
  Pattern& pattern = pattern_of(p[0]);
  Subject subject = pattern.subject_of(p[1]);
  SearchWindow window = search_window(subject, p[2], p[3]);
  Spans spans;
  if (!pattern.find(subject, window.start, window.stop, kKind, false, spans)) return Value::none();
  return make<Match>(Ref<Pattern>(&pattern), std::move(subject), std::move(spans), window.start,
                     window.stop);
}

Value group_or_empty(const Subject& subject, const Spans& spans, std::size_t group) {
  if (spans[2 * group] == std::string::npos) return make_part(subject, 0, 0);
  return make_part(subject, spans[2 * group], spans[2 * group + 1]);
}

Value pattern_findall(const Parameters& p) {
  Pattern& pattern = pattern_of(p[0]);
  Subject subject = pattern.subject_of(p[1]);
  SearchWindow window = search_window(subject, p[2], p[3]);
  Scanner scanner(pattern, subject, window.start, window.stop);
  std::size_t groups = pattern.group_count();
  Ref<List> found = make_list();
  Spans spans;
  while (scanner.advance(spans)) {
    if (groups <= 1) {
      found->items.push_back(group_or_empty(subject, spans, groups));
      continue;
    }
    Values row;
    row.reserve(groups);
    for (std::size_t i = 1; i <= groups; ++i) row.push_back(group_or_empty(subject, spans, i));
    found->items.emplace_back(make_tuple(std::move(row)));
  }
  return found;
}

class MatchIterator final : public Iterator {
 public:
  MatchIterator(const Ref<Pattern>& pattern, Subject subject, SearchWindow window)
      : Iterator(type()),
        pattern_(pattern),
        subject_(std::move(subject)),
        window_(window),
        scanner_(*pattern_, subject_, window.start, window.stop) {}
  bool advance(Value& item) override {
    Spans spans;
    if (!scanner_.advance(spans)) return false;
    item = make<Match>(pattern_, subject_, std::move(spans), window_.start, window_.stop);
    return true;
  }
  void traverse(Visitor& visitor) override { visitor.visit(subject_.value); }
  void clear_references() override {}

 private:
  static Type* type() {
    static Type* type = make_iterator_type("callable_iterator");
    return type;
  }
  Ref<Pattern> pattern_;
  Subject subject_;
  SearchWindow window_;
  Scanner scanner_;
};

Value pattern_finditer(const Parameters& p) {
  Pattern& pattern = pattern_of(p[0]);
  Subject subject = pattern.subject_of(p[1]);
  SearchWindow window = search_window(subject, p[2], p[3]);
  return make<MatchIterator>(Ref<Pattern>(&pattern), std::move(subject), window);
}

// The text after replacing up to `limit` matches (0: all), and how many there were.
std::pair<Value, std::int64_t> substitute(const Parameters& p) {
  Ref<Pattern> pattern(&pattern_of(p[0]));
  Subject subject = pattern->subject_of(p[2]);
  Replacement replacement(*pattern, p[1]);
  std::int64_t limit = to_int64(p[3]), count = 0;
  SearchWindow window{0, subject.text.size()};
  Scanner scanner(*pattern, subject, window.start, window.stop);
  std::string text;
  std::size_t done = 0;
  Spans spans;
  while ((limit <= 0 || count < limit) && scanner.advance(spans)) {
    text += subject.text.substr(done, spans[0] - done);
    replacement.append(text, pattern, subject, spans, window);
    done = spans[1];
    ++count;
  }
  if (count == 0 && (!subject.is_text || p[2].as<Str>()->is_exact())) return {p[2], 0};
  text += subject.text.substr(done);
  if (subject.is_text) return {Value(make_str(std::move(text))), count};
  return {Value(make<Bytes>(std::move(text))), count};
}

Value pattern_sub(const Parameters& p) { return substitute(p).first; }

Value pattern_subn(const Parameters& p) {
  auto [text, count] = substitute(p);
  return make_tuple({text, Value::integer(count)});
}

Value pattern_split(const Parameters& p) {
  Pattern& pattern = pattern_of(p[0]);
  Subject subject = pattern.subject_of(p[1]);
  std::int64_t limit = to_int64(p[2]), count = 0;
  Scanner scanner(pattern, subject, 0, subject.text.size());
  Ref<List> parts = make_list();
  std::size_t done = 0;
  Spans spans;
  while ((limit <= 0 || count < limit) && limit >= 0 && scanner.advance(spans)) {
    parts->items.push_back(make_part(subject, done, spans[0]));
    for (std::size_t i = 1; i <= pattern.group_count(); ++i)
      parts->items.push_back(spans[2 * i] == std::string::npos
                                 ? Value::none()
                                 : make_part(subject, spans[2 * i], spans[2 * i + 1]));
    done = spans[1];
    ++count;
  }
  parts->items.push_back(make_part(subject, done, subject.text.size()));
  return parts;
}

// _next_match(string, pos, endpos, anchored, after_empty): a step of a scanner.
Value pattern_next_match(const Parameters& p) {
  Pattern& pattern = pattern_of(p[0]);
  Subject subject = pattern.subject_of(p[1]);
  SearchWindow window = search_window(subject, p[2], p[3]);
  MatchKind kind = truth(p[4]) ? MatchKind::kMatch : MatchKind::kSearch;
  Spans spans;
  if (!pattern.find(subject, window.start, window.stop, kind, truth(p[5]), spans))
    return Value::none();
  return make<Match>(Ref<Pattern>(&pattern), std::move(subject), std::move(spans), window.start,
                     window.stop);
}

Value pattern_scanner(const Parameters& p) {
  Value endpos = p.has(3) ? p[3] : Value::none();
  pattern_of(p[0]).subject_of(p[1]);
  return call(get_attribute(import_module("_regexextras"), intern("PatternScanner")), p[0], p[1],
              p[2], endpos);
}

std::string flag_names(std::uint32_t flags) {
  static constexpr std::pair<std::uint32_t, const char*> kNames[] = {
      {kIgnoreCase, "re.IGNORECASE"}, {kLocale, "re.LOCALE"},   {kMultiLine, "re.MULTILINE"},
      {kDotAll, "re.DOTALL"},         {kVerbose, "re.VERBOSE"}, {kAscii, "re.ASCII"}};
  std::string text;
  for (const auto& [flag, name] : kNames)
    if (flags & flag) text += (text.empty() ? "" : "|") + std::string(name);
  return text;
}

Value pattern_repr(const Value& self) {
  const Pattern& pattern = pattern_of(self);
  std::string source = repr_text(pattern.source());
  std::string shown(
      slice_text(*make_str(source), 0, std::min<std::int64_t>(200, count_code_points(source))));
  std::string flags = flag_names(pattern.flags());
  return make_str(fmt::format("re.compile({}{}{})", shown, flags.empty() ? "" : ", ", flags));
}

std::int64_t pattern_hash(const Value& self) {
  return hash(pattern_of(self).source()) ^ pattern_of(self).flags();
}

Value pattern_reduce(const Parameters& p) {
  const Pattern& pattern = pattern_of(p[0]);
  return make_tuple({get_attribute(import_module("re"), intern("_compile")),
                     Value(make_tuple({pattern.source(), Value::integer(pattern.flags())}))});
}

Value pattern_compare(CompareOperator op, const Value& self, const Value& other) {
  bool equality = op == CompareOperator::kEq || op == CompareOperator::kNotEq;
  if (!equality || !is_instance(other, Pattern::type_object())) return Value();
  const Pattern &a = pattern_of(self), &b = pattern_of(other);
  bool same =
      a.flags() == b.flags() && a.is_bytes() == b.is_bytes() && equal(a.source(), b.source());
  return Value::boolean(same == (op == CompareOperator::kEq));
}

const PropertyRow kPatternProperties[] = {
    {"pattern", [](const Value& self) { return pattern_of(self).source(); }, nullptr,
     "The expression as it was given."},
    {"flags", [](const Value& self) { return Value::integer(pattern_of(self).flags()); }, nullptr,
     "The flags."},
    {"groups",
     [](const Value& self) {
       return Value::integer(static_cast<std::int64_t>(pattern_of(self).group_count()));
     },
     nullptr, "The number of groups."},
    {"groupindex",
     [](const Value& self) { return make_mapping_proxy(pattern_of(self).group_index()); }, nullptr,
     "The numbers of the named groups."},
};

}  // namespace

const NativeRow kPatternMethods[] = {
    {"match(self, string, pos=0, endpos=<none>)", find_one<MatchKind::kMatch>,
     "The match at the start, or None."},
    {"fullmatch(self, string, pos=0, endpos=<none>)", find_one<MatchKind::kFullMatch>,
     "The match of the whole text, or None."},
    {"search(self, string, pos=0, endpos=<none>)", find_one<MatchKind::kSearch>,
     "The first match, or None."},
    {"findall(self, string, pos=0, endpos=<none>)", pattern_findall, "All matches as a list."},
    {"finditer(self, string, pos=0, endpos=<none>)", pattern_finditer, "All matches, one by one."},
    {"sub(self, repl, string, count=0)", pattern_sub, "The text with matches replaced."},
    {"subn(self, repl, string, count=0)", pattern_subn,
     "The text with matches replaced, and how many."},
    {"split(self, string, maxsplit=0)", pattern_split, "The parts between matches."},
    {"scanner(self, string, pos=0, endpos=<none>)", pattern_scanner,
     "What walks through a text, match by match."},
    {"_next_match(self, string, pos, endpos, anchored, after_empty, /)", pattern_next_match,
     "A step of a scanner."},
    {"__copy__(self)", [](const Parameters& p) { return p[0]; }, "The pattern itself."},
    {"__deepcopy__(self, memo, /)", [](const Parameters& p) { return p[0]; },
     "The pattern itself."},
    {"__reduce__(self, /)", pattern_reduce, "For pickle."},
};
const std::size_t kPatternMethodCount = std::size(kPatternMethods);

Type& Pattern::type_object() {
  static Type& type = *[] {
    Type& made = make_module_type("Pattern", "re");
    made.add(std::span(kPatternMethods, kPatternMethodCount));
    made.add(kPatternProperties);
    make_subscriptable(made);
    made.slots.repr = pattern_repr;
    made.slots.hash = pattern_hash;
    made.slots.compare = pattern_compare;
    return &made;
  }();
  return type;
}

}  // namespace strider::lang
