// Calls: arguments are evaluated straight into the callee's frame where its parameters are plain;
// methods are found through a cache at the call and called without being bound.
#include "interpreter/evaluator/function.h"
#include "interpreter/evaluator/nodes.h"
#include "interpreter/runtime/error.h"
#include "interpreter/runtime/module.h"
#include "interpreter/types/dict.h"
#include "interpreter/types/sequence.h"
#include "interpreter/types/str.h"
#include "interpreter/types/super.h"

namespace strider::lang {
namespace {

using Operands = std::vector<Operand>;

Operands operands_of(const Nodes& nodes) { return {nodes.begin(), nodes.end()}; }

// Calls with positional arguments; `self` (may be Empty) goes first.
Value call_direct(Frame& frame, const NodeBase* at, Function& function, Value&& self,
                  const Operands& arguments) {
  int local_count = function.code->local_count();
  STRIDER_STACK_LIST(Value, locals, local_count);
  if (!self.is_empty()) locals.add([&] { return std::move(self); });
  for (const Operand& argument : arguments) locals.add([&] { return argument.evaluate(frame); });
  frame.at = at;
  int given = locals.count();
  locals.fill_up(local_count);
  function.fill_defaults(given, locals.data());
  return function.run(locals.data(), *frame.interpreter);
}

Value call_with_values(Frame& frame, const NodeBase* at, const Value& callee, Value&& self,
                       const Operands& arguments) {
  STRIDER_STACK_LIST(Value, values, arguments.size() + 1);
  if (!self.is_empty()) values.add([&] { return std::move(self); });
  for (const Operand& argument : arguments) values.add([&] { return argument.evaluate(frame); });
  frame.at = at;
  Arguments given(values.data(), static_cast<std::size_t>(values.count()));
  if (callee.has_layout(Layout::kNativeFunction))
    return callee.as<NativeFunction>()->invoke(given);
  return call(callee, given);
}

Value call_positional(Frame& frame, const NodeBase* at, const Value& callee, Value&& self,
                      const Operands& arguments) {
  if (callee.has_layout(Layout::kFunction)) {
    auto& function = *callee.as<Function>();
    if (function.takes_directly(static_cast<int>(arguments.size()) + !self.is_empty()))
      return call_direct(frame, at, function, std::move(self), arguments);
  }
  return call_with_values(frame, at, callee, std::move(self), arguments);
}

// f(a, b)
class CallNode final : public Node {
 public:
  CallNode(Node* callee, const Nodes& arguments)
      : callee_(callee), arguments_(operands_of(arguments)) {}
  Value evaluate(Frame& frame) const override {
    Value callee = callee_.evaluate(frame);
    if (callee.has_layout(Layout::kType) && makes_plain_instance(*callee.as<Type>()))
      return instantiate(frame, callee);
    return call_positional(frame, this, callee, Value(), arguments_);
  }

 private:
  Value instantiate(Frame& frame, const Value& cls) const {
    Value initializer(initializer_);
    Value instance = make<Instance>(cls.as<Type>());
    Value result = call_positional(frame, this, initializer, Value(instance), arguments_);
    if (!result.is_none())
      raise(errors::TypeError, "__init__() should return None, not '{}'", type_name(result));
    return instance;
  }

  // A class whose calls just make an Instance and run an __init__ written in the language.
  bool makes_plain_instance(Type& cls) const {
    if (cls.version() == version_) return initializer_;
    static const auto object_construct = Type::object_type().slots.construct;
    const Value* found = cls.lookup(names().init);
    version_ = cls.version();
    bool plain = cls.slots.construct == object_construct && !cls.has(Type::kAbstract) && found &&
                 found->has_layout(Layout::kFunction) && cls.type() == &Type::type_object() &&
                 cls.instance_layout == Layout::kInstance;
    initializer_ = plain ? found->object() : nullptr;
    return plain;
  }
  Operand callee_;
  Operands arguments_;
  mutable std::uint64_t version_ = 0;
  mutable Object* initializer_ = nullptr;  // kept alive by the class while its version stands
};

// object.name(a, b)
class MethodCallNode final : public Node {
 public:
  MethodCallNode(Node* object, Name name, const Nodes& arguments)
      : object_(object), name_(name), arguments_(operands_of(arguments)) {}

  Value evaluate(Frame& frame) const override {
    Value object = object_.evaluate(frame);
    if (object.has_layout(Layout::kModule)) return call_module(frame, object);
    Type* type = type_of(object);
    if (type->version() == version_ && unshadowed(object))
      return call_positional(frame, this, Value(method_), std::move(object), arguments_);
    return search(frame, std::move(object), *type);
  }

 private:
  // True when the instance has no attribute of that name that hides the method.
  bool unshadowed(const Value& object) const {
    if (object.has_layout(Layout::kInstance))
      return object.as<Instance>()->attributes()->shape() == shape_ && shape_;
    return true;
  }

  Value search(Frame& frame, Value&& object, Type& type) const {
    frame.at = this;
    const Value* found = type.lookup(name_);
    bool plain = found && (found->has_layout(Layout::kFunction) ||
                           found->has_layout(Layout::kNativeFunction));
    if (plain && !type.slots.get_attribute && !object.has_layout(Layout::kType) &&
        !instance_attribute(object)) {
      if (object.has_layout(Layout::kInstance))
        shape_ = object.as<Instance>()->attributes()->shape();
      if (object.has_layout(Layout::kInstance) || !object.is_object() ||
          !object.object()->attributes()) {
        version_ = type.version();
        method_ = found->object();
      }
      return call_positional(frame, this, Value(*found), std::move(object), arguments_);
    }
    Value callee = get_attribute(object, name_);
    return call_positional(frame, this, callee, Value(), arguments_);
  }

  bool instance_attribute(const Value& object) const {
    Attributes* attributes = object.is_object() ? object.object()->attributes() : nullptr;
    return attributes && attributes->find(name_);
  }

  Value call_module(Frame& frame, const Value& object) const {
    Dict& dict = object.as<Module>()->dict();
    Value callee;
    if (&dict == module_ && dict.keys_version() == version_) {
      callee = dict.entry(static_cast<std::size_t>(index_)).value;
    } else {
      frame.at = this;
      callee = get_attribute(object, name_);
      index_ = dict.find_index(name_);
      module_ = index_ >= 0 ? &dict : nullptr;
      version_ = dict.keys_version();
    }
    return call_positional(frame, this, callee, Value(), arguments_);
  }

  Operand object_;
  const Name name_;
  Operands arguments_;
  mutable std::uint64_t version_ = 0;
  mutable const Shape* shape_ = nullptr;
  mutable Object* method_ = nullptr;  // kept alive by the class while its version stands
  mutable const Dict* module_ = nullptr;
  mutable std::ptrdiff_t index_ = -1;
};

// f(a, key=b): no stars.
class KeywordCallNode final : public Node {
 public:
  KeywordCallNode(Node* callee, const Nodes& positional,
                  const std::vector<std::pair<Name, Node*>>& keywords)
      : callee_(callee),
        positional_(operands_of(positional)),
        keywords_(keywords.begin(), keywords.end()) {}
  Value evaluate(Frame& frame) const override {
    Value callee = callee_.evaluate(frame);
    STRIDER_STACK_LIST(Value, values, positional_.size());
    STRIDER_STACK_LIST(KeywordArgument, named, keywords_.size());
    for (const Operand& each : positional_) values.add([&] { return each.evaluate(frame); });
    for (const auto& [name, value] : keywords_)
      named.add([&, name = name] { return KeywordArgument{name, value.evaluate(frame)}; });
    frame.at = this;
    Arguments arguments(values.data(), positional_.size());
    arguments.keywords = named.data();
    arguments.keyword_count = keywords_.size();
    return call(callee, arguments);
  }

 private:
  Operand callee_;
  Operands positional_;
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
      : callee_(callee), arguments_(std::move(arguments)) {}
  Value evaluate(Frame& frame) const override {
    Value callee = callee_->evaluate(frame);
    ArgumentList list = collect_arguments(frame, this, callee, arguments_);
    frame.at = this;
    return call(callee, list);
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
  static void append_star(ArgumentList& list, const Value& callee, const Value& value) {
    const Slots& slots = type_of(value)->slots;
    if (!slots.iterate && !slots.get_item)
      raise(errors::TypeError, "{}() argument after * must be an iterable, not {}",
            callable_name(callee), type_name(value));
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

Node* make_call(Code& code, Span span, Node* callee, std::vector<CallArgument> arguments,
                bool suspends) {
  Nodes positional;
  std::vector<std::pair<Name, Node*>> keywords;
  bool stars = false;
  for (const CallArgument& argument : arguments) {
    if (argument.kind == CallArgument::Kind::kPositional)
      positional.push_back(argument.value);
    else if (argument.kind == CallArgument::Kind::kKeyword)
      keywords.emplace_back(argument.name, argument.value);
    else
      stars = true;
  }
  for (std::size_t i = 0; i < keywords.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) stars = stars || keywords[i].first == keywords[j].first;
  if (stars || suspends) return code.make<StarCallNode>(span, callee, std::move(arguments));
  if (!keywords.empty())
    return code.make<KeywordCallNode>(span, callee, std::move(positional), std::move(keywords));
  return code.make<CallNode>(span, callee, std::move(positional));
}

Node* make_method_call(Code& code, Span span, Node* object, Name method,
                       std::vector<CallArgument> arguments) {
  Nodes positional;
  for (const CallArgument& argument : arguments) positional.push_back(argument.value);
  return code.make<MethodCallNode>(span, object, method, std::move(positional));
}

Node* make_super(Code& code, Span span, Node* callee, int class_cell, Node* self) {
  return code.make<SuperNode>(span, callee, class_cell, self);
}

ArgumentList collect_arguments(Frame& frame, const NodeBase* at, const Value& callee,
                               const std::vector<CallArgument>& arguments) {
  return StarCallNode::collect_arguments(frame, at, callee, arguments);
}

}  // namespace strider::lang
