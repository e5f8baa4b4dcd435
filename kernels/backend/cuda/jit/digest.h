// SHA-256: the name of a text that no other text has.
#pragma once

#include <string>
#include <string_view>

namespace strider::nd::cuda {

// 64 hexadecimal digits.
std::string digest(std::string_view text);
// The same without the processor's instructions for it.
std::string digest_plainly(std::string_view text);

}  // namespace strider::nd::cuda
