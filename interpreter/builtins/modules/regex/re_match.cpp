// Matches: what a search found.
#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/regex/re_pattern.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/search.h"

namespace strider::lang {
namespace {

const Match& match_of(const Value& self) { return *self.as<Match>(); }

std::size_t checked_group(const Match& match, const Value& key) {
  std::size_t number = match.pattern().group_number(key);
  if (number == std::string::npos) raise(errors::IndexError, "no such group");
  return number;
}

Value match_group(const Parameters& p) {
  const Match& match = match_of(p[0]);
  auto keys = p[1].as<Tuple>()->items();
  if (keys.empty()) return match.group(0, Value::none());
  if (keys.size() == 1) return match.group(checked_group(match, keys[0]), Value::none());
  Values groups;
  for (const Value& key : keys)
    groups.push_back(match.group(checked_group(match, key), Value::none()));
  return make_tuple(std::move(groups));
}

Value match_groups(const Parameters& p) {
  const Match& match = match_of(p[0]);
  Values groups;
  for (std::size_t i = 1; i <= match.pattern().group_count(); ++i)
    groups.push_back(match.group(i, p[1]));
  return make_tuple(std::move(groups));
}

Value match_groupdict(const Parameters& p) {
  const Match& match = match_of(p[0]);
  Ref<Dict> dict = make_dict();
  const std::vector<std::string>& names = match.pattern().names();
  for (std::size_t i = 1; i < names.size(); ++i)
    if (!names[i].empty()) dict->set(Value(make_str(names[i])), match.group(i, p[1]));
  return dict;
}

Value match_start(const Parameters& p) {
  return Value::integer(match_of(p[0]).start(checked_group(match_of(p[0]), p[1])));
}

Value match_end(const Parameters& p) {
  return Value::integer(match_of(p[0]).end(checked_group(match_of(p[0]), p[1])));
}

Value span_of(const Match& match, std::size_t group) {
  return make_tuple({Value::integer(match.start(group)), Value::integer(match.end(group))});
}

Value match_span(const Parameters& p) {
  return span_of(match_of(p[0]), checked_group(match_of(p[0]), p[1]));
}

Value match_expand(const Parameters& p) {
  const Match& match = match_of(p[0]);
  std::string text;
  Replacement(match.pattern(), p[1])
      .append(text, match.pattern_ref(), match.subject(), match.spans(),
              {match.search_start, match.search_stop});
  if (match.subject().is_text) return make_str(std::move(text));
  return make<Bytes>(std::move(text));
}

Value match_get_item(const Value& self, const Value& key) {
  return match_of(self).group(checked_group(match_of(self), key), Value::none());
}

Value match_repr(const Value& self) {
  const Match& match = match_of(self);
  return make_str(fmt::format("<re.Match object; span=({}, {}), match={}>", match.start(0),
                              match.end(0), repr_text(match.group(0, Value::none()))));
}

Value match_regs(const Value& self) {
  Values spans;
  for (std::size_t i = 0; i <= match_of(self).pattern().group_count(); ++i)
    spans.push_back(span_of(match_of(self), i));
  return make_tuple(std::move(spans));
}

Value match_last_index(const Value& self) {
  std::size_t index = match_of(self).last_index();
  return index ? Value::integer(static_cast<std::int64_t>(index)) : Value::none();
}

Value match_last_group(const Value& self) {
  const std::string& name = match_of(self).pattern().names()[match_of(self).last_index()];
  return name.empty() ? Value::none() : Value(make_str(name));
}

const NativeRow kMethods[] = {
    {"group(self, *groups)", match_group, "One or several groups."},
    {"groups(self, default=None)", match_groups, "All groups as a tuple."},
    {"groupdict(self, default=None)", match_groupdict, "The named groups as a dict."},
    {"start(self, group=0, /)", match_start, "Where a group begins."},
    {"end(self, group=0, /)", match_end, "Where a group ends."},
    {"span(self, group=0, /)", match_span, "Where a group begins and ends."},
    {"expand(self, template)", match_expand, "A template with its groups filled in."},
    {"__copy__(self)", [](const Parameters& p) { return p[0]; }, "The match itself."},
    {"__deepcopy__(self, memo, /)", [](const Parameters& p) { return p[0]; }, "The match itself."},
};

const PropertyRow kProperties[] = {
    {"pos",
     [](const Value& s) { return Value::integer(match_of(s).position(match_of(s).search_start)); },
     nullptr, "Where the search began."},
    {"endpos",
     [](const Value& s) { return Value::integer(match_of(s).position(match_of(s).search_stop)); },
     nullptr, "Where the search would have ended."},
    {"lastindex", match_last_index, nullptr, "The number of the group closed last."},
    {"lastgroup", match_last_group, nullptr, "The name of the group closed last."},
    {"re", [](const Value& s) { return Value(match_of(s).pattern_ref()); }, nullptr,
     "The pattern."},
    {"string", [](const Value& s) { return match_of(s).subject().value; }, nullptr,
     "What was searched."},
    {"regs", match_regs, nullptr, "The spans of all groups."},
};

}  // namespace

Match::Match(const Ref<Pattern>& pattern, Subject subject, Spans spans, std::size_t start,
             std::size_t stop)
    : Object(Layout::kOther, &type_object()),
      search_start(start),
      search_stop(stop),
      pattern_(pattern),
      subject_(std::move(subject)),
      spans_(std::move(spans)) {}

Type& Match::type_object() {
  static Type& type = *[] {
    Type& made = make_module_type("Match", "re");
    made.add(kMethods);
    made.add(kProperties);
    make_subscriptable(made);
    made.slots.get_item = match_get_item;
    made.slots.repr = match_repr;
    return &made;
  }();
  return type;
}

Value Match::group(std::size_t number, const Value& absent) const {
  if (!has(number)) return absent;
  return make_part(subject_, spans_[2 * number], spans_[2 * number + 1]);
}

std::int64_t Match::position(std::size_t offset) const {
  if (offset == std::string_view::npos) return -1;
  if (subject_.ascii) return static_cast<std::int64_t>(offset);
  return code_point_index(*subject_.value.as<Str>(), offset);
}

// The group that ends last; of groups that end together, the outermost, else the later one.
std::size_t Match::last_index() const {
  std::size_t last = 0;
  for (std::size_t i = 1; i <= pattern_->group_count(); ++i) {
    if (!has(i)) continue;
    bool later = last == 0 || spans_[2 * i + 1] > spans_[2 * last + 1] ||
                 (spans_[2 * i + 1] == spans_[2 * last + 1] && !pattern_->is_inside(i, last));
    if (later) last = i;
  }
  return last;
}

}  // namespace strider::lang
