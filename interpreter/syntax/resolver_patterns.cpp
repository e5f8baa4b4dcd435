// Patterns of the resolver's walk: the names they bind and the rules about them.
#include <algorithm>

#include "interpreter/syntax/resolver_state.h"

namespace strider::syntax {

namespace {

// Whether a pattern matches whatever it is given.
bool is_irrefutable(const Pattern* pattern) {
  if (const auto* as = node_if<MatchAs>(pattern)) {
    return !as->pattern || is_irrefutable(as->pattern);
  }
  const auto* either = node_if<MatchOr>(pattern);
  return either && is_irrefutable(either->patterns.back());
}

std::string unreachable_message(const Pattern* pattern) {
  const auto* as = node_if<MatchAs>(pattern);
  if (as && !as->name.empty() && !as->pattern) {
    return "name capture '" + std::string(as->name) + "' makes remaining patterns unreachable";
  }
  return "wildcard makes remaining patterns unreachable";
}

}  // namespace

void Resolver::visit_match(Match* statement) {
  visit(statement->subject);
  for (MatchCase* branch : statement->cases) {
    NameSet names;
    visit_pattern(branch->pattern, names);
    visit_optional(branch->guard);
    visit_body(branch->body);
    bool last = branch == statement->cases.back();
    if (!last && !branch->guard && is_irrefutable(branch->pattern)) {
      fail(unreachable_message(branch->pattern), branch->pattern->span);
    }
  }
}

void Resolver::bind_pattern(Identifier name, Binding& binding, Span span, NameSet& names) {
  if (name.empty()) return;
  if (std::find(names.begin(), names.end(), name) != names.end()) {
    fail("multiple assignments to name '" + std::string(name) + "' in pattern", span);
  }
  names.push_back(name);
  assign(name, binding, span);
}

void Resolver::visit_patterns(Sequence<Pattern*> patterns, NameSet& names) {
  for (Pattern* pattern : patterns) visit_pattern(pattern, names);
}

void Resolver::visit_pattern(Pattern* pattern, NameSet& names) {
  switch (pattern->kind) {
    case Kind::kMatchValue:
      return visit(node_as<MatchValue>(pattern)->value);
    case Kind::kMatchSequence:
      return visit_sequence(node_as<MatchSequence>(pattern), names);
    case Kind::kMatchMapping:
      return visit_mapping(node_as<MatchMapping>(pattern), names);
    case Kind::kMatchClass:
      return visit_class_pattern(node_as<MatchClass>(pattern), names);
    case Kind::kMatchStar: {
      auto* star = node_as<MatchStar>(pattern);
      return bind_pattern(star->name, star->binding, star->span, names);
    }
    case Kind::kMatchAs: {
      auto* as = node_as<MatchAs>(pattern);
      if (as->pattern) visit_pattern(as->pattern, names);
      if (as->pattern && is_irrefutable(as->pattern)) {
        fail(unreachable_message(as->pattern), as->pattern->span);
      }
      return bind_pattern(as->name, as->binding, as->span, names);
    }
    case Kind::kMatchOr:
      return visit_alternatives(node_as<MatchOr>(pattern), names);
    default:
      return;
  }
}

void Resolver::visit_sequence(MatchSequence* pattern, NameSet& names) {
  bool star_seen = false;
  for (Pattern* element : pattern->patterns) {
    bool star = element->kind == Kind::kMatchStar;
    if (star && star_seen) {
      fail("multiple starred expressions in sequence pattern", element->span);
    }
    star_seen |= star;
  }
  visit_patterns(pattern->patterns, names);
}

void Resolver::visit_mapping(MatchMapping* pattern, NameSet& names) {
  for (Expr* key : pattern->keys) visit(key);
  visit_patterns(pattern->patterns, names);
  bind_pattern(pattern->rest, pattern->binding, pattern->span, names);
}

void Resolver::visit_class_pattern(MatchClass* pattern, NameSet& names) {
  visit(pattern->cls);
  for (size_t i = 0; i < pattern->kwd_attrs.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (pattern->kwd_attrs[i].data() != pattern->kwd_attrs[j].data()) continue;
      fail("attribute name repeated in class pattern: " + std::string(pattern->kwd_attrs[i]),
           pattern->span);
    }
  }
  visit_patterns(pattern->patterns, names);
  visit_patterns(pattern->kwd_patterns, names);
}

// Alternatives must bind the same names, and only the last may match everything.
void Resolver::visit_alternatives(MatchOr* pattern, NameSet& names) {
  NameSet before = names;
  NameSet common;
  for (Pattern* alternative : pattern->patterns) {
    bool first = alternative == pattern->patterns.front();
    bool last = alternative == pattern->patterns.back();
    if (!last && is_irrefutable(alternative)) {
      fail(unreachable_message(alternative), alternative->span);
    }
    NameSet bound = before;
    visit_pattern(alternative, bound);
    std::sort(bound.begin(), bound.end());
    if (!first && bound != common) fail("alternative patterns bind different names", pattern->span);
    common = bound;
  }
  names = common;
}

}  // namespace strider::syntax
