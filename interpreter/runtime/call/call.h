// Calls: how arguments travel, and how native functions declare and receive them.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/runtime/memory/collector.h"
#include "interpreter/runtime/value/name.h"
#include "interpreter/runtime/value/value.h"
#include "interpreter/runtime/value/values.h"

namespace strider::lang {

struct KeywordArgument {
  Name name;
  Value value;
};

// The arguments of one call, owned by the caller.
struct Arguments {
  const Value* values = nullptr;
  std::size_t count = 0;
  const KeywordArgument* keywords = nullptr;
  std::size_t keyword_count = 0;

  Arguments() = default;
  Arguments(const Value* first, std::size_t size) : values(first), count(size) {}
  explicit Arguments(std::span<const Value> positional)
      : values(positional.data()), count(positional.size()) {}
  std::span<const Value> positional() const { return {values, count}; }
  std::span<const KeywordArgument> named() const { return {keywords, keyword_count}; }
};

// Positional and keyword arguments collected one by one (star-arguments, partial application).
class ArgumentList {
 public:
  Values values;
  std::vector<KeywordArgument> keywords;
  void append_all(const Arguments& arguments);
  operator Arguments() const;
};

// What a native function receives: one value per parameter of its signature, in order. Absent
// optional parameters without a default are Empty; *args is a Tuple, **kwargs a Dict.
class Parameters {
 public:
  Parameters(const Value* values, std::size_t count) : values_(values), count_(count) {}
  const Value& operator[](std::size_t index) const { return values_[index]; }
  bool has(std::size_t index) const { return !values_[index].is_empty(); }
  std::size_t count() const { return count_; }

 private:
  const Value* values_;
  std::size_t count_;
};

using NativeCode = Value (*)(const Parameters& parameters);

// A row of a table of native functions or methods. The signature is Python's:
//   "append(self, object, /)", "sum(iterable, /, start=0)", "print(*values, sep=' ', end='\n')".
// Defaults are literals: None, True, False, numbers, strings, (), or <none> for "absent" (Empty).
// A leading "classmethod " or "staticmethod " says so.
struct NativeRow {
  const char* signature;
  NativeCode code;
  const char* doc;
};

// An attribute computed by native code; `set` may be null (read-only) and gets Empty to delete.
struct PropertyRow {
  const char* name;
  Value (*get)(const Value& self);
  void (*set)(const Value& self, const Value& value);
  const char* doc;
};

struct Parameter {
  enum class Kind : std::uint8_t {
    kPositionalOnly,
    kPositional,
    kVarArgs,
    kKeywordOnly,
    kVarKeywords
  };
  Name name;
  Kind kind;
  bool required;
  Value default_value;
};

// A parsed signature; binds arguments to parameters.
class Signature {
 public:
  explicit Signature(std::string_view text);
  // Fills `slots` (one per parameter). Throws TypeError with CPython's messages.
  void bind(const Arguments& arguments, Value* slots) const;
  std::span<const Parameter> parameters() const { return parameters_; }
  std::string_view function_name() const { return name_; }
  // True when `count` positional arguments fill every parameter, nothing left to default or
  // collect.
  bool takes_exactly(std::size_t count) const { return count == exact_count_; }
  // True when `count` positional arguments leave only parameters with defaults.
  bool takes_plainly(std::size_t count) const {
    return plain_ && count >= required_count_ && count <= positional_count_;
  }
  // Fills `slots`, which are Empty, for arguments that takes_plainly() accepts.
  void bind_plainly(const Arguments& arguments, Value* slots) const;

 private:
  void bind_keyword(const KeywordArgument& keyword, Value* slots, Value* extra) const;
  std::string name_;
  std::vector<Parameter> parameters_;
  std::size_t positional_count_ = 0;  // parameters that positions fill
  std::size_t required_count_ = 0;    // leading positional ones without default
  std::size_t exact_count_ = ~std::size_t{0};
  bool plain_ = false;  // no *args, no **kwargs, no keyword-only parameter without default
  int var_args_ = -1;
  int var_keywords_ = -1;
};

// A function or method written in C++.
class NativeFunction : public Object {
 public:
  NativeFunction(const NativeRow& row, Type* owner);
  ~NativeFunction() override;
  static Type& type_object();

  const NativeRow& row() const { return row_; }
  std::string_view name() const { return name_; }
  Type* owner() const { return owner_; }  // the type it is a method of, or null
  const Signature& signature() const;     // parsed at first use
  Value invoke(const Arguments& arguments) const;
  Value attempt(const Arguments& arguments) const;  // Empty where it failed (see error.h)
  std::string_view module;                          // of module functions
  bool overridable = false;  // classes of arguments may answer instead (see ask_override)
  // Called in place of run() where there is one.
  Value (*guard)(const NativeFunction& function, const Arguments& arguments) = nullptr;
  // Binds the arguments and runs the code; Empty where it failed.
  Value run(const Arguments& arguments) const;

 private:
  const NativeRow& row_;
  std::string_view name_;
  Type* owner_;
  bool checks_self_;  // the first argument must be an instance of the owner
  mutable std::unique_ptr<Signature> signature_;
};

// A function together with the instance it was found on.
class BoundMethod : public Container {
 public:
  // Of the type of native functions where the function is one, else a method.
  BoundMethod(const Value& function, const Value& self);
  BoundMethod(const Value& function, const Value& self, Type& type);
  static Type& type_object();
  static Type& native_type();
  void traverse(Visitor& visitor) override;
  void clear_references() override;
  Value function;
  Value self;
};

// Calls anything callable. TypeError "'int' object is not callable".
Value call(const Value& callee, const Arguments& arguments);
// The same, but Empty where native code failed (see error.h): for callers that hand it on.
Value attempt_call(const Value& callee, const Arguments& arguments);
inline Value call(const Value& callee) { return call(callee, Arguments()); }
template <class... Rest>
Value call(const Value& callee, const Value& first, const Rest&... rest) {
  std::array<Value, 1 + sizeof...(rest)> values{first, rest...};
  return call(callee, Arguments(values.data(), values.size()));
}
// What answers in place of a function that classes of its arguments may override; Empty: nothing.
using CallOverride = Value (*)(const Value& function, const Arguments& arguments);
void set_call_override(CallOverride override);
Value ask_override(const Value& function, const Arguments& arguments);
// obj.name(...), without making a bound method.
Value call_method(const Value& object, Name name, const Arguments& arguments);
template <class... Rest>
Value call_method(const Value& object, Name name, const Rest&... rest) {
  std::array<Value, sizeof...(rest)> values{rest...};
  return call_method(object, name, Arguments(values.data(), values.size()));
}

}  // namespace strider::lang
