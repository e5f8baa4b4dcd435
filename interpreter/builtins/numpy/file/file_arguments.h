// Files as numpy's functions take them: paths, or objects with read and write methods.
#pragma once

#include <strider/nd/dtype.h>

#include <string>
#include <string_view>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

bool is_file_object(const Value& value);
// The bytes that file.read(count) gives (-1: all); TypeError for files opened as text.
std::string read_from(const Value& file, std::int64_t count = -1);
void write_bytes(const Value& file, std::string bytes);
// Moves a file object back so that its position is `consumed` bytes after `start` (a position that
// position_of gave; negative: the file cannot seek).
std::int64_t position_of(const Value& file);
void seek_to(const Value& file, std::int64_t start, std::int64_t consumed);

struct FileDType {
  nd::DType dtype;
  bool swapped = false;  // the other byte order
};
// dtype= of functions that read raw bytes: byte orders are understood.
FileDType to_file_dtype(const Value& value);

}  // namespace strider::lang
