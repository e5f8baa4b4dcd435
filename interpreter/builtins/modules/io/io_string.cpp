// Text in memory: StringIO.
#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/builtins/modules/io/io_text.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

void StringFile::check_open() {
  if (closed_) raise(errors::ValueError, "I/O operation on closed file");
}

// The byte offset `characters` code points after `start`, or the end.
std::size_t StringFile::offset_after(std::size_t start, std::int64_t characters) const {
  std::size_t offset = start;
  while (characters-- > 0 && offset < text.size()) decode_code_point(text, offset);
  return offset;
}

std::string StringFile::read(std::int64_t size) {
  check_open();
  std::size_t end = size < 0 ? text.size() : offset_after(position, size);
  std::string result = text.substr(position, end - position);
  position = end;
  return result;
}

std::string StringFile::read_line(std::int64_t limit) {
  check_open();
  std::string_view rest = std::string_view(text).substr(position);
  std::size_t size = std::min(find_line_end(rest, newlines, true), rest.size());
  if (limit >= 0) size = std::min(size, offset_after(position, limit) - position);
  position += size;
  return std::string(rest.substr(0, size));
}

void StringFile::write(std::string_view given) {
  check_open();
  std::string replaced;
  if (newlines.universal) note_line_ends(given, seen_ends_);
  if (newlines.translate) {
    replaced = translate_ends(std::string(given), newlines);
    given = replaced;
  } else if (newlines.written != "\n") {
    for (char c : given) c == '\n' ? replaced += newlines.written : replaced += c;
    given = replaced;
  }
  if (given.empty()) return;
  text.append(beyond, '\0');
  position += beyond;
  beyond = 0;
  if (position == text.size()) {
    text += given;
  } else {
    std::size_t end = offset_after(position, count_code_points(given));
    text.replace(position, end - position, given);
  }
  position += given.size();
}

std::int64_t StringFile::seek(std::int64_t offset, std::int64_t whence) {
  check_open();
  if (whence < 0 || whence > 2)
    raise(errors::ValueError, "Invalid whence ({}, should be 0, 1 or 2)", whence);
  if (whence == 0 && offset < 0) raise(errors::ValueError, "Negative seek position {}", offset);
  if (whence != 0 && offset != 0) raise(errors::OSError, "Can't do nonzero cur-relative seeks");
  if (whence == 1) return tell();
  beyond = 0;
  if (whence == 2) {
    position = text.size();
  } else {
    std::int64_t length = count_code_points(text);
    position = offset_after(0, offset);
    if (offset > length) beyond = static_cast<std::size_t>(offset - length);
  }
  return tell();
}

std::int64_t StringFile::tell() {
  check_open();
  return count_code_points(std::string_view(text).substr(0, position)) +
         static_cast<std::int64_t>(beyond);
}

std::int64_t StringFile::truncate(const Value& size) {
  check_open();
  std::int64_t target = size.is_none() ? tell() : to_int64(size);
  if (target < 0) raise(errors::ValueError, "Negative size value {}", target);
  std::size_t end = offset_after(0, target);
  if (position > end) {
    beyond += static_cast<std::size_t>(
        count_code_points(std::string_view(text).substr(end, position - end)));
    position = end;
  }
  text.resize(end);
  return target;
}

}  // namespace strider::lang
