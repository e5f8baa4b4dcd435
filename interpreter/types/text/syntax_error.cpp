// SyntaxError: what it tells is set by hand, or stands in its arguments.
#include "interpreter/types/text/syntax_error.h"

#include <algorithm>

#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// Names in the order of the second argument.
constexpr std::string_view kDetails[] = {"filename", "lineno",     "offset",
                                         "text",     "end_lineno", "end_offset"};

Value message_of(const Exception& exception) {
  return exception.args->size() > 0 ? (*exception.args)[0] : Value::none();
}

// What was set by hand, else what the arguments say, else None.
Value told(const Exception& exception, std::string_view what) {
  auto& attributes = *const_cast<Exception&>(exception).attributes();
  if (Value* found = attributes.find(intern(what))) return *found;
  if (what == "msg") return message_of(exception);
  const Tuple& args = *exception.args;
  if (args.size() != 2 || !is_tuple(args[1])) return Value::none();
  const Tuple& details = *args[1].as<Tuple>();
  for (std::size_t i = 0; i < std::size(kDetails) && i < details.size(); ++i)
    if (kDetails[i] == what) return details[i];
  return Value::none();
}

template <const char* kWhat>
constexpr PropertyRow kTold = {
    kWhat, [](const Value& self) { return told(*self.as<Exception>(), kWhat); },
    [](const Value& self, const Value& value) {
      self.as<Exception>()->attributes()->set(intern(kWhat),
                                              value.is_empty() ? Value::none() : value);
    },
    "Where and what the error is."};

constexpr char kMessage[] = "msg", kFile[] = "filename", kLine[] = "lineno", kColumn[] = "offset",
               kText[] = "text", kEndLine[] = "end_lineno", kEndColumn[] = "end_offset",
               kPrinted[] = "print_file_and_line";
const PropertyRow kAttributes[] = {kTold<kMessage>, kTold<kFile>,    kTold<kLine>,
                                   kTold<kColumn>,  kTold<kText>,    kTold<kEndLine>,
                                   kTold<kEndColumn>, kTold<kPrinted>};

Value syntax_error_str(const Value& self) {
  const auto& exception = *self.as<Exception>();
  Value message = told(exception, "msg");
  Value file = told(exception, "filename"), line = told(exception, "lineno");
  std::string place;
  if (is_str(file)) {
    std::string_view path = text_of(file);
    place = path.substr(path.rfind('/') + 1);
  }
  if (line.is_int())
    place += fmt::format("{}line {}", place.empty() ? "" : ", ", line.as_int());
  return make_str(place.empty() ? str_text(message)
                                : fmt::format("{} ({})", str_text(message), place));
}

std::int64_t number_or(const Value& value, std::int64_t other) {
  return value.is_int() ? value.as_int() : other;
}

// Carets under a stripped text, for columns from 0; none for a place in the indentation.
std::string carets_under(std::string_view text, std::int64_t begin, std::int64_t end) {
  if (begin < 0) return {};
  std::string line = "    ";
  std::int64_t place = 0;
  for (char byte : text) {
    if ((static_cast<unsigned char>(byte) & 0xC0) == 0x80) continue;
    if (place++ >= begin) break;
    line += byte == '\t' ? '\t' : ' ';
  }
  for (; place < begin; ++place) line += ' ';
  return line + std::string(static_cast<std::size_t>(std::max<std::int64_t>(1, end - begin)), '^') +
         "\n";
}

int characters_in(std::string_view text) {
  return static_cast<int>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
}

}  // namespace

Ref<Exception> make_syntax_error(Type& type, std::string_view message,
                                 const syntax::Source& source, syntax::Span span) {
  syntax::Position begin = source.position(span.begin), end = source.position(span.end);
  std::string text(source.line_text(begin.line));
  bool ended = source.line_start(span.begin) + text.size() < source.text().size();
  if (ended) text += '\n';
  Value details = make_tuple({make_str(source.file_name()), Value::integer(begin.line),
                              Value::integer(begin.column), make_str(text),
                              Value::integer(end.line), Value::integer(end.column)});
  return make<Exception>(&type, make_tuple({make_str(message), details}));
}

void set_up_syntax_error(Type& type) {
  type.slots.str = syntax_error_str;
  type.add(kAttributes);
}

std::string syntax_message(const Exception& exception) {
  Value message = told(exception, "msg");
  return message.is_none() ? "<no detail available>" : str_text(message);
}

std::string syntax_place(const Exception& exception) {
  Value line = told(exception, "lineno"), text = told(exception, "text");
  if (line.is_none()) return {};
  Value file = told(exception, "filename");
  std::string shown = fmt::format("  File \"{}\", line {}\n",
                                  file.is_none() ? "<string>" : str_text(file), str_text(line));
  if (!is_str(text)) return shown;
  std::string_view full = text_of(text);
  full = full.substr(0, full.find_last_not_of(" \t\r\n") + 1);
  std::size_t first = std::min(full.find_first_not_of(" \t\f\n"), full.size());
  std::string_view stripped = full.substr(first);
  shown += fmt::format("    {}\n", stripped);
  Value column = told(exception, "offset");
  if (!column.is_int()) return shown;
  std::int64_t margin = 1 + characters_in(full.substr(0, first));
  std::int64_t end = number_or(told(exception, "end_offset"), 0);
  if (number_or(told(exception, "end_lineno"), line.is_int() ? line.as_int() : 0) !=
      number_or(line, 0))
    end = characters_in(full) + 1;
  return shown + carets_under(stripped, column.as_int() - margin, end - margin);
}

}  // namespace strider::lang
