// Module: a namespace of names, filled by running a file or, lazily, from tables of native
// functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/memory/collector.h"
#include "interpreter/runtime/type/type.h"

namespace strider::lang {

class Dict;

// A constant of a native module, made when first read.
struct ConstantRow {
  const char* name;
  Value (*make)();
};

// The contents of a module written in C++.
struct NativeModule {
  const char* name;
  const char* doc;
  std::span<const NativeRow> functions;
  std::span<const ConstantRow> constants;
  // Asked for names that the tables lack (submodules, functions written in npx); Empty: no such
  // name. May be null.
  Value (*find)(Name name) = nullptr;
  // Lists the names that `find` knows, for dir() and suggestions. May be null.
  void (*list)(std::vector<std::string_view>& names) = nullptr;
};

class Module : public Container {
 public:
  explicit Module(std::string_view name, const NativeModule* native = nullptr,
                  Type* type = &type_object());
  static Type& type_object();

  std::string_view name() const { return name_; }
  // Gives a module that a program makes its name and documentation.
  void describe(std::string_view name, const Value& doc);
  const NativeModule* native() const { return native_; }
  Dict& dict() const { return *dict_; }
  const Ref<Dict>& dict_ref() const { return dict_; }
  // The variable, made from the native tables if it is not there yet; Empty if unknown. Module
  // __getattr__ included.
  Value find(Name name);
  void list_names(std::vector<std::string_view>& names) const;
  // What an AttributeError says of a name that is not there.
  std::string without(Name name) const;

  void traverse(Visitor& visitor) override;
  void clear_references() override;

 private:
  Value make_native(Name name);
  std::string name_;
  Ref<Dict> dict_;
  const NativeModule* native_;
  Ref<Type> class_;  // kept alive
};

}  // namespace strider::lang
