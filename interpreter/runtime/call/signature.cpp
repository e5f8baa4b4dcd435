// Signatures of native functions: reading the text once, binding arguments at each call.
#include <algorithm>

#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Undoes the escapes of a quoted default; tables use only these three.
std::string unquote(std::string_view quoted) {
  std::string text;
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    if (quoted[i] == '\\' && i + 2 < quoted.size()) {
      char escaped = quoted[++i];
      text += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped;
    } else {
      text += quoted[i];
    }
  }
  return text;
}

// The value of a default literal; Empty for <none>.
Value parse_default(std::string_view text) {
  if (text == "None") return Value::none();
  if (text == "True" || text == "False") return Value::boolean(text == "True");
  if (text == "()") return empty_tuple();
  if (text.front() == '\'' || text.front() == '"') return make_str(unquote(text));
  if (text.front() == '<') return Value();
  if (text.find_first_of(".en") != std::string_view::npos) return Value::real(parse_float(text));
  return Value::integer(std::stoll(std::string(text)));
}

// Splits at the commas that stand outside quotes and brackets.
std::vector<std::string_view> split_parameters(std::string_view list) {
  std::vector<std::string_view> parts;
  int depth = 0;
  char quote = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    char c = i < list.size() ? list[i] : ',';
    if (quote) {
      if (c == '\\')
        ++i;
      else if (c == quote)
        quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '(') {
      ++depth;
    } else if (c == ')') {
      --depth;
    } else if (c == ',' && depth == 0) {
      std::string_view part = trim(list.substr(start, i - start));
      if (!part.empty()) parts.push_back(part);
      start = i + 1;
    }
  }
  return parts;
}

std::string count_of(std::size_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// "'a', 'b', and 'c'"
std::string list_names(const std::vector<Name>& missing) {
  std::string text;
  for (std::size_t i = 0; i < missing.size(); ++i) {
    if (i > 0) text += missing.size() == 2 ? " and " : i + 1 == missing.size() ? ", and " : ", ";
    text += fmt::format("'{}'", text_of(missing[i]));
  }
  return text;
}

// The place of the parameter that a keyword names; null: none may be named so.
Value* named_slot(std::span<const Parameter> parameters, Name name, Value* slots) {
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].name == name)
      return parameters[i].kind == Parameter::Kind::kPositionalOnly ? nullptr : &slots[i];
  return nullptr;
}

// Fills slots for parameters that collect nothing; false, with some of them filled, where the
// arguments do not fit.
bool fill_named(std::span<const Parameter> parameters, const Arguments& arguments, Value* slots) {
  for (std::size_t i = 0; i < arguments.count; ++i) slots[i] = arguments.values[i];
  for (const KeywordArgument& keyword : arguments.named()) {
    Value* slot = named_slot(parameters, keyword.name, slots);
    if (!slot || !slot->is_empty()) return false;
    *slot = keyword.value;
  }
  for (std::size_t i = arguments.count; i < parameters.size(); ++i) {
    if (!slots[i].is_empty()) continue;
    if (parameters[i].required) return false;
    slots[i] = parameters[i].default_value;
  }
  return true;
}

}  // namespace

// CPython words the count of positional-only arguments in its own ways; methods do not count self.
static void complain_of_count(const Signature& signature, std::size_t given) {
  std::size_t least = 0, most = 0;
  bool keyword_only = false;
  for (const Parameter& parameter : signature.parameters()) {
    if (parameter.kind == Parameter::Kind::kPositional ||
        parameter.kind == Parameter::Kind::kVarArgs)
      return;
    keyword_only = keyword_only || parameter.kind == Parameter::Kind::kKeywordOnly;
    if (parameter.kind != Parameter::Kind::kPositionalOnly) continue;
    ++most;
    least += parameter.required;
  }
  bool method = most > 0 && text_of(signature.parameters()[0].name) == "self";
  least -= method;
  most -= method;
  std::size_t count = given - std::min<std::size_t>(given, method);
  std::string_view name = signature.function_name();
  if (keyword_only && most == 0)
    raise(errors::TypeError, "{}() takes no positional arguments", name);
  if (least == most && most == 0)
    raise(errors::TypeError, "{}() takes no arguments ({} given)", name, count);
  if (least == most && most == 1 && !keyword_only)
    raise(errors::TypeError, "{}() takes exactly one argument ({} given)", name, count);
  const char* bound = least == most ? "" : count < least ? "at least " : "at most ";
  std::size_t expected = count < least ? least : most;
  raise(errors::TypeError, "{} expected {}{} argument{}, got {}", name, bound, expected,
        expected == 1 ? "" : "s", count);
}

Signature::Signature(std::string_view text) {
  std::size_t open = text.find('(');
  std::string_view head = text.substr(0, open);
  name_ = head.substr(head.rfind(' ') + 1);  // npos + 1 is 0
  Parameter::Kind kind = Parameter::Kind::kPositional;
  for (std::string_view part :
       split_parameters(text.substr(open + 1, text.rfind(')') - open - 1))) {
    if (part == "/") {
      for (Parameter& earlier : parameters_) earlier.kind = Parameter::Kind::kPositionalOnly;
    } else if (part == "*") {
      kind = Parameter::Kind::kKeywordOnly;
    } else if (part.starts_with("**")) {
      var_keywords_ = static_cast<int>(parameters_.size());
      parameters_.push_back(
          {intern(part.substr(2)), Parameter::Kind::kVarKeywords, false, Value()});
    } else if (part.front() == '*') {
      var_args_ = static_cast<int>(parameters_.size());
      parameters_.push_back({intern(part.substr(1)), Parameter::Kind::kVarArgs, false, Value()});
      kind = Parameter::Kind::kKeywordOnly;
    } else {
      std::size_t equals = part.find('=');
      Parameter parameter{intern(trim(part.substr(0, equals))), kind, equals == part.npos, Value()};
      if (!parameter.required)
        parameter.default_value = parse_default(trim(part.substr(equals + 1)));
      if (kind == Parameter::Kind::kPositional) {
        ++positional_count_;
        if (parameter.required) ++required_count_;
      }
      parameters_.push_back(std::move(parameter));
    }
  }
  if (parameters_.size() == positional_count_) exact_count_ = positional_count_;
  plain_ = var_args_ < 0 && var_keywords_ < 0;
  for (std::size_t i = required_count_; i < parameters_.size(); ++i)
    plain_ = plain_ && !parameters_[i].required;
}

void Signature::bind_plainly(const Arguments& arguments, Value* slots) const {
  std::size_t i = 0;
  for (; i < arguments.count; ++i) slots[i] = arguments.values[i];
  for (; i < parameters_.size(); ++i) slots[i] = parameters_[i].default_value;
}

void Signature::bind_keyword(const KeywordArgument& keyword, Value* slots, Value* extra) const {
  bool positional_only = false;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const Parameter& parameter = parameters_[i];
    if (parameter.name != keyword.name) continue;
    if (parameter.kind == Parameter::Kind::kPositionalOnly) positional_only = true;
    if (parameter.kind != Parameter::Kind::kPositional &&
        parameter.kind != Parameter::Kind::kKeywordOnly)
      continue;
    if (!slots[i].is_empty())
      raise(errors::TypeError, "{}() got multiple values for argument '{}'", name_,
            text_of(keyword.name));
    slots[i] = keyword.value;
    return;
  }
  if (extra) {
    if (extra->is_empty()) *extra = make_dict();
    extra->as<Dict>()->set(keyword.name, keyword.value);
    return;
  }
  if (positional_only)
    raise(errors::TypeError,
          "{}() got some positional-only arguments passed as keyword arguments: '{}'", name_,
          text_of(keyword.name));
  raise(errors::TypeError, "{}() got an unexpected keyword argument '{}'", name_,
        text_of(keyword.name));
}

void Signature::bind(const Arguments& arguments, Value* slots) const {
  if (plain_ && arguments.count <= positional_count_) {
    if (fill_named(parameters_, arguments, slots)) return;
    for (std::size_t i = 0; i < parameters_.size(); ++i)
      slots[i] = Value();  // to find what is wrong
  }
  std::size_t direct = std::min(arguments.count, positional_count_);
  for (std::size_t i = 0; i < direct; ++i) slots[i] = arguments.values[i];
  if (var_args_ >= 0) {
    std::span<const Value> rest = arguments.positional().subspan(direct);
    slots[var_args_] = rest.empty() ? empty_tuple() : make_tuple(rest);
  } else if (arguments.count > positional_count_) {
    complain_of_count(*this, arguments.count);
    raise(errors::TypeError, "{}() takes {}{} but {} {} given", name_,
          required_count_ < positional_count_ ? fmt::format("from {} to ", required_count_)
                                              : std::string(),
          positional_count_ == 0 && required_count_ == 0
              ? std::string("no arguments")
              : count_of(positional_count_, "positional argument"),
          arguments.count, arguments.count == 1 ? "was" : "were");
  }
  Value* extra = var_keywords_ >= 0 ? &slots[var_keywords_] : nullptr;
  for (const KeywordArgument& keyword : arguments.named()) bind_keyword(keyword, slots, extra);
  std::vector<Name> missing;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (!slots[i].is_empty()) continue;
    const Parameter& parameter = parameters_[i];
    if (parameter.required)
      missing.push_back(parameter.name);
    else if (parameter.kind == Parameter::Kind::kVarKeywords)
      slots[i] = make_dict();
    else
      slots[i] = parameter.default_value;
  }
  if (!missing.empty()) complain_of_count(*this, arguments.count);
  if (!missing.empty())
    raise(errors::TypeError, "{}() missing {} required positional argument{}: {}", name_,
          missing.size(), missing.size() == 1 ? "" : "s", list_names(missing));
}

}  // namespace strider::lang
