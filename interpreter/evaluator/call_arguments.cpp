// Calls whose arguments are collected first: keywords, stars; and super() without arguments.
#include "interpreter/evaluator/frames/watching.h"
#include "interpreter/evaluator/interrupts.h"
#include "interpreter/evaluator/nodes.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/objects/super.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// f(a, key=b): no stars.
class KeywordCallNode final : public Node {
 public:
  KeywordCallNode(Node* callee, const Nodes& positional,
                  const std::vector<std::pair<Name, Node*>>& keywords)
      : callee_(callee),
        positional_(positional.begin(), positional.end()),
        keywords_(keywords.begin(), keywords.end()) {}
  Value evaluate(Frame& frame) const override {
    Value callee = callee_.evaluate(frame);
    STRIDER_STACK_LIST(Value, values, positional_.size());
    STRIDER_STACK_LIST(KeywordArgument, named, keywords_.size());
    for (const Operand& each : positional_) values.add([&] { return each.evaluate(frame); });
    for (const auto& each : keywords_)
      named.add([&] { return KeywordArgument{each.first, each.second.evaluate(frame)}; });
    frame.at = this;
    Arguments arguments(values.data(), positional_.size());
    arguments.keywords = named.data();
    arguments.keyword_count = keywords_.size();
    return noticed(frame, call_told(frame, callee, arguments));
  }

 private:
  Operand callee_;
  std::vector<Operand> positional_;
  std::vector<std::pair<Name, Operand>> keywords_;
};

std::string callable_name(const Value& callee) {
  Value name = find_attribute(callee, names().qualname);
  if (!is_str(name)) return std::string(type_name(callee));
  Value module = find_attribute(callee, names().module);
  if (!is_str(module) || text_of(module) == "builtins") return std::string(text_of(name));
  return fmt::format("{}.{}", text_of(module), text_of(name));
}

// f(a, *b, key=c, **d): arguments are collected first.
class StarCallNode final : public Node {
 public:
  StarCallNode(Node* callee, std::vector<CallArgument> arguments)
      : callee_(callee), arguments_(std::move(arguments)) {
    using Kind = CallArgument::Kind;
    bool named = arguments_.size() == 2 && arguments_[1].kind == Kind::kDoubleStar;
    passes_on_ = (arguments_.size() == 1 || named) && arguments_[0].kind == Kind::kStar;
  }
  Value evaluate(Frame& frame) const override {
    Value callee = callee_->evaluate(frame);
    if (passes_on_) return pass_on(frame, callee);
    ArgumentList list = collect_arguments(frame, this, callee, arguments_);
    frame.at = this;
    return noticed(frame, call_told(frame, callee, list));
  }

  static ArgumentList collect_arguments(Frame& frame, const NodeBase* at, const Value& callee,
                                        const std::vector<CallArgument>& arguments) {
    ArgumentList list;
    for (const CallArgument& argument : arguments) {
      Value value = argument.value->evaluate(frame);
      frame.at = at;
      switch (argument.kind) {
        case CallArgument::Kind::kPositional:
          list.values.push_back(std::move(value));
          break;
        case CallArgument::Kind::kStar:
          append_star(list, callee, value);
          break;
        case CallArgument::Kind::kKeyword:
          append_keyword(list, callee, argument.name, value);
          break;
        case CallArgument::Kind::kDoubleStar:
          append_mapping(list, callee, value);
          break;
      }
    }
    return list;
  }

 private:
  // f(*args) and f(*args, **kwargs): a tuple's items and no keywords need no collecting.
  Value pass_on(Frame& frame, const Value& callee) const {
    Value items = arguments_[0].value->evaluate(frame);
    Value named = arguments_.size() == 2 ? arguments_[1].value->evaluate(frame) : Value();
    frame.at = this;
    if (is_tuple(items) && items.object()->type() == &Tuple::type_object() &&
        (named.is_empty() || (is_dict(named) && named.as<Dict>()->size() == 0)))
      return noticed(frame, call_told(frame, callee, Arguments(items.as<Tuple>()->items())));
    ArgumentList list;
    append_star(list, callee, items);
    if (!named.is_empty()) append_mapping(list, callee, named);
    return noticed(frame, call_told(frame, callee, list));
  }

  static void append_star(ArgumentList& list, const Value& callee, const Value& value) {
    const Slots& slots = type_of(value)->slots;
    if (!slots.iterate && !slots.get_item)
      raise(errors::TypeError, "{}() argument after * must be an iterable, not {}",
            callable_name(callee), type_name(value));
    if (is_list(value) && value.as<List>()->is_exact()) {
      for (const Value& item : value.as<List>()->items) list.values.push_back(item);
      return;
    }
    Iteration items(value);
    Value item;
    while (items.next(item)) list.values.push_back(std::move(item));
  }

  static void append_keyword(ArgumentList& list, const Value& callee, Name name,
                             const Value& value) {
    for (const KeywordArgument& earlier : list.keywords)
      if (earlier.name == name)
        raise(errors::TypeError, "{}() got multiple values for keyword argument '{}'",
              callable_name(callee), text_of(name));
    list.keywords.push_back({name, value});
  }

  static void append_mapping(ArgumentList& list, const Value& callee, const Value& value) {
    if (!is_dict(value) && !has_attribute(value, names().keys))
      raise(errors::TypeError, "{}() argument after ** must be a mapping, not {}",
            callable_name(callee), type_name(value));
    Iteration keys(is_dict(value) ? value : call_method(value, names().keys));
    Value key;
    while (keys.next(key)) {
      if (!is_str(key)) raise(errors::TypeError, "keywords must be strings");
      append_keyword(list, callee, intern(key.as<Str>()), get_item(value, key));
    }
  }

  Node* callee_;
  std::vector<CallArgument> arguments_;
  bool passes_on_;
};

// super() without arguments: the class from its cell, self from the first parameter.
class SuperNode final : public Node {
 public:
  SuperNode(Node* callee, int class_cell, Node* self)
      : callee_(callee), class_cell_(class_cell), self_(self) {}
  Value evaluate(Frame& frame) const override {
    Value callee = callee_->evaluate(frame);
    frame.at = this;
    if (!identical(callee, Value(&Super::type_object()))) return call(callee);
    const Value& cls = frame.cells[class_cell_]->value;
    if (cls.is_empty()) raise(errors::RuntimeError, "super(): empty __class__ cell");
    return make_super(cls, self_->evaluate(frame));
  }

 private:
  Node* callee_;
  int class_cell_;
  Node* self_;
};

}  // namespace

Node* make_keyword_call(Code& code, Span span, Node* callee, const Nodes& positional,
                        const std::vector<std::pair<Name, Node*>>& keywords) {
  return code.make<KeywordCallNode>(span, callee, positional, keywords);
}

Node* make_star_call(Code& code, Span span, Node* callee, std::vector<CallArgument> arguments) {
  return code.make<StarCallNode>(span, callee, std::move(arguments));
}

Node* make_super(Code& code, Span span, Node* callee, int class_cell, Node* self) {
  return code.make<SuperNode>(span, callee, class_cell, self);
}

ArgumentList collect_arguments(Frame& frame, const NodeBase* at, const Value& callee,
                               const std::vector<CallArgument>& arguments) {
  return StarCallNode::collect_arguments(frame, at, callee, arguments);
}

}  // namespace strider::lang
