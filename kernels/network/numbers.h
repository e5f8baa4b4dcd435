// Numbers: room for so many numbers, not set, that begins where cache lines begin, so that vectors
// of whole lines cross none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace strider::nd {

template <class T>
class Numbers {
 public:
  explicit Numbers(std::int64_t count = 0)
      : memory_(new T[static_cast<std::size_t>(count) + kLine / sizeof(T)]) {
    auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
    at_ = reinterpret_cast<T*>((address + kLine - 1) / kLine * kLine);
  }
  T* get() const { return at_; }

 private:
  static constexpr std::size_t kLine = 64;
  std::unique_ptr<T[]> memory_;
  T* at_;
};

}  // namespace strider::nd
