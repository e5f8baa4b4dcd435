// Lowering of expressions.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>

#include "interpreter/evaluator/lowering/lowering.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/sets/set.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

using syntax::Kind;
using syntax::node_as;
using syntax::node_if;

Nodes Lowering::expressions(syntax::Sequence<syntax::Expr*> nodes) {
  Nodes result;
  for (const syntax::Expr* node : nodes) result.push_back(expression(node));
  return result;
}

Value Lowering::constant(const syntax::ConstantValue& value) {
  switch (value.type) {
    case syntax::ConstantType::kNone:
      return Value::none();
    case syntax::ConstantType::kFalse:
      return Value::boolean(false);
    case syntax::ConstantType::kTrue:
      return Value::boolean(true);
    case syntax::ConstantType::kEllipsis:
      return ellipsis();
    case syntax::ConstantType::kInt:
      return Value::integer(value.integer);
    case syntax::ConstantType::kBigInt:
      return parse_int(value.text, 0);
    case syntax::ConstantType::kFloat:
      return Value::real(value.real);
    case syntax::ConstantType::kComplex:
      return make_complex({0.0, value.real});
    case syntax::ConstantType::kStr:
      return value.text.size() < 64 ? Value(intern(value.text)) : Value(make_str(value.text));
    case syntax::ConstantType::kBytes:
      return make<Bytes>(std::string(value.text));
  }
  __builtin_unreachable();
}

// a + b + c + …: the left spine may be very long, so it is walked in a loop.
Node* Lowering::binary_chain(const syntax::BinOp* node) {
  std::vector<const syntax::BinOp*> spine;
  const syntax::Expr* leftmost = node;
  do {
    spine.push_back(node_as<syntax::BinOp>(leftmost));
    leftmost = spine.back()->left;
  } while (node_if<syntax::BinOp>(leftmost) && !settled_.count(leftmost));
  Node* result = expression(leftmost);
  constexpr std::size_t kMaxNestedOperators = 500;
  if (spine.size() > kMaxNestedOperators) {
    std::vector<ChainLink> links;
    for (std::size_t i = spine.size(); i-- > 0;)
      links.push_back({spine[i]->op, expression(spine[i]->right)});
    return make_binary_chain(*code, node->span, result, std::move(links));
  }
  for (std::size_t i = spine.size(); i-- > 0;) {
    const syntax::BinOp* each = spine[i];
    bool stable = !each->right->has_walrus_or_yield;
    result = make_binary(*code, each->span, each->op, result, expression(each->right), stable);
  }
  return result;
}

Node* Lowering::comparison(const syntax::Compare* node) {
  if (node->ops.size() == 1) {
    bool stable = !node->comparators[0]->has_walrus_or_yield;
    bool searches = node->ops[0] == CompareOperator::kIn || node->ops[0] == CompareOperator::kNotIn;
    Node* left = expression(node->left);
    Node* right = searches ? walked(node->comparators[0]) : expression(node->comparators[0]);
    return make_compare(*code, node->span, node->ops[0], left, right, stable);
  }
  Nodes operands{expression(node->left)};
  for (const syntax::Expr* operand : node->comparators) operands.push_back(expression(operand));
  return make_compare_chain(*code, node->span,
                            std::vector<CompareOperator>(node->ops.begin(), node->ops.end()),
                            std::move(operands));
}

std::vector<DisplayItem> Lowering::display_items(syntax::Sequence<syntax::Expr*> elements) {
  std::vector<DisplayItem> items;
  for (const syntax::Expr* element : elements) {
    if (auto* starred = node_if<syntax::Starred>(element))
      items.push_back({expression(starred->value), true});
    else
      items.push_back({expression(element), false});
  }
  return items;
}

namespace {

// The values of a display that are all constants; nothing for others.
std::optional<Values> constants_of(const std::vector<DisplayItem>& items) {
  Values values;
  for (const DisplayItem& item : items) {
    const Value* value = item.starred ? nullptr : constant_value(item.value);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

Values in_order_of_set(const Values& values) {
  auto set = make<Set>(true);
  for (const Value& value : values) set->add(value);
  Values ordered;
  for (const Set::Entry& entry : set->entries())
    if (!entry.key.is_empty()) ordered.push_back(entry.key);
  return ordered;
}

bool is_letter(const Value& value) {
  if (!value.has_layout(Layout::kStr) || text_of(value).size() != 1) return false;
  auto each = static_cast<unsigned char>(text_of(value)[0]);
  return std::isalnum(each) || each == '_';
}

// The order in which constants come into the set that is kept with code. CPython makes it of one
// that was made of them; and once more where a text is found to be there already, as letters are.
Values in_order_of_kept_set(const Values& values) {
  Values ordered = in_order_of_set(values);
  bool again = std::any_of(values.begin(), values.end(), is_letter);
  return again ? in_order_of_set(ordered) : ordered;
}

}  // namespace

Node* Lowering::set_display(const syntax::Set* node) {
  std::vector<DisplayItem> items = display_items(node->elts);
  std::optional<Values> values = constants_of(items);
  if (values && values->size() >= 3) {
    items.clear();
    for (const Value& value : in_order_of_kept_set(*values))
      items.push_back({make_constant(*code, node->span, value), false});
  }
  return make_set_display(*code, node->span, std::move(items));
}

// What a loop walks through, or `in` searches: nobody else sees it, so that lists and sets of
// constants are made once.
Node* Lowering::walked(const syntax::Expr* iterable) {
  auto* list = node_if<syntax::List>(iterable);
  auto* set = node_if<syntax::Set>(iterable);
  if (!list && !set) return expression(iterable);
  std::vector<DisplayItem> items = display_items(list ? list->elts : set->elts);
  std::optional<Values> values = constants_of(items);
  if (list)
    return values ? make_constant(*code, list->span, Value(make_tuple(std::move(*values))))
                  : make_list_display(*code, list->span, std::move(items));
  if (!values) return make_set_display(*code, set->span, std::move(items));
  auto kept = make<Set>(true);
  for (const Value& value : in_order_of_kept_set(*values)) kept->add(value);
  return make_constant(*code, set->span, Value(kept));
}

// A tuple of constants is one constant.
Node* Lowering::tuple(const syntax::Tuple* node) {
  std::vector<DisplayItem> items = display_items(node->elts);
  std::optional<Values> values = constants_of(items);
  return values ? make_constant(*code, node->span, Value(make_tuple(std::move(*values))))
                : make_tuple_display(*code, node->span, std::move(items));
}

// A slice between constants is one constant.
Node* Lowering::slice(const syntax::Slice* node) {
  Node* parts[] = {optional(node->lower), optional(node->upper), optional(node->step)};
  Value values[3];
  for (int i = 0; i < 3; ++i) {
    const Value* value = parts[i] ? constant_value(parts[i]) : nullptr;
    if (parts[i] && !value) return make_slice(*code, node->span, parts[0], parts[1], parts[2]);
    values[i] = value ? *value : Value::none();
  }
  return make_constant(*code, node->span, make<Slice>(values[0], values[1], values[2]));
}

std::vector<ComprehensionClause> Lowering::clauses(
    syntax::Sequence<syntax::Comprehension*> generators) {
  std::vector<ComprehensionClause> result;
  for (const syntax::Comprehension* generator : generators) {
    Node* iterable = walked(generator->iter);
    Target* loop_target = target(generator->target);
    result.push_back({loop_target, iterable, expressions(generator->ifs)});
  }
  return result;
}

ComprehensionParts Lowering::comprehension_parts(
    syntax::Sequence<syntax::Comprehension*> generators, const syntax::ComprehensionSlots& slots) {
  ComprehensionParts parts;
  parts.clauses = clauses(generators);
  parts.hidden_locals.assign(slots.locals.begin(), slots.locals.end());
  parts.hidden_cells.assign(slots.cells.begin(), slots.cells.end());
  return parts;
}

Node* Lowering::comprehension(const syntax::Expr* node) {
  if (auto* list = node_if<syntax::ListComp>(node)) {
    auto parts = comprehension_parts(list->generators, list->slots);
    return make_list_comprehension(*code, node->span, std::move(parts), expression(list->elt));
  }
  if (auto* set = node_if<syntax::SetComp>(node)) {
    auto parts = comprehension_parts(set->generators, set->slots);
    return make_set_comprehension(*code, node->span, std::move(parts), expression(set->elt));
  }
  auto* dict = node_as<syntax::DictComp>(node);
  auto parts = comprehension_parts(dict->generators, dict->slots);
  Node* key = expression(dict->key);
  return make_dict_comprehension(*code, node->span, std::move(parts), key, expression(dict->value));
}

std::vector<CallArgument> Lowering::call_arguments(syntax::Sequence<syntax::Expr*> args,
                                                   syntax::Sequence<syntax::Keyword*> keywords) {
  std::vector<CallArgument> result;
  for (const syntax::Expr* argument : args) {
    if (auto* starred = node_if<syntax::Starred>(argument))
      result.push_back({CallArgument::Kind::kStar, expression(starred->value)});
    else
      result.push_back({CallArgument::Kind::kPositional, expression(argument)});
  }
  for (const syntax::Keyword* keyword : keywords) {
    if (keyword->arg.empty())
      result.push_back({CallArgument::Kind::kDoubleStar, expression(keyword->value)});
    else
      result.push_back(
          {CallArgument::Kind::kKeyword, expression(keyword->value), intern(keyword->arg)});
  }
  return result;
}

Node* Lowering::zero_argument_super(const syntax::Call* node, Node* callee) {
  const syntax::Scope& scope = *scope_;
  if (scope.class_cell < 0 || scope.parameter_count == 0) return nullptr;
  Name first = intern(scope.local_names[0]);
  Node* self = make_local(*code, node->span, 0, first);
  for (const syntax::ParameterCell& captured : scope.parameter_cells)
    if (captured.slot == 0) self = make_cell(*code, node->span, captured.cell, first, false);
  return make_super(*code, node->span, callee, scope.class_cell, self);
}

// The place of a node that ends in a chain of attributes over several lines: from the line on
// that has the last name.
Span Lowering::attribute_place(const syntax::Attribute* attribute, Span span) const {
  bool one_line = code->source->line_of(attribute->span.begin) ==
                  code->source->line_of(attribute->attr_span.begin);
  return one_line ? span : Span{attribute->attr_span.begin, span.end};
}

Node* Lowering::call(const syntax::Call* node) {
  check_call(node);
  auto* name = node_if<syntax::Name>(node->func);
  if (name && name->id == "super" && node->args.empty() && node->keywords.empty()) {
    Node* super = zero_argument_super(node, expression(node->func));
    if (super) return super;
  }
  if (name && name->id == ".awaited")
    return make_awaited(*code, node->span, expression(node->args[0]));
  auto* attribute = node_if<syntax::Attribute>(node->func);
  bool plain = node->keywords.empty();
  bool suspends = false;
  for (const syntax::Expr* argument : node->args) {
    plain = plain && argument->kind != Kind::kStarred;
    suspends = suspends || argument->has_walrus_or_yield;
  }
  for (const syntax::Keyword* keyword : node->keywords)
    suspends = suspends || keyword->value->has_walrus_or_yield;
  if (attribute && plain && !suspends) {
    Span name_place = attribute_place(attribute, attribute->span);
    return make_method_call(*code, attribute_place(attribute, node->span),
                            expression(attribute->value), intern(attribute->attr), name_place,
                            call_arguments(node->args, node->keywords));
  }
  Node* callee = expression(node->func);
  Span place = attribute ? attribute_place(attribute, node->span) : node->span;
  return make_call(*code, place, callee, call_arguments(node->args, node->keywords), suspends);
}

// Deeper nesting would exhaust the stack when the nodes run.
static constexpr int kMaxNesting = 1000;

Node* Lowering::expression(const syntax::Expr* node) {
  check_stack("maximum recursion depth exceeded during compilation");
  if (nesting_ >= kMaxNesting)
    raise(errors::RecursionError, "maximum recursion depth exceeded during compilation");
  ++nesting_;
  Node* result = expression_inside(node);
  --nesting_;
  return result;
}

Node* Lowering::expression_inside(const syntax::Expr* node) {
  if (auto settled = settled_.find(node); settled != settled_.end()) return settled->second;
  Span span = node->span;
  switch (node->kind) {
    case Kind::kConstant:
      check_end_of_number(node_as<syntax::Constant>(node));
      return make_constant(*code, span, constant(node_as<syntax::Constant>(node)->value));
    case Kind::kName:
      return load(node_as<syntax::Name>(node)->binding, span);
    case Kind::kBinOp:
      return binary_chain(node_as<syntax::BinOp>(node));
    case Kind::kCompare: {
      Node* made = comparison(node_as<syntax::Compare>(node));
      check_comparison(node_as<syntax::Compare>(node));
      return made;
    }
    case Kind::kCall:
      return call(node_as<syntax::Call>(node));
    case Kind::kUnaryOp: {
      auto* each = node_as<syntax::UnaryOp>(node);
      Node* operand = expression(each->operand);
      if (each->op == UnaryOperator::kNot) return make_not(*code, span, operand);
      const Value* value = constant_value(operand);
      if (value && each->op == UnaryOperator::kUSub && type_of(*value)->slots.unary)
        return make_constant(*code, span, unary(each->op, *value));
      return make_unary(*code, span, each->op, operand);
    }
    case Kind::kBoolOp: {
      auto* each = node_as<syntax::BoolOp>(node);
      return each->op == syntax::BoolOperator::kAnd
                 ? make_and(*code, span, expressions(each->values))
                 : make_or(*code, span, expressions(each->values));
    }
    case Kind::kNamedExpr: {
      auto* each = node_as<syntax::NamedExpr>(node);
      return make_walrus(*code, span, store(each->target->binding, span), expression(each->value));
    }
    case Kind::kIfExp: {
      auto* each = node_as<syntax::IfExp>(node);
      return make_conditional(*code, span, expression(each->test), expression(each->body),
                              expression(each->orelse));
    }
    case Kind::kAttribute: {
      auto* each = node_as<syntax::Attribute>(node);
      return make_attribute(*code, attribute_place(each, span), expression(each->value),
                            intern(each->attr));
    }
    case Kind::kSubscript: {
      auto* each = node_as<syntax::Subscript>(node);
      check_subscript(each);
      return make_item(*code, span, expression(each->value), expression(each->slice),
                       !each->slice->has_walrus_or_yield);
    }
    case Kind::kSlice: {
      return slice(node_as<syntax::Slice>(node));
    }
    case Kind::kList:
      return make_list_display(*code, span, display_items(node_as<syntax::List>(node)->elts));
    case Kind::kTuple:
      return tuple(node_as<syntax::Tuple>(node));
    case Kind::kSet:
      return set_display(node_as<syntax::Set>(node));
    case Kind::kDict: {
      auto* each = node_as<syntax::Dict>(node);
      Nodes keys;
      for (const syntax::Expr* key : each->keys) keys.push_back(optional(key));
      return make_dict_display(*code, span, std::move(keys), expressions(each->values));
    }
    case Kind::kListComp:
    case Kind::kSetComp:
    case Kind::kDictComp:
      return comprehension(node);
    case Kind::kGeneratorExp:
      return generator_expression(node_as<syntax::GeneratorExp>(node));
    case Kind::kLambda: {
      auto* each = node_as<syntax::Lambda>(node);
      return function(*each->scope, "<lambda>", *each->args, nullptr, each->body, nullptr, span);
    }
    case Kind::kYield:
      return make_yield(*code, span, optional(node_as<syntax::Yield>(node)->value));
    case Kind::kYieldFrom: {
      auto* each = node_as<syntax::YieldFrom>(node);
      return make_yield_from(*code, span, expression(each->value), each->awaits);
    }
    case Kind::kFormattedValue: {
      auto* each = node_as<syntax::FormattedValue>(node);
      return make_formatted(*code, span, expression(each->value), each->conversion,
                            optional(each->format_spec));
    }
    case Kind::kJoinedStr:
      return make_joined(*code, span, expressions(node_as<syntax::JoinedStr>(node)->values));
    default:
      break;
  }
  raise(errors::SyntaxError, "can't use starred expression here");
}

}  // namespace strider::lang
