// Calling: native functions, bound methods, anything with a call slot.
#include "interpreter/runtime/call/call.h"

#include <cstring>

#include "interpreter/evaluator/frames/function_attempt.h"
#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/call/stack_array.h"
#include "interpreter/runtime/call/stack_limit.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// The function's name in a signature: behind "classmethod ", before the bracket.
std::string_view name_in(std::string_view signature) {
  std::string_view head = signature.substr(0, signature.find('('));
  return head.substr(head.rfind(' ') + 1);
}

// A method of one type called on an object of another: list.append(3, 4).
[[noreturn]] void refuse_self(const NativeFunction& method, const Type& type) {
  raise(errors::TypeError, "descriptor '{}' for '{}' objects doesn't apply to a '{}' object",
        method.name(), method.owner()->name(), type.name());
}

// The method of this name of the class that stands for the owner of a native one; null: none does.
const Value* method_of_stand_in(const NativeFunction& method, const Type& type) {
  for (const Type* each : type.mro())
    if (each->stands_for == method.owner()) return each->lookup(intern(method.name()));
  return nullptr;
}

bool takes_instance(const NativeRow& row) {
  std::string_view signature = row.signature;
  return !signature.starts_with("classmethod ") && !signature.starts_with("staticmethod ");
}

Value native_call(const Value& self, const Arguments& arguments) {
  return self.as<NativeFunction>()->invoke(arguments);
}

Value native_repr(const Value& self) {
  auto* function = self.as<NativeFunction>();
  if (function->owner())
    return make_str(
        fmt::format("<method '{}' of '{}' objects>", function->name(), function->owner()->name()));
  return make_str(fmt::format("<built-in function {}>", function->name()));
}

Value native_attribute(const Value& self, Name name) {
  auto* function = self.as<NativeFunction>();
  if (name == names().name) return make_str(function->name());
  if (name == names().qualname) {
    std::string prefix = function->owner() ? function->owner()->qualified_name + "." : "";
    return make_str(prefix + std::string(function->name()));
  }
  static const Name class_of_method = intern("__objclass__");
  if (name == class_of_method && function->owner()) return Value(function->owner());
  if (name == names().doc) return make_str(function->row().doc);
  if (name == names().module && !function->owner() && !function->module.empty())
    return make_str(function->module);
  if (name == names().self && !function->owner()) {
    const Value* home = Interpreter::current().modules->find(Value(make_str(function->module)));
    return home ? *home : Value::none();
  }
  return generic_get_attribute(self, name);
}

Value native_get(const Value& self, const Value& instance, const Value&) {
  if (instance.is_empty() || !self.as<NativeFunction>()->owner()) return self;
  return make<BoundMethod>(self, instance);
}

constexpr std::size_t kMaxOnStack = 64;

// The arguments with one more value in front.
Arguments with_values(const Arguments& arguments, const Value* values) {
  Arguments all(values, arguments.count + 1);
  all.keywords = arguments.keywords;
  all.keyword_count = arguments.keyword_count;
  return all;
}

Value bound_call_many(const BoundMethod& method, const Arguments& arguments) {
  Values values;
  values.reserve(arguments.count + 1);
  values.push_back(method.self);
  values.insert(values.end(), arguments.values, arguments.values + arguments.count);
  return call(Value(method.function), with_values(arguments, values.data()));
}

Value bound_call(const Value& self, const Arguments& arguments) {
  auto* method = self.as<BoundMethod>();
  if (arguments.count >= kMaxOnStack) return bound_call_many(*method, arguments);
  STRIDER_STACK_LIST(Value, values, arguments.count + 1);
  values.add([&] { return method->self; });
  for (const Value& each : arguments.positional()) values.add([&] { return each; });
  Arguments all = with_values(arguments, values.data());
  if (method->function.has_layout(Layout::kNativeFunction)) {
    const auto& function = *method->function.as<NativeFunction>();
    bool plain = all.keyword_count == 0 && function.signature().takes_plainly(all.count);
    if (!plain && !function.guard) check_bound_arguments(function, all);
  }
  return call(Value(method->function), all);
}

Value bound_repr(const Value& self) {
  auto* method = self.as<BoundMethod>();
  if (method->function.has_layout(Layout::kNativeFunction))
    return make_str(
        fmt::format("<built-in method {} of {} object at {}>",
                    method->function.as<NativeFunction>()->name(), type_name(method->self),
                    fmt::ptr(method->self.is_object() ? method->self.object() : nullptr)));
  if (type_name(method->function) == "wrapper_descriptor")
    return make_str(fmt::format(
        "<method-wrapper '{}' of {} object at {}>",
        text_of(find_attribute(method->function, names().name)), type_name(method->self),
        fmt::ptr(method->self.is_object() ? method->self.object() : nullptr)));
  Value shown = find_attribute(method->function, names().qualname);
  if (shown.is_empty()) shown = find_attribute(method->function, names().name);
  std::string name = is_str(shown) ? std::string(text_of(shown)) : "?";
  return make_str(fmt::format("<bound method {} of {}>", name, repr_text(method->self)));
}

Value bound_attribute(const Value& self, Name name) {
  auto* method = self.as<BoundMethod>();
  if (name == names().self) return method->self;
  bool native = self.object()->type() == &BoundMethod::native_type();
  if (name == names().func) return native ? Value() : method->function;
  if (name == names().module && native) return Value::none();
  if (name == names().dict || name == names().doc) return find_attribute(method->function, name);
  Value own = generic_get_attribute(self, name);
  return own.is_empty() ? find_attribute(method->function, name) : own;
}

Value bound_compare(CompareOperator op, const Value& self, const Value& other) {
  if (!other.has_layout(Layout::kBoundMethod)) return Value();
  auto *a = self.as<BoundMethod>(), *b = other.as<BoundMethod>();
  bool same = identical(a->self, b->self) && identical(a->function, b->function);
  if (op == CompareOperator::kEq) return Value::boolean(same);
  if (op == CompareOperator::kNotEq) return Value::boolean(!same);
  return Value();
}

std::int64_t bound_hash(const Value& self) {
  auto* method = self.as<BoundMethod>();
  auto address = [](const Value& v) {
    return v.is_object() ? reinterpret_cast<std::int64_t>(v.object()) >> 4 : hash(v);
  };
  return address(method->self) ^ (address(method->function) * 31);
}

}  // namespace

void ArgumentList::append_all(const Arguments& arguments) {
  values.insert(values.end(), arguments.values, arguments.values + arguments.count);
  keywords.insert(keywords.end(), arguments.keywords, arguments.keywords + arguments.keyword_count);
}

ArgumentList::operator Arguments() const {
  Arguments arguments(values.data(), values.size());
  arguments.keywords = keywords.data();
  arguments.keyword_count = keywords.size();
  return arguments;
}

NativeFunction::NativeFunction(const NativeRow& row, Type* owner)
    : Object(Layout::kNativeFunction, &type_object()),
      row_(row),
      name_(name_in(row.signature)),
      owner_(owner),
      checks_self_(owner && takes_instance(row)) {}

NativeFunction::~NativeFunction() = default;

Type& NativeFunction::type_object() {
  static Type& type = *[] {
    auto* made = new Type("builtin_function_or_method", &Type::object_type());
    made->instance_layout = Layout::kNativeFunction;
    made->slots.call = native_call;
    made->slots.repr = native_repr;
    made->slots.get = native_get;
    made->slots.get_attribute = native_attribute;
    return made;
  }();
  return type;
}

const Signature& NativeFunction::signature() const {
  if (!signature_) signature_ = std::make_unique<Signature>(row_.signature);
  return *signature_;
}

static constinit CallOverride installed_override = nullptr;

void set_call_override(CallOverride override) { installed_override = override; }

Value ask_override(const Value& function, const Arguments& arguments) {
  return installed_override ? installed_override(function, arguments) : Value();
}

Value NativeFunction::attempt(const Arguments& arguments) const {
  if (overridable) {
    Value answer = ask_override(Value(const_cast<NativeFunction*>(this)), arguments);
    if (!answer.is_empty()) return answer;
  }
  return guard ? guard(*this, arguments) : run(arguments);
}

Value NativeFunction::run(const Arguments& arguments) const {
  if (stack_is_low(kStackReserve)) [[unlikely]]
    check_stack();
  if (checks_self_ && arguments.count > 0) {
    Type* type = type_of(arguments.values[0]);
    if (type != owner_ && !type->is_subclass_of(owner_)) {
      const Value* own = method_of_stand_in(*this, *type);
      if (own && own->is_object() && own->object() != this) return call(*own, arguments);
      refuse_self(*this, *type);
    }
  }
  const Signature& expected = signature_ ? *signature_ : signature();
  bool positional = arguments.keyword_count == 0;
  if (positional && expected.takes_exactly(arguments.count)) [[likely]]
    return row_.code(Parameters(arguments.values, arguments.count));
  std::size_t count = expected.parameters().size();
  STRIDER_STACK_ARRAY(Value, slots, static_cast<int>(count));
  if (positional && expected.takes_plainly(arguments.count)) {
    expected.bind_plainly(arguments, slots.data());
  } else {
    check_native_arguments(*this, arguments);
    expected.bind(arguments, slots.data());
  }
  return row_.code(Parameters(slots.data(), count));
}

Value NativeFunction::invoke(const Arguments& arguments) const {
  return landed(attempt(arguments));
}

BoundMethod::BoundMethod(const Value& function_value, const Value& self_value)
    : BoundMethod(
          function_value, self_value,
          function_value.has_layout(Layout::kNativeFunction) ? native_type() : type_object()) {}

BoundMethod::BoundMethod(const Value& function_value, const Value& self_value, Type& type)
    : Container(Layout::kBoundMethod, &type), function(function_value), self(self_value) {}

void BoundMethod::traverse(Visitor& visitor) {
  visitor.visit(function);
  visitor.visit(self);
}

void BoundMethod::clear_references() { self = Value::none(); }

namespace {

Value bound_construct(Type*, const Arguments& arguments) {
  if (arguments.keyword_count > 0) raise(errors::TypeError, "method() takes no keyword arguments");
  if (arguments.count != 2)
    raise(errors::TypeError, "method expected 2 arguments, got {}", arguments.count);
  if (!type_of(arguments.values[0])->slots.call)
    raise(errors::TypeError, "first argument must be callable");
  if (arguments.values[1].is_none()) raise(errors::TypeError, "self must not be None");
  return make<BoundMethod>(arguments.values[0], arguments.values[1], BoundMethod::type_object());
}

void set_up_bound(Type& type) {
  type.instance_layout = Layout::kBoundMethod;
  type.slots.call = bound_call;
  type.slots.repr = bound_repr;
  type.slots.get_attribute = bound_attribute;
  type.slots.compare = bound_compare;
  type.slots.hash = bound_hash;
}

}  // namespace

Type& BoundMethod::type_object() {
  static Type& type = *[] {
    auto* made = new Type("method", &Type::object_type());
    set_up_bound(*made);
    made->slots.construct = bound_construct;
    return made;
  }();
  return type;
}

Type& BoundMethod::native_type() {
  static Type& type = *[] {
    auto* made = new Type("builtin_function_or_method", &NativeFunction::type_object());
    set_up_bound(*made);
    made->slots.get = nullptr;
    made->hidden = true;
    made->stands_for = &NativeFunction::type_object();
    return made;
  }();
  return type;
}

Value call(const Value& callee, const Arguments& arguments) {
  if (auto* slot = type_of(callee)->slots.call) return slot(callee, arguments);
  raise(errors::TypeError, "'{}' object is not callable", type_name(callee));
}

Value attempt_call(const Value& callee, const Arguments& arguments) {
  if (callee.has_layout(Layout::kNativeFunction))
    return callee.as<NativeFunction>()->attempt(arguments);
  if (callee.has_layout(Layout::kType) && callee.object()->type() == &Type::type_object())
    return callee.as<Type>()->attempt_instance(arguments);
  if (callee.has_layout(Layout::kFunction)) return attempt_function(callee, arguments);
  return call(callee, arguments);
}

Value call_method(const Value& object, Name name, const Arguments& arguments) {
  return call(get_attribute(object, name), arguments);
}

}  // namespace strider::lang
