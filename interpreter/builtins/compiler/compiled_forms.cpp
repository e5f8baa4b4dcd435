// Functions with compiled forms: a call goes to the form for the kinds of its arguments. What makes
// forms is npx (stdlib/numba, stdlib/_loops).
#include <unordered_map>
#include <utility>

#include "interpreter/builtins/compiler/compiled_code.h"
#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

struct Form {
  Ref<CodeObject> code;
  std::string letters, results;
  Value failed;
};

class Forms final : public Container {
 public:
  explicit Forms(Type* type) : Container(Layout::kOther, type) {}
  Attributes* attributes() override { return &attributes_; }
  void traverse(Visitor& visitor) override {
    for (auto& [key, form] : by_kinds) visitor.visit(form.failed);
    attributes_.traverse(visitor);
  }
  void clear_references() override {
    by_kinds.clear();
    attributes_.clear();
  }

  std::unordered_map<std::string, Form> by_kinds;

 private:
  Ref<Type> class_{type()};  // keeps the class alive
  Attributes attributes_;
};

// The form for values, or null.
const Form* find_form(const Forms& forms, std::span<const Value> values) {
  if (forms.by_kinds.empty()) return nullptr;
  std::string key;
  for (const Value& each : values)
    if (!describe_kind(key, each)) return nullptr;
  auto found = forms.by_kinds.find(key);
  return found == forms.by_kinds.end() ? nullptr : &found->second;
}

Value call_forms(const Value& self, const Arguments& arguments) {
  static const Name missed = intern("missed");
  Value keep = self;  // what fails may let go of the last reference
  const Form* form =
      arguments.keyword_count == 0 ? find_form(*keep.as<Forms>(), arguments.positional()) : nullptr;
  if (!form) return call_method(keep, missed, arguments);
  Ref<CodeObject> code = form->code;
  return run_code(*code->code, arguments.positional(), form->letters, form->results,
                  Value(form->failed));
}

Value keep_form(const Parameters& p) {
  if (!is_exactly(p[2], CodeObject::type_object())) raise(errors::TypeError, "code is wanted");
  std::string key;
  Iteration values(p[1]);
  for (Value each; values.next(each);)
    if (!describe_kind(key, each)) raise(errors::TypeError, "values of other kinds are wanted");
  p[0].as<Forms>()->by_kinds[key] = {Ref<CodeObject>(p[2].as<CodeObject>()),
                                     std::string(text_of(p[3])), std::string(text_of(p[4])), p[5]};
  return Value::none();
}

const NativeRow kMethods[] = {
    {"keep(self, values, code, letters, results, failed, /)", keep_form,
     "From now on calls with values of the kinds of these run this code, as its run() does. All "
     "others go to missed()."},
};

}  // namespace

Type& compiled_forms_type() {
  static Type& type = *[] {
    Type& made = make_module_type("Forms", "_compiler");
    made.doc = "A function that has compiled forms for some kinds of arguments.";
    made.slots.construct = [](Type* cls, const Arguments&) { return Value(make<Forms>(cls)); };
    made.slots.initialize = [](const Value&, const Arguments&) {};
    made.slots.call = call_forms;
    made.set(Type::kSubclassable);
    made.set(Type::kHasInstanceDict);
    made.add(kMethods);
    return &made;
  }();
  return type;
}

}  // namespace strider::lang
