// A scanner that knows only where statements may start: it follows brackets, strings, comments and
// continued lines.
#include "interpreter/session/entry.h"

#include <cctype>
#include <optional>

namespace strider {
namespace {

constexpr std::string_view kBlanks = " \t\f\r";
constexpr std::string_view kCommands = "__import__('_fronts.commands', None, None, ('run',))";

std::string_view trim(std::string_view text) {
  std::size_t first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

bool is_name_character(char c) {
  auto byte = static_cast<unsigned char>(c);
  return c == '_' || byte >= 0x80 || std::isalnum(byte);
}

// A name with dots, and for name? a pattern with stars.
bool is_path(std::string_view text, bool stars) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front()))) return false;
  for (char c : text)
    if (!is_name_character(c) && c != '.' && !(stars && c == '*')) return false;
  return text.back() != '.';
}

// Follows a text line by line through everything that may hide the end of a statement.
class StatementScanner {
 public:
  // Whether the next line starts a statement.
  bool at_start() const { return depth_ == 0 && quote_.empty() && !continued_; }

  void take_line(std::string_view line) {
    continued_ = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      char c = line[i];
      if (c == '\\') {
        continued_ = i + 1 >= line.size() || line.substr(i + 1) == "\r";
        ++i;
      } else if (!quote_.empty()) {
        if (line.substr(i, quote_.size()) == quote_) {
          i += quote_.size() - 1;
          quote_ = {};
        }
      } else if (c == '#') {
        break;
      } else if (c == '\'' || c == '"') {
        quote_ = opening(line.substr(i));
        i += quote_.size() - 1;
      } else if (c == '(' || c == '[' || c == '{') {
        ++depth_;
      } else if ((c == ')' || c == ']' || c == '}') && depth_ > 0) {
        --depth_;
      }
    }
    if (quote_.size() == 1 && !continued_) quote_ = {};  // an error, which the parser tells
  }

 private:
  static std::string_view opening(std::string_view text) {
    for (std::string_view triple : {"'''", "\"\"\""})
      if (text.starts_with(triple)) return triple;
    return text.front() == '\'' ? "'" : "\"";
  }

  int depth_ = 0;
  std::string_view quote_;
  bool continued_ = false;
};

std::string quoted(std::string_view text) {
  std::string result = "'";
  for (char c : text) {
    if (c == '\\' || c == '\'') result += '\\';
    if (c == '\n')
      result += "\\n";
    else if (c != '\r')
      result += c;
  }
  return result + "'";
}

std::string call(std::string_view function, std::string_view first, std::string_view second) {
  return std::string(kCommands) + '.' + std::string(function) + '(' + quoted(first) + ", " +
         quoted(second) + ')';
}

// `%name rest` and `!rest` as an expression; nothing for other texts.
std::optional<std::string> command_call(std::string_view text) {
  if (text.starts_with("!!")) return call("capture", "", trim(text.substr(2)));
  if (text.starts_with('!')) return call("shell", "", trim(text.substr(1)));
  if (!text.starts_with('%') || text.size() < 2 || !is_name_character(text[1])) return {};
  text.remove_prefix(1);
  std::size_t end = text.find_first_of(kBlanks);
  return call("run", text.substr(0, end), end == text.npos ? "" : trim(text.substr(end)));
}

// `name?`, `name??`, `?name`, `%name?`.
std::optional<std::string> question_call(std::string_view text) {
  std::string_view marks = "?";
  if (text.ends_with('?')) {
    text.remove_suffix(1);
    if (text.ends_with('?')) marks = "??", text.remove_suffix(1);
  } else if (text.starts_with('?')) {
    text.remove_prefix(1);
    if (text.starts_with('?')) marks = "??", text.remove_prefix(1);
  } else {
    return {};
  }
  text = trim(text);
  std::string_view path = text.substr(text.starts_with('%') ? 1 : 0);
  if (!is_path(path, true)) return {};
  return call("explain_name", text, marks);
}

// `target = %name rest` and `target = !rest`, which hands over what the command printed.
std::optional<std::string> assigned_call(std::string_view text) {
  std::size_t equals = text.find('=');
  if (equals == text.npos || !is_path(trim(text.substr(0, equals)), false)) return {};
  std::string_view right = trim(text.substr(equals + 1));
  std::optional<std::string> value =
      right.starts_with('!') ? call("capture", "", trim(right.substr(1))) : command_call(right);
  if (!value) return {};
  return std::string(text.substr(0, equals + 1)) + " " + *value;
}

// A line that starts a statement, in the language.
std::string statement_line(std::string_view line) {
  std::string_view text = trim(line);
  if (text.empty()) return std::string(line);
  std::string indent(line.substr(0, line.find_first_not_of(kBlanks)));
  for (auto reading : {question_call, command_call, assigned_call})
    if (std::optional<std::string> made = reading(text)) return indent + *made;
  return std::string(line);
}

}  // namespace

bool is_command_call(std::string_view line) { return line.find(kCommands) != line.npos; }

bool is_cell_command(std::string_view entry) {
  return entry.starts_with("%%") && entry.size() > 2 && is_name_character(entry[2]);
}

std::string program_of_entry(std::string_view entry) {
  if (entry.find_first_of("%!?") == entry.npos) return std::string(entry);
  if (is_cell_command(entry)) {
    std::string_view first = entry.substr(2, entry.find('\n') - 2);
    std::size_t body = entry.find('\n');
    std::size_t end = first.find_first_of(kBlanks);
    std::string_view rest = end == first.npos ? std::string_view{} : trim(first.substr(end));
    std::string name = quoted(first.substr(0, end));
    std::string cell = quoted(body == entry.npos ? "" : entry.substr(body + 1));
    return std::string(kCommands).append(".run_cell(").append(name) + ", " + quoted(rest) + ", " +
           cell + ')';
  }
  StatementScanner scanner;
  std::string program;
  for (std::size_t at = 0; at <= entry.size();) {
    std::size_t end = std::min(entry.find('\n', at), entry.size());
    std::string_view line = entry.substr(at, end - at);
    std::string made = scanner.at_start() ? statement_line(line) : std::string(line);
    scanner.take_line(made);
    program += made;
    if (end < entry.size()) program += '\n';
    at = end + 1;
  }
  return program;
}

}  // namespace strider
