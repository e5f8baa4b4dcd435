// Lines are looked at one by one; strings over several lines keep what is in them but the indent.
#include "interpreter/repl/pasted.h"

#include <algorithm>
#include <vector>

namespace strider {
namespace {

constexpr std::string_view kPrompt = ">>> ", kNext = "... ";

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at <= text.size();) {
    std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == line.npos; }

std::string_view without_indent(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return line;
}

std::string program_of_dialogue(const std::vector<std::string_view>& lines) {
  std::string program;
  for (std::string_view line : lines) {
    std::string_view text = without_indent(line);
    bool prompted = text.starts_with(kPrompt) || text.starts_with(kNext);
    if (!prompted && text != "..." && text != ">>>") continue;
    if (!program.empty()) program += '\n';
    if (prompted) program += text.substr(kPrompt.size());
  }
  return program;
}

}  // namespace

std::string program_of_paste(std::string_view text) {
  std::vector<std::string_view> lines = lines_of(text);
  auto first = std::find_if_not(lines.begin(), lines.end(), is_blank);
  if (first == lines.end()) return std::string(text);
  if (without_indent(*first).starts_with(kPrompt)) return program_of_dialogue(lines);
  std::size_t shared = first->size() - without_indent(*first).size();
  for (std::string_view line : lines)
    if (!is_blank(line)) shared = std::min(shared, line.size() - without_indent(line).size());
  if (shared == 0 || lines.size() == 1) return std::string(text);
  std::string program;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) program += '\n';
    program += lines[i].substr(std::min(shared, lines[i].size()));
  }
  return program;
}

}  // namespace strider
