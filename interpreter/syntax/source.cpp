// Line index, columns and caret lines of a source text.
#include "interpreter/syntax/source.h"

#include <algorithm>

namespace strider::syntax {

namespace {

bool starts_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

int count_characters(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), starts_character));
}

std::vector<uint32_t> index_lines(std::string_view text) {
  std::vector<uint32_t> starts{0};
  for (size_t i = 0; i < text.size(); ++i) {
    bool lone_return = text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n');
    if (text[i] == '\n' || lone_return) starts.push_back(static_cast<uint32_t>(i + 1));
  }
  if (starts.size() > 1 && starts.back() == text.size()) starts.pop_back();
  return starts;
}

// Blanks under the text before the carets; tabs stay tabs so that the columns line up.
std::string blank_out(std::string_view text) {
  std::string blanks;
  for (char byte : text) {
    if (starts_character(byte)) blanks += byte == '\t' ? '\t' : ' ';
  }
  return blanks;
}

}  // namespace

Source::Source(std::string file_name, std::string text)
    : file_name_(std::move(file_name)), text_(std::move(text)), line_starts_(index_lines(text_)) {}

Source::Source(std::string file_name, std::string text, std::vector<int> told_lines,
               std::shared_ptr<const Source> shown)
    : Source(std::move(file_name), std::move(text)) {
  told_lines_ = std::move(told_lines);
  told_lines_.resize(line_starts_.size(), told_lines_.empty() ? 1 : told_lines_.back());
  shown_ = std::move(shown);
}

std::string_view Source::text(Span span) const {
  return std::string_view(text_).substr(span.begin, span.end - span.begin);
}

size_t Source::index_of(uint32_t offset) const {
  auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return static_cast<size_t>(after - line_starts_.begin() - 1);
}

int Source::line_of(uint32_t offset) const {
  size_t index = index_of(offset);
  return told_lines_.empty() ? static_cast<int>(index + 1) : told_lines_[index];
}

Position Source::position(uint32_t offset) const {
  offset = std::min(offset, static_cast<uint32_t>(text_.size()));
  return {line_of(offset), count_characters(text({line_start(offset), offset})) + 1};
}

std::string_view Source::line_text(int line) const {
  if (is_retold()) return shown_ ? shown_->line_text(line) : std::string_view();
  if (line < 1 || line > line_count()) return {};
  size_t start = line_starts_[static_cast<size_t>(line - 1)];
  std::string_view rest = std::string_view(text_).substr(start);
  return rest.substr(0, rest.find_first_of("\r\n"));
}

std::string Source::caret_lines(Span span, int indent) const {
  std::string_view full = line_text(line_of(span.begin));
  size_t first = std::min(full.find_first_not_of(" \t\f"), full.size());
  size_t last = full.find_last_not_of(" \t\f");
  std::string_view shown = full.substr(first, last == full.npos ? 0 : last + 1 - first);
  std::string margin(static_cast<size_t>(indent), ' ');
  if (is_retold()) return margin + std::string(shown);
  size_t start = line_start(span.begin);
  size_t begin = std::clamp<size_t>(span.begin - start, first, first + shown.size());
  size_t end = std::clamp<size_t>(span.end - start, begin, first + shown.size());
  int carets = std::max(1, count_characters(full.substr(begin, end - begin)));
  std::string text = margin + std::string(shown) + '\n';
  text += margin + blank_out(full.substr(first, begin - first));
  return text + std::string(static_cast<size_t>(carets), '^');
}

}  // namespace strider::syntax
