// The abstract classes of io, and what all files share: errors and paths.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/runtime/type/type.h"

namespace strider::lang {

Type& io_base_type();
Type& raw_io_base_type();
Type& buffered_io_base_type();
Type& text_io_base_type();
// io.UnsupportedOperation, an OSError and a ValueError.
Type& unsupported_operation();
[[noreturn]] void raise_unsupported(std::string_view operation);
[[noreturn]] void raise_closed_file();

// A path given as str, bytes or os.PathLike, as text; TypeError and ValueError as CPython's.
std::string path_text(const Value& path);
// A size argument: None and negative numbers mean everything.
std::int64_t size_argument(const Value& value);

}  // namespace strider::lang
