// Files as numpy's functions take them: paths, or objects with read and write methods.
#include "interpreter/builtins/numpy/file/file_arguments.h"

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

bool is_file_object(const Value& value) {
  return !is_str(value) && !is_bytes(value) &&
         (has_attribute(value, intern("read")) || has_attribute(value, intern("write")));
}

std::string read_from(const Value& file, std::int64_t count) {
  Value content = call_method(file, intern("read"), Value::integer(count));
  if (is_bytes_like(content)) return std::string(to_bytes(content));
  raise(errors::TypeError, "expected a file opened in binary mode, its read() gave {}",
        type_name(content));
}

void write_bytes(const Value& file, std::string bytes) {
  call_method(file, intern("write"), Value(make<Bytes>(std::move(bytes))));
}

std::int64_t position_of(const Value& file) {
  Value tell = find_attribute(file, intern("tell"));
  if (tell.is_empty() || !has_attribute(file, intern("seek"))) return -1;
  return to_int64(call(tell));
}

void seek_to(const Value& file, std::int64_t start, std::int64_t consumed) {
  if (start >= 0) call_method(file, intern("seek"), Value::integer(start + consumed));
}

FileDType to_file_dtype(const Value& value) {
  FileDType result;
  if (is_str(value)) {
    if (auto parsed = nd::parse_dtype(text_of(value), &result.swapped)) {
      result.dtype = *parsed;
      return result;
    }
  }
  if (is_boxed_dtype(value))
    if (Value native = find_attribute(value, intern("native")); !native.is_empty()) {
      result.dtype = to_dtype(native);
      result.swapped = true;
      return result;
    }
  result.dtype = to_dtype(value);
  return result;
}

}  // namespace strider::lang
