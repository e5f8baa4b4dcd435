// The abstract classes of io, and what all files share: errors and paths.
#pragma once

#include <span>
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

// What the system gives as bytes, as text: bytes that are no characters become lone surrogates, and
// such surrogates become bytes again where the text goes back to it.
Value system_text(std::string_view bytes);
std::string system_bytes(std::string_view text);
// A path given as str, bytes or os.PathLike, as the system takes it; TypeError and ValueError as
// CPython's.
std::string path_text(const Value& path);
// The methods of files that are open outside of memory, which nothing could rebuild.
std::span<const NativeRow> outside_methods();
// What files in memory keep of their attributes when they are pickled: a dict, or None.
Value attributes_state(const Value& file);
void restore_attributes(const Value& file, const Value& state);
// The parts of such a file's state; TypeError where there are not so many.
Values state_parts(const Value& file, const Value& state, std::size_t count);
// A size argument: None and negative numbers mean everything.
std::int64_t size_argument(const Value& value);

}  // namespace strider::lang
