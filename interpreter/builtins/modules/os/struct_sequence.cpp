// Struct sequences: one class of tuples with named fields per kind of record.
#include "interpreter/builtins/modules/os/struct_sequence.h"

#include <algorithm>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// A class of records; instances find their field names through it.
class RecordType final : public Type {
 public:
  RecordType(const char* name, std::span<const char* const> field_names, std::size_t count)
      : Type(name, &Tuple::type_object()), visible(count) {
    for (const char* field : field_names) fields.push_back(intern(field));
  }
  std::vector<Name> fields;
  std::size_t visible;
};

class Record final : public Tuple {
 public:
  using Tuple::Tuple;
  void traverse(Visitor& visitor) override {
    Tuple::traverse(visitor);
    for (const Value& each : hidden) visitor.visit(each);
  }
  Values hidden;
};

Ref<Record> make_record(std::span<const Value> fields, std::size_t visible, Type* type) {
  Ref<Record> record = make_tuple_of<Record>(visible, type);
  std::copy_n(fields.begin(), visible, record->places());
  record->hidden.assign(fields.begin() + static_cast<std::ptrdiff_t>(visible), fields.end());
  return record;
}

const RecordType& record_type(const Type* type) { return *static_cast<const RecordType*>(type); }

Value record_attribute(const Value& self, Name name) {
  const RecordType& type = record_type(type_of(self));
  const Record& record = *self.as<Record>();
  // From behind: a hidden field may give a better value under the name of an item.
  for (std::size_t i = type.fields.size(); i-- > 0;)
    if (type.fields[i] == name)
      return i < type.visible ? record[i] : record.hidden[i - type.visible];
  return generic_get_attribute(self, name);
}

Value record_repr(const Value& self) {
  const RecordType& type = record_type(type_of(self));
  std::string text = type.module == "builtins" ? "" : type.module + ".";
  text += std::string(plain_name(type)) + "(";
  for (std::size_t i = 0; i < type.visible; ++i) {
    if (i > 0) text += ", ";
    text += fmt::format("{}={}", text_of(type.fields[i]), repr_text((*self.as<Record>())[i]));
  }
  return make_str(text + ")");
}

// Whether an item has its name only behind the items, where that gives a better value.
bool is_unnamed(const RecordType& type, std::size_t index) {
  auto behind = type.fields.begin() + static_cast<std::ptrdiff_t>(type.visible);
  return std::find(behind, type.fields.end(), type.fields[index]) != type.fields.end();
}

Value record_construct(Type* cls, const Arguments& arguments) {
  static const Signature signature("structseq(sequence, dict=<none>)");
  const RecordType& type = record_type(cls);
  Value slots[2];
  bind_constructor(signature, arguments, slots);
  if (!slots[1].is_empty() && !is_dict(slots[1]))
    raise(errors::TypeError, "{}.{}() takes a dict as second arg, if any", type.module,
          plain_name(type));
  Ref<Tuple> given = to_tuple(slots[0]);
  if (given->size() < type.visible || given->size() > type.fields.size())
    raise(errors::TypeError, "{}.{}() takes {} {}-sequence ({}-sequence given)", type.module,
          plain_name(type), given->size() < type.visible ? "an at least" : "an at most",
          given->size() < type.visible ? type.visible : type.fields.size(), given->size());
  Ref<Record> record = make_record(given->items(), type.visible, cls);
  for (std::size_t i = given->size(); i < type.fields.size(); ++i) {
    const Value* named = slots[1].is_empty() ? nullptr : slots[1].as<Dict>()->find(type.fields[i]);
    record->hidden.push_back(named ? *named : Value::none());
  }
  return record;
}

// The class, the items, and what is behind them by name.
Value record_reduce(const Parameters& p) {
  const RecordType& type = record_type(type_of(p[0]));
  const Record& record = *p[0].as<Record>();
  Ref<Dict> behind = make_dict();
  for (std::size_t i = type.visible; i < type.fields.size(); ++i)
    behind->set(Value(type.fields[i]), record.hidden[i - type.visible]);
  Values items(record.items().begin(), record.items().end());
  return make_tuple({Value(type_of(p[0])),
                     Value(make_tuple({Value(make_tuple(std::move(items))), Value(behind)}))});
}

const NativeRow kMethods[] = {
    {"__reduce__(self, /)", record_reduce, "What rebuilds the record."},
};

// What a class of records tells of its fields.
void describe(RecordType& type) {
  Values named;
  for (std::size_t i = 0; i < type.visible; ++i)
    if (!is_unnamed(type, i)) named.emplace_back(type.fields[i]);
  auto tell = [&](const char* name, std::size_t count) {
    type.set_own(intern(name), Value::integer(static_cast<std::int64_t>(count)));
  };
  tell("n_sequence_fields", type.visible);
  tell("n_fields", type.fields.size());
  tell("n_unnamed_fields", type.visible - named.size());
  type.set_own(names().match_args, Value(make_tuple(std::move(named))));
}

}  // namespace

StructSequenceType::StructSequenceType(const char* name, const char* module,
                                       std::span<const char* const> fields, std::size_t visible) {
  auto* type = new RecordType(name, fields, visible);
  type->retain();
  place_in_module(*type, module);
  type->instance_layout = Layout::kTuple;
  type->slots = Tuple::type_object().slots;
  type->slots.repr = record_repr;
  type->slots.get_attribute = record_attribute;
  type->slots.construct = record_construct;
  type->slots.initialize = [](const Value&, const Arguments&) {};
  type->set(Type::kSubclassable, false);
  type->add(kMethods);
  describe(*type);
  type_ = type;
}

Value StructSequenceType::make(Values values) const {
  return make_record(values, record_type(type_).visible, type_);
}

}  // namespace strider::lang
