// text.format(): fields in braces with attributes, indices, conversions and nested specifications.
#include <charconv>

#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr int kMostNesting = 2;

bool parse_number(std::string_view text, std::int64_t& number) {
  if (text.empty() || text[0] < '0' || text[0] > '9') return false;
  auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec == std::errc::result_out_of_range)
    raise(errors::ValueError, "Too many decimal digits in format string");
  return parsed.ptr == text.data() + text.size();
}

std::size_t find_brace(std::string_view text, std::size_t from) {
  for (std::size_t i = from; i < text.size(); ++i)
    if (text[i] == '{' || text[i] == '}') return i;
  return std::string_view::npos;
}

class BraceFormatter {
 public:
  BraceFormatter(const Arguments& arguments, const Value& mapping)
      : arguments_(arguments), mapping_(mapping) {}

  std::string run(std::string_view text, int nesting) {
    if (nesting < 0) raise(errors::ValueError, "Max string recursion exceeded");
    std::string result;
    std::size_t offset = 0;
    while (offset < text.size()) {
      std::size_t brace = find_brace(text, offset);
      result += text.substr(offset, brace - offset);
      if (brace == std::string_view::npos) break;
      if (brace + 1 < text.size() && text[brace + 1] == text[brace]) {
        result += text[brace];
        offset = brace + 2;
        continue;
      }
      if (text[brace] == '}') raise(errors::ValueError, "Single '}}' encountered in format string");
      std::size_t end = closing_brace(text, brace + 1);
      result += field(text.substr(brace + 1, end - brace - 1), nesting);
      offset = end + 1;
    }
    return result;
  }

 private:
  // Where the field that starts at `start` ends; brackets in its name hide braces.
  static std::size_t closing_brace(std::string_view text, std::size_t start) {
    if (start >= text.size()) raise(errors::ValueError, "Single '{{' encountered in format string");
    int depth = 1;
    bool in_name = true, in_brackets = false;
    for (std::size_t i = start; i < text.size(); ++i) {
      if (in_name && text[i] == '[') in_brackets = true;
      if (in_brackets) {
        in_brackets = text[i] != ']';
        continue;
      }
      if (in_name && (text[i] == ':' || text[i] == '!')) in_name = false;
      if (in_name && text[i] == '{') raise(errors::ValueError, "unexpected '{{' in field name");
      depth += text[i] == '{';
      depth -= text[i] == '}';
      if (depth == 0) return i;
    }
    if (in_name) raise(errors::ValueError, "expected '}}' before end of string");
    if (text.back() == '!')
      raise(errors::ValueError, "end of string while looking for conversion specifier");
    raise(errors::ValueError, "unmatched '{{' in format spec");
  }

  std::string field(std::string_view text, int nesting) {
    std::size_t name_end = 0;
    for (bool in_brackets = false; name_end < text.size(); ++name_end) {
      char character = text[name_end];
      if (character == '[') in_brackets = true;
      if (character == ']') in_brackets = false;
      if (!in_brackets && (character == ':' || character == '!')) break;
    }
    Value value = find_field(text.substr(0, name_end));
    std::string_view rest = text.substr(name_end);
    if (rest.starts_with('!')) value = converted(value, rest);
    std::string spec;
    if (rest.starts_with(':')) {
      rest.remove_prefix(1);
      bool nested = find_brace(rest, 0) != std::string_view::npos;
      spec = nested ? run(rest, nesting - 1) : std::string(rest);
    }
    return std::string(format(value, Value(make_str(std::move(spec))))->text());
  }

  // Applies !r, !s or !a at the start of `rest` and drops it.
  static Value converted(const Value& value, std::string_view& rest) {
    rest.remove_prefix(1);
    if (rest.empty()) raise(errors::ValueError, "unmatched '{{' in format spec");
    std::size_t length = 0;
    char32_t code = decode_code_point(rest, length);
    if (length < rest.size() && rest[length] != ':')
      raise(errors::ValueError, "expected ':' after conversion specifier");
    rest.remove_prefix(length);
    if (code == 's') return str(value);
    if (code == 'r') return repr(value);
    if (code == 'a') return make_str(format_percent("%a", Value(make_tuple({value}))));
    if (code > 32 && code < 127)
      raise(errors::ValueError, "Unknown conversion specifier {}", static_cast<char>(code));
    raise(errors::ValueError, "Unknown conversion specifier \\x{:x}",
          static_cast<std::uint32_t>(code));
  }

  Value find_field(std::string_view name) {
    std::size_t end = std::min(name.find_first_of(".["), name.size());
    Value value = first_value(name.substr(0, end));
    name.remove_prefix(end);
    while (!name.empty()) value = step(value, name);
    return value;
  }

  // The next ".attribute" or "[index]".
  static Value step(const Value& value, std::string_view& name) {
    char kind = name[0];
    name.remove_prefix(1);
    if (kind == '.') {
      std::size_t end = std::min(name.find_first_of(".["), name.size());
      if (end == 0) raise(errors::ValueError, "Empty attribute in format string");
      Name attribute = intern(name.substr(0, end));
      name.remove_prefix(end);
      return get_attribute(value, attribute);
    }
    if (kind != '[')
      raise(errors::ValueError, "Only '.' or '[' may follow ']' in format field specifier");
    std::size_t end = name.find(']');
    if (end == std::string_view::npos) raise(errors::ValueError, "Missing ']' in format string");
    if (end == 0) raise(errors::ValueError, "Empty attribute in format string");
    std::string_view key = name.substr(0, end);
    name.remove_prefix(end + 1);
    std::int64_t index;
    return get_item(value, parse_number(key, index) ? Value::integer(index) : Value(make_str(key)));
  }

  Value first_value(std::string_view name) {
    std::int64_t index;
    bool automatic = name.empty();
    if (!automatic && !parse_number(name, index)) return named_value(name);
    if (automatic) index = next_index_;
    check_numbering(automatic);
    if (automatic) ++next_index_;
    if (!mapping_.is_empty()) raise(errors::ValueError, "Format string contains positional fields");
    if (static_cast<std::size_t>(index) >= arguments_.count)
      raise(errors::IndexError, "Replacement index {} out of range for positional args tuple",
            index);
    return arguments_.values[index];
  }

  void check_numbering(bool automatic) {
    Numbering wanted = automatic ? Numbering::kAutomatic : Numbering::kManual;
    if (numbering_ != Numbering::kUnknown && numbering_ != wanted)
      raise(errors::ValueError, "cannot switch from {}",
            automatic ? "manual field specification to automatic field numbering"
                      : "automatic field numbering to manual field specification");
    numbering_ = wanted;
  }

  Value named_value(std::string_view name) {
    if (!mapping_.is_empty()) return get_item(mapping_, Value(make_str(name)));
    for (const KeywordArgument& keyword : arguments_.named())
      if (text_of(keyword.name) == name) return keyword.value;
    raise_value(errors::KeyError(), Value(make_str(name)));
  }

  enum class Numbering { kUnknown, kAutomatic, kManual };
  const Arguments& arguments_;
  Value mapping_;
  Numbering numbering_ = Numbering::kUnknown;
  std::int64_t next_index_ = 0;
};

}  // namespace

std::string format_braces(std::string_view format, const Arguments& arguments) {
  return BraceFormatter(arguments, Value()).run(format, kMostNesting - 1);
}

std::string format_mapping(std::string_view format, const Value& mapping) {
  return BraceFormatter(Arguments(), mapping).run(format, kMostNesting - 1);
}

}  // namespace strider::lang
