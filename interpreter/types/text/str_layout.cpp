// The methods of str that pad, tabulate, translate, format and encode.
#include <algorithm>
#include <array>

#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/codec.h"
#include "interpreter/types/text/encoding_names.h"
#include "interpreter/types/text/str.h"
#include "interpreter/types/text/str_methods.h"

namespace strider::lang {
namespace {

const Str& self_of(const Parameters& parameters) { return *parameters[0].as<Str>(); }

std::string_view fill_character(const Value& value) {
  if (!is_str(value))
    raise(errors::TypeError, "The fill character must be a unicode character, not {}",
          type_name(value));
  if (value.as<Str>()->size() != 1)
    raise(errors::TypeError, "The fill character must be exactly one character long");
  return text_of(value);
}

// Asks for all the memory at once, so that absurd widths fail early.
void append_times(std::string& text, std::string_view part, std::int64_t count) {
  if (count > 0) text.reserve(text.size() + part.size() * static_cast<std::size_t>(count));
  if (part.size() == 1 && count > 0) text.append(static_cast<std::size_t>(count), part[0]);
  for (std::int64_t i = 0; i < count && part.size() > 1; ++i) text += part;
}

Value padded(const Parameters& parameters, std::int64_t left, std::int64_t right) {
  std::string_view fill = fill_character(parameters[2]);
  if (left <= 0 && right <= 0) return str(parameters[0]);
  std::string result;
  append_times(result, fill, left);
  result += self_of(parameters).text();
  append_times(result, fill, right);
  std::int64_t added = std::max<std::int64_t>(left, 0) + std::max<std::int64_t>(right, 0);
  return make_str(std::move(result), self_of(parameters).size() + added);
}

// How many characters are missing to the wanted width.
std::int64_t missing(const Parameters& parameters) {
  return to_int64(parameters[1]) - self_of(parameters).size();
}

Value ljust(const Parameters& parameters) { return padded(parameters, 0, missing(parameters)); }
Value rjust(const Parameters& parameters) { return padded(parameters, missing(parameters), 0); }

Value center(const Parameters& parameters) {
  std::int64_t total = missing(parameters), width = to_int64(parameters[1]);
  if (total <= 0) return padded(parameters, 0, 0);
  std::int64_t left = total / 2 + (total & width & 1);
  return padded(parameters, left, total - left);
}

Value zfill(const Parameters& parameters) {
  std::int64_t count = missing(parameters);
  if (count <= 0) return str(parameters[0]);
  std::string_view text = self_of(parameters).text();
  std::size_t sign = text.starts_with('+') || text.starts_with('-');
  std::string result;
  result.reserve(text.size() + static_cast<std::size_t>(count));
  result += text.substr(0, sign);
  result.append(static_cast<std::size_t>(count), '0');
  result += text.substr(sign);
  return make_str(std::move(result), self_of(parameters).size() + count);
}

// The column behind text that begins at one.
std::int64_t column_behind(std::int64_t column, std::string_view text) {
  std::size_t line = text.find_last_of("\n\r");
  if (line == text.npos) return column + count_code_points(text);
  return count_code_points(text.substr(line + 1));
}

Value expand_tabs(const Parameters& parameters) {
  std::int64_t size = to_int64(parameters[1]), column = 0;
  std::string_view text = self_of(parameters).text();
  std::size_t from = 0, tab = text.find('\t');
  if (tab == text.npos) return str(parameters[0]);
  std::string result;
  for (; tab != text.npos; from = tab + 1, tab = text.find('\t', from)) {
    std::string_view before = text.substr(from, tab - from);
    column = column_behind(column, before);
    std::int64_t count = size > 0 ? size - column % size : 0;
    result.append(before).append(static_cast<std::size_t>(count), ' ');
    column += count;
  }
  return make_str(std::move(result.append(text.substr(from))));
}

// --- translate ---

void append_translated(std::string& result, const Value& replacement) {
  if (replacement.is_none()) return;
  if (is_str(replacement)) {
    result += text_of(replacement);
    return;
  }
  std::int64_t code;
  if (!is_integer(replacement) || !try_index(replacement, code))
    raise(errors::TypeError, "character mapping must return integer, None or str");
  if (code < 0 || code > 0x10FFFF)
    raise(errors::ValueError, "character mapping must be in range(0x110000)");
  append_code_point(result, static_cast<char32_t>(code));
}

// The table's entry; Empty where it has none (LookupError).
Value table_entry(const Value& table, char32_t code) {
  Value key = Value::integer(static_cast<std::int64_t>(code));
  if (is_exactly(table, Dict::type_object())) {
    const Value* place = table.as<Dict>()->find(key);
    return place ? *place : Value();
  }
  try {
    return get_item(table, key);
  } catch (const Raised& raised) {
    if (!matches(*raised.exception, Value(&errors::LookupError()))) throw;
    return Value();
  }
}

std::string translated(char character, const Value& table) {
  std::string text;
  Value entry = table_entry(table, static_cast<unsigned char>(character));
  if (entry.is_empty())
    text = character;
  else
    append_translated(text, entry);
  return text;
}

// What each character of ASCII becomes, looked up when it is first met.
class AsciiTable {
 public:
  explicit AsciiTable(const Value& table) : table_(table) { lengths_.fill(kUnknown); }

  std::string translate(std::string_view text) {
    std::string result(text.size(), '\0');
    char* place = result.data();
    for (std::size_t i = 0; i < text.size(); ++i) {
      auto code = static_cast<unsigned char>(text[i]);
      if (lengths_[code] == kUnknown) learn(code);
      if (lengths_[code] == kLong) {
        result.resize(static_cast<std::size_t>(place - result.data()));
        return append_rest(std::move(result), text.substr(i));
      }
      *place = single_[code];
      place += lengths_[code];
    }
    result.resize(static_cast<std::size_t>(place - result.data()));
    return result;
  }

 private:
  enum : std::uint8_t { kLong = 2, kUnknown = 3 };  // others are lengths

  void learn(unsigned char code) {
    texts_[code] = translated(static_cast<char>(code), table_);
    const std::string& text = texts_[code];
    lengths_[code] = static_cast<std::uint8_t>(std::min<std::size_t>(text.size(), kLong));
    if (text.size() == 1) single_[code] = text[0];
  }

  std::string append_rest(std::string result, std::string_view text) {
    for (char character : text) {
      auto code = static_cast<unsigned char>(character);
      if (lengths_[code] == kUnknown) learn(code);
      result += texts_[code];
    }
    return result;
  }

  const Value& table_;
  std::array<std::uint8_t, 128> lengths_;
  std::array<char, 128> single_{};
  std::array<std::string, 128> texts_;
};

// Whether a table is a dict of texts, numbers and None alone, which no program changes meanwhile.
bool is_plain_table(const Value& table) {
  if (!is_exactly(table, Dict::type_object())) return false;
  const Dict::Entries& entries = table.as<Dict>()->entries();
  return std::all_of(entries.begin(), entries.end(), [](const Dict::Entry& entry) {
    bool plain = entry.value.is_int() || entry.value.is_none() || is_str(entry.value);
    return entry.key.is_empty() || (entry.key.is_int() && plain);
  });
}

Value translate(const Parameters& parameters) {
  std::string_view text = self_of(parameters).text();
  constexpr std::size_t kLong = 64;
  if (text.size() >= kLong && self_of(parameters).is_ascii() && is_plain_table(parameters[1]))
    return make_str(AsciiTable(parameters[1]).translate(text));
  std::string result;
  for (std::size_t offset = 0; offset < text.size();) {
    std::size_t start = offset;
    Value entry = table_entry(parameters[1], decode_code_point(text, offset));
    std::string_view original = text.substr(start, offset - start);
    if (entry.is_empty())
      result += original;
    else
      append_translated(result, entry);
  }
  return make_str(std::move(result));
}

Values code_points(const Value& value) {
  Values codes;
  std::string_view text = text_of(value);
  for (std::size_t offset = 0; offset < text.size();)
    codes.push_back(Value::integer(static_cast<std::int64_t>(decode_code_point(text, offset))));
  return codes;
}

Ref<Dict> table_from_dict(const Value& mapping) {
  if (!is_dict(mapping))
    raise(errors::TypeError, "if you give only one argument to maketrans it must be a dict");
  Ref<Dict> table = make_dict();
  for (const Dict::Entry& entry : mapping.as<Dict>()->entries()) {
    if (entry.key.is_empty()) continue;
    if (!is_str(entry.key)) {
      std::int64_t code;
      if (!try_index(entry.key, code))
        raise(errors::TypeError, "keys in translate table must be strings or integers");
      table->set(entry.key, entry.value);
      continue;
    }
    if (entry.key.as<Str>()->size() != 1)
      raise(errors::ValueError, "string keys in translate table must be of length 1");
    table->set(code_points(entry.key)[0], entry.value);
  }
  return table;
}

Value make_translation(const Parameters& parameters) {
  if (!parameters.has(1)) return table_from_dict(parameters[0]);
  if (!is_str(parameters[0]))
    raise(errors::TypeError,
          "first maketrans argument must be a string if there is a second argument");
  to_text(parameters[1], "maketrans() argument 2");
  Values from = code_points(parameters[0]), to = code_points(parameters[1]);
  if (from.size() != to.size())
    raise(errors::ValueError, "the first two maketrans arguments must have equal length");
  Ref<Dict> table = make_dict();
  for (std::size_t i = 0; i < from.size(); ++i) table->set(from[i], to[i]);
  if (!parameters.has(2)) return table;
  to_text(parameters[2], "maketrans() argument 3");
  for (const Value& code : code_points(parameters[2])) table->set(code, Value::none());
  return table;
}

// --- format and encode ---

Value format_method(const Parameters& parameters) {
  ArgumentList list;
  auto positional = parameters[1].as<Tuple>()->items();
  list.values.assign(positional.begin(), positional.end());
  for (const Dict::Entry& entry : parameters[2].as<Dict>()->entries())
    if (!entry.key.is_empty()) list.keywords.push_back({intern(entry.key.as<Str>()), entry.value});
  return make_str(format_braces(self_of(parameters).text(), list));
}

Value format_map(const Parameters& parameters) {
  return make_str(format_mapping(self_of(parameters).text(), parameters[1]));
}

// Whether an encoding leaves ASCII as it is.
bool keeps_ascii(const Value& encoding) {
  if (!is_str(encoding)) return false;
  if (text_of(encoding) == "utf-8" || text_of(encoding) == "ascii") return true;
  const EncodingName* name = find_encoding(text_of(encoding));
  return name && name->encoding <= Encoding::kLatin1 && name->encoding != Encoding::kUtf8Signature;
}

Value encode(const Parameters& parameters) {
  const Str& text = self_of(parameters);
  if (text.is_ascii() && keeps_ascii(parameters[1]) && is_str(parameters[2]))
    return make<Bytes>(std::string(text.text()));
  return make<Bytes>(encode_text(text.text(), parameters[1], parameters[2]));
}

Value new_arguments(const Parameters& parameters) { return make_tuple({str(parameters[0])}); }

constexpr NativeRow kMethods[] = {
    {"ljust(self, width, fillchar=' ', /)", ljust, "Pad at the end to a width."},
    {"rjust(self, width, fillchar=' ', /)", rjust, "Pad at the start to a width."},
    {"center(self, width, fillchar=' ', /)", center, "Pad at both ends to a width."},
    {"zfill(self, width, /)", zfill, "Pad with zeros after the sign to a width."},
    {"expandtabs(self, /, tabsize=8)", expand_tabs, "Replace tabs by blanks up to the next stop."},
    {"translate(self, table, /)", translate,
     "Replace each character by what the table gives for its code point."},
    {"staticmethod maketrans(x, y=<none>, z=<none>, /)", make_translation,
     "Make a table for translate()."},
    {"format(self, /, *args, **kwargs)", format_method,
     "Replace the fields in braces by formatted arguments."},
    {"format_map(self, mapping, /)", format_map, "As format, with names looked up in a mapping."},
    {"encode(self, /, encoding='utf-8', errors='strict')", encode,
     "The bytes of the text in an encoding."},
    {"__getnewargs__(self, /)", new_arguments, "The arguments that make a copy."},
};

}  // namespace

void add_str_layout_methods(Type& type) { type.add(kMethods); }

}  // namespace strider::lang
