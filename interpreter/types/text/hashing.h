// The hash of a text beyond ASCII; that of bytes and of other texts is hash_bytes, in str.h.
// Knows no objects.
#pragma once

#include <cstdint>
#include <string_view>

namespace strider::lang {

// Of the code points in the narrowest of one, two or four bytes that holds them all, as CPython
// keeps and hashes them.
std::int64_t hash_text(std::string_view utf8);

}  // namespace strider::lang
