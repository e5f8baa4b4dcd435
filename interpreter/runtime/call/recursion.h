// Recursion guard: turns runaway recursion of C++ code (repr of nested lists, comparison, calls)
// into RecursionError.
#pragma once

#include <cstddef>
#include <cstdint>

namespace strider::lang {

// Entered around every recursion that user data can make arbitrarily deep. Throws RecursionError
// when the native stack is nearly used up. `what`: "maximum recursion depth exceeded while getting
// the repr of an object".
void check_stack(const char* what = "maximum recursion depth exceeded");

// Bytes kept free at the end of a stack for C++ code that does not check.
inline constexpr std::size_t kStackReserve = 96 * 1024;
// The most bytes of a stack that are used: ThreadSanitizer's runtime knows 65,536 frames of each.
#ifdef STRIDER_THREAD_SANITIZER
inline constexpr std::size_t kMostStack = 3 * 1024 * 1024;
#else
inline constexpr std::size_t kMostStack = SIZE_MAX;
#endif
// Where a stack from `lowest` to `highest` ends for us.
inline const char* usable_end(const char* lowest, const char* highest) {
  return static_cast<std::size_t>(highest - lowest) > kMostStack ? highest - kMostStack : lowest;
}
// Tells where the stack that now runs ends (null: unlimited); returns the former end.
const char* set_stack_end(const char* lowest);
// Bytes left on the stack that now runs; 0 when its end is unknown.
std::size_t stack_left();

// Remembers the objects whose repr is being taken, to print [...] for an object inside itself.
class ReprGuard {
 public:
  explicit ReprGuard(const void* object);
  ~ReprGuard();
  ReprGuard(const ReprGuard&) = delete;
  bool inside() const { return inside_; }

 private:
  bool inside_;
};

}  // namespace strider::lang
