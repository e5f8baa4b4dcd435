// Signatures and documentation of objects, gathered from where each kind keeps them.
#include "interpreter/builtins/documentation.h"

#include <sstream>

#include "interpreter/builtins/numpy/ufunc_object.h"
#include "interpreter/evaluator/function.h"
#include "interpreter/runtime/module.h"
#include "interpreter/runtime/protocol.h"
#include "interpreter/types/sequence.h"
#include "interpreter/types/str.h"

namespace strider::lang {
namespace {

std::string function_signature(const Function& function) {
  const ParameterLayout& p = function.code->parameters;
  std::vector<std::string> parts;
  int first_default = p.positional - static_cast<int>(function.defaults.size());
  auto parameter = [&](int i) {
    return std::string(text_of(p.names[static_cast<std::size_t>(i)]));
  };
  for (int i = 0; i < p.positional; ++i) {
    std::string text = parameter(i);
    if (i >= first_default)
      text += "=" + repr_text(function.defaults[static_cast<std::size_t>(i - first_default)]);
    parts.push_back(text);
    if (i + 1 == p.positional_only) parts.push_back("/");
  }
  if (p.var_args_slot >= 0)
    parts.push_back(
        "*" + std::string(
                  text_of(function.code->local_names[static_cast<std::size_t>(p.var_args_slot)])));
  else if (p.keyword_only > 0)
    parts.push_back("*");
  for (int i = 0; i < p.keyword_only; ++i) {
    std::string text = parameter(p.positional + i);
    const Value& value = function.keyword_defaults[static_cast<std::size_t>(i)];
    if (!value.is_empty()) text += "=" + repr_text(value);
    parts.push_back(text);
  }
  if (p.var_keywords_slot >= 0)
    parts.push_back(
        "**" + std::string(text_of(
                   function.code->local_names[static_cast<std::size_t>(p.var_keywords_slot)])));
  return fmt::format("{}({})", function.name, fmt::join(parts, ", "));
}

std::string ufunc_signature(nd::Op op) {
  const nd::OpFacts& facts = nd::facts(op);
  std::string_view operands = facts.inputs == 1 ? "x" : "x1, x2";
  std::string_view outputs = facts.outputs == 1 ? "out=None" : "out=(None, None)";
  return fmt::format("{}({}, /, {}, *, where=True, casting='same_kind', order='K', dtype=None)",
                     facts.name, operands, outputs);
}

std::string indent(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string result, line;
  while (std::getline(lines, line)) result += line.empty() ? "\n" : "    " + line + "\n";
  return result;
}

}  // namespace

std::string signature_text(const Value& callable) {
  if (callable.has_layout(Layout::kFunction)) return function_signature(*callable.as<Function>());
  if (callable.has_layout(Layout::kNativeFunction)) {
    std::string_view text = callable.as<NativeFunction>()->row().signature;
    for (std::string_view prefix : {"classmethod ", "staticmethod "})
      if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
    return std::string(text);
  }
  if (callable.has_layout(Layout::kUfunc)) return ufunc_signature(callable.as<UfuncObject>()->op);
  if (callable.has_layout(Layout::kBoundMethod))
    return signature_text(callable.as<BoundMethod>()->function);
  return {};
}

std::string docstring(const Value& object) {
  if (object.has_layout(Layout::kNativeFunction)) return object.as<NativeFunction>()->row().doc;
  if (object.has_layout(Layout::kBoundMethod)) return docstring(object.as<BoundMethod>()->function);
  Value doc = find_attribute(object, names().doc);
  return is_str(doc) ? std::string(text_of(doc)) : std::string();
}

std::string documentation_text(const Value& object) {
  std::string name = signature_text(object);
  if (name.empty()) {
    Value own = find_attribute(object, names().name);
    name = is_str(own) ? std::string(text_of(own)) : std::string(type_name(object)) + " object";
  }
  std::string doc = docstring(object);
  return fmt::format("Help on {}:\n\n{}\n{}", type_name(object), name, indent(doc));
}

}  // namespace strider::lang
