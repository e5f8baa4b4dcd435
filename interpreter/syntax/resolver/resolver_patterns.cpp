// Patterns of the resolver's walk: the names they bind and the rules about them.
#include <algorithm>
#include <cmath>

#include "interpreter/syntax/resolver/resolver_state.h"

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

// Text that is equal for constants that are equal as keys; empty for what is no plain constant.
std::string key_identity(const Expr* key) {
  bool negative = false;
  if (const auto* minus = node_if<UnaryOp>(key)) {
    negative = true;
    key = minus->operand;
  }
  const auto* constant = node_if<Constant>(key);
  if (!constant) return "";
  const ConstantValue& value = constant->value;
  double sign = negative ? -1.0 : 1.0;
  switch (value.type) {
    case ConstantType::kFalse:
      return std::to_string(0.0);
    case ConstantType::kTrue:
      return std::to_string(1.0);
    case ConstantType::kInt: {
      double real = sign * static_cast<double>(value.integer) + 0.0;
      return std::to_string(real) + (std::abs(real) < 1e15 ? "" : std::to_string(value.integer));
    }
    case ConstantType::kFloat:
      return std::to_string(sign * value.real + 0.0);
    case ConstantType::kComplex:
      return value.real == 0 ? std::to_string(0.0) : std::to_string(sign * value.real) + "j";
    case ConstantType::kStr:
      return "s" + std::string(value.text);
    case ConstantType::kBytes:
      return "b" + std::string(value.text);
    case ConstantType::kBigInt:
      return "i" + std::string(value.text);
    default:
      return "n" + std::to_string(static_cast<int>(value.type));
  }
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
      fail("multiple starred names in sequence pattern", element->span);
    }
    star_seen |= star;
  }
  visit_patterns(pattern->patterns, names);
}

void Resolver::visit_mapping(MatchMapping* pattern, NameSet& names) {
  std::vector<std::string> seen;
  for (Expr* key : pattern->keys) {
    visit(key);
    std::string identity = key_identity(key);
    if (!identity.empty() && std::find(seen.begin(), seen.end(), identity) != seen.end()) {
      std::string text(tree_.source->text(key->span));
      fail("mapping pattern checks duplicate key (" + text + ")", pattern->span);
    }
    seen.push_back(std::move(identity));
  }
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
