// Recursion guard: turns runaway recursion of C++ code (repr of nested lists, comparison, calls)
// into RecursionError.
#pragma once

namespace strider::lang {

// Entered around every recursion that user data can make arbitrarily deep. Throws RecursionError
// when the native stack is nearly used up. `what`: "maximum recursion depth exceeded while getting
// the repr of an object".
void check_stack(const char* what = "maximum recursion depth exceeded");

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
