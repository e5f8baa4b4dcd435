// CodeMemory: pages that hold one compiled loop. They are writable or executable, never both.
#pragma once

#include <cstddef>
#include <cstdint>

namespace strider::nd {

class CodeMemory {
 public:
  CodeMemory() = default;
  // Copies position-independent code into pages of its own; empty when the system gives none.
  CodeMemory(const std::uint8_t* code, std::size_t size);
  CodeMemory(CodeMemory&& other) noexcept;
  CodeMemory& operator=(CodeMemory&& other) noexcept;
  ~CodeMemory();

  const void* entry() const { return pages_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void* pages_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace strider::nd
