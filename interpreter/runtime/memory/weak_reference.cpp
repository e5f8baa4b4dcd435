// A table on the side knows who refers weakly to whom; an object itself only has a mark.
#include "interpreter/runtime/memory/weak_reference.h"

#include <algorithm>
#include <unordered_map>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/objects/overriding.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using Table = std::unordered_map<Object*, std::vector<WeakReference*>>;

// Never destroyed: objects may outlive any static.
Table& table() {
  static thread_local Table* const instance = new Table;
  return *instance;
}

// Whether a class written in the language has room for weak references: all have that are not of
// slots alone.
bool names_weak_references(const Type& type) {
  static const Name weakref = intern("__weakref__");
  return !type.has(Type::kSlotsOnly) || type.lookup(weakref);
}

// Whether CPython's type has room for weak references.
bool can_be_referred_to(const Value& value) {
  if (!value.is_object()) return false;
  Type& type = *type_of(value);
  bool of_class = type.has(Type::kUserDefined) && names_weak_references(type);
  switch (value.object()->layout()) {
    case Layout::kStr:
    case Layout::kList:
    case Layout::kDict:
    case Layout::kException:
    case Layout::kFloatBox:
    case Layout::kComplex:
      return of_class;
    case Layout::kInstance:
      return names_weak_references(type);
    case Layout::kBytes:
    case Layout::kByteArray:
    case Layout::kBigInt:
    case Layout::kIntBox:
    case Layout::kTuple:
    case Layout::kRange:
    case Layout::kSlice:
    case Layout::kCell:
    case Layout::kIterator:
    case Layout::kNumpyScalar:
    case Layout::kDType:
    case Layout::kUfunc:
      return false;
    default:
      return true;
  }
}

WeakReference& weak(const Value& self) { return *self.as<WeakReference>(); }

Value construct_reference(Type* cls, const Arguments& given) {
  Arguments arguments = arguments_for_builtin(given, *cls, names().init);
  if (arguments.keyword_count) raise(errors::TypeError, "ref() takes no keyword arguments");
  if (arguments.count < 1 || arguments.count > 2)
    raise(errors::TypeError, "__new__ expected {} {} argument{}, got {}",
          arguments.count < 1 ? "at least" : "at most", arguments.count < 1 ? 1 : 2,
          arguments.count < 1 ? "" : "s", arguments.count);
  bool told = arguments.count == 2 && !arguments.values[1].is_none();
  return WeakReference::to(arguments.values[0], told ? arguments.values[1] : Value(), cls);
}

// What the reference is of was told to its constructor; subclasses repeat it.
void check_initialization(const Value&, const Arguments& arguments) {
  if (arguments.count < 1 || arguments.count > 2)
    raise(errors::TypeError, "__init__ expected {} {} argument{}, got {}",
          arguments.count < 1 ? "at least" : "at most", arguments.count < 1 ? 1 : 2,
          arguments.count < 1 ? "" : "s", arguments.count);
}

Value call_reference(const Value& self, const Arguments& arguments) {
  if (arguments.count + arguments.keyword_count > 0)
    raise(errors::TypeError, "ref expected 0 arguments, got {}",
          arguments.count + arguments.keyword_count);
  Value target = weak(self).target();
  return target.is_empty() ? Value::none() : target;
}

Value reference_repr(const Value& self) {
  Value target = weak(self).target();
  const void* place = self.object();
  if (target.is_empty()) return make_str(fmt::format("<weakref at {}; dead>", place));
  return make_str(fmt::format("<weakref at {}; to '{}' at {}>", place, type_name(target),
                              static_cast<const void*>(target.object())));
}

Value compare_references(CompareOperator op, const Value& self, const Value& other) {
  bool asks_equality = op == CompareOperator::kEq || op == CompareOperator::kNotEq;
  if (!asks_equality || !is_instance(other, WeakReference::type_object())) return Value();
  Value left = weak(self).target(), right = weak(other).target();
  bool gone = left.is_empty() || right.is_empty();
  bool same = gone ? identical(self, other) : equal(left, right);
  return Value::boolean(same == (op == CompareOperator::kEq));
}

const PropertyRow kReferenceAttributes[] = {
    {"__callback__",
     [](const Value& self) {
       const Value& callback = weak(self).callback();
       return callback.is_empty() ? Value::none() : callback;
     },
     nullptr, "What is called when the object goes."},
};

}  // namespace

WeakReference::WeakReference(Object* target, const Value& callback, Type* type)
    : Container(Layout::kOther, type), target_(target), callback_(callback) {
  target->set_weakly_referenced(true);
  table()[target].push_back(this);
}

WeakReference::~WeakReference() {
  if (!target_) return;
  auto found = table().find(target_);
  std::erase(found->second, this);
  if (!found->second.empty()) return;
  table().erase(found);
  target_->set_weakly_referenced(false);
}

Ref<WeakReference> WeakReference::to(const Value& target, const Value& callback, Type* type) {
  if (!can_be_referred_to(target))
    raise(errors::TypeError, "cannot create weak reference to '{}' object", type_name(target));
  Object* object = target.object();
  if (type != &type_object()) return make<Attributed<WeakReference>>(object, callback, type);
  if (callback.is_empty() && object->weakly_referenced())
    for (WeakReference* known : table()[object])
      if (known->callback_.is_empty() && known->type() == type && known->references() > 0)
        return known;
  return new WeakReference(object, callback, type);
}

Type& WeakReference::type_object() {
  static Type& type = *[] {
    auto* made = new Type("ReferenceType", &Type::object_type());
    made->retain();  // for the life of the process
    made->module = "weakref";
    made->set_name("weakref.ReferenceType");
    made->set(Type::kSubclassable);
    made->slots.construct = construct_reference;
    made->slots.initialize = check_initialization;
    made->slots.call = call_reference;
    made->slots.repr = reference_repr;
    made->slots.compare = compare_references;
    made->slots.hash = [](const Value& self) { return weak(self).hash(); };
    made->add(kReferenceAttributes);
    make_subscriptable(*made);
    return made;
  }();
  return type;
}

std::int64_t WeakReference::hash() {
  if (hash_ == -1) {
    if (!target_) raise(errors::TypeError, "weak object has gone away");
    hash_ = lang::hash(Value(target_));
  }
  return hash_;
}

Values weak_references_to(const Value& target) {
  Values result;
  if (!target.is_object() || !target.object()->weakly_referenced()) return result;
  for (WeakReference* each : table()[target.object()])
    if (each->references() > 0) result.emplace_back(each);
  return result;
}

Values empty_weak_references(Object* object) {
  Values to_call;
  object->set_weakly_referenced(false);
  auto found = table().find(object);
  if (found == table().end()) return to_call;
  for (WeakReference* each : found->second) {
    each->target_ = nullptr;
    bool goes_too = each->references() == 0;
    if (!each->callback_.is_empty() && !goes_too) to_call.emplace_back(each);
  }
  table().erase(found);
  std::reverse(to_call.begin(), to_call.end());  // the latest first
  return to_call;
}

void call_back(const Values& references, bool keep) {
  if (!Interpreter::exists() || references.empty()) return;
  RaisedAside aside;
  for (const Value& reference : references) {
    Value callback = keep ? weak(reference).callback() : weak(reference).take_callback();
    try {
      call(callback, reference);
    } catch (const Raised& raised) {
      report_unraisable(*raised.exception, callback);
    }
  }
}

void forget_weak_references(Object* object) { call_back(empty_weak_references(object), false); }

}  // namespace strider::lang
