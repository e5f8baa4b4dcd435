// functools.partial: its calls put the arguments that it holds before and beside those it is given.
#include "interpreter/builtins/modules/functional/partial.h"

#include <algorithm>
#include <vector>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/call/stack_array.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

class Partial final : public Container {
 public:
  explicit Partial(Type* type) : Container(Layout::kOther, type) {}
  Attributes* attributes() override { return &attributes_; }
  void traverse(Visitor& visitor) override {
    visitor.visit(function);
    visitor.visit(given);
    visitor.visit(keywords);
    attributes_.traverse(visitor);
  }
  void clear_references() override {
    function = Value::none();
    given = empty_tuple();
    keywords = make_dict();
    attributes_.clear();
  }
  // The names of the keyword arguments; valid until the dict changes.
  const std::vector<Name>& names() {
    if (names_version_ == keywords->keys_version() && !names_.empty()) return names_;
    names_.clear();
    for (const Dict::Entry& entry : keywords->entries()) {
      if (entry.key.is_empty()) continue;
      if (!is_str(entry.key)) raise(errors::TypeError, "keywords must be strings");
      names_.push_back(intern(text_of(entry.key)));
    }
    names_version_ = keywords->keys_version();
    return names_;
  }

  Value function = Value::none();
  Ref<Tuple> given = empty_tuple();
  Ref<Dict> keywords = make_dict();

 private:
  Ref<Type> class_{type()};  // keeps the class alive
  Attributes attributes_;
  std::vector<Name> names_;
  std::uint64_t names_version_ = 0;
};

Partial& partial_of(const Value& self) { return *self.as<Partial>(); }

// A partial without attributes of its own, which another one may take apart.
Partial* plain_partial(const Value& function) {
  if (!type_of(function)->is_subclass_of(&partial_type())) return nullptr;
  std::vector<std::string_view> names;
  function.object()->attributes()->list_names(names);
  return names.empty() ? &partial_of(function) : nullptr;
}

Value construct_partial(Type* cls, const Arguments& arguments) {
  if (arguments.count == 0) raise(errors::TypeError, "type 'partial' takes at least one argument");
  const Value& function = arguments.values[0];
  if (!is_callable(function)) raise(errors::TypeError, "the first argument must be callable");
  Ref<Partial> made = make<Partial>(cls);
  const Partial* inner = plain_partial(function);
  made->function = inner ? inner->function : function;
  std::size_t before = inner ? inner->given->size() : 0, own = arguments.count - 1;
  Ref<Tuple> given = make_tuple_of<Tuple>(before + own);
  Value* place = given->places();
  if (inner) place = std::copy_n(inner->given->places(), before, place);
  std::copy_n(arguments.values + 1, own, place);
  made->given = given;
  if (inner) made->keywords->update(*inner->keywords);
  for (const KeywordArgument& each : arguments.named()) made->keywords->set(each.name, each.value);
  return made;
}

// Calls with the positional arguments of both sides and these keyword arguments.
Value call_joined(const Partial& self, const Arguments& arguments,
                  std::span<const KeywordArgument> keywords) {
  std::size_t held = self.given->size(), count = held + arguments.count;
  STRIDER_STACK_ARRAY(Value, values, static_cast<int>(count));
  std::copy_n(self.given->places(), held, values.data());
  std::copy_n(arguments.values, arguments.count, values.data() + held);
  Arguments joined(values.data(), count);
  joined.keywords = keywords.data();
  joined.keyword_count = keywords.size();
  return call(Value(self.function), joined);
}

Value call_partial(const Value& self, const Arguments& arguments) {
  Value keep = self;  // the function may let go of the last reference
  Partial& partial = partial_of(keep);
  if (partial.keywords->size() == 0) {
    if (partial.given->size() == 0) return call(Value(partial.function), arguments);
    return call_joined(partial, arguments, arguments.named());
  }
  std::vector<KeywordArgument> keywords;
  keywords.reserve(partial.keywords->size() + arguments.keyword_count);
  for (Name name : partial.names()) keywords.push_back({name, *partial.keywords->find(name)});
  std::size_t held = keywords.size();
  for (const KeywordArgument& each : arguments.named()) {
    auto end = keywords.begin() + static_cast<std::ptrdiff_t>(held);
    auto same = std::ranges::find(keywords.begin(), end, each.name, &KeywordArgument::name);
    if (same == end)
      keywords.push_back(each);
    else
      same->value = each.value;
  }
  return call_joined(partial, arguments, keywords);
}

Value partial_repr(const Value& self) {
  ReprGuard guard(self.object());
  if (guard.inside()) return make_str("...");
  Partial& partial = partial_of(self);
  std::string text(partial.type()->name());
  text += "(" + repr_text(partial.function);
  for (const Value& each : partial.given->items()) text += ", " + repr_text(each);
  for (const Dict::Entry& entry : partial.keywords->entries())
    if (!entry.key.is_empty()) text += ", " + str_text(entry.key) + "=" + repr_text(entry.value);
  return make_str(text + ")");
}

Value partial_reduce(const Parameters& p) {
  Partial& partial = partial_of(p[0]);
  std::vector<std::string_view> names;
  partial.attributes()->list_names(names);
  Value attributes = names.empty() ? Value::none() : Value(partial.attributes()->dict());
  Value state = make_tuple(
      {partial.function, Value(partial.given), Value(partial.keywords), std::move(attributes)});
  return make_tuple(
      {Value(partial.type()), Value(make_tuple({Value(partial.function)})), std::move(state)});
}

Value partial_set_state(const Parameters& p) {
  Partial& partial = partial_of(p[0]);
  auto state = is_tuple(p[1]) ? p[1].as<Tuple>()->items() : std::span<const Value>();
  if (state.size() != 4 || !is_callable(state[0]) || !is_tuple(state[1]) ||
      !(is_dict(state[2]) || state[2].is_none()) || !(is_dict(state[3]) || state[3].is_none()))
    raise(errors::TypeError, "invalid partial state");
  partial.function = state[0];
  Ref<Tuple> given = make_tuple_of<Tuple>(state[1].as<Tuple>()->size());
  std::ranges::copy(state[1].as<Tuple>()->items(), given->places());
  partial.given = given;
  partial.keywords = make_dict();
  if (is_dict(state[2])) partial.keywords->update(*state[2].as<Dict>());
  Ref<Dict> attributes = make_dict();
  if (is_dict(state[3])) attributes = state[3].as<Dict>();
  partial.attributes()->replace(attributes);
  return Value::none();
}

void refuse_to_set(const Value&, const Value&) {
  raise(errors::AttributeError, "readonly attribute");
}

const PropertyRow kProperties[] = {
    {"func", [](const Value& self) { return partial_of(self).function; }, refuse_to_set,
     "function object to use in future partial calls"},
    {"args", [](const Value& self) { return Value(partial_of(self).given); }, refuse_to_set,
     "tuple of arguments to future partial calls"},
    {"keywords", [](const Value& self) { return Value(partial_of(self).keywords); }, refuse_to_set,
     "dictionary of keyword arguments to future partial calls"},
};

const NativeRow kMethods[] = {
    {"__reduce__(self, /)", partial_reduce, "What rebuilds it."},
    {"__setstate__(self, state, /)", partial_set_state, "Takes the state that __reduce__ gave."},
    {"classmethod __class_getitem__(cls, item, /)", class_getitem, "See PEP 585."},
};

}  // namespace

Type& partial_type() {
  static Type& type = *[] {
    Type& made = make_module_type("partial", "functools");
    made.doc =
        "partial(func, *args, **keywords) - new function with partial application\n"
        "    of the given arguments and keywords.\n";
    made.slots.construct = construct_partial;
    made.slots.initialize = [](const Value&, const Arguments&) {};
    made.slots.call = call_partial;
    made.slots.repr = partial_repr;
    made.set(Type::kSubclassable);
    made.set(Type::kHasInstanceDict);
    made.add(kProperties);
    made.add(kMethods);
    return &made;
  }();
  return type;
}

}  // namespace strider::lang
