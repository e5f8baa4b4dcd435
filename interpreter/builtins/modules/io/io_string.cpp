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

void StringFile::restart(std::string given) {
  text = std::move(given);
  position = beyond = 0;
  known_ = {};
}

// The byte offset `characters` code points after `start`, or the end.
std::size_t StringFile::offset_after(std::size_t start, std::int64_t characters) const {
  std::size_t offset = start;
  while (characters-- > 0 && offset < text.size()) decode_code_point(text, offset);
  return offset;
}

// The place of a byte.
StringFile::Place StringFile::place_at(std::size_t bytes) {
  if (bytes > text.size()) bytes = text.size();
  std::string_view all = text;
  if (bytes >= known_.bytes)
    known_.characters += count_code_points(all.substr(known_.bytes, bytes - known_.bytes));
  else if (known_.bytes - bytes < bytes)
    known_.characters -= count_code_points(all.substr(bytes, known_.bytes - bytes));
  else
    known_.characters = count_code_points(all.substr(0, bytes));
  known_.bytes = bytes;
  return known_;
}

// The place of a character, or the end.
StringFile::Place StringFile::place_of(std::int64_t character) {
  Place place = character >= known_.characters ? known_ : Place();
  if (character < known_.characters && known_.characters - character < character) {
    place = known_;
    auto continues = [&](std::size_t at) { return (text[at] & 0xC0) == 0x80; };
    for (; place.characters > character; --place.characters) do
        --place.bytes;
      while (place.bytes > 0 && continues(place.bytes));
  }
  for (; place.characters < character && place.bytes < text.size(); ++place.characters)
    decode_code_point(text, place.bytes);
  return known_ = place;
}

// What is known of places behind a byte does not hold where the text changes there.
void StringFile::forget_places_behind(std::size_t bytes) {
  if (known_.bytes > bytes) known_ = {};
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
  forget_places_behind(position);
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
    Place place = place_of(offset);
    position = place.bytes;
    beyond = static_cast<std::size_t>(offset - place.characters);
  }
  return tell();
}

std::int64_t StringFile::tell() {
  check_open();
  return place_at(position).characters + static_cast<std::int64_t>(beyond);
}

std::int64_t StringFile::truncate(const Value& size) {
  check_open();
  std::int64_t target = size.is_none() ? tell() : to_int64(size);
  if (target < 0) raise(errors::ValueError, "Negative size value {}", target);
  std::size_t end = place_of(target).bytes;
  if (position > end) {
    beyond += static_cast<std::size_t>(
        count_code_points(std::string_view(text).substr(end, position - end)));
    position = end;
  }
  text.resize(end);
  return target;
}

}  // namespace strider::lang
