// Text tables: numpy.loadtxt's rules for lines, comments, quotes and cells.
#include <strider/nd/error.h>
#include <strider/nd/file.h>

#include <cstring>

#include "kernels/file/number_text.h"

namespace strider::nd {
namespace {

using file::is_blank;

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::kValue, message); }

// A string as Python's repr shows it, as far as cells need it.
std::string quoted(std::string_view text) {
  bool double_quotes =
      text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos;
  char quote = double_quotes ? '"' : '\'';
  std::string result(1, quote);
  for (char c : text) {
    if (c == '\\' || c == quote) result += '\\';
    if (c == '\t')
      result += "\\t";
    else
      result += c;
  }
  return result + quote;
}

// Cuts a table into lines and cells and converts them into one growing block.
class TableReader {
 public:
  TableReader(std::string_view text, DType dtype, const TableFormat& format)
      : text_(text),
        dtype_(dtype),
        size_(static_cast<std::size_t>(item_size(dtype))),
        format_(format) {
    if (format.delimiter.size() > 1)
      throw Error(ErrorKind::kType,
                  "Text reading control character must be a single unicode character or None; "
                  "but got: " +
                      quoted(format.delimiter));
    delimiter_ = format.delimiter.empty() ? '\0' : format.delimiter[0];
    single_comment_ = format.comments.size() == 1 && format.comments[0].size() == 1
                          ? format.comments[0][0]
                          : '\0';
    if (delimiter_ != '\0' && (delimiter_ == single_comment_ || delimiter_ == format.quote))
      throw Error(ErrorKind::kType, std::string("The values for control characters '") +
                                        (delimiter_ == format.quote ? "quote" : "comment") +
                                        "' and 'delimiter' are incompatible");
  }

  Array read() {
    for (std::int64_t i = 0; i < format_.skip_rows && at_ < text_.size(); ++i) next_line();
    while (at_ < text_.size() && (format_.max_rows < 0 || rows_ < format_.max_rows)) {
      std::string_view line = next_line();
      if (format_.quote == '\0') line = without_comment(line);
      split(line);
      if (!cells_.empty()) store_row();
    }
    return result();
  }

 private:
  std::string_view next_line() {
    std::size_t end = at_;
    bool in_quotes = false;
    for (; end < text_.size(); ++end) {
      char c = text_[end];
      if (c == format_.quote && format_.quote != '\0') in_quotes = !in_quotes;
      if (!in_quotes && (c == '\n' || c == '\r')) break;
    }
    std::string_view line = text_.substr(at_, end - at_);
    at_ = end;
    if (at_ < text_.size() && text_[at_] == '\r') ++at_;
    if (at_ < text_.size() && text_[at_] == '\n' && (at_ == end || text_[at_ - 1] == '\r')) ++at_;
    return line;
  }

  bool comment_at(std::string_view rest) const {
    for (const std::string& comment : format_.comments)
      if (!comment.empty() && rest.substr(0, comment.size()) == comment) return true;
    return false;
  }

  std::string_view without_comment(std::string_view line) const {
    if (single_comment_ != '\0') return line.substr(0, line.find(single_comment_));
    for (const std::string& comment : format_.comments)
      if (!comment.empty()) line = line.substr(0, line.find(comment));
    return line;
  }

  // Fills cells_ with the line's cells; none for a blank line.
  void split(std::string_view line) {
    cells_.clear();
    unquoted_.clear();
    if (format_.quote != '\0') return split_quoted(line);
    if (delimiter_ == '\0') return split_blanks(line);
    if (line.empty()) return;
    std::size_t begin = 0;
    for (;;) {
      const void* found = std::memchr(line.data() + begin, delimiter_, line.size() - begin);
      if (!found) break;
      auto end = static_cast<std::size_t>(static_cast<const char*>(found) - line.data());
      cells_.push_back(line.substr(begin, end - begin));
      begin = end + 1;
    }
    cells_.push_back(line.substr(begin));
  }

  void split_blanks(std::string_view line) {
    std::size_t at = 0;
    for (;;) {
      while (at < line.size() && is_blank(line[at])) ++at;
      if (at == line.size()) return;
      std::size_t begin = at;
      while (at < line.size() && !is_blank(line[at])) ++at;
      cells_.push_back(line.substr(begin, at - begin));
    }
  }

  bool ends_cell(char c) const { return delimiter_ == '\0' ? is_blank(c) : c == delimiter_; }

  void split_quoted(std::string_view line) {
    std::size_t at = 0;
    std::vector<std::string> cells;
    bool pending = false;
    while (at < line.size() && !comment_at(line.substr(at))) {
      if (delimiter_ == '\0' && is_blank(line[at])) {
        ++at;
        continue;
      }
      std::string cell;
      pending = false;
      if (line[at] == format_.quote) at = read_quotes(line, at + 1, cell);
      while (at < line.size() && !ends_cell(line[at]) && !comment_at(line.substr(at)))
        cell += line[at++];
      cells.push_back(std::move(cell));
      if (at < line.size() && ends_cell(line[at])) {
        ++at;
        pending = delimiter_ != '\0';
      }
    }
    if (pending) cells.emplace_back();
    unquoted_ = std::move(cells);
    cells_.assign(unquoted_.begin(), unquoted_.end());
  }

  std::size_t read_quotes(std::string_view line, std::size_t at, std::string& cell) const {
    for (; at < line.size(); ++at) {
      if (line[at] != format_.quote) {
        cell += line[at];
      } else if (at + 1 < line.size() && line[at + 1] == format_.quote) {
        cell += line[++at];
      } else {
        return at + 1;
      }
    }
    return at;
  }

  void store_row() {
    auto count = static_cast<std::int64_t>(cells_.size());
    if (columns_ < 0) columns_ = count;
    std::byte* out = open_row(std::max(cells_.size(), format_.use_columns.size()));
    if (format_.use_columns.empty()) {
      if (count != columns_)
        fail("the number of columns changed from " + std::to_string(columns_) + " to " +
             std::to_string(count) + " at row " + std::to_string(rows_ + 1) +
             "; use `usecols` to select a subset and avoid this error");
      for (std::int64_t column = 0; column < count; ++column) store_cell(column, out);
    } else {
      for (std::int64_t wanted : format_.use_columns) {
        std::int64_t column = wanted < 0 ? wanted + count : wanted;
        if (column < 0 || column >= count)
          fail("invalid column index " + std::to_string(wanted) + " at row " +
               std::to_string(rows_ + 1) + " with " + std::to_string(count) + " columns");
        store_cell(column, out);
      }
    }
    used_ = static_cast<std::size_t>(out - data_.data());
    ++rows_;
  }

  // Room for one row more, doubled when it runs out.
  std::byte* open_row(std::size_t cells) {
    if (used_ + cells * size_ > data_.size()) data_.resize(2 * data_.size() + cells * size_ + 4096);
    return data_.data() + used_;
  }

  void store_cell(std::int64_t column, std::byte*& out) {
    std::string_view cell = cells_[static_cast<std::size_t>(column)];
    if (!parse_number(cell, dtype_, out))
      fail("could not convert string " + quoted(cell) + " to " + std::string(name(dtype_)) +
           " at row " + std::to_string(rows_) + ", column " + std::to_string(column + 1) + ".");
    out += size_;
  }

  Array result() const {
    std::int64_t columns = format_.use_columns.empty()
                               ? std::max<std::int64_t>(columns_, 0)
                               : static_cast<std::int64_t>(format_.use_columns.size());
    Array array = Array::empty(Dims{rows_, columns}, dtype_);
    if (used_ > 0) std::memcpy(array.mutable_data(), data_.data(), used_);
    return array;
  }

  std::string_view text_;
  DType dtype_;
  std::size_t size_;
  const TableFormat& format_;
  char delimiter_ = '\0';
  char single_comment_ = '\0';
  std::size_t at_ = 0;
  std::int64_t rows_ = 0;
  std::int64_t columns_ = -1;
  std::vector<std::string_view> cells_;
  std::vector<std::string> unquoted_;
  std::vector<std::byte> data_;
  std::size_t used_ = 0;
};

}  // namespace

Array parse_numbers(std::string_view text, DType dtype, const TableFormat& format) {
  return TableReader(text, dtype, format).read();
}

}  // namespace strider::nd
