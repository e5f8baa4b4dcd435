// ConditionWords: words that kernels write and the host reads, into which floating-point conditions
// are or-ed. Knows nothing of what they mean.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace strider::nd::cuda {

class ConditionWords {
 public:
  explicit ConditionWords(cudaStream_t stream) : stream_(stream) {}
  ConditionWords(const ConditionWords&) = delete;

  // So many words, all 0, at one address for host and device. They are handed out again, and lose
  // what is in them, 1/4 million words later at the earliest.
  std::uint32_t* take(std::size_t count);
  // Whether that goes beyond the section in use, which notes where the queue is.
  bool leaves_section(std::size_t count) const { return next_ + count > kSectionWords; }

 private:
  static constexpr std::size_t kSections = 4;
  static constexpr std::size_t kSectionWords = 1u << 17;

  void start();
  void enter(std::size_t section);

  cudaStream_t stream_;
  std::uint32_t* words_ = nullptr;
  std::array<cudaEvent_t, kSections> left_{};  // when the kernels that had a section's words ended
  std::array<bool, kSections> used_{};
  std::size_t section_ = 0;
  std::size_t next_ = 0;  // in the section
};

}  // namespace strider::nd::cuda
