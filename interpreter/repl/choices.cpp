// Few names stand one a line with what is known of them; many stand in columns.
#include "interpreter/repl/choices.h"

#include <algorithm>

#include "interpreter/repl/characters.h"

namespace strider {
namespace {

constexpr std::size_t kMostWithDetails = 10;
constexpr int kGap = 2;

std::string padded(const std::string& text, int width) {
  return text + std::string(static_cast<std::size_t>(std::max(0, width - width_of(text))), ' ');
}

int widest(const std::vector<Completions::Item>& items) {
  int width = 0;
  for (const Completions::Item& item : items) width = std::max(width, width_of(item.text));
  return width;
}

}  // namespace

std::string Choices::common_beginning() const {
  std::string prefix = found_.items.front().text;
  for (const Completions::Item& item : found_.items)
    while (!item.text.starts_with(prefix)) prefix.pop_back();
  while (!prefix.empty() && (static_cast<unsigned char>(prefix.back()) & 0xc0) == 0x80 &&
         prefix.size() < found_.items.front().text.size())
    prefix.pop_back();
  return prefix;
}

std::vector<std::string> Choices::turn(int width, int rows) {
  auto room = static_cast<std::size_t>(std::max(rows, 2));
  bool few = found_.items.size() <= std::min(kMostWithDetails, room);
  return few ? with_details(width, room) : in_columns(width, room);
}

std::vector<std::string> Choices::with_details(int width, std::size_t) {
  std::vector<std::string> lines;
  int names = widest(found_.items) + kGap;
  for (const Completions::Item& item : found_.items) {
    std::string detail = item.detail.empty() ? item.type : item.detail;
    std::replace(detail.begin(), detail.end(), '\n', ' ');
    lines.emplace_back(fitting("  " + padded(item.text, names) + detail, width - 1));
  }
  return lines;
}

// Down the columns, as many as fit; the last line tells how many more there are.
std::vector<std::string> Choices::in_columns(int width, std::size_t rows) {
  int cell = widest(found_.items) + kGap;
  auto columns = static_cast<std::size_t>(std::max(1, (width - 1) / cell));
  std::size_t all = found_.items.size(), room = columns * (rows - 1);
  if (page_ * room >= all) page_ = 0;
  std::size_t first = page_ * room, count = std::min(room, all - first);
  std::size_t height = (count + columns - 1) / columns;
  std::vector<std::string> lines(height);
  for (std::size_t i = 0; i < count; ++i)
    lines[i % height] += padded(found_.items[first + i].text, cell);
  if (all > room) {
    lines.push_back("(" + std::to_string(first + 1) + "-" + std::to_string(first + count) + " of " +
                    std::to_string(all) + "; Tab: more)");
    ++page_;
  }
  return lines;
}

}  // namespace strider
