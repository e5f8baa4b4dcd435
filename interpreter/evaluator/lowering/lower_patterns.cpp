// Lowering of match patterns.
#include "interpreter/evaluator/lowering/lowering.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

using syntax::Kind;
using syntax::node_as;
using syntax::node_if;

PatternNode* Lowering::pattern(const syntax::Pattern* node) {
  check_stack("maximum recursion depth exceeded during compilation");
  Span span = node->span;
  auto lower_all = [&](syntax::Sequence<syntax::Pattern*> patterns) {
    std::vector<PatternNode*> result;
    for (const syntax::Pattern* each : patterns) result.push_back(pattern(each));
    return result;
  };
  switch (node->kind) {
    case Kind::kMatchValue:
      return make_value_pattern(*code, span, expression(node_as<syntax::MatchValue>(node)->value));
    case Kind::kMatchSingleton:
      return make_singleton_pattern(*code, span,
                                    constant(node_as<syntax::MatchSingleton>(node)->value));
    case Kind::kMatchAs: {
      auto* each = node_as<syntax::MatchAs>(node);
      PatternNode* inner = each->pattern ? pattern(each->pattern) : nullptr;
      return make_capture_pattern(*code, span, inner,
                                  each->name.empty() ? nullptr : store(each->binding, span));
    }
    case Kind::kMatchOr:
      return make_or_pattern(*code, span, lower_all(node_as<syntax::MatchOr>(node)->patterns));
    case Kind::kMatchMapping: {
      auto* each = node_as<syntax::MatchMapping>(node);
      return make_mapping_pattern(*code, span, expressions(each->keys), lower_all(each->patterns),
                                  each->rest.empty() ? nullptr : store(each->binding, span));
    }
    case Kind::kMatchClass: {
      auto* each = node_as<syntax::MatchClass>(node);
      std::vector<std::pair<Name, PatternNode*>> named;
      for (std::size_t i = 0; i < each->kwd_attrs.size(); ++i)
        named.emplace_back(intern(each->kwd_attrs[i]), pattern(each->kwd_patterns[i]));
      return make_class_pattern(*code, span, expression(each->cls), lower_all(each->patterns),
                                std::move(named));
    }
    default:
      break;
  }
  auto* sequence_node = node_as<syntax::MatchSequence>(node);
  std::vector<PatternNode*> parts;
  int star = -1;
  Target* star_target = nullptr;
  for (const syntax::Pattern* each : sequence_node->patterns) {
    if (auto* starred = node_if<syntax::MatchStar>(each)) {
      star = static_cast<int>(parts.size());
      if (!starred->name.empty()) star_target = store(starred->binding, each->span);
    } else {
      parts.push_back(pattern(each));
    }
  }
  return make_sequence_pattern(*code, span, std::move(parts), star, star_target);
}

}  // namespace strider::lang
