// Lowering of names and assignment targets.
#include "interpreter/evaluator/lowering/lowering.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

using syntax::node_as;
using syntax::node_if;
using syntax::Storage;

Node* Lowering::load(const syntax::Binding& binding, Span span) {
  Name name = intern(binding.name);
  switch (binding.storage) {
    case Storage::kLocal:
      return make_local(*code, span, binding.slot, name);
    case Storage::kCell:
      return make_cell(*code, span, binding.slot, name, false);
    case Storage::kFree:
      return make_cell(*code, span, binding.slot, name, true);
    case Storage::kClassName:
      return make_class_name(*code, span, name, binding.slot);
    default:
      break;
  }
  bool in_namespace = in_namespace_ && binding.slot < 0;  // not where it is declared global
  return in_namespace ? make_class_name(*code, span, name, -1) : make_global(*code, span, name);
}

Target* Lowering::store(const syntax::Binding& binding, Span span) {
  Name name = intern(binding.name);
  switch (binding.storage) {
    case Storage::kLocal:
      return make_local_target(*code, span, binding.slot, name);
    case Storage::kCell:
      return make_cell_target(*code, span, binding.slot, name, false);
    case Storage::kFree:
      return make_cell_target(*code, span, binding.slot, name, true);
    case Storage::kClassName:
      return make_class_target(*code, span, name);
    default:
      break;
  }
  bool module_level = scope_->type == syntax::ScopeType::kModule;
  return in_namespace_ && module_level && binding.slot < 0 ? make_class_target(*code, span, name)
                                                           : make_global_target(*code, span, name);
}

Target* Lowering::target(const syntax::Expr* node) {
  check_stack("maximum recursion depth exceeded during compilation");
  switch (node->kind) {
    case syntax::Kind::kName:
      return store(node_as<syntax::Name>(node)->binding, node->span);
    case syntax::Kind::kAttribute: {
      auto* attribute = node_as<syntax::Attribute>(node);
      return make_attribute_target(*code, node->span, expression(attribute->value),
                                   intern(attribute->attr));
    }
    case syntax::Kind::kSubscript: {
      auto* subscript = node_as<syntax::Subscript>(node);
      return make_item_target(*code, node->span, expression(subscript->value),
                              expression(subscript->slice));
    }
    case syntax::Kind::kStarred:
      return target(node_as<syntax::Starred>(node)->value);
    default:
      break;
  }
  auto elements = node->kind == syntax::Kind::kTuple ? node_as<syntax::Tuple>(node)->elts
                                                     : node_as<syntax::List>(node)->elts;
  std::vector<Target*> parts;
  int starred = -1;
  for (const syntax::Expr* element : elements) {
    if (element->kind == syntax::Kind::kStarred) starred = static_cast<int>(parts.size());
    parts.push_back(target(element));
  }
  return make_unpack_target(*code, node->span, std::move(parts), starred);
}

}  // namespace strider::lang
