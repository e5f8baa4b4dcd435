// Brackets, separators, line breaks and summaries around the elements' texts; str and repr of
// arrays.
#include <strider/nd/format.h>

#include <algorithm>
#include <vector>

#include "kernels/format/elements.h"

namespace strider::nd {
namespace {

using format::ElementPrinter;
using format::make_printer;

// Characters, not bytes: UTF-8 continuation bytes do not count.
std::int64_t text_width(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; });
}

void strip_right(std::string& text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\n'))
    text.pop_back();
}

std::string_view without_trailing_space(std::string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

// The finished lines of one row of elements and the line that is still growing.
class Row {
 public:
  Row(std::int64_t width, const std::string& indent, bool old)
      : width_(width), indent_(indent), line_(indent), line_width_(text_width(indent)), old_(old) {}

  void set_width(std::int64_t width) { width_ = width; }
  void add_word(const std::string& word) {
    if (!old_ && word.find('\n') != std::string::npos) return add_lines(split_lines(word));
    std::int64_t extra = text_width(word);
    if (line_width_ + extra > width_ && (old_ || has_words())) break_line(indent_);
    append(word);
  }
  void add_separator(std::string_view separator) { append(separator); }
  std::string finish() { return done_ + line_; }

 private:
  bool has_words() const { return line_width_ > text_width(indent_); }

  void append(std::string_view text) {
    line_ += text;
    line_width_ += text_width(text);
  }

  void break_line(const std::string& start) {
    strip_right(line_);
    done_ += line_;
    done_ += '\n';
    line_ = start;
    line_width_ = text_width(start);
  }

  // A word of several lines hangs under its first line.
  void add_lines(const std::vector<std::string>& lines) {
    std::int64_t longest = 0;
    for (const std::string& line : lines) longest = std::max(longest, text_width(line));
    std::string hang = indent_;
    if (line_width_ + longest > width_ && has_words())
      break_line(indent_);
    else
      hang.assign(static_cast<std::size_t>(line_width_), ' ');
    append(lines.front());
    for (std::size_t i = 1; i < lines.size(); ++i) {
      break_line(hang);
      append(lines[i]);
    }
    append(std::string(static_cast<std::size_t>(longest - text_width(lines.back())), ' '));
  }

  std::int64_t width_;
  const std::string& indent_;
  std::string done_;
  std::string line_;
  std::int64_t line_width_;
  bool old_;  // as NumPy 1.13: breaks a line even where that does not help
};

// Walks the axes of one array and writes its nested lists.
class Layout {
 public:
  Layout(const Array& array, const ElementPrinter& printer, std::string_view separator,
         std::int64_t edge_items, bool summarise, bool old)
      : array_(array),
        printer_(printer),
        separator_(separator),
        edge_items_(edge_items),
        summarise_(summarise),
        old_(old) {}

  std::string text(int axis, const std::byte* at, const std::string& indent,
                   std::int64_t width) const {
    if (axis == array_.rank()) return element(at);
    std::string body =
        axis == array_.rank() - 1 ? row(axis, at, indent, width) : stack(axis, at, indent, width);
    return "[" + body.substr(indent.size()) + "]";
  }

 private:
  std::string element(const std::byte* at) const {
    std::string word;
    printer_.append(word, at);
    return word;
  }

  bool summarised(std::int64_t extent) const { return summarise_ && 2 * edge_items_ < extent; }

  // Calls visit(index) for each shown place but the last, and `gap` where items are left out; then
  // visits the last.
  template <class F, class G>
  void each_place(std::int64_t extent, F&& visit, G&& gap) const {
    std::int64_t leading = 0, trailing = extent;
    if (summarised(extent)) {
      leading = trailing = edge_items_;
      for (std::int64_t i = 0; i < leading; ++i) visit(i, false);
      gap();
    }
    for (std::int64_t i = trailing; i > 1; --i) visit(extent - i, false);
    visit(extent - 1, true);
  }

  std::string row(int axis, const std::byte* at, const std::string& indent,
                  std::int64_t width) const {
    std::int64_t end_width =
        std::max<std::int64_t>(text_width(without_trailing_space(separator_)), old_ ? 0 : 1);
    Row lines(width - end_width, indent, old_);
    std::int64_t step = array_.strides()[axis];
    each_place(
        array_.shape()[axis],
        [&](std::int64_t i, bool last) {
          if (last && old_) lines.set_width(width);
          lines.add_word(element(at + i * step));
          if (!last) lines.add_separator(separator_);
        },
        [&] {
          lines.add_word("...");
          lines.add_separator(old_ ? ", " : separator_);
        });
    return lines.finish();
  }

  std::string stack(int axis, const std::byte* at, const std::string& indent,
                    std::int64_t width) const {
    std::string break_text(without_trailing_space(separator_));
    break_text.append(static_cast<std::size_t>(array_.rank() - axis - 1), '\n');
    std::string inner_indent = indent + ' ';
    std::int64_t step = array_.strides()[axis];
    std::string body;
    each_place(
        array_.shape()[axis],
        [&](std::int64_t i, bool last) {
          body += indent + text(axis + 1, at + i * step, inner_indent, width - (old_ ? 0 : 1));
          if (!last) body += break_text;
        },
        [&] { body += indent + "..." + (old_ ? ", \n" : break_text); });
    return body;
  }

  const Array& array_;
  const ElementPrinter& printer_;
  std::string_view separator_;
  std::int64_t edge_items_;
  bool summarise_;
  bool old_;
};

bool axis_is_cut(std::int64_t extent, std::int64_t edge_items) {
  return edge_items > 0 && extent > 2 * edge_items;
}

void copy_corners(const Array& from, int axis, const std::byte* at, std::int64_t edge_items,
                  std::byte*& out) {
  if (axis == from.rank()) {
    std::memcpy(out, at, static_cast<std::size_t>(item_size(from.dtype())));
    out += item_size(from.dtype());
    return;
  }
  std::int64_t extent = from.shape()[axis];
  bool cut = axis_is_cut(extent, edge_items);
  for (std::int64_t i = 0; i < extent; ++i) {
    if (cut && i == edge_items) i = extent - edge_items;
    copy_corners(from, axis + 1, at + i * from.strides()[axis], edge_items, out);
  }
}

// The elements that a summary shows.
Array corners(const Array& array, std::int64_t edge_items) {
  Dims shape = array.shape();
  for (std::int64_t& extent : shape)
    if (axis_is_cut(extent, edge_items)) extent = 2 * edge_items;
  Array result = Array::empty(shape, array.dtype());
  std::byte* out = result.mutable_data();
  copy_corners(array, 0, array.data(), edge_items, out);
  return result;
}

bool dtype_is_implied(DType dtype, Manner manner) {
  if (manner == Manner::k1_13 && dtype == DType::kBool) return false;
  return dtype == DType::kInt64 || dtype == DType::kFloat64 || dtype == DType::kComplex128 ||
         dtype == DType::kBool;
}

std::string tuple_text(const Dims& shape) {
  std::string text = "(";
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(shape[axis]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

// What cannot be read off the elements: shape and dtype.
std::string repr_extras(const Array& array, const PrintOptions& options) {
  std::string extras;
  bool lost_shape = array.size() == 0 && array.shape() != Dims{0};
  bool hidden = array.size() > options.threshold && options.manner == Manner::kCurrent;
  if (lost_shape || hidden) extras = "shape=" + tuple_text(array.shape());
  if (dtype_is_implied(array.dtype(), options.manner) && array.size() > 0) return extras;
  if (!extras.empty()) extras += ", ";
  return extras + "dtype=" + std::string(name(array.dtype()));
}

// A single element as Python's own number prints.
std::string python_text(const Scalar& value) {
  if (is_complex(value.dtype())) return scalar_str(value.as(DType::kComplex128));
  return scalar_str(is_floating(value.dtype()) ? value.as(DType::kFloat64) : value);
}

}  // namespace

std::string array2string(const Array& array, const PrintOptions& options,
                         std::string_view separator, std::string_view prefix,
                         std::string_view suffix) {
  bool old = options.manner == Manner::k1_13;
  if (old && array.rank() == 0) return python_text(array.item());
  if (array.size() == 0) return "[]";
  bool summarise = array.size() > options.threshold;
  Array visible = summarise ? corners(array, options.edge_items) : array.contiguous();
  std::unique_ptr<ElementPrinter> printer = make_printer(visible, options);
  std::string indent(static_cast<std::size_t>(1 + text_width(prefix)), ' ');
  Layout layout(array, *printer, separator, options.edge_items, summarise, old);
  std::int64_t width = options.line_width - (old ? 0 : text_width(suffix));
  return layout.text(0, array.data(), indent, width);
}

std::string array_repr(const Array& array, const PrintOptions& options,
                       std::string_view class_name) {
  std::string prefix = std::string(class_name) + "(";
  std::string text = prefix + array2string(array, options, ", ", prefix, ")");
  std::string extras = repr_extras(array, options);
  if (extras.empty()) return text + ")";
  text += ",";
  extras += ")";
  std::size_t line_start = text.rfind('\n') + 1;
  std::int64_t last_line = text_width(std::string_view(text).substr(line_start));
  bool too_long = last_line + text_width(extras) + 1 > options.line_width;
  if (too_long && options.manner > Manner::k1_13)
    return text + "\n" + std::string(prefix.size(), ' ') + extras;
  return text + " " + extras;
}

std::string array_str(const Array& array, const PrintOptions& options) {
  if (array.rank() == 0 && options.manner == Manner::k1_13) return python_text(array.item());
  if (array.rank() == 0) return scalar_str(array.item());
  return array2string(array, options);
}

}  // namespace strider::nd
