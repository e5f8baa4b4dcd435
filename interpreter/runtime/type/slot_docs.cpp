// The texts of special methods: those of operators follow from their symbols.
#include "interpreter/runtime/type/slot_docs.h"

#include <fmt/format.h>

#include <span>

namespace strider::lang {
namespace {

struct Text {
  std::string_view name, text;
};

constexpr Text kTexts[] = {
    {"abs", "abs(self)"},
    {"bool", "True if self else False"},
    {"call", "Call self as a function."},
    {"contains", "Return key in self."},
    {"delattr", "Implement delattr(self, name)."},
    {"delete", "Delete an attribute of instance."},
    {"delitem", "Delete self[key]."},
    {"divmod", "Return divmod(self, value)."},
    {"float", "float(self)"},
    {"get", "Return an attribute of instance, which is of type owner."},
    {"getattribute", "Return getattr(self, name)."},
    {"getitem", "Return self[key]."},
    {"hash", "Return hash(self)."},
    {"index",
     "Return self converted to an integer, if self is suitable for use as an index into a list."},
    {"init", "Initialize self.  See help(type(self)) for accurate signature."},
    {"int", "int(self)"},
    {"invert", "~self"},
    {"iter", "Implement iter(self)."},
    {"len", "Return len(self)."},
    {"neg", "-self"},
    {"new", "Create and return a new object.  See help(type) for accurate signature."},
    {"next", "Implement next(self)."},
    {"pos", "+self"},
    {"pow", "Return pow(self, value, mod)."},
    {"rdivmod", "Return divmod(value, self)."},
    {"repr", "Return repr(self)."},
    {"rpow", "Return pow(value, self, mod)."},
    {"set", "Set an attribute of instance to value."},
    {"setattr", "Implement setattr(self, name, value)."},
    {"setitem", "Set self[key] to value."},
    {"str", "Return str(self)."},
};

// Symbols of operators.
constexpr Text kSymbols[] = {
    {"add", "+"},       {"sub", "-"}, {"mul", "*"},     {"matmul", "@"},  {"truediv", "/"},
    {"floordiv", "//"}, {"mod", "%"}, {"lshift", "<<"}, {"rshift", ">>"}, {"and", "&"},
    {"or", "|"},        {"xor", "^"}, {"eq", "=="},     {"ne", "!="},     {"lt", "<"},
    {"le", "<="},       {"gt", ">"},  {"ge", ">="},
};

std::string_view find(std::span<const Text> texts, std::string_view name) {
  for (const Text& each : texts)
    if (each.name == name) return each.text;
  return {};
}

}  // namespace

std::string slot_doc(std::string_view name) {
  if (name.size() < 5 || !name.starts_with("__") || !name.ends_with("__")) return {};
  name = name.substr(2, name.size() - 4);
  if (std::string_view text = find(kTexts, name); !text.empty()) return std::string(text);
  if (std::string_view sign = find(kSymbols, name); !sign.empty())
    return fmt::format("Return self{}value.", sign);
  std::string_view sign = find(kSymbols, name.substr(1));
  if (sign.empty()) return {};
  if (name[0] == 'r') return fmt::format("Return value{}self.", sign);
  return name[0] == 'i' ? fmt::format("Implement self{}=value.", sign) : std::string();
}

}  // namespace strider::lang
