// Function: a function of the language: code, globals, captured cells, defaults.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interpreter/evaluator/node.h"
#include "interpreter/runtime/type.h"

namespace strider::lang {

class Function final : public Container {
 public:
  Function(std::shared_ptr<const Code> code, const Ref<Dict>& globals);
  static Type& type_object();

  Attributes* attributes() override { return &attributes_; }
  void traverse(Visitor& visitor) override;
  void clear_references() override;

  // Binds arguments to parameters in `locals` (all slots Empty before). TypeErrors are CPython's.
  void bind(const Arguments& arguments, Value* locals) const;
  // Fills parameters that were not given from the defaults; `given` positional ones are there.
  void fill_defaults(int given, Value* locals) const;
  Value call(const Arguments& arguments);
  // Runs the body; `locals` holds the bound arguments.
  Value run(Value* locals, Interpreter& interpreter);

  const std::shared_ptr<const Code> code;
  Ref<Dict> globals;
  std::vector<Ref<Cell>> closure;
  std::vector<Value> defaults;
  std::vector<Value> keyword_defaults;  // one per keyword-only parameter; Empty: required
  Value doc, annotations;
  std::string name, qualified_name;
  Value module = Value::none();

 private:
  void bind_keywords(const Arguments& arguments, Value* locals) const;
  void check_missing(const Value* locals) const;
  [[noreturn]] void raise_too_many(std::size_t given, const Value* locals) const;
  Attributes attributes_;
};

}  // namespace strider::lang
