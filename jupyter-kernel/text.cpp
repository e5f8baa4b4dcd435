#include "jupyter-kernel/text.h"

namespace strider::jupyter {
namespace {

constexpr std::string_view kPlace = "\x1b[32m", kMark = "\x1b[1;31m", kName = "\x1b[1;31m",
                           kPlain = "\x1b[0m";

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

std::string coloured(std::string_view colour, std::string_view text) {
  return std::string(colour) + std::string(text) + std::string(kPlain);
}

bool is_mark(std::string_view line) {
  return line.find_first_not_of(" ^~") == line.npos && line.find('^') != line.npos;
}

// "ValueError: …" and "package.Error", not what is indented and no sentence.
bool names_error(std::string_view line) {
  std::size_t end = line.find(':');
  std::string_view name = line.substr(0, end);
  if (name.empty() || name[0] == ' ' || name.starts_with("Traceback")) return false;
  return name.find(' ') == name.npos;
}

std::string colour_line(std::string_view line) {
  if (line.starts_with("  File ")) return coloured(kPlace, line);
  if (is_mark(line)) {
    std::size_t begin = line.find_first_not_of(' ');
    return std::string(line.substr(0, begin)) + coloured(kMark, line.substr(begin));
  }
  if (!names_error(line)) return std::string(line);
  std::size_t end = std::min(line.find(':'), line.size());
  return coloured(kName, line.substr(0, end)) + std::string(line.substr(end));
}

}  // namespace

std::size_t byte_of(std::string_view text, long code_point) {
  if (code_point < 0) return text.size();
  std::size_t byte = 0;
  for (; byte < text.size(); ++byte)
    if (starts_character(text[byte]) && code_point-- == 0) break;
  return byte;
}

long code_point_of(std::string_view text, std::size_t byte) {
  long count = 0;
  for (std::size_t i = 0; i < byte && i < text.size(); ++i) count += starts_character(text[i]);
  return count;
}

std::vector<std::string> colour_traceback(std::string_view traceback) {
  std::vector<std::string> lines;
  while (!traceback.empty()) {
    std::size_t end = std::min(traceback.find('\n'), traceback.size());
    lines.push_back(colour_line(traceback.substr(0, end)));
    traceback.remove_prefix(std::min(end + 1, traceback.size()));
  }
  return lines;
}

}  // namespace strider::jupyter
