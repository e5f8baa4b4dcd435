// Counting code points and cutting lines.
#include "jupyter-kernel/text.h"

#include <algorithm>

namespace strider::jupyter {
namespace {

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

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

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace strider::jupyter
