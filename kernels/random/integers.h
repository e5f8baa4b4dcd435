// Bounded random integers of every width, by Lemire's multiplication or by masked rejection, as a
// stream that shares its buffered bits. Knows nothing of arrays.
#pragma once

#include <strider/nd/random.h>

namespace strider::nd::random {

// Draws of one width in a row; 8- and 16-bit numbers and booleans share 32-bit draws.
class BoundedStream {
 public:
  BoundedStream(BitGenerator& bits, bool masked) : bits_(bits), masked_(masked) {}

  // A number in [0, range], by the rules of a `width`-bit type (1 for bool).
  std::uint64_t next(int width, std::uint64_t range);

 private:
  std::uint64_t next64(std::uint64_t range);
  std::uint32_t next32(std::uint32_t range);
  std::uint32_t next_small(int width, std::uint32_t range);
  std::uint32_t piece(int width);

  BitGenerator& bits_;
  bool masked_;
  int pieces_left_ = 0;
  std::uint32_t buffer_ = 0;
};

}  // namespace strider::nd::random
