// Texts padded to whole blocks: what a kernel's text and code cost at each start.
#include "kernels/backend/cuda/jit/digest.h"

#include <strider/nd/sha256.h>

#include <cstdint>

namespace strider::nd::cuda {
namespace {

std::string digest_by(sha256::Add add_blocks, std::string_view text) {
  std::string tail(text.substr(text.size() / 64 * 64));
  tail += '\x80';
  while (tail.size() % 64 != 56) tail += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) {
    tail += static_cast<char>(std::uint64_t{text.size()} * 8 >> shift & 0xff);
  }
  sha256::Words state = sha256::kConstants.start;
  auto add = [&](std::string_view blocks) {
    add_blocks(state, reinterpret_cast<const unsigned char*>(blocks.data()), blocks.size() / 64);
  };
  add(text);
  add(tail);
  std::string digits;
  for (std::uint32_t word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) digits += "0123456789abcdef"[word >> shift & 15];
  }
  return digits;
}

}  // namespace

std::string digest(std::string_view text) { return digest_by(sha256::add_blocks, text); }

std::string digest_plainly(std::string_view text) { return digest_by(sha256::add_plainly, text); }

}  // namespace strider::nd::cuda
