// A ring in sections: a section is used again once the kernels that wrote to it have ended.
#include "kernels/backend/cuda/device/condition_words.h"

#include <algorithm>

#include "kernels/backend/cuda/device/errors.h"

namespace strider::nd::cuda {

std::uint32_t* ConditionWords::take(std::size_t count) {
  if (count > kSectionWords) return nullptr;
  if (!words_) start();
  if (next_ + count > kSectionWords) {
    check(cudaEventRecord(left_[section_], stream_), "recording an event");
    used_[section_] = true;
    enter((section_ + 1) % kSections);
  }
  std::uint32_t* taken = words_ + section_ * kSectionWords + next_;
  next_ += count;
  return taken;
}

void ConditionWords::start() {
  for (cudaEvent_t& event : left_) {
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "making an event");
  }
  void* words = nullptr;
  constexpr std::size_t kBytes = kSections * kSectionWords * sizeof(std::uint32_t);
  constexpr unsigned kFlags = cudaHostAllocMapped | cudaHostAllocPortable;
  check(cudaHostAlloc(&words, kBytes, kFlags), "allocating pinned memory");
  words_ = static_cast<std::uint32_t*>(words);
  enter(0);
}

void ConditionWords::enter(std::size_t section) {
  if (used_[section]) check(cudaEventSynchronize(left_[section]), "waiting for kernels");
  std::fill_n(words_ + section * kSectionWords, kSectionWords, 0u);
  section_ = section;
  next_ = 0;
}

}  // namespace strider::nd::cuda
