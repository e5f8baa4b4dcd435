// Follows a text as a terminal would show it.
#include "interpreter/repl/output_place.h"

#include <algorithm>

#include "interpreter/repl/characters.h"

namespace strider {
namespace {

constexpr int kTabStop = 8;
constexpr std::size_t kLongestLine = 4096;

}  // namespace

// Behind the sequence. Colours move nothing.
std::size_t OutputPlace::advance_sequence(std::string_view text, std::size_t at) {
  if (at + 1 >= text.size() || text[at + 1] != '[') {
    known_ = false;
    return at + 1;
  }
  std::size_t end = at + 2;
  while (end < text.size() && (text[end] < '@' || text[end] > '~')) ++end;
  if (end >= text.size() || text[end] != 'm') known_ = false;
  return std::min(end + 1, text.size());
}

void OutputPlace::advance_control(char control, int width) {
  if (control == '\n') ++row_;
  if (control == '\n' || control == '\r') {
    column_ = 0;
    line_.clear();
  } else if (control == '\b') {
    column_ = std::max(0, column_ - 1);
    if (!line_.empty()) line_.pop_back();
  } else if (control == '\t') {
    column_ = std::min(width - 1, (column_ / kTabStop + 1) * kTabStop);
    line_ += control;
  }
}

void OutputPlace::advance(std::string_view text, int width) {
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\x1b') {
      std::size_t end = advance_sequence(text, at);
      line_ += text.substr(at, end - at);
      at = end;
      continue;
    }
    if (static_cast<unsigned char>(text[at]) < 0x20) {
      advance_control(text[at++], width);
      continue;
    }
    Character character = character_at(text, at);
    if (column_ + character.width > width) {
      ++row_;
      column_ = 0;
    }
    column_ += character.width;
    if (line_.size() < kLongestLine) line_ += text.substr(at, character.length);
    at += character.length;
  }
}

}  // namespace strider
