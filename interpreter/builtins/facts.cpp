// Facts are gathered from where each kind of object keeps them.
#include "interpreter/builtins/facts.h"

#include <fmt/format.h>
#include <strider/nd/device.h>
#include <strider/nd/eval.h>

#include "interpreter/builtins/documentation.h"
#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/evaluator/frames/function.h"
#include "interpreter/evaluator/node.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/syntax/source.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

void add_line(std::string& text, std::string_view name, std::string_view value) {
  if (!value.empty()) text += fmt::format("{:<12}{}\n", fmt::format("{}:", name), value);
}

// As the program shows a shape: "(64, 128)", "(3,)".
std::string tuple_text(const nd::Dims& shape) {
  std::string text;
  for (std::int64_t extent : shape) text += fmt::format("{}{}", text.empty() ? "" : ", ", extent);
  return shape.size() == 1 ? "(" + text + ",)" : "(" + text + ")";
}

void add_array_facts(std::string& text, const nd::Array& array) {
  add_line(text, "Shape", tuple_text(array.shape()));
  add_line(text, "Dtype", nd::facts(array.dtype()).name);
  add_line(text, "Bytes", fmt::format("{}", array.byte_count()));
  add_line(text, "Device", nd::device_of(array));
  add_line(text, "Pending", nd::is_pending(array) ? "yes: computed when it is needed" : "no");
}

// Texts of other objects may be long to make, or run the program.
std::string plain_value(const Value& object) {
  bool simple = object.is_none() || object.is_bool() || object.is_int() || object.is_float() ||
                is_str(object);
  if (!simple) return {};
  std::string text = repr_text(object);
  return text.size() <= 200 ? text : text.substr(0, 197) + "...";
}

// The text of a function's definition, indented as in its file.
std::string source_of(const Value& object) {
  if (object.has_layout(Layout::kBoundMethod)) return source_of(object.as<BoundMethod>()->function);
  if (!object.has_layout(Layout::kFunction)) return {};
  const Code& code = *object.as<Function>()->code;
  if (!code.source) return {};
  return std::string(code.source->text(code.definition));
}

std::string definition_file(const Value& object) {
  if (!object.has_layout(Layout::kFunction)) return {};
  const Code& code = *object.as<Function>()->code;
  return code.source ? code.source->file_name() : std::string();
}

}  // namespace

std::string_view kind_of(const Value& object) {
  if (object.has_layout(Layout::kModule)) return "module";
  if (object.has_layout(Layout::kType)) return "class";
  return is_callable(object) ? "function" : "instance";
}

std::string short_detail(const Value& object) {
  if (is_array(object)) {
    const nd::Array& array = array_of(object);
    return fmt::format("{} {}", tuple_text(array.shape()), nd::facts(array.dtype()).name);
  }
  if (is_callable(object)) return shown_signature(object);
  return object.has_layout(Layout::kModule) ? std::string() : std::string(type_name(object));
}

std::string describe_object(const Value& object, int detail) {
  std::string text;
  add_line(text, "Signature", shown_signature(object));
  if (!is_callable(object)) add_line(text, "Type", type_name(object));
  if (is_array(object)) add_array_facts(text, array_of(object));
  add_line(text, "Value", plain_value(object));
  add_line(text, "File", definition_file(object));
  std::string source = detail > 0 ? source_of(object) : std::string();
  if (!source.empty()) return text + "Source:\n" + source + "\n";
  std::string doc = docstring(object);
  if (!doc.empty()) text += "Docstring:\n" + doc + (doc.ends_with('\n') ? "" : "\n");
  return text;
}

}  // namespace strider::lang
