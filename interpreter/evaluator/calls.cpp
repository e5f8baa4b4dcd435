// Calls: arguments are evaluated straight into the callee's frame where its parameters are plain;
// methods are found through a cache at the call and called without being bound.
#include <array>
#include <utility>

#include "interpreter/evaluator/frames/function.h"
#include "interpreter/evaluator/interrupts.h"
#include "interpreter/evaluator/nodes.h"
#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/call/stack_limit.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/module.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/objects/property.h"

namespace strider::lang {
namespace {

// The arguments of a call in the source: a vector, or an array where they are few.
using Operands = std::vector<Operand>;

Operands operands_of(const Nodes& nodes) { return {nodes.begin(), nodes.end()}; }

template <std::size_t... kIndex>
auto few_operands(const Nodes& nodes, std::index_sequence<kIndex...>) {
  return std::array<Operand, sizeof...(kIndex)>{Operand(nodes[kIndex])...};
}

// A call whose number of arguments is a template argument; kMany: any number.
constexpr std::size_t kMany = 4;
template <std::size_t kCount>
auto arguments_of(const Nodes& nodes) {
  if constexpr (kCount == kMany)
    return operands_of(nodes);
  else
    return few_operands(nodes, std::make_index_sequence<kCount>());
}
template <std::size_t kCount>
using ArgumentOperands = decltype(arguments_of<kCount>(std::declval<Nodes>()));

// Calls make<kCount>() for the number of arguments at hand.
template <template <std::size_t> class Kind, class... Args>
Node* make_for_count(Code& code, Span span, std::size_t count, const Args&... args) {
  switch (count) {
    case 0:
      return code.make<Kind<0>>(span, args...);
    case 1:
      return code.make<Kind<1>>(span, args...);
    case 2:
      return code.make<Kind<2>>(span, args...);
    case 3:
      return code.make<Kind<3>>(span, args...);
    default:
      return code.make<Kind<kMany>>(span, args...);
  }
}

// Puts the arguments behind each other; false where one of them raised (see Node::attempt).
template <class Given>
[[gnu::always_inline]] inline bool add_attempted(Frame& frame, StackList<Value>& values,
                                                 const Given& arguments) {
  for (const Operand& argument : arguments) {
    values.add([&] { return argument.attempt(frame); });
    if (values.data()[values.count() - 1].is_empty()) [[unlikely]]
      return false;
  }
  return true;
}

// Calls with positional arguments; `self` (may be Empty) goes first. Empty: it raised (see
// Node::attempt).
template <class Given>
Value call_direct(Frame& frame, const NodeBase* at, Function& function, Value&& self,
                  const Given& arguments) {
  int local_count = function.code->local_count();
  STRIDER_STACK_LIST(Value, locals, local_count);
  if (!self.is_empty()) locals.add([&] { return std::move(self); });
  if (!add_attempted(frame, locals, arguments)) [[unlikely]]
    return {};
  frame.at = at;
  int given = locals.count();
  locals.fill_up(local_count);
  if (given < function.code->parameters.positional) function.fill_defaults(given, locals.data());
  return function.attempt(locals.data(), *frame.interpreter);
}

template <class Given>
Value call_with_values(Frame& frame, const NodeBase* at, const Value& callee, Value&& self,
                       const Given& arguments) {
  STRIDER_STACK_LIST(Value, values, arguments.size() + 1);
  if (!self.is_empty()) values.add([&] { return std::move(self); });
  if (!add_attempted(frame, values, arguments)) [[unlikely]]
    return {};
  frame.at = at;
  Arguments given(values.data(), static_cast<std::size_t>(values.count()));
  if (frame.noted) [[unlikely]]
    return call_watched(frame, callee, given);
  return noticed(frame, attempt_call(callee, given));
}

template <class Given>
Value call_positional(Frame& frame, const NodeBase* at, const Value& callee, Value&& self,
                      const Given& arguments) {
  if (callee.has_layout(Layout::kFunction)) {
    auto& function = *callee.as<Function>();
    if (function.takes_directly(static_cast<int>(arguments.size()) + !self.is_empty()))
      return call_direct(frame, at, function, std::move(self), arguments);
  }
  return call_with_values(frame, at, callee, std::move(self), arguments);
}

// The function of a module that a call has met, whose parameters the arguments there fill but for
// defaults.
class NativeCallee {
 public:
  // Whether a callee is that function, or becomes it.
  [[gnu::always_inline]] bool knows(const Frame& frame, const Value& callee,
                                    std::size_t count) const {
    if (!callee.has_layout(Layout::kNativeFunction) || frame.noted) return false;
    return (function_.is_object() && callee.object() == function_.object()) || meet(callee, count);
  }
  // Evaluating the arguments may come back here and meet another one. The caller keeps the callee.
  template <class Given>
  Value call(Frame& frame, const NodeBase* at, const Given& arguments) const {
    NativeCode code = function_.as<NativeFunction>()->row().code;
    std::span<const Parameter> parameters = parameters_;
    STRIDER_STACK_LIST(Value, values, parameters.size());
    if (!add_attempted(frame, values, arguments)) [[unlikely]]
      return {};
    for (std::size_t i = arguments.size(); i < parameters.size(); ++i)
      values.add([&] { return parameters[i].default_value; });
    frame.at = at;
    if (stack_is_low(kStackReserve)) [[unlikely]]
      check_stack();
    return noticed(frame, code(Parameters(values.data(), parameters.size())));
  }

 private:
  bool meet(const Value& callee, std::size_t count) const {
    const NativeFunction& function = *callee.as<NativeFunction>();
    bool plain = !function.owner() && !function.guard && !function.overridable &&
                 function.signature().takes_plainly(count);
    if (!plain) return false;
    function_ = callee;
    parameters_ = function.signature().parameters();
    return true;
  }

  mutable Value function_;
  mutable std::span<const Parameter> parameters_;
};

// f(a, b)
template <std::size_t kCount>
class CallNode final : public Node {
 public:
  CallNode(Node* callee, const Nodes& arguments)
      : callee_(callee), arguments_(arguments_of<kCount>(arguments)) {
    attempts = true;
  }
  Value evaluate(Frame& frame) const override { return landed(frame, call(frame)); }
  Value attempt(Frame& frame) const override { return call(frame); }

 private:
  [[gnu::always_inline]] Value call(Frame& frame) const {
    Value callee = callee_.evaluate(frame);
    if (native_.knows(frame, callee, arguments_.size()))
      return native_.call(frame, this, arguments_);
    if (callee.has_layout(Layout::kType) && makes_plain_instance(*callee.as<Type>()))
      return instantiate(frame, callee);
    return call_positional(frame, this, callee, Value(), arguments_);
  }

  Value instantiate(Frame& frame, const Value& cls) const {
    Value initializer(initializer_);
    Value instance = make<Instance>(cls.as<Type>());
    Value result = call_positional(frame, this, initializer, Value(instance), arguments_);
    if (result.is_empty()) [[unlikely]]
      return result;
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
                 cls.instance_layout == Layout::kInstance &&
                 !cls.has(Type::kHasDel);  // its __del__ would run where an argument raises
    initializer_ = plain ? found->object() : nullptr;
    return plain;
  }

  Operand callee_;
  ArgumentOperands<kCount> arguments_;
  mutable std::uint64_t version_ = 0;
  mutable Object* initializer_ = nullptr;  // kept alive by the class while its version stands
  NativeCallee native_;
};

// object.name(a, b)
template <std::size_t kCount>
class MethodCallNode final : public Node {
 public:
  MethodCallNode(Node* object, Name name, Span name_place, const Nodes& arguments)
      : object_(object), name_(name), arguments_(arguments_of<kCount>(arguments)) {
    attempts = true;
    lookup_.span = name_place;
  }
  Value evaluate(Frame& frame) const override { return landed(frame, call(frame)); }
  Value attempt(Frame& frame) const override { return call(frame); }

 private:
  [[gnu::always_inline]] Value call(Frame& frame) const {
    Value object = object_.attempt(frame);
    if (object.is_empty()) [[unlikely]]
      return object;
    if (object.has_layout(Layout::kModule)) return call_module(frame, object);
    Type* type = type_of(object);
    if (type->version() == version_ && unshadowed(object)) {
      if (native_ && !frame.noted) return call_native(frame, std::move(object));
      return call_positional(frame, this, Value(method_), std::move(object), arguments_);
    }
    return search(frame, std::move(object), *type);
  }

  // True when the instance has no attribute of that name that hides the method.
  bool unshadowed(const Value& object) const {
    if (!shape_) return true;
    Attributes* attributes = object.has_layout(Layout::kInstance)
                                 ? object.as<Instance>()->attributes()
                                 : object.object()->attributes();
    return attributes->shape() == shape_;
  }

  Value search(Frame& frame, Value&& object, Type& type) const {
    if (object.has_layout(Layout::kType) && knows_class_method(*object.as<Type>())) {
      if (native_ && !frame.noted) return call_native(frame, std::move(object));
      return call_positional(frame, this, Value(method_), std::move(object), arguments_);
    }
    frame.at = &lookup_;
    const Value* found = type.lookup(name_);
    bool plain = found && (found->has_layout(Layout::kFunction) || is_native_method(*found));
    if (plain && !type.slots.get_attribute && !object.has_layout(Layout::kType) &&
        !instance_attribute(object)) {
      Attributes* attributes = object.is_object() ? object.object()->attributes() : nullptr;
      shape_ = attributes ? attributes->shape() : nullptr;
      bool known = !attributes || shape_;
      version_ = known ? type.version() : 0;
      class_version_ = 0;
      method_ = found->object();
      native_ = fitting_code(*found);
      return call_positional(frame, this, Value(*found), std::move(object), arguments_);
    }
    Value callee = get_attribute(object, name_);
    return call_positional(frame, this, callee, Value(), arguments_);
  }

  // Whether the name is a class method of this class, which is remembered then.
  bool knows_class_method(const Type& cls) const {
    if (cls.version() == class_version_) return true;
    if (cls.type() != &Type::type_object() || Type::type_object().lookup(name_)) return false;
    const Value* found = cls.lookup(name_);
    if (!found || type_of(*found) != &ClassMethod::type_object()) return false;
    const Value& function = found->as<ClassMethod>()->function;
    if (!function.has_layout(Layout::kFunction) && !is_native_method(function)) return false;
    version_ = 0;
    class_version_ = cls.version();
    method_ = function.object();
    native_ = fitting_code(function);
    return true;
  }

  // Functions of modules do not become methods when a class holds them.
  static bool is_native_method(const Value& value) {
    return value.has_layout(Layout::kNativeFunction) && value.as<NativeFunction>()->owner();
  }

  // The code of a native method that the arguments given here fit, but for defaults; else null.
  NativeCode fitting_code(const Value& method) const {
    if (!is_native_method(method)) return nullptr;
    const NativeFunction& function = *method.as<NativeFunction>();
    const Signature& signature = function.signature();
    bool fits = !function.owner()->has(Type::kUserDefined) &&
                signature.takes_plainly(arguments_.size() + 1);
    if (fits) parameters_ = signature.parameters();
    guarded_ = fits && function.guard ? &function : nullptr;
    return fits ? function.row().code : nullptr;
  }

  // The object's class has the method, so there is nothing to check. Evaluating the arguments may
  // come back to this node and change what it remembers.
  Value call_native(Frame& frame, Value&& object) const {
    NativeCode code = native_;
    const NativeFunction* guarded = guarded_;
    std::span<const Parameter> parameters = parameters_;
    STRIDER_STACK_LIST(Value, values, parameters.size());
    values.add([&] { return std::move(object); });
    if (!add_attempted(frame, values, arguments_)) [[unlikely]]
      return {};
    for (std::size_t i = arguments_.size() + 1; i < parameters.size(); ++i)
      values.add([&] { return parameters[i].default_value; });
    frame.at = this;
    if (stack_is_low(kStackReserve)) [[unlikely]]
      check_stack();
    Parameters all(values.data(), parameters.size());
    return noticed(frame,
                   guarded ? call_guarded(code, all, *guarded, arguments_.size() + 1) : code(all));
  }

  // Asks the guard about the arguments, of which so many were given, if the code leaves them to it.
  [[gnu::noinline]] static Value call_guarded(NativeCode code, const Parameters& all,
                                              const NativeFunction& function, std::size_t given) {
    try {
      return code(all);
    } catch (const LeftToGuard&) {
    }
    return function.attempt(Arguments(&all[0], given));
  }

  bool instance_attribute(const Value& object) const {
    Attributes* attributes = object.is_object() ? object.object()->attributes() : nullptr;
    return attributes && attributes->find(name_);
  }

  Value call_module(Frame& frame, const Value& object) const {
    Dict& dict = object.as<Module>()->dict();
    Value callee;
    if (&dict == module_ && dict.keys_version() == names_version_) {
      callee = dict.entry(static_cast<std::size_t>(index_)).value;
    } else {
      frame.at = &lookup_;
      callee = get_attribute(object, name_);
      index_ = dict.find_index(name_);
      module_ = index_ >= 0 && type_of(object) == &Module::type_object() ? &dict : nullptr;
      names_version_ = dict.keys_version();
    }
    if (module_function_.knows(frame, callee, arguments_.size()))
      return module_function_.call(frame, this, arguments_);
    return call_positional(frame, this, callee, Value(), arguments_);
  }

  Operand object_;
  const Name name_;
  NodeBase lookup_;  // where the search for the method fails: `object.name`
  ArgumentOperands<kCount> arguments_;
  mutable std::uint64_t version_ = 0;        // of the class; 0: none
  mutable std::uint64_t class_version_ = 0;  // of the class whose own method it is; 0: none
  mutable std::uint64_t names_version_ = 0;  // of the module's dict
  mutable const Shape* shape_ = nullptr;     // null: objects of the class have no attributes
  mutable NativeCode native_ = nullptr;      // of the method, where the arguments fit it
  mutable std::span<const Parameter> parameters_;
  mutable const NativeFunction* guarded_ = nullptr;  // the method, where it has a guard
  mutable Object* method_ = nullptr;  // kept alive by the class while its version stands
  NativeCallee module_function_;
  mutable const Dict* module_ = nullptr;
  mutable std::ptrdiff_t index_ = -1;
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
  if (stars || suspends) return make_star_call(code, span, callee, std::move(arguments));
  if (!keywords.empty()) return make_keyword_call(code, span, callee, positional, keywords);
  return make_for_count<CallNode>(code, span, positional.size(), callee, positional);
}

Node* make_method_call(Code& code, Span span, Node* object, Name method, Span name_place,
                       std::vector<CallArgument> arguments) {
  Nodes positional;
  for (const CallArgument& argument : arguments) positional.push_back(argument.value);
  return make_for_count<MethodCallNode>(code, span, positional.size(), object, method, name_place,
                                        positional);
}

}  // namespace strider::lang
