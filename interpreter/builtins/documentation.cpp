// Signatures and documentation of objects, gathered from where each kind keeps them.
#include "interpreter/builtins/documentation.h"

#include <algorithm>
#include <sstream>

#include "interpreter/builtins/numpy/ufunc/ufunc_object.h"
#include "interpreter/evaluator/frames/function.h"
#include "interpreter/runtime/program/module.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/dunder.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// As it is called: a method's own object is not written, a class stands under its own name.
std::string function_signature(const Function& function, std::string_view name,
                               bool is_method = false) {
  const ParameterLayout& p = function.code->parameters;
  std::vector<std::string> parts;
  int first_default = p.positional - static_cast<int>(function.defaults.size());
  auto parameter = [&](int i) {
    return std::string(text_of(p.names[static_cast<std::size_t>(i)]));
  };
  for (int i = is_method ? 1 : 0; i < p.positional; ++i) {
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
    const Value value = function.keyword_default(i);
    if (!value.is_empty()) text += "=" + repr_text(value);
    parts.push_back(text);
  }
  if (p.var_keywords_slot >= 0)
    parts.push_back(
        "**" + std::string(text_of(
                   function.code->local_names[static_cast<std::size_t>(p.var_keywords_slot)])));
  return fmt::format("{}({})", name, fmt::join(parts, ", "));
}

// A class is called as its __init__ is; empty where that is native.
std::string class_signature(const Type& type) {
  const Value* made = type.lookup(names().init);
  if (!made || !made->has_layout(Layout::kFunction)) return {};
  return function_signature(*made->as<Function>(), type.name(), true);
}

std::string ufunc_signature(nd::Op op) {
  const nd::OpFacts& facts = nd::facts(op);
  std::string_view operands = facts.inputs == 1 ? "x" : "x1, x2";
  std::string_view outputs = facts.outputs == 1 ? "out=None" : "out=(None, None)";
  return fmt::format(
      "{}({}, /, {}, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, "
      "signature=None)",
      facts.name, operands, outputs);
}

std::string indent(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string result, line;
  while (std::getline(lines, line)) result += line.empty() ? "\n" : "    " + line + "\n";
  return result;
}

// A docstring without what the program's own indentation put before its lines, as help() shows it.
std::string without_indent(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::size_t margin = std::string::npos;
  for (std::size_t i = 1; i < lines.size(); ++i)
    margin = std::min(margin, lines[i].find_first_not_of(' '));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::size_t own = lines[i].find_first_not_of(' ');
    lines[i].remove_prefix(own == std::string::npos ? lines[i].size() : i == 0 ? own : margin);
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  while (!lines.empty() && lines.front().empty()) lines.erase(lines.begin());
  return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace

std::string signature_text(const Value& callable) {
  if (callable.has_layout(Layout::kFunction)) {
    const Function& function = *callable.as<Function>();
    return function_signature(function, function.name);
  }
  if (callable.has_layout(Layout::kType)) return class_signature(*callable.as<Type>());
  if (callable.has_layout(Layout::kNativeFunction)) {
    std::string_view text = callable.as<NativeFunction>()->row().signature;
    for (std::string_view prefix : {"classmethod ", "staticmethod "})
      if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
    return std::string(text);
  }
  if (callable.has_layout(Layout::kUfunc)) return ufunc_signature(callable.as<UfuncObject>()->op);
  if (callable.has_layout(Layout::kBoundMethod)) {
    const Value& method = callable.as<BoundMethod>()->function;
    if (!method.has_layout(Layout::kFunction)) return signature_text(method);
    const Function& function = *method.as<Function>();
    return function_signature(function, function.name, true);
  }
  return slot_wrapper_signature(callable);
}

std::string docstring(const Value& object) {
  if (object.has_layout(Layout::kNativeFunction)) return object.as<NativeFunction>()->row().doc;
  if (object.has_layout(Layout::kBoundMethod)) return docstring(object.as<BoundMethod>()->function);
  Value doc = find_attribute(object, names().doc);
  return is_str(doc) ? without_indent(text_of(doc)) : std::string();
}

std::string shown_signature(const Value& callable) {
  std::string text = signature_text(callable);
  constexpr std::string_view kAbsent = "<none>";
  for (std::size_t at; (at = text.find(kAbsent)) != text.npos;)
    text.replace(at, kAbsent.size(), "<no value>");
  return text;
}

std::string documentation_text(const Value& object) {
  std::string name = shown_signature(object);
  if (name.empty()) {
    Value own = find_attribute(object, names().name);
    name = is_str(own) ? std::string(text_of(own)) : std::string(type_name(object)) + " object";
  }
  std::string doc = docstring(object);
  return fmt::format("Help on {}:\n\n{}\n{}", type_name(object), name, indent(doc));
}

}  // namespace strider::lang
