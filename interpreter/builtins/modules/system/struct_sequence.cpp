// Struct sequences: one class of tuples with named fields per kind of record.
#include "interpreter/builtins/modules/system/struct_sequence.h"

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
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

Value record_construct(Type* cls, const Arguments& arguments) {
  const RecordType& type = record_type(cls);
  if (arguments.count != 1)
    raise(errors::TypeError, "{} expected 1 argument, got {}", plain_name(type), arguments.count);
  Ref<Tuple> given = to_tuple(arguments.values[0]);
  if (given->size() < type.visible || given->size() > type.fields.size())
    raise(errors::TypeError, "{}.{}() takes {} {}-sequence ({}-sequence given)", type.module,
          plain_name(type), given->size() < type.visible ? "an at least" : "an at most",
          given->size() < type.visible ? type.visible : type.fields.size(), given->size());
  Ref<Record> record = make_record(given->items(), type.visible, cls);
  record->hidden.resize(type.fields.size() - type.visible, Value::none());
  return record;
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
  type_ = type;
}

Value StructSequenceType::make(Values values) const {
  return make_record(values, record_type(type_).visible, type_);
}

}  // namespace strider::lang
