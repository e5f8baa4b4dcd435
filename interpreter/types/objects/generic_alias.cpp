// Generic aliases and unions of types: kept for annotations and isinstance.
#include "interpreter/types/objects/generic_alias.h"

#include "interpreter/runtime/program/import.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/objects/singletons.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/sets/set.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

class GenericAlias final : public Container {
 public:
  GenericAlias(const Value& origin, const Ref<Tuple>& arguments)
      : Container(Layout::kOther, &generic_alias_type()), origin(origin), arguments(arguments) {}
  void traverse(Visitor& visitor) override {
    visitor.visit(origin);
    visitor.visit(arguments);
  }
  void clear_references() override { arguments = empty_tuple(); }
  Value origin;
  Ref<Tuple> arguments;
};

class Union final : public Container {
 public:
  explicit Union(const Ref<Tuple>& members)
      : Container(Layout::kOther, &union_type()), members(members) {}
  void traverse(Visitor& visitor) override { visitor.visit(members); }
  void clear_references() override { members = empty_tuple(); }
  Ref<Tuple> members;
};

const GenericAlias& alias_of(const Value& value) { return *value.as<GenericAlias>(); }
const Union& union_of(const Value& value) { return *value.as<Union>(); }

// A type as annotations show it: builtins by name, others with their module.
std::string shown(const Value& item) {
  if (identical(item, ellipsis())) return "...";
  if (item.is_none() || (item.is_object() && item.object() == &none_type())) return "None";
  if (!item.has_layout(Layout::kType)) return repr_text(item);
  const Type& type = *item.as<Type>();
  std::string name = type.qualified_name.empty() ? std::string(type.name()) : type.qualified_name;
  return type.module == "builtins" ? name : type.module + "." + name;
}

std::string listed(std::span<const Value> items) {
  std::string text;
  for (const Value& item : items) text += (text.empty() ? "" : ", ") + shown(item);
  return text;
}

bool is_callable_class(const Value& origin) {
  return origin.has_layout(Layout::kType) && origin.as<Type>()->name() == "Callable";
}

// Callable[[int, str], bool] keeps its parameters and its result in one tuple. A single one may be
// what stands for all: `...`, a ParamSpec, Concatenate[].
bool lists_parameters(const Value& origin, std::span<const Value> items) {
  if (items.empty() || !is_callable_class(origin)) return false;
  if (items.size() != 2 || items[0].has_layout(Layout::kType)) return true;
  std::string text = shown(items[0]);
  return text != "..." && type_name(items[0]) != "ParamSpec" &&
         !text.starts_with("typing.Concatenate");
}

Value alias_repr(const Value& self) {
  std::string text = shown(alias_of(self).origin);
  std::span<const Value> items = alias_of(self).arguments->items();
  if (lists_parameters(alias_of(self).origin, items))
    return make_str(fmt::format("{}[[{}], {}]", text, listed(items.first(items.size() - 1)),
                                shown(items.back())));
  return make_str(fmt::format("{}[{}]", text, items.empty() ? "()" : listed(items)));
}

bool is_variable(const Value& value) {
  static const Name substitute = intern("__typing_subst__");
  return !value.has_layout(Layout::kType) && !find_attribute(value, substitute).is_empty();
}

// The type variables in an argument: itself, or those of an alias.
Ref<Tuple> variables_in(const Value& value) {
  static const Name parameters = intern("__parameters__");
  if (is_variable(value)) return make_tuple({value});
  if (value.has_layout(Layout::kType)) return empty_tuple();
  Value inner = find_attribute(value, parameters);
  return is_tuple(inner) ? Ref<Tuple>(inner.as<Tuple>()) : empty_tuple();
}

Ref<Tuple> variables_of(const Ref<Tuple>& arguments) {
  Values found;
  for (const Value& argument : arguments->items()) {
    Ref<Tuple> inner = variables_in(argument);
    for (const Value& variable : inner->items())
      if (!contains_item(found, variable)) found.push_back(variable);
  }
  return make_tuple(std::move(found));
}

bool has_flag(const Value& value, Name flag) {
  if (value.has_layout(Layout::kType)) return false;
  Value found = find_attribute(value, flag);
  return !found.is_empty() && truth(found);
}

// The types of a tuple that is unpacked, where all of them are known; Empty for other values.
Value unpacked_types(const Value& value) {
  static const Name types = intern("__typing_unpacked_tuple_args__");
  if (value.has_layout(Layout::kType)) return Value();
  Value found = find_attribute(value, types);
  if (!is_tuple(found)) return Value();
  std::span<const Value> items = found.as<Tuple>()->items();
  return items.empty() || shown(items.back()) != "..." ? found : Value();
}

Value without_tuples(const Value& given) {
  if (!is_tuple(given)) return without_tuples(Value(make_tuple({given})));
  Values result;
  for (const Value& value : given.as<Tuple>()->items()) {
    Value types = unpacked_types(value);
    if (types.is_empty()) {
      result.push_back(value);
      continue;
    }
    for (const Value& item : types.as<Tuple>()->items()) result.push_back(item);
  }
  return make_tuple(std::move(result));
}

// What is between the brackets, one value for each type variable: those that take several have
// theirs in a tuple.
Ref<Tuple> grouped(const Value& self, const Ref<Tuple>& variables, const Value& given) {
  static const Name prepare = intern("__typing_prepare_subst__");
  Value values = without_tuples(given);
  for (const Value& variable : variables->items())
    if (!find_attribute(variable, prepare).is_empty())
      values = call_method(variable, prepare, self, values);
  return Ref<Tuple>(values.as<Tuple>());
}

Ref<Dict> places_of(const Value& self, const Ref<Tuple>& variables, const Value& given) {
  Ref<Tuple> values = grouped(self, variables, given);
  std::size_t expected = variables->items().size(), count = values->items().size();
  if (count != expected)
    raise(errors::TypeError, "Too {} arguments for {}; actual {}, expected {}",
          count > expected ? "many" : "few", repr_text(self), count, expected);
  Ref<Dict> places = make_dict();
  for (std::size_t i = 0; i < count; ++i) places->set(variables->items()[i], values->items()[i]);
  return places;
}

// One argument with values in the places of its type variables.
Value replaced(const Value& argument, const Ref<Dict>& places) {
  static const Name substitute = intern("__typing_subst__"), several = intern("_takes_several");
  if (is_variable(argument)) return call_method(argument, substitute, *places->find(argument));
  Ref<Tuple> inner = variables_in(argument);
  Values chosen;
  for (const Value& variable : inner->items()) {
    const Value& value = *places->find(variable);
    if (!has_flag(variable, several)) {
      chosen.push_back(value);
      continue;
    }
    for (const Value& item : value.as<Tuple>()->items()) chosen.push_back(item);
  }
  if (inner->items().empty()) return argument;
  return get_item(argument, Value(make_tuple(std::move(chosen))));
}

// Each argument with the type variables replaced by what is between the brackets.
Values substituted(const Value& self, const Ref<Tuple>& arguments, const Value& given) {
  static const Name unpacked = intern("__typing_is_unpacked_typevartuple__");
  Ref<Tuple> variables = variables_of(arguments);
  if (variables->items().empty())
    raise(errors::TypeError, "{} is not a generic class", repr_text(self));
  Ref<Dict> places = places_of(self, variables, given);
  bool takes_lists = is_callable_class(alias_of(self).origin);
  Values result;
  for (const Value& argument : arguments->items()) {
    Value made = replaced(argument, places);
    if (!is_tuple(made) || !(takes_lists || has_flag(argument, unpacked))) {
      result.push_back(made);
      continue;
    }
    for (const Value& item : made.as<Tuple>()->items()) result.push_back(item);
  }
  return result;
}

Value alias_get_item(const Value& self, const Value& given) {
  const GenericAlias& alias = alias_of(self);
  return make<GenericAlias>(alias.origin, make_tuple(substituted(self, alias.arguments, given)));
}

Value alias_reduce(const Parameters& p) {
  const GenericAlias& alias = alias_of(p[0]);
  return make_tuple(
      {Value(&generic_alias_type()), Value(make_tuple({alias.origin, Value(alias.arguments)}))});
}

const NativeRow kAliasMethods[] = {
    {"__mro_entries__(self, bases, /)",
     [](const Parameters& p) { return Value(make_tuple({alias_of(p[0]).origin})); },
     "The class that stands for the alias among the bases of a class."},
    {"__reduce__(self, /)", alias_reduce, "For pickle and copy."},
};

Value alias_call(const Value& self, const Arguments& arguments) {
  return call(alias_of(self).origin, arguments);
}

Value alias_compare(CompareOperator op, const Value& self, const Value& other) {
  bool equality = op == CompareOperator::kEq || op == CompareOperator::kNotEq;
  if (!equality || !is_exactly(other, generic_alias_type())) return Value();
  bool same = equal(alias_of(self).origin, alias_of(other).origin) &&
              equal(Value(alias_of(self).arguments), Value(alias_of(other).arguments));
  return Value::boolean(same == (op == CompareOperator::kEq));
}

std::int64_t alias_hash(const Value& self) {
  return hash(alias_of(self).origin) ^ hash(Value(alias_of(self).arguments));
}

Value alias_get_attribute(const Value& self, Name name) {
  static const Name class_name = names().class_;
  Value found = generic_get_attribute(self, name);
  if (!found.is_empty() || name == class_name) return found;
  return find_attribute(alias_of(self).origin, name);
}

// *list[int] among other arguments: the one item is what Unpack makes of the alias.
Value alias_iterate(const Value& self) {
  Value unpack = get_attribute(import_module("typing"), intern("Unpack"));
  return iterate(make_tuple({get_item(unpack, self)}));
}

Value alias_construct(Type*, const Arguments& arguments) {
  check_arity(arguments, "GenericAlias", 2, 2);
  return make_generic_alias(arguments.values[0], arguments.values[1]);
}

Value union_operator(BinaryOperator op, const Value& self, const Value& other) {
  return op == BinaryOperator::kBitOr ? make_union(self, other) : Value();
}

Value union_reflected(BinaryOperator op, const Value& self, const Value& other) {
  return op == BinaryOperator::kBitOr ? make_union(other, self) : Value();
}

constexpr PropertyRow kAliasProperties[] = {
    {"__origin__", [](const Value& self) { return alias_of(self).origin; }, nullptr,
     "The class that was subscripted."},
    {"__args__", [](const Value& self) { return Value(alias_of(self).arguments); }, nullptr,
     "The arguments, as a tuple."},
    {"__parameters__",
     [](const Value& self) { return Value(variables_of(alias_of(self).arguments)); }, nullptr,
     "The type variables."},
};

Value union_repr(const Value& self) {
  std::string text;
  for (const Value& member : union_of(self).members->items()) {
    if (!text.empty()) text += " | ";
    text += shown(member);
  }
  return make_str(std::move(text));
}

Ref<Set> members_as_set(const Value& value) {
  Ref<Set> set = make<Set>(true);
  set->update(Value(union_of(value).members));
  return set;
}

Value union_compare(CompareOperator op, const Value& self, const Value& other) {
  bool equality = op == CompareOperator::kEq || op == CompareOperator::kNotEq;
  if (!equality || !is_exactly(other, union_type())) return Value();
  return compare(op, Value(members_as_set(self)), Value(members_as_set(other)));
}

constexpr PropertyRow kUnionProperties[] = {
    {"__args__", [](const Value& self) { return Value(union_of(self).members); }, nullptr,
     "The member types, as a tuple."},
    {"__parameters__",
     [](const Value& self) { return Value(variables_of(union_of(self).members)); }, nullptr,
     "The type variables."},
};

Value union_get_item(const Value& self, const Value& given) {
  Values members = substituted(self, union_of(self).members, given);
  Value joined = members[0];
  for (std::size_t i = 1; i < members.size(); ++i)
    joined = binary(BinaryOperator::kBitOr, joined, members[i]);
  return joined;
}

// operator.or_ over the members.
Value union_reduce(const Parameters& p) {
  Value functools = import_module("functools"), operators = import_module("operator");
  return make_tuple({get_attribute(functools, intern("reduce")),
                     Value(make_tuple({get_attribute(operators, intern("or_")),
                                       Value(union_of(p[0]).members)}))});
}

const NativeRow kUnionMethods[] = {
    {"__reduce__(self, /)", union_reduce, "For pickle and copy."},
};

bool can_be_member(const Value& value) {
  return value.is_none() || value.has_layout(Layout::kType) ||
         is_exactly(value, generic_alias_type()) || is_exactly(value, union_type());
}

void add_members(Values& members, const Value& value) {
  if (is_exactly(value, union_type())) {
    for (const Value& member : union_of(value).members->items()) add_members(members, member);
    return;
  }
  Value member = value.is_none() ? Value(&none_type()) : value;
  if (!contains_item(members, member)) members.push_back(member);
}

}  // namespace

Type& generic_alias_type() {
  static bool ready = false;
  static Type& type = new_type("GenericAlias", Type::object_type());
  if (ready) return type;
  ready = true;
  type.module = "types";
  type.doc = "A generic type with its arguments: list[int].";
  type.slots.repr = alias_repr;
  type.slots.call = alias_call;
  type.slots.compare = alias_compare;
  type.slots.hash = alias_hash;
  type.slots.get_attribute = alias_get_attribute;
  type.slots.binary = union_operator;
  type.slots.reflected = union_reflected;
  type.slots.operators = {"|", "|", ""};
  type.slots.construct = alias_construct;
  type.slots.get_item = alias_get_item;
  type.slots.iterate = alias_iterate;
  type.add(kAliasProperties);
  type.add(kAliasMethods);
  return type;
}

Value make_generic_alias(const Value& origin, const Value& item) {
  Ref<Tuple> arguments = is_tuple(item) ? Ref<Tuple>(item.as<Tuple>()) : make_tuple({item});
  return make<GenericAlias>(origin, arguments);
}

Value make_generic_alias(const Value& origin, const Value& item, std::size_t least,
                         std::size_t most) {
  std::size_t count = is_tuple(item) ? item.as<Tuple>()->size() : 1;
  if (count < least || count > most)
    raise(errors::TypeError, "Too {} arguments for {}", count < least ? "few" : "many",
          origin.as<Type>()->name());
  return make_generic_alias(origin, item);
}

Value class_getitem(const Parameters& parameters) {
  return make_generic_alias(parameters[0], parameters[1]);
}

void make_subscriptable(Type& type) {
  static constexpr NativeRow kRow[] = {
      {"classmethod __class_getitem__(cls, item, /)", class_getitem, "See PEP 585."}};
  type.add(kRow);
}

Type& union_type() {
  static bool ready = false;
  static Type& type = new_type("UnionType", Type::object_type());
  if (ready) return type;
  ready = true;
  type.module = "types";
  type.set_name("types.UnionType");
  type.doc = "Several types one of which is meant: int | str.";
  type.slots.repr = union_repr;
  type.slots.compare = union_compare;
  type.slots.hash = [](const Value& self) { return hash(Value(members_as_set(self))); };
  type.slots.binary = union_operator;
  type.slots.reflected = union_reflected;
  type.slots.operators = {"|", "|", ""};
  type.slots.get_item = union_get_item;
  type.add(kUnionProperties);
  type.add(kUnionMethods);
  return type;
}

Value make_union(const Value& left, const Value& right) {
  if (!can_be_member(left) || !can_be_member(right)) return Value();
  Values members;
  add_members(members, left);
  add_members(members, right);
  if (members.size() == 1) return members[0];
  return make<Union>(make_tuple(std::move(members)));
}

Value union_members(const Value& value) {
  Values members;
  for (const Value& member : union_of(value).members->items())
    members.push_back(member.is_none() ? Value(type_of(member)) : member);
  return make_tuple(std::span<const Value>(members));
}

}  // namespace strider::lang
