// What calls of cuSOLVER need besides their operands: work space on both sides, info words, lists
// of addresses. Knows no routines.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "kernels/backend/cuda/library/solver.h"
#include "kernels/core/node.h"

namespace strider::nd::cuda {

// Whether a stack of small matrices is better done by the host, for want of a routine that takes
// many at once.
bool is_for_host(const ColumnStack& stack);

inline std::byte* matrix_at(const Elements& elements, const ColumnStack& stack, std::int64_t k) {
  return stack.at + static_cast<std::size_t>(k * stack.rows * stack.columns) * elements.size;
}

struct Work {
  void* there;
  std::size_t there_size;
  void* here;
  std::size_t here_size;
};

// One word for each matrix: 0, or what went wrong.
class Solver::Info {
 public:
  Info(CudaDevice& device, std::int64_t count)
      : device_(device), words_(device, static_cast<std::size_t>(count) * sizeof(int)) {
    device.clear(words_.start(), words_.size());
  }
  int* at(std::int64_t k) const { return words_.as<int>() + k; }
  // Waits for the device.
  Outcome outcome() const {
    std::vector<int> words(words_.size() / sizeof(int));
    device_.download(reinterpret_cast<std::byte*>(words.data()), words_.start(), words_.size());
    ++device_counts().waits;
    has_waited(device_, words_.size());
    bool good = std::all_of(words.begin(), words.end(), [](int word) { return word == 0; });
    return good ? Outcome::kDone : Outcome::kFailed;
  }
  // The same of routines that find so many real numbers, and find nan where there are none.
  Outcome outcome(const Elements& elements, const std::byte* found, std::int64_t count) const {
    Outcome told = outcome();
    if (told != Outcome::kDone) return told;
    bool numbers = elements.real == CUDA_R_32F ? are_numbers<float>(found, count)
                                               : are_numbers<double>(found, count);
    return numbers ? Outcome::kDone : Outcome::kFailed;
  }

 private:
  template <class T>
  bool are_numbers(const std::byte* found, std::int64_t count) const {
    std::vector<T> numbers(static_cast<std::size_t>(count));
    device_.download(reinterpret_cast<std::byte*>(numbers.data()), found,
                     numbers.size() * sizeof(T));
    return std::none_of(numbers.begin(), numbers.end(), [](T x) { return std::isnan(x); });
  }

  CudaDevice& device_;
  Workspace words_;
};

// The addresses of a stack's matrices, on the device.
class Solver::Addresses {
 public:
  Addresses(CudaDevice& device, const Elements& elements, const ColumnStack& stack)
      : list_(device, static_cast<std::size_t>(stack.count) * sizeof(void*)) {
    std::vector<void*> addresses;
    for (std::int64_t k = 0; k < stack.count; ++k)
      addresses.push_back(matrix_at(elements, stack, k));
    device.upload(list_.start(), reinterpret_cast<const std::byte*>(addresses.data()),
                  list_.size());
  }
  void** start() const { return list_.as<void*>(); }

 private:
  Workspace list_;
};

template <class Size, class Call>
void Solver::with_work(const char* doing, Size&& size, Call&& call) {
  std::size_t there = 0, here = 0;
  check(size(&there, &here), doing);
  Workspace space(device_, there);
  std::vector<std::byte> host_space(here);
  check(call(Work{space.start(), there, host_space.data(), here}), doing);
  // The routine may still read its host memory after it has returned.
  if (here) device_.synchronize();
}

}  // namespace strider::nd::cuda
