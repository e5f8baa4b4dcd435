// Values as JSON text.
#include <algorithm>
#include <cmath>

#include "interpreter/builtins/modules/json/json.h"
#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

void append_unicode_escape(std::string& text, char32_t code) {
  if (code > 0xffff) {
    code -= 0x10000;
    append_unicode_escape(text, 0xd800 + (code >> 10));
    append_unicode_escape(text, 0xdc00 + (code & 0x3ff));
    return;
  }
  constexpr char kDigits[] = "0123456789abcdef";
  const char escape[] = {'\\', 'u', kDigits[code >> 12], kDigits[code >> 8 & 15],
                         kDigits[code >> 4 & 15], kDigits[code & 15]};
  text.append(escape, sizeof escape);
}

// The escape of a character that cannot stand for itself.
void append_escape(std::string& text, unsigned char c) {
  switch (c) {
    case '"':
      text += "\\\"";
      return;
    case '\\':
      text += "\\\\";
      return;
    case '\n':
      text += "\\n";
      return;
    case '\r':
      text += "\\r";
      return;
    case '\t':
      text += "\\t";
      return;
    case '\f':
      text += "\\f";
      return;
    case '\b':
      text += "\\b";
      return;
    default:
      append_unicode_escape(text, c);
  }
}

bool is_plain(unsigned char c, bool ascii) {
  return c >= 0x20 && c != '"' && c != '\\' && (!ascii || c < 0x7f);
}

}  // namespace

std::string JsonWriter::write(const Value& value) {
  text_.clear();
  append(value);
  return std::move(text_);
}

void JsonWriter::append(const Value& value) {
  if (is_str(value)) return append_string(text_of(value));
  if (value.is_none()) {
    text_ += "null";
  } else if (value.is_bool()) {
    text_ += value.as_bool() ? "true" : "false";
  } else if (value.is_int()) {
    fmt::format_to(std::back_inserter(text_), "{}", value.as_int());
  } else if (is_integer(value)) {
    text_ += integer_text(exact_int(value));
  } else if (is_float(value)) {
    append_float(float_value(value));
  } else if (is_instance(value, float_type())) {  // NumPy's
    append_float(to_double(value));
  } else if (is_list(value) || is_tuple(value)) {
    append_list(value);
  } else if (is_dict(value)) {
    append_dict(value);
  } else {
    append_other(value);
  }
}

void JsonWriter::append_string(std::string_view text) {
  text_ += '"';
  std::size_t place = 0;
  while (place < text.size()) {
    std::size_t end = place;
    while (end < text.size() && is_plain(static_cast<unsigned char>(text[end]), settings_.ascii))
      ++end;
    text_ += text.substr(place, end - place);
    place = end;
    if (place == text.size()) break;
    auto c = static_cast<unsigned char>(text[place]);
    if (c < 0x80) {
      append_escape(text_, c);
      ++place;
    } else {
      append_unicode_escape(text_, decode_code_point(text, place));
    }
  }
  text_ += '"';
}

void JsonWriter::append_float(double number) {
  if (std::isfinite(number)) {
    text_ += float_repr(number);
    return;
  }
  if (!settings_.allow_nan)
    raise(errors::ValueError, "Out of range float values are not JSON compliant");
  text_ += std::isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
}

void JsonWriter::begin_line() {
  if (!settings_.indented) return;
  text_ += '\n';
  for (std::size_t i = 0; i < depth_; ++i) text_ += settings_.indent;
}

void JsonWriter::enter(const Value& value) {
  check_stack("maximum recursion depth exceeded while encoding a JSON object");
  if (settings_.check_cycles &&
      std::find(open_.begin(), open_.end(), value.object()) != open_.end())
    raise(errors::ValueError, "Circular reference detected");
  open_.push_back(value.object());
  ++depth_;
}

void JsonWriter::append_list(const Value& value) {
  bool list = is_list(value);
  auto size = [&] { return list ? value.as<List>()->size() : value.as<Tuple>()->size(); };
  if (size() == 0) {
    text_ += "[]";
    return;
  }
  enter(value);
  text_ += '[';
  for (std::size_t i = 0; i < size(); ++i) {
    if (i > 0) text_ += settings_.item_separator;
    begin_line();
    append(list ? Value(value.as<List>()->items[i]) : (*value.as<Tuple>())[i]);
  }
  --depth_;
  begin_line();
  text_ += ']';
  open_.pop_back();
}

bool JsonWriter::append_key(const Value& key) {
  if (is_str(key)) {
    append_string(text_of(key));
  } else if (key.is_none() || key.is_bool() || is_integer(key) ||
             is_instance(key, float_type())) {
    text_ += '"';
    append(key);
    text_ += '"';
  } else {
    if (settings_.skip_keys) return false;
    raise(errors::TypeError, "keys must be str, int, float, bool or None, not {}", type_name(key));
  }
  return true;
}

void JsonWriter::append_dict(const Value& value) {
  std::vector<std::pair<Value, Value>> items;
  if (value.object()->type() == &Dict::type_object()) {
    for (const Dict::Entry& entry : value.as<Dict>()->entries())
      if (!entry.key.is_empty()) items.emplace_back(entry.key, entry.value);
  } else {
    Iteration pairs(call_method(value, names().items));
    Value pair;
    while (pairs.next(pair)) {
      Ref<Tuple> both = to_tuple(pair);
      items.emplace_back((*both)[0], (*both)[1]);
    }
  }
  if (items.empty()) {
    text_ += "{}";
    return;
  }
  if (settings_.sort_keys)
    std::stable_sort(items.begin(), items.end(),
                     [](const auto& a, const auto& b) { return less(a.first, b.first); });
  enter(value);
  text_ += '{';
  bool first = true;
  for (const auto& [key, item] : items) {
    std::size_t before = text_.size();
    if (!first) text_ += settings_.item_separator;
    begin_line();
    if (!append_key(key)) {
      text_.resize(before);
      continue;
    }
    first = false;
    text_ += settings_.key_separator;
    append(item);
  }
  --depth_;
  begin_line();
  text_ += '}';
  open_.pop_back();
}

void JsonWriter::append_other(const Value& value) {
  if (settings_.fallback.is_none())
    raise(errors::TypeError, "Object of type {} is not JSON serializable",
          str_text(get_attribute(Value(type_of(value)), names().name)));
  check_stack("maximum recursion depth exceeded while encoding a JSON object");
  bool held = settings_.check_cycles && value.is_object();
  if (held && std::find(open_.begin(), open_.end(), value.object()) != open_.end())
    raise(errors::ValueError, "Circular reference detected");
  if (held) open_.push_back(value.object());
  append(call(settings_.fallback, value));
  if (held) open_.pop_back();
}

}  // namespace strider::lang
