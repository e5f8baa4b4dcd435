// A view becomes rows as the terminal would break its lines; as many as the window holds are drawn
// round the cursor. All of it is written at once.
#include "interpreter/repl/screen.h"

#include <algorithm>

#include "interpreter/repl/characters.h"

namespace strider {
namespace {

struct Row {
  std::string text;  // with sequences
  int width = 0;
  bool wraps = false;  // the next row continues its line
};

struct Layout {
  std::vector<Row> rows;
  int cursor_row = 0, cursor_column = 0;
};

// Writes characters into rows of a width.
class RowWriter {
 public:
  explicit RowWriter(int width) : width_(width) { rows.emplace_back(); }

  void add(std::string_view shown, int width) {
    if (rows.back().width + width > width_) {
      end_colour();
      rows.back().wraps = true;
      rows.emplace_back();
      begin_colour();
    }
    rows.back().text += shown;
    rows.back().width += width;
  }
  void add_text(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      Character character = character_at(text, at);
      add(shown(text, at, character), character.width);
      at += character.length;
    }
  }
  void begin_line() {
    end_colour();
    rows.emplace_back();
    begin_colour();
  }
  void set_colour(std::string_view colour) {
    if (colour == colour_) return;
    end_colour();
    colour_ = colour;
    begin_colour();
  }
  // Where the next character will stand.
  void place(int& row, int& column) {
    if (rows.back().width >= width_) {
      end_colour();
      rows.back().wraps = true;
      rows.emplace_back();
      begin_colour();
    }
    row = static_cast<int>(rows.size()) - 1;
    column = rows.back().width;
  }

  std::vector<Row> rows;

 private:
  void begin_colour() { rows.back().text += colour_; }
  void end_colour() {
    if (!colour_.empty()) rows.back().text += kPlainSequence;
  }

  int width_;
  std::string_view colour_;
};

// The colour at a byte; `next` moves along the spans.
std::string_view colour_at(const std::vector<InkSpan>& inks, std::size_t at, std::size_t& next) {
  while (next < inks.size() && inks[next].end <= at) ++next;
  return next < inks.size() && inks[next].begin <= at ? ink_sequence(inks[next].ink)
                                                      : std::string_view{};
}

Layout lay_out(const View& view, int width) {
  RowWriter writer(width);
  Layout layout;
  writer.add_text(view.prompt);
  std::size_t next = 0;
  for (std::size_t at = 0; at < view.text.size();) {
    if (at == view.cursor) writer.place(layout.cursor_row, layout.cursor_column);
    Character character = character_at(view.text, at);
    if (character.code == '\n') {
      writer.set_colour({});
      writer.begin_line();
      writer.add_text(view.next_prompt);
    } else {
      writer.set_colour(colour_at(view.inks, at, next));
      writer.add(shown(view.text, at, character), character.width);
    }
    at += character.length;
  }
  writer.set_colour({});
  if (view.cursor >= view.text.size()) writer.place(layout.cursor_row, layout.cursor_column);
  layout.rows = std::move(writer.rows);
  return layout;
}

void add_below(const View& view, int width, int room, Layout& layout) {
  for (const std::string& line : view.below) {
    if (room-- <= 0) return;
    std::string text(fitting(line, width - 1));
    if (!view.below_colour.empty())
      text = std::string(view.below_colour) + text + std::string(kPlainSequence);
    layout.rows.push_back({std::move(text), 0, false});
  }
}

std::string up(int rows) { return rows > 0 ? "\x1b[" + std::to_string(rows) + "A" : ""; }
std::string right(int columns) {
  return columns > 0 ? "\x1b[" + std::to_string(columns) + "C" : "";
}

// Rows [first, last). A row that wraps is left to the terminal, so that it knows the line as one.
std::string text_of(const std::vector<Row>& rows, std::size_t first, std::size_t last) {
  std::string text;
  for (std::size_t i = first; i < last; ++i) {
    text += rows[i].text;
    bool filled_by_next = rows[i].wraps && i + 1 < last && rows[i + 1].width > 0;
    if (i + 1 < last && !filled_by_next) text += "\r\n";
  }
  return text;
}

}  // namespace

// So many blanks reach the next line unless they begin at the margin.
void Screen::begin_line() {
  terminal_.write(std::string(static_cast<std::size_t>(terminal_.width() - 1), ' ') + "\r\x1b[K");
  cursor_row_ = 0;
}

void Screen::draw(const View& view) {
  int width = terminal_.width(), height = terminal_.height();
  Layout layout = lay_out(view, width);
  int own = static_cast<int>(layout.rows.size());
  add_below(view, width, height - own, layout);
  int all = static_cast<int>(layout.rows.size());
  int first = std::clamp(layout.cursor_row - height + 1, 0, std::max(0, all - height));
  int last = std::min(all, first + height);
  int row = layout.cursor_row - first;
  terminal_.write(
      "\x1b[?25l" + up(cursor_row_) + "\r\x1b[J" +
      text_of(layout.rows, static_cast<std::size_t>(first), static_cast<std::size_t>(last)) +
      up(last - first - 1 - row) + "\r" + right(layout.cursor_column) + "\x1b[?25h");
  cursor_row_ = row;
}

void Screen::finish(View view) {
  view.below.clear();
  view.cursor = std::string_view::npos;
  Layout layout = lay_out(view, terminal_.width());
  // The row for a cursor behind a full last row is not needed.
  if (layout.rows.size() > 1 && layout.rows.back().width == 0 &&
      layout.rows[layout.rows.size() - 2].wraps)
    layout.rows.pop_back();
  terminal_.write(up(cursor_row_) + "\r\x1b[J" + text_of(layout.rows, 0, layout.rows.size()) +
                  "\r\n");
  cursor_row_ = 0;
}

void Screen::clear() {
  terminal_.write("\x1b[H\x1b[2J");
  cursor_row_ = 0;
}

void Screen::resize(const View& view) {
  cursor_row_ = std::min(lay_out(view, terminal_.width()).cursor_row, terminal_.height() - 1);
  draw(view);
}

}  // namespace strider
