// LineBuffer: bytes that begin with a cache line, as vectors are best read and written.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace strider::nd {

struct LineBufferDelete {
  void operator()(std::byte* bytes) const { ::operator delete[](bytes, std::align_val_t(64)); }
};
using LineBuffer = std::unique_ptr<std::byte[], LineBufferDelete>;

inline LineBuffer make_line_buffer(std::size_t bytes) {
  return LineBuffer(static_cast<std::byte*>(::operator new[](bytes, std::align_val_t(64))));
}

}  // namespace strider::nd
