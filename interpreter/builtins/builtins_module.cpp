// The module builtins: functions, types and exceptions that every program sees.
#include <array>

#include "interpreter/builtins/functions.h"
#include "interpreter/builtins/modules/io/io_open.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/builtins/site_objects.h"
#include "interpreter/builtins/streams.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/bytes/memory_view.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/objects/property.h"
#include "interpreter/types/objects/super.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/sequences/sequence_iterator.h"
#include "interpreter/types/sets/set.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

struct TypeRow {
  const char* name;
  Type& (*type)();
};

const TypeRow kTypes[] = {
    {"object", Type::object_type},
    {"type", Type::type_object},
    {"int", int_type},
    {"bool", bool_type},
    {"float", float_type},
    {"complex", Complex::type_object},
    {"str", Str::type_object},
    {"bytes", Bytes::type_object},
    {"bytearray", ByteArray::type_object},
    {"list", List::type_object},
    {"tuple", Tuple::type_object},
    {"dict", Dict::type_object},
    {"set", Set::set_type},
    {"frozenset", Set::frozenset_type},
    {"range", Range::type_object},
    {"slice", Slice::type_object},
    {"property", Property::type_object},
    {"classmethod", ClassMethod::type_object},
    {"staticmethod", StaticMethod::type_object},
    {"super", Super::type_object},
    {"enumerate", enumerate_type},
    {"zip", zip_type},
    {"map", map_type},
    {"filter", filter_type},
    {"reversed", reversed_type},
    {"memoryview", memory_view_type},
    {"BaseException", errors::BaseException},
    {"IOError", errors::OSError},
    {"EnvironmentError", errors::OSError},
#define EXCEPTION(name, base) {#name, errors::name},
#include "interpreter/runtime/error/exceptions.def"
};

std::array<std::span<const NativeRow>, 5> function_tables() {
  return {std::span(kObjectFunctions, kObjectFunctionCount),
          std::span(kCollectionFunctions, kCollectionFunctionCount),
          std::span(kNumberFunctions, kNumberFunctionCount),
          std::span(kCodeFunctions, kCodeFunctionCount),
          std::span(kOpenFunctions, kOpenFunctionCount)};
}

// What the parser writes async functions and `except*` with.
Value find_helper(std::string_view text) {
  for (const char* module : {"_asynchronous", "_exceptiongroups"})
    if (Value found = find_attribute(import_module(module), intern(text)); !found.is_empty())
      return found;
  return Value();
}

// Built-in names that are written in the language.
constexpr std::string_view kWritten[] = {"aiter", "anext"};

Value find_builtin(Name name) {
  std::string_view text = text_of(name);
  for (const TypeRow& row : kTypes)
    if (text == row.name) return Value(&row.type());
  for (std::span<const NativeRow> rows : function_tables()) {
    for (const NativeRow& row : rows) {
      std::string_view signature = row.signature;
      if (signature.substr(0, signature.find('(')) != text) continue;
      Ref<NativeFunction> function = make<NativeFunction>(row, nullptr);
      function->module = "builtins";
      return function;
    }
  }
  if (Value site = site_object(text); !site.is_empty()) return site;
  if (text == "NotImplemented") return not_implemented();
  if (text == "Ellipsis") return ellipsis();
  if (text == "__debug__") return Value::boolean(Interpreter::current().optimize == 0);
  if (text == "ExceptionGroup" || text == "BaseExceptionGroup")
    return get_attribute(import_module("_exceptiongroups"), name);
  for (std::string_view written : kWritten)
    if (text == written) return get_attribute(import_module("_builtins"), name);
  if (text.starts_with('.')) return find_helper(text.substr(1));
  return Value();
}

void list_builtins(std::vector<std::string_view>& names) {
  for (const TypeRow& row : kTypes) names.push_back(row.name);
  for (std::span<const NativeRow> rows : function_tables())
    for (const NativeRow& row : rows) {
      std::string_view signature = row.signature;
      names.push_back(signature.substr(0, signature.find('(')));
    }
  names.insert(names.end(), std::begin(kSiteObjects), std::end(kSiteObjects));
  names.insert(names.end(), std::begin(kWritten), std::end(kWritten));
  names.insert(names.end(), {"NotImplemented", "Ellipsis", "ExceptionGroup", "BaseExceptionGroup"});
}

}  // namespace

const NativeModule kBuiltinsModule = {
    "builtins",   "Functions, types and exceptions that every program sees.", {}, {}, find_builtin,
    list_builtins};

void display_value(const Value& value) {
  if (value.is_none()) return;
  if (const auto& show = Interpreter::current().show_value) return show(value);
  Module& builtins = *import_module("builtins").as<Module>();
  Value stream = standard_output();
  write_to(stream, repr_text(value));
  write_to(stream, "\n");
  builtins.dict().set(names().underscore, value);
}

void display_entry(const Value& value) {
  static const Name sys = intern("sys"), hook = intern("displayhook");
  Value* loaded = Interpreter::current().modules->find(Value(sys));
  Value* chosen = loaded && loaded->has_layout(Layout::kModule)
                      ? loaded->as<Module>()->dict().find(hook)
                      : nullptr;
  if (chosen && !chosen->has_layout(Layout::kNativeFunction))
    call(Value(*chosen), value);
  else
    display_value(value);
}

}  // namespace strider::lang
