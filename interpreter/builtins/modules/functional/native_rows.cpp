// What native modules share.
#include "interpreter/builtins/modules/functional/native_rows.h"

#include "interpreter/runtime/call/call.h"

namespace strider::lang {
namespace {

std::string_view name_of(const NativeRow& row) {
  std::string_view signature = row.signature;
  return signature.substr(0, signature.find('('));
}

}  // namespace

Value make_native_function(std::span<const NativeRow> rows, Name name, std::string_view module) {
  for (const NativeRow& row : rows) {
    if (name_of(row) != text_of(name)) continue;
    Ref<NativeFunction> function = make<NativeFunction>(row, nullptr);
    function->module = module;
    return function;
  }
  return Value();
}

void list_function_names(std::span<const NativeRow> rows, std::vector<std::string_view>& names) {
  for (const NativeRow& row : rows) names.push_back(name_of(row));
}

void place_in_module(Type& type, const char* module) {
  type.module = module;
  type.set_name(fmt::format("{}.{}", module, type.qualified_name));
}

std::string_view plain_name(const Type& type) {
  return type.name().substr(type.name().rfind('.') + 1);
}

Type& make_module_type(std::string_view name, const char* module, Type& base) {
  auto* type = new Type(name, &base);
  type->retain();
  place_in_module(*type, module);
  type->instance_layout =
      base.instance_layout == Layout::kInstance ? Layout::kOther : base.instance_layout;
  return *type;
}

}  // namespace strider::lang
